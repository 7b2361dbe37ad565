//! The answer of a worker: the recordings of one unit with their blobs, in one checked frame.
//!
//! A frame is a line `parity-answer BYTES`, a JSON header of that many bytes, the parts that the header lists, one
//! after the other, and the sha256 of everything before it in hexadecimal digits. Every length is stated before the
//! bytes, so that a frame that was cut off is told from one that was changed. Blobs are sent as they are compressed in
//! a store: JSON would need a third more bytes for them.

use std::collections::{BTreeMap, BTreeSet};

use record::{Blob, Digest, Recording, Store, StoreError, Unit, further_key};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use verdict::response::{classify, classify_each};

use super::{Recorded, order::UnitOrder};
use crate::comparator::{ComparatorSpec, ComparatorTuple};

/// What every frame begins with.
const MAGIC: &[u8] = b"parity-answer ";
/// The version of the header.
const SCHEMA: u64 = 1;
/// The most bytes of a frame.
pub const MAX_ANSWER: usize = 512 << 20;
/// How often a unit is asked for.
pub const TRIES: usize = 3;
/// The most bytes of a header: a few hundred for each recording.
const MAX_HEADER: usize = 16 << 20;
/// The hexadecimal digits of the digest at the end, and a line feed.
const TRAILER: usize = 65;

/// What a frame says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Version of this object.
    pub schema_version: u64,
    /// Key of the unit.
    pub unit: String,
    /// Digest of the whole plan.
    pub plan_sha256: String,
    /// sha256 of the program that was measured.
    pub engine_sha256: String,
    /// Commit of the corpus.
    pub commit: String,
    /// Tree digest of the corpus.
    pub tree_sha256: String,
    /// Digest of the comparator tuple; absent for a unit that does not ask it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparator_sha256: Option<String>,
    /// The recordings, by name, with the time that each took.
    pub recorded: Recorded,
    /// The parts after the header, in their order.
    pub parts: Vec<Part>,
}

/// A part of a frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// What it is.
    pub kind: Kind,
    /// Digest of its content, which is its name.
    pub sha256: Digest,
    /// Number of bytes of its content.
    pub bytes: u64,
    /// Number of bytes in the frame: fewer for a blob, which is compressed.
    pub sent: u64,
}

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The metadata of a recording.
    Recording,
    /// Bytes that a recording names, compressed.
    Blob,
}

/// Why an answer is not taken in.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// It is no frame.
    #[error("it is no answer of a worker: {0}")]
    Garbage(String),
    /// It ends too early.
    #[error("it was cut off: {missing} bytes are missing")]
    Truncated {
        /// How many bytes are missing at least.
        missing: usize,
    },
    /// It is longer than an answer may be.
    #[error("it is too long: more than {most} bytes")]
    TooLong {
        /// The most bytes of an answer.
        most: usize,
    },
    /// There is something after its end.
    #[error("there are {extra} bytes after its end")]
    Extra {
        /// How many.
        extra: usize,
    },
    /// Its bytes were changed.
    #[error("its bytes do not have the digest at its end")]
    Changed,
    /// Its header has another version.
    #[error("its schema_version is {found}, this program reads {SCHEMA}")]
    Schema {
        /// What it says.
        found: String,
    },
    /// It is about something else than what was asked for.
    #[error("its {what} is {found}, asked for was {expected}")]
    Other {
        /// `unit`, `plan`, `engine`, `corpus` or `comparator`.
        what: &'static str,
        /// What it says.
        found: String,
        /// What it should say.
        expected: String,
    },
    /// A part is not what its name says.
    #[error("the part {sha256} was changed: {why}")]
    Part {
        /// Its name.
        sha256: Digest,
        /// What is wrong.
        why: String,
    },
    /// A recording is not one of the unit.
    #[error("the recording {name} {why}")]
    Recording {
        /// Its name.
        name: Digest,
        /// What is wrong with it.
        why: String,
    },
    /// It cannot be kept on this machine, which is no fault of the worker.
    #[error(transparent)]
    Store(StoreError),
}

/// The digest of a comparator tuple.
pub fn tuple_sha256(tuple: &ComparatorTuple) -> String {
    Digest::of(serde_json::json!(tuple).to_string()).into()
}

