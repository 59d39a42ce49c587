"""The named errors of the live casino.

LiveError
├── BadConfig      the configuration cannot be read, or says what cannot be
├── CannotListen   the address or port cannot be had
├── NotAllowed     a visitor may not do that: the code and sentence that he is told
│   └── WrongCode  a log-in with the right password, and a wrong code of a second factor
└── Stopping       the casino is being stopped and takes no command any more
"""


class LiveError(Exception):
    """Anything that goes wrong in the live casino."""


class BadConfig(LiveError):
    """The configuration cannot be read, or says what cannot be."""


class CannotListen(LiveError):
    """The address or port cannot be had."""


class NotAllowed(LiveError):
    """A visitor may not do that. `code` is the protocol's, the text is for him to read."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(says)
        self.code = code
        self.says = says


class WrongCode(NotAllowed):
    """A log-in with the right password and a wrong code; who tries is told as of a wrong password,
    and nothing else."""


class Stopping(NotAllowed):
    """The casino is being stopped and takes no command any more."""

    def __init__(self) -> None:
        super().__init__("stopping", "The casino is being stopped; every round is saved.")
