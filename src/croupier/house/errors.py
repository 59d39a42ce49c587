"""The named errors of the House.

HouseError
├── StorageError          the database cannot do what was asked; nothing was acknowledged
│   ├── BadUrl            an address that names no database
│   ├── WrongSchema       a database of another version, or none of croupier's
│   ├── CorruptDatabase   the database itself is damaged, or was changed behind our back
│   │   ├── CutTail       the copy of the log knows more than the database
│   │   └── BrokenLog     a log does not hold together: it was changed
│   ├── DiskFull          there is no room to write
│   └── LostConnection    the server went away
├── CopyLost              a copy of the log is gone or was shortened, or there is none
├── Conflict              another writer was first; the table is rebuilt and may be tried again
├── OwnedElsewhere        another process runs this table, or this whole file
│   └── DeclaredGone      the other servers have given this one up, and run its tables
├── UnknownPlace          no such table or link
├── IdTaken               another command was carried out under this id
├── Unbalanced            entries that do not sum to nothing, or a balance that may not be
└── Malformed             what cannot be stored at all: a gap in the positions, an unwritable name
"""


class HouseError(Exception):
    """Anything that goes wrong in the House."""


class StorageError(HouseError):
    """The database cannot do what was asked. Nothing of it was acknowledged."""


class BadUrl(StorageError):
    """The address names no database that croupier can open."""


class WrongSchema(StorageError):
    """The database was made by another version of croupier, or by something else."""


class CorruptDatabase(StorageError):
    """The database is damaged, or was changed by somebody who is not the House."""


class CutTail(CorruptDatabase):
    """The copy of the log goes further than the database: its tail was cut off."""


class BrokenLog(CorruptDatabase):
    """A log does not hold together at an event: nothing is told of it."""


class DiskFull(StorageError):
    """There is no room to write."""


class LostConnection(StorageError):
    """The database server went away. The next group connects again."""


class CopyLost(HouseError):
    """Money is real, and there is no copy of the log, or it has lost something: nothing opens."""


class Conflict(HouseError):
    """Another writer stored something at this place first."""


class OwnedElsewhere(HouseError):
    """Another process runs this table; no table lives in two places at once."""


class DeclaredGone(OwnedElsewhere):
    """The other servers have not heard of this one for too long, and run its tables now."""


class UnknownPlace(HouseError):
    """There is no such table or link."""


class IdTaken(HouseError):
    """Another command was carried out under this id; give the new one an id of its own."""


class Unbalanced(HouseError):
    """Money would appear, vanish, or be owed by an account that may not owe."""


class Malformed(HouseError):
    """A bundle that cannot be stored as it is: a mistake of whoever made it."""
