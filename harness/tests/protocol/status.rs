//! `parity protocol status`: the committed checkout, and repositories made for the test.

use std::{fs, path::PathBuf};

use harness::protocol::{Made, Results, Standing, Status};
use record::protocol::{COMPOSITION, CURRENT, FREEZE, GATES, NAME};

use super::{repository::Repository, support::root};

const LIST: &str = "protocols/exports/results.toml";

/// A version before the one in force, with a result of each kind, then the one in force, frozen.
fn after_a_bump() -> Repository {
    let repository = Repository::empty();
    let gates = "budgets = [1024]\n";
    repository.write("protocols/v1/gates.toml", gates);
    repository.write("protocols/v1/scoring.toml", "version = 1\n");
    repository.write(CURRENT, "v1\n");
    repository.write("reports/same.json", "{\n  \"rows\": []\n}\n");
    repository.write("reports/old.txt", "corpus: a\n");
    repository.write("reports/stated/a.txt", "protocol: v1\n");
    repository.write("reports/table.txt", &format!("table ({})\n", &digest("version = 1\n")[..12]));
    repository.write(
        LIST,
        &[
            "what = \"protocols/{protocol}/composition.toml\"\nsays = \"path\"",
            "what = \"reports/same.json\"\nsays = \"commit\"\nrests_on = [\"gates.toml: budgets\"]",
            "what = \"reports/old.txt\"\nsays = \"commit\"",
            "what = \"reports/stated/\"\nsays = \"stated\"",
            "what = \"reports/table.txt\"\nsays = \"digest\"\nof = \"scoring.toml\"",
            "what = \"reports/none.txt\"\nsays = \"commit\"",
            "what = \"artifacts/latest-bundle\"\nsays = \"plan\"\nlocal = true",
        ]
        .map(|row| format!("[[result]]\n{row}\nmade_by = \"again\"\n"))
        .concat(),
    );
    repository.commit("version 1");
    repository.write(CURRENT, &format!("{NAME}\n"));
    repository.write(GATES, gates);
    repository.write(&format!("protocols/{NAME}/scoring.toml"), "version = 2\n");
    repository.write(COMPOSITION, "");
    repository.commit("a draft");
    repository
}

fn digest(text: &str) -> String {
    record::Digest::of(text).as_str().to_owned()
}

fn standing<'a>(status: &'a Status, what: &str) -> &'a Made {
    status.results.iter().find(|one| one.what == what).unwrap()
}

/// Every row that must be made again.
fn due(status: &Status) -> Vec<&str> {
    status.results.iter().filter(|one| one.is_due()).map(|one| one.what.as_str()).collect()
}

