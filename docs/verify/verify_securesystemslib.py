"""Verifies a sign-off bundle with securesystemslib, the library behind TUF and in-toto.

    verify_securesystemslib.py BUNDLE PUBKEY.pem [PUBKEY.pem ...]

Every given key must have signed. Take the keys from the people who signed, never from the
bundle. Exit: 0 verified and PASSED, 10 verified and FAILED, 11 verified and WARNED, 2 usage,
21 a file differs, 22 a bad signature, 23 not signed by a key. A refusal names the file. The
gates are not computed again: `parity verify` does that.
"""

import base64
import copy
import hashlib
import json
import os
import re
import stat
import sys
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey

ATTESTATION = "attestation.intoto.json"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "https://in-toto.io/attestation/test-result/v0.1"
MAX_BYTES = 32 * 1024 * 1024
EXIT_CODES = {"PASSED": 0, "FAILED": 10, "WARNED": 11}
SHA256 = re.compile(r"[0-9a-f]{64}")
COMPONENT = re.compile(r"(?!-)(?!\.{1,2}$)[A-Za-z0-9._+@=,%~-]+")


class Refused(Exception):
    """The bundle is not what it should be: which file, why, and the exit code."""

    def __init__(self, file, reason, code):
        printable = "".join(c if c.isprintable() else "?" for c in str(file))
        super().__init__(f"{printable}: {reason}")
        self.code = code


def require(condition, file, reason, code):
    if not condition:
        raise Refused(file, reason, code)


def load_json(data, code, file=ATTESTATION):
    """Parses one JSON document and refuses duplicate keys, on which parsers disagree."""

    def without_duplicates(pairs):
        document = dict(pairs)
        require(len(document) == len(pairs), file, "duplicate JSON key", code)
        return document

    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=without_duplicates)
    except (ValueError, RecursionError) as error:
        raise Refused(file, f"not JSON: {error}", code) from error


def canonical(document):
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def strict_base64(text, file):
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError as error:
        raise Refused(file, f"not standard base64: {error}", 22) from error
    # Encoding must give the same text back: no stray bits, no missing padding.
    require(base64.b64encode(data).decode() == text, file, "not strict base64", 22)
    return data


def read_envelope(bundle, file=ATTESTATION):
    path = bundle / file
    regular = os.path.lexists(path) and stat.S_ISREG(path.lstat().st_mode)
    require(regular, file, "missing, or not a regular file", 21)
    require(path.stat().st_size <= MAX_BYTES, file, "too large", 22)
    data = path.read_bytes()
    document = load_json(data, 22, file)
    try:
        keyids = [signature["keyid"] for signature in document["signatures"]]
        strict_base64(document["payload"], file)
        for signature in document["signatures"]:
            strict_base64(signature["sig"], file)
    except (KeyError, TypeError, AttributeError) as error:
        raise Refused(file, "not a DSSE envelope", 22) from error
    shape = set(document) == {"payload", "payloadType", "signatures"} and all(
        set(signature) == {"keyid", "sig"} for signature in document["signatures"]
    )
    require(shape, file, "not a DSSE envelope", 22)
    require(document["payloadType"] == PAYLOAD_TYPE, file, "another payload type", 22)
    require(keyids, file, "not signed", 22)
    require(keyids == sorted(set(keyids)), file, "signatures out of order", 22)
    require(canonical(document) + b"\n" == data, file, "not in canonical form", 22)
    return document


def load_key(path, bundle):
    inside = bundle in Path(path).resolve().parents
    require(not inside, path, "trust cannot come from inside the bundle", 23)
    try:
        key = load_pem_public_key(Path(path).read_bytes())
    except (OSError, ValueError) as error:
        raise Refused(path, f"not a public key in PEM form: {error}", 2) from error
    require(isinstance(key, Ed25519PublicKey), path, "not an ed25519 key", 2)
    return SSlibKey.from_crypto(key)


def check_signatures(document, keys):
    """Returns the payload bytes once every key has signed them."""
    # from_dict rewrites the signatures of what it is given.
    envelope = Envelope.from_dict(copy.deepcopy(document))
    for path, key in keys.items():
        signed = key.keyid in envelope.signatures
        require(signed, ATTESTATION, f"no signature by {key.keyid} ({path})", 23)
        try:
            envelope.verify([key], 1)
        except Exception as error:
            raise Refused(ATTESTATION, f"bad signature by {key.keyid}: {error}", 22) from error
        print(f"signed by: {key.keyid} ({path})")
    return envelope.payload


def check_note(bundle, file, kind, path, key, attested):
    """Checks a note: a statement of its own by one key, about the payload of the attestation."""
    document = read_envelope(bundle, file)
    require(len(document["signatures"]) == 1, file, "not one signature", 22)
    envelope = Envelope.from_dict(copy.deepcopy(document))
    require(key.keyid in envelope.signatures, file, f"no signature by {key.keyid} ({path})", 22)
    try:
        envelope.verify([key], 1)
    except Exception as error:
        raise Refused(file, f"bad signature by {key.keyid}: {error}", 22) from error
    statement = load_json(envelope.payload, 21, file)
    require(canonical(statement) == envelope.payload, file, "payload not in canonical form", 21)
    subject = {
        "digest": {"sha256": hashlib.sha256(attested).hexdigest()},
        "name": "payload of attestation.intoto.json",
    }
    good = (
        isinstance(statement, dict)
        and set(statement) == {"_type", "predicate", "predicateType", "subject"}
        and statement["_type"] == STATEMENT_TYPE
        and statement["predicateType"] == f"urn:parity:{kind}:1"
        and statement["subject"] == [subject]
        and isinstance(statement["predicate"], dict)
    )
    require(good, file, "not about this bundle", 21)
    for name, value in statement["predicate"].items():
        if not isinstance(value, dict):
            shown = "".join(c if c.isprintable() else "?" for c in f"{name}: {value}")
            print(f"note: {kind}: {shown}")


