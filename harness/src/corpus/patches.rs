//! The patches of a Debian source package: their names, and the subjects that serve as messages.
//!
//! The fields are those of Debian's patch tagging guidelines (DEP-3). `harness/benches/relevance/README.md` states the
//! rule; the labels of the tasks hold the digest of each message, so that both programs must read the same.

use std::{collections::BTreeMap, fs, path::Path};

use super::{
    disk::At,
    lock::Row,
    materialise::MaterialiseError,
    store::StoreError,
    tree::Entry,
    unpack::{Caps, unpack},
};

/// Folder of the patches, below the top folder of the archive.
const FOLDER: &str = "patches/";
/// How a line begins that ends the description of a patch and begins its changes.
const CHANGES: [&str; 3] = ["diff --git", "--- ", "Index: "];
/// The fields with the subject.
const FIELDS: [&str; 2] = ["Subject", "Description"];
/// Headers of a mail that some tools fold into the subject.
const MAIL_HEADERS: [&str; 3] = ["MIME-Version:", "Content-Type:", "Content-Transfer-Encoding:"];
/// White space in a message.
const SPACE: [char; 6] = [' ', '\t', '\n', '\r', '\u{c}', '\u{b}'];

/// The messages of the patches in an archive, by their paths below the folder of the patches. The archive is
/// unpacked into `scratch`, an empty folder.
///
/// # Errors
/// The archive cannot be unpacked, or a patch cannot be read.
pub fn messages(
    row: &Row,
    archive: &Path,
    scratch: &Path,
) -> Result<BTreeMap<String, String>, StoreError> {
    let keep = |path: &str| path.starts_with(FOLDER);
    let tree = unpack(archive, row.form(), Caps::default(), &keep, scratch)
        .map_err(MaterialiseError::from)?;
    let is_file = |entry: &Entry| matches!(entry, Entry::File { .. });
    let files = tree.iter().filter(|(_, entry)| is_file(entry)).map(|(path, _)| path);
    let mut messages = BTreeMap::new();
    for path in files {
        let Some(name) = path.strip_prefix(FOLDER) else { continue };
        let full = scratch.join(path);
        let content = fs::read(&full).at("read", &full)?;
        messages.insert(name.to_owned(), message(&String::from_utf8_lossy(&content)));
    }
    Ok(messages)
}

/// The message of a patch: the first paragraph of its subject, without remarks in brackets, its words separated
/// by single spaces. Empty if it has none.
fn message(patch: &str) -> String {
    let mut paragraph: Option<Vec<&str>> = None;
    for line in patch.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)) {
        if CHANGES.iter().any(|start| line.starts_with(start)) {
            break;
        }
        let value = match (&paragraph, line.split_once(':')) {
            (None, Some((name, value))) if FIELDS.contains(&name) => value,
            (None, _) => continue,
            (Some(_), _) if line.starts_with([' ', '\t']) => line,
            (Some(_), _) => break,
        };
        let value = value.trim_matches(SPACE);
        let is_blank = matches!(value, "" | ".");
        let words = paragraph.get_or_insert_default();
        if MAIL_HEADERS.iter().any(|header| value.starts_with(header))
            || (is_blank && !words.is_empty())
        {
            break;
        }
        if !is_blank {
            words.push(value);
        }
    }
    let bare = without_brackets(&paragraph.unwrap_or_default().join(" "));
    let words: Vec<&str> = bare.split(SPACE).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// A text without what stands in square brackets. An opening bracket without a closing one stays.
fn without_brackets(text: &str) -> String {
    let mut bare = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((_, behind)) = after.split_once(']') else { break };
        bare.push_str(before);
        rest = behind;
    }
    bare + rest
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{message, messages};
    use crate::corpus::{
        fixture::{archive, file, sample_row},
        lock::{Kind, Registry, Row},
    };

    #[test]
    fn the_message_is_the_first_paragraph_of_the_subject() {
        for (patch, expected) in [
            ("Subject: [PATCH 1/2] Fix the\n  broken lock\nOrigin: x\n", "Fix the broken lock"),
            ("From: a\r\nDescription: One\r\n .\r\n Two\r\n", "One"),
            ("Description:\n Close the file\n\tafter use\n\n More\n", "Close the file after use"),
            ("Subject: A mail\n MIME-Version: 1.0\n", "A mail"),
            ("--- a/x\n+++ b/x\nSubject: Not this\n", ""),
            ("Subjects: no\nno field\n", ""),
            ("Subject: An [open bracket\n", "An [open bracket"),
        ] {
            assert_eq!(message(patch), expected, "{patch:?}");
        }
    }

    #[test]
    fn messages_are_those_of_the_archive() {
        let folder = tempfile::tempdir().unwrap();
        let packed = folder.path().join("x.debian.tar.gz");
        let patch = "Subject: Fix it\n--- a/x\n";
        let items = [
            file("debian/patches/series", "a.patch\n"),
            file("debian/patches/sub/a.patch", patch),
            file("debian/rules", "Subject: no patch\n"),
        ];
        fs::write(&packed, archive(&items)).unwrap();
        let scratch = folder.path().join("scratch");
        fs::create_dir(&scratch).unwrap();
        let (registry, kind) = (Registry::Debian, Kind::Patches);
        let artifact = "x.debian.tar.gz".to_owned();
        let row = Row { registry, kind, artifact, ..sample_row() };
        let found = messages(&row, &packed, &scratch).unwrap();
        let expected = [("series", ""), ("sub/a.patch", "Fix it")];
        assert!(found.iter().map(|(name, text)| (name.as_str(), text.as_str())).eq(expected));
    }
}
