//! A recording: what one side was asked and what it did, verbatim, for gates to read later.

use std::{collections::BTreeMap, path::Path, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{Capped, Capture, Digest, SchemaSince, Side, Stop, Store, StoreError};

/// The metadata of one run; its input and output are blobs of the same store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// Format of this object.
    pub schema_version: SchemaSince<2, 3>,
    /// Whose run it is.
    pub side: Side,
    /// The corpus it ran on.
    pub corpus: String,
    /// Key of the unit that was recorded. No recording stands for two units.
    pub unit: String,
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The whole environment.
    pub env: BTreeMap<String, String>,
    /// The exit code; absent when a signal ended it.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Why it was stopped: `deadline`, `flood` or `interrupt`; absent when it ended by itself.
    pub stopped: Option<Stop>,
    /// Whether a process that left its group kept a pipe open.
    pub pipe_held: bool,
    /// Wall time in milliseconds, in recordings of an earlier version. It is no longer written, so that equal
    /// runs have equal recordings; [`Kept`] has it instead.
    #[serde(default, skip_serializing)]
    pub duration_ms: Option<u64>,
    /// Standard input: the request.
    pub stdin: Blob,
    /// Standard output: the answer.
    pub stdout: Stream,
    /// Standard error.
    pub stderr: Stream,
    /// The names that replace folders of the recording machine wherever they occurred.
    pub placeholders: Vec<String>,
}

/// Which run a recording is of.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// Whose run it is.
    pub side: Side,
    /// The corpus it ran on.
    pub corpus: &'a str,
    /// Key of its unit.
    pub unit: &'a str,
}

/// The name of a recording, and how long its run took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// The recording.
    pub name: Digest,
    /// Wall time in milliseconds, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<u64>,
}

impl Kept {
    /// The recording called `name`, whose run took the time `took`.
    pub fn new(name: Digest, took: Duration) -> Self {
        Self { name, took_ms: Some(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)) }
    }
}

/// Bytes in the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blob {
    /// Their digest, which is their name.
    pub sha256: Digest,
    /// Number of bytes.
    pub bytes: u64,
}

/// An output stream in the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stream {
    /// The digest of the kept bytes.
    pub sha256: Digest,
    /// How many bytes were kept.
    pub bytes: u64,
    /// How many bytes were written.
    pub total: u64,
    /// Whether the middle is missing: the first `head` kept bytes are the beginning.
    pub truncated: bool,
    /// How many of the kept bytes come before the gap.
    pub head: u64,
}

impl Stream {
    /// The blob with the kept bytes.
    pub fn blob(&self) -> Blob {
        Blob { sha256: self.sha256.clone(), bytes: self.bytes }
    }
}

/// Folders that differ between machines, with the names that replace them, so that recordings of the
/// same run are the same everywhere.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// Each folder's name and path, the longest path first.
    folders: Vec<(String, String)>,
    /// What comes before a random name, after the folders were replaced.
    before_random: Vec<String>,
}

/// What replaces a random name.
const RANDOM: &[u8] = b"*";

impl Places {
    /// Adds a folder under a name such as `$REPO`. An inner folder wins over an outer one.
    #[must_use]
    pub fn with(mut self, name: &str, folder: &Path) -> Self {
        // The root of the file system would replace every slash.
        if let Some(text) = folder.to_str().filter(|text| text.len() > 1) {
            self.folders.push((name.to_owned(), text.trim_end_matches('/').to_owned()));
            self.folders
                .sort_by(|(_, one), (_, other)| other.len().cmp(&one.len()).then(one.cmp(other)));
        }
        self
    }

    /// Replaces by `*` the lower-case letters, digits and underscores that follow `before`, which may begin with
    /// the name of a folder: the random part of a name that Python's `tempfile` makes.
    #[must_use]
    pub fn with_random(mut self, before: &str) -> Self {
        self.before_random.push(before.to_owned());
        self
    }

