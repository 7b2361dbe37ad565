//! The questions that git is asked. The program itself is run, because it knows every format of
//! objects, indexes and references. It reads nothing by which a repository could make it run a
//! program, read other places or wait for ever: `docs/decisions/0010-git-without-trust.md`.

use std::{
    io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
    time::Duration,
};

use base::{
    scratch::Scratch,
    text::visible::{path as shown, visible},
};

use super::{
    committed::Committed,
    program::{self, Ended, Limits, Stopped},
    settings::Settings,
    work_tree::WorkTree,
};

/// Why git gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The program cannot be started.
    #[error("git cannot be started: {0}; install git and try again")]
    Missing(io::Error),
    /// The directory is not in a work tree.
    #[error("{} is not inside a git work tree", shown(.0))]
    NotARepository(PathBuf),
    /// The repository belongs to another user, and this user has not allowed git to read it.
    #[error(
        "{} belongs to another user (id {owner}), whose repositories git does not read; \
         to allow it, run: git config --global --add safe.directory {}",
        shown(root), visible(&quoted(root))
    )]
    Foreign {
        /// The root of its work tree.
        root: PathBuf,
        /// The other user's id.
        owner: u32,
    },
    /// In the place of one of git's files there is something that git never puts there.
    #[error("{} {}; this is no sound repository", shown(.0), .1)]
    Odd(PathBuf, String),
    /// Git did not answer in time.
    #[error("git {what} in {} did not end within {} s and was killed", shown(dir), time.as_secs())]
    Endless {
        /// The sub-command.
        what: String,
        /// Where it ran.
        dir: PathBuf,
        /// The time limit.
        time: Duration,
    },
    /// Git printed more than the limit.
    #[error("git {what} in {} printed more than {cap} bytes and was killed", shown(dir))]
    Flood {
        /// The sub-command.
        what: String,
        /// Where it ran.
        dir: PathBuf,
        /// The limit, in bytes.
        cap: usize,
    },
    /// Git refused.
    #[error("git {what} failed in {}: {message}", shown(dir))]
    Failed {
        /// The sub-command.
        what: String,
        /// Where it ran.
        dir: PathBuf,
        /// Git's own message.
        message: String,
    },
}

/// Time limit for one question. Listing half a million files takes a second; a cold disk on a busy
/// network may need half a minute.
const TIME: Duration = Duration::from_mins(1);
/// Largest answer, in bytes: enough for a list of two million files.
const ANSWER: usize = 256 << 20;

static SHORTER_TIME: OnceLock<Duration> = OnceLock::new();

/// Shortens the time limit for one question; only tests do so. Only the first call has an effect.
pub fn shorten_time(time: Duration) {
    // The first value stays.
    let _ = SHORTER_TIME.set(time);
}

/// A repository that git can be asked about.
#[derive(Debug)]
pub struct Repository {
    place: WorkTree,
    /// The folder that git uses as the common directory: our configuration, and links to the
    /// repository's objects and references. It is removed when this value is dropped.
    common: Scratch,
}

/// What a common directory needs besides the configuration, for listings and ignore rules.
const LINKED: [&str; 6] = ["objects", "refs", "packed-refs", "reftable", "shallow", "info"];

impl Repository {
    /// Finds the repository whose work tree contains a directory, given without symbolic links.
    pub fn around(dir: &Path) -> Result<Self, GitError> {
        let place = WorkTree::around(dir)?;
        if let Some(owner) = place.foreign_owner() {
            expect_trust(&place, owner)?;
        }
        place.expect_files()?;
        let settings = Settings::read(&place.common_dir.join("config"))?;
        if settings.bare && place.git_dir == place.common_dir {
            return Err(GitError::NotARepository(dir.to_owned()));
        }
        let common = stand_in(&place.common_dir, &settings.configuration())
            .map_err(|error| GitError::Odd(std::env::temp_dir(), error.to_string()))?;
        Ok(Self { place, common })
    }

    /// The root of the work tree, without symbolic links.
    pub fn root(&self) -> &Path {
        &self.place.root
    }

    /// Lists HEAD's blobs together with the index, including submodules and without untracked
    /// files, as paths relative to the root, in bytes, sorted and without duplicates. Also returns
    /// HEAD's tree.
    pub fn tracked(&self) -> Result<(Vec<Vec<u8>>, Committed), GitError> {
        // The two questions are independent, so both are asked at the same time.
        let (head, index) = rayon::join(
            || self.answer(&["ls-tree", "-r", "-z", "--full-tree", "HEAD"]),
            || self.answer(&["ls-files", "-z", "--cached", "--full-name", "--", ":/"]),
        );
        let head = match head {
            Ok(listing) => listing,
            // A repository without a commit has no HEAD tree, but its index still counts.
            Err(GitError::Failed { .. }) if !self.has_head()? => Vec::new(),
            Err(error) => return Err(error),
        };
        let committed = Committed::of(head);
        let index = index?;
        let mut paths: Vec<_> =
            committed.paths().chain(entries(&index)).map(<[u8]>::to_vec).collect();
        paths.sort_unstable();
        paths.dedup();
        Ok((paths, committed))
    }

