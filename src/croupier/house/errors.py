"""The named errors of the House.

HouseError
├── StorageError         the database cannot do what was asked; nothing was acknowledged
│   ├── WrongSchema      a database of another version, or none of croupier's
│   ├── CorruptDatabase  the database itself is damaged
│   ├── DiskFull         there is no room to write
│   └── LostConnection   the server went away
├── Conflict             another writer was first; the table is rebuilt and may be tried again
├── UnknownPlace         no such table or link
└── Unbalanced           entries that do not sum to nothing, or a balance that may not be
"""


class HouseError(Exception):
    """Anything that goes wrong in the House."""


class StorageError(HouseError):
    """The database cannot do what was asked. Nothing of it was acknowledged."""


class WrongSchema(StorageError):
    """The database was made by another version of croupier, or by something else."""


class CorruptDatabase(StorageError):
    """The database is damaged."""


class DiskFull(StorageError):
    """There is no room to write."""


class LostConnection(StorageError):
    """The database server went away."""


class Conflict(HouseError):
    """Another writer stored something at this place first."""


class UnknownPlace(HouseError):
    """There is no such table or link."""


class Unbalanced(HouseError):
    """Money would appear, vanish, or be owed by an account that may not owe."""
