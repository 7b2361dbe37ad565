//! Neither the checkout's configuration nor inherited variables decide which commit a plan names, or
//! make git run a program.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use super::SourceState;
use crate::corpus::git;

/// Names the checkout to a copy of this test program that runs with hostile variables.
const CHECKOUT: &str = "PARITY_TEST_CHECKOUT";

/// A repository with one commit of one file.
fn repository(root: &Path, text: &str) -> String {
    fs::create_dir(root).unwrap();
    git::init(root).unwrap();
    fs::write(root.join("a.txt"), text).unwrap();
    git::commit_all(root, "one").unwrap()
}

#[test]
fn what_a_checkout_configures_is_not_run_and_changes_no_tree() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("checkout");
    let commit = repository(&root, "one\n");
    let plain = SourceState::of(&root).unwrap();
    assert_eq!((plain.commit.as_str(), plain.clean), (commit.as_str(), true));

    let (marker, program) = (folder.path().join("ran"), folder.path().join("program"));
    fs::write(&program, format!("#!/bin/sh\necho \"$0 $*\" >> {}\ncat\n", marker.display()))
        .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let program = program.to_str().unwrap();
    for key in [
        "core.fsmonitor",
        "core.sshCommand",
        "filter.x.clean",
        "filter.x.process",
        "filter.a.b=c.clean",
        "alias.add",
        "alias.write-tree",
        "gpg.program",
    ] {
        git::run(&root, &["config", key, program]).unwrap();
    }
    git::run(&root, &["config", "filter.x.required", "true"]).unwrap();
    let hooks = root.join(".git/hooks");
    fs::create_dir(&hooks).unwrap();
    fs::copy(program, hooks.join("post-index-change")).unwrap();
    fs::write(root.join(".git/info/attributes"), "a.txt filter=x\nb.txt filter=a.b=c\n").unwrap();
    assert_eq!(SourceState::of(&root).unwrap(), plain);
    // A new time makes git read the file again.
    fs::write(root.join("a.txt"), "one\n").unwrap();
    assert_eq!(SourceState::of(&root).unwrap(), plain);
    fs::write(root.join("b.txt"), "two\n").unwrap();
    let changed = SourceState::of(&root).unwrap();
    assert!(!changed.clean && changed.commit == plain.commit && changed.tree != plain.tree);
    assert!(!marker.exists(), "{}", fs::read_to_string(&marker).unwrap());
    // The control: git itself does run it.
    Command::new("git").arg("-C").arg(&root).args(["add", "."]).output().unwrap();
    assert!(marker.exists());
}

#[test]
#[ignore = "runs only as a program of the test below"]
#[expect(clippy::print_stdout, reason = "what the program answers")]
fn names_its_commit() {
    let Some(checkout) = std::env::var_os(CHECKOUT) else { return };
    let checkout = Path::new(&checkout);
    println!("plan: {:?}", SourceState::of(checkout).unwrap());
    // The git of corpora, in the same environment.
    println!("corpus: {}", git::head(checkout).unwrap());
    println!("status: {:?}", git::status(checkout).unwrap());
}

#[test]
fn variables_of_git_do_not_lead_to_another_repository() {
    let folder = tempfile::tempdir().unwrap();
    let (root, other) = (folder.path().join("checkout"), folder.path().join("other"));
    let (commit, foreign) = (repository(&root, "one\n"), repository(&other, "two\n"));
    assert_ne!(commit, foreign);
    let marker = folder.path().join("ran");
    let program = format!("touch {}", marker.display());
    let test = concat!(module_path!(), "::names_its_commit").split_once("::").unwrap().1;
    let ended = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env(CHECKOUT, &root)
        .env("GIT_DIR", other.join(".git"))
        .env("GIT_COMMON_DIR", other.join(".git"))
        .env("GIT_WORK_TREE", &other)
        .env("GIT_OBJECT_DIRECTORY", other.join(".git/objects"))
        .env("GIT_INDEX_FILE", other.join(".git/index"))
        .env("GIT_NAMESPACE", "x")
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "core.fsmonitor")
        .env("GIT_CONFIG_VALUE_0", &program)
        .env("GIT_CONFIG_PARAMETERS", format!("'core.fsmonitor={program}'"))
        .env("GIT_EXTERNAL_DIFF", &program)
        .env("GIT_EXEC_PATH", "/nowhere")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    assert!(ended.status.success(), "{said}");
    assert!(said.contains(&format!("plan: SourceState {{ commit: \"{commit}\"")), "{said}");
    assert!(said.contains("clean: true"), "{said}");
    assert!(said.contains(&format!("corpus: {commit}\n")), "{said}");
    assert!(said.contains("status: \"\"\n"), "{said}");
    assert!(!marker.exists());
    assert_eq!(git::head(&other).unwrap(), foreign);
}
