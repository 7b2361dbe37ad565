//! Who signed an envelope, by the rules of a policy.

use serde::Serialize;

use super::{
    ATTESTATION,
    envelope::Envelope,
    pae,
    policy::{Policy, TrustedKey},
};

/// A trusted key that signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signer {
    /// The role it acts in.
    pub role: String,
    /// Its id.
    pub keyid: String,
    /// The file of the reader that holds the public key.
    pub file: String,
}

/// The signatures of an envelope, sorted into those that count and those that do not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signers {
    /// Trusted keys with a good signature, each once.
    pub trusted: Vec<Signer>,
    /// Ids of keys the reader does not know. Their signatures could not be checked.
    pub unknown: Vec<String>,
}

/// Why the signatures are refused.
#[derive(Debug, thiserror::Error)]
pub enum SignatureError {
    /// There is none.
    #[error("{ATTESTATION}: not signed")]
    Unsigned,
    /// A trusted key is named and did not sign this.
    #[error("{ATTESTATION}: the signature by {keyid} does not fit the payload; one was altered")]
    Bad {
        /// The key.
        keyid: String,
    },
    /// A good signature under the name of another key.
    #[error("{ATTESTATION}: a signature by {keyid} is labelled {label}; it was altered")]
    Mislabelled {
        /// The key that signed.
        keyid: String,
        /// The key id it is filed under.
        label: String,
    },
    /// Only strangers signed.
    #[error(
        "{ATTESTATION}: signed by {} and by no key trusted by {origin} ({known} known); if you \
         know the signer, put the public key into `trusted` in your configuration directory or \
         pass --policy",
        .unknown.join(", ")
    )]
    NoTrustedKey {
        /// The ids of the keys that signed.
        unknown: Vec<String>,
        /// Where the policy comes from.
        origin: String,
        /// How many keys it trusts.
        known: usize,
    },
    /// Too few different keys of a role.
    #[error(
        "{ATTESTATION}: role `{role}` needs signatures by {threshold} different keys, found {found}"
    )]
    Threshold {
        /// The role.
        role: String,
        /// How many are needed.
        threshold: usize,
        /// How many there are.
        found: usize,
    },
}

impl SignatureError {
    /// The exit code of the program: 22 for a signature that is wrong, 23 for good signatures
    /// that the policy does not accept.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Unsigned | Self::Bad { .. } | Self::Mislabelled { .. } => 22,
            Self::NoTrustedKey { .. } | Self::Threshold { .. } => 23,
        }
    }
}

/// Checks every signature against every trusted key, whatever its label, and then the number of
/// unique keys of each role.
pub fn check(envelope: &Envelope, policy: &Policy) -> Result<Signers, SignatureError> {
    if envelope.signatures.is_empty() {
        return Err(SignatureError::Unsigned);
    }
    let message = pae::encode(&envelope.payload_type, &envelope.payload);
    let mut signed: Vec<&TrustedKey> = Vec::new();
    let mut unknown = Vec::new();
    for signature in &envelope.signatures {
        let label = &signature.keyid;
        let accepts = |trusted: &&TrustedKey| trusted.key.accepts(&message, signature);
        match policy.keys.iter().find(accepts) {
            Some(trusted) if trusted.key.keyid() == label => signed.push(trusted),
            Some(trusted) => {
                let keyid = trusted.key.keyid().to_owned();
                return Err(SignatureError::Mislabelled { keyid, label: label.clone() });
            }
            None if policy.keys.iter().any(|trusted| trusted.key.keyid() == label) => {
                return Err(SignatureError::Bad { keyid: label.clone() });
            }
            None => unknown.push(label.clone()),
        }
    }
    if signed.is_empty() {
        let (origin, known) = (policy.origin.display().to_string(), policy.keys.len());
        return Err(SignatureError::NoTrustedKey { unknown, origin, known });
    }
    for (role, required) in &policy.roles {
        // Labels are distinct in an envelope and each equals the id of the key that signed, so
        // this counts keys, not signatures.
        let found = signed.iter().filter(|trusted| &trusted.role == role).count();
        if found < required.threshold {
            let (role, threshold) = (role.clone(), required.threshold);
            return Err(SignatureError::Threshold { role, threshold, found });
        }
    }
    let trusted = signed
        .into_iter()
        .map(|trusted| Signer {
            role: trusted.role.clone(),
            keyid: trusted.key.keyid().to_owned(),
            file: trusted.file.display().to_string(),
        })
        .collect();
    Ok(Signers { trusted, unknown })
}
