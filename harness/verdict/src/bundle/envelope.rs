//! The DSSE envelope: a payload, its type, and signatures over both.
//!
//! [`Envelope::parse`] accepts only one way to write a given envelope, except for the alphabet of base64:
//! DSSE lets a writer choose the standard or the url-safe one for each string. A flipped bit anywhere in the
//! file is therefore found, even one in the padding of a base64 string or in white space that no signature
//! covers.

use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE},
};
use record::digest::is_hex;
use serde::{Deserialize, Serialize};

use super::{json, name};

/// The payload type of every in-toto statement.
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// The largest envelope that is read, in bytes. A statement needs about 130 bytes for each file.
pub const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// Length of an ed25519 signature in bytes.
pub const SIGNATURE_BYTES: usize = 64;

/// A decoded envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// What the payload is; part of what is signed.
    pub payload_type: String,
    /// The signed bytes, to be parsed only after their signature has been checked.
    pub payload: Vec<u8>,
    /// The signatures in ascending order of key id, at most one of each.
    pub signatures: Vec<Signature>,
}

/// One signature over [`super::pae::encode`] of the payload.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signature {
    /// Which key to try, as 64 hexadecimal digits. A hint: it never decides trust.
    pub keyid: String,
    /// The ed25519 signature.
    pub sig: [u8; SIGNATURE_BYTES],
}

/// Why a file is not an envelope of ours. The caller adds the name of the file.
#[derive(Debug, thiserror::Error)]
pub enum EnvelopeError {
    /// Larger than [`MAX_BYTES`].
    #[error("larger than {MAX_BYTES} bytes")]
    TooLarge,
    /// Not one JSON document with exactly the fields of an envelope.
    #[error("not a DSSE envelope: {}", name::printable(&.0.to_string()))]
    Json(serde_json::Error),
    /// A field is not padded base64 in one of its two alphabets.
    #[error("`{field}` is not base64: {reason}")]
    Base64 {
        /// The field.
        field: &'static str,
        /// What the decoder found.
        reason: base64::DecodeError,
    },
    /// A signature of another length.
    #[error("a signature has {0} bytes, an ed25519 signature has 64")]
    SignatureLength(usize),
    /// A key id of another form.
    #[error("a key id is not 64 lower-case hexadecimal digits")]
    Keyid,
    /// Signatures out of order, or two with one key id.
    #[error("signatures are not in ascending order of distinct key ids")]
    SignatureOrder,
    /// Right content, written in another way.
    #[error(
        "not in canonical form (compact JSON, sorted keys, one final newline); \
         it was altered after it was sealed"
    )]
    NotCanonical,
}

// The wire forms; fields in alphabetical order, see `json::canonical`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct WireEnvelope {
    payload: String,
    payload_type: String,
    signatures: Vec<WireSignature>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireSignature {
    keyid: String,
    sig: String,
}

impl Envelope {
    /// Parses the bytes of an envelope file. Checks form only: no signature, not the payload
    /// type, nothing inside the payload.
    pub fn parse(bytes: &[u8]) -> Result<Self, EnvelopeError> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(EnvelopeError::TooLarge);
        }
        let wire: WireEnvelope = json::parse(bytes).map_err(EnvelopeError::Json)?;
        let payload = decode("payload", &wire.payload)?;
        let signatures = wire.signatures.iter().map(decode_signature).collect::<Result<_, _>>()?;
        if wire.to_bytes()? != bytes {
            return Err(EnvelopeError::NotCanonical);
        }
        let envelope = Self { payload_type: wire.payload_type, payload, signatures };
        if !envelope.signatures.is_sorted_by(|a, b| a.keyid < b.keyid) {
            return Err(EnvelopeError::SignatureOrder);
        }
        Ok(envelope)
    }

    /// The canonical bytes of the envelope file, in standard base64: compact JSON with sorted keys and
    /// one newline, which is what `jq -cS .` prints.
    pub fn to_bytes(&self) -> Result<Vec<u8>, EnvelopeError> {
        WireEnvelope {
            payload: STANDARD.encode(&self.payload),
            payload_type: self.payload_type.clone(),
            signatures: self
                .signatures
                .iter()
                .map(|s| WireSignature { keyid: s.keyid.clone(), sig: STANDARD.encode(s.sig) })
                .collect(),
        }
        .to_bytes()
    }
}