def check_notes(bundle, document, keys, attested):
    """Returns the names of the notes. Those of signers whose keys were not given say nothing."""
    by_keyid = {key.keyid: (path, key) for path, key in keys.items()}
    notes = set()
    for signature in document["signatures"]:
        for kind in ("environment", "review"):
            file = f"notes/{kind}.{signature['keyid']}.intoto.json"
            if not os.path.lexists(bundle / file):
                continue
            if signature["keyid"] in by_keyid:
                check_note(bundle, file, kind, *by_keyid[signature["keyid"]], attested)
            notes.add(file)
    missing = f"notes/environment.{next(iter(by_keyid))}.intoto.json"
    made = any(name.startswith("notes/environment.") for name in notes)
    require(made, missing, "missing", 21)
    return notes


def read_statement(payload):
    """Returns the statement, the digest of each file, and the source."""
    statement = load_json(payload, 21)
    require(canonical(statement) == payload, ATTESTATION, "payload not in canonical form", 21)
    try:
        require(statement["_type"] == STATEMENT_TYPE, ATTESTATION, "another statement type", 21)
        require(statement["predicateType"] == PREDICATE_TYPE, ATTESTATION, "another predicate", 21)
        names = [subject["name"] for subject in statement["subject"]]
        require(len(names) == len(set(names)), ATTESTATION, "a subject is listed twice", 21)
        digests = {subject["name"]: subject["digest"] for subject in statement["subject"]}
        source = digests.pop("source")
        for name, digest in digests.items():
            parts = name.split("/")
            good = all(COMPONENT.fullmatch(part) for part in parts)
            require(good, ATTESTATION, f"subject {name!r} is not a portable path", 21)
            good = set(digest) == {"sha256"} and SHA256.fullmatch(digest["sha256"])
            require(good, ATTESTATION, f"subject {name!r} has no sha256", 21)
        predicate = statement["predicate"]
        passed, warned, failed = (predicate[kind + "Tests"] for kind in ("passed", "warned", "failed"))
        tests = passed + warned + failed
        require(len(tests) == len(set(tests)), ATTESTATION, "a test is listed twice", 21)
        follows = "FAILED" if failed or not tests else "WARNED" if warned else "PASSED"
        require(predicate["result"] == follows, ATTESTATION, "result contradicts its lists", 21)
    except (KeyError, TypeError, AttributeError) as error:
        raise Refused(ATTESTATION, "the payload is not a statement of ours", 21) from error
    return statement, {name: digest["sha256"] for name, digest in digests.items()}, source


def list_files(bundle):
    """Lists the files below a directory and its empty directories; refuses links, pipes and the like."""
    files, empty, pending = set(), set(), [""]
    while pending:
        folder = pending.pop()
        with os.scandir(bundle / folder) as entries:
            count = 0
            for entry in entries:
                count += 1
                name = Path(entry.path).relative_to(bundle).as_posix()
                if entry.is_dir(follow_symlinks=False):
                    pending.append(name)
                else:
                    regular = entry.is_file(follow_symlinks=False)
                    require(regular, name, "neither a regular file nor a directory", 21)
                    links = entry.stat(follow_symlinks=False).st_nlink
                    require(links == 1, name, "has another name somewhere (a hard link)", 21)
                    files.add(name)
        if folder and not count:
            empty.add(folder)
    return files, empty


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def check_files(bundle, digests, notes):
    present, empty = list_files(bundle)
    present -= {ATTESTATION} | notes
    for name in sorted(present - set(digests)):
        raise Refused(name, "not listed by the statement", 21)
    for name in sorted(set(digests) - present):
        raise Refused(name, "listed by the statement and missing", 21)
    for name in sorted(empty):
        raise Refused(name, "an empty directory", 21)
    for name, digest in sorted(digests.items()):
        require(sha256_of(bundle / name) == digest, name, "its sha256 differs", 21)


def verify(bundle, key_paths):
    """Prints what was verified and returns the exit code; raises Refused."""
    require(bundle.is_dir(), bundle, "not a directory", 2)
    bundle = bundle.resolve()
    document = read_envelope(bundle)
    keys = {path: load_key(path, bundle) for path in key_paths}
    payload = check_signatures(document, keys)
    notes = check_notes(bundle, document, keys, payload)
    statement, digests, source = read_statement(payload)
    check_files(bundle, digests, notes)
    print(f"verified: {len(digests)} files")
    print(f"source: commit {source.get('gitCommit')}, tree {source.get('gitTree')}")
    predicate = statement["predicate"]
    for kind in ("passed", "warned", "failed"):
        if tests := predicate[kind + "Tests"]:
            print(f"{kind}:", *tests)
    print("not checked: that the recordings give this result (parity verify computes it again)")
    print("not checked: that the recordings come from real runs; that is the word of the signers")
    known = {key.keyid for key in keys.values()}
    for signature in document["signatures"]:
        if signature["keyid"] not in known:
            print(f"not checked: the signature by {signature['keyid']}, and its notes")
    print("result:", predicate["result"])
    return EXIT_CODES[predicate["result"]]


def main():
    if len(sys.argv) < 3:
        print("usage: verify_securesystemslib.py BUNDLE PUBKEY.pem [PUBKEY.pem ...]", file=sys.stderr)
        return 2
    try:
        return verify(Path(sys.argv[1]), sys.argv[2:])
    except Refused as refusal:
        print(f"refused: {refusal}", file=sys.stderr)
        return refusal.code


if __name__ == "__main__":
    sys.exit(main())
