//! Files that differ from HEAD weigh more, whatever git would do to find out.

use std::{fs, os::unix::fs::symlink, process::Command};

use base::profile::Profile;
use map::{Factor, FileReason, MapRequest, TraceDetail, build};
use tempfile::TempDir;

/// A repository with a commit of four files that look alike.
fn repository() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    git(&place, &["init", "--quiet", "--initial-branch", "main"]);
    for name in ["a", "b", "c", "d"] {
        write(&place, &format!("{name}.py"), &code(name));
    }
    commit(&place);
    place
}

fn code(name: &str) -> String {
    format!("def {name}_one():\n    start()\n")
}

fn write(place: &TempDir, name: &str, text: &str) {
    fs::write(place.path().join(name), text).unwrap();
}

fn git(place: &TempDir, arguments: &[&str]) {
    let ended = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "gc.auto=0"])
        .args(["-c", "core.autocrlf=false"])
        .args(arguments)
        .current_dir(place.path())
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(ended.status.success(), "git {arguments:?}: {ended:?}");
}

fn commit(place: &TempDir) {
    git(place, &["add", "--all"]);
    git(place, &["commit", "--quiet", "--allow-empty", "--message", "change"]);
}

fn explained(place: &TempDir, chat: &[&str], without: &[Factor]) -> Vec<FileReason> {
    let mut request = MapRequest::new(place.path());
    request.profile = Profile::Enhancement;
    request.map_tokens = Some(1024.0);
    request.explain = true;
    request.chat = chat.iter().map(|file| (*file).to_owned()).collect();
    request.without = without.iter().copied().collect();
    let map = build(&request, TraceDetail::None).unwrap();
    map.attempts.last().unwrap().explanation.clone().unwrap()
}

/// The files that count as edited.
fn edited(place: &TempDir) -> Vec<String> {
    let files = explained(place, &[], &[]).into_iter();
    let mut edited: Vec<_> = files.filter(|file| file.edited).map(|file| file.file).collect();
    edited.sort();
    edited
}

#[test]
fn an_edited_file_comes_before_those_like_it() {
    let place = repository();
    for name in ["a", "b", "c", "d"] {
        write(&place, &format!("{name}.py"), &format!("{}#\n", code(name)));
        let files = explained(&place, &[], &[]);
        assert_eq!(files[0].file, format!("{name}.py"));
        assert!(files[0].edited && files[0].seed > files[1].seed, "{files:?}");
        write(&place, &format!("{name}.py"), &code(name));
    }
    write(&place, "a.py", &format!("{}#\n", code("a")));
    let without = explained(&place, &[], &[Factor::Edits]);
    assert_ne!(without[0].file, "a.py");
    assert!(without.iter().all(|file| !file.edited));
}

#[test]
fn what_is_edited_is_decided_by_contents() {
    let place = repository();
    assert_eq!(edited(&place), [""; 0]);
    // Written again with the same contents, and staged without effect.
    write(&place, "a.py", &code("a"));
    git(&place, &["add", "--all"]);
    assert_eq!(edited(&place), [""; 0]);
    // Staged, and staged and taken back in the work tree alone.
    write(&place, "b.py", &code("other"));
    write(&place, "c.py", &code("other"));
    write(&place, "new.py", &code("new"));
    git(&place, &["add", "--all"]);
    write(&place, "c.py", &code("c"));
    // Untracked.
    write(&place, "untracked.py", &code("untracked"));
    assert_eq!(edited(&place), ["b.py", "new.py"]);
    commit(&place);
    assert_eq!(edited(&place), [""; 0]);
    // Gone.
    fs::remove_file(place.path().join("d.py")).unwrap();
    assert_eq!(edited(&place), [""; 0]);
}

#[test]
fn line_ends_that_a_checkout_adds_are_no_edit() {
    let place = repository();
    write(&place, "a.py", &code("a").replace('\n', "\r\n"));
    assert_eq!(edited(&place), [""; 0]);
    // HEAD has them.
    git(&place, &["add", "--all"]);
    git(&place, &["commit", "--quiet", "--message", "line ends"]);
    assert_eq!(edited(&place), [""; 0]);
    write(&place, "a.py", &code("b").replace('\n', "\r\n"));
    assert_eq!(edited(&place), ["a.py"]);
}

#[test]
fn without_a_commit_nothing_is_known_to_be_new() {
    let place = tempfile::tempdir().unwrap();
    write(&place, "a.py", &code("a"));
    assert_eq!(edited(&place), [""; 0], "no git");
    git(&place, &["init", "--quiet"]);
    git(&place, &["add", "--all"]);
    assert_eq!(edited(&place), [""; 0], "no commit");
}

#[test]
fn a_file_that_only_a_link_leads_to_is_not_edited() {
    let place = repository();
    fs::create_dir(place.path().join("ignored")).unwrap();
    write(&place, ".gitignore", "ignored\n");
    write(&place, "ignored/e.py", &code("e"));
    symlink("ignored/e.py", place.path().join("e.py")).unwrap();
    commit(&place);
    let files = explained(&place, &[], &[]);
    assert!(files.iter().any(|file| file.file == "ignored/e.py"), "{files:?}");
    assert_eq!(edited(&place), [""; 0]);
}

#[test]
fn an_edited_file_of_the_chat_counts_as_a_file_of_the_chat_alone() {
    let place = repository();
    write(&place, "a.py", &code("other"));
    write(&place, "b.py", &code("another"));
    let edited: Vec<_> = explained(&place, &["a.py"], &[]);
    let edited: Vec<_> = edited.iter().filter(|file| file.edited).map(|file| &file.file).collect();
    assert_eq!(edited, ["b.py"]);
}

#[test]
fn no_filter_and_no_monitor_runs_to_find_what_is_edited() {
    let place = repository();
    let mark = place.path().join("ran");
    let run = format!("sh -c 'touch {}; cat'", mark.display());
    write(&place, ".gitattributes", "* filter=x\n");
    for key in ["filter.x.clean", "filter.x.smudge", "core.fsmonitor", "diff.external"] {
        git(&place, &["config", key, &run]);
    }
    write(&place, "a.py", &code("other"));
    assert_eq!(edited(&place), ["a.py"]);
    assert!(!mark.exists());
}
