"""The rooms of this package, put together for the table."""

from croupier.poker.irregularities.candidates import candidates
from croupier.poker.irregularities.community import community
from croupier.poker.irregularities.dealing_again import dealing_again
from croupier.poker.irregularities.deck_faults import deck_faults
from croupier.poker.irregularities.discretion import discretion
from croupier.poker.irregularities.early_community import early_community
from croupier.poker.irregularities.exposed import exposed
from croupier.poker.irregularities.interruption import interruption
from croupier.poker.irregularities.misdeal import misdeal
from croupier.poker.irregularities.missing_burn import missing_burn
from croupier.poker.irregularities.missing_community import missing_community
from croupier.poker.irregularities.reporting import reporting
from croupier.poker.irregularities.shown_cards import shown_cards
from croupier.poker.irregularities.skipped import skipped
from croupier.poker.irregularities.surplus_community import surplus_community
from croupier.poker.irregularities.turns import turns
from croupier.poker.irregularities.wrong_count import wrong_count
from croupier.poker.irregularities.wrong_deal import wrong_deal

ROOMS = (
    candidates,
    reporting,
    deck_faults,
    interruption,
    misdeal,
    exposed,
    wrong_count,
    wrong_deal,
    turns,
    skipped,
    missing_burn,
    early_community,
    surplus_community,
    missing_community,
    community,
    dealing_again,
    shown_cards,
    discretion,
)
