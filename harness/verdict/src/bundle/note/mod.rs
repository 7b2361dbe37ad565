//! Signed notes on a bundle: what its signers say beside its evidence.
//!
//! Each is a DSSE envelope of its own in `notes/`, around an in-toto statement whose one subject is the
//! payload of the bundle's attestation. So a note belongs to one bundle, and no note changes the payload:
//! two runs of the same inputs give the same payload, whenever and wherever they ran.

mod environment;
mod review;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
};

use record::digest::{is_hex, sha256};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

pub use environment::{Environment, Host};
pub use review::{MAX_COMMENT, Review, Reviewed};

use super::{
    envelope::{Envelope, EnvelopeError, PAYLOAD_TYPE},
    json,
    keys::SigningKey,
    name, pae,
    policy::{Policy, RUNNER},
    statement::STATEMENT_TYPE,
    walk,
};

/// The folder of a bundle that holds its notes. No evidence is in it.
pub const FOLDER: &str = "notes";

/// The most notes of a bundle.
const MAX_NOTES: usize = 64;

/// The most bytes of a note.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// What the subject of a note is called.
const SUBJECT: &str = "payload of attestation.intoto.json";

/// What a note says.
pub trait Predicate: Serialize + DeserializeOwned {
    /// The first part of its file name.
    const KIND: &str;
    /// Its type, with its version.
    const TYPE: &str;

    /// Checks that its values are valid.
    ///
    /// # Errors
    /// The message says which value is not.
    fn check(&self) -> Result<(), &'static str>;
}

/// Why a note is refused, or was not written.
#[derive(Debug, thiserror::Error)]
pub enum NoteError {
    /// It cannot be read or written.
    #[error("{file}: {source}")]
    Io {
        /// The note.
        file: String,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Its envelope is malformed.
    #[error("{file}: {source}")]
    Envelope {
        /// The note.
        file: String,
        /// What is wrong.
        source: EnvelopeError,
    },
    /// Not signed by the one key that it is named after.
    #[error("{0}: not signed by the one key that its name says; it was altered")]
    Signature(String),
    /// Its statement is not one of this kind.
    #[error("{file}: {reason}")]
    Statement {
        /// The note.
        file: String,
        /// What is wrong.
        reason: String,
    },
    /// It is about another bundle.
    #[error("{0}: about another bundle; it was moved here")]
    Subject(String),
    /// There are more than the limit.
    #[error("{FOLDER}: more than {MAX_NOTES} notes")]
    TooMany,
    /// Nobody whom the policy trusts says when and where the run was made.
    #[error("{0}: missing; the word of a trusted {RUNNER} on when and where the run was made")]
    NoEnvironment(String),
    /// Two environments.
    #[error("{0}: a second environment; a bundle comes from one run")]
    TwoEnvironments(String),
}

impl NoteError {
    /// The exit code of the program.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Io { .. } => 74,
            Self::Envelope { .. } | Self::Signature(_) => 22,
            _ => 21,
        }
    }
}

/// What those notes of a bundle say that trusted keys signed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notes {
    /// When and where the run was made, with the id of the key that says so.
    pub environment: Option<(String, Environment)>,
    /// What reviewers say, by key id.
    pub reviews: Vec<Reviewed>,
    /// Notes that do not count for this reader, a phrase for each.
    pub unchecked: Vec<String>,
}

// Fields in alphabetical order of their JSON names, see `json::canonical`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct WireNote<P> {
    #[serde(rename = "_type")]
    statement_type: String,
    predicate: P,
    predicate_type: String,
    subject: Vec<WireSubject>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireSubject {
    digest: BTreeMap<String, String>,
    name: String,
}

/// Splits the names of a bundle's files: the notes, and all others.
pub(super) fn split(files: &BTreeSet<String>) -> (BTreeSet<String>, BTreeSet<String>) {
    files.iter().cloned().partition(|file| file.starts_with("notes/"))
}

