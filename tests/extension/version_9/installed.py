"""Version 9 as an operator adds it: `CROUPIER_EXTENSIONS=tests.extension.version_9.installed`."""

from tests.extension.version_9.rules import register

register()
