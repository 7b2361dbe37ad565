"""Guards: Aider may create or edit files, so refuse what would, and check afterwards."""

import hashlib
import os

from parity_driver.isolation import git
from parity_driver.request import DriverError


def open_repository(request):
    """Return ``(root, cwd)`` as resolved absolute paths.

    Aider runs ``git init`` where there is no repository, so that is refused
    unless the request says ``no_git``.
    """
    start = os.path.realpath(request.repo)
    if not os.path.isdir(start):
        raise DriverError("repo_missing", f"{request.repo} is not a directory")
    if request.no_git:
        root = start
    else:
        root = git("rev-parse", "--show-toplevel", cwd=start)
        if not root:
            raise DriverError(
                "not_a_repository",
                f"{request.repo} is not a git work tree, and Aider would create one; "
                "make it a repository or ask for no_git",
            )
        root = os.path.realpath(root)
    # A relative cwd counts from the root; without one, a sub-directory given as repo is the cwd.
    cwd = os.path.realpath(os.path.join(root, request.cwd)) if request.cwd else start
    if not os.path.isdir(cwd):
        raise DriverError("cwd_missing", f"the directory {request.cwd} does not exist in the repository")
    return root, cwd


def check_files(case, root):
    """Refuse names that Aider would create (chat files) or skip with a warning."""
    for kind, names in (("chat", case.chat_files), ("read-only", case.read_only_files)):
        for name in names:
            if not os.path.isfile(os.path.join(root, name)):
                raise DriverError(
                    "file_missing", f"case {case.id}: the {kind} file {name} does not exist in the repository"
                )


def fingerprint(root):
    """What Aider could touch: git's configuration, .gitignore and the root's names."""
    digest = hashlib.sha256()
    for name in sorted(os.listdir(root)):
        digest.update(os.fsencode(name) + b"\0")
    for path in (".git/config", ".gitignore"):
        try:
            with open(os.path.join(root, path), "rb") as source:
                digest.update(hashlib.sha256(source.read()).digest())
        except OSError:
            digest.update(b"absent")
    return digest.hexdigest()
