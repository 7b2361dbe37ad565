//! A damaged store is noticed, says what is intact, and what is intact is still given out.

use std::fs;

use lcm::{Error, Profile, Store};
use rusqlite::Connection;

use crate::support::{TOOL_OUTPUT, agent, at, failed, put, request};

#[test]
fn a_content_that_was_changed_is_not_given_out_and_the_others_are() {
    let folder = tempfile::tempdir().unwrap();
    let mut lcm = at(folder.path(), Profile::Parity);
    let (good, bad) = (put(&mut lcm, "s", b"good content"), put(&mut lcm, "s", b"bad content"));
    let seq = lcm.store().unwrap().append("s", lcm::store::Role::User, b"a message").unwrap();
    let place = folder.path().join("store");
    let other = Connection::open(&place).unwrap();
    other.execute("UPDATE large_file SET content = x'00' WHERE id = ?1", [&bad]).unwrap();
    other.execute("UPDATE message SET content = x'00' WHERE seq = ?1", [seq as i64]).unwrap();
    assert!(matches!(lcm.read(&bad, &agent("s")), Err(Error::Damaged(_))));
    assert_eq!(lcm.read(&good, &agent("s")).unwrap(), b"good content");
    let report = lcm.store().unwrap().check();
    assert!(!report.intact);
    assert_eq!((report.files.intact, report.files.damaged.as_slice()), (1, &[bad][..]));
    assert_eq!((report.messages.intact, report.messages.damaged.len()), (0, 1));
    assert_eq!(report.line(), "intact: 1 of 2 large contents, 0 of 1 messages, 0 of 0 summaries");
}

#[test]
fn a_file_with_a_broken_page_is_reported_and_never_a_wrong_answer() {
    let folder = tempfile::tempdir().unwrap();
    let mut lcm = at(folder.path(), Profile::Parity);
    let contents: Vec<Vec<u8>> = (0..20_u8).map(|byte| vec![byte + 65; 9_000]).collect();
    let ids: Vec<String> = contents.iter().map(|content| put(&mut lcm, "s", content)).collect();
    drop(lcm);
    let place = folder.path().join("store");
    let whole = fs::read(&place).unwrap();
    let page = 4_096;
    let mut noticed = 0;
    for number in 1..whole.len() / page {
        let mut broken = whole.clone();
        broken[number * page..(number + 1) * page].fill(0xa5);
        fs::write(&place, &broken).unwrap();
        let Ok(store) = Store::open(&place) else {
            noticed += 1;
            continue;
        };
        noticed += usize::from(!store.check().intact);
        drop(store);
        let mut lcm = at(folder.path(), Profile::Parity);
        for (id, content) in ids.iter().zip(&contents) {
            // An error, or exactly what was stored.
            if let Ok(read) = lcm.read(id, &agent("s")) {
                assert_eq!(&read, content);
            }
        }
    }
    assert_eq!(noticed, whole.len() / page - 1);
}

#[test]
fn what_is_no_store_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("store");
    let database = {
        let other = folder.path().join("other");
        Connection::open(&other).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
        fs::read(&other).unwrap()
    };
    let text = b"this is no database at all, whatever one may hope".repeat(100);
    for content in [text, database] {
        fs::write(&place, &content).unwrap();
        assert!(Store::open(&place).is_err());
        let mut lcm = at(folder.path(), Profile::Parity);
        let answer = lcm.put(&request("s", TOOL_OUTPUT, b"some content")).unwrap();
        assert!(failed(&answer));
        assert_eq!(fs::read(&place).unwrap(), content);
    }
    // An empty file becomes a store.
    fs::write(&place, b"").unwrap();
    assert!(Store::open(&place).is_ok());
    Connection::open(&place).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let error = Store::open(&place).unwrap_err().to_string();
    assert!(error.contains("newer version"), "{error}");
    assert!(Store::existing(&folder.path().join("not-there")).is_err());
    assert!(!folder.path().join("not-there").exists());
}
