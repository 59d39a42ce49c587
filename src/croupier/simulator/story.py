"""What happened in a simulation, line by line: what is told of one that failed."""

from __future__ import annotations

from croupier.simulator.timeline import Timeline


class Story:
    """Lines with the time of each."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self.lines: list[str] = []

    def tell(self, line: str) -> None:
        """Something happens."""
        self.lines.append(f"{self._timeline.now:9.3f}  {line}")
