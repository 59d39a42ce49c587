"""Whole collections checked: every hand read, replayed and compared, and the count of it.

Hands are taken from their files in batches and go, several batches at a time, to other processes.
No more batches are under way than there are hands to do them, results come back in order, and the
report keeps only so many details: a million hands take no more memory than a thousand.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

from msgspec import Struct

from croupier.formats.errors import FormatError
from croupier.formats.outcome import REASONS, Outcome
from croupier.formats.phh import OtherGame, hand_of
from croupier.formats.phh_quick import read_quick
from croupier.formats.phh_text import BrokenHand, RawHand, fields_of
from croupier.formats.pooled import pooled
from croupier.formats.reading import AnyHand, ReadHand, hands_in, name_of
from croupier.formats.replay import BOOK, Replayer
from croupier.formats.room import read_room
from croupier.formats.sources import KIN, Opener, Source, find_sources, is_known
from croupier.rulebooks import Topic, load

BATCH_HANDS = 250
BATCH_BYTES = 512 * 1024
SMALL = 1_000_000
"""Collections with fewer bytes than this are not worth a second process."""
RARELY = (200_000, 20, 20)
"""When the garbage collector looks: records of hands hold no cycles that are worth more."""
DETAILS = 1_000
"""How many hands the report names under each verdict."""


class Options(Struct, frozen=True, kw_only=True):
    """How hands are replayed: the switches of the command line."""

    rulebook: str = BOOK
    policies: dict[str, str] = {}
    chip: int | None = None
    rake_percent: int = 10
    missing_folds: bool = False
    room: dict[str, str] = {}
    """What the room plays otherwise than any book, by the names of `croupier.formats.room`."""


class Finding(Struct, frozen=True, kw_only=True):
    """A hand that the report names."""

    file: str
    hand: str
    place: str = ""
    says: str
    cause: str = ""
    cites: tuple[str, ...] = ()


class Report(Struct, kw_only=True):
    """The count of a collection. `hands` is what was replayed, skipped and unreadable together."""

    hands: int = 0
    replayed: int = 0
    agree: int = 0
    legal: int = 0
    """Hands whose record states no result, and whose every action the book allows."""
    differ: int = 0
    refused: int = 0
    skipped: dict[str, int] = {}
    unreadable: int = 0
    """Hands, files and archives that could not be read."""
    differences: list[Finding] = []
    causes: dict[str, int] = {}
    """Differing hands whose own figures contradict each other, by how they do."""
    refusals: list[Finding] = []
    refused_by: dict[str, int] = {}
    """Refused hands by the paragraph that refuses them."""
    errors: list[Finding] = []
    rake: int = 0
    """What the records that agree have kept of the pots, in cents."""
    files: int = 0
    options: Options = Options()
    complete: bool = True
    """Whether everything was looked at; false if it was interrupted."""

    @property
    def unexplained(self) -> int:
        """Differing hands whose own figures add up."""
        return self.differ - sum(self.causes.values())

    def add(self, file: str, hand: str, outcome: Outcome) -> None:
        """Count one hand."""
        self.hands += 1
        verdict = outcome.verdict
        if verdict == "agrees":
            self.replayed += 1
            self.agree += 1
            self.rake += outcome.rake
        elif verdict == "legal":
            self.replayed += 1
            self.legal += 1
        elif verdict == "skipped":
            self.skipped[outcome.says] = self.skipped.get(outcome.says, 0) + 1
        elif verdict == "differs":
            self.replayed += 1
            self.differ += 1
            if outcome.cause:
                self.causes[outcome.cause] = self.causes.get(outcome.cause, 0) + 1
            _keep(self.differences, file, hand, outcome)
        elif verdict == "refused":
            self.replayed += 1
            self.refused += 1
            if outcome.cites:
                first = outcome.cites[0]
                self.refused_by[first] = self.refused_by.get(first, 0) + 1
            _keep(self.refusals, file, hand, outcome)
        else:
            self.unreadable += 1
            _keep(self.errors, file, hand, outcome)

    def agreed(self, hands: int, rake: int) -> None:
        """Count hands that agree."""
        self.hands += hands
        self.replayed += hands
        self.agree += hands
        self.rake += rake

    def unread(self, error: FormatError) -> None:
        """Count a file or an archive that could not be read."""
        self.unreadable += 1
        if len(self.errors) < DETAILS:
            self.errors.append(
                Finding(file=error.source, hand=error.hand, place=error.place, says=error.says)
            )


def _keep(findings: list[Finding], file: str, hand: str, outcome: Outcome) -> None:
    if len(findings) < DETAILS:
        findings.append(
            Finding(
                file=file,
                hand=hand,
                place=outcome.place,
                says=outcome.says,
                cause=outcome.cause,
                cites=outcome.cites,
            )
        )


# -- one hand ----------------------------------------------------------------------------------


class Checker:
    """Checks hands one by one, each under the book that it names or else the one of the options."""

    KEPT = 8

    def __init__(self, options: Options) -> None:
        self.options = options
        self.usual = self._replayer(options.rulebook, options.policies)
        self._others: dict[tuple[str, tuple[tuple[str, str], ...]], Replayer] = {}

    def _replayer(self, rulebook: str, policies: dict[str, str]) -> Replayer:
        options = self.options
        return Replayer(
            rulebook,
            policies,
            chip=options.chip,
            rake_percent=options.rake_percent,
            missing_folds=options.missing_folds,
            room=read_room(options.room),
        )

    def check(self, raw: AnyHand) -> Outcome:
        """The verdict on a hand, whatever it is."""
        try:
            if not isinstance(raw, RawHand):
                return self._read_already(raw)
            try:
                quick = read_quick(raw.text.decode())
            except UnicodeDecodeError:
                quick = None
            if quick is not None:
                outcome = self.usual.quick(quick)
                if outcome is not None:
                    return outcome
            hand = hand_of(fields_of(raw))
            return self.replayer_for(hand.rulebook, hand.policies).check(hand)
        except OtherGame as error:
            return self._other_game(error)
        except FormatError as error:
            return Outcome("unreadable", error.says, error.place)

    def _read_already(self, found: BrokenHand | ReadHand) -> Outcome:
        if isinstance(found, BrokenHand):
            if found.other_game:
                return self._other_game(found.error)
            raise found.error
        hand = found.hand
        return self.replayer_for(hand.rulebook, hand.policies).check(hand)

    def _other_game(self, error: FormatError) -> Outcome:
        """Both poker books are No Limit Hold'em and nothing else."""
        book = load(self.options.rulebook)
        return Outcome("refused", error.says, error.place, book.cite(Topic.NO_LIMIT))

    def replayer_for(self, rulebook: str, policies: dict[str, str]) -> Replayer:
        """Who replays a hand that names this book; any other hand for none."""
        if not rulebook:
            return self.usual
        key = (rulebook, tuple(sorted(policies.items())))
        found = self._others.get(key)
        if found is None:
            if len(self._others) >= self.KEPT:
                self._others.clear()
            found = self._others[key] = self._replayer(rulebook, policies)
        return found


