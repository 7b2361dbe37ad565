//! The files below a directory that is not a work tree.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use ::ignore::{
    Match, WalkBuilder,
    gitignore::{Gitignore, GitignoreBuilder},
};

use base::text::folder::Folder;

use crate::Skipped;

/// Largest file of ignore rules, 4 MiB.
const RULES_LIMIT: u64 = 4 << 20;
/// The files of ignore rules; an earlier one takes precedence.
const RULES: [&str; 2] = [".ignore", ".gitignore"];

/// Files and links below a directory, relative to it and sorted, and the paths that were left out.
///
/// Hidden files and files excluded by a `.gitignore` or `.ignore` below the directory are not
/// listed. Rules above the directory and the user's own configuration are ignored, so that the
/// answer depends on the directory alone.
pub fn files(folder: &Arc<Folder>) -> (Vec<String>, Vec<Skipped>) {
    let dir = folder.path();
    let rules = Arc::new(Rules { folder: Arc::clone(folder), known: Mutex::default() });
    let mut walk = WalkBuilder::new(dir);
    let kept = Arc::clone(&rules);
    walk.standard_filters(false).follow_links(false).sort_by_file_name(Ord::cmp).filter_entry(
        move |entry| kept.keep(entry.path(), entry.file_type().is_some_and(|kind| kind.is_dir())),
    );
    let (mut found, mut skipped) = (BTreeSet::new(), Vec::new());
    for entry in walk.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                skipped.push(unreadable(dir, &error));
                continue;
            }
        };
        if entry.file_type().is_none_or(|kind| kind.is_dir()) {
            continue;
        }
        let path = entry.path().strip_prefix(dir).unwrap_or_else(|_| entry.path());
        match path.to_str() {
            Some(path) => drop(found.insert(path.to_owned())),
            None => skipped.push(Skipped::unnameable(path.as_os_str().as_bytes())),
        }
    }
    skipped.extend(rules.failures());
    skipped.sort();
    (found.into_iter().collect(), skipped)
}

/// The ignore rules of the visited directories, each read once.
///
/// The walking crate could read them itself, but it would wait for a pipe in their place and follow
/// a link out of the directory.
#[derive(Debug)]
struct Rules {
    folder: Arc<Folder>,
    known: Mutex<BTreeMap<PathBuf, [Loaded; 2]>>,
}

/// The rules of one file, or why it could not be read.
type Loaded = Result<Arc<Gitignore>, String>;

impl Rules {
    /// Whether an entry is listed or entered. The deepest directory with a matching rule decides;
    /// without one, names that begin with a dot are left out.
    fn keep(&self, path: &Path, is_dir: bool) -> bool {
        for kind in 0..RULES.len() {
            for dir in
                path.ancestors().skip(1).take_while(|dir| dir.starts_with(self.folder.path()))
            {
                match self.of(dir, kind).map(|rules| rules.matched(path, is_dir).map(drop)) {
                    Some(Match::Ignore(())) => return false,
                    Some(Match::Whitelist(())) => return true,
                    _ => {}
                }
            }
        }
        !path.file_name().unwrap_or(OsStr::new("")).as_bytes().starts_with(b".")
    }

    /// The rules from one kind of file in a directory.
    fn of(&self, dir: &Path, kind: usize) -> Option<Arc<Gitignore>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let rules = known
            .entry(dir.to_owned())
            .or_insert_with(|| RULES.map(|name| read(&self.folder, dir, name).map(Arc::new)));
        rules.get(kind)?.as_ref().ok().cloned()
    }

    /// The files of rules that could not be read, as skipped paths.
    fn failures(&self) -> Vec<Skipped> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let files = known.iter().flat_map(|(dir, rules)| {
            rules.iter().zip(RULES).map(move |(rules, name)| (dir.join(name), rules))
        });
        let failed = files.filter_map(|(path, rules)| {
            let path = path.strip_prefix(self.folder.path()).unwrap_or(&path);
            Some(Skipped::new(&path.to_string_lossy(), rules.as_ref().err()?.clone()))
        });
        failed.collect()
    }
}

