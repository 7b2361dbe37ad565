"""Identity: which comparator this is, measured from what is installed."""

import hashlib
import importlib.metadata
import importlib.util
import os
import platform
import re
import sys

from parity_driver.isolation import CHILD_MARK, git
from parity_driver.request import SCHEMA_VERSION

PACKAGES = (
    "aider-chat", "grep-ast", "networkx", "numpy", "scipy", "tree-sitter",
    "tree-sitter-language-pack", "tree-sitter-c-sharp", "tree-sitter-embedded-template",
    "tree-sitter-yaml", "tiktoken", "tokenizers", "litellm", "Pygments", "diskcache",
    "GitPython", "gitdb", "pathspec", "prompt-toolkit",
)  # fmt: skip
# Folders of this run: they change every time and Aider's result does not depend on them.
PLACES = (CHILD_MARK, "PARITY_DRIVER_PARENT", "HOME", "TMPDIR", "PATH")


def describe(driver_dir, given, aider_commit_sha, model):
    """The identity part of a response; ``given`` is the environment the child started with."""
    commit = aider_commit_sha or _locked_commit(driver_dir)
    return {
        "schema_version": SCHEMA_VERSION,
        "driver": "aider",
        "tuple": {
            "aider_release": package_identity("aider-chat"),
            "aider_commit_sha": commit,
            "grep_ast_provenance": package_identity("grep-ast"),
            **tokenizer_identity(model),
            "python_version": platform.python_version(),
            "sources_sha256": source_digests(),
            "driver_sha256": driver_digest(driver_dir),
        },
        "environment": environment(given),
        "versions": {name: importlib.metadata.version(name) for name in PACKAGES},
    }


def package_identity(name):
    """Version and digests of an installed distribution.

    ``metadata_sha256`` covers METADATA, which installers leave alone.
    ``files_sha256`` covers the packaged files (not scripts, byte code or what
    an installer adds) as lines ``path sha256``, sorted, read from disk now: an
    edited file changes it, and it can be recomputed from the wheel.
    """
    package = importlib.metadata.distribution(name)
    lines = []
    metadata = None
    for file in package.files or ():
        path = str(file)
        if path.startswith("..") or file.suffix == ".pyc":
            continue
        if ".dist-info/" in path:
            if path.endswith("/METADATA"):
                metadata = sha256_file(file.locate())
            continue
        lines.append(f"{path} {sha256_file(file.locate())}\n")
    files = hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()
    return {"name": name, "version": package.version, "metadata_sha256": metadata, "files_sha256": files}


def tokenizer_identity(model):
    """Which tokenizer litellm picks for ``model``, and the digest of its data."""
    from litellm.utils import _select_tokenizer

    chosen = _select_tokenizer(model=model)
    bundled = os.path.join(_folder("litellm"), "litellm_core_utils", "tokenizers")
    if chosen["type"] == "openai_tokenizer":
        name = chosen["tokenizer"].name
        library = f"tiktoken {importlib.metadata.version('tiktoken')}"
        # tiktoken names a cached vocabulary after the sha1 of its address.
        data = os.environ.get("TIKTOKEN_CACHE_DIR") or bundled
        files = sorted(entry for entry in os.listdir(data) if re.fullmatch("[0-9a-f]{40}", entry))
        paths = [os.path.join(data, entry) for entry in files]
    else:
        name = "anthropic_tokenizer"
        library = f"tokenizers {importlib.metadata.version('tokenizers')}"
        paths = [os.path.join(bundled, "anthropic_tokenizer.json")]
    return {
        "tokenizer_id": name,
        "tokenizer_version": f"{library}, litellm {importlib.metadata.version('litellm')}",
        "tokenizer_data_sha256": {os.path.basename(path): sha256_file(path) for path in paths},
    }


def source_digests():
    """The files whose content decides the map, by the names comparator.toml uses."""
    aider, grep_ast = _folder("aider"), _folder("grep_ast")
    table = os.path.join(_folder("litellm"), "model_prices_and_context_window_backup.json")
    return {
        "repomap.py": sha256_file(os.path.join(aider, "repomap.py")),
        "special.py": sha256_file(os.path.join(aider, "special.py")),
        "grep_ast.py": sha256_file(os.path.join(grep_ast, "grep_ast.py")),
        "parsers.py": sha256_file(os.path.join(grep_ast, "parsers.py")),
        "queries": queries_digest(os.path.join(aider, "queries")),
        "model_table": sha256_file(table),
    }


def queries_digest(folder):
    """sha256 of all ``.scm`` files below ``folder``, concatenated in path order."""
    paths = []
    for parent, _folders, names in os.walk(folder):
        paths += [os.path.join(parent, name) for name in names if name.endswith(".scm")]
    digest = hashlib.sha256()
    for path in sorted(paths):
        with open(path, "rb") as source:
            digest.update(source.read())
    return digest.hexdigest()


def driver_digest(driver_dir):
    """sha256 over ``path sha256`` lines of the driver's own Python files."""
    package = os.path.join(driver_dir, "parity_driver")
    names = ["driver.py"] + sorted(
        f"parity_driver/{name}" for name in os.listdir(package) if name.endswith(".py")
    )
    lines = "".join(f"{name} {sha256_file(os.path.join(driver_dir, name))}\n" for name in names)
    return hashlib.sha256(lines.encode()).hexdigest()


def environment(given):
    """What could influence the result, without the folders of this run."""
    return {
        "variables": {key: value for key, value in sorted(given.items()) if key not in PLACES},
        "git": git("--version", cwd="/"),
        "python": f"{platform.python_implementation()} {sys.version}",
        "system": platform.system(),
        "machine": platform.machine(),
        "libc": " ".join(platform.libc_ver()),
    }


def sha256_file(path):
    with open(path, "rb") as source:
        return hashlib.sha256(source.read()).hexdigest()


def _folder(package):
    return os.path.dirname(importlib.util.find_spec(package).origin)


def _locked_commit(driver_dir):
    # Python 3.10 has no TOML reader, and one line is all that is needed here.
    try:
        with open(os.path.join(driver_dir, "comparator.toml"), encoding="utf-8") as source:
            found = re.search(r'^aider_commit_sha = "([0-9a-f]{40})"$', source.read(), re.MULTILINE)
    except OSError:
        return None
    return found.group(1) if found else None
