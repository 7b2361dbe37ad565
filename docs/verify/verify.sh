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

# 1. The envelope has exactly one spelling: compact JSON, sorted keys, sorted signatures, a final
#    newline, padded standard base64. So no bit of the file can change unnoticed.
envelope=$bundle/$attestation
if [ -L "$envelope" ] || [ ! -f "$envelope" ]; then
    refuse "$attestation" 'missing, or not a regular file' 21
fi
[ "$(wc -c <"$envelope")" -le "$max_bytes" ] || refuse "$attestation" 'too large' 22
cp "$envelope" "$work/envelope"
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
' "$work/envelope" >/dev/null 2>&1 || refuse "$attestation" 'not a DSSE envelope of an in-toto statement' 22
jq -cS '.signatures |= sort_by(.keyid)' "$work/envelope" >"$work/canonical"
cmp -s "$work/envelope" "$work/canonical" || refuse "$attestation" 'not in canonical form' 22

# decode TEXT BYTES: strict, in that encoding the bytes again must give the same text.
decode() {
    base64 -d <"$1" >"$2" 2>/dev/null || return 1
    base64 <"$2" | tr -d '\n' | cmp -s - "$1"
}
jq -j .payload "$work/envelope" >"$work/payload.b64"
decode "$work/payload.b64" "$work/payload" || refuse "$attestation" 'payload is not standard base64' 22

# 2. The signatures cover the type and the payload, each with its length in bytes (DSSE PAE).
type=application/vnd.in-toto+json
{
    printf 'DSSEv1 %d %s %d ' "${#type}" "$type" "$(wc -c <"$work/payload")"
    cat "$work/payload"
} >"$work/pae"
: >"$work/checked"
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
    jq -j --arg keyid "$keyid" '.signatures[] | select(.keyid == $keyid) | .sig' \
        "$work/envelope" >"$work/sig.b64"
    [ -s "$work/sig.b64" ] || refuse "$attestation" "no signature by $keyid ($key)" 23
    decode "$work/sig.b64" "$work/sig" || refuse "$attestation" 'a signature is not standard base64' 22
    openssl pkeyutl -verify -rawin -pubin -inkey "$key" -in "$work/pae" -sigfile "$work/sig" \
        >/dev/null 2>&1 || refuse "$attestation" "the signature by $keyid does not fit" 22
    echo "signed by: $keyid ($key)"
    echo "$keyid" >>"$work/checked"
done

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

# 4. A closed world: the files of the statement, all of them, and nothing else.
cd "$bundle"
find . ! -type f ! -type d >"$work/strange"
if [ -s "$work/strange" ]; then
    refuse "$(head -n 1 "$work/strange")" 'neither a regular file nor a directory' 21
fi
find . -type f | sed 's|^\./||' | sort >"$work/present"
{
    echo "$attestation"
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
jq -r '.signatures[].keyid' "$work/envelope" | while read -r keyid; do
    grep -qxF "$keyid" "$work/checked" || echo "not checked: the signature by $keyid"
done
result=$(jq -r .predicate.result "$work/payload")
echo "result: $result"
case $result in
    PASSED) exit 0 ;;
    WARNED) exit 11 ;;
    *) exit 10 ;;
esac