/// Reads one file of rules; a missing file has no rules.
fn read(folder: &Folder, dir: &Path, name: &str) -> Result<Gitignore, String> {
    let path = dir.join(name);
    if path.symlink_metadata().is_err() {
        return Ok(Gitignore::empty());
    }
    let bytes = folder.bytes(&path, RULES_LIMIT).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    let mut builder = GitignoreBuilder::new(dir);
    for line in text.trim_start_matches('\u{feff}').lines() {
        // A line that is not a valid pattern is ignored.
        let _ = builder.add_line(None, line);
    }
    builder.build().map_err(|error| error.to_string())
}

/// A directory that cannot be listed, and why, without the absolute part of the path.
fn unreadable(dir: &Path, error: &::ignore::Error) -> Skipped {
    use ::ignore::Error;
    let (mut path, mut cause) = (None, error);
    loop {
        cause = match cause {
            Error::WithPath { path: at, err } => {
                path = Some(at);
                err
            }
            Error::WithDepth { err, .. } | Error::WithLineNumber { err, .. } => err,
            _ => break,
        };
    }
    let path = path.map_or(dir, |path| path.strip_prefix(dir).unwrap_or(path));
    Skipped::new(&path.to_string_lossy(), format!("cannot be read: {cause}"))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink, process::Command, sync::Arc};

    use super::files;
    use base::text::folder::Folder;

    #[test]
    fn hidden_and_ignored_files_are_left_out_and_links_are_not_entered() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir_all(root.join("src/deep")).unwrap();
        fs::create_dir_all(root.join(".hidden")).unwrap();
        for file in ["a.py", "src/b.py", "src/deep/c.py", "src/x.log", ".hidden/d.py", ".e.py"] {
            fs::write(root.join(file), "x = 1\n").unwrap();
        }
        fs::write(root.join("src/.gitignore"), "*.log\n").unwrap();
        symlink("src", root.join("link")).unwrap();
        symlink(".", root.join("src/loop")).unwrap();
        let (found, skipped) = files(&Arc::new(Folder::open(root).unwrap()));
        assert_eq!(found, ["a.py", "link", "src/b.py", "src/deep/c.py", "src/loop"]);
        assert!(skipped.is_empty());
    }

    // The walking crate's own filters give the expected values.
    #[test]
    fn rules_mean_what_they_mean_to_the_walking_crate() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for folder in ["a/b/c", "a/.d", "e/f", ".g"] {
            fs::create_dir_all(root.join(folder)).unwrap();
            for file in ["x.py", "y.log", "z.txt", ".h", "k.md"] {
                fs::write(root.join(folder).join(file), "").unwrap();
            }
        }
        for (file, rules) in [
            (".gitignore", "\u{feff}*.log\n!.h\n/e/f/x.py\n[z-a]\n# *\nb/\n"),
            ("a/.gitignore", "!y.log\nz.txt\n!b/\n!.d\n"),
            ("a/b/.ignore", "x.py\n!z.txt\n"),
            ("e/.ignore", "*\n!*/\n!k.md\n"),
        ] {
            fs::write(root.join(file), rules).unwrap();
        }
        let theirs = ::ignore::WalkBuilder::new(&root)
            .parents(false)
            .git_global(false)
            .git_exclude(false)
            .require_git(false)
            .build()
            .map(|entry| entry.unwrap().into_path())
            .filter(|path| path.is_file())
            .map(|path| path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
        let mut theirs: Vec<String> = theirs.collect();
        theirs.sort();
        let (ours, skipped) = files(&Arc::new(Folder::open(&root).unwrap()));
        assert_eq!(ours, theirs);
        assert!(skipped.is_empty() && ours.len() > 8, "{ours:?}");
    }

    #[test]
    fn rules_that_cannot_be_read_are_named() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("rules"), "*\n").unwrap();
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        fs::create_dir(root.join("d")).unwrap();
        fs::write(root.join("d/a.py"), "").unwrap();
        assert!(Command::new("mkfifo").arg(root.join(".gitignore")).status().unwrap().success());
        symlink(outside.path().join("rules"), root.join("d/.ignore")).unwrap();
        let (found, skipped) = files(&Arc::new(Folder::open(root).unwrap()));
        assert_eq!(found, ["d/a.py"]);
        assert!(
            skipped[0].file == ".gitignore" && skipped[0].reason.contains("is a pipe"),
            "{skipped:?}"
        );
        assert!(
            skipped[1].file == "d/.ignore" && skipped[1].reason.contains("leads out"),
            "{skipped:?}"
        );
    }
}