/// The header of an answer to an order, without its recordings and parts.
fn header(order: &UnitOrder, recorded: Recorded) -> Header {
    Header {
        schema_version: SCHEMA,
        unit: order.unit.clone(),
        plan_sha256: order.plan_sha256.clone().into(),
        engine_sha256: order.plan.engine_sha256.clone(),
        commit: order.corpus().map(|corpus| corpus.commit.clone()).unwrap_or_default(),
        tree_sha256: order.tree_sha256.clone(),
        comparator_sha256: order.comparator.as_ref().map(tuple_sha256),
        recorded,
        parts: Vec::new(),
    }
}

/// The frame with what was recorded for an order in a store.
///
/// # Errors
/// A recording cannot be read.
pub fn frame(order: &UnitOrder, recorded: Recorded, store: &Store) -> Result<Vec<u8>, StoreError> {
    let mut header = header(order, recorded);
    let (mut bodies, mut blobs) = (Vec::new(), BTreeMap::new());
    let recordings = std::iter::once(&header.recorded.first).chain(&header.recorded.further);
    for kept in recordings {
        let recording = store.recording(&kept.name)?;
        blobs.extend(recording.blobs().map(|blob| (blob.sha256.clone(), blob)));
        let body = recording.to_bytes().unwrap_or_default();
        let bytes = body.len() as u64;
        let sha256 = kept.name.clone();
        header.parts.push(Part { kind: Kind::Recording, sha256, bytes, sent: bytes });
        bodies.push(body);
    }
    for (sha256, blob) in blobs {
        let body = store.packed(&blob)?;
        let (bytes, sent) = (blob.bytes, body.len() as u64);
        header.parts.push(Part { kind: Kind::Blob, sha256, bytes, sent });
        bodies.push(body);
    }
    Ok(sealed(&header, &bodies))
}

/// A frame of a header and the bytes of its parts.
pub fn sealed(header: &Header, bodies: &[Vec<u8>]) -> Vec<u8> {
    let json = serde_json::to_vec(header).unwrap_or_default();
    let mut frame = [MAGIC, format!("{}\n", json.len()).as_bytes(), &json].concat();
    frame.extend(bodies.iter().flatten());
    let digest = Digest::of(&frame);
    frame.extend_from_slice(format!("{digest}\n").as_bytes());
    frame
}

/// Takes an answer to an order into a store, or refuses it. Nothing of it is believed: schema, unit, plan, engine,
/// corpus and comparator must be those of the order, every part must have its digest, every recording must be one of
/// the unit, and the comparator must say of itself that it is the one that was asked for. Blobs of a refused answer may
/// stay in the store, where no recording names them; [`Store::keep_only`] removes them.
///
/// # Errors
/// The answer is refused, or cannot be kept.
pub fn take_in(
    order: &UnitOrder,
    spec: Option<&ComparatorSpec>,
    frame: &[u8],
    store: &Store,
) -> Result<Recorded, Refusal> {
    let (found, parts) = opened(frame, MAX_ANSWER)?;
    let asked = header(order, found.recorded.clone());
    let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "absent".to_owned());
    for (what, found, expected) in [
        ("unit", &found.unit, &asked.unit),
        ("plan", &found.plan_sha256, &asked.plan_sha256),
        ("engine", &found.engine_sha256, &asked.engine_sha256),
        ("corpus", &found.commit, &asked.commit),
        ("corpus", &found.tree_sha256, &asked.tree_sha256),
        ("comparator", &text(&found.comparator_sha256), &text(&asked.comparator_sha256)),
    ] {
        if found != expected {
            let (found, expected) = (found.clone(), expected.clone());
            return Err(Refusal::Other { what, found, expected });
        }
    }
    let recordings = recordings(order, &found, &parts)?;
    let mut unnamed: BTreeSet<&Digest> = parts
        .iter()
        .filter(|(part, _)| part.kind == Kind::Blob)
        .map(|(part, _)| &part.sha256)
        .collect();
    for (name, recording) in &recordings {
        for blob in recording.blobs() {
            let part = parts.iter().find(|(part, _)| {
                part.kind == Kind::Blob && part.sha256 == blob.sha256 && part.bytes == blob.bytes
            });
            let Some((part, body)) = part else {
                let why = format!("names the blob {}, which is not in the answer", blob.sha256);
                return Err(Refusal::Recording { name: name.clone(), why });
            };
            if unnamed.remove(&part.sha256) {
                put(&blob, body, store)?;
            }
        }
    }
    if let Some(sha256) = unnamed.into_iter().next() {
        return Err(Refusal::Part {
            sha256: sha256.clone(),
            why: "no recording names it".to_owned(),
        });
    }
    let unit = order.unit();
    for (name, recording) in &recordings {
        if let (Some(tuple), Some(spec)) = (&order.comparator, spec) {
            says_who_it_is(unit.as_ref(), tuple, spec, recording, store)
                .map_err(|why| Refusal::Recording { name: name.clone(), why })?;
        }
    }
    for (name, recording) in &recordings {
        let kept = store.put_recording(recording).map_err(Refusal::Store)?;
        if kept != *name {
            let why = "is not written as this program writes it".to_owned();
            return Err(Refusal::Recording { name: name.clone(), why });
        }
    }
    Ok(found.recorded)
}

