//! The tables, and the migrations from earlier versions.

/// The version that this program writes.
pub const VERSION: i64 = MIGRATIONS.len() as i64;

/// The steps from each version to the next, starting with an empty file.
///
/// * `maker`: what rows were made with (`maker.rs`).
/// * `content`: what was extracted from the bytes with a sha256, whichever files have them. `name` is
///   the name of the file if the result depends on it, else empty. `names` and `data` are written by
///   the level.
/// * `root`, `file`: the files of a root when they were last seen. Without a `stamp` the bytes are hashed
///   again.
/// * `map`: whole maps of a root. `key` is the digest of everything that the map depends on, `made` the
///   number of the change that wrote it, `data` the map as JSON.
/// * `graph`: the graph of the files of a root, for the last plain question. `key` is the digest of what
///   was asked and by which code, `data` is written by the map.
/// * `postings`: what else that graph was built from, with the same `key`. It is read only when names have
///   changed.
/// * `signature`: the lines by which a map showed definitions of that graph, by the content of their files, with
///   the same `key`.
/// * `state`: the number of the last change.
///
/// `used` is the number of the change in which a row was last used.
pub const MIGRATIONS: [&str; 5] = [
    "
CREATE TABLE state (generation INTEGER NOT NULL);
INSERT INTO state VALUES (0);
CREATE TABLE maker (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE);
CREATE TABLE content (
    id INTEGER PRIMARY KEY,
    sha256 BLOB NOT NULL,
    maker INTEGER NOT NULL,
    name TEXT NOT NULL,
    used INTEGER NOT NULL,
    names BLOB NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (sha256, maker, name)
);
CREATE TABLE root (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, used INTEGER NOT NULL);
CREATE TABLE file (
    root INTEGER NOT NULL,
    path TEXT NOT NULL,
    stamp BLOB,
    sha256 BLOB NOT NULL,
    PRIMARY KEY (root, path)
) WITHOUT ROWID;
CREATE INDEX file_content ON file (sha256);
",
    "
CREATE TABLE map (
    root INTEGER NOT NULL,
    key BLOB NOT NULL,
    made INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (root, key)
) WITHOUT ROWID;
",
    "
CREATE TABLE graph (root INTEGER PRIMARY KEY, key BLOB NOT NULL, data BLOB NOT NULL);
",
    "
CREATE TABLE postings (root INTEGER PRIMARY KEY, key BLOB NOT NULL, data BLOB NOT NULL);
",
    "
CREATE TABLE signature (root INTEGER PRIMARY KEY, key BLOB NOT NULL, data BLOB NOT NULL);
",
];
