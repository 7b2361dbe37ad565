//! Where the files of a map come from without git, and which source the document names.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use languages::Table;
use record::TagKind;
use serde_json::Value;

fn parity(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_parity"))
        .args(["map", ".", "--map-tokens", "1024"])
        .args(arguments)
        .current_dir(dir)
        .output()
        .unwrap()
}

fn document(dir: &Path, arguments: &[&str]) -> Value {
    let output = parity(dir, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Copies the files of an authored corpus to a folder without git.
fn without_git(corpus: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let files = crate::support::root().join("corpora/authored").join(corpus).join("files");
    let status = Command::new("cp").arg("-R").arg(files.join(".")).arg(dir.path()).status();
    assert!(status.unwrap().success());
    dir
}

fn authored(name: &str) -> crate::support::Corpus {
    crate::support::authored().into_iter().find(|corpus| corpus.name == name).unwrap()
}

/// Without git the comparator lists only its chat files. If everything in a repository is in the chat,
/// the comparator falls back to that list, so its recording of such a case shows the expected map.
#[test]
fn without_git_the_map_is_what_the_comparator_makes_of_its_chat_files() {
    let corpus = authored("inchat");
    let recorded = corpus.recording();
    let dir = without_git("inchat");
    for case in &corpus.cases {
        let mut arguments: Vec<&str> =
            case.chat_files.iter().flat_map(|file| ["--chat", file]).collect();
        arguments.extend(["--message", &case.message]);
        let map = document(dir.path(), &arguments);
        let expected = recorded.case(&format!("{}/1024", case.id)).unwrap();
        assert_eq!(map["text"].as_str(), expected.listing.as_deref(), "{}", case.id);
        assert_eq!(map["file_universe_source"], "inchat_fallback");
    }
}

#[test]
fn inside_a_work_tree_git_is_the_source_in_both_profiles() {
    let corpus = authored("slice");
    for profile in ["parity", "enhancement"] {
        let map = document(&corpus.path, &["--profile", profile]);
        assert_eq!(map["file_universe_source"], "git_tracked_filtered");
    }
}

#[test]
fn the_walker_serves_the_enhancement_profile_alone() {
    let dir = without_git("slice");
    fs::create_dir(dir.path().join("node_modules")).unwrap();
    fs::write(dir.path().join("node_modules/left.py"), "def left(): pass\n").unwrap();
    fs::write(dir.path().join(".gitignore"), "node_modules/\n").unwrap();
    fs::write(dir.path().join(".aiderignore"), "items.txt\n").unwrap();
    let map = document(dir.path(), &["--profile", "enhancement"]);
    assert_eq!(map["file_universe_source"], "walker_fallback");
    assert_eq!(map["files_considered"], 5);
    assert!(map["text"].as_str().unwrap().contains("shop/catalogue.py:"));
    let refused = parity(dir.path(), &["--profile", "parity"]);
    assert_eq!(refused.status.code(), Some(20));
    assert!(refused.stdout.is_empty());
}

#[test]
fn languages_beyond_the_comparators_are_read_in_the_enhancement_profile_alone() {
    let dir = without_git("languages");
    fs::create_dir(dir.path().join("julia")).unwrap();
    fs::write(
        dir.path().join("julia/area.jl"),
        "function area_of(side)\n    side^2\nend\n\nprintln(area_of(2))\n",
    )
    .unwrap();
    for arguments in [&["init", "-q"][..], &["add", "-A"][..]] {
        let status = Command::new("git").arg("-C").arg(dir.path()).args(arguments).status();
        assert!(status.unwrap().success());
    }
    let tagged = |profile: &str| {
        let map = document(dir.path(), &["--profile", profile, "--trace-graph"]);
        let tags = map["tags"].as_object().unwrap().clone();
        let some = |file: &str| !tags[file].as_array().unwrap().is_empty();
        ["ql/library.qll", "ql/query.ql", "julia/area.jl"].map(some)
    };
    assert_eq!(tagged("parity"), [false; 3]);
    assert_eq!(tagged("enhancement"), [true; 3]);
}

/// The claim of the floors: at least two files for every language key that the comparator runs.
#[test]
fn every_language_has_two_files_with_definitions_and_references() {
    let recorded = authored("languages").recording();
    let tags = recorded.tags.as_ref().unwrap();
    let table = Table::read(&crate::support::root().join("queries")).unwrap();
    let parity: Vec<&str> = table
        .tagged()
        .filter(|(_, row)| row.profile == languages::Profile::Parity)
        .map(|(key, _)| key)
        .collect();
    assert_eq!(parity.len(), 38);
    for key in parity {
        let folder = format!("{key}/");
        let complete = tags.iter().filter(|(file, tags)| {
            let has = |kind: TagKind| tags.iter().any(|tag| tag.2 == kind);
            file.starts_with(&folder) && has(TagKind::Definition) && has(TagKind::Reference)
        });
        assert!(complete.count() >= 2, "{key}");
    }
}
