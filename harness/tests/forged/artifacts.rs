//! Every artifact says what its numbers come from. Checks the files of a sealed bundle, what is made
//! from it, and what is committed below `reports/`, against `protocols/exports/artifacts.toml`.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde::Deserialize;
use serde_json::Value;
use verdict::bundle::keys::SigningKey;

use super::{genuine, support::root};

/// The list of artifacts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Artifacts {
    bundle: Vec<Row>,
    format: Vec<Row>,
    document: Vec<Row>,
    report: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    what: String,
    carries: Option<Carries>,
    because: Option<String>,
    without: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Carries {
    Profile,
    Tuple,
    Columns,
    Fixtures,
}

impl Artifacts {
    fn read() -> Self {
        let text = fs::read_to_string(root().join("protocols/exports/artifacts.toml")).unwrap();
        toml::from_str(&text).unwrap()
    }

    /// Every row.
    fn all(&self) -> impl Iterator<Item = &Row> {
        self.bundle.iter().chain(&self.format).chain(&self.document).chain(&self.report)
    }
}

impl Row {
    /// The parts that this artifact must have by its row and lacks, for a run with this profile object.
    fn lacks(&self, text: &str, profile: &Value) -> Vec<String> {
        let text = plain(text);
        let wanted = match self.carries {
            None => Vec::new(),
            Some(Carries::Profile) => leaves(profile),
            Some(Carries::Tuple) => {
                let mut leaves = leaves(&profile["comparator_tuple"]);
                leaves.push(leaf(&profile["fixtures_sha256"]));
                leaves
            }
            Some(Carries::Columns) => {
                let commit = &profile["comparator_tuple"]["aider_commit_sha"];
                let (header, rows) = text.split_once('\n').unwrap();
                let of_run = format!(",{},{},", leaf(&profile["fixtures_sha256"]), leaf(commit));
                assert!(header.ends_with("verdict,fixtures_sha256,comparator_commit,tuple_sha256"));
                // The digest of the tuple is the last field of a row.
                let whole = |row: &str| {
                    row.rsplit_once(&of_run).is_some_and(|(_, digest)| digest.len() == 64)
                };
                assert!(rows.lines().count() > 10);
                return rows.lines().filter(|row| !whole(row)).map(str::to_owned).collect();
            }
            Some(Carries::Fixtures) => vec![leaf(&profile["fixtures_sha256"])],
        };
        wanted.into_iter().filter(|leaf| !text.contains(leaf)).collect()
    }
}

/// The row of a path: the longest one that names it or a folder above it.
fn row<'a>(rows: &'a [Row], path: &str) -> Option<&'a Row> {
    let of = |row: &&Row| {
        path == row.what || (row.what.ends_with('/') && path.starts_with(row.what.as_str()))
    };
    rows.iter().filter(of).max_by_key(|row| row.what.len())
}

/// Every text in a JSON value, as JSON writes it without the quotes.
fn leaves(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(values) => pending.extend(values),
            Value::Object(members) => pending.extend(members.values()),
            Value::String(_) => found.push(leaf(value)),
            _ => {}
        }
    }
    found
}

fn leaf(value: &Value) -> String {
    value.to_string().trim_matches('"').to_owned()
}

/// A text with the entities of HTML and XML replaced by their characters.
fn plain(text: &str) -> String {
    let marks = [("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">")];
    let text = marks.iter().fold(text.to_owned(), |text, (name, mark)| text.replace(name, mark));
    text.replace("&amp;", "&")
}

/// The files below a folder, relative to it, sorted.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            found.insert(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
        }
    }
    found
}

/// The genuine bundle, sealed, with the profile object of its run.
fn sealed(place: &Path) -> (PathBuf, Value) {
    let key = SigningKey::open_or_create(&place.join("config")).unwrap();
    let bundle = genuine::bundle().seal(place, &key).unwrap();
    let profile = fs::read(bundle.join("profile.json")).unwrap();
    (bundle, serde_json::from_slice(&profile).unwrap())
}

