"""A log that is written without end, and says each entry once it is kept. Run as a program."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from croupier.desk.log import Asking, DeskLog
from croupier.pit.question import Answer, Question


def main() -> None:
    file, name, most = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    asking = Asking(
        who=name,
        area="",
        question=Question(rulebook="poker-v5"),
        answer=Answer(rulebook="poker-v5", title="A question"),
        told={},
        status="ruled",
        discretion="",
    )
    log = DeskLog(file)
    for _ in range(most):
        kept = log.keep("", asking, datetime.now(UTC))
        sys.stdout.write(f"{kept}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
