#!/usr/bin/env python3
"""Sets croupier up on first use and runs it. Needs Python 3.11 or newer with venv and pip.

    python3 run.py                     what croupier can do today
    python3 run.py WORDS...            any croupier command: run.py rules list
    python3 run.py test [PYTEST ...]   lint, format, types, contracts, tests
    python3 run.py bench [WORDS ...]   the benchmarks against their peers

Everything goes into the folder .venv beside this file; remove that folder to start afresh.
What this script does is told on standard error; standard output belongs to the command.
"""

# Written so that a Python far too old can still read it and say so: no f-strings, no annotations,
# nothing imported that Python 2.7 lacks before main() has looked at the version.
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading

OLDEST = (3, 11)
ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
# Both lie inside .venv: the mark says that run.py made it and what it holds, the lock is held
# while that changes.
MARK = os.path.join(VENV, "croupier-run.json")
LOCK = os.path.join(VENV, "croupier-run.lock")
WINDOWS = os.name == "nt"

# The checks of `test`, before the tests themselves: name, and what the environment's Python runs.
CHECKS = (
    ("lint", ["-m", "ruff", "check", "."]),
    ("format", ["-m", "ruff", "format", "--check", "."]),
    ("types", ["-m", "mypy"]),
    ("contracts", ["-c", "import importlinter.cli as c; c.lint_imports_command()"]),
)
# A file of tests stays with one process: what its tests share is made once. There is one process
# more than there are cores, because those with a browser mostly wait.
WORKERS = str(min(8, (os.cpu_count() or 1) + 1))
PYTEST = ["-m", "pytest", "-n", WORKERS, "--dist", "loadfile"]
# How many tests may fail in CI and be given a second look.
SECOND_LOOKS = 3


class Trouble(Exception):
    """Something the person at the keyboard must know or do; shown without a traceback."""

    torn = False  # whether a child was killed in the middle of its work


def say(text):
    """Tell what is going on, on standard error."""
    sys.stderr.write("run.py: " + text + "\n")
    sys.stderr.flush()


# ---- what the words need ---------------------------------------------------------------------


def requirement_set(words):
    """Return the name of the requirements file that these words need."""
    first = words[0] if words else ""
    if first in ("test", "bench"):
        return first
    # The lab's command needs the lab's packages once that command is there.
    lab = os.path.join(ROOT, "src", "croupier", "cli", "lab.py")
    if first == "lab" and os.path.exists(lab):
        return "cluster" if asks_for_cluster(words) else "lab"
    if words[:2] == ["rules", "outcomes"]:
        return "lab"  # it plays its hands in the lab
    if first == "serve" and asks_for_uvloop(words):
        return "uvloop"
    return "run"


def asks_for_cluster(words):
    """Say whether an option among these words plays on workers, which needs their packages too."""
    return any(word.split("=")[0] in ("--workers", "--cluster") for word in words)


def asks_for_uvloop(words):
    """Say whether these words name the other event loop, which is a package of its own."""
    return "--loop=uvloop" in words or "--loop uvloop" in " ".join(words)


def requirements_file(name):
    """Return the path of a pinned requirements file."""
    return os.path.join(ROOT, "requirements", name + ".txt")


def digest(*paths):
    """Return one digest of the files' contents."""
    total = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as stream:
            total.update(hashlib.sha256(stream.read()).digest())
    return total.hexdigest()


# ---- the mark: what .venv holds --------------------------------------------------------------


def base_python():
    """Return the interpreter outside any environment that runs this script."""
    return getattr(sys, "_base_executable", None) or sys.executable


def venv_python():
    """Return the environment's interpreter."""
    inside = ("Scripts", "python.exe") if WINDOWS else ("bin", "python")
    return os.path.join(VENV, *inside)


def home():
    """Return what ties an environment to its place: when any of it changes, .venv is made anew."""
    return {"folder": ROOT, "python": "%d.%d" % sys.version_info[:2], "prefix": sys.base_prefix}


def read_mark():
    """Return the mark, or {} where there is none that can be read."""
    try:
        with open(MARK) as stream:
            mark = json.load(stream)
    except (IOError, OSError, ValueError):
        return {}
    return mark if isinstance(mark, dict) else {}


