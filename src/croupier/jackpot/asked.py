"""Every question that a jackpot link may ask, with what may be answered."""

from __future__ import annotations

from croupier.jackpot.claims import ORDER_OF_PAYMENT
from croupier.table import Question

QUESTIONS = (Question(name=ORDER_OF_PAYMENT, options=("as dealt",), detailed=("other order",)),)
