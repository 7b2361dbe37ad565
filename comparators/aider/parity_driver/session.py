"""The child process: all cases of one request, each through Aider's own ``main``.

Python starts and imports once. Every case then calls ``aider.main.main`` with
the command line of a fresh process, so nothing of an earlier case's coder,
repository map or caches is left. Only what depends on the files alone is
shared: extracted tags, and parsed files for rendering; and among the budgets of
one chat, its ranking. A case that repeats its call gets tags and rankings of its
own, because with automatic refresh the time they take decides whether a map is
reused.
"""

import copy
import functools
import gc
import json
import os
import sys
import time

from parity_driver import canonical, guard, identity, isolation
from parity_driver.recording import RankingIndex, Recorder
from parity_driver.request import DriverError, aider_argv, parse
from parity_driver.sequence import run_sequence

STDOUT_TAIL = 4000
# Container objects that are new since the last collection: some hundred megabytes.
COLLECT_AFTER = 2_000_000


def child_main(driver_dir):
    """Answer ``request.json`` in the run's directory with ``response.json``."""
    started = time.monotonic()
    # A full collection visits millions of modules' objects and syntax nodes again and
    # again; cycles are collected between cases instead. A quarter of the time of the
    # imports was spent on them.
    gc.disable()
    given = dict(os.environ)
    isolation.die_with_parent()
    tmp = os.environ[isolation.CHILD_MARK]
    attempts = isolation.block_network()
    log = open(os.path.join(tmp, "stdout.log"), "wb+")
    os.dup2(log.fileno(), 1)  # whatever Aider prints is kept apart
    try:
        with open(os.path.join(tmp, "request.json"), encoding="utf-8") as source:
            payload = json.load(source)
        response = _answer(payload, driver_dir, given, tmp, started)
    except BaseException as error:  # SystemExit of Aider included: report, never hide
        response = isolation.failure(error)
    response["network_attempts"] = attempts
    sys.stdout.flush()
    log.seek(0)
    response["aider_stdout"] = log.read().decode("utf-8", "replace")[-STDOUT_TAIL:]
    partial = os.path.join(tmp, "response.partial")
    with open(partial, "w", encoding="ascii") as target:
        # Into a string first: to a file, json writes value by value in Python, at a third of the speed.
        target.write(json.dumps(response, ensure_ascii=True))
    os.rename(partial, os.path.join(tmp, "response.json"))
    # Aider's daemon threads have nothing left to say.
    os._exit(1 if response.get("error") else 0)


def _answer(payload, driver_dir, given, tmp, started):
    if payload == {"receipt": True}:
        return identity.describe(driver_dir, given, None, "gpt-4o")
    request = parse(payload)
    root, cwd = guard.open_repository(request)
    for case in request.cases:
        guard.check_files(case, root)
    os.chdir(cwd)
    before = guard.fingerprint(root)
    session = Session(request, root, tmp)
    imported = time.monotonic()
    cases = [session.run(case) for case in request.cases]
    sequences = [session.run_sequence(sequence) for sequence in request.sequences]
    ran = time.monotonic()

    response = identity.describe(driver_dir, given, request.aider_commit_sha, request.model)
    response.update(mode=request.mode, seed=request.seed, model=request.model, root=root, cases=cases)
    if sequences:
        response["sequences"] = sequences
    if "tracked" in request.dump:
        response["tracked"] = session.tracked
    if "tags" in request.dump:
        response["tags"] = session.tags
    response["timing"] = {
        "import": imported - started,
        "main": session.main_seconds,
        "map": session.map_seconds,
        "total": time.monotonic() - started,
        "cases": ran - imported,
        "cpu": sum(os.times()[:4]),  # of this process and of the git processes it waited for
        "max_rss_bytes": _peak_memory(),
    }
    failed = [case["id"] for case in cases if case["error"]]
    if guard.fingerprint(root) != before:
        error = DriverError("repository_modified", f"Aider changed files in {root}")
        response["error"] = isolation.failure(error)["error"]
    elif failed:
        error = DriverError("case_failed", f"{len(failed)} of {len(cases)} cases failed, first: {failed[0]}")
        response["error"] = isolation.failure(error)["error"]
    return response