# -- batches -----------------------------------------------------------------------------------


class Batch(Struct):
    """Hands of one file or of several small ones, on their way to be checked."""

    hands: list[tuple[str, AnyHand]]
    bytes: int = 0
    files: int = 0


class Checked(Struct):
    """What came of a batch: how many agree, and the others one by one."""

    agree: int
    rake: int
    others: list[tuple[str, str, Outcome]]
    bytes: int
    files: int


def batches(
    paths: tuple[Path, ...], unread: Callable[[FormatError], None], form: str = ""
) -> Iterator[Batch]:
    """All hands in batches; files that cannot be read are told to `unread`.

    With a `form`, a suffix such as `.txt`, only files of that format count, and files of no known
    name are read as such.
    """
    batch = Batch([])
    opener = Opener()
    try:
        for source in find_sources(paths):
            if isinstance(source, FormatError):
                unread(source)
                continue
            name = str(source)
            if form and (is_known(name) and not name.lower().endswith(KIN[form])):
                continue
            batch.files += 1
            try:
                with opener.open(source) as file:
                    for raw in hands_in(file, form or name):
                        batch.hands.append((name, raw))
                        if isinstance(raw, RawHand):
                            batch.bytes += len(raw.text)
                        if len(batch.hands) >= BATCH_HANDS or batch.bytes >= BATCH_BYTES:
                            yield batch
                            batch = Batch([])
            except FormatError as error:
                unread(error.at(source=name))
    finally:
        opener.close()
    if batch.hands or batch.files:
        yield batch


_ready: list[Checker] = []
"""The checker of this process, where it is one of several."""


def _prepare(options: Options) -> None:
    """Make a process ready for batches."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the process that asked
    _ready.append(Checker(options))
    gc.freeze()
    gc.set_threshold(*RARELY)


def _check(batch: Batch) -> Checked:
    """Check a batch in a process that is ready."""
    return check_batch(_ready[0], batch)


def check_batch(checker: Checker, batch: Batch) -> Checked:
    """Check every hand of a batch."""
    agree = rake = 0
    others = []
    check = checker.check
    for file, raw in batch.hands:
        outcome = check(raw)
        if outcome.verdict == "agrees":
            agree += 1
            rake += outcome.rake
        else:
            others.append((file, name_of(raw), outcome))
    return Checked(agree, rake, others, batch.bytes, batch.files)


# -- collections -------------------------------------------------------------------------------


def size_of(paths: tuple[Path, ...]) -> int:
    """How many bytes there are to check, for telling how far one is."""
    return sum(s.size for s in find_sources(paths) if isinstance(s, Source))


def check_hands(
    paths: tuple[Path, ...],
    options: Options | None = None,
    *,
    processes: int | None = None,
    progress: Callable[[int, Report], None] | None = None,
) -> Report:
    """Check every hand that the paths hold.

    `progress` is called after each batch with the bytes done and the report so far. An interrupt
    ends the check with what was counted until then, and `complete` says so.
    """
    options = options or Options()
    report = Report(options=options, skipped=dict.fromkeys(REASONS, 0))
    wanted = processes or os.cpu_count() or 1
    if wanted > 1 and size_of(paths) < SMALL:
        wanted = 1
    results = (
        _alone(paths, options, report) if wanted == 1 else _together(paths, options, report, wanted)
    )
    done = 0
    try:
        for checked in results:
            report.agreed(checked.agree, checked.rake)
            report.files += checked.files
            for file, hand, outcome in checked.others:
                report.add(file, hand, outcome)
            done += checked.bytes
            if progress is not None:
                progress(done, report)
    except KeyboardInterrupt:
        report.complete = False
    finally:
        results.close()
    return report


def _alone(
    paths: tuple[Path, ...], options: Options, report: Report
) -> Generator[Checked, None, None]:
    checker = Checker(options)
    usual = gc.get_threshold()
    gc.set_threshold(*RARELY)
    try:
        for batch in batches(paths, report.unread):
            yield check_batch(checker, batch)
    finally:
        gc.set_threshold(*usual)


def _together(
    paths: tuple[Path, ...], options: Options, report: Report, processes: int
) -> Generator[Checked, None, None]:
    """Several processes; what comes back keeps the order."""
    return pooled(batches(paths, report.unread), _check, _prepare, (options,), processes)