def write_mark(mark):
    """Replace the mark in one motion, so that nobody ever reads half of it."""
    beside = MARK + ".new"
    with open(beside, "w") as stream:
        json.dump(mark, stream, indent=1, sort_keys=True)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(beside, MARK)


def plan(mark, name, wanted, project, here, python_exists):
    """Decide what has to be done: a list of "make", "install" and "project", empty when ready.

    A mark that is not `whole` was left by a set-up that somebody or something interrupted.
    """
    if not mark.get("whole") or mark.get("home") != here or not python_exists:
        return ["make", "install", "project"]
    steps = []
    if mark.get("sets", {}).get(name) != wanted:
        steps.append("install")
    if mark.get("project") != project:
        steps.append("project")
    return steps


def steps_for(name):
    """Compare .venv with what this set needs now."""
    return plan(
        read_mark(),
        name,
        digest(requirements_file(name)),
        digest(os.path.join(ROOT, "pyproject.toml")),
        home(),
        os.path.exists(venv_python()),
    )


# ---- setting up ------------------------------------------------------------------------------


class Locked:
    """Holds the lock while .venv changes.

    The pip that we start holds it with us: if this process is killed, whoever comes next waits
    for that pip too before making .venv anew. When both are gone the system lets go of it.
    """

    held = ()  # the file descriptors that such a child inherits

    def __enter__(self):
        self.stream = open(LOCK, "a+")
        try:
            self._take(wait=False)
        except (IOError, OSError):
            say("another run.py is setting .venv up; waiting for it")
            self._take(wait=True)
        if not WINDOWS:
            Locked.held = (self.stream.fileno(),)
        return self

    def _take(self, wait):
        if WINDOWS:
            import msvcrt
            import time

            while True:
                try:
                    self.stream.seek(0)
                    msvcrt.locking(self.stream.fileno(), msvcrt.LK_NBLCK, 1)
                    return
                except OSError:
                    if not wait:
                        raise
                    time.sleep(0.2)
        else:
            import fcntl

            fcntl.flock(self.stream, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))

    def __exit__(self, *failure):
        Locked.held = ()
        self.stream.close()


def claim_folder():
    """Make .venv, or see that it is ours: an environment that somebody else made is left alone."""
    if os.path.isdir(VENV) and not os.path.exists(MARK):
        strangers = [entry for entry in os.listdir(VENV) if not entry.startswith("croupier-run.")]
        if strangers:
            raise Trouble(
                "there is a .venv here that run.py did not make, and it will not touch it.\n"
                "Move or remove " + VENV + " and try again."
            )
    try:
        if not os.path.isdir(VENV):
            os.mkdir(VENV)
    except FileExistsError:
        pass  # another run.py was quicker; the lock sorts it out
    except OSError as error:
        raise Trouble("cannot make " + VENV + ": " + str(error))


def empty_folder():
    """Remove whatever .venv holds, except the mark and the lock."""
    import shutil

    for entry in os.listdir(VENV):
        path = os.path.join(VENV, entry)
        if entry.startswith("croupier-run."):
            continue
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.remove(path)


def call(command, trouble):
    """Run a command, its output on standard error; where it fails, raise the trouble."""
    settings = dict(os.environ, PIP_USER="0")  # into .venv, whatever pip is told to do elsewhere
    try:
        status = subprocess.call(
            command, cwd=ROOT, env=settings, stdout=sys.stderr, pass_fds=Locked.held
        )
    except OSError as error:
        raise Trouble("cannot run " + command[0] + ": " + str(error))
    if status != 0:
        failure = Trouble(trouble + " (exit status " + str(status) + ")")
        failure.torn = status < 0
        raise failure


def look_for_tools():
    """See that this Python can make an environment at all."""
    try:
        import ensurepip  # noqa: F401  (Debian keeps it in a package of its own)
        import venv  # noqa: F401
    except ImportError as error:
        version = "%d.%d" % sys.version_info[:2]
        raise Trouble(
            "this Python (" + base_python() + ") lacks " + str(error.name) + ".\n"
            "On Debian or Ubuntu: sudo apt install python" + version + "-venv\n"
            "Elsewhere: install a Python that comes with venv and pip."
        )