class Session:
    """Aider imported once, ready to run cases on one repository."""

    def __init__(self, request, root, tmp):
        self.request, self.root, self.tmp = request, root, tmp
        self.tags, self.tracked = {}, []
        self.main_seconds = self.map_seconds = 0.0
        self._rankings = RankingIndex()
        self._parsed_files = {}
        self._ranked = {}

        import aider.main
        import aider.models
        import aider.repomap
        import networkx
        from aider.llm import litellm
        from prompt_toolkit.input import DummyInput
        from prompt_toolkit.output import DummyOutput

        litellm._load_litellm()  # main does so on a first run; here it counts as import time
        if request.mode == "canonical":
            canonical.install(aider.repomap)
        self._main, self.networkx = aider.main.main, networkx
        self._repomap = aider.repomap
        self._map_class = aider.repomap.RepoMap
        self._terminal = dict(input=DummyInput(), output=DummyOutput())
        # A .env file in the repository may change variables during a case.
        self._environment = dict(os.environ)
        # Each case reads the same table of models, which takes a sixth of a second.
        read = functools.cache(aider.models.json5.loads)
        aider.models.json5.loads = lambda text: copy.deepcopy(read(text))
        # Aider compiles the query of a language anew for each file, which can take longer than
        # to parse and to search the file.
        self._repomap.Query = functools.cache(self._repomap.Query)
        gc.freeze()  # what was imported stays

    def run(self, case):
        """Run one case; an exception of Aider becomes the case's ``error``."""
        # Here nothing of an earlier case is in use. What is left stays to the
        # end, and need not be visited by the next collection.
        if gc.get_count()[0] > COLLECT_AFTER:
            gc.collect()
            gc.freeze()
        result = {"id": case.id, "argv": None, "attempts": [], "listing": None, "text": None, "cached": False}
        result["error"] = None
        argv = aider_argv(self.request, case, self.root, self.tmp)
        result["argv"] = [argument.replace(self.tmp, "$TMP") for argument in argv]
        started = time.monotonic()
        try:
            coder = self.fresh_coder(case, argv, self.root)
            result["repo_map"] = self.settings(coder)
            self._compute(coder, case, result)
        except BaseException as error:
            result["error"] = isolation.failure(error, f"aider_{type(error).__name__}")["error"]
        for number, attempt in enumerate(result["attempts"]):
            self._rankings.share(attempt, f"{case.id}#{number}")
        if result["attempts"]:
            result["listing"] = result["attempts"][-1].get("listing")
            result["cached"] = result["attempts"][-1]["cached"]
        result["seconds"] = time.monotonic() - started
        return result

    def run_sequence(self, sequence):
        """Run one sequence of calls in a copy of the repository."""
        return run_sequence(self, sequence, self._repomap)

    def fresh_coder(self, case, argv, root):
        """A coder as a fresh process would have it, in the work tree ``root``."""
        os.environ.clear()
        os.environ.update(self._environment)
        self._map_class.warned_files = set()
        # An absolute path replaces the repository's root when Aider joins the two.
        tags_directory = "tags" if case.repeat == 1 else f"tags-{len(os.listdir(self.tmp))}"
        self._map_class.TAGS_CACHE_DIR = os.path.join(self.tmp, tags_directory)
        started = time.monotonic()
        coder = self._main(argv, return_coder=True, **self._terminal)
        self.main_seconds += time.monotonic() - started
        if coder is None or isinstance(coder, int):
            raise DriverError("aider_exit", f"aider.main.main returned {coder!r} instead of a coder")
        if self.request.no_git is False and coder.root != root:
            raise DriverError("wrong_root", f"Aider took {coder.root} as the root, not {root}")
        return coder

    def _compute(self, coder, case, result):
        if case.message:
            coder.cur_messages = [{"role": "user", "content": case.message}]
        if not self.tracked and coder.repo:
            self.tracked = sorted(coder.get_all_relative_files())
        if not coder.repo_map:  # map_tokens 0, or no git
            return
        started = time.monotonic()
        # Aider itself uses an entry for any lines of its file, and checks the file's time.
        coder.repo_map.tree_context_cache = self._parsed_files
        rankings = self._ranked if case.repeat == 1 else None
        recorder = Recorder(coder, case, self.networkx, self.tags, self.request.dump, rankings)
        result["attempts"] = recorder.attempts
        try:
            with recorder:
                for call in range(case.repeat):
                    first = len(recorder.attempts)
                    result["text"] = coder.get_repo_map(force_refresh=case.force_refresh)
                    for attempt in recorder.attempts[first:]:
                        attempt["call"] = call
        finally:
            self.map_seconds += time.monotonic() - started
            coder.repo_map.TAGS_CACHE = None

    @staticmethod
    def settings(coder):
        """How Aider itself understood the flags, or None when it builds no map."""
        shown = coder.repo_map
        if not shown:
            return None
        return {
            "refresh": shown.refresh,
            "max_map_tokens": shown.max_map_tokens,
            "map_mul_no_files": shown.map_mul_no_files,
            "max_context_window": shown.max_context_window,
            "edit_format": coder.edit_format,
            "prefix": shown.repo_content_prefix,
            "chat_files": sorted(coder.get_rel_fname(name) for name in coder.abs_fnames),
            "read_only_files": sorted(coder.get_rel_fname(name) for name in coder.abs_read_only_fnames),
        }


def _peak_memory():
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
