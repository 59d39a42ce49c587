"""Reports of the House: a gaming day, staff, jackpots; all from the logs alone."""

from croupier.house.reports.day import DayReport, GamingDay, report_day

__all__ = ["DayReport", "GamingDay", "report_day"]
