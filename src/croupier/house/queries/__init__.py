"""The record can be asked: the log, an account, a player's statement, what one person did."""

from croupier.house.queries.account import AccountLine, account_lines, account_named
from croupier.house.queries.log import LogLine, Wanted, log_lines
from croupier.house.queries.people import UnknownPerson
from croupier.house.queries.statement import Statement, make_statement
from croupier.house.queries.who import Acts, acts_of

__all__ = [
    "AccountLine",
    "Acts",
    "LogLine",
    "Statement",
    "UnknownPerson",
    "Wanted",
    "account_lines",
    "account_named",
    "acts_of",
    "log_lines",
    "make_statement",
]
