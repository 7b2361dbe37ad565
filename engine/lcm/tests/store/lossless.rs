//! Every byte sequence comes back as it went in.

use std::path::Path;

use lcm::{Asker, Caller, Profile, Source, store::StorageKind};

use crate::support::{PROFILES, agent, at, put, request};

/// Contents that something on the way could take for something else.
fn contents() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = [
        &b"two words"[..],
        b"ends with a newline\n",
        b"\r\nmixed\rends\n\r",
        b"a zero \0 within, and at the end\0",
        b"\xff\xfe\x00\x01 no text at all",
        b"latin-1: caf\xe9, and a lone \x80 byte",
        b"\xed\xa0\x80 is a surrogate",
        b"\xf4\x90\x80\x80 is beyond Unicode",
        b"truncated at the end \xe2\x82",
        "\u{feff}with a mark, \u{200f}and \u{1f980}".as_bytes(),
        b"'; DROP TABLE large_file; -- %s ?1 \\",
        b"SQLite format 3\0 and no database",
    ]
    .map(<[u8]>::to_vec)
    .to_vec();
    all.push((0..=255).collect());
    all.push((0..=255).rev().cycle().take(3 << 20).collect());
    let mut random = fastrand::Rng::with_seed(17);
    for length in [2, 3, 100, 4_096, 65_537] {
        all.push((0..length).map(|_| random.u8(..)).collect());
    }
    all
}

#[test]
fn every_content_comes_back_from_a_store_that_was_opened_again() {
    for profile in PROFILES {
        let folder = tempfile::tempdir().unwrap();
        let contents = contents();
        let ids: Vec<String> = contents
            .iter()
            .map(|content| put(&mut at(folder.path(), profile), "s", content))
            .collect();
        let mut lcm = at(folder.path(), profile);
        for (id, content) in ids.iter().zip(&contents) {
            assert_eq!(&lcm.read(id, &agent("s")).unwrap(), content);
            let kind = lcm.describe(id, &agent("s")).unwrap().storage_kind.unwrap();
            let is_text = std::str::from_utf8(content).is_ok();
            let expected =
                if is_text { StorageKind::InlineText } else { StorageKind::InlineBinary };
            assert_eq!(kind, expected);
        }
        assert!(lcm.store().unwrap().check().intact);
    }
}

#[test]
fn messages_and_summaries_come_back_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut lcm = at(folder.path(), PROFILES[0]);
    let store = lcm.store().unwrap();
    for (index, content) in contents().iter().enumerate() {
        let seq = store.append("s", lcm::store::Role::Tool, content).unwrap();
        assert_eq!(seq, index as u64 + 1);
        let new = lcm::store::NewSummary { session: "s", content, messages: &[seq], parents: &[] };
        let id = store.summarise(&new).unwrap();
        assert_eq!(store.summarise(&new).unwrap(), id);
        let behind = store.messages_behind(&id).unwrap();
        assert_eq!((behind.len(), &behind[0].content), (1, content));
    }
}

#[test]
fn the_same_content_is_one_row_in_a_session_and_two_in_two() {
    let folder = tempfile::tempdir().unwrap();
    let mut lcm = at(folder.path(), PROFILES[0]);
    let first = put(&mut lcm, "a", b"the same content");
    assert_eq!(put(&mut lcm, "a", b"the same content"), first);
    assert_ne!(put(&mut lcm, "b", b"the same content"), first);
    // Session and content are joined by a colon: these two are joined to the same.
    let (one, other) = (put(&mut lcm, "a:b", b"c d"), put(&mut lcm, "a", b"b:c d"));
    assert_ne!(one, other);
    assert_eq!(lcm.read(&one, &agent("a:b")).unwrap(), b"c d");
    assert_eq!(lcm.read(&other, &agent("a")).unwrap(), b"b:c d");
}

#[test]
fn the_id_of_a_content_kept_by_its_path_is_the_same_in_any_folder_and_of_one_path_only() {
    let ids = |folder: &Path| -> Vec<String> {
        let mut lcm = at(folder, Profile::Parity);
        let names = ["one.txt", "other.txt", "one.txt"];
        let put = |name| {
            let file = folder.join(name);
            std::fs::write(&file, b"attached\n".repeat(20_000)).unwrap();
            let source = Source::File(&file);
            let put = lcm::Put { source, ..request("s", "volt.prompt.file.persist", b"") };
            lcm.put(&put).unwrap().0.id.unwrap()
        };
        names.map(put).to_vec()
    };
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let found = ids(one.path());
    assert_eq!(found, ids(other.path()));
    assert!(found[0] == found[2] && found[0] != found[1], "{found:?}");
}

#[test]
fn a_file_is_kept_by_its_path_or_with_its_bytes_as_the_profile_says() {
    for (profile, keeps) in PROFILES.into_iter().zip([false, true]) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("attached.txt");
        let content = b"attached \xff\n".repeat(20_000);
        std::fs::write(&file, &content).unwrap();
        let mut lcm = at(folder.path(), profile);
        let source = Source::File(&file);
        let put = lcm::Put { source, ..request("s", "volt.prompt.file.persist", b"") };
        let (stored, error) = lcm.put(&put).unwrap();
        assert!(error.is_none());
        let kind = if keeps { StorageKind::InlineBinary } else { StorageKind::Path };
        assert_eq!(stored.storage_kind, Some(kind));
        let id = stored.id.unwrap();
        assert_eq!(lcm.read(&id, &agent("s")).unwrap(), content);
        std::fs::write(&file, b"something else").unwrap();
        let main = Asker { session: "s", caller: Caller::Main };
        assert!(lcm.describe(&id, &main).unwrap().persisted);
        match lcm.read(&id, &agent("s")) {
            Ok(read) => assert!(keeps && read == content),
            Err(error) => assert!(!keeps && matches!(error, lcm::Error::Changed { .. })),
        }
        let report = lcm.store().unwrap().check();
        assert!(report.intact && report.changed.is_empty() == keeps);
    }
}
