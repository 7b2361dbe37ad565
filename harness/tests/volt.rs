//! The adapter of Volt, `parity audit volt` and runs with a checkout of Volt, tested with a miniature
//! checkout of our own (`tests/volt/`) that has the module interface of Volt. It is JavaScript, which
//! node runs.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

/// A corpus of the smoke set.
const CORPUS: &str = "^flask$";

/// A copy of the miniature as a repository with one commit.
fn checkout(folder: &Path) -> PathBuf {
    let dispatcher = "packages/opencode/src/session/lcm/explore/dispatcher.js";
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/volt");
    let to = folder.join("volt");
    fs::create_dir_all(to.join(dispatcher).parent().unwrap()).unwrap();
    for file in ["package.json", dispatcher] {
        fs::copy(from.join(file), to.join(file)).unwrap();
    }
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "--all"],
        &["-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "-m", "miniature"],
    ] {
        let git = Command::new("git").current_dir(&to).args(arguments).status().unwrap();
        assert!(git.success());
    }
    to
}

fn audit(volt: &Path) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    Command::new(env!("CARGO_BIN_EXE_parity"))
        .args(["audit", "volt", "--json", "--set", "smoke", "--corpus", CORPUS])
        .env("PARITY_VOLT_DIR", volt)
        .current_dir(root)
        .output()
        .unwrap()
}

#[test]
fn a_checkout_is_run_and_a_field_that_only_it_has_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let volt = checkout(folder.path());
    let output = audit(&volt);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(10), "{said}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["volt"], "live");
    assert_eq!(found["checkout"]["commit"].as_str().unwrap().len(), 40);
    assert_eq!(found["checkout"]["tree"].as_str().unwrap().len(), 40);
    assert_eq!(found["checkout"]["clean"], true);
    assert_eq!(found["checkout"]["runner"], "node");
    let files = found["files"].as_array().unwrap();
    let lacking: Vec<&Value> =
        files.iter().filter(|file| !file["lacking"].as_array().unwrap().is_empty()).collect();
    assert!(!lacking.is_empty());
    for file in lacking {
        assert!(file["file"].as_str().unwrap().ends_with("cli.py"), "{file}");
        assert_eq!(file["lacking"][0], "Moon phase");
    }
    // Symbols that gold names and the miniature does not.
    let python = &found["explorers"]["python"];
    assert!(python["volt_misses"].as_u64().unwrap() > 100, "{python}");
    // Explorers get no model.
    let text = files.iter().find(|file| !file["file"].as_str().unwrap().ends_with(".py")).unwrap();
    assert!(text["volt_failed"].as_str().unwrap().contains("a model was asked for"), "{text}");

    // A changed tracked file is reported.
    let package = volt.join("package.json");
    let text = fs::read_to_string(&package).unwrap();
    fs::write(&package, format!("{text}\n")).unwrap();
    let found: Value = serde_json::from_slice(&audit(&volt).stdout).unwrap();
    assert_eq!(found["checkout"]["clean"], false);
}

#[test]
fn a_checkout_that_is_named_and_cannot_be_run_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for volt in [folder.path().to_owned(), folder.path().join("absent")] {
        let output = audit(&volt);
        assert_eq!(output.status.code(), Some(20));
        assert!(String::from_utf8_lossy(&output.stderr).contains("PARITY_VOLT_DIR"));
    }
}

#[test]
fn without_a_checkout_the_contracts_are_said_and_nothing_passes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    if root.parent().is_some_and(|parent| parent.join("volt").exists()) {
        return;
    }
    let output = audit(Path::new(""));
    assert_eq!(output.status.code(), Some(4));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["volt"], "contracts");
}

/// A run of the gate that judges code, on one corpus: exit code, document and messages.
fn run(volt: &Path) -> (i32, Value, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_parity"))
        .args(["run", "--json", "--set", "smoke", "--gate", "B1", "--corpus", CORPUS])
        .env("PARITY_VOLT_DIR", volt)
        .current_dir(root)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let document = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.code().unwrap(), document, told)
}

/// A file of the evidence of a run.
fn evidence(document: &Value, name: &str) -> Value {
    let folder = Path::new(document["run"].as_str().unwrap()).join("evidence");
    serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap()
}

fn cell<'a>(document: &'a Value, case: &str, metric: &str) -> &'a Value {
    let cells = document["cells"].as_array().unwrap();
    let found = cells.iter().find(|cell| cell["case"] == case && cell["metric"] == metric);
    found.unwrap_or_else(|| panic!("no cell {metric} of {case}"))
}

