"""Reports of the House: a gaming day, staff, jackpots, errors, what nobody has claimed."""

from croupier.house.gaming_day import GamingDay
from croupier.house.reports.day import DayReport, report_day
from croupier.house.reports.errors import ErrorReport, report_errors
from croupier.house.reports.inventory import InventoryDay, report_inventory
from croupier.house.reports.jackpot import JackpotReport, report_jackpots
from croupier.house.reports.unclaimed import Unclaimed, report_unclaimed

__all__ = [
    "DayReport",
    "ErrorReport",
    "GamingDay",
    "InventoryDay",
    "JackpotReport",
    "Unclaimed",
    "report_day",
    "report_errors",
    "report_inventory",
    "report_jackpots",
    "report_unclaimed",
]