def make_venv():
    """Make the environment, with pip in it."""
    say("making .venv with Python %d.%d.%d" % sys.version_info[:3])
    empty_folder()
    call([base_python(), "-m", "venv", VENV], "the environment could not be made")


def pip(words, trouble):
    """Run the environment's pip."""
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
    call([venv_python(), "-m", "pip", "install"] + quiet + words, trouble)


def install(name):
    """Install one set of pinned packages, by hash, wheels only."""
    say("installing what `" + name + "` needs (pinned in requirements/" + name + ".txt)")
    pip(
        ["--require-hashes", "--only-binary", ":all:", "-r", requirements_file(name)],
        "the packages could not be installed: pip's own words are above.\n"
        "The first set-up needs the package index. Without a network, fill a folder elsewhere:\n"
        "  python3 -m pip download --only-binary :all: -d FOLDER -r requirements/" + name + ".txt\n"
        "(same system, same Python), bring it here, set PIP_NO_INDEX=1 and PIP_FIND_LINKS=FOLDER\n"
        "in the environment, and start again",
    )


def install_project():
    """Install croupier itself, as a link to src."""
    pip(
        ["--no-deps", "--no-build-isolation", "--no-index", "--editable", ROOT],
        "croupier itself could not be installed",
    )


def set_up(name):
    """Bring .venv to where the words need it; return at once where it is there already."""
    steps = steps_for(name)
    if not steps:
        return
    if "make" in steps:
        look_for_tools()
    claim_folder()
    with Locked():
        steps = steps_for(name)  # another run.py may have done it while we waited
        if steps:
            carry_out(steps, name)
            say("ready")


def carry_out(steps, name):
    """Do the steps, and keep the mark true at every moment of it."""
    before = {"home": home(), "sets": {}} if "make" in steps else read_mark()
    after = dict(
        before,
        sets=dict(before["sets"], **{name: digest(requirements_file(name))}),
        project=digest(os.path.join(ROOT, "pyproject.toml")),
        whole=True,
    )
    # Not whole from here on: whatever stops us now, the next start makes .venv anew.
    write_mark(dict(before, whole=False))
    try:
        if "make" in steps:
            make_venv()
        if "install" in steps:
            install(name)
        if "project" in steps:
            install_project()
    except Trouble as trouble:
        # A pip that gave up in good order (no network) has left what was there before.
        if before.get("whole") and not trouble.torn:
            write_mark(before)
        raise
    write_mark(after)


# ---- running ---------------------------------------------------------------------------------


def become(words):
    """Replace this process by the environment's Python: signals and exit status are its own."""
    command = [venv_python()] + words
    sys.stdout.flush()
    sys.stderr.flush()
    if not WINDOWS:
        os.execv(command[0], command)
    child = subprocess.Popen(command)  # Windows cannot replace a process that a console waits for
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            pass  # the child had it too, and decides


def in_shell(command):
    """Write a command of the environment's Python as one would type it at the root."""
    words = [os.path.relpath(venv_python(), ROOT)] + command
    return " ".join('"' + word + '"' if " " in word else word for word in words)


def failed_tests():
    """Return the names of the tests that failed when they were last run; pytest keeps them."""
    try:
        with open(os.path.join(ROOT, ".pytest_cache", "v", "cache", "lastfailed")) as file:
            return sorted(json.load(file))
    except (IOError, OSError, ValueError):
        return []


def call_pytest(words):
    """Run the tests and return their exit status.

    In CI a few that fail are run once more, one after the other: among thousands, some with real
    servers and browsers, one may fall to a machine that has stood still. Whatever fails twice has
    failed; what passes then is named as unsteady, to be looked into.
    """
    status = subprocess.call([venv_python()] + PYTEST + words)
    names = failed_tests()
    if status != 1 or not os.environ.get("CI") or not 1 <= len(names) <= SECOND_LOOKS:
        return status
    say("test: once more, one after the other: " + " ".join(names))
    status = subprocess.call([venv_python(), "-m", "pytest", "-n0"] + names)
    if status == 0:
        say("test: UNSTEADY, failed once and passed alone: " + " ".join(names))
    return status