/// The output of git about a checkout.
fn git(volt: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git").current_dir(volt).args(arguments).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn a_run_asks_a_checkout_and_a_field_that_we_lack_fails_its_gate() {
    let folder = tempfile::tempdir().unwrap();
    let volt = checkout(folder.path());
    let (code, found, told) = run(&volt);
    assert_eq!(code, 10, "{told}");
    let covered = cell(&found, "python", "volt_fields_covered");
    assert_eq!(covered["verdict"], "fail", "{covered}");
    assert!(covered["note"].as_str().unwrap().contains("cli.py lacks Moon phase"), "{covered}");
    assert!(cell(&found, "python", "volt_misses")["value"].as_f64().unwrap() > 100.0);

    // The evidence in the bundle says which checkout was run, and what it answered.
    let (commit, tree) =
        (git(&volt, &["rev-parse", "HEAD"]), git(&volt, &["rev-parse", "HEAD^{tree}"]));
    assert!(told.contains(&format!("volt: live, commit {commit}")), "{told}");
    let profile = evidence(&found, "profile.json");
    assert_eq!(profile["explorers"]["volt"], "live");
    assert_eq!(profile["explorers"]["commits"], serde_json::json!([commit]));
    assert_eq!(profile["explorers"]["tree"], tree.as_str());
    let beside = evidence(&found, "volt.json");
    assert_eq!(
        (&beside["volt"], &beside["checkout"]["tree"]),
        (&"live".into(), &tree.as_str().into())
    );
    assert_eq!((&beside["run_profile"], &found["run_profile"]), (&profile, &profile));
    let evidence_folder = Path::new(found["run"].as_str().unwrap()).join("evidence");
    let explored = fs::read_to_string(evidence_folder.join("explorations.txt")).unwrap();
    assert!(explored.ends_with(&format!("run profile: {profile}\n")), "{explored}");
    let lacking = beside["files"].as_array().unwrap().iter();
    let lacking: Vec<&Value> =
        lacking.filter(|file| !file["lacking"].as_array().unwrap().is_empty()).collect();
    assert!(lacking.iter().all(|file| file["file"].as_str().unwrap().ends_with("cli.py")));
    let name = evidence(&found, "index.json")["flask/volt/0"].as_str().unwrap().to_owned();
    let recording = evidence(&found, &format!("recordings/{name}.json"));
    assert_eq!(recording["argv"][1], "$ROOM/adapter.mjs");
    assert_eq!(
        (&recording["side"], &recording["env"]),
        (&"comparator".into(), &serde_json::json!({"PATH": "$PATH"}))
    );

    // The recordings are judged again without the checkout.
    fs::remove_dir_all(&volt).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let again = Command::new(env!("CARGO_BIN_EXE_parity"))
        .args(["run", "--json", "--replay", found["run"].as_str().unwrap()])
        .current_dir(root)
        .output()
        .unwrap();
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(again["cells"], found["cells"]);
}

#[test]
fn a_run_passes_beside_a_checkout_whose_fields_we_all_have() {
    let folder = tempfile::tempdir().unwrap();
    let volt = checkout(folder.path());
    let module = volt.join("packages/opencode/src/session/lcm/explore/dispatcher.js");
    let text = fs::read_to_string(&module).unwrap().replace("Moon phase: full\\n", "");
    fs::write(&module, text).unwrap();
    // A checkout with changed files is refused, because no commit id names its content.
    let (code, _, told) = run(&volt);
    assert_eq!(code, 20, "{told}");
    assert!(told.contains("differ from its commit"), "{told}");
    git(&volt, &["-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "-am", "fewer"]);
    let (code, found, told) = run(&volt);
    assert_eq!(code, 0, "{told}");
    assert_eq!(cell(&found, "python", "volt_fields_covered")["value"], 1.0);
}

#[test]
fn a_run_without_a_checkout_says_contracts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    if root.parent().is_some_and(|parent| parent.join("volt").exists()) {
        return;
    }
    let (code, found, told) = run(Path::new(""));
    assert_eq!(code, 0, "{told}");
    assert!(told.contains("volt: contracts: "), "{told}");
    assert_eq!(evidence(&found, "profile.json")["explorers"]["volt"], "contracts");
    let report = evidence(&found, "report.json").to_string();
    assert!(report.contains("{\"name\":\"volt\",\"value\":\"contracts\"}"), "{report}");
    let cells = found["cells"].as_array().unwrap();
    assert!(cells.iter().all(|cell| !cell["metric"].as_str().unwrap().starts_with("volt_")));
}
