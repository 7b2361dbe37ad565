//! The contract of `parity search`, `parity symbol`, `parity graph` and `parity chunks`: exit codes, requests and
//! files. Results are tested in the crates `search` and `semantic`.

use std::{
    fs,
    io::Write,
    process::{Command, Output, Stdio},
};

use record::exit;
use serde_json::Value;
use tempfile::TempDir;

fn tree() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("net")).unwrap();
    let text = "def retry(limit):\n    return limit\n\n\ndef other():\n    pass\n";
    fs::write(folder.path().join("net/client.py"), text).unwrap();
    fs::write(folder.path().join("notes.txt"), "retry").unwrap();
    folder
}

fn parity(folder: &TempDir, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parity"));
    command.current_dir(folder.path()).args(arguments);
    command.env("PARITY_CACHE_DIR", folder.path().join(".cache"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn code(output: &Output) -> u8 {
    u8::try_from(output.status.code().unwrap()).unwrap()
}

fn objects(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_result_is_a_place_a_declaration_and_its_lines() {
    let output = parity(&tree(), &["search", "retry limit"], "");
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(code(&output), exit::PASS, "{}", String::from_utf8_lossy(&output.stderr));
    let shown = "net/client.py:1: def retry(limit)\n    def retry(limit):\n        return limit\n";
    assert_eq!(text, shown);
}

#[test]
fn nothing_found_and_nothing_asked_have_exit_codes_of_their_own() {
    let tree = tree();
    let nothing = parity(&tree, &["search", "zeppelin", "--json"], "");
    assert_eq!(
        (code(&nothing), objects(&nothing)[0]["passed"].as_u64()),
        (exit::NOTHING_RAN, Some(0))
    );
    for arguments in [
        &["search", ""][..],
        &["search", "?"],
        &["search"],
        &["search", "x", "--gate", "2"],
        &["search", "retry", "no/such/path"],
        &["search", "retry", "--language", "cobol"],
    ] {
        let output = parity(&tree, arguments, "");
        assert_eq!(code(&output), exit::USAGE, "{arguments:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn requests_are_answered_line_by_line() {
    let asked = "{\"query\":\"retry\"}\n\n{\"query\":\"?\"}\n{\"query\":\"other\",\"tokens\":0}\n";
    let output = parity(&tree(), &["search", "--requests", "-"], asked);
    let answers = objects(&output);
    assert_eq!((answers.len(), code(&output)), (3, exit::NOTHING_RAN));
    assert_eq!(answers[0]["results"][0]["name"], "retry");
    assert!(answers[1]["error"].is_string());
    assert_eq!((&answers[2]["passed"], &answers[2]["tokens"]), (&1.into(), &0.into()));
    for wrong in [
        "{\"query\":1}",
        "{\"query\":\"x\",\"gate\":3}",
        "{\"query\":\"x\",\"candidates\":0}",
        "{\"ask\":\"x\"}",
        "x",
    ] {
        assert_eq!(
            code(&parity(&tree(), &["search", "--requests", "-"], wrong)),
            exit::USAGE,
            "{wrong}"
        );
    }
}

#[test]
fn chunks_of_a_folder_are_those_of_its_source_files() {
    let tree = tree();
    let output = parity(&tree, &["chunks", ".", "--json"], "");
    let chunks = objects(&output);
    let names: Vec<&str> = chunks.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!((names, code(&output)), (vec!["retry", "other"], exit::PASS));
    assert_eq!(chunks[0].as_object().unwrap().len(), 20);
    assert_eq!(chunks[0]["relative_path"], "net/client.py");
    assert!(chunks[0]["content_hash"].is_string() && chunks[0]["last_modified"].is_u64());
    assert_eq!(code(&parity(&tree, &["chunks", "notes.txt"], "")), exit::USAGE);
    fs::create_dir(tree.path().join("docs")).unwrap();
    fs::write(tree.path().join("docs/plan.txt"), "retry").unwrap();
    let none = parity(&tree, &["chunks", "docs"], "");
    assert_eq!((code(&none), none.stdout.is_empty()), (exit::NOTHING_RAN, true));
}

#[test]
fn a_parser_that_crashes_loses_only_its_file() {
    let tree = tree();
    fs::write(tree.path().join("bad.py"), "def bad():\n    pass\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_parity"));
    command.current_dir(tree.path()).args(["search", "retry", "--json"]);
    command.env("PARITY_CACHE_DIR", tree.path().join(".cache"));
    let output = command.env("PARITY_TEST_PARSER", "crash:bad.py").output().unwrap();
    assert_eq!(code(&output), exit::PASS, "{}", String::from_utf8_lossy(&output.stderr));
    let answer = &objects(&output)[0];
    assert_eq!(answer["skipped"][0]["file"], "bad.py");
    assert_eq!(answer["results"][0]["name"], "retry");
}

#[test]
fn a_language_that_the_project_sets_for_an_extension_holds_for_searches_and_chunks() {
    let tree = tree();
    fs::write(tree.path().join("shade.inc"), "fn colour() -> u8 { 1 }\n").unwrap();
    let chunks = |arguments: &[&str]| objects(&parity(&tree, arguments, ""));
    let of_inc = |chunks: Vec<Value>| {
        let mut names = chunks.into_iter().filter(|one| one["relative_path"] == "shade.inc");
        names.find_map(|one| one["name"].as_str().map(str::to_owned))
    };
    assert_eq!(of_inc(chunks(&["chunks", ".", "--json"])), None);
    fs::write(
        tree.path().join("parity.toml"),
        "[repo_map]\nlanguage_overrides = { \".inc\" = \"rust\" }\n",
    )
    .unwrap();
    assert_eq!(of_inc(chunks(&["chunks", ".", "--json"])).as_deref(), Some("colour"));
    assert_eq!(of_inc(chunks(&["chunks", ".", "--json", "--no-config"])), None);
    let found = parity(&tree, &["search", "colour"], "");
    assert!(String::from_utf8_lossy(&found.stdout).starts_with("shade.inc:1: fn colour()"));
}

#[test]
fn a_symbol_is_told_or_what_is_similar() {
    let tree = tree();
    let found = parity(&tree, &["symbol", "retry", "net", "--json"], "");
    assert_eq!(code(&found), exit::PASS, "{}", String::from_utf8_lossy(&found.stderr));
    let answer = &objects(&found)[0];
    assert_eq!((&answer["schema_version"], &answer["results"][0]["line"]), (&1.into(), &1.into()));
    let text = parity(&tree, &["symbol", "symbol = net/client.py > retry"], "");
    assert!(
        String::from_utf8(text.stdout)
            .unwrap()
            .starts_with("Search: \"net/client.py > retry\" | 1 result")
    );
    let missing = parity(&tree, &["symbol", "Retry"], "");
    let said = String::from_utf8(missing.stderr.clone()).unwrap();
    assert_eq!(code(&missing), exit::NOTHING_RAN);
    assert!(said.contains("Did you mean \"retry\" (net/client.py:1)?"), "{said}");
    let missing = parity(&tree, &["symbol", "Retry", "--json"], "");
    assert_eq!(code(&missing), exit::NOTHING_RAN);
    assert_eq!(objects(&missing)[0]["error"]["what"], "symbol");
    let complete = parity(&tree, &["symbol", "--complete", "re"], "");
    assert_eq!(complete.stdout, b"retry\n");
    for wrong in [
        &["symbol", "net > "][..],
        &["symbol", "retry", "gone"],
        &["symbol", "retry", "--call-depth", "0"],
    ] {
        assert_eq!(code(&parity(&tree, wrong, "")), exit::USAGE, "{wrong:?}");
    }
}

#[test]
fn a_graph_is_printed_of_files_with_symbols() {
    let tree = tree();
    let text = "from client import retry\n\n\ndef again():\n    return retry(3)\n";
    fs::write(tree.path().join("net/again.py"), text).unwrap();
    let found = parity(&tree, &["graph", "net"], "");
    assert_eq!(code(&found), exit::PASS, "{}", String::from_utf8_lossy(&found.stderr));
    let expected = "net/again.py:4: function again
  → call retry (net/client.py), bound, line 5
files: 2; edges: 1 bound, 0 annotated; no edges: 0 of a unique name, 0 unresolved, 0 from outside
";
    assert_eq!(String::from_utf8(found.stdout).unwrap(), expected);
    let found = parity(&tree, &["graph", "net/again.py", "--json", "--call-depth", "-1"], "");
    let listing = &objects(&found)[0];
    assert_eq!(listing["symbols"][0]["calls"][0]["name"], "retry");
    assert_eq!(code(&parity(&tree, &["graph", "notes.txt"], "")), exit::NOTHING_RAN);
    assert_eq!(code(&parity(&tree, &["graph"], "")), exit::USAGE);
}