/// Keeps a blob; one that is damaged is refused.
fn put(blob: &Blob, body: &[u8], store: &Store) -> Result<(), Refusal> {
    store.put_packed(blob, body).map_err(|error| match error {
        StoreError::Corrupt { problem: why, .. } => {
            Refusal::Part { sha256: blob.sha256.clone(), why }
        }
        error @ StoreError::Io { .. } => Refusal::Store(error),
    })
}

/// The header of a frame, and its parts with their bytes.
type Opened<'a> = (Header, Vec<(Part, &'a [u8])>);

/// Reads a frame of at most `most` bytes.
fn opened(frame: &[u8], most: usize) -> Result<Opened<'_>, Refusal> {
    if frame.len() > most {
        return Err(Refusal::TooLong { most });
    }
    let garbage = |why: &str| Refusal::Garbage(why.to_owned());
    let cut = |rest: &[u8], wanted: usize| Refusal::Truncated { missing: wanted - rest.len() };
    let begun = frame.iter().zip(MAGIC).take_while(|(one, other)| one == other).count();
    if begun < MAGIC.len() && begun == frame.len() {
        return Err(Refusal::Truncated { missing: MAGIC.len() - begun });
    }
    let rest = frame.strip_prefix(MAGIC).ok_or_else(|| garbage("it begins with other bytes"))?;
    let line = rest.iter().take(20).position(|byte| *byte == b'\n');
    let Some(line) = line else {
        let is_cut = rest.len() < 20 && rest.iter().all(u8::is_ascii_digit);
        return Err(if is_cut {
            cut(rest, rest.len() + 1)
        } else {
            garbage("no length in its first line")
        });
    };
    let (number, rest) = rest.split_at(line);
    let length = std::str::from_utf8(number).ok().and_then(|text| text.parse::<usize>().ok());
    let length = length
        .filter(|length| *length <= MAX_HEADER)
        .ok_or_else(|| garbage("no usable length in its first line"))?;
    let rest = rest.get(1..).unwrap_or_default();
    let Some((json, mut rest)) = rest.split_at_checked(length) else {
        return Err(cut(rest, length));
    };
    let json: Value = serde_json::from_slice(json)
        .map_err(|error| Refusal::Garbage(format!("its header: {error}")))?;
    if json.get("schema_version").and_then(Value::as_u64) != Some(SCHEMA) {
        let found = json.get("schema_version").map_or("absent".to_owned(), Value::to_string);
        return Err(Refusal::Schema { found });
    }
    let header: Header = serde_json::from_value(json)
        .map_err(|error| Refusal::Garbage(format!("its header: {error}")))?;
    let mut parts = Vec::new();
    for part in &header.parts {
        let sent = usize::try_from(part.sent).unwrap_or(usize::MAX);
        let Some((body, after)) = rest.split_at_checked(sent) else { return Err(cut(rest, sent)) };
        parts.push((part.clone(), body));
        rest = after;
    }
    if rest.len() < TRAILER {
        return Err(cut(rest, TRAILER));
    }
    if rest.len() > TRAILER {
        return Err(Refusal::Extra { extra: rest.len() - TRAILER });
    }
    let content = frame.get(..frame.len() - TRAILER).unwrap_or_default();
    if rest != format!("{}\n", Digest::of(content)).as_bytes() {
        return Err(Refusal::Changed);
    }
    Ok((header, parts))
}

