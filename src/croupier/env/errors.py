"""What the environments refuse."""

from __future__ import annotations


class EnvError(ValueError):
    """An action that is not open, or an environment that cannot be; the message says which."""


class EnvMissing(EnvError):
    """gymnasium or pettingzoo is not installed: they come with the extra `env`."""

    def __init__(self, package: str) -> None:
        self.package = package
        super().__init__(
            f"the environments need {package}, which is not installed here: "
            "install croupier with its extra, pip install 'croupier[env]'"
        )
