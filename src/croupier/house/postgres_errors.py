"""PostgreSQL's errors by the names of the House."""

from __future__ import annotations

import asyncpg

from croupier.house.errors import (
    CorruptDatabase,
    DiskFull,
    HouseError,
    LostConnection,
    StorageError,
)

LOCK_SECONDS = 30
"""How long a writer waits for another one before it gives up."""

LOST = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.IdleInTransactionSessionTimeoutError,
)


READS_ONLY = (asyncpg.ReadOnlySQLTransactionError,)
"""Of a server that was made a standby: the next connection looks for the primary."""


def named_error(name: str, error: Exception) -> StorageError:
    """PostgreSQL's errors by the names of the House."""
    said = str(error) or type(error).__name__
    match error:
        case HouseError():
            return error if isinstance(error, StorageError) else StorageError(said)
        case asyncpg.DiskFullError():
            return DiskFull(f"there is no room left on the server of {name}: {said}")
        case asyncpg.DataCorruptedError() | asyncpg.IndexCorruptedError():
            return CorruptDatabase(f"{name} is damaged: {said}")
        case asyncpg.IntegrityConstraintViolationError():
            # Whatever could collide was looked up in the same transaction.
            return CorruptDatabase(f"{name} holds rows that its heads do not know: {said}")
        case asyncpg.LockNotAvailableError():
            return StorageError(
                f"another process has kept {name} locked for {LOCK_SECONDS} s; look for a croupier "
                f"that hangs"
            )
        case asyncpg.InvalidCatalogNameError():
            return StorageError(f"{name}: {said}; make it with `createdb`")
        case asyncpg.InvalidAuthorizationSpecificationError():
            return StorageError(f"{name} does not let croupier in: {said}")
        case asyncpg.ReadOnlySQLTransactionError():
            return StorageError(f"{name} may not be written: {said}")
        case asyncpg.ClientConfigurationError():
            return StorageError(f"{name}: {said}")
        case asyncpg.InterfaceError() | asyncpg.InternalClientError():
            # asyncpg no longer knows what the connection is at, so neither do we.
            return LostConnection(f"the connection to {name} was lost: {said}")
        case _ if isinstance(error, LOST):
            return LostConnection(
                f"PostgreSQL at {name} cannot be reached: {said}; see that it runs and "
                "listens there"
            )
        case _:
            return StorageError(f"{name}: {said}")