    /// The names, sorted, because the order of replacement depends on the machine.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = self.folders.iter().map(|(name, _)| name.clone()).collect();
        names.sort();
        names
    }

    fn text(&self, text: &str) -> String {
        // What is replaced is text, by text.
        String::from_utf8_lossy(&self.bytes(text.as_bytes())).into_owned()
    }

    fn bytes(&self, bytes: &[u8]) -> Vec<u8> {
        let replaced = self.folders.iter().fold(bytes.to_owned(), |bytes, (name, folder)| {
            replace_bytes(&bytes, folder.as_bytes(), name.as_bytes(), |_| 0)
        });
        self.before_random.iter().fold(replaced, |bytes, before| {
            let to = [before.as_bytes(), RANDOM].concat();
            replace_bytes(&bytes, before.as_bytes(), &to, |after| {
                let is_random = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
                after.iter().take_while(|byte| is_random(byte)).count()
            })
        })
    }

    /// Replaces the folders in everything that is kept of a run. Streams are handled as bytes, so an
    /// answer that is not text is not damaged.
    #[must_use]
    pub fn apply(&self, capture: &Capture) -> Capture {
        let stream = |stream: &Capped| {
            let (head, tail) = stream.bytes.split_at(stream.head.min(stream.bytes.len()));
            // Without a gap, the path of a folder may begin in the head and end in the tail.
            if !stream.truncated {
                let bytes = self.bytes(&stream.bytes);
                return Capped {
                    head: bytes.len(),
                    total: bytes.len() as u64,
                    bytes,
                    truncated: false,
                };
            }
            let head = self.bytes(head);
            let length = head.len();
            Capped { bytes: [head, self.bytes(tail)].concat(), head: length, ..*stream }
        };
        Capture {
            argv: capture.argv.iter().map(|part| self.text(part)).collect(),
            env: capture.env.iter().map(|(name, value)| (name.clone(), self.text(value))).collect(),
            stdin: self.bytes(&capture.stdin),
            stdout: stream(&capture.stdout),
            stderr: stream(&capture.stderr),
            ..*capture
        }
    }
}

impl Recording {
    /// Writes a finished run into the store: blobs first, then the metadata that names them.
    /// Returns the recording and its name.
    pub fn write(
        store: &Store,
        origin: Origin,
        capture: &Capture,
        places: &Places,
    ) -> Result<(Self, Digest), StoreError> {
        let capture = places.apply(capture);
        let stream = |stream: &Capped| -> Result<Stream, StoreError> {
            Ok(Stream {
                sha256: store.put_blob(&stream.bytes)?,
                bytes: stream.bytes.len() as u64,
                total: stream.total,
                truncated: stream.truncated,
                head: stream.head as u64,
            })
        };
        let recording = Self {
            schema_version: SchemaSince,
            side: origin.side,
            corpus: origin.corpus.to_owned(),
            unit: origin.unit.to_owned(),
            exit_code: capture.exit_code,
            signal: capture.signal,
            stopped: capture.stopped,
            pipe_held: capture.pipe_held,
            duration_ms: None,
            stdin: Blob {
                sha256: store.put_blob(&capture.stdin)?,
                bytes: capture.stdin.len() as u64,
            },
            stdout: stream(&capture.stdout)?,
            stderr: stream(&capture.stderr)?,
            argv: capture.argv,
            env: capture.env,
            placeholders: places.names(),
        };
        let name = store.put_recording(&recording)?;
        Ok((recording, name))
    }

    /// The bytes of its metadata file. Their digest is its name.
    ///
    /// # Errors
    /// It cannot be serialised.
    pub fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Its blobs: input, output and standard error.
    pub fn blobs(&self) -> [Blob; 3] {
        [self.stdin.clone(), self.stdout.blob(), self.stderr.blob()]
    }

    /// Reads the run back, with every blob checked, so that replay judges what the run judged.
    pub fn capture(&self, store: &Store) -> Result<Capture, StoreError> {
        let stream = |stream: &Stream| -> Result<Capped, StoreError> {
            Ok(Capped {
                bytes: store.blob(&stream.blob())?,
                head: stream.head as usize,
                total: stream.total,
                truncated: stream.truncated,
            })
        };
        Ok(Capture {
            argv: self.argv.clone(),
            env: self.env.clone(),
            stdin: store.blob(&self.stdin)?,
            stdout: stream(&self.stdout)?,
            stderr: stream(&self.stderr)?,
            exit_code: self.exit_code,
            signal: self.signal,
            stopped: self.stopped,
            pipe_held: self.pipe_held,
            // No verdict may depend on the duration.
            duration: Duration::ZERO,
        })
    }
}

/// Replaces `from`, and as many bytes after it as `more` says of what follows.
fn replace_bytes(bytes: &[u8], from: &[u8], to: &[u8], more: fn(&[u8]) -> usize) -> Vec<u8> {
    let mut result = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    // A match can only begin at the first byte of `from`.
    while let Some(at) = rest.iter().position(|byte| from.first() == Some(byte)) {
        let (before, here) = rest.split_at(at);
        result.extend_from_slice(before);
        if let Some(after) = here.strip_prefix(from) {
            result.extend_from_slice(to);
            rest = after.split_at(more(after)).1;
        } else {
            let (first, after) = here.split_at(1);
            result.extend_from_slice(first);
            rest = after;
        }
    }
    result.extend_from_slice(rest);
    result
}
