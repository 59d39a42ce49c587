"""Files and folders that are their owner's alone: whoever else has an account there reads none."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

FILE = 0o600
FOLDER = 0o700


def make_private(file: Path, content: bytes = b"") -> None:
    """Make a new file that only its owner may read and write; one that is there is an error."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(content)


def keep_private(path: Path) -> None:
    """Take from others what rights they have to a file or folder that is there already.

    One that is somebody else's is left as it is: whoever may only read cannot change it.
    """
    wanted = FOLDER if path.is_dir() else FILE
    with suppress(OSError):
        if path.stat().st_mode & 0o077:
            path.chmod(wanted)
