#!/usr/bin/env python3
"""Answer one request of the driver after another, each in a process of its own.

Standard input: one JSON object a line, a request of ``driver.py``, perhaps
with ``patience``: how many seconds the answer may take, 60 if left out.

Standard output: one JSON object a line, the driver's response to each, in the
same order. One that made Aider's process die, or that took too long, has the
error ``child_died`` or ``child_hung``.

Importing Aider takes seconds, and a map of a small repository a tenth of one.
So Aider is imported here, once, and each request is answered by the driver's
own child in a fork of this process, which ends with its answer. Nothing of one
request is left for the next, as if each had its own driver.
"""

import copy
import gc
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)

from parity_driver import identity, isolation, request, session  # noqa: E402

# Seconds that an answer may take.
PATIENCE = 60
# The model that is described before any request.
MODEL = "gpt-4o"


def import_aider(home):
    """Import what every request needs; and run once what reads tables."""
    os.environ.clear()
    os.environ.update(isolation.child_environment("0", home))
    given = dict(os.environ)  # imports set variables of their own
    isolation.block_network()
    import aider.main  # noqa: F401
    import aider.models
    import aider.repomap  # noqa: F401
    from aider.llm import litellm

    litellm._load_litellm()
    litellm.encode(model=MODEL, text="the vocabulary is read now")
    # What is installed does not change, and its digests take longer than a map.
    describe = identity.describe
    known = describe(HERE, given, None, MODEL)

    def described(_driver, _given, _commit, model):
        found = copy.deepcopy(known)
        if model != MODEL:  # only the tokenizer depends on the model
            found["tuple"].update(identity.tokenizer_identity(model))
        return found

    identity.describe = described
    warm_up(home)
    gc.freeze()


def warm_up(home):
    """Make one map, so that what every map reads first is read: tables, models, patterns."""
    repo = os.path.join(home, "repository")
    os.mkdir(repo)
    with open(os.path.join(repo, "one.py"), "w", encoding="ascii") as target:
        target.write("def one():\n    return one()\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
        isolation.git(*command, cwd=repo)
    case = {"id": "one", "map_tokens": 64}
    os.environ[isolation.CHILD_MARK] = home
    os.chdir(repo)
    asked = request.parse({"repo": repo, "cases": [case]})
    answered = session.Session(asked, repo, home).run(asked.cases[0])
    if answered["error"] or not answered["listing"]:
        raise SystemExit(f"Aider makes no map of one file: {answered['error']}")
    os.chdir("/")
    # A fork has only the thread that forks.
    if threading.active_count() != 1:
        raise SystemExit("Aider started a thread, so it cannot be forked")


def answer(line, folder):
    """The driver's response to a request, as text."""
    asked = json.loads(line)
    patience = asked.pop("patience", PATIENCE)
    tmp = tempfile.mkdtemp(dir=folder)
    try:
        with open(os.path.join(tmp, "request.json"), "w", encoding="utf-8") as target:
            json.dump(asked, target)
        parent = os.getpid()
        child = os.fork()
        if child == 0:
            answer_here(tmp, parent)
        error = wait(child, patience)
        response = os.path.join(tmp, "response.json")
        if error is None and not os.path.exists(response):
            error = "child_died", "the Aider process ended with no response"
        if error is not None:
            return json.dumps(isolation.failure(Exception(error[1]), error[0]))
        with open(response, encoding="ascii") as source:
            return source.read()
    finally:
        shutil.rmtree(tmp, ignore_errors=True)


def answer_here(tmp, parent):
    """In the child: answer as the driver's child does, which never returns."""
    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.environ[isolation.CHILD_MARK] = os.environ["TMPDIR"] = tmp
        os.environ["PARITY_DRIVER_PARENT"] = str(parent)
        session.child_main(HERE)
    finally:
        os._exit(1)


def wait(child, patience):
    """Wait until the child has ended; the error if it did not answer."""
    deadline = time.monotonic() + patience
    pause = 0.001
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return ("child_died", f"the Aider process ended with {code}") if code < 0 else None
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "child_hung", f"no answer within {patience} seconds"
        time.sleep(pause)
        pause = min(pause * 2, 0.02)


def main():
    # Aider prints its complaints on standard output, which carries our answers.
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    folder = tempfile.mkdtemp(prefix="parity-aider-")
    try:
        import_aider(os.path.join(folder, "home"))
        for line in sys.stdin:
            answers.write(answer(line, folder) + "\n")
            answers.flush()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
