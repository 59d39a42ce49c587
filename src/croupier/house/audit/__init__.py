"""Audit: everything that is stored, checked against the events, and every order decided again."""

from croupier.house.audit.findings import Difference
from croupier.house.audit.verify import LIMIT, Verified, verify

__all__ = ["LIMIT", "Difference", "Verified", "verify"]
