//! `parity protocol diff`: the committed protocols, and versions made for the test.

use std::{
    io::Write,
    process::{Command, Output},
};

use flate2::{Compression, write::GzEncoder};
use harness::protocol::{Diff, Version, bump};
use serde_json::Value;

use super::{repository::Repository, support::root};

/// Labels of two files of a corpus, packed.
fn labels(corpus: &str, files: &[(&str, u32)]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    writeln!(
        packer,
        "{{\"oracle\":\"o\",\"oracle_version\":\"1\",\"corpora\":{{\"{corpus}\":{{}}}}}}"
    )
    .unwrap();
    for (file, line) in files {
        writeln!(packer, "{{\"corpus\":\"{corpus}\",\"file\":\"{file}\",\"line\":{line}}}")
            .unwrap();
    }
    packer.finish().unwrap()
}

fn composition(corpora: &[(&str, u32)]) -> String {
    let rows = corpora.iter().map(|(name, cases)| {
        format!("[sign_off.corpora.{name}]\ncases = {cases}\nexplorations = 10\n")
    });
    let rows: String = rows.collect();
    format!(
        "[[sign_off]]\nset = \"smoke\"\nprofile = \"parity\"\nbudgets = [1024]\nrests_on = [\"x\"]\n{rows}"
    )
}

/// Version 1 in force, then version 2 with other numbers, of which only what is compared was kept.
fn two_versions() -> Repository {
    let repository = Repository::empty();
    let put = |name: &str, bytes: &[u8]| {
        let path = repository.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    repository.write("protocols/current", "v1\n");
    repository.write(
        "protocols/v1/gates.toml",
        "protocol_version = 1\nbudgets = [1024]\n[a1]\nmin_jaccard = 0.90\n",
    );
    repository
        .write("protocols/v1/scoring.toml", "version = 1\n[gold]\nmax_files_per_corpus = 300\n");
    repository.write("protocols/v1/old.toml", "one = 1\n");
    repository.write("protocols/v1/composition.toml", &composition(&[("flask", 3), ("curl", 2)]));
    put("gold/v1/c.jsonl.gz", &labels("curl", &[("a.c", 1), ("b.c", 1), ("d.c", 1)]));
    put("gold/v1/go.jsonl.gz", &labels("hcl", &[("a.go", 1)]));
    repository.commit("version 1");
    repository.write("notes", "later");
    repository.commit("the last of version 1");

    bump(repository.path()).unwrap();
    repository.write(
        "protocols/v2/gates.toml",
        "# other words\nprotocol_version = 2\nbudgets = [1024, 2048]\n[a1]\nmin_jaccard = 0.92\n",
    );
    repository
        .write("protocols/v2/scoring.toml", "version = 2\n[gold]\nmax_files_per_corpus = 1000\n");
    repository.write("protocols/v2/new.json", "{\"one\": 1, \"two\": {\"three\": 3}}");
    repository.write("protocols/v2/composition.toml", &composition(&[("flask", 4), ("zod", 2)]));
    put("gold/v2/c.jsonl.gz", &labels("curl", &[("a.c", 1), ("b.c", 2), ("e.c", 1), ("f.c", 1)]));
    put("gold/v2/go.jsonl.gz", &labels("hcl", &[("a.go", 1)]));
    std::fs::remove_file(repository.path().join("protocols/v2/old.toml")).unwrap();
    repository.git(&[
        "rm",
        "-rq",
        "gold/v1",
        "protocols/v1/composition.toml",
        "protocols/v1/old.toml",
    ]);
    repository.commit("version 2");
    repository
}

fn run(repository: &Repository, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_parity"))
        .args(["protocol", "diff"])
        .args(arguments)
        .current_dir(repository.path())
        .output()
        .unwrap()
}

#[test]
fn what_changed_is_told_in_words_and_numbers() {
    let repository = two_versions();
    let printed = run(&repository, &["v1", "v2"]);
    assert_eq!(printed.status.code(), Some(0), "{}", String::from_utf8_lossy(&printed.stderr));
    let text = String::from_utf8(printed.stdout.clone()).unwrap();
    let (head, rest) = text.split_once('\n').unwrap();
    // The last commit of version 1, not the first one.
    let log = Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD~1"])
        .current_dir(repository.path())
        .output()
        .unwrap();
    let commit = String::from_utf8_lossy(&log.stdout).trim().to_owned();
    assert_eq!(head, format!("protocol v1 (commit {commit}) -> v2 (protocols/v2)"));
    let told = "
files: 1 added, 1 removed, 3 changed, 0 the same
  changed  composition.toml (what a sign-off must consist of, generated)
  changed  gates.toml (thresholds of the A gates, of E1, N1 and U1, and the budgets)
  added    new.json, 2 values
  removed  old.toml, 1 values
  changed  scoring.toml (rules and thresholds of B1 and B2, and how gold is chosen)

values: 5 changed; 3 stricter, 0 weaker
  gates.toml: a1.min_jaccard 0.9 -> 0.92 (threshold, stricter)
  gates.toml: budgets has 2048 now (budget, stricter)
  gates.toml: protocol_version 1 -> 2 (version)
  scoring.toml: gold.max_files_per_corpus 300 -> 1000 (rule of gold, stricter)
  scoring.toml: version 1 -> 2 (version)

labels: 1 languages and formats changed, 1 the same
  c: 3 -> 4 files; 2 added; 1 gone; 1 with other labels

corpora: 1 added: zod; 1 gone: curl

sign-offs: 1 changed
  smoke set, parity profile
    corpora 1 added: zod; 1 gone: curl
    cases 5 -> 6, corpora 2, explorations 20
    asked otherwise about 1 corpora: flask
";
    assert_eq!(rest, told);
    assert_eq!(run(&repository, &["v1", "v2"]).stdout, printed.stdout);

    let json = run(&repository, &["v1", "v2", "--json"]).stdout;
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["schema_version"], 1);
    let change = &json["files"][1]["changes"][0];
    assert_eq!((&change["key"], &change["kind"]), (&"a1.min_jaccard".into(), &"threshold".into()));
    assert_eq!((&change["was"], &change["is"]), (&0.9.into(), &0.92.into()));
    assert_eq!(json["sign_offs"][0]["counts"][0]["is"], 6);
}

