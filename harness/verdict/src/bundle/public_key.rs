//! An ed25519 public key, as reviewers keep and exchange it.

use ed25519_dalek::{
    VerifyingKey,
    pkcs8::{DecodePublicKey, EncodePublicKey, spki::der::pem::LineEnding},
};
use record::digest::sha256;

use super::envelope::Signature;

/// A public key together with the id that envelopes use for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    key: VerifyingKey,
    keyid: String,
}

/// Why a text is not a usable public key.
#[derive(Debug, thiserror::Error)]
pub enum PublicKeyError {
    /// Not the PEM of an ed25519 `SubjectPublicKeyInfo`.
    #[error(
        "not an ed25519 public key in PEM form ({0}); `openssl pkey -in KEY -pubout` writes one"
    )]
    Pem(String),
    /// A point of small order, under which one signature fits many messages.
    #[error("a weak ed25519 key: signatures under it prove nothing")]
    Weak,
}

impl PublicKey {
    /// Wraps a key; refuses points of small order.
    pub fn new(key: VerifyingKey) -> Result<Self, PublicKeyError> {
        if key.is_weak() {
            return Err(PublicKeyError::Weak);
        }
        let keyid = keyid(key.as_bytes());
        Ok(Self { key, keyid })
    }

    /// Reads the PEM form that `openssl pkey -pubout` writes.
    pub fn from_pem(text: &str) -> Result<Self, PublicKeyError> {
        let key = VerifyingKey::from_public_key_pem(text)
            .map_err(|error| PublicKeyError::Pem(error.to_string()))?;
        Self::new(key)
    }

    /// The PEM form, with a final newline.
    pub fn to_pem(&self) -> Result<String, PublicKeyError> {
        self.key
            .to_public_key_pem(LineEnding::LF)
            .map_err(|error| PublicKeyError::Pem(error.to_string()))
    }

    /// The key id, 64 hexadecimal digits.
    pub fn keyid(&self) -> &str {
        &self.keyid
    }

    /// Whether `signature` is one of `message` under this key. Strict: a signature has one
    /// encoding only. The key id in the signature is not looked at.
    pub fn accepts(&self, message: &[u8], signature: &Signature) -> bool {
        let sig = ed25519_dalek::Signature::from_bytes(&signature.sig);
        self.key.verify_strict(message, &sig).is_ok()
    }
}

/// The key id that securesystemslib derives for an ed25519 key, and demands: the sha256 of the
/// key's canonical JSON description.
fn keyid(public: &[u8; 32]) -> String {
    let public = hex::encode(public);
    let described =
        format!(r#"{{"keytype":"ed25519","keyval":{{"public":"{public}"}},"scheme":"ed25519"}}"#);
    sha256(described.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::{PublicKey, PublicKeyError, Signature};
    use ed25519_dalek::{SigningKey, VerifyingKey};

    /// The group order, little-endian: adding it to S gives the same point in another encoding.
    const ORDER: [u8; 32] = [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde,
        0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];

    #[test]
    fn weak_keys_are_refused() {
        let mut identity = [0; 32];
        identity[0] = 1;
        for encoded in [identity, [0; 32]] {
            let key = VerifyingKey::from_bytes(&encoded).expect("a curve point");
            assert!(matches!(PublicKey::new(key), Err(PublicKeyError::Weak)));
        }
    }

    #[test]
    fn a_signature_has_one_encoding_only() {
        use ed25519_dalek::Signer;
        let signer = SigningKey::from_bytes(&[7; 32]);
        let key = PublicKey::new(signer.verifying_key()).expect("strong");
        let mut signature =
            Signature { keyid: key.keyid().to_owned(), sig: signer.sign(b"m").to_bytes() };
        assert!(key.accepts(b"m", &signature));
        let mut carry = 0;
        for (byte, add) in signature.sig[32..].iter_mut().zip(ORDER) {
            let sum = u16::from(*byte) + u16::from(add) + carry;
            *byte = sum.to_le_bytes()[0];
            carry = sum >> 8;
        }
        assert!(!key.accepts(b"m", &signature));
    }

    #[test]
    fn rubbish_is_not_a_key() {
        assert!(matches!(PublicKey::from_pem("ssh-ed25519 AAAA"), Err(PublicKeyError::Pem(_))));
    }
}
