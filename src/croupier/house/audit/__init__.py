"""Audit: everything that is stored, checked against the events alone."""

from croupier.house.audit.findings import Difference
from croupier.house.audit.verify import Verified, verify

__all__ = ["Difference", "Verified", "verify"]
