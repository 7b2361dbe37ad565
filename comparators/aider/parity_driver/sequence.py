"""Sequences: several maps in a row from one coder, with edits in between.

The edits happen in a copy of the repository that belongs to this run. What
Aider sees of the clock while it computes a map is scripted, because with
automatic refresh the time of a computation decides whether its result is
served again.
"""

import os
import shutil
import stat

from parity_driver.isolation import failure, git
from parity_driver.recording import RANKING, Recorder
from parity_driver.request import Case, DriverError, aider_argv, of_sequence

# Seconds since 1970 of a file that the first call of a sequence writes; each
# later call is a minute later. Real times would differ between two runs.
FIRST_EDIT = 946_684_860
MINUTE = 60


class ScriptedClock:
    """Stands in for the ``time`` module inside ``aider.repomap``.

    It has only the function that module uses, so a release that needs
    another one fails loudly.
    """

    def __init__(self):
        self.now = 0.0

    def time(self):
        return self.now


class SequenceRecorder(Recorder):
    """Also lets each computation take the scripted time."""

    def __init__(self, coder, networkx, clock):
        super().__init__(coder, None, networkx, {}, dump=())
        self.clock = clock

    def _get_repo_map(self, *arguments, **options):
        # An attempt computes at most once; from zero the difference is exact.
        self.clock.now = 0.0
        return super()._get_repo_map(*arguments, **options)

    def _get_ranked_tags_map_uncached(self, *arguments):
        result = super()._get_ranked_tags_map_uncached(*arguments)
        self.clock.now = float(self.case.map_processing_seconds)
        return result


def run_sequence(session, sequence, module):
    """Run one sequence with Aider as ``session`` imported it.

    ``module`` is ``aider.repomap``. An exception of Aider becomes the
    sequence's ``error``; the calls before it are kept.
    """
    result = {"id": sequence.id, "argv": None, "repo_map": None, "calls": [], "error": None}
    home = os.path.join(session.tmp, f"sequence-{len(os.listdir(session.tmp))}")
    root = os.path.join(home, "repository")
    shipped_clock, before = module.time, os.getcwd()
    try:
        _writable_copy(session.root, root)
        os.chdir(root)
        request = of_sequence(session.request, sequence)
        case = Case(id=sequence.id, map_tokens=sequence.map_tokens, repeat=2)
        argv = aider_argv(request, case, root, session.tmp)
        result["argv"] = [argument.replace(session.tmp, "$TMP") for argument in argv]
        coder = session.fresh_coder(case, argv, root)
        result["repo_map"] = session.settings(coder)
        clock = module.time = ScriptedClock()
        recorder = SequenceRecorder(coder, session.networkx, clock)
        with recorder:
            for number, call in enumerate(sequence.calls):
                _edit(root, number, call.edits)
                result["calls"].append(_answer(coder, recorder, call, root))
        coder.repo_map.TAGS_CACHE = None
    except BaseException as error:
        result["error"] = failure(error, getattr(error, "kind", None) or f"aider_{type(error).__name__}")["error"]
    finally:
        module.time = shipped_clock
        os.chdir(before)
    return result


def _answer(coder, recorder, call, root):
    for name in call.chat_files + call.read_only_files:
        if not os.path.isfile(os.path.join(root, name)):
            raise DriverError("file_missing", f"the file {name} does not exist at this call")
    coder.abs_fnames = set()
    for name in call.chat_files:
        coder.add_rel_fname(name)
    coder.abs_read_only_fnames = {coder.abs_root_path(name) for name in call.read_only_files}
    coder.cur_messages = [{"role": "user", "content": call.message}] if call.message else []
    recorder.case = call
    first = len(recorder.attempts)
    coder.get_repo_map(force_refresh=call.force_refresh)
    attempts = recorder.attempts[first:]
    for attempt in attempts:
        for key in RANKING:
            attempt.pop(key, None)
        # That there was no map can be stored, too.
        attempt["cached"] = attempt["asked_cache"] and attempt["target_tokens"] is None
        attempt.pop("seconds", None)
    return {
        "listing": attempts[-1]["listing"],
        "cached": attempts[-1]["cached"],
        "attempts": attempts,
    }


def _writable_copy(source, target):
    """Copy a work tree with its times and links; the copy may be changed."""
    shutil.copytree(source, target, symlinks=True)
    for folder, _folders, names in os.walk(target):
        os.chmod(folder, 0o755)
        for name in names:
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                os.chmod(path, stat.S_IMODE(os.stat(path).st_mode) | stat.S_IWUSR)


def _edit(root, call, edits):
    for edit in edits:
        path = os.path.join(root, edit.path)
        time = FIRST_EDIT + MINUTE * call
        if edit.keep_time:
            time = os.stat(path).st_mtime_ns / 1e9
        if edit.action == "delete":
            os.remove(path)
            continue
        if edit.action == "write":
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8", newline="") as target:
                target.write("".join(text * times for text, times in edit.parts))
        if edit.action in ("write", "touch"):
            os.utime(path, (time, time))
        if edit.track and git("add", "--force", "--", edit.path, cwd=root) is None:
            raise DriverError("edit_failed", f"git does not add {edit.path}")
