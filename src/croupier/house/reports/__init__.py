"""Reports of the House: a gaming day, staff, jackpots, errors; all from the logs alone."""

from croupier.house.reports.day import DayReport, GamingDay, report_day
from croupier.house.reports.errors import ErrorReport, report_errors
from croupier.house.reports.jackpot import JackpotReport, report_jackpots

__all__ = [
    "DayReport",
    "ErrorReport",
    "GamingDay",
    "JackpotReport",
    "report_day",
    "report_errors",
    "report_jackpots",
]
