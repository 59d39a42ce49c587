"""What the server counts, written as Prometheus reads it. Everything counts from the start."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Callable, Iterator

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Counter:
    """Only ever grows; may be split by one label."""

    def __init__(self, name: str, says: str, label: str = "") -> None:
        self.name, self.says, self.label = name, says, label
        self._values: dict[str, float] = {} if label else {"": 0}
        self._lock = threading.Lock()

    def add(self, amount: float, label: str = "") -> None:
        """Count so much more."""
        with self._lock:
            self._values[label] = self._values.get(label, 0) + amount

    def value(self, label: str = "") -> float:
        """What was counted so far."""
        return self._values.get(label, 0)

    def lines(self) -> Iterator[str]:
        """The counter as Prometheus reads it."""
        yield f"# HELP {self.name} {self.says}"
        yield f"# TYPE {self.name} counter"
        for label, value in sorted(self._values.items()):
            named = f'{{{self.label}="{_escaped(label)}"}}' if self.label else ""
            yield f"{self.name}{named} {value:g}"


class LoopCounter(Counter):
    """One that is counted in the loop alone, so often that a lock for each would be felt."""

    def __init__(self, name: str, says: str) -> None:
        super().__init__(name, says)
        self.amount = 0

    def add(self, amount: float, label: str = "") -> None:
        """Count so much more."""
        self.amount += int(amount)

    def value(self, label: str = "") -> float:
        """What was counted so far."""
        return self.amount

    def lines(self) -> Iterator[str]:
        """The counter as Prometheus reads it."""
        self._values[""] = self.amount
        return super().lines()


class Histogram:
    """How long things took, in seconds."""

    def __init__(self, name: str, says: str) -> None:
        self.name, self.says = name, says
        self._counts = [0] * (len(BUCKETS) + 1)
        self._sum = 0.0
        self._lock = threading.Lock()

    def saw(self, seconds: float) -> None:
        """One more that took so long."""
        with self._lock:
            self._counts[bisect_left(BUCKETS, seconds)] += 1
            self._sum += seconds

    def lines(self) -> Iterator[str]:
        """The histogram as Prometheus reads it."""
        yield f"# HELP {self.name} {self.says}"
        yield f"# TYPE {self.name} histogram"
        total = 0
        for limit, count in zip((*BUCKETS, None), self._counts, strict=True):
            total += count
            yield f'{self.name}_bucket{{le="{"+Inf" if limit is None else f"{limit:g}"}"}} {total}'
        yield f"{self.name}_sum {self._sum:g}"
        yield f"{self.name}_count {total}"


class Metrics:
    """All counters of one server, and what is asked when somebody reads them."""

    def __init__(self) -> None:
        self.commands = Counter(
            "croupier_commands_total", "Commands by what came of them", "outcome"
        )
        self.events = Counter("croupier_events_total", "Events stored", "place")
        self.messages = LoopCounter("croupier_messages_sent_total", "Messages sent to viewers")
        self.sent_bytes = LoopCounter("croupier_sent_bytes_total", "Bytes sent to viewers")
        self.dropped = Counter("croupier_dropped_total", "Connections dropped, by why", "why")
        self.turned_away = Counter("croupier_turned_away_total", "Requests turned away", "why")
        self.timed_out = Counter("croupier_timed_out_total", "Times the clock acted for a player")
        self.faults = Counter("croupier_faults_total", "Errors that should not be")
        self.requests = Counter("croupier_requests_total", "HTTP requests by status", "status")
        self.durable = Histogram("croupier_durable_seconds", "From a command to its being durable")
        self.gauges: dict[str, tuple[str, str, Callable[[], float]]] = {}

    def gauge(self, name: str, says: str, value: Callable[[], float]) -> None:
        """Something that is asked when it is read."""
        self.gauges[name] = ("gauge", says, value)

    def count(self, name: str, says: str, value: Callable[[], float]) -> None:
        """The same, of what only ever grows."""
        self.gauges[name] = ("counter", says, value)

    def text(self) -> str:
        """Everything as Prometheus reads it."""
        lines: list[str] = []
        for part in vars(self).values():
            if isinstance(part, Counter | Histogram):
                lines += part.lines()
        for name, (kind, says, value) in self.gauges.items():
            lines += (f"# HELP {name} {says}", f"# TYPE {name} {kind}", f"{name} {value():.10g}")
        return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