impl WireEnvelope {
    fn to_bytes(&self) -> Result<Vec<u8>, EnvelopeError> {
        let mut bytes = json::canonical(self).map_err(EnvelopeError::Json)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

/// Decodes a string that is written in one of the two alphabets, with its padding.
fn decode(field: &'static str, text: &str) -> Result<Vec<u8>, EnvelopeError> {
    let engine = if text.contains(['-', '_']) { URL_SAFE } else { STANDARD };
    engine.decode(text).map_err(|reason| EnvelopeError::Base64 { field, reason })
}

fn decode_signature(wire: &WireSignature) -> Result<Signature, EnvelopeError> {
    if !is_hex(&wire.keyid, &[64]) {
        return Err(EnvelopeError::Keyid);
    }
    let bytes = decode("sig", &wire.sig)?;
    let sig = <[u8; SIGNATURE_BYTES]>::try_from(bytes.as_slice())
        .map_err(|_| EnvelopeError::SignatureLength(bytes.len()))?;
    Ok(Signature { keyid: wire.keyid.clone(), sig })
}

#[cfg(test)]
mod tests {
    use super::{Envelope, EnvelopeError, PAYLOAD_TYPE, Signature};

    /// Payload bytes that use both letters that differ in the url-safe alphabet, and padding.
    const PAYLOAD: &[u8] = &[0xfb, 0xef, 0xff, 0x00];

    fn good() -> String {
        let sign = |digit: &str, byte| Signature { keyid: digit.repeat(64), sig: [byte; 64] };
        let envelope = Envelope {
            payload_type: PAYLOAD_TYPE.to_owned(),
            payload: PAYLOAD.to_vec(),
            signatures: vec![sign("a", 1), sign("b", 2)],
        };
        String::from_utf8(envelope.to_bytes().expect("writes")).expect("ASCII")
    }

    #[test]
    fn the_canonical_form_is_spelled_out() {
        let start = r#"{"payload":"++//AA==","payloadType":"application/vnd.in-toto+json","signatures":[{"keyid":"aaaa"#;
        assert!(good().starts_with(start), "{}", good());
        assert!(good().ends_with("\"}]}\n"));
        assert_eq!(Envelope::parse(good().as_bytes()).expect("parses").payload, PAYLOAD);
    }

    // The protocol of DSSE, field `payload`: a reader takes both alphabets.
    #[test]
    fn the_url_safe_alphabet_says_the_same() {
        let url_safe = good().replacen("++//AA==", "--__AA==", 1);
        assert_ne!(url_safe, good());
        let parse = |text: &str| Envelope::parse(text.as_bytes()).expect("parses");
        assert_eq!(parse(&url_safe), parse(&good()));
    }

    #[test]
    fn every_other_spelling_is_refused() {
        let edits: [(&str, &str); 10] = [
            ("++//AA==", "-+__AA=="),    // both alphabets in one string
            ("++//AA==", "++//AA"),      // no padding
            ("++//AA==", "++//AB=="),    // bits behind the last byte
            ("++//AA==", "++//\\nAA=="), // line break inside base64
            ("}\n", "}"),                // no final newline
            ("}\n", "}\n\n"),            // trailing white space
            ("}\n", "}\n{}"),            // a second document
            ("\"payloadType\"", "\"extra\":1,\"payloadType\""), // unknown field
            ("{\"payload\":", "{\"payload\":\"\",\"payload\":"), // duplicate key
            ("application/vnd", "application\\/vnd"), // another escape of the same text
        ];
        for (from, to) in edits {
            let bad = good().replacen(from, to, 1);
            assert_ne!(bad, good(), "{from}");
            assert!(Envelope::parse(bad.as_bytes()).is_err(), "{to}");
        }
    }

    #[test]
    fn signatures_are_sorted_and_distinct() {
        let swapped = good().replace(&"a".repeat(64), &"c".repeat(64));
        let twice = good().replace(&"a".repeat(64), &"b".repeat(64));
        for bad in [swapped, twice] {
            let error = Envelope::parse(bad.as_bytes()).expect_err("order");
            assert!(matches!(error, EnvelopeError::SignatureOrder), "{error}");
        }
        let upper = good().replace(&"a".repeat(64), &"A".repeat(64));
        assert!(matches!(Envelope::parse(upper.as_bytes()), Err(EnvelopeError::Keyid)));
    }

    #[test]
    fn a_signature_has_64_bytes() {
        let short =
            r#"{"payload":"","payloadType":"x","signatures":[{"keyid":"KEYID","sig":"AA=="}]}"#
                .replace("KEYID", &"a".repeat(64));
        let error = Envelope::parse(short.as_bytes()).expect_err("short");
        assert!(matches!(error, EnvelopeError::SignatureLength(1)), "{error}");
    }
}
