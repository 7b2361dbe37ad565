#!/usr/bin/env python3
"""A comparator that misbehaves on request, for the fault tests of the harness.

Usage: ``fake_comparator.py MODE [FILE]``. Each mode is one way in which a foreign program can fail;
the harness must end it in bounded time, leave no process behind and never take it for an answer.
FILE is made as soon as a mode has said all that it says before it hangs.
"""

import json
import os
import signal
import subprocess
import sys
import time

HANG_SECONDS = 600  # Far beyond the deadline of any test.
DEAF = f"import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep({HANG_SECONDS})"

PACKAGE = {"name": "fake", "version": "1.0", "metadata_sha256": "m", "files_sha256": "f"}
ANSWER = {
    "schema_version": 1,
    "driver": "fake",
    "tuple": {
        "aider_release": PACKAGE,
        "aider_commit_sha": None,
        "grep_ast_provenance": PACKAGE,
        "tokenizer_id": "t",
        "tokenizer_version": "1",
        "tokenizer_data_sha256": {},
        "python_version": "3.11.0",
        "sources_sha256": {},
        "driver_sha256": "d",
    },
    "environment": {
        "variables": {}, "git": None, "python": "", "system": "", "machine": "", "libc": "",
    },  # fmt: skip
    "versions": {},
    "cases": [{"id": "only", "attempts": [], "listing": None, "seconds": 0.5}],
    "network_attempts": [],
}


def answer(**changes):
    write(json.dumps({**ANSWER, **changes}).encode() + b"\n")


def edited(old, new):
    """Write the answer with one piece of its text replaced."""
    text = json.dumps(ANSWER)
    assert old in text
    write(text.replace(old, new, 1).encode("utf-8", "surrogateescape"))


def failed(kind, code):
    write(json.dumps({"schema_version": 1, "error": {"kind": kind, "message": "no"}}).encode())
    sys.exit(code)


def write(data, stream=sys.stdout):
    stream.buffer.write(data)
    stream.buffer.flush()


def hang():
    for path in sys.argv[2:]:
        open(path, "w").close()
    time.sleep(HANG_SECONDS)


def hang_deaf():
    """Hang, ignore SIGTERM, and let a grandchild that ignores it too hold both pipes."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    spawn()
    hang()


def spawn(**options):
    """Start a grandchild that holds both pipes; its id goes to standard error."""
    child = subprocess.Popen([sys.executable, "-c", DEAF], **options)
    print(child.pid, file=sys.stderr, flush=True)


def orphan():
    spawn()
    answer()


def escape():
    """As ``orphan``, but the grandchild leaves the process group."""
    spawn(start_new_session=True)
    answer()


def flood(stream):
    while True:
        write(b"x" * 65536, stream)


def read_input():
    """Answer only after the whole input was read; its length goes to standard error."""
    print(len(sys.stdin.buffer.read()), file=sys.stderr, flush=True)
    answer()


CASES = ANSWER["cases"]
FAILED_CASE = {**CASES[0], "id": "bad", "error": {"kind": "aider_RecursionError", "message": "deep"}}
CASE_FAILED = {"kind": "case_failed", "message": "1 of 2 cases failed, first: bad"}

MODES = {
    "answer": answer,
    "read-input": read_input,
    "hang": hang,
    "hang-deaf": hang_deaf,
    "orphan": orphan,
    "escape": escape,
    "flood-stdout": lambda: flood(sys.stdout),
    "flood-stderr": lambda: flood(sys.stderr),
    # Gone before anybody can react, and still more than the limit.
    "flood-and-exit": lambda: write(b"x" * (3 << 20)),
    "garbage": lambda: write(b"Warning: something\n\x00\x01"),
    "nan": lambda: edited("0.5", "NaN"),
    "infinity": lambda: edited("0.5", "-Infinity"),
    "huge-number": lambda: edited("0.5", "1e999"),
    "half-json": lambda: write(json.dumps(ANSWER).encode()[:200]),
    "two-answers": lambda: (answer(), answer()),
    "deep-json": lambda: write(b"[" * 100_000),
    "invalid-utf8": lambda: edited("fake", "f\udcffke"),
    "wrong-schema": lambda: answer(schema_version=99),
    "duplicate-case": lambda: answer(cases=CASES * 2),
    "network": lambda: answer(network_attempts=["socket.connect"]),
    "empty": lambda: None,
    "stderr-only": lambda: write(b"nothing to report\n", sys.stderr),
    "exit-3": lambda: sys.exit(3),
    "answer-exit-3": lambda: (answer(), sys.exit(3)),
    "answer-exit-1": lambda: (answer(), sys.exit(1)),
    "error": lambda: failed("not_a_repository", 1),
    "error-exit-0": lambda: failed("usage", 0),
    "case-failed": lambda: (answer(cases=CASES + [FAILED_CASE], error=CASE_FAILED), sys.exit(1)),
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "answer-killed": lambda: (answer(), os.kill(os.getpid(), signal.SIGSEGV)),
}

if __name__ == "__main__":
    MODES[sys.argv[1]]()