    /// Lists the files in the work tree: tracked files, and untracked files that git does not
    /// ignore, as paths relative to the root, in bytes, sorted and without duplicates. A submodule
    /// is one path.
    pub fn present(&self) -> Result<Vec<Vec<u8>>, GitError> {
        let listing = self.answer(&[
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
            "--full-name",
            "--",
            ":/",
        ])?;
        let mut paths: Vec<_> = entries(&listing).map(<[u8]>::to_vec).collect();
        paths.sort_unstable();
        paths.dedup();
        Ok(paths)
    }

    /// Whether HEAD names a commit, existing or not.
    fn has_head(&self) -> Result<bool, GitError> {
        let ended = self.ask(&["rev-parse", "--quiet", "--verify", "HEAD"], &[])?;
        Ok(ended.status.success())
    }

    /// The given paths, relative to the root, that git's ignore rules exclude. Tracked files are
    /// never excluded, and neither are paths outside the work tree.
    pub fn ignored(&self, paths: &[String]) -> Result<Vec<String>, GitError> {
        let mut asked = Vec::new();
        for path in paths.iter().filter(|path| !path.starts_with("../")) {
            asked.extend_from_slice(path.as_bytes());
            asked.push(0);
        }
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        // The program exits with 1 if nothing is ignored, and with 128 for a path beyond a link.
        let listing = self.ask(&["check-ignore", "-z", "--stdin"], &asked)?.stdout;
        Ok(entries(&listing).map(|path| String::from_utf8_lossy(path).into_owned()).collect())
    }

    /// The output of a git command, which must succeed.
    fn answer(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        let ended = self.ask(arguments, &[])?;
        if ended.status.success() {
            return Ok(ended.stdout);
        }
        Err(GitError::Failed {
            what: arguments.join(" "),
            dir: self.place.root.clone(),
            message: String::from_utf8_lossy(&ended.stderr).trim().to_owned(),
        })
    }

    fn ask(&self, arguments: &[&str], input: &[u8]) -> Result<Ended, GitError> {
        let mut command = git(&self.place.root, arguments);
        command
            .env("GIT_DIR", &self.place.git_dir)
            .env("GIT_COMMON_DIR", self.common.path())
            .env("GIT_WORK_TREE", &self.place.root);
        run(&mut command, &self.place.root, arguments, input)
    }
}

/// Lets git itself decide whether this user trusts another user's repository: it reads
/// `safe.directory` from the user's and the system's configuration, and reads nothing of the
/// repository before that.
fn expect_trust(place: &WorkTree, owner: u32) -> Result<(), GitError> {
    let arguments = ["rev-parse", "--git-dir"];
    let ended = run(&mut git(&place.root, &arguments), &place.root, &arguments, &[])?;
    if ended.status.success() {
        return Ok(());
    }
    Err(GitError::Foreign { root: place.root.clone(), owner })
}

/// A folder that replaces the common directory, with a configuration of our own.
fn stand_in(common_dir: &Path, configuration: &str) -> io::Result<Scratch> {
    let folder = Scratch::new("git")?;
    std::fs::write(folder.path().join("config"), configuration)?;
    for name in LINKED {
        symlink(common_dir.join(name), folder.path().join(name))?;
    }
    Ok(folder)
}

/// A git command that inherits no `GIT_*` variable, fetches nothing, prompts for nothing, writes
/// nothing and runs no other program, whatever the user's own configuration says.
fn git(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    let inherited = std::env::vars_os().map(|(name, _)| name);
    for name in inherited.filter(|name| name.as_encoded_bytes().starts_with(b"GIT_")) {
        command.env_remove(name);
    }
    command
        .current_dir(dir)
        .args(["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"])
        .args(["-c", "safe.bareRepository=explicit", "-c", "protocol.allow=never"])
        .args(arguments)
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C");
    command
}

fn run(
    command: &mut Command,
    dir: &Path,
    arguments: &[&str],
    input: &[u8],
) -> Result<Ended, GitError> {
    let time = SHORTER_TIME.get().copied().unwrap_or(TIME);
    let (what, dir) = (|| arguments.join(" "), || dir.to_owned());
    program::ask(command, input, Limits { time, output: ANSWER }).map_err(|why| match why {
        Stopped::Io(error) => GitError::Missing(error),
        Stopped::Deadline => GitError::Endless { what: what(), dir: dir(), time },
        Stopped::Flood => GitError::Flood { what: what(), dir: dir(), cap: ANSWER },
    })
}

/// A path quoted for a POSIX shell, if it needs quotes.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    if text.chars().all(is_plain) {
        return text.into_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

pub(super) fn entries(listing: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    let ends = memchr::memchr_iter(0, listing).chain([listing.len()]);
    let entries = ends.filter_map(move |end| {
        let entry = listing.get(start..end)?;
        start = end + 1;
        Some(entry)
    });
    entries.filter(|entry| !entry.is_empty())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::quoted;

    #[test]
    fn a_path_is_quoted_for_the_shell() {
        assert_eq!(quoted(Path::new("/home/a/b-1.0")), "/home/a/b-1.0");
        assert_eq!(quoted(Path::new("/a b/it's; x")), r"'/a b/it'\''s; x'");
    }
}
