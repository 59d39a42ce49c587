"""Reading words and chips: from what a player was seen to do to the Action that binds him.

No Limit Hold'em v8, 1.5, 1.37, 3.5 to 3.6.1 and 3.20. A pure function of the situation and of what
was seen. First the words and the chips are weighed (3.20), then the one that governs is read; the
rows are tested in the order of the paragraphs.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct, structs

from croupier.poker.wager_seen import BoundTo, ReadAction, Reading, Seen, Situation
from croupier.rulebooks import Topic
from croupier.table.money import write_money


class Manner(Struct, frozen=True, kw_only=True):
    """How a book reads: its share of a minimum raise that makes a raise, and its policy."""

    share: Fraction = Fraction(1, 2)
    """The surplus of silent chips that is a raise (v8 3.5.3)."""
    chip_is_total: bool = False
    """Whether chips after the word Raise are the whole raise, not added to what lay in front."""


def read_words_and_chips(s: Situation, seen: Seen, manner: Manner) -> Reading:
    """What the book makes of what was seen; `ask again` where there is nothing to carry out."""
    words = seen.words or _GESTURES[seen.gesture]
    if seen.gesture and not (seen.clear or seen.chips):
        words = _GESTURES[seen.gesture]  # 1.12, 1.21: what the hand does is clear by itself
        seen = structs.replace(seen, figure=None, clear=True)
    seen = structs.replace(seen, words=words)
    folds = seen.then_folds or (words == "fold" and seen.first == "chips" and bool(seen.chips))
    if s.bound is not None:
        return _read_bound(s, s.bound, seen, manner, folds=folds)
    if folds and words == "fold":
        seen = structs.replace(seen, words="", figure=None)
    reader = _Reader(s, seen, manner)
    read = reader.read()
    return _folding(s, seen, read, fixed=reader.fixed) if folds else read


def _read_bound(
    s: Situation, bound: BoundTo, seen: Seen, manner: Manner, *, folds: bool
) -> Reading:
    """1.37, 1.5: he has said Raise or BET on this turn, and only how much is open. What he does now
    is read as after that word; a Check, a Call or words that are not clear undo nothing."""
    too_late = 0
    if seen.clear and seen.words == "fold":
        folds = True
        if seen.first != "chips":  # they add nothing to what the word had fixed
            too_late = sum(seen.chips) + sum(seen.later)
            seen = structs.replace(seen, chips=(), later=())
    if not (seen.clear and seen.words == "all in"):
        figure = seen.figure if seen.clear else None
        first = "words" if figure is None else seen.first
        seen = structs.replace(seen, words=bound, figure=figure, first=first, clear=True)
    read = _Reader(s, seen, manner).read()
    if folds:
        read = _folding(s, seen, read, fixed=True)
    paid = min(read.owed, too_late)
    return structs.replace(read, back=read.back + too_late - paid, owed=read.owed - paid)


_GESTURES = {"": "", "tap": "check", "cards forward": "fold"}


def _folding(s: Situation, seen: Seen, first: Reading, *, fixed: bool) -> Reading:
    """3.5.4: he folds on the turn on which he put chips in, and they stay (A-18).

    An Action in turn is binding, so a BET or Raise stands for the others, and what words have
    `fixed` is paid first; Raise or BET without an amount is worth its least. A Call by chips alone,
    also where words do not count (3.20), is worth the chips that were really placed.
    """
    if first.binds is not None:
        action, to = s.least_of(first.binds)
        first = structs.replace(first, action=action, to=to, owed=to - s.bet, binds=None)
    binding = first.action in ("bet", "raise", "all in") or (fixed and first.action == "call")
    if not seen.chips and not binding:
        return _fold(s, seen)
    if first.action == "ask again":
        return structs.replace(
            first,
            action="fold",
            to=s.bet,
            folds=True,
            confirm=True,
            topics=(Topic.FOLD, *first.topics),
            says=f"{first.says} Then the hand is given up.",
        )
    # Of every motion that counts (3.20): what is not accepted, or is too much, goes back.
    placed = sum(seen.chips) + sum(seen.later) - first.back
    stays = first.to - s.bet if binding else placed
    return Reading(
        action=first.action if binding else "fold",
        to=s.bet + stays,
        back=first.back,
        owed=first.owed if binding else 0,
        folds=True,
        confirm=True,
        topics=(Topic.FOLD_AFTER_CHIPS, *first.topics, Topic.FOLD),
        bar=first.bar,
        says=_stays(seen, stays),
    )


def _stays(seen: Seen, stays: int) -> str:
    """What a Fold leaves behind: chips that were placed, or what the words had fixed."""
    amount = write_money(stays)
    if seen.chips:
        return (
            f"A Fold on the turn on which chips were put in: {amount} stay in the Pot and the hand "
            "is dead."
        )
    return (
        f"A Fold on the turn on which words had fixed {amount}: they are owed and go into the Pot, "
        "and the hand is dead."
    )


def _fold(s: Situation, seen: Seen) -> Reading:
    back = sum(seen.chips) + sum(seen.later)
    return Reading(
        action="fold", to=s.bet, back=back, topics=(Topic.FOLD,), says="The hand is given up."
    )


class _Reader:
    """One reading: the situation, what was seen, and what counts of it."""

    def __init__(self, s: Situation, seen: Seen, manner: Manner) -> None:
        self.s = s
        self.seen = seen
        self.manner = manner
        self.placed = sum(seen.chips)
        self.refused = 0
        """Chips of a motion that is not accepted: they go back."""
        self.weighed: tuple[str, ...] = ()
        """3.20, where there were words and chips."""
        self.unheard = ""
        """Why the words do not count, where there were any."""
        self.fixed = False
        """Whether it is words that say what the Action is, and not chips alone."""

    # -- 3.20: which of them governs ---------------------------------------------------------

    def read(self) -> Reading:
        seen = self.seen
        said = bool(seen.words) or seen.figure is not None
        if said and seen.chips:
            self.weighed = (Topic.WORDS_AND_CHIPS,)
        if said and self._words_govern():
            # BET, or a bare figure, where there is a bet already says neither Call nor Raise.
            self.fixed = seen.words in ("call", "raise", "all in")
            return self._words()
        if not seen.chips:
            return self._ask_again(
                (Topic.RAISE_MADE, Topic.WORDS_AND_CHIPS),
                "The words are not clear, and no chips were placed."
                if said
                else "No word and no chips.",
            )
        self._one_motion()
        if said:
            self.unheard = self._why_unheard()
        return self._chips()

    def _why_unheard(self) -> str:
        if not self.seen.clear:
            return "The words are not clear: the chips count. "
        if self.seen.first == "chips":
            return "The chips came first: the words do not count. "
        return "Words and chips at once, and the stake cannot meet the words: the chips count. "

    def _words_govern(self) -> bool:
        seen = self.seen
        if not seen.clear:
            return False
        if not seen.chips or seen.first == "words":
            return True
        return seen.first == "together" and self._covered()

    def _covered(self) -> bool:
        """3.20: together, words prevail only if the remaining stake can meet what they declare."""
        s, seen = self.s, self.seen
        if seen.figure is not None:
            return self._figure() <= s.all
        if seen.words == "raise":
            return (s.big_blind if s.unopened else s.raise_to) <= s.all
        return seen.words != "call" or s.price <= s.all

    def _one_motion(self) -> None:
        """1.30, 3.20: without a declared amount the first motion is the whole of the Bet."""
        if self.seen.later:
            self.refused = sum(self.seen.later)
            self.weighed = (Topic.ONE_MOTION, *self.weighed)

    def _any_motion(self) -> None:
        """3.20: once an amount is declared the chips may follow in several motions."""
        self.placed += sum(self.seen.later)

    def _figure(self) -> int:
        """The declared total: only clear words such as `50 more` add to the price (A-16)."""
        assert self.seen.figure is not None
        return self.seen.figure + (self.s.price if self.seen.more else 0)

    # -- declared ----------------------------------------------------------------------------

    def _words(self) -> Reading:
        seen = self.seen
        match seen.words:
            case "fold":
                return _fold(self.s, seen)
            case "check":
                self._any_motion()
                return self._check()
            case "call":
                self._any_motion()
                return self._call((Topic.CALL,), "A Call is declared.")
            case "all in":
                self._any_motion()
                return self._all_in((Topic.ALL_IN_COMMITS_WHOLE_STAKE,), "All-in is declared.")
            case _ if seen.figure is not None:
                self._any_motion()
                return self._declared_figure()
            case _ if seen.chips:
                self._one_motion()
                return self._declared_raise() if seen.words == "raise" else self._chips()
            case _:
                return self._word_alone()

    def _word_alone(self) -> Reading:
        """1.37, 1.5: the word binds, and only how much is open. BET where there is a bet already
        says neither Call nor Raise."""
        s, word = self.s, self.seen.words
        says = f"{word!r} was said, with neither an amount nor chips"
        if not s.unopened and word != "raise":
            return self._ask_again((Topic.RAISE_MADE, Topic.WORDS_AND_CHIPS), f"{says}.")
        if not s.stake:
            return self._without_chips()
        if not s.may_raise:
            return self._barred_opening() if s.unopened else self._held_to_call()
        bound: BoundTo = "bet" if s.unopened else "raise"
        topic = Topic.OPENING_BET if s.unopened else Topic.RAISE
        action, to = s.least_of(bound)
        least = " to at least" if bound == "raise" else " of at least"
        if action == "all in":
            least = ", which for this stake is All-in to"
        again = self._ask_again(
            (topic, Topic.RAISE_MADE, Topic.WORDS_AND_CHIPS),
            f"{says}. It binds to {_KINDS[bound]}{least} {write_money(to)}.",
        )
        return structs.replace(again, binds=bound)

    def _check(self) -> Reading:
        if self.s.owed > 0:
            again = self._ask_again(
                (Topic.CHECK, Topic.NO_CHECK_AFTER_BET),
                f"A Check is not open: {write_money(self.s.owed)} are owed.",
            )
            return structs.replace(again, impossible_check=True)
        return self._made("check", self.s.bet, (Topic.CHECK,), "A Check.")

    def _declared_figure(self) -> Reading:
        s, figure = self.s, self._figure()
        if s.unopened:
            return self._opening(figure)
        if self.seen.words != "raise":
            return self._bare_figure(figure)
        if figure < s.raise_to:
            topics, least = (Topic.DECLARED_RAISE_BELOW_MINIMUM,), s.raise_to
            says = f"{write_money(figure)} are declared, less than the least raise to " + (
                f"{write_money(s.raise_to)}, which it is held to be."
            )
        else:
            above = figure > s.raise_to
            topics = (Topic.DECLARED_RAISE_ABOVE_MINIMUM if above else Topic.DECLARED_RAISE,)
            least = figure
            says = f"A Raise to {write_money(figure)} is declared."
        return self._raise(least, topics, says)

    def _bare_figure(self, figure: int) -> Reading:
        """A figure alone is a total; no Raise was declared, so 3.5.3 measures it (A-17)."""
        s = self.s
        if figure > s.all:
            read = self._all_in((Topic.WORDS_AND_CHIPS,), "More is named than there is.")
        else:
            read = self._measured(figure, f"{write_money(figure)} are named, a total.")
        return structs.replace(read, topics=(Topic.WORDS_AND_CHIPS, *read.topics), confirm=True)

    def _declared_raise(self) -> Reading:
        """The word Raise, then chips in One Motion: 3.6.1, and by analogy for several (A-16)."""
        s = self.s
        if s.unopened:
            return self._chips()
        to = self.placed if self.manner.chip_is_total else s.bet + self.placed
        one = len(self.seen.chips) == 1
        topic = Topic.OVERSIZE_CHIP_DECLARED if one else Topic.RAISE_MADE
        what = "one chip" if one else f"{len(self.seen.chips)} chips in One Motion"
        says = f"Raise was said, then {what} placed: a Raise to {write_money(to)}."
        if to < s.raise_to:
            says = f"Raise was said and {what} placed, too little for the least raise: it is held "
            says += f"to be a Raise to {write_money(s.raise_to)}."
        if self.placed == s.stake:
            return self._all_in((topic,), f"Raise was said and {what} placed, all that there is.")
        return self._raise(max(to, s.raise_to), (topic, Topic.MINIMUM_RAISE), says)

    # -- silent chips ------------------------------------------------------------------------

    def _chips(self) -> Reading:
        s = self.s
        if s.unopened:
            return self._opening(self.placed)
        if s.bound == "raise":
            return self._declared_raise()
        if len(self.seen.chips) == 1:
            return self._one_chip()
        if self.placed == s.stake:
            return self._all_in((Topic.ALL_IN,), "All the chips that there are.")
        if self.placed - min(self.seen.chips) < s.owed:
            return self._call(
                (Topic.SILENT_CHIPS_ALL_NEEDED,), "Every chip of the motion is needed to Call."
            )
        return self._measured(s.bet + self.placed, f"A chip is to spare{self._no_word()}.")

    def _one_chip(self) -> Reading:
        """3.6: an Oversize Chip is a Call, also if it is his last one (A-15); a smaller one too."""
        s, chip = self.s, write_money(self.placed)
        if self.placed > s.price:
            says = f"One chip of {chip}, above the bet of {write_money(s.price)}{self._no_word()}"
            return self._call((Topic.OVERSIZE_CHIP,), f"{says}: a Call.")
        if self.placed < s.owed and self.placed == s.stake:
            return self._all_in((Topic.SHORT_STACK_ALL_IN,), f"The {chip} is the last chip.")
        return self._call((Topic.CALL,), f"One chip of {chip}{self._no_word()}: a Call.")

    def _no_word(self) -> str:
        """Whether nothing was said: BET, where there is a bet already, is a word all the same."""
        return "" if self.unheard or self.seen.words else ", and no word"

    def _measured(self, total: int, says: str) -> Reading:
        """3.5.3: the excess over the price against the Minimum Raise Amount (A-11, A-13)."""
        s = self.s
        short = (Topic.ALL_IN_SHORT_OF_RAISE,) if s.price > s.full else ()
        excess, half = total - s.price, self.manner.share
        if total >= s.raise_to:
            over = total > s.raise_to
            topic = Topic.SURPLUS_OVER_MINIMUM if over else Topic.SURPLUS_HALF_TO_FULL
            return self._raise(
                total, (topic, *short), f"{says} {write_money(total)} reach a whole raise."
            )
        if excess >= half * s.minimum:
            return self._raise(
                s.raise_to,
                (Topic.SURPLUS_HALF_TO_FULL, *short),
                f"{says} The {write_money(excess)} above the price are at least half of the "
                f"minimum raise of {write_money(s.minimum)}: a raise of the minimum.",
            )
        why = f" The {write_money(excess)} above the price are less than half of the minimum raise "
        why += f"of {write_money(s.minimum)}: a Call."
        return self._call(
            (Topic.SURPLUS_UNDER_HALF, *short), says + (why if excess > 0 else " A Call.")
        )

    # -- what comes of it --------------------------------------------------------------------

    def _opening(self, total: int) -> Reading:
        """1.5: the first Bet of a later round, at least the Big Blind (A-08, A-17)."""
        s = self.s
        if not s.may_raise:
            return self._barred_opening()
        topics: tuple[str, ...] = (Topic.OPENING_BET,)
        if len(self.seen.chips) == 1 and self.seen.figure is None:
            topics = (Topic.OPENING_BET, Topic.OVERSIZE_CHIP_NOT_AT_OPENING)
        if total >= s.stake or (total < s.big_blind and s.stake <= s.big_blind):
            # All his chips; or too few, and he has no more than the smallest BET.
            return self._all_in(topics, "All that there is opens.")
        if total < s.big_blind:
            says = f"{write_money(total)} are less than the Big Blind: held to be a BET of that"
            return self._made("bet", s.big_blind, (Topic.MINIMUM_BET,), says + ".")
        return self._made("bet", total, topics, f"A BET of {write_money(total)} opens.")

    def _raise(self, to: int, topics: tuple[str, ...], says: str) -> Reading:
        s = self.s
        if not s.may_raise:
            return self._held_to_call()
        if s.all <= to:
            return self._all_in(topics, says + " The stake does not go further.")
        return self._made("raise", to, topics, says)

    def _all_in(self, topics: tuple[str, ...], says: str) -> Reading:
        s = self.s
        if not s.stake:
            return self._without_chips()
        if not s.may_raise and s.unopened:
            return self._barred_opening()
        if not s.may_raise and s.all > s.price:
            return self._held_to_call()
        kind = s.all_in_kind()
        says = f"{says} All-in to {write_money(s.all)}: {_KINDS[kind]}."
        return self._made("all in", s.all, (*topics, *_KIND_TOPICS[kind]), says)

    def _without_chips(self) -> Reading:
        """A ruling has moved all chips: who owes something stays in with what lies in the Pot."""
        if self.s.owed > 0:
            says = "There are no chips left: it is a Call with what lies in the Pot."
            return self._made("call", self.s.bet, (Topic.CALL, Topic.TABLE_STAKE), says)
        return self._ask_again((Topic.CHECK, Topic.TABLE_STAKE), "There are no chips left to bet.")

    def _call(self, topics: tuple[str, ...], says: str) -> Reading:
        s = self.s
        if s.unopened:
            return self._ask_again((Topic.CALL,), "There is no bet to Call.")
        if s.owed <= 0:
            return self._made("check", s.bet, (*topics, Topic.CHECK), f"{says} Nothing is owed.")
        if s.stake <= s.owed:
            return self._all_in(topics, says)
        return self._made("call", s.price, (*topics, Topic.CALL), says)

    def _held_to_call(self) -> Reading:
        """Who may not raise is held to the Call, and what is above it goes back (A-13)."""
        read = self._call((Topic.CALL,), "A Raise is not open here: it is held to be a Call.")
        return structs.replace(read, bar=self.s.bar)

    def _barred_opening(self) -> Reading:
        read = self._ask_again((Topic.CHECK,), "BET is not open; Check or Fold.")
        return structs.replace(read, bar=self.s.bar)

    def _made(self, action: ReadAction, to: int, topics: tuple[str, ...], says: str) -> Reading:
        puts_in = to - self.s.bet
        # What is refused or not heard is ruled first; where words count they are the ruling.
        first = self.weighed if self.refused or self.unheard else ()
        if self.refused:
            says += " What came in a second motion is not accepted."
        return Reading(
            action=action,
            to=to,
            back=max(0, self.placed - puts_in) + self.refused,
            owed=max(0, puts_in - self.placed),
            topics=tuple(dict.fromkeys((*first, *topics, *self.weighed))),
            says=self.unheard + says,
        )

    def _ask_again(self, topics: tuple[str, ...], says: str) -> Reading:
        back = sum(self.seen.chips) + sum(self.seen.later)
        return Reading(
            action="ask again",
            to=self.s.bet,
            back=back,
            topics=tuple(dict.fromkeys((*topics, *self.weighed))),
            says=says,
        )


_KINDS = {
    "call": "a Call",
    "under the call": "less than the Call",
    "bet": "a BET",
    "over the call": "more than the Call, but not a Raise",
    "under the bet": "less than the smallest BET",
    "raise": "a Raise",
}
_KIND_TOPICS: dict[str, tuple[str, ...]] = {
    "call": (Topic.CALL, Topic.SHORT_STACK_ALL_IN),
    "under the call": (Topic.SHORT_STACK_ALL_IN, Topic.SHORT_ALL_IN_PRICE),
    "bet": (Topic.ALL_IN,),
    "over the call": (Topic.ALL_IN_SHORT_OF_RAISE,),
    "under the bet": (Topic.MINIMUM_BET, Topic.SHORT_ALL_IN_PRICE),
    "raise": (Topic.ALL_IN,),
}
