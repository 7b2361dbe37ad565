//! Who signed an envelope, by the rules of a policy.

use serde::Serialize;

use super::{
    ATTESTATION,
    envelope::Envelope,
    note::Notes,
    pae,
    policy::{Policy, RUNNER, TrustedKey},
};

/// A trusted key that signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signer {
    /// The role it acts in.
    pub role: String,
    /// What the reader calls it.
    pub name: String,
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
    /// Ids of keys that the reader no longer trusts, and why. Their signatures count as absent.
    pub refused: Vec<(String, String)>,
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
    /// Nobody signed but keys that are no longer trusted.
    #[error("{ATTESTATION}: signed by {name} ({keyid}), {why}, and by no key that is trusted")]
    NoLongerTrusted {
        /// What the reader calls the key.
        name: String,
        /// Its id.
        keyid: String,
        /// Why it is not trusted.
        why: String,
    },
    /// Too few different keys of a role.
    #[error(
        "{ATTESTATION}: role `{role}` needs signatures by {threshold} different keys, found {found}{}",
        .refused.iter().map(|(keyid, why)| format!("; {keyid} does not count: {why}")).collect::<String>()
    )]
    Threshold {
        /// Signatures that do not count, by key id, and why.
        refused: Vec<(String, String)>,
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
            Self::NoTrustedKey { .. } | Self::NoLongerTrusted { .. } | Self::Threshold { .. } => 23,
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
    let (mut unknown, mut refused) = (Vec::new(), Vec::new());
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
            // Whether its signature is good does not matter any more.
            None if policy.revoked.contains_key(label) => {
                refused.push((label.clone(), REVOKED.to_owned()));
            }
            None => unknown.push(label.clone()),
        }
    }
    if signed.is_empty() {
        if let Some((keyid, why)) = refused.first().cloned() {
            let name = policy.revoked.get(&keyid).cloned().unwrap_or_default();
            return Err(SignatureError::NoLongerTrusted { name, keyid, why });
        }
        let (origin, known) = (policy.origin.display().to_string(), policy.keys.len());
        return Err(SignatureError::NoTrustedKey { unknown, origin, known });
    }
    let trusted = signed
        .into_iter()
        .map(|trusted| Signer {
            role: trusted.role.clone(),
            name: trusted.name.clone(),
            keyid: trusted.key.keyid().to_owned(),
            file: trusted.file.display().to_string(),
        })
        .collect();
    let signers = Signers { trusted, unknown, refused };
    signers.thresholds(policy)?;
    Ok(signers)
}

/// The day on which a key signed: that of the run for its runner, that of the review for a reviewer, who
/// cannot have signed before the run was over. `None` if no note of the key says so.
fn day<'a>(signer: &Signer, notes: &'a Notes) -> Option<&'a str> {
    let run = notes.environment.as_ref().map(|(_, environment)| environment.day());
    if signer.role == RUNNER {
        return run;
    }
    let reviewed = notes.reviews.iter().find(|reviewed| reviewed.keyid == signer.keyid)?;
    let signed = reviewed.review.day();
    Some(run.map_or(signed, |run| run.max(signed)))
}

/// Why a signature by a revoked key does not count.
const REVOKED: &str = "which is revoked";

impl Signers {
    /// Removes the keys that, by the dates in the notes, signed after their last day, and counts again.
    ///
    /// # Errors
    /// Too few are left.
    pub fn in_time(mut self, notes: &Notes, policy: &Policy) -> Result<Self, SignatureError> {
        let expired = |signer: &Signer| {
            let trusted = policy.keys.iter().find(|key| key.key.keyid() == signer.keyid)?;
            let until = trusted.until.as_ref()?;
            // Dates of this form sort in the order of time.
            let in_time = day(signer, notes).is_some_and(|day| day <= until.as_str());
            (!in_time).then(|| format!("which was trusted until {until}"))
        };
        let mut late = Vec::new();
        self.trusted.retain(|signer| match expired(signer) {
            Some(why) => {
                late.push((signer.clone(), why));
                false
            }
            None => true,
        });
        if let (true, Some((Signer { name, keyid, .. }, why))) =
            (self.trusted.is_empty(), late.first().cloned())
        {
            return Err(SignatureError::NoLongerTrusted { name, keyid, why });
        }
        self.refused.extend(late.into_iter().map(|(signer, why)| (signer.keyid, why)));
        self.thresholds(policy)?;
        Ok(self)
    }

    /// Checks the number of different keys of each role.
    fn thresholds(&self, policy: &Policy) -> Result<(), SignatureError> {
        for (role, required) in &policy.roles {
            // Labels are distinct in an envelope and each equals the id of the key that signed, so
            // this counts keys, not signatures.
            let found = self.trusted.iter().filter(|signer| &signer.role == role).count();
            if found < required.threshold {
                let (role, threshold) = (role.clone(), required.threshold);
                let refused = self.refused.clone();
                return Err(SignatureError::Threshold { refused, role, threshold, found });
            }
        }
        Ok(())
    }
}