/// The name of a note in its bundle.
pub(super) fn file_name(kind: &str, keyid: &str) -> String {
    format!("{FOLDER}/{kind}.{keyid}.intoto.json")
}

/// Kind and key id of a note, by its name.
fn parts(file: &str) -> Option<(&str, &str)> {
    let (kind, keyid) =
        file.strip_prefix("notes/")?.strip_suffix(".intoto.json")?.split_once('.')?;
    let known = [Environment::KIND, Review::KIND].contains(&kind);
    (known && is_hex(keyid, &[64])).then_some((kind, keyid))
}

/// Reads the notes of a bundle. `payload` is that of its attestation, `signed` are the ids of all keys
/// that signed it, trusted or not: a note by any other key is refused.
pub(super) fn read(
    root: &Path,
    files: &BTreeSet<String>,
    payload: &[u8],
    signed: &BTreeSet<&str>,
    policy: &Policy,
) -> Result<Notes, NoteError> {
    if files.len() > MAX_NOTES {
        return Err(NoteError::TooMany);
    }
    let mut notes = Notes::default();
    for file in files {
        let stray = || NoteError::Statement {
            file: file.clone(),
            reason: "no note of a key that signed the bundle; it was added".to_owned(),
        };
        let (kind, keyid) = parts(file).ok_or_else(stray)?;
        if !signed.contains(keyid) {
            return Err(stray());
        }
        let Some(trusted) = policy.keys.iter().find(|trusted| trusted.key.keyid() == keyid) else {
            notes.unchecked.push(format!("{file}, a note by a key that you do not trust"));
            continue;
        };
        let bytes = walk::read(&root.join(file), MAX_BYTES)
            .map_err(|source| NoteError::Io { file: file.clone(), source })?;
        if bytes.len() as u64 > MAX_BYTES {
            let source = EnvelopeError::TooLarge;
            return Err(NoteError::Envelope { file: file.clone(), source });
        }
        let envelope = Envelope::parse(&bytes)
            .map_err(|source| NoteError::Envelope { file: file.clone(), source })?;
        let message = pae::encode(&envelope.payload_type, &envelope.payload);
        let [signature] = envelope.signatures.as_slice() else {
            return Err(NoteError::Signature(file.clone()));
        };
        let by_its_key = signature.keyid == keyid && trusted.key.accepts(&message, signature);
        if !by_its_key || envelope.payload_type != PAYLOAD_TYPE {
            return Err(NoteError::Signature(file.clone()));
        }
        if kind == Environment::KIND {
            let environment = parse(file, &envelope.payload, payload)?;
            if trusted.role != RUNNER {
                let reason = "only a key of role `runner` says where a run was made".to_owned();
                return Err(NoteError::Statement { file: file.clone(), reason });
            }
            if notes.environment.replace((keyid.to_owned(), environment)).is_some() {
                return Err(NoteError::TwoEnvironments(file.clone()));
            }
        } else {
            let review: Review = parse(file, &envelope.payload, payload)?;
            if trusted.role == review.role {
                notes.reviews.push(Reviewed { keyid: keyid.to_owned(), review });
            } else {
                let (role, claimed) = (&trusted.role, name::printable(&review.role));
                notes
                    .unchecked
                    .push(format!("{file}, signed as {claimed} by a key that is a {role} to you"));
            }
        }
    }
    if notes.environment.is_none() && policy.requires(RUNNER) {
        let runs = |keyid: &&&str| {
            policy.keys.iter().any(|key| key.role == RUNNER && key.key.keyid() == **keyid)
        };
        let keyid = signed.iter().find(runs).copied().unwrap_or("KEYID");
        return Err(NoteError::NoEnvironment(file_name(Environment::KIND, keyid)));
    }
    Ok(notes)
}