/// The output of the program.
fn printed(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parity"));
    let output = command.args(arguments).current_dir(root()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_row_says_what_its_artifact_carries_or_why_it_does_not() {
    let artifacts = Artifacts::read();
    for row in artifacts.all() {
        let said = row.carries.is_some() != row.without.is_some();
        let part = row.carries == Some(Carries::Fixtures);
        assert!(said && row.because.is_some() == part, "{}", row.what);
    }
}

#[test]
fn every_file_of_a_bundle_carries_what_its_row_says() {
    let place = tempfile::tempdir().unwrap();
    let (artifacts, (bundle, profile)) = (Artifacts::read(), sealed(place.path()));
    // The profile object itself is complete.
    let tuple = &profile["comparator_tuple"];
    for member in ["aider_commit_sha", "tokenizer_id", "tokenizer_version", "driver_sha256"] {
        assert!(tuple[member].as_str().is_some_and(|text| !text.is_empty()), "{member}");
    }
    assert!(tuple["grep_ast_provenance"].is_object());
    assert_eq!(profile["fixtures_sha256"].as_str().unwrap().len(), 64);
    let mut carrying = 0;
    for file in files(&bundle) {
        let row = row(&artifacts.bundle, &file).unwrap_or_else(|| panic!("{file} has no row"));
        if row.carries.is_some() {
            let text = fs::read_to_string(bundle.join(&file)).unwrap();
            assert_eq!(row.lacks(&text, &profile), [""; 0], "{file}");
            carrying += 1;
        }
    }
    assert!(carrying >= 6, "{carrying}");
    // A file that lacks it is reported.
    let report = row(&artifacts.bundle, "report.txt").unwrap();
    let text = fs::read_to_string(bundle.join("report.txt")).unwrap();
    let fixtures = leaf(&profile["fixtures_sha256"]);
    assert_eq!(report.lacks(&text.replace(&fixtures, ""), &profile), [fixtures]);
}

#[test]
fn every_export_of_a_bundle_carries_what_its_row_says() {
    let place = tempfile::tempdir().unwrap();
    let (artifacts, (bundle, profile)) = (Artifacts::read(), sealed(place.path()));
    let bundle = bundle.to_str().unwrap();
    let help = printed(&["report", "--help"]);
    for row in &artifacts.format {
        assert!(help.contains(&format!("- {}:", row.what)), "{} is no format", row.what);
        if row.what == "parquet" {
            let file = place.path().join("cells.parquet");
            let file = file.to_str().unwrap();
            printed(&["report", bundle, "--format", "parquet", "--output", file]);
            let bytes = fs::read(file).unwrap();
            let csv = printed(&["report", bundle, "--format", "csv"]);
            let rows = frames::Measurements::from_parquet(&bytes).unwrap().len();
            assert_eq!(rows, csv.lines().count() - 1);
            let text = String::from_utf8_lossy(&bytes);
            for column in ["fixtures_sha256", "comparator_commit", "tuple_sha256"] {
                assert!(text.contains(column), "{column}");
            }
            for value in
                [&profile["fixtures_sha256"], &profile["comparator_tuple"]["aider_commit_sha"]]
            {
                assert!(text.contains(value.as_str().unwrap()), "{value}");
            }
        } else if row.carries.is_some() {
            let text = printed(&["report", bundle, "--format", &row.what]);
            assert_eq!(row.lacks(&text, &profile), [""; 0], "{}", row.what);
        }
    }
    let formats = help.lines().filter(|line| line.trim_start().starts_with("- ")).count();
    assert_eq!(formats, artifacts.format.len(), "{help}");
    let diff = artifacts.document.iter().find(|row| row.what == "parity diff --json").unwrap();
    let text = printed(&["diff", bundle, bundle, "--json"]);
    assert_eq!(diff.lacks(&text, &profile), [""; 0]);
}

#[test]
fn every_committed_report_carries_what_its_row_says() {
    let artifacts = Artifacts::read();
    let reports = root().join("reports");
    for file in files(&reports) {
        let row = row(&artifacts.report, &file).unwrap_or_else(|| panic!("{file} has no row"));
        if row.carries.is_some() {
            let text = fs::read_to_string(reports.join(&file)).unwrap();
            let (_, rest) = text.split_once("fixtures").unwrap_or_else(|| panic!("{file}"));
            let rest = rest.trim_start_matches("_sha256").trim_start_matches(['"', ':', ' ']);
            let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
            assert_eq!(digits, 64, "{file}");
            assert!(
                !matches!(row.carries, Some(Carries::Tuple)) || text.contains("aider_commit_sha"),
                "{file}"
            );
        }
    }
}
