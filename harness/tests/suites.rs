//! Labelled suites of other projects: valid files must be accepted, and malformed ones must be rejected.
//!
//! The suites are pinned corpora, which the first run fetches; this repository holds nothing of them.
//! `suites.toml` declares each label that we disagree with, and why.

use std::{
    collections::BTreeMap,
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use base::profile::Profile;
use explore::{Input, Project, explore};
use harness::{
    cache_dir,
    corpus::{Lock, Store, progress::on_stderr},
};
use lzma_rust2::XzReader;
use serde::Deserialize;

/// One file of a suite, and whether it must be accepted.
struct Labelled {
    name: String,
    bytes: Vec<u8>,
    accept: bool,
}

/// The description of a suite in `suites.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Suite {
    corpus: String,
    folder: String,
    accept: usize,
    reject: usize,
    agree: usize,
    #[serde(default)]
    exceptions: BTreeMap<String, String>,
}

/// A suite by its name.
fn suite(name: &str) -> Suite {
    let mut suites: BTreeMap<String, Suite> = toml::from_str(include_str!("suites.toml")).unwrap();
    suites.remove(name).unwrap()
}

/// The folder of a suite's files, which are fetched if necessary.
fn folder(suite: &Suite) -> PathBuf {
    let lock = Lock::load_dir(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora")).unwrap();
    let row = lock.rows().find(|row| row.name == suite.corpus).unwrap();
    let store = Store::open(cache_dir().unwrap());
    store.ensure(row, &mut *on_stderr(false)).unwrap().path.join(&suite.folder)
}

/// All files below a folder whose names have this ending, by their relative path, sorted.
fn files(root: &Path, end: &str) -> Vec<(String, Vec<u8>)> {
    let mut open = vec![root.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_string_lossy().ends_with(end) {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                found.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// Compares every verdict with its label; both labels must occur often enough to mean something.
fn judge(name: &str, suite: &Suite, labelled: &[Labelled]) {
    let accepts = labelled.iter().filter(|file| file.accept).count();
    let rejects = labelled.len() - accepts;
    assert!(
        accepts >= suite.accept && rejects >= suite.reject,
        "{name}: {accepts} and {rejects} files"
    );
    let mut differences = BTreeMap::new();
    for file in labelled {
        for profile in [Profile::Parity, Profile::Enhancement] {
            let input = Input::memory(&file.name, &file.bytes);
            let found = explore(&input, &Project::default(), profile);
            assert!(found.success && !found.summary.is_empty(), "{name}: {}", file.name);
            if found.malformed.is_none() != file.accept {
                differences.insert(file.name.as_str(), found.malformed);
            }
        }
    }
    let agreed = labelled.len() - differences.len();
    println!("{name}: {accepts} to accept, {rejects} to reject, {agreed} agree");
    let wrong: Vec<_> =
        differences.iter().filter(|(file, _)| !suite.exceptions.contains_key(**file)).collect();
    assert!(wrong.is_empty(), "{name}: {wrong:#?}");
    for (file, why) in &suite.exceptions {
        let still = differences.contains_key(file.as_str());
        assert!(still, "{name}: {file} is no exception any more ({why})");
    }
    assert!(agreed >= suite.agree, "{name}: only {agreed} agree");
}

#[test]
fn json_test_suite() {
    let suite = suite("json_test_suite");
    // The largest files of the suite are compressed.
    let packed = files(&folder(&suite), ".json.xz").into_iter().map(|(name, bytes)| {
        let mut text = Vec::new();
        XzReader::new(bytes.as_slice(), false).read_to_end(&mut text).unwrap();
        (name.trim_end_matches(".xz").to_owned(), text)
    });
    let labelled: Vec<Labelled> = files(&folder(&suite), ".json")
        .into_iter()
        .chain(packed)
        .filter_map(|(name, bytes)| {
            let base = name.rsplit('/').next()?;
            let accept = base.starts_with("y_") || base.starts_with("pass");
            let reject = base.starts_with("n_") || base.starts_with("fail");
            (accept || reject).then_some(Labelled { name, bytes, accept })
        })
        .collect();
    judge("JSONTestSuite and JSON_checker", &suite, &labelled);
}

#[test]
fn toml_test() {
    let suite = suite("toml_test");
    let labelled: Vec<Labelled> = files(&folder(&suite), ".toml")
        .into_iter()
        .map(|(name, bytes)| Labelled { accept: name.starts_with("valid/"), name, bytes })
        .collect();
    judge("toml-test", &suite, &labelled);
}

#[test]
fn csv_spectrum() {
    let suite = suite("csv_spectrum");
    let labelled: Vec<Labelled> = files(&folder(&suite), ".csv")
        .into_iter()
        .map(|(name, bytes)| Labelled { name, bytes, accept: true })
        .collect();
    judge("csv-spectrum", &suite, &labelled);
}

#[test]
fn yaml_test_suite() {
    let suite = suite("yaml_test_suite");
    let labelled: Vec<Labelled> = files(&folder(&suite), ".yaml")
        .into_iter()
        .flat_map(|(name, bytes)| {
            let text = String::from_utf8(bytes).unwrap();
            let cases = yaml_cases(&text).into_iter().enumerate();
            let name = name.trim_end_matches(".yaml").to_owned();
            cases.map(move |(number, (text, accept))| Labelled {
                name: format!("{name}-{number}.yaml"),
                bytes: text.into_bytes(),
                accept,
            })
        })
        .collect();
    judge("yaml-test-suite", &suite, &labelled);
}

/// The cases in a file of the suite: the text of each, or of the one before if it has none, and
/// whether it must be accepted. The file is read line by line, not by a parser of YAML.
fn yaml_cases(text: &str) -> Vec<(String, bool)> {
    let mut cases: Vec<(String, bool)> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let key = match line.strip_prefix("- ") {
            Some(key) => {
                let before = cases.last().map(|(text, _)| text.clone()).unwrap_or_default();
                cases.push((before, true));
                key
            }
            None => line.strip_prefix("  ").unwrap_or_default(),
        };
        let Some(case) = cases.last_mut() else { continue };
        if key.starts_with("fail: true") {
            case.1 = false;
        }
        let Some((name, header)) = key.split_once(": |") else { continue };
        let given = header.chars().find_map(|sign| sign.to_digit(10));
        let indent = given.map_or(4, |more| 2 + more as usize);
        let mut body = String::new();
        while let Some(line) = lines.next_if(|line| line.is_empty() || line.starts_with("    ")) {
            body.push_str(line.get(indent..).unwrap_or_default());
            body.push('\n');
        }
        if name == "yaml" {
            let kept =
                if header.contains('+') { body.as_str() } else { body.trim_end_matches('\n') };
            let end = if header.contains(['-', '+']) { "" } else { "\n" };
            case.0 = visible(&format!("{kept}{end}"));
        }
    }
    cases
}

/// The suite writes invisible characters as visible signs: blanks, tabs, byte-order marks, line ends.
fn visible(text: &str) -> String {
    let mut out = String::new();
    for sign in text.chars() {
        match sign {
            '␣' => out.push(' '),
            '»' => {
                out.truncate(out.trim_end_matches('—').len());
                out.push('\t');
            }
            '⇔' => out.push('\u{feff}'),
            '←' => out.push('\r'),
            '↵' => {}
            _ => out.push(sign),
        }
    }
    match out.strip_suffix("∎\n") {
        Some(open) => open.to_owned(),
        None => out,
    }
}

#[test]
fn cases_of_the_yaml_suite_are_unwrapped() {
    let text = "---\n- name: One\n  yaml: |2\n     - a␣\n\n    b——»c\n  tree: |\n    x\n- fail: true\n  \
                yaml: |\n    d∎\n- name: Three\n";
    let cases = yaml_cases(text);
    assert_eq!(cases[0], (" - a \n\nb\tc\n".to_owned(), true));
    assert_eq!(cases[1], ("d".to_owned(), false));
    assert_eq!(cases[2], ("d".to_owned(), true));
}
