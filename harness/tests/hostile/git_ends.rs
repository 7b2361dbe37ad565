//! Every call of git ends.

use std::{fs, path::Path, process::Command};

use crate::repository::{
    PROFILES, committed, every_way, every_way_maps, git, parity, text, within,
};

/// The seconds that git has in these tests, as a variable for the program.
const SECONDS: (&str, &str) = ("PARITY_TEST_GIT_SECONDS", "1");

fn pipe(path: &Path) {
    fs::remove_file(path).ok();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Every way to ask ends with a refusal that names the obstacle.
fn refused(root: &Path, name: &str) {
    for (way, told) in within(60, || every_way(root, &[])) {
        assert!(told.stopped.is_none(), "{way}: {}", told.ending());
        assert!(!told.succeeded() && text(&told).contains(name), "{way}: {}", text(&told));
    }
}

#[test]
fn a_pipe_where_git_keeps_a_file_is_refused_at_once() {
    for name in ["index", "HEAD", "config", "packed-refs", "shallow", "objects/info/alternates"] {
        let dir = committed(|_| {});
        pipe(&dir.path().join(".git").join(name));
        refused(dir.path(), name);
    }
}

#[test]
fn a_pipe_as_git_file_or_common_directory_is_refused_at_once() {
    let dir = committed(|_| {});
    fs::rename(dir.path().join(".git"), dir.path().join("kept")).unwrap();
    pipe(&dir.path().join(".git"));
    refused(dir.path(), ".git");
    let dir = committed(|_| {});
    pipe(&dir.path().join(".git/commondir"));
    refused(dir.path(), "commondir");
}

#[test]
fn a_pipe_with_ignore_rules_is_refused_at_once() {
    let dir = committed(|_| {});
    pipe(&dir.path().join(".git/info/exclude"));
    refused(dir.path(), "exclude");
}

#[test]
fn pipes_that_a_configuration_names_are_never_opened() {
    let dir = committed(|_| {});
    let named = dir.path().join(".git/pipe");
    let named = named.to_str().unwrap();
    for key in ["core.excludesFile", "core.attributesFile", "include.path"] {
        git(dir.path(), &["config", key, named]);
    }
    pipe(Path::new(named));
    within(60, || every_way_maps(dir.path(), &[]));
}

#[test]
fn a_pipe_among_the_objects_or_references_ends_at_the_deadline() {
    for of in ["HEAD", "HEAD^{tree}", "refs/heads/main"] {
        let dir = committed(|_| {});
        let path = if of.starts_with("refs") {
            dir.path().join(".git").join(of)
        } else {
            let id = git(dir.path(), &["rev-parse", of]);
            let (folder, file) = id.trim().split_at(2);
            dir.path().join(".git/objects").join(folder).join(file)
        };
        pipe(&path);
        for (way, told) in within(90, || every_way(dir.path(), &[SECONDS])) {
            assert!(told.stopped.is_none(), "{of}: {way}: {}", told.ending());
            assert!(!told.succeeded(), "{of}: {way}: {}", text(&told));
        }
    }
}

#[test]
fn a_pipe_as_gitignore_ends_at_the_deadline() {
    let dir = committed(|_| {});
    // The ignore rules are read only for a file that git does not track.
    fs::write(dir.path().join("scratch.py"), "def scratch(): pass\n").unwrap();
    pipe(&dir.path().join(".gitignore"));
    for profile in PROFILES {
        let arguments = ["map", ".", "--chat", "scratch.py", "--profile", profile];
        let told = within(60, || parity(dir.path(), &[SECONDS], &arguments, ""));
        assert!(told.stopped.is_none(), "{}", told.ending());
        assert!(text(&told).contains("check-ignore"), "{}", text(&told));
    }
}

#[test]
fn trees_that_share_themselves_end() {
    let dir = committed(|_| {});
    let root = dir.path();
    // Ten folders that each hold ten folders, ten levels deep: ten thousand million files in
    // eleven objects.
    let blob = git(root, &["hash-object", "-w", "honest.py"]);
    let mut entry = format!("100644 blob {}", blob.trim());
    for _ in 0..10 {
        let list: String = (0..10).map(|n| format!("{entry}\tname{n}\n")).collect();
        fs::write(root.join(".git/list"), list).unwrap();
        let script = "git mktree < .git/list";
        let made = Command::new("sh").args(["-c", script]).current_dir(root).output().unwrap();
        entry = format!("040000 tree {}", String::from_utf8(made.stdout).unwrap().trim());
    }
    let tree = entry.rsplit(' ').next().unwrap();
    let commit = git(root, &["commit-tree", "-m", "bomb", tree]);
    git(root, &["update-ref", "HEAD", commit.trim()]);
    for (way, told) in within(100, || every_way(root, &[SECONDS])) {
        assert!(told.stopped.is_none(), "{way}: {}", told.ending());
        assert!(!told.succeeded(), "{way}: {}", text(&told));
    }
}
