"""Checks a verifier: alters a copy of a good bundle in many ways and expects each to be refused.

    tamper.py [--flips N] [--every N] BUNDLE -- COMMAND ...

COMMAND is run with `{}` replaced by the directory of the bundle, first on the unaltered copy,
where it must exit 0, 10 or 11 (verified and PASSED, FAILED or WARNED), then after each
alteration, where it must exit with another code and name the altered file on stderr. Only the Python standard library is used. Exit: 0 if the verifier
found everything, 1 if not, 2 usage.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ATTESTATION = "attestation.intoto.json"
# Folders with many files of one kind.
ALIKE = ("recordings/", "blobs/", "gold/", "queries/")
VERIFIED = (0, 10, 11)


@contextlib.contextmanager
def restored(path):
    """Puts a file back as it was after the block."""
    data = path.read_bytes()
    try:
        yield data
    finally:
        if path.is_symlink() or path.exists():
            path.unlink()
        path.write_bytes(data)


def offsets(length, wanted):
    """Spreads `wanted` offsets over a file, with the first and the last byte among them."""
    if length <= wanted:
        return range(length)
    return sorted({round(i * (length - 1) / max(wanted - 1, 1)) for i in range(wanted)})


def alterations(bundle, flips, every, of):
    """Alters the bundle in one way after the other; yields what was done and to which files.

    Bits are flipped in every file, of those in ALIKE in each `of`-th, for there are hundreds of them;
    the other ways are tried on each `every`-th file and on the attestation, or on none if `every` is 0.
    """
    names = sorted(p.relative_to(bundle).as_posix() for p in bundle.rglob("*") if p.is_file())
    alike = [name for name in names if name.startswith(ALIKE)]
    left = set(alike) - set(alike[::of])
    names = [name for name in names if name not in left]
    chosen = {*names[::every], ATTESTATION} if every else set()
    for name in names:
        path = bundle / name
        with restored(path) as data:
            # The envelope is text that no other digest covers: look at it more closely.
            wanted = flips * 8 if name == ATTESTATION else flips
            for at in offsets(len(data), wanted):
                changed = bytearray(data)
                changed[at] ^= 1 << (at % 8)
                path.write_bytes(changed)
                yield f"bit {at % 8} of byte {at} flipped", name
            if name not in chosen:
                continue
            path.write_bytes(data + b"\n")
            yield "a byte appended", name
            if data:
                path.write_bytes(data[:-1])
                yield "the last byte removed", name
            path.unlink()
            yield "removed", name
            outside = bundle.parent / "outside"
            outside.write_bytes(data)
            path.symlink_to(outside)
            yield "replaced by a link to the same bytes", name
    if not every:
        return
    files = [name for name in names if name in chosen and name != ATTESTATION]
    for one, other in zip(files, files[1:]):
        with restored(bundle / one) as data, restored(bundle / other) as other_data:
            if data != other_data:
                (bundle / one).write_bytes(other_data)
                (bundle / other).write_bytes(data)
                # Both are altered, and a verifier names the one that it reads first.
                yield f"swapped with {other}", one, other
    for extra in ["extra.txt", ".hidden", "deep/er/extra.json", f"deep/{ATTESTATION}"]:
        path = bundle / extra
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
        yield "added", extra
        path.unlink()
        for folder in path.relative_to(bundle).parents[:-1]:
            (bundle / folder).rmdir()
    (bundle / "empty").mkdir()
    yield "an empty directory added", "empty"
    (bundle / "empty").rmdir()
    if files:
        second = bundle.parent / "second"
        os.link(bundle / files[0], second)
        yield "a second name given", files[0]
        second.unlink()


def run(command, bundle):
    arguments = [part.replace("{}", str(bundle)) for part in command]
    return subprocess.run(arguments, capture_output=True, text=True, errors="replace", check=False)


def main():
    parser = argparse.ArgumentParser(description="Checks that a verifier refuses altered bundles.")
    parser.add_argument("--flips", type=int, default=4, help="flipped bits per file (default 4)")
    parser.add_argument("--every", type=int, default=1, help="alter each N-th file in the other ways, too (default 1; 0: flip bits only)")
    parser.add_argument("--of", type=int, default=1, help="of files of which there are many alike, alter each N-th only (default 1)")
    parser.add_argument("bundle", type=Path)
    parser.add_argument("command", nargs="+", help="the verifier; {} stands for the bundle")
    arguments = parser.parse_args()
    missed = tried = 0
    with tempfile.TemporaryDirectory() as room:
        bundle = Path(room) / "bundle"
        shutil.copytree(arguments.bundle, bundle, symlinks=True)
        good = run(arguments.command, bundle)
        if good.returncode not in VERIFIED:
            print(f"the unaltered bundle was refused ({good.returncode}):\n{good.stderr}", file=sys.stderr)
            return 1
        for what, name, *others in alterations(bundle, arguments.flips, arguments.every, arguments.of):
            tried += 1
            found = run(arguments.command, bundle)
            if found.returncode in VERIFIED:
                print(f"MISSED: {name}: {what}", file=sys.stderr)
                missed += 1
            elif not any(altered in found.stderr for altered in [name, *others]):
                print(f"NOT NAMED: {name}: {what}\n{found.stderr}", file=sys.stderr)
                missed += 1
        good = run(arguments.command, bundle)
        if good.returncode not in VERIFIED:
            print(f"the restored bundle was refused:\n{good.stderr}", file=sys.stderr)
            return 1
    print(f"{tried} alterations, {tried - missed} refused with the file named, {missed} not")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
