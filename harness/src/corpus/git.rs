//! The git program, isolated from every configuration but our own.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use duct::cmd;
use thiserror::Error;

use crate::{
    corpus::{
        disk::{self, At, DiskError},
        tree,
    },
    process,
};

/// Configuration of a materialised repository: git converts no bytes, compares files by size and whole
/// seconds so that it takes a copy for unchanged, and runs no hook, monitor or garbage collection.
const CONFIG: &str = "\
[core]
\trepositoryformatversion = 0
\tfilemode = true
\tsymlinks = true
\tbare = false
\tlogallrefupdates = false
\tautocrlf = false
\tcheckstat = minimal
\ttrustctime = false
\tfsmonitor = false
\tuntrackedcache = false
\thookspath = /dev/null
[gc]
\tauto = 0
[user]
\tname = Parity
\temail = parity@example.invalid
";

/// Attributes that override those of the corpus itself, so that no filter alters a byte.
const ATTRIBUTES: &str = "* -text -eol -filter -ident -working-tree-encoding\n";

/// Seconds since 1970 of every commit and of every file of a materialised repository: the
/// first of January 2000, UTC.
pub const TIME: u64 = 946_684_800;

/// Longest time for one command. The largest corpus is committed in a minute.
const PATIENCE: Duration = Duration::from_mins(15);

/// Why a git command did not do its work.
#[derive(Debug, Error)]
pub enum GitError {
    /// It is not installed.
    #[error("`git` is not installed; install git 2.29 or later (Debian: apt install git)")]
    Missing,
    /// It ended with an error.
    #[error("`git {command}` failed in `{}`: {said}", folder.display())]
    Failed {
        /// Its arguments.
        command: String,
        /// Where it ran.
        folder: PathBuf,
        /// What it printed on standard error, or that it was killed.
        said: String,
    },
    /// A file-system operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl GitError {
    /// Exit code of the program when this error ends it.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Missing | Self::Failed { .. } => 20,
            Self::Disk(error) => error.exit_code(),
        }
    }
}

/// Runs git in `folder` and returns what it printed.
pub fn run(folder: &Path, arguments: &[&str]) -> Result<String, GitError> {
    let fixed = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
    let date = format!("{TIME} +0000");
    let mut command = cmd("git", fixed.iter().chain(arguments)).dir(folder);
    for (name, value) in [
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_ATTR_NOSYSTEM", "1"),
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_ALLOW_PROTOCOL", ""),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_AUTHOR_NAME", "Parity"),
        ("GIT_AUTHOR_EMAIL", "parity@example.invalid"),
        ("GIT_AUTHOR_DATE", date.as_str()),
        ("GIT_COMMITTER_NAME", "Parity"),
        ("GIT_COMMITTER_EMAIL", "parity@example.invalid"),
        ("GIT_COMMITTER_DATE", date.as_str()),
        ("LC_ALL", "C"),
        ("TZ", "UTC"),
    ] {
        command = command.env(name, value);
    }
    // If the folder has lost its repository, git must not find the one around it.
    if let Some(above) = folder.parent() {
        command = command.env("GIT_CEILING_DIRECTORIES", above);
    }
    // Removed last: in duct, the innermost setting wins, so the variables set above stay.
    for (name, _) in env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"GIT_"))
    {
        command = command.env_remove(name);
    }
    let command = command.stdin_null().stdout_capture().stderr_capture().unchecked();
    let outcome = process::finish(&command, PATIENCE);
    let output = match outcome {
        Ok(Some(output)) => output,
        Ok(None) => {
            return Err(GitError::Failed {
                command: arguments.join(" "),
                folder: folder.to_path_buf(),
                said: format!("no end within {} s, so it was killed", PATIENCE.as_secs()),
            });
        }
        // A folder on the search path that we may not enter hides the programs in it.
        Err(error)
            if folder.is_dir()
                && matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
                ) =>
        {
            return Err(GitError::Missing);
        }
        Err(error) => return Err(error).at("run git in", folder)?,
    };
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(GitError::Failed {
        command: arguments.join(" "),
        folder: folder.to_path_buf(),
        said: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
    })
}

/// Makes `work` a repository without commits, hooks or templates, on branch `main`.
pub fn init(work: &Path) -> Result<(), GitError> {
    run(work, &["init", "--quiet", "--template=", "--object-format=sha1", "-b", "main"])?;
    let home = work.join(".git");
    disk::write(&home.join("config"), CONFIG)?;
    disk::create_dir(&home.join("info"))?;
    disk::write(&home.join("info").join("attributes"), ATTRIBUTES)?;
    Ok(())
}

/// Commits everything in `work`, ignored files too, and returns the commit id.
pub fn commit_all(work: &Path, message: &str) -> Result<String, GitError> {
    run(work, &["add", "--all", "--force"])?;
    run(
        work,
        &["commit", "--quiet", "--no-verify", "--no-gpg-sign", "--allow-empty", "-m", message],
    )?;
    // Only the commit command needed this file.
    fs::remove_file(work.join(".git").join("COMMIT_EDITMSG")).ok();
    head(work)
}

/// The id of the commit that is checked out.
pub fn head(work: &Path) -> Result<String, GitError> {
    Ok(run(work, &["rev-parse", "--verify", "HEAD"])?.trim().to_owned())
}

/// The first thing in the `.git` of a materialised repository that [`init`] and [`commit_all`] did not
/// put there, as a clause for a message: configuration, hooks, replacements, borrowed objects, damaged
/// objects, or index entries whose files git would not look at. `None` if there is no such thing.
///
/// # Errors
/// It cannot be read.
pub fn strange(work: &Path, commit: &str) -> Result<Option<String>, GitError> {
    let home = work.join(".git");
    for (file, expected) in [
        ("HEAD", "ref: refs/heads/main\n"),
        ("config", CONFIG),
        ("info/attributes", ATTRIBUTES),
        ("refs/heads/main", &*format!("{commit}\n")),
    ] {
        let path = home.join(file);
        if fs::read(&path).at("read", &path)? != expected.as_bytes() {
            return Ok(Some(format!(".git/{file} has another content")));
        }
    }
    // The names of objects are only recognised here; `git fsck` below checks their content.
    let is_object = |path: &str| {
        let name = path.strip_prefix("objects/").unwrap_or_default().replacen('/', "", 1);
        name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let known = ["HEAD", "config", "index", "info/attributes", "refs/heads/main", "parity.json"];
    let stranger = tree::read(&home)?
        .into_keys()
        .find(|path| !known.contains(&path.as_str()) && !is_object(path));
    if let Some(path) = stranger {
        return Ok(Some(format!(".git/{path} does not belong there")));
    }
    // `H` marks files that git compares with the index; other letters mark files that it skips.
    let listed = run(work, &["ls-files", "-v", "-z"])?;
    if let Some(entry) = listed.split_terminator('\0').find(|entry| !entry.starts_with("H ")) {
        return Ok(Some(format!("git does not look at a file: {entry}")));
    }
    let said = run(work, &["fsck", "--full", "--no-dangling", "--no-progress"]);
    Ok(said.err().map(|error| error.to_string()))
}

/// The output of `git status --porcelain`, untracked files included and ignored ones not: differences
/// between the commit, the index and the work tree, one line each.
pub fn status(work: &Path) -> Result<String, GitError> {
    run(work, &["status", "--porcelain=v1", "--untracked-files=all", "--ignored=no"])
}