#[test]
fn each_result_says_under_which_version_it_was_made() {
    let repository = after_a_bump();
    let status = Status::of(repository.path()).unwrap();
    assert!(!status.frozen && status.exit_code() == 11);
    let told = |what: &str| {
        let one = standing(&status, what);
        (one.standing, one.made_under.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert_eq!(told(COMPOSITION), (Standing::Current, vec![NAME]));
    // It was made under version 1 and rests on the budgets alone, which are the same.
    assert_eq!(told("reports/same.json"), (Standing::Current, vec!["v1"]));
    assert_eq!(told("reports/old.txt"), (Standing::Stale, vec!["v1"]));
    assert_eq!(told("reports/stated/"), (Standing::Stale, vec!["v1"]));
    assert_eq!(told("reports/table.txt"), (Standing::Stale, vec!["v1"]));
    assert_eq!(told("reports/none.txt"), (Standing::Missing, vec![]));
    assert_eq!(told("artifacts/latest-bundle"), (Standing::Missing, vec![]));
    let again = ["reports/old.txt", "reports/stated/", "reports/table.txt", "reports/none.txt"];
    assert_eq!(due(&status), again);
    let text = status.to_string();
    assert!(text.contains("as a draft") && text.contains("again: again"), "{text}");
    assert!(text.ends_with("7 results, 4 to be made again\n"), "{text}");
}

#[test]
fn what_is_made_again_is_current_and_a_bundle_of_another_version_is_not() {
    let repository = after_a_bump();
    repository.freeze();
    repository.write("reports/old.txt", "corpus: b\n");
    repository.write("reports/none.txt", "corpus: c\n");
    repository.write("reports/stated/a.txt", &format!("corpus: a\nprotocol: {NAME}\n"));
    repository.write("reports/table.txt", &format!("table ({})\n", &digest("version = 2\n")[..12]));
    // The version of a file that is not committed is unknown, unless the file states it.
    let status = Status::of(repository.path()).unwrap();
    assert_eq!(due(&status), ["reports/old.txt", "reports/none.txt"]);
    repository.commit("made again");
    let status = Status::of(repository.path()).unwrap();
    assert_eq!((due(&status), status.exit_code()), (vec![], 0), "{status}");

    let bundle = |rests_on: &str| {
        let folder = repository.path().join("artifacts/b");
        repository.write("artifacts/b/plan.json", &format!("{{\"rests_on\":{{{rests_on}}}}}"));
        repository.write("artifacts/latest-bundle", &format!("{}\n", folder.display()));
        let status = Status::of(repository.path()).unwrap();
        (standing(&status, "artifacts/latest-bundle").standing, status.exit_code())
    };
    let gates = digest(&fs::read_to_string(repository.path().join(GATES)).unwrap());
    assert_eq!(bundle(&format!("\"{GATES}\":\"{gates}\"")), (Standing::Current, 0));
    assert_eq!(bundle("\"protocols/v1/gates.toml\":\"x\""), (Standing::Stale, 11));
    assert_eq!(bundle(&format!("\"{GATES}\":\"{}\"", digest("x"))), (Standing::Unknown, 11));
}

#[test]
fn what_is_not_as_it_was_frozen_is_named() {
    let repository = after_a_bump();
    repository.freeze();
    repository.commit("freeze");
    repository.write(GATES, "budgets = [512]\n");
    let scoring = format!("protocols/{NAME}/scoring.toml");
    fs::remove_file(repository.path().join(&scoring)).unwrap();
    let new = format!("protocols/{NAME}/zero.toml");
    repository.write(&new, "");
    let status = Status::of(repository.path()).unwrap();
    assert_eq!(status.exit_code(), 21);
    let text = status.to_string();
    for line in [
        format!("  changed    {GATES}\n"),
        format!("  missing    {scoring}\n"),
        format!("  not frozen {new}\n"),
    ] {
        assert!(text.contains(&line), "{line}{text}");
    }
    // Put back, but committed in between.
    repository.commit("change");
    repository.git(&["checkout", "-q", "HEAD~1", "--", "protocols"]);
    fs::remove_file(repository.path().join(&new)).unwrap();
    repository.commit("put back");
    let status = Status::of(repository.path()).unwrap();
    assert!(status.differs.is_empty() && !status.changed_by.is_empty());
    assert_eq!(status.exit_code(), 21);
}

#[test]
fn a_row_that_lacks_a_key_is_refused() {
    let repository = after_a_bump();
    for row in ["says = \"commit\"", "made_by = \"x\"", "says = \"digest\"\nmade_by = \"x\"", ""] {
        repository.write(LIST, &format!("[[result]]\nwhat = \"reports/x\"\n{row}\n"));
        assert!(Results::open(repository.path()).is_err(), "{row}");
    }
}

#[test]
fn every_committed_report_has_a_row_and_the_committed_protocol_is_what_was_frozen() {
    let results = Results::open(&root()).unwrap();
    let mut pending = vec![root().join("reports")];
    let mut reports: Vec<PathBuf> = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            reports.push(path);
        }
    }
    assert!(reports.len() > 80, "{}", reports.len());
    for report in reports {
        let name = report.strip_prefix(root()).unwrap().to_str().unwrap();
        assert!(results.names(name), "{name} has no row in {LIST}");
    }
    let status = Status::of(&root()).unwrap();
    assert!(status.differs.is_empty() && status.changed_by.is_empty(), "{status}");
    assert!(!status.frozen || status.files > 60, "{FREEZE}: {} files", status.files);
}