def run_tests(words):
    """Run every check and the tests; a failed check is named and does not hide the others."""
    if os.environ.get("CI"):
        return run_tests_in_ci(words)
    failed = []
    for name, command in CHECKS:
        say("test: " + name)
        if subprocess.call([venv_python()] + command) != 0:
            failed.append(name)
            say_failed(name, command)
    say("test: tests")
    if not failed:
        return become(PYTEST + words)
    if call_pytest(words) != 0:
        failed.append("tests")
    return outcome(failed)


def run_tests_in_ci(words):
    """Run the checks beside the tests: in a fresh checkout the types alone take half a minute, and
    nobody waits for the first word. What a failed check says is shown after the tests."""
    say("test: tests, and beside them " + ", ".join(name for name, _ in CHECKS))
    failed = []

    def check():
        for name, command in CHECKS:
            with tempfile.TemporaryFile() as said:
                told = {"stdout": said, "stderr": subprocess.STDOUT}
                if subprocess.call([venv_python()] + command, **told) != 0:
                    said.seek(0)
                    failed.append((name, command, said.read()))

    beside = threading.Thread(target=check, name="checks")
    beside.daemon = True  # an interrupted run does not wait for them
    beside.start()
    status = call_pytest(words)
    beside.join()
    for name, command, said in failed:
        sys.stderr.write(said.decode("utf-8", "replace"))
        say_failed(name, command)
    return outcome([each[0] for each in failed] + (["tests"] if status != 0 else []))


def say_failed(name, command):
    """Name a check that failed, and how to run it alone."""
    say("test: " + name + " FAILED; alone: " + in_shell(command))


def outcome(failed):
    """Say what failed, if anything has; the exit status."""
    if failed:
        say("test: FAILED: " + ", ".join(failed))
    return 1 if failed else 0


def quietly(command):
    """Return the exit status of a command whose output nobody needs."""
    with open(os.devnull, "w") as nowhere:
        return subprocess.call(command, stdout=nowhere, stderr=nowhere)


def old_python():
    """Return what to say to a Python that is too old, or None."""
    if sys.version_info[:2] >= OLDEST:
        return None
    text = "croupier needs Python %d.%d or newer; this is Python %d.%d." % (
        OLDEST + tuple(sys.version_info[:2])
    )
    for minor in range(OLDEST[1] + 8, OLDEST[1] - 1, -1):
        name = "python3.%d" % minor
        for folder in os.environ.get("PATH", "").split(os.pathsep):
            path = os.path.join(folder, name)
            # It is called, not only seen: a version manager leaves names that start nothing.
            if os.access(path, os.X_OK) and quietly([path, "-c", "import venv"]) == 0:
                return text + "\nThere is a newer one here: " + name + " run.py"
    return text + "\nInstall one from your system's packages or from the Python website."


def start(words):
    """Run the words in the environment, which holds what they need; return the exit status."""
    if words[:1] == ["test"]:
        os.chdir(ROOT)
        # A hundred processes are started by the tests: what one has compiled serves the others.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        return run_tests(words[1:])
    if words[:1] == ["bench"]:
        os.chdir(ROOT)
        return become(["-m", "benchmarks"] + words[1:])
    # -P: a file in the caller's folder must not stand in for one of ours.
    return become(["-P", "-m", "croupier"] + words)


def main(words):
    """Set up what the words need, then run them; return the exit status."""
    trouble = old_python()
    if trouble:
        say(trouble)
        return 2
    try:
        set_up(requirement_set(words))
    except Trouble as error:
        say(str(error))
        return 2
    except (IOError, OSError) as error:
        say("cannot set " + VENV + " up: " + str(error))
        return 2
    except KeyboardInterrupt:
        say("interrupted; the next start begins the set-up again")
        return 130
    try:
        return start(words)
    except KeyboardInterrupt:
        say("interrupted")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
