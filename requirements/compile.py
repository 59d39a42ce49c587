"""Write the pinned requirements files anew: `python requirements/compile.py` (needs `uv`).

All extras are solved together first; each file is then solved inside that solution, so that the
files agree on every version they share and can be installed into one environment.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

# file: the extras of pyproject.toml that it holds, besides the dependencies and the builder.
SETS: dict[str, list[str]] = {
    "run": [],
    # the lab, the environments and PostgreSQL are typed and tested with everything else
    "test": ["test", "lab", "cluster", "postgres", "env"],
    "lab": ["lab"],
    # the environments of docs/environments.md
    "env": ["env", "lab"],
    # the lab on several workers: `lab simulate --workers` or `--cluster`
    "cluster": ["lab", "cluster"],
    # the other event loop: `serve --loop uvloop`
    "uvloop": ["uvloop"],
    "bench": ["bench", "lab", "postgres", "uvloop"],
}

UV = [
    "uv",
    "pip",
    "compile",
    "--quiet",
    "--universal",
    "--python-version",
    "3.11",
    "--generate-hashes",
    "--no-header",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--only-binary",
    ":all:",
]
SOURCES = ["pyproject.toml", "requirements/build.in"]


def main() -> int:
    """Solve, write, and say what was written."""
    with tempfile.TemporaryDirectory() as folder:
        together = str(Path(folder) / "all.txt")
        try:
            solve = [*UV, "--upgrade", "--all-extras", *SOURCES, "--output-file", together]
            subprocess.run(solve, cwd=ROOT, check=True)
            for name, extras in SETS.items():
                chosen = [word for extra in extras for word in ("--extra", extra)]
                output = f"requirements/{name}.txt"
                (ROOT / output).unlink(missing_ok=True)
                command = [*UV, *chosen, "--no-annotate", "--constraints", together, *SOURCES]
                subprocess.run([*command, "--output-file", output], cwd=ROOT, check=True)
                print(f"wrote {output}")
        except FileNotFoundError:
            print("uv is not on the PATH: python3 -m pip install uv", file=sys.stderr)
            return 2
        except subprocess.CalledProcessError as error:
            print(f"uv found no solution (exit status {error.returncode})", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
