#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test reads its own files")]

use std::path::Path;

use base::profile::Profile;
use rusqlite::Connection;

use crate::{Exploration, Input, Project, explore};

const SCHEMA: &str = "
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, password TEXT, photo,
        CHECK (length(name) > 0));
    CREATE TABLE posts (a INT, b INT, user_id INT REFERENCES users(id),
        twice INT GENERATED ALWAYS AS (a * 2), PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE UNIQUE INDEX by_user ON posts (user_id, b);
    CREATE VIEW names AS SELECT name FROM users;
    CREATE TRIGGER gone AFTER DELETE ON users BEGIN DELETE FROM posts; END;
    INSERT INTO users VALUES (1, 'ann', 'hunter2', x'00ff');
";

fn look(path: &Path) -> Exploration {
    explore(&Input::open("a.db", path).unwrap(), &Project::default(), Profile::Enhancement)
}

#[test]
fn a_schema_is_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a ?%.db");
    Connection::open(&path).unwrap().execute_batch(SCHEMA).unwrap();
    let found = look(&path);
    let fields = &found.json();
    assert_eq!(found.malformed, None);
    assert_eq!((&fields["total_tables"], &fields["total_rows"]), (&2.into(), &1.into()));
    assert_eq!(fields["tables"][0]["columns"][3]["type"], "BLOB");
    assert_eq!(fields["tables"][1]["columns"][3]["generated"], true);
    assert_eq!(
        fields["tables"][0]["sample_rows"][0],
        serde_json::json!(["1", "ann", "****", "<blob 2 bytes>"])
    );
    assert_eq!(fields["indexes"][0]["columns"], serde_json::json!(["user_id", "b"]));
    assert_eq!(fields["indexes"].as_array().unwrap().len(), 1);
    assert_eq!(fields["views"][0]["name"], "names");
    assert_eq!(
        (&fields["triggers"][0]["timing"], &fields["triggers"][0]["event"]),
        (&"after".into(), &"delete".into())
    );
    let constraints = fields["constraints"].as_array().unwrap();
    let kinds: Vec<&str> = constraints.iter().map(|one| one["kind"].as_str().unwrap()).collect();
    for kind in ["primary_key", "not_null", "unique", "foreign_key", "check"] {
        assert!(kinds.contains(&kind), "{kind} in {kinds:?}");
    }
    assert!(!found.summary.contains("hunter2"));
}

#[test]
fn damaged_files_say_so_and_show_what_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(SCHEMA).unwrap();
    for index in 2..2_000 {
        connection.execute("INSERT INTO users VALUES (?1, ?1 || 'n', 'p', NULL)", [index]).unwrap();
    }
    drop(connection);
    let whole = std::fs::read(&path).unwrap();
    // Three kinds of damage: a page in the middle is overwritten, the file is cut off, the header
    // is cut off.
    let mut broken = whole.clone();
    broken[whole.len() / 2..whole.len() / 2 + 4096].fill(0xff);
    for (bytes, tables) in
        [(&broken[..], 2), (&whole[..whole.len() / 2], 2), (&whole[..50], 0), (&whole[..0], 0)]
    {
        std::fs::write(&path, bytes).unwrap();
        let found = look(&path);
        assert!(found.success && found.malformed.is_some() && !found.summary.is_empty());
        let found = found.json().get("tables").map_or(0, |tables| tables.as_array().unwrap().len());
        assert!(found == tables || bytes.len() == whole.len() / 2, "{found} tables");
    }
}

#[test]
fn a_hostile_schema_runs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE VIEW v0 AS SELECT a FROM t;",
        )
        .unwrap();
    for index in 1..40 {
        let sql = format!("CREATE VIEW v{index} AS SELECT x.a FROM v{0} x, v{0} y", index - 1);
        connection.execute_batch(&sql).unwrap();
    }
    let long =
        format!("CREATE TRIGGER big AFTER INSERT ON t BEGIN SELECT '{}'; END", "x".repeat(500_000));
    connection.execute_batch(&long).unwrap();
    // A generated column that would never finish: its instructions are counted.
    connection
        .execute_batch("CREATE TABLE slow (a, b AS (length(printf('%.*c', 1000000, 'x')) + a)); INSERT INTO slow VALUES (1);")
        .unwrap();
    drop(connection);
    let found = look(&path);
    assert_eq!(
        (&found.json()["total_views"], &found.json()["total_triggers"]),
        (&40.into(), &1.into())
    );
    assert!(found.summary.len() < 200_000);
}

