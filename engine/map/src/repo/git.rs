//! The questions put to git. The program itself is asked: it knows every repository format.

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// Why git gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The program cannot be started.
    #[error("git cannot be started: {0}; install git and try again")]
    Missing(std::io::Error),
    /// The directory belongs to no work tree.
    #[error("{0} is not inside a git work tree")]
    NotARepository(PathBuf),
    /// Git refused.
    #[error("git {what} failed in {dir}: {message}")]
    Failed {
        /// The sub-command.
        what: String,
        /// Where it ran.
        dir: PathBuf,
        /// Git's own words.
        message: String,
    },
}

/// A git command that no configuration of the inspected repository can turn into running a
/// program: no hooks, no file-system monitor, no prompts, no optional locks.
fn git(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(dir)
        .args(["-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null"])
        .args(["-c", "safe.directory=*", "-c", "core.quotePath=false"])
        .args(arguments)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C")
        .env_remove("GIT_DIR")
        .env_remove("GIT_WORK_TREE")
        .env_remove("GIT_INDEX_FILE")
        .stdin(Stdio::null());
    command
}

/// A git program that is running.
struct Asked {
    what: String,
    dir: PathBuf,
    child: Child,
}

impl Asked {
    fn start(dir: &Path, arguments: &[&str]) -> Result<Self, GitError> {
        let child = git(dir, arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(GitError::Missing)?;
        Ok(Self { what: arguments.join(" "), dir: dir.to_owned(), child })
    }

    fn answer(self) -> Result<Vec<u8>, GitError> {
        let output = self.child.wait_with_output().map_err(GitError::Missing)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(GitError::Failed {
            what: self.what,
            dir: self.dir,
            message: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        })
    }
}

fn answer(dir: &Path, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
    Asked::start(dir, arguments)?.answer()
}

/// What git knows of the tracked files of a work tree.
#[derive(Debug)]
pub struct Tracked {
    /// Root of the work tree, as git prints it.
    pub root: PathBuf,
    /// Paths of blobs in HEAD and of entries in the index, relative to the root, as bytes;
    /// sorted, without duplicates.
    pub paths: Vec<Vec<u8>>,
}

/// Asks for the root of the work tree.
const TOP_LEVEL: &[&str] = &["rev-parse", "--show-toplevel"];

/// Reads the answer about the root of the work tree around a directory.
fn top_level(dir: &Path, answer: Result<Vec<u8>, GitError>) -> Result<PathBuf, GitError> {
    use std::os::unix::ffi::OsStringExt;
    let not_found = |error| match error {
        GitError::Failed { .. } => GitError::NotARepository(dir.to_owned()),
        other => other,
    };
    let mut root = answer.map_err(not_found)?;
    if root.last() == Some(&b'\n') {
        root.pop();
    }
    if root.is_empty() {
        return Err(GitError::NotARepository(dir.to_owned()));
    }
    Ok(PathBuf::from(std::ffi::OsString::from_vec(root)))
}

/// Lists HEAD's blobs together with the index, submodules included, untracked files excluded.
pub fn tracked(dir: &Path) -> Result<Tracked, GitError> {
    // The three questions are independent, so all programs run at once. Each finds the root by
    // itself, in whatever directory of the work tree it starts.
    let root = Asked::start(dir, TOP_LEVEL)?;
    let (head, index) = rayon::join(
        || answer(dir, &["ls-tree", "-r", "-z", "--full-tree", "HEAD"]),
        || answer(dir, &["ls-files", "-z", "--cached", "--full-name", "--", ":/"]),
    );
    let root = top_level(dir, root.answer())?;
    // A repository without a commit has no HEAD tree; its index still counts.
    let head = match head {
        Ok(listing) => listing,
        Err(GitError::Failed { .. }) if !has_head(&root) => Vec::new(),
        Err(error) => return Err(error),
    };
    let blobs = entries(&head).filter_map(|entry| {
        let (attributes, path) = entry.split_at(entry.iter().position(|byte| *byte == b'\t')?);
        let kind = attributes.split(|byte| *byte == b' ').nth(1)?;
        (kind == b"blob").then(|| path.get(1..).unwrap_or_default().to_vec())
    });
    let index = index?;
    let mut paths: Vec<_> = blobs.chain(entries(&index).map(<[u8]>::to_vec)).collect();
    paths.sort_unstable();
    paths.dedup();
    Ok(Tracked { root, paths })
}

fn has_head(root: &Path) -> bool {
    answer(root, &["rev-parse", "--quiet", "--verify", "HEAD^{commit}"]).is_ok()
}

/// Those of some paths, relative to the root, that git's ignore rules exclude. Tracked files are
/// never excluded, and what lies outside the work tree is not git's to ignore.
pub fn ignored(root: &Path, paths: &[String]) -> Vec<String> {
    let mut asked = Vec::new();
    for path in paths.iter().filter(|path| !path.starts_with("../")) {
        asked.extend_from_slice(path.as_bytes());
        asked.push(0);
    }
    if asked.is_empty() {
        return Vec::new();
    }
    // The program exits with 1 when nothing is ignored.
    let listing = answer_to(root, &["check-ignore", "-z", "--stdin"], &asked).unwrap_or_default();
    entries(&listing).map(|path| String::from_utf8_lossy(path).into_owned()).collect()
}

/// What git prints when it is given a text to read.
fn answer_to(dir: &Path, arguments: &[&str], input: &[u8]) -> std::io::Result<Vec<u8>> {
    use std::io::Write;
    let mut child = git(dir, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut stdin = child.stdin.take();
    std::thread::scope(|scope| {
        // Written aside, since git answers while it still reads.
        scope.spawn(move || stdin.as_mut().map(|pipe| pipe.write_all(input)));
        child.wait_with_output().map(|output| output.stdout)
    })
}

fn entries(listing: &[u8]) -> impl Iterator<Item = &[u8]> {
    listing.split(|byte| *byte == 0).filter(|entry| !entry.is_empty())
}
