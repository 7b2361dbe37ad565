//! Holds the files that a plan rests on against the freeze of the protocol.

use std::{collections::BTreeMap, path::Path};

use super::CompositionError;
use crate::freeze::Freeze;

/// Checks every file among `files` (sha256 by path) that may not change, which are those of the protocol, its
/// gold and the rules of runtime paths, against the freeze in the evidence below `root`.
///
/// # Errors
/// The first file that differs.
pub fn frozen(root: &Path, files: &BTreeMap<String, String>) -> Result<(), CompositionError> {
    let files = files.iter().map(|(file, digest)| (file.as_str(), digest.as_str()));
    let held = Freeze::open(root).and_then(|freeze| freeze.covers(files));
    held.map_err(|error| CompositionError::Frozen(error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs};

    use record::{
        Gold,
        digest::sha256,
        protocol::{COMPOSITION, FREEZE, GATES, RUNTIME},
    };

    use super::frozen;
    use crate::freeze::Freeze;

    #[test]
    fn what_a_bundle_rests_on_must_be_frozen_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let mut files = BTreeMap::new();
        let gold = Gold::path("c");
        for (name, text) in [(GATES, "a1 = 1"), (&*gold, "labels"), (RUNTIME, "paths = 1")] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), text).unwrap();
            files.insert(name.to_owned(), sha256(text));
        }
        let refusal = |files: &BTreeMap<String, String>| {
            let error = frozen(root, files).unwrap_err();
            (error.code(), error.to_string())
        };
        let (code, why) = refusal(&files);
        assert!(code == "not-frozen" && why.contains("is not frozen"), "{why}");
        fs::write(root.join(FREEZE), Freeze::of(root).unwrap().to_toml().unwrap()).unwrap();
        files.insert(COMPOSITION.to_owned(), sha256("whatever"));
        frozen(root, &files).unwrap();

        let mut unknown = files.clone();
        unknown.insert(Gold::path("d"), sha256("other labels"));
        assert!(refusal(&unknown).1.contains("d.jsonl.gz is not frozen"));
        let mut asks_less = files.clone();
        asks_less.insert(RUNTIME.to_owned(), sha256("paths = 0"));
        assert!(refusal(&asks_less).1.contains("is not what was frozen"));
        files.insert(Gold::path("c"), sha256("other labels"));
        assert!(refusal(&files).1.contains("c.jsonl.gz is not what was frozen"));
    }
}
