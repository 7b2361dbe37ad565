//! Documents held against published schemas, by a published validator (`comparators/schemas/`).
#![allow(dead_code, reason = "each test program uses its part")]

use std::{
    collections::BTreeSet,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

use harness::oracle::{OracleSpec, Programs, install};
use serde::Deserialize;
use serde_json::{Value, json};

/// What the validator says about documents.
#[derive(Debug, Deserialize)]
pub struct Judged {
    /// Why the schema is none.
    pub rejected: Option<String>,
    /// For each document, why it does not fit.
    pub wrong: Vec<Option<String>>,
    /// Every property of the schema, as JSON pointers.
    pub defined: BTreeSet<String>,
    /// Those that occur in a document that fits.
    pub used: BTreeSet<String>,
}

/// A schema as `parity schema` prints it.
pub fn schema(name: &str) -> Value {
    let output =
        Command::new(env!("CARGO_BIN_EXE_parity")).args(["schema", name]).output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Holds documents against a schema each.
pub fn judge(jobs: &[(Value, Vec<Value>)]) -> Vec<Judged> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../comparators/schemas");
    let spec = OracleSpec::open(&folder).unwrap();
    let cache = harness::cache_dir().unwrap();
    let said = &mut |line: &str| eprintln!("{line}");
    let validator = install(&spec, &cache, &mut Programs::default(), said)
        .unwrap_or_else(|error| panic!("the validator cannot be installed: {error}"));
    let (program, arguments) = validator.argv.split_first().unwrap();
    let mut child = Command::new(program)
        .args(arguments)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let jobs: Vec<Value> = jobs
        .iter()
        .map(|(schema, documents)| json!({"schema": schema, "documents": documents}))
        .collect();
    let mut input = child.stdin.take().unwrap();
    input.write_all(Value::from(jobs).to_string().as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the validator failed");
    serde_json::from_slice(&output.stdout).unwrap()
}
