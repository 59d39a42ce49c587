"""The ruling desk around the pure questions of `croupier.pit`: its log, search, figures, cases."""

from croupier.desk.desk import Desk
from croupier.desk.errors import DeskError
from croupier.desk.log import DeskLog

__all__ = ["Desk", "DeskError", "DeskLog"]
