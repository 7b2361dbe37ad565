//! What a lock may say, and the locks that are committed.

use std::{fs, path::Path};

use super::{Lock, LockError};
use crate::corpus::{
    Row,
    fixture::sample_row,
    lock::{Kind, Packing, Registry},
};

const SMOKE: &str = include_str!("../../../corpora/smoke.lock.toml");
const BENCH: &str = include_str!("../../../corpora/bench.lock.toml");
const FULL: &str = include_str!("../../../corpora/full.lock.toml");
const DEBIAN: &str = include_str!("../../../corpora/debian.lock.toml");

fn text(row: &Row) -> String {
    let corpus = toml::Value::try_from(row).unwrap();
    let table = toml::Table::from_iter([("corpus".to_owned(), vec![corpus].into())]);
    toml::to_string(&table).unwrap()
}

fn load(files: &[(&str, &str)]) -> Result<Lock, LockError> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    Lock::load_dir(folder.path())
}

/// The message for a row that is wrong; it names the file and the row.
fn refused(text: &str) -> String {
    let error = load(&[("a.lock.toml", text)]).unwrap_err();
    assert_eq!(error.exit_code(), 20);
    let message = error.to_string();
    assert!(message.contains("a.lock.toml: row `sample`:"), "{message}");
    message
}

#[test]
fn a_row_survives_the_file() {
    let lock = load(&[("a.lock.toml", &text(&sample_row())), ("notes.toml", "x")]).unwrap();
    assert_eq!(lock.rows().collect::<Vec<_>>(), [&sample_row()]);
}

#[test]
fn wrong_rows_are_named() {
    let row = text(&sample_row());
    assert!(refused(&row.replace("licence =", "license =")).contains("license"));
    assert!(refused(&row.replace("size =", "length =")).contains("length"));
    assert!(refused(&row.replace("\"sdist\"", "\"egg\"")).contains("egg"));
    assert!(refused(&row.replace("\"sdist\"", "\"tarball\"")).contains("Tarball"));
    assert!(refused(&row.replace("version = \"1", "version = \"-1")).contains("one exact version"));
    let unsafe_path = Row { removed: vec!["../x".to_owned()], ..sample_row() };
    assert!(refused(&text(&unsafe_path)).contains("`..`"));
    let vanishing = Row { registry: Registry::Debian, kind: Kind::Source, ..sample_row() };
    assert!(refused(&text(&vanishing)).contains("may vanish"));
    let upper = Row { sha256: sample_row().sha256.to_uppercase(), ..sample_row() };
    assert!(refused(&text(&upper)).contains("64 lower-case hexadecimal digits"));
    let option = Row { package: "--upload-pack=x".to_owned(), ..sample_row() };
    assert!(refused(&text(&option)).contains("package"));
}

#[test]
fn the_form_follows_from_kind_and_name() {
    let row = |kind, artifact: &str| Row { kind, artifact: artifact.to_owned(), ..sample_row() };
    let form = |kind, artifact| {
        let form = row(kind, artifact).form();
        (form.packing, form.top_folder)
    };
    assert_eq!(form(Kind::Sdist, "a-1.tar.gz"), (Packing::GzipTar, true));
    assert_eq!(form(Kind::Wheel, "a-1-py3-none-any.whl"), (Packing::Zip, false));
    assert_eq!(form(Kind::Source, "a_1.orig.tar.xz"), (Packing::XzTar, true));
    assert_eq!(form(Kind::BinaryDeb, "a_1_all.deb"), (Packing::Deb, false));
    let flat = Row { flat: true, ..row(Kind::Source, "a_1.orig.tar.gz") };
    assert!(!flat.form().top_folder);
}

#[test]
fn a_name_in_two_files_is_refused() {
    let row = text(&sample_row());
    let error = load(&[("a.lock.toml", &row), ("b.lock.toml", &row)]).unwrap_err();
    assert!(error.to_string().contains("b.lock.toml: row `sample`: another row"), "{error}");
}

#[test]
fn a_file_that_is_not_toml_and_a_folder_without_locks_are_errors() {
    assert_eq!(load(&[("a.lock.toml", "[[corpus]\n")]).unwrap_err().exit_code(), 20);
    assert!(matches!(load(&[]), Err(LockError::Empty(_))));
    assert_eq!(Lock::load_dir(Path::new("/nonexistent")).unwrap_err().exit_code(), 74);
}

#[test]
fn the_fingerprint_covers_the_content_and_not_the_sets() {
    let row = sample_row();
    let moved = Row { sets: ["full".to_owned()].into(), ..row.clone() };
    assert_eq!(row.fingerprint(), moved.fingerprint());
    let measured = Row { comparator_cpu_seconds: Some(9), ..row.clone() };
    assert_eq!(row.fingerprint(), measured.fingerprint());
    let other = Row { size: row.size + 1, ..row.clone() };
    assert_ne!(row.fingerprint(), other.fingerprint());
}

#[test]
fn the_committed_sets_are_complete() {
    let lock = load(&[
        ("smoke.lock.toml", SMOKE),
        ("bench.lock.toml", BENCH),
        ("full.lock.toml", FULL),
        ("debian.lock.toml", DEBIAN),
    ])
    .unwrap();
    let smoke = lock.select("smoke", &[]).unwrap();
    assert_eq!(smoke.len(), 10);
    let languages: std::collections::BTreeSet<&str> =
        smoke.iter().flat_map(|row| row.languages.iter().map(String::as_str)).collect();
    assert_eq!(languages.len(), 9);
    let bench: Vec<&str> =
        lock.select("bench", &[]).unwrap().iter().map(|r| r.name.as_str()).collect();
    assert_eq!(bench, ["django", "flask", "tokio"]);
    // These come from registries that keep every version, so no run is complete without them.
    let full = lock.select("full", &[]).unwrap();
    assert!(full.iter().filter(|row| row.required).count() >= 32);
    assert!(full.iter().all(|row| row.required == (row.registry != Registry::Debian)));
    for row in lock.rows() {
        let Some(cases) = &row.cases else { continue };
        let word = |word: &str| word.contains('/') && row.path_filter.keeps(word);
        assert!(cases.message.split_whitespace().any(word), "{}: no path", row.name);
        assert!(row.path_filter.keeps(&cases.chat_file), "{}", row.name);
    }
    let one = lock.select("smoke", &["zod".to_owned()]).unwrap();
    assert_eq!(one.len(), 1);
    let unknown = lock.select("smoke", &["django".to_owned()]).unwrap_err();
    assert_eq!(unknown.exit_code(), 2);
}
