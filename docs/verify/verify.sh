#!/bin/sh
# Verifies a sign-off bundle with public tools only: openssl 3, jq and the usual file utilities.
#
#   verify.sh BUNDLE PUBKEY.pem [PUBKEY.pem ...]
#
# Every given key must have signed. Take the keys from the people who signed, never from the
# bundle. Exit: 0 verified and PASSED, 10 verified and FAILED, 11 verified and WARNED,
# 2 usage, 20 a tool is missing, 21 a file differs, 22 a bad signature, 23 not signed by a key.
# A refusal names the file. The gates are not computed again: `parity verify` does that.
set -eu
export LC_ALL=C

attestation=attestation.intoto.json
max_bytes=33554432

# refuse FILE REASON CODE; unprintable characters of a hostile file name are replaced.
refuse() {
    printf 'refused: %s: %s\n' "$(printf '%s' "$1" | tr -c '[:print:]' '?')" "$2" >&2
    exit "$3"
}

if [ $# -lt 2 ]; then
    echo 'usage: verify.sh BUNDLE PUBKEY.pem [PUBKEY.pem ...]' >&2
    exit 2
fi
for tool in jq openssl sha256sum base64 realpath od cmp comm find; do
    command -v "$tool" >/dev/null || { echo "verify.sh needs $tool: install it first" >&2; exit 20; }
done
bundle=$1
shift
[ -d "$bundle" ] || refuse "$bundle" 'not a directory' 2
bundle=$(realpath "$bundle")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# decode TEXT BYTES: strict, in that encoding the bytes again must give the same text.
decode() {
    base64 -d <"$1" >"$2" 2>/dev/null || return 1
    base64 <"$2" | tr -d '\n' | cmp -s - "$1"
}

# open_envelope NAME AS: reads an envelope of the bundle once. It has exactly one spelling: compact JSON,
# sorted keys, sorted signatures, a final newline, padded standard base64. So no bit of the file can change
# unnoticed. Leaves AS.envelope, AS.payload, and AS.pae, which is what is signed: the type and the payload,
# each with its length in bytes (DSSE PAE).
type=application/vnd.in-toto+json
open_envelope() {
    if [ -L "$bundle/$1" ] || [ ! -f "$bundle/$1" ]; then
        refuse "$1" 'missing, or not a regular file' 21
    fi
    [ "$(wc -c <"$bundle/$1")" -le "$max_bytes" ] || refuse "$1" 'too large' 22
    cp "$bundle/$1" "$2.envelope"
    jq -es '
        length == 1 and (.[0] |
            keys == ["payload", "payloadType", "signatures"]
            and (.payload | type == "string")
            and .payloadType == "application/vnd.in-toto+json"
            and (.signatures | type == "array" and length > 0)
            and all(.signatures[]; keys == ["keyid", "sig"]
                and (.sig | type == "string")
                and (.keyid | type == "string" and test("\\A[0-9a-f]{64}\\z")))
            and ([.signatures[].keyid] | length == (unique | length)))
    ' "$2.envelope" >/dev/null 2>&1 || refuse "$1" 'not a DSSE envelope of an in-toto statement' 22
    jq -cS '.signatures |= sort_by(.keyid)' "$2.envelope" >"$2.canonical"
    cmp -s "$2.envelope" "$2.canonical" || refuse "$1" 'not in canonical form' 22
    jq -j .payload "$2.envelope" >"$2.b64"
    decode "$2.b64" "$2.payload" || refuse "$1" 'payload is not standard base64' 22
    {
        printf 'DSSEv1 %d %s %d ' "${#type}" "$type" "$(wc -c <"$2.payload")"
        cat "$2.payload"
    } >"$2.pae"
}

# check_signature NAME AS KEY KEYID: the key must have signed the opened envelope.
check_signature() {
    jq -j --arg keyid "$4" '.signatures[] | select(.keyid == $keyid) | .sig' "$2.envelope" >"$work/sig.b64"
    [ -s "$work/sig.b64" ] || refuse "$1" "no signature by $4 ($3)" 23
    decode "$work/sig.b64" "$work/sig" || refuse "$1" 'a signature is not standard base64' 22
    openssl pkeyutl -verify -rawin -pubin -inkey "$3" -in "$2.pae" -sigfile "$work/sig" \
        >/dev/null 2>&1 || refuse "$1" "the signature by $4 does not fit" 22
}

# 1. The envelope.
open_envelope "$attestation" "$work/main"
ln -s main.payload "$work/payload"
attested=$(sha256sum <"$work/payload" | cut -d ' ' -f 1)

# 2. The signatures, and of each key the notes that it signed: statements of their own, whose one subject is
#    the payload of the attestation.
: >"$work/checked"
: >"$work/notes"
for key in "$@"; do
    openssl pkey -pubin -in "$key" -outform DER -out "$work/key.der" 2>/dev/null ||
        refuse "$key" 'not a public key in PEM form' 2
    prefix=$(head -c 12 "$work/key.der" | od -An -v -tx1 | tr -d ' \n')
    if [ "$prefix" != 302a300506032b6570032100 ]; then
        refuse "$key" 'not an ed25519 key' 2
    fi
    case $(realpath "$key") in
        "$bundle"/*) refuse "$key" 'trust cannot come from inside the bundle' 23 ;;
    esac
    # The key id is the sha256 of a canonical description of the key; it only finds the signature.
    public=$(tail -c 32 "$work/key.der" | od -An -v -tx1 | tr -d ' \n')
    keyid=$(printf '{"keytype":"ed25519","keyval":{"public":"%s"},"scheme":"ed25519"}' "$public" |
        sha256sum | cut -d ' ' -f 1)
    check_signature "$attestation" "$work/main" "$key" "$keyid"
    echo "signed by: $keyid ($key)"
    echo "$keyid" >>"$work/checked"
    for kind in environment review; do
        note=notes/$kind.$keyid.intoto.json
        [ -e "$bundle/$note" ] || [ -L "$bundle/$note" ] || continue
        open_envelope "$note" "$work/note"
        [ "$(jq '.signatures | length' "$work/note.envelope")" = 1 ] || refuse "$note" 'not one signature' 22
        check_signature "$note" "$work/note" "$key" "$keyid"
        jq -es --arg attested "$attested" --arg type "urn:parity:$kind:1" '
            length == 1 and (.[0] |
                keys == ["_type", "predicate", "predicateType", "subject"]
                and ._type == "https://in-toto.io/Statement/v1"
                and .predicateType == $type
                and .subject == [{
                    digest: {sha256: $attested}, name: "payload of attestation.intoto.json"}])
        ' "$work/note.payload" >/dev/null 2>&1 || refuse "$note" 'not about this bundle' 21
        jq -cjS . "$work/note.payload" | cmp -s - "$work/note.payload" ||
            refuse "$note" 'the payload is not in canonical form' 21
        echo "$note" >>"$work/notes"
        # What is said is data: nothing of it may steer a terminal.
        jq -r '.predicate | to_entries[] | select(.value | type != "object") | "\(.key): \(.value)"' \
            "$work/note.payload" | tr -c '[:print:]\n' '?' | sed "s/^/note: $kind: /"
    done
done
# Notes of signers whose keys were not given are there and say nothing.
jq -r '.signatures[].keyid' "$work/main.envelope" | while read -r keyid; do
    grep -qxF "$keyid" "$work/checked" && continue
    for kind in environment review; do
        note=notes/$kind.$keyid.intoto.json
        if [ -e "$bundle/$note" ]; then echo "$note" >>"$work/notes"; fi
    done
done
grep -q '^notes/environment' "$work/notes" ||
    refuse "notes/environment.$(head -n 1 "$work/checked").intoto.json" 'missing' 21

# 3. The statement: what is claimed about which files. Only now is its content looked at.
jq -es '
    length == 1 and (.[0] |
        ._type == "https://in-toto.io/Statement/v1"
        and .predicateType == "https://in-toto.io/attestation/test-result/v0.1"
        and keys == ["_type", "predicate", "predicateType", "subject"]
        and ([.subject[].name] | length == (unique | length) and index("source") != null)
        and all(.subject[]; .name == "source" or (
            (.digest | keys == ["sha256"])
            and (.digest.sha256 | test("\\A[0-9a-f]{64}\\z"))
            and (.name | test("\\A[A-Za-z0-9._+@=,%~][A-Za-z0-9._+@=,%~/-]*\\z")
                and (split("/") | all(. != "" and . != "." and . != ".." and (startswith("-") | not))))))
        and (.predicate |
            (.passedTests + .warnedTests + .failedTests | length == (unique | length))
            and .result == (
                if (.failedTests | length) > 0 or (.passedTests + .warnedTests | length) == 0
                then "FAILED"
                elif (.warnedTests | length) > 0 then "WARNED"
                else "PASSED" end)))
' "$work/payload" >/dev/null 2>&1 || refuse "$attestation" 'the payload is not a statement of ours' 21
jq -cjS . "$work/payload" | cmp -s - "$work/payload" ||
    refuse "$attestation" 'the payload is not in canonical form' 21

# 4. A closed world: the files of the statement, all of them, the notes, and nothing else.
cd "$bundle"
find . ! -type f ! -type d >"$work/strange"
if [ -s "$work/strange" ]; then
    refuse "$(head -n 1 "$work/strange")" 'neither a regular file nor a directory' 21
fi
find . -type f | sed 's|^\./||' | sort >"$work/present"
{
    echo "$attestation"
    cat "$work/notes"
    jq -r '.subject[].name | select(. != "source")' "$work/payload"
} | sort >"$work/listed"
extra=$(comm -13 "$work/listed" "$work/present" | head -n 1)
[ -z "$extra" ] || refuse "$extra" 'not listed by the statement' 21
missing=$(comm -23 "$work/listed" "$work/present" | head -n 1)
[ -z "$missing" ] || refuse "$missing" 'listed by the statement and missing' 21
find . -type f -links +1 >"$work/linked"
if [ -s "$work/linked" ]; then
    refuse "$(head -n 1 "$work/linked")" 'has another name somewhere (a hard link)' 21
fi
find . -mindepth 1 -type d -empty >"$work/empty"
if [ -s "$work/empty" ]; then
    refuse "$(head -n 1 "$work/empty")" 'an empty directory' 21
fi

# 5. Every digest.
jq -r '.subject[] | select(.name != "source") | "\(.digest.sha256)  \(.name)"' \
    "$work/payload" >"$work/sums"
if ! sha256sum --check --strict --quiet "$work/sums" >"$work/differs" 2>/dev/null; then
    refuse "$(sed -n 's/: FAILED.*$//p' "$work/differs" | head -n 1)" 'its sha256 differs' 21
fi

# 6. What it says, and what was not checked.
echo "verified: $(wc -l <"$work/sums") files"
jq -r '.subject[] | select(.name == "source") |
    "source: commit \(.digest.gitCommit), tree \(.digest.gitTree)"' "$work/payload"
jq -r '.predicate | {passed: .passedTests, warned: .warnedTests, failed: .failedTests} |
    to_entries[] | select(.value | length > 0) | "\(.key): \(.value | join(" "))"' "$work/payload"
echo 'not checked: that the recordings give this result (parity verify computes it again)'
echo 'not checked: that the recordings come from real runs; that is the word of the signers'
jq -r '.signatures[].keyid' "$work/main.envelope" | while read -r keyid; do
    grep -qxF "$keyid" "$work/checked" || echo "not checked: the signature by $keyid, and its notes"
done
result=$(jq -r .predicate.result "$work/payload")
echo "result: $result"
case $result in
    PASSED) exit 0 ;;
    WARNED) exit 11 ;;
    *) exit 10 ;;
esac