/// When and where a bundle says that it was made. Nothing is checked, so this is only for lists and titles.
pub fn unverified_environment(bundle: &Path) -> Option<Environment> {
    let mut notes = fs::read_dir(bundle.join(FOLDER)).ok()?.filter_map(Result::ok);
    let note = notes.find(|note| {
        note.file_name().to_str().is_some_and(|name| name.starts_with(Environment::KIND))
    })?;
    let envelope = Envelope::parse(&walk::read(&note.path(), MAX_BYTES).ok()?).ok()?;
    let wire: WireNote<Environment> = json::parse(&envelope.payload).ok()?;
    Some(wire.predicate)
}

/// The predicate of a note whose signature has been checked, if it is about `attested`.
fn parse<P: Predicate>(file: &str, payload: &[u8], attested: &[u8]) -> Result<P, NoteError> {
    let wrong = |reason: String| NoteError::Statement { file: file.to_owned(), reason };
    let wire: WireNote<P> = json::parse(payload)
        .map_err(|error| wrong(name::printable(&format!("not a note of this kind: {error}"))))?;
    if wire.statement_type != STATEMENT_TYPE || wire.predicate_type != P::TYPE {
        return Err(wrong(format!("not an in-toto statement of type {}", P::TYPE)));
    }
    let canonical = json::canonical(&wire).map_err(|error| wrong(error.to_string()))?;
    if canonical != payload {
        return Err(wrong("the payload is not in canonical form".to_owned()));
    }
    let expected = subject(attested);
    let same = |found: &WireSubject| found.name == expected.name && found.digest == expected.digest;
    if wire.subject.len() != 1 || !wire.subject.iter().all(same) {
        return Err(NoteError::Subject(file.to_owned()));
    }
    wire.predicate.check().map_err(|reason| wrong(reason.to_owned()))?;
    Ok(wire.predicate)
}

fn subject(attested: &[u8]) -> WireSubject {
    let digest = BTreeMap::from([("sha256".to_owned(), sha256(attested))]);
    WireSubject { digest, name: SUBJECT.to_owned() }
}

/// Signs a note on the bundle in folder `bundle`, whose attestation has the payload `attested`, and writes
/// it. Returns its name.
pub(super) fn write<P: Predicate>(
    bundle: &Path,
    attested: &[u8],
    predicate: P,
    key: &SigningKey,
) -> Result<String, NoteError> {
    let file = file_name(P::KIND, key.public().keyid());
    let wrong = |reason: String| NoteError::Statement { file: file.clone(), reason };
    predicate.check().map_err(|reason| wrong(reason.to_owned()))?;
    let wire = WireNote {
        statement_type: STATEMENT_TYPE.to_owned(),
        predicate,
        predicate_type: P::TYPE.to_owned(),
        subject: vec![subject(attested)],
    };
    let payload = json::canonical(&wire).map_err(|error| wrong(error.to_string()))?;
    let signatures = vec![key.sign(PAYLOAD_TYPE, &payload)];
    let bytes = Envelope { payload_type: PAYLOAD_TYPE.to_owned(), payload, signatures }
        .to_bytes()
        .map_err(|source| NoteError::Envelope { file: file.clone(), source })?;
    let io = |source| NoteError::Io { file: file.clone(), source };
    fs::create_dir_all(bundle.join(FOLDER)).map_err(io)?;
    // Written beside the bundle first: a partial file inside it would be one that no statement lists.
    super::seal::put(bundle, &file, &bytes).map_err(io)?;
    Ok(file)
}

/// Whether a text is a moment in UTC, to the second: `2026-11-23T01:30:00Z`.
fn is_moment(text: &str) -> bool {
    let pattern = b"dddd-dd-ddTdd:dd:ddZ";
    text.len() == pattern.len()
        && text.bytes().zip(pattern).all(|(byte, wanted)| match wanted {
            b'd' => byte.is_ascii_digit(),
            other => byte == *other,
        })
}

/// Whether a text can stand on one line, or on several if `lines`.
fn is_plain(text: &str, lines: bool) -> bool {
    !text.chars().any(|c| c.is_control() && !(lines && c == '\n'))
}