#[test]
fn a_revision_is_read_as_it_was_and_a_part_is_called_a_part() {
    let repository = two_versions();
    let root = repository.path();
    let now = Version::find(root, "v2").unwrap();
    let whole = Diff::of(&Version::at(root, "v1", "HEAD~2").unwrap(), &now).unwrap();
    assert!(whole.before.whole && whole.not_compared.is_empty());

    let part = Diff::of(&Version::at(root, "v1", "HEAD").unwrap(), &now).unwrap();
    assert!(!part.before.whole && part.labels.is_empty() && part.sign_offs.is_empty());
    let [sentence] = part.not_compared.as_slice() else { panic!("{:?}", part.not_compared) };
    assert!(sentence.contains("has only 2 of the files of v1"), "{sentence}");
    // A file that the checkout does not keep is not reported as removed.
    let files: Vec<&str> = part.files.iter().map(|file| file.file.as_str()).collect();
    assert_eq!(files, ["gates.toml", "scoring.toml"]);

    // Without history, only the files that the checkout keeps are compared.
    std::fs::remove_dir_all(root.join(".git")).unwrap();
    assert!(!Version::find(root, "v1").unwrap().whole);
}

#[test]
fn what_is_no_version_and_no_revision_is_refused() {
    let repository = two_versions();
    for (arguments, code) in [
        (["v1", "--at=--help"].as_slice(), 2),
        (&["v1", "--at", "nowhere"], 2),
        (&["../v1"], 2),
        (&["v9"], 20),
        (&["v2", "--at", "HEAD~1"], 20),
    ] {
        let refused = run(&repository, arguments);
        assert_eq!(refused.status.code(), Some(code), "{arguments:?}");
        assert!(refused.stdout.is_empty() && !refused.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn the_committed_protocols_differ_as_the_decision_says() {
    let [one, two] = ["v1", "v2"].map(|name| Version::find(&root(), name).unwrap());
    let diff = Diff::of(&one, &two).unwrap();
    assert_eq!(diff.not_compared, [""; 0]);
    // docs/decisions/0024-protocol-2.md: "What it costs".
    let labels: Vec<_> = diff.labels.iter().map(|one| (one.language.as_str(), one.files)).collect();
    let told = [
        ("java", [Some(1493), Some(1699)]),
        ("python", [Some(1994), Some(6174)]),
        ("ruby", [Some(915), Some(1766)]),
        ("rust", [Some(705), Some(1743)]),
    ];
    for change in told {
        assert!(labels.contains(&change), "{labels:?}");
    }
    // "No threshold changed": what changed is A6's list and the numbers of versions.
    let judged = diff.files.iter().filter(|file| file.file != "deviations.toml");
    let keys: Vec<&str> =
        judged.flat_map(|file| &file.changes).map(|one| one.difference.key.as_str()).collect();
    assert!(!keys.is_empty());
    for key in keys {
        assert!(key.ends_with("version") || key.starts_with("a6.enhancement_"), "{key}");
    }
}
