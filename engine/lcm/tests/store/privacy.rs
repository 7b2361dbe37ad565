//! Who can read the files, and what is shown of secrets.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use lcm::{Profile, Store};

use crate::support::{TOOL_OUTPUT, agent, at, put, request};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn only_the_owner_reads_the_store_and_its_log() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("new/deep/store");
    let mut store = Store::open(&place).unwrap();
    store.make_session("s", None).unwrap();
    for file in ["store", "store-wal", "store-shm"] {
        assert_eq!(mode(&place.with_file_name(file)), 0o600, "{file}");
    }
    assert_eq!(mode(place.parent().unwrap()), 0o700);
    drop(store);
    // What was opened to others is closed again.
    fs::set_permissions(&place, fs::Permissions::from_mode(0o644)).unwrap();
    let store = Store::open(&place).unwrap();
    assert_eq!(mode(&place), 0o600);
    drop(store);
}

#[test]
fn secrets_are_masked_in_what_is_shown_and_kept_in_what_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    for profile in crate::support::PROFILES {
        let mut lcm = at(folder.path(), profile);
        let content =
            b"DB_PASSWORD=hunter2hunter2\nurl=postgres://me:opensesame@host/db\n".repeat(60);
        let mut put = request("s", TOOL_OUTPUT, &content);
        put.name = Some("settings.env");
        let (stored, _) = lcm.put(&put).unwrap();
        let id = stored.id.unwrap();
        let described = lcm.describe(&id, &agent("s")).unwrap();
        let shown = format!("{} {:?}", stored.text, described.exploration_summary);
        assert!(!shown.contains("hunter2") && !shown.contains("opensesame"), "{shown}");
        assert_eq!(lcm.read(&id, &agent("s")).unwrap(), content);
    }
}

#[test]
fn what_is_removed_is_gone_from_the_file_and_the_rest_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut lcm = at(folder.path(), Profile::Parity);
    lcm.store().unwrap().make_session("child", Some("gone")).unwrap();
    let secret = b"the word is xyzzy-plugh-0451".repeat(500);
    for session in ["gone", "child"] {
        put(&mut lcm, session, &secret);
        lcm.store().unwrap().append(session, lcm::store::Role::User, &secret).unwrap();
    }
    let kept = put(&mut lcm, "kept", b"this one stays");
    let removed = lcm.store().unwrap().remove(&["gone".to_owned()]).unwrap();
    assert_eq!((removed.sessions, removed.files, removed.messages), (2, 2, 2));
    assert!(removed.bytes_after < removed.bytes_before);
    assert!(lcm.store().unwrap().remove(&["gone".to_owned()]).is_err());
    assert_eq!(lcm.read(&kept, &agent("kept")).unwrap(), b"this one stays");
    assert!(lcm.store().unwrap().check().intact);
    drop(lcm);
    for file in fs::read_dir(folder.path()).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(11).any(|window| window == b"xyzzy-plugh"));
    }
}
