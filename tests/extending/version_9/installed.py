"""Version 9 as an operator adds it: `CROUPIER_EXTENSIONS=tests.extending.version_9.installed`."""

from tests.extending.version_9.rules import register

register()
