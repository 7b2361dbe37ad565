//! The attestation of a bundle as a Sigstore bundle, which `cosign` and the libraries of Sigstore read.
//!
//! Nothing that is signed is added or changed. There is neither a certificate nor an entry of a transparency log: trust
//! comes from a public key that the reader has. A Sigstore bundle holds one signature.

use std::{fs, path::Path};

use record::exit;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use verdict::bundle::ATTESTATION;

use crate::Failure;

/// Version 0.3 of the format, as its specification names it.
const MEDIA_TYPE: &str = "application/vnd.dev.sigstore.bundle.v0.3+json";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope {
    payload: String,
    payload_type: String,
    signatures: Vec<Signature>,
}

#[derive(Deserialize, Serialize)]
struct Signature {
    keyid: String,
    sig: String,
}

/// The Sigstore bundle of the folder `bundle`, with the signature of the key whose id begins with `key`. Without
/// `key` there must be only one signature.
///
/// # Errors
/// The attestation cannot be read, or not exactly one signature is meant.
pub fn of_bundle(bundle: &Path, key: Option<&str>) -> Result<Value, Failure> {
    let path = bundle.join(ATTESTATION);
    let wrong = |code: u8, why: String| Failure::new(code, format!("{}: {why}", path.display()));
    let bytes = fs::read(&path).map_err(|error| wrong(exit::IO, error.to_string()))?;
    let Envelope { payload, payload_type, signatures } =
        serde_json::from_slice(&bytes).map_err(|error| wrong(exit::DIGEST, error.to_string()))?;
    let ids: Vec<&str> = signatures.iter().map(|one| &*one.keyid).collect();
    let meant: Vec<&Signature> =
        signatures.iter().filter(|one| one.keyid.starts_with(key.unwrap_or_default())).collect();
    let [signature] = meant[..] else {
        let why = format!(
            "{} signatures fit, and a Sigstore bundle holds one; choose one by --key: {}",
            meant.len(),
            ids.join(" ")
        );
        return Err(wrong(exit::USAGE, why));
    };
    Ok(json!({
        "mediaType": MEDIA_TYPE,
        "verificationMaterial": { "publicKey": { "hint": signature.keyid }, "tlogEntries": [] },
        "dsseEnvelope": { "payload": payload, "payloadType": payload_type, "signatures": [signature] },
    }))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::of_bundle;

    #[test]
    fn one_signature_is_chosen_and_nothing_signed_is_changed() {
        let place = tempfile::tempdir().unwrap();
        let signed = |ids: &[&str]| {
            let signatures: Vec<_> =
                ids.iter().map(|id| json!({"keyid": id, "sig": format!("by {id}")})).collect();
            let envelope =
                json!({"payload": "cA==", "payloadType": "a type", "signatures": signatures});
            fs::write(place.path().join("attestation.intoto.json"), envelope.to_string()).unwrap();
        };
        signed(&["1a2b", "3c4d"]);
        let found = of_bundle(place.path(), Some("3c")).unwrap();
        let envelope = &found["dsseEnvelope"];
        assert_eq!(envelope["signatures"], json!([{"keyid": "3c4d", "sig": "by 3c4d"}]));
        assert_eq!(
            (&envelope["payload"], &envelope["payloadType"]),
            (&"cA==".into(), &"a type".into())
        );
        assert_eq!(found["verificationMaterial"]["publicKey"]["hint"], "3c4d");
        let why = |key: Option<&str>| of_bundle(place.path(), key).unwrap_err().to_string();
        assert!(why(None).contains("2 signatures fit") && why(None).contains("1a2b 3c4d"));
        assert!(why(Some("5e")).contains("0 signatures fit"));
        signed(&["1a2b"]);
        assert!(of_bundle(place.path(), None).is_ok());
    }
}
