//! Reads git's history of the protocol, without the settings of the repository and of the caller's environment.

use std::{collections::BTreeMap, path::Path, time::Duration};

use super::HistoryError;
use crate::process::{self, Invocation};

/// Longest time for one command.
const PATIENCE: Duration = Duration::from_mins(2);
/// Most bytes that one command may print.
const LARGEST: usize = 1 << 28;

/// Runs a git command and returns its standard output.
pub fn run(root: &Path, arguments: &[&str]) -> Result<Vec<u8>, HistoryError> {
    ask(root, arguments, Vec::new())
}

/// As [`run`], with `input` on standard input.
fn ask(root: &Path, arguments: &[&str], input: Vec<u8>) -> Result<Vec<u8>, HistoryError> {
    let mut command = Invocation::new("git", root)
        .inherit_env()
        .args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"])
        .args(arguments.iter().copied());
    // In a git hook, for example, the environment names another repository.
    command.env.retain(|name, _| !name.starts_with("GIT_"));
    command.env.insert("GIT_NO_LAZY_FETCH".to_owned(), "1".to_owned());
    command.env.insert("GIT_ALLOW_PROTOCOL".to_owned(), String::new());
    command.stdin = input;
    command.deadline = PATIENCE;
    command.max_stdout = LARGEST;
    let failed = |why: String| HistoryError::Git { command: arguments.join(" "), why };
    let capture = process::run(&command).map_err(|error| failed(error.to_string()))?;
    if capture.succeeded() {
        return Ok(capture.stdout.bytes);
    }
    Err(failed(format!("{}: {}", capture.ending(), capture.stderr_tail(3))))
}

/// The output of a command, without the white space around it.
pub fn line(root: &Path, arguments: &[&str]) -> Result<String, HistoryError> {
    Ok(String::from_utf8_lossy(&run(root, arguments)?).trim().to_owned())
}

/// The full id of the commit that a revision names. A revision that begins with a dash is not taken for an option.
pub fn commit(root: &Path, name: &str) -> Result<String, HistoryError> {
    let name = format!("{name}^{{commit}}");
    line(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &name])
}

/// The files below some paths in a commit, with their blob ids.
pub fn blobs(
    root: &Path,
    commit: &str,
    paths: &[&str],
) -> Result<BTreeMap<String, String>, HistoryError> {
    let arguments = [&["ls-tree", "-r", "-z", commit, "--"], paths].concat();
    let listed = run(root, &arguments)?;
    let listed = String::from_utf8_lossy(&listed);
    let rows = listed.split('\0').filter_map(|row| row.split_once('\t'));
    let blob = |about: &str| about.rsplit(' ').next().unwrap_or_default().to_owned();
    Ok(rows.map(|(about, path)| (path.to_owned(), blob(about))).collect())
}

/// The contents of the files below some paths in a commit, read by one command.
pub fn files(
    root: &Path,
    commit: &str,
    paths: &[&str],
) -> Result<BTreeMap<String, Vec<u8>>, HistoryError> {
    let blobs = blobs(root, commit, paths)?;
    let names: String = blobs.values().map(|blob| format!("{blob}\n")).collect();
    let answer = ask(root, &["cat-file", "--batch"], names.into_bytes())?;
    let mut rest = answer.as_slice();
    let mut files = BTreeMap::new();
    for path in blobs.into_keys() {
        let content = next_content(&mut rest).ok_or_else(|| HistoryError::Git {
            command: "cat-file --batch".to_owned(),
            why: format!("{path} is not in this clone"),
        })?;
        files.insert(path, content.to_owned());
    }
    Ok(files)
}

/// Takes the first content from the output of `cat-file --batch`: a line that ends with its size, its bytes, and a
/// line end.
fn next_content<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let end = memchr::memchr(b'\n', rest)?;
    let (head, after) = rest.split_at_checked(end)?;
    let size = std::str::from_utf8(head).ok()?.rsplit(' ').next()?.parse().ok()?;
    let (content, after) = after.get(1..)?.split_at_checked(size)?;
    *rest = after.get(1..)?;
    Some(content)
}
