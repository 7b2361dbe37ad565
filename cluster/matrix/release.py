#!/usr/bin/env python3
"""Makes the folder of a release of Aider that is not the pinned one: its lock, and what its receipt must say.

    release.py VERSION COMMIT FOLDER [--replace NAME==VERSION]... [--leave-out NAME]...

COMMIT is the one that the release was made from. The lock is resolved by uv for CPython 3.11 on Linux x86-64, with wheels
alone: `pip install uv` if it is missing. A package that has no wheel is replaced by another version, and one that brings
a file that runs at every start of Python is left out; release.toml names both. The wheels are installed into a temporary
folder, and the driver of the checkout says what they are.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DRIVER = ROOT / "comparators/aider"
PACKAGE = "aider-chat"


def resolved(version, replaced, left_out):
    """The hash-locked requirements."""
    with tempfile.TemporaryDirectory() as folder:
        override = Path(folder) / "override.txt"
        override.write_text("".join(f"{line}\n" for line in replaced))
        lock = Path(folder) / "lock"
        command = ["uv", "pip", "compile", "--quiet", "--python-version", "3.11"]
        command += ["--python-platform", "x86_64-unknown-linux-gnu", "--only-binary", ":all:", "--generate-hashes"]
        command += ["--no-emit-index-url", "--no-header", "--no-annotate", "--override", override, "-", "-o", lock]
        subprocess.run(command, input=f"{PACKAGE}=={version}\n", text=True, stdout=subprocess.DEVNULL, check=True)
        entries = re.split(r"^(?=\S)", lock.read_text(), flags=re.MULTILINE)
    return "".join(entry for entry in entries if entry.split("==")[0] not in left_out)


def receipt(lock, commit):
    """What the driver says of the installed packages."""
    with tempfile.TemporaryDirectory() as folder:
        # The driver starts its own interpreter again, so a search path in the environment would be lost.
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", Path(folder) / "venv"], check=True)
        packages = next(Path(folder).glob("venv/lib/python*/site-packages"))
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--no-compile"]
        command += ["--only-binary", ":all:", "--target", packages, "-r", lock]
        subprocess.run(command, check=True)
        definition = tomllib.loads((DRIVER / "comparator.toml").read_text())
        room = Path(folder) / "room"
        for name in definition["run"]["files"]:
            path = room / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes((DRIVER / name).read_bytes())
        (room / "comparator.toml").write_text(f'aider_commit_sha = "{commit}"\n')
        environment = {"PATH": os.environ["PATH"], "TMPDIR": folder}
        command = [Path(folder) / "venv/bin/python", room / "driver.py", "--receipt"]
        said = subprocess.run(command, env=environment, capture_output=True, text=True)
    if said.returncode != 0:
        sys.exit(f"the driver gives no receipt for {lock}:\n{said.stdout[-2000:]}{said.stderr[-2000:]}")
    return json.loads(said.stdout)


def wheel(lock, name):
    """The digest of the one wheel of a package that is for every system."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    with tempfile.TemporaryDirectory() as folder:
        one = Path(folder) / "lock"
        entries = re.split(r"^(?=\S)", lock.read_text(), flags=re.MULTILINE)
        one.write_text("".join(entry for entry in entries if entry.startswith(f"{name}==")))
        subprocess.run([*command, "--only-binary", ":all:", "-d", folder, "-r", one], check=True)
        found = next(Path(folder).glob("*.whl"))
        return subprocess.run(["sha256sum", found], capture_output=True, text=True, check=True).stdout.split()[0]


def quoted(value):
    return json.dumps(value, ensure_ascii=False)


def table(name, values):
    return f"\n[{name}]\n" + "".join(f"{quoted(key)} = {quoted(value)}\n" for key, value in values.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("commit")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--replace", action="append", default=[])
    parser.add_argument("--leave-out", action="append", default=[])
    arguments = parser.parse_args()
    folder = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    lock = folder / "requirements.lock"
    lock.write_text(resolved(arguments.version, arguments.replace, arguments.leave_out))
    said = receipt(lock, arguments.commit)
    identity, digest = said["tuple"], subprocess.run(["sha256sum", lock], capture_output=True, text=True, check=True)
    changed = [f"{name} in place of the version that it asks for" for name in arguments.replace]
    changed += [f"without {name}" for name in arguments.leave_out]
    definition = tomllib.loads((DRIVER / "comparator.toml").read_text())
    data = definition["expected"]["tokenizer"]["data_file"]
    # All packages are in the lock, and one may have another version than Aider asks for.
    download = {name: [*definition["install"][name], "--no-deps"] for name in ("pip", "uv")}
    release = {key: value for key, value in identity["aider_release"].items() if value is not None}
    grep_ast = {key: value for key, value in identity["grep_ast_provenance"].items() if value is not None}
    text = f"# Made by release.py. What differs from comparators/aider/comparator.toml for Aider {arguments.version}.\n"
    text += f"\naider_release = {quoted(arguments.version)}\naider_commit_sha = {quoted(arguments.commit)}\n"
    text += f"changed = {quoted(changed)}\n"
    text += table("wheel", {"version": arguments.version, "sha256": wheel(lock, PACKAGE)})
    text += table("install", {"lock_sha256": digest.stdout.split()[0], "python": ["3.11"], **download})
    text += table("expected.aider_release", release)
    text += table("expected.grep_ast_provenance", {**grep_ast, "wheel_sha256": wheel(lock, "grep-ast")})
    text += table("expected.sources_sha256", identity["sources_sha256"])
    tokenizer = {key: identity[key] for key in ("tokenizer_id", "tokenizer_version")}
    tokenizer |= {"data_file": data, "data_sha256": identity["tokenizer_data_sha256"][data]}
    text += table("expected.tokenizer", tokenizer)
    text += table("expected.versions", said["versions"])
    relation = "The release is measured as it was published; how it differs from the commit was not examined."
    text += table("relation", {"summary": relation, "file": []})
    (folder / "release.toml").write_text(text)


if __name__ == "__main__":
    main()
