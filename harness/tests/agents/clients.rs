//! Published clients against the server: `comparators/clients/`, installed into the cache from their
//! locks.

use std::{collections::BTreeMap, path::Path, process::Output};

use harness::oracle::{Installed, OracleSpec, Programs, install};
use serde_json::{Value, json};

use super::place::{Place, told};

/// A client, installed once; tests that run at the same time wait for each other.
pub fn client(name: &str) -> Installed {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../comparators/clients").join(name);
    let spec = OracleSpec::open(&folder).unwrap();
    let cache = harness::cache_dir().unwrap();
    install(&spec, &cache, &mut Programs::default(), &mut |line| eprintln!("{line}"))
        .unwrap_or_else(|error| panic!("{name} cannot be installed: {error}"))
}

/// Runs a client in a place and returns its output.
fn run(client: &Installed, place: &Place, arguments: &[&str]) -> Output {
    let (program, words) = client.argv.split_first().unwrap();
    let mut command = place.program(program);
    command.args(words).args(arguments).env("PYTHONDONTWRITEBYTECODE", "1");
    told(command, b"")
}

/// The same; the client must succeed.
pub fn said(client: &Installed, place: &Place, arguments: &[&str]) -> Output {
    let output = run(client, place, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {error}", client.spec.definition.name);
    output
}

fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Checks what every client must have received about [`Place::new`].
fn assert_answered(said: &Value) {
    assert_eq!(said["server"], "parity", "{said}");
    assert_eq!(
        said["tools"],
        json!(["repo_map", "map_refresh", "explore", "codebase_search", "treesitter"])
    );
    assert_eq!(said["map"], "\nshapes.py:\n def area_of(shape):\n\nuse_shapes.py\n");
    assert_eq!(said["definition"], 1, "{said}");
    assert_eq!(said["refused"], true, "a path outside of the root");
    assert_eq!(said["unknown"], -32602, "a tool that does not exist");
    assert_eq!(said["templates"], json!(["parity://map{?budget,focus}", "parity://file/{+path}"]));
    assert!(said["resource"].as_str().unwrap().contains("def area_of(shape):"), "{said}");
}

#[test]
fn the_python_package_speaks_both_revisions() {
    let python = client("python");
    for (mode, revision) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let place = Place::new();
        let root = place.root().to_str().unwrap();
        let said = json_of(&said(&python, &place, &[env!("CARGO_BIN_EXE_parity"), root, mode]));
        assert_answered(&said);
        assert_eq!(said["revision"], revision);
    }
}

#[test]
fn the_typescript_package_is_answered() {
    let place = Place::new();
    let root = place.root().to_str().unwrap();
    let typescript = client("typescript");
    assert_answered(&json_of(&said(&typescript, &place, &[env!("CARGO_BIN_EXE_parity"), root])));
}

#[test]
fn the_inspector_finds_no_fault_with_the_schemas_in_either_revision() {
    let inspector = client("inspector");
    for era in ["legacy", "modern"] {
        let place = Place::new();
        let asked = asked(&place, &["--method", "tools/list", "--strict"], era);
        let listed = said(&inspector, &place, &asked);
        let tools = json_of(&listed)["tools"].as_array().unwrap().len();
        assert_eq!((tools, String::from_utf8_lossy(&listed.stderr).trim()), (5, ""), "{era}");
    }
}

#[test]
fn the_inspector_calls_at_once_and_no_call_fails() {
    let inspector = client("inspector");
    for era in ["legacy", "modern"] {
        let place = Place::new();
        let call = ["--method", "tools/call", "--tool-name", "repo_map"];
        let load = ["--load", "--load-requests", "24", "--load-concurrency", "8"];
        let asked = asked(&place, &[&call[..], &load].concat(), era);
        let report = json_of(&said(&inspector, &place, &asked));
        let counts: BTreeMap<&str, u64> = ["requests", "ok", "errors", "toolErrors"]
            .map(|name| (name, report[name].as_u64().unwrap()))
            .into();
        let expected = [("requests", 24), ("ok", 24), ("errors", 0), ("toolErrors", 0)];
        assert_eq!(counts, expected.into(), "{era}: {report}");
    }
}

#[test]
fn a_program_that_is_no_server_fails_every_client() {
    let place = Place::new();
    let root = place.root().to_str().unwrap();
    for (name, arguments) in [
        ("python", &["/bin/true", root, "legacy"][..]),
        ("typescript", &["/bin/true", root]),
        ("inspector", &["/bin/true", "--method", "tools/list", "--strict"]),
    ] {
        let output = run(&client(name), &place, arguments);
        assert!(!output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

/// The arguments that make the Inspector query the server of a place in one era of the protocol.
fn asked<'a>(place: &'a Place, what: &[&'a str], era: &'a str) -> Vec<&'a str> {
    let server = [env!("CARGO_BIN_EXE_parity"), "mcp", "--root", place.root().to_str().unwrap()];
    [&server, what, &["--protocol-era", era]].concat()
}