#[test]
fn rows_without_end_are_not_counted_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    Connection::open(&path)
        .unwrap()
        .execute_batch("PRAGMA page_size = 512; CREATE TABLE t (a); INSERT INTO t VALUES ('x');")
        .unwrap();
    // Page 2 holds the row. Ten pages are inserted before it, and each of them refers to the next
    // one 71 times.
    let honest = std::fs::read(&path).unwrap();
    let (schema, leaf) = honest.split_at(512);
    let mut file = schema.to_vec();
    for below in 3..13_u32 {
        let mut page = vec![0; 512];
        page[0] = 5;
        page[3..5].copy_from_slice(&70_u16.to_be_bytes());
        page[8..12].copy_from_slice(&below.to_be_bytes());
        for cell in 0..70 {
            let at = 512 - 5 * (cell + 1);
            page[at..at + 4].copy_from_slice(&below.to_be_bytes());
            page[at + 4] = 1;
            page[12 + 2 * cell..14 + 2 * cell].copy_from_slice(&(at as u16).to_be_bytes());
            page[5..7].copy_from_slice(&(at as u16).to_be_bytes());
        }
        file.extend(page);
    }
    file.extend(leaf);
    file[28..32].copy_from_slice(&12_u32.to_be_bytes());
    std::fs::write(&path, file).unwrap();
    let found = look(&path);
    assert_eq!(found.json()["sampled"], true);
    assert_eq!(found.json()["tables"][0]["row_count"], serde_json::Value::Null);
    assert_eq!(found.json()["tables"][0]["sample_rows"][4], serde_json::json!(["x"]));
}

#[test]
fn what_takes_the_place_of_a_database_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let other = folder.path().join("other.db");
    let make = |path: &Path, table: &str| {
        let sql = format!("CREATE TABLE {table} (a);");
        Connection::open(path).unwrap().execute_batch(&sql).unwrap();
    };
    let pipe = || {
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    };
    for replace in [&(|| std::os::unix::fs::symlink(&other, &path).unwrap()) as &dyn Fn(), &pipe] {
        std::fs::remove_file(&path).ok();
        make(&path, "seen");
        std::fs::remove_file(&other).ok();
        make(&other, "not_ours");
        let input = Input::open("a.db", &path).unwrap();
        std::fs::remove_file(&path).unwrap();
        replace();
        let found = explore(&input, &Project::default(), Profile::Enhancement);
        assert_eq!(found.json()["tables"][0]["name"], "seen", "{}", found.summary);
    }
}

#[test]
fn side_files_of_a_database_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    Connection::open(&path).unwrap().execute_batch(SCHEMA).unwrap();
    for side in ["a.db-journal", "a.db-wal", "a.db-shm"] {
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join(side)).unwrap();
    }
    let found = look(&path);
    assert_eq!(found.malformed, None);
    assert_eq!(found.json()["write_ahead_log_beside"], false);
    let sides = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(sides, 4);
}

#[test]
fn a_write_ahead_log_is_neither_read_nor_touched() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (a);").unwrap();
    let log = folder.path().join("a.db-wal");
    let before = std::fs::read(&log).unwrap();
    let found = look(&path);
    assert!(found.success);
    assert_eq!(found.json()["write_ahead_log_beside"], true);
    assert_eq!(std::fs::read(&log).unwrap(), before);
}

#[test]
fn a_name_of_a_column_that_is_not_utf8_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE t (plain, qqqq); INSERT INTO t VALUES ('one', 'two');")
        .unwrap();
    let mut file = std::fs::read(&path).unwrap();
    let at = file.windows(4).position(|part| part == b"qqqq").unwrap();
    file[at + 2] = 0xff;
    std::fs::write(&path, file).unwrap();
    let found = look(&path).json();
    let table = &found["tables"][0];
    assert_eq!(table["columns"][1]["name"], "qq\u{fffd}q");
    assert_eq!(table["sample_rows"], serde_json::json!([["one", "two"]]));
}
