//! What a name says: which object a key stands for.

use object_store::path::Path;
use record::{Digest, Schema};
use serde::{Deserialize, Serialize};

use crate::{Key, Kind};

/// The most bytes of a written entry.
pub const MOST: u64 = 4096;
/// The folder of the objects.
pub const OBJECTS: &str = "objects";
/// The folder of the names.
pub const NAMES: &str = "names";

/// The content of a name. Kind and key are repeated in it, so that a name that is served in place of another is told
/// from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    schema_version: Schema<1>,
    /// What the object is.
    pub kind: Kind,
    /// The key.
    pub key: Key,
    /// Digest of the object.
    pub sha256: Digest,
    /// Number of bytes of the object.
    pub bytes: u64,
}

impl Entry {
    /// The entry for these bytes.
    pub fn of(kind: Kind, key: &Key, bytes: &[u8]) -> Self {
        Self {
            schema_version: Schema,
            kind,
            key: key.clone(),
            sha256: Digest::of(bytes),
            bytes: bytes.len() as u64,
        }
    }

    /// How it is written: a line of JSON and a line with its digest, the same bytes for the same entry. An object is
    /// compared with its digest; a name has none elsewhere, so it holds its own.
    pub fn written(&self) -> Vec<u8> {
        let json = serde_json::to_string(self).unwrap_or_default();
        let digest = Digest::of(&json);
        format!("{json}\n{digest}\n").into_bytes()
    }

    /// Reads what was written under a name; says what is wrong with it otherwise.
    pub fn read(kind: Kind, key: &Key, written: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(written).map_err(|_| "is no text".to_owned())?;
        let (json, digest) = text.split_once('\n').ok_or("was cut off")?;
        if digest != format!("{}\n", Digest::of(json)) {
            return Err("does not have the digest at its end".to_owned());
        }
        let entry: Self = serde_json::from_str(json)
            .map_err(|error| format!("is no name of this version: {error}"))?;
        if entry.kind != kind || entry.key != *key {
            return Err(format!("is the name of {}/{}", entry.kind, entry.key));
        }
        if entry.written() != written {
            return Err("is not written as this program writes it".to_owned());
        }
        Ok(entry)
    }

    /// Where the object is.
    pub fn object(&self) -> Path {
        object(self.kind, &self.sha256)
    }
}

/// Where an object is.
pub fn object(kind: Kind, sha256: &Digest) -> Path {
    Path::from_iter([OBJECTS, kind.as_str(), sha256.as_str()])
}

/// Where a name is.
pub fn name(kind: Kind, key: &Key) -> Path {
    Path::from_iter([NAMES, kind.as_str(), key.as_str()])
}

#[cfg(test)]
mod tests {
    use record::Digest;

    use super::Entry;
    use crate::Kind;

    #[test]
    fn an_entry_comes_back_and_another_ones_is_refused() {
        let (one, other) = ("one".parse().unwrap(), "other".parse().unwrap());
        let entry = Entry::of(Kind::Corpus, &one, b"abc");
        let written = entry.written();
        assert_eq!(Entry::read(Kind::Corpus, &one, &written), Ok(entry));
        let refused = |kind, key, bytes: &[u8]| Entry::read(kind, key, bytes).unwrap_err();
        assert!(refused(Kind::Corpus, &other, &written).contains("corpus/one"));
        assert!(refused(Kind::Engine, &one, &written).contains("corpus/one"));
        for at in 0..written.len() {
            let mut changed = written.clone();
            changed[at] ^= 1;
            refused(Kind::Corpus, &one, &changed);
            refused(Kind::Corpus, &one, &written[..at]);
        }
        let json = String::from_utf8(written).unwrap();
        let json = json.lines().next().unwrap();
        let signed = |json: String| format!("{json}\n{}\n", Digest::of(&json));
        let later = signed(json.replace(":1,", ":2,"));
        assert!(refused(Kind::Corpus, &one, later.as_bytes()).contains("version"));
        let spaced = signed(format!(" {json}"));
        assert!(refused(Kind::Corpus, &one, spaced.as_bytes()).contains("written"));
    }
}
