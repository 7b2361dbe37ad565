"""The request: validation, and the Aider command line of each case."""

import os
from dataclasses import dataclass, field, fields, replace
from typing import List, Optional, Tuple

SCHEMA_VERSION = 1
MODES = ("canonical", "raw")
REFRESH = ("auto", "files", "manual", "always")
EXTRAS = ("tags", "edges", "all_edges", "tracked")
EDITS = ("write", "delete", "touch")
# These would undo a guard: they edit the repository or leave the map path.
REFUSED_ARGUMENTS = ("--gitignore", "--apply", "--commit", "--lint", "--test", "--gui", "--git")


class DriverError(Exception):
    """A failure with a stable ``kind`` that callers may match on."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


@dataclass
class Case:
    """One map to compute; file names are relative to the work-tree root."""

    id: str
    map_tokens: Optional[float] = None
    chat_files: List[str] = field(default_factory=list)
    read_only_files: List[str] = field(default_factory=list)
    message: Optional[str] = None
    mentioned_fnames: Optional[List[str]] = None
    mentioned_idents: Optional[List[str]] = None
    force_refresh: bool = False
    repeat: int = 1


@dataclass
class Edit:
    """One change of the repository before a call of a sequence."""

    path: str
    action: str = "write"
    # The new content: texts, each with how often it is repeated.
    parts: List[Tuple[str, int]] = field(default_factory=list)
    keep_time: bool = False
    track: bool = False


@dataclass
class Call:
    """One map of a sequence, and what changes before it."""

    id: str = ""
    chat_files: List[str] = field(default_factory=list)
    read_only_files: List[str] = field(default_factory=list)
    message: Optional[str] = None
    mentioned_fnames: Optional[List[str]] = None
    mentioned_idents: Optional[List[str]] = None
    force_refresh: bool = False
    map_processing_seconds: float = 0.0
    edits: List[Edit] = field(default_factory=list)


@dataclass
class Sequence:
    """Several maps in a row from one coder."""

    id: str
    refresh: str = "auto"
    cache_prompts: bool = False
    map_tokens: Optional[float] = None
    calls: List[Call] = field(default_factory=list)


@dataclass
class Request:
    """Everything that is the same for all cases of one run."""

    repo: str
    schema_version: int = SCHEMA_VERSION
    cwd: Optional[str] = None
    mode: str = "canonical"
    seed: str = "0"
    model: str = "gpt-4o"
    map_mul_no_files: Optional[float] = 2
    refresh: str = "auto"
    subtree_only: bool = False
    aiderignore: Optional[str] = None
    encoding: Optional[str] = None
    edit_format: Optional[str] = None
    cache_prompts: bool = False
    no_git: bool = False
    extra_args: List[str] = field(default_factory=list)
    dump: List[str] = field(default_factory=list)
    cases: List[Case] = field(default_factory=list)
    sequences: List[Sequence] = field(default_factory=list)
    aider_commit_sha: Optional[str] = None


def parse(raw):
    """Turn decoded JSON into a ``Request``; raises ``DriverError("usage")``."""
    request = _fill(Request, raw, "request")
    request.cases = [_fill(Case, case, "case") for case in request.cases]
    request.sequences = [_sequence(sequence) for sequence in request.sequences]
    if request.schema_version != SCHEMA_VERSION:
        raise _usage(f"schema_version {request.schema_version!r} is not {SCHEMA_VERSION}")
    _one_of("mode", request.mode, MODES)
    _one_of("refresh", request.refresh, REFRESH)
    for extra in request.dump:
        _one_of("dump", extra, EXTRAS)
    request.seed = str(request.seed)
    if request.seed != "random" and not (request.seed.isdigit() and int(request.seed) < 2**32):
        raise _usage(f"seed {request.seed!r} is neither 'random' nor a number below 2^32")
    for argument in request.extra_args:
        if argument.split("=", 1)[0] in REFUSED_ARGUMENTS:
            raise _usage(f"extra argument {argument!r} could modify the repository")
    for what, entries in (("cases", request.cases), ("sequences", request.sequences)):
        names = [entry.id for entry in entries]
        if len(set(names)) != len(names):
            raise _usage(f"two {what} have the same id")
    for case in request.cases:
        if not isinstance(case.repeat, int) or case.repeat < 1:
            raise _usage(f"case {case.id!r}: repeat must be a whole number from 1")
    return request


def of_sequence(request, sequence):
    """The request as it is for one sequence."""
    return replace(request, refresh=sequence.refresh, cache_prompts=sequence.cache_prompts)


def aider_argv(request, case, root, tmp):
    """The command line a fresh ``aider`` process would get for this case.

    ``root`` is the work-tree root and ``tmp`` the run's private directory,
    where Aider's history files go instead of the repository.
    """
    argv = [
        "--model", request.model,
        "--no-gitignore", "--no-check-update", "--no-analytics",
        "--no-show-model-warnings", "--no-show-release-notes",
        "--no-pretty", "--no-fancy-input", "--no-stream",
        "--no-auto-commits", "--no-detect-urls", "--no-suggest-shell-commands",
        "--chat-history-file", os.path.join(tmp, "chat.md"),
        "--input-history-file", os.path.join(tmp, "input.hist"),
        "--env-file", os.path.join(tmp, "none.env"),
        "--map-refresh", request.refresh,
    ]  # fmt: skip
    optional = [
        ("--map-tokens", case.map_tokens),
        ("--map-multiplier-no-files", request.map_mul_no_files),
        ("--edit-format", request.edit_format),
        ("--encoding", request.encoding),
        ("--aiderignore", request.aiderignore),
    ]
    for flag, value in optional:
        if value is not None:
            argv += [flag, str(value)]
    switches = [
        ("--subtree-only", request.subtree_only),
        ("--cache-prompts", request.cache_prompts),
        ("--no-git", request.no_git),
    ]
    argv += [flag for flag, on in switches if on]
    for name in case.read_only_files:
        argv += ["--read", os.path.join(root, name)]
    argv += request.extra_args
    argv += [os.path.join(root, name) for name in case.chat_files]
    return argv


def _sequence(raw):
    sequence = _fill(Sequence, raw, "sequence")
    _one_of("refresh", sequence.refresh, REFRESH)
    sequence.calls = [_fill(Call, call, "call") for call in sequence.calls]
    for call in sequence.calls:
        call.edits = [_fill(Edit, edit, "edit") for edit in call.edits]
        for edit in call.edits:
            _one_of("action", edit.action, EDITS)
            parts = edit.path.split("/")
            if edit.path.startswith("/") or {"", ".", "..", ".git"} & set(parts):
                raise _usage(f"edit path {edit.path!r} is not a plain path inside the repository")
    return sequence


def _fill(kind, raw, what):
    if not isinstance(raw, dict):
        raise _usage(f"a {what} must be a JSON object, not {type(raw).__name__}")
    unknown = sorted(set(raw) - {f.name for f in fields(kind)})
    if unknown:
        raise _usage(f"unknown {what} key {unknown[0]!r}")
    try:
        return kind(**raw)
    except TypeError:
        missing = {Request: "repo", Edit: "path"}.get(kind, "id")
        raise _usage(f"a {what} needs the key {missing!r}") from None


def _one_of(key, value, allowed):
    if value not in allowed:
        raise _usage(f"{key} {value!r} is not one of {', '.join(allowed)}")


def _usage(message):
    return DriverError("usage", message)