/// The recordings of an answer by name, each checked to be the one of the unit at its place.
fn recordings(
    order: &UnitOrder,
    header: &Header,
    parts: &[(Part, &[u8])],
) -> Result<BTreeMap<Digest, Recording>, Refusal> {
    let side = order.unit().map(|unit| unit.side());
    let corpus = order.corpus().map(|corpus| corpus.name.as_str());
    let mut found = BTreeMap::new();
    let kept = std::iter::once(&header.recorded.first).chain(&header.recorded.further);
    for (number, kept) in kept.enumerate() {
        let name = &kept.name;
        let wrong = |why: String| Refusal::Recording { name: name.clone(), why };
        let part =
            parts.iter().find(|(part, _)| part.kind == Kind::Recording && part.sha256 == *name);
        let (_, body) = part.ok_or_else(|| wrong("is not in the answer".to_owned()))?;
        if Digest::of(body) != *name {
            let why = "its content has another digest".to_owned();
            return Err(Refusal::Part { sha256: name.clone(), why });
        }
        let recording: Recording = serde_json::from_slice(body)
            .map_err(|error| wrong(format!("is not readable: {error}")))?;
        let unit = if number == 0 { order.unit.clone() } else { further_key(&order.unit, number) };
        if recording.unit != unit {
            return Err(wrong(format!("is of the unit {:?}, not of {unit:?}", recording.unit)));
        }
        if Some(recording.corpus.as_str()) != corpus {
            return Err(wrong(format!("is about the corpus {:?}", recording.corpus)));
        }
        if Some(recording.side) != side {
            return Err(wrong("is of the other side".to_owned()));
        }
        found.insert(name.clone(), recording);
    }
    let sent = parts.iter().filter(|(part, _)| part.kind == Kind::Recording);
    for (part, _) in sent {
        if !found.contains_key(&part.sha256) {
            let why = "is not one of those that the header names".to_owned();
            return Err(Refusal::Recording { name: part.sha256.clone(), why });
        }
    }
    Ok(found)
}

/// Checks that every receipt in an answer of the comparator is that of the tuple. An answer without a receipt, such as
/// that of a comparator that crashed, is a recording like any other. Where the comparator is asked about many models,
/// each answer is counted with the tokenizer of its model, which is not that of the tuple. Where one process answers
/// many requests, git is looked for in the system's usual folders, so that its version may be another one.
fn says_who_it_is(
    unit: Option<&Unit>,
    tuple: &ComparatorTuple,
    spec: &ComparatorSpec,
    recording: &Recording,
    store: &Store,
) -> Result<(), String> {
    let capture = recording.capture(store).map_err(|error| error.to_string())?;
    let answers = match classify(&capture) {
        Ok(answer) => vec![answer],
        Err(_) => classify_each(&capture).unwrap_or_default().into_iter().flatten().collect(),
    };
    let asks_models = matches!(unit, Some(Unit::ComparatorModels { .. }));
    let has_own_git = asks_models || matches!(unit, Some(Unit::ComparatorTasks { .. }));
    for answer in answers {
        let found = ComparatorTuple::from_receipt(spec, &answer.receipt);
        let mut found = found.map_err(|error| error.to_string())?;
        if asks_models {
            found.tokenizer_id.clone_from(&tuple.tokenizer_id);
            found.tokenizer_version.clone_from(&tuple.tokenizer_version);
            found.tokenizer_data_sha256.clone_from(&tuple.tokenizer_data_sha256);
        }
        // The hash seed is a variable of the environment and differs from unit to unit.
        let place = |tuple: &ComparatorTuple| {
            let mut environment = tuple.environment.clone();
            environment.variables.clear();
            if has_own_git {
                environment.git = None;
            }
            environment
        };
        if found.identity_sha256() != tuple.identity_sha256() || place(&found) != place(tuple) {
            return Err("was made by a comparator with another tuple".to_owned());
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
