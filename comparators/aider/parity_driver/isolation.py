"""A private process for Aider: clean environment, temporary home, no network."""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback

from parity_driver.request import SCHEMA_VERSION, DriverError, parse

CHILD_MARK = "PARITY_DRIVER_DIR"
GIT_CONFIG = "[user]\n\tname = parity\n\temail = parity@example.invalid\n[safe]\n\tdirectory = *\n"
NETWORK_EVENTS = (
    "socket.connect", "socket.sendto", "socket.sendmsg",
    "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr",
)  # fmt: skip


def is_child():
    return CHILD_MARK in os.environ


# ---------------------------------------------------------------- parent side


def run_parent(script, arguments):
    """Run one request in a child and print its response; returns the exit code."""
    state = {"child": None}

    def stop(number, _frame):
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop)
    tmp = tempfile.mkdtemp(prefix="parity-aider-")
    failed = True
    try:
        payload = _read_request(arguments)
        response, failed = _run_child(script, payload, tmp, state)
    except (DriverError, OSError) as error:
        response = json.dumps(failure(error)).encode()
    finally:
        # A second signal must not interrupt the cleaning up.
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        child = state["child"]
        if child is not None and child.poll() is None:
            child.kill()
            child.wait()
        shutil.rmtree(tmp, ignore_errors=True)
    sys.stdout.buffer.write(response + b"\n")
    sys.stdout.buffer.flush()
    return 1 if failed else 0


def failure(error, kind=None):
    """The ``error`` response (or part of one) for an exception."""
    kind = kind or getattr(error, "kind", None) or "driver_failed"
    trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    detail = {"kind": kind, "message": str(error) or type(error).__name__, "traceback": trace}
    return {"schema_version": SCHEMA_VERSION, "driver": "aider", "error": detail}


def _read_request(arguments):
    """The decoded request, already validated, or the mark of a receipt."""
    if arguments == ["--receipt"]:
        return {"receipt": True}
    if len(arguments) > 1:
        raise DriverError("usage", "at most one argument is taken: the request file")
    try:
        if arguments:
            with open(arguments[0], encoding="utf-8") as source:
                payload = json.load(source)
        else:
            payload = json.load(sys.stdin)
    except ValueError as error:
        raise DriverError("usage", f"the request is not JSON: {error}") from None
    # The child parses again; this keeps a bad seed from reaching its interpreter.
    parse(payload)
    return payload


def _run_child(script, payload, tmp, state):
    """The response as bytes, and whether it carries an error."""
    seed = str(payload.get("seed", "0"))
    response_path = os.path.join(tmp, "response.json")
    with open(os.path.join(tmp, "request.json"), "w", encoding="utf-8") as target:
        json.dump(payload, target)
    environment = child_environment(seed, tmp)
    # The child stays in our process group, so that a group kill reaches it too.
    state["child"] = subprocess.Popen(
        [sys.executable, script], env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr
    )
    code = state["child"].wait()
    if not os.path.exists(response_path):
        raise DriverError("child_died", f"the Aider process ended with {code} and no response")
    with open(response_path, "rb") as source:
        return source.read(), code != 0


def child_environment(seed, tmp):
    """Create the temporary home under ``tmp``; return the child's whole environment."""
    home = os.path.join(tmp, "home")
    caches = os.path.join(home, ".aider", "caches")
    os.makedirs(caches)
    # Without a user name Aider writes one into the repository's own git config.
    with open(os.path.join(home, ".gitconfig"), "w", encoding="utf-8") as target:
        target.write(GIT_CONFIG)
    found = importlib.util.find_spec("litellm")
    if found is None or found.origin is None:
        raise DriverError("not_installed", f"aider-chat is not installed for {sys.executable}")
    table = os.path.join(os.path.dirname(found.origin), "model_prices_and_context_window_backup.json")
    # Aider downloads this table unless its copy is younger than a day;
    # copyfile gives the copy the time of now.
    shutil.copyfile(table, os.path.join(caches, "model_prices_and_context_window.json"))
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": home, "TMPDIR": tmp, CHILD_MARK: tmp, "PARITY_DRIVER_PARENT": str(os.getpid()),
        "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "xterm",
        "COLUMNS": "100000", "NO_COLOR": "1",
        "PYTHONHASHSEED": seed, "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "OPENAI_API_KEY": "sk-dummy", "ANTHROPIC_API_KEY": "sk-dummy",
        "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0",
    }  # fmt: skip


# ----------------------------------------------------------------- child side


def die_with_parent():
    """Ask Linux to kill this process when the parent dies, however it dies."""
    parent = int(os.environ.pop("PARITY_DRIVER_PARENT"))
    if sys.platform.startswith("linux"):
        import ctypes

        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it died before the request took effect
        os._exit(1)


def block_network():
    """Refuse every socket operation; returns the list where attempts are recorded."""
    attempts = []

    def watch(event, details):
        if event in NETWORK_EVENTS:
            shown = [part for part in details if isinstance(part, (str, bytes, int, tuple))]
            attempts.append(f"{event} {shown!r}")
            raise OSError("the network is closed to the comparator")

    sys.addaudithook(watch)
    return attempts


def git(*arguments, cwd):
    """Standard output of a git command, or None when git fails."""
    done = subprocess.run(["git", *arguments], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n") if done.returncode == 0 else None
