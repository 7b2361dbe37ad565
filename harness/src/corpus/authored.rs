//! The small corpora that we wrote: a committed folder `files/`, and `authored.toml` beside it
//! with the cases and the state of the repository that a commit alone cannot express.
//!
//! Files that would be a nuisance to commit, such as one with a thousand nested terms, are
//! described in `[[generated]]` and written when the repository is made.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use record::{Case, View, digest};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::corpus::{
    disk::{self, At, DiskError},
    git::{self, GitError},
    materialise::freeze,
    repository::Materialised,
    safe_path,
    seen::Seen,
    store::{Stamp, Store},
    tree::{self, Entry, Tree},
};

/// Why an authored corpus cannot be used.
#[derive(Debug, Error)]
pub enum AuthoredError {
    /// Its description is wrong.
    #[error("authored corpus `{}`: {why}; correct it, then run again", folder.display())]
    Invalid {
        /// The folder of the corpus.
        folder: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The git program failed.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file-system operation failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl AuthoredError {
    /// Exit code of the program when this error ends it.
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::Invalid { .. } => 20,
            Self::Git(error) => error.exit_code(),
            Self::Disk(error) => error.exit_code(),
        }
    }
}

/// The state of the repository. All paths are relative to its root.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct GitState {
    /// Names in `files/` in place of names that cannot be committed there, such as a
    /// `.gitignore` that would act on the repository around it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub renames: BTreeMap<String, String>,
    /// Files that may be executed.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub executable: BTreeSet<String>,
    /// Links that are made, path to target.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub symlinks: BTreeMap<String, String>,
    /// Files that are in the index but not in the commit.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub staged: BTreeSet<String>,
    /// Files that git does not know.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub untracked: BTreeSet<String>,
    /// Files that are committed and then missing from the work tree.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub deleted: BTreeSet<String>,
    /// Files that are committed and then taken out of the index, but stay in the work tree.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub removed_cached: BTreeSet<String>,
    /// Links that lead out of the tree, path to target. The target starts with `..` and need not
    /// exist.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub outside_links: BTreeMap<String, String>,
    /// Submodules that are not checked out, path to commit id: an empty folder each.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub submodules: BTreeMap<String, String>,
}

/// A file whose text is a pattern: `before`, `times` repetitions of `repeat`, `after`.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Generated {
    path: String,
    #[serde(default)]
    before: String,
    repeat: String,
    times: usize,
    #[serde(default)]
    after: String,
}

/// Longest text of a generated file, in bytes.
const MAX_GENERATED: usize = 64 << 20;

impl Generated {
    fn text(&self) -> String {
        [self.before.as_str(), &self.repeat.repeat(self.times), &self.after].concat()
    }

    fn check(&self) -> Result<(), String> {
        match self.repeat.len().checked_mul(self.times) {
            Some(length) if length <= MAX_GENERATED => Ok(()),
            _ => Err(format!("generated file `{}` is longer than 64 MiB", self.path)),
        }
    }
}

/// What `authored.toml` says.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Description {
    pub git: GitState,
    #[serde(skip_serializing_if = "View::is_plain")]
    pub view: View,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub generated: Vec<Generated>,
    pub cases: Vec<Case>,
}

/// An authored corpus as it is stored in the source tree.
#[derive(Debug, Clone)]
pub struct Authored {
    name: String,
    description: Description,
    /// Final path of every file and link, with where it comes from.
    entries: BTreeMap<String, Origin>,
    fingerprint: String,
}

/// Where a file comes from, or where a link points.
#[derive(Debug, Clone)]
enum Origin {
    File(PathBuf),
    Link(String),
    Text(Generated),
}

impl Origin {
    fn bytes(&self) -> Result<Vec<u8>, DiskError> {
        match self {
            Self::File(source) => fs::read(source).at("read", source),
            Self::Text(generated) => Ok(generated.text().into_bytes()),
            Self::Link(target) => Ok(target.clone().into_bytes()),
        }
    }
}

impl Authored {
    /// Reads every corpus in `folder`, sorted by name.
    pub fn load_all(folder: &Path) -> Result<Vec<Self>, AuthoredError> {
        let mut folders = Vec::new();
        for entry in fs::read_dir(folder).at("list", folder)? {
            let path = entry.at("list", folder)?.path();
            if path.join("files").is_dir() {
                folders.push(path);
            }
        }
        folders.sort();
        folders.iter().map(|path| Self::load(path)).collect()
    }

    /// Reads the corpus in `folder`, whose last part is its name.
    pub fn load(folder: &Path) -> Result<Self, AuthoredError> {
        let invalid = |why: String| AuthoredError::Invalid { folder: folder.to_path_buf(), why };
        let file = folder.join("authored.toml");
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).at("read", &file)?,
        };
        let mut description: Description =
            toml::from_str(&text).map_err(|error| invalid(format!("authored.toml: {error}")))?;
        if description.cases.is_empty() {
            description.cases.push(Case { id: "none".to_owned(), ..Case::default() });
        }
        let source = tree::read(&folder.join("files"))?;
        let entries = entries(folder, &source, &description).map_err(invalid)?;
        check(&description, &entries).map_err(invalid)?;
        let fingerprint =
            digest::sha256(format!("{}\n{}", tree::sha256(&source), digest::sha256(&text)));
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.ok_or_else(|| invalid("its folder has no name".to_owned()))?;
        Ok(Self { name, description, entries, fingerprint })
    }

    /// The name of the corpus: the last part of its folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Digest of the files and of the description.
    pub fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    /// Builds the repository in the empty folder `work`, outside of any cache.
    ///
    /// # Errors
    /// Git or the disk fails.
    pub fn build_in(&self, work: &Path) -> Result<(), AuthoredError> {
        self.build(work).map(|_| ())
    }

    /// Builds the repository in the empty folder `work`; returns its stamp.
    fn build(&self, work: &Path) -> Result<Stamp, AuthoredError> {
        let state = &self.description.git;
        let (mut committed, mut staged, mut untracked) = (Vec::new(), Vec::new(), Vec::new());
        for path in self.entries.keys() {
            match (state.untracked.contains(path), state.staged.contains(path)) {
                (true, _) => untracked.push(path),
                (_, true) => staged.push(path),
                _ => committed.push(path),
            }
        }
        git::init(work)?;
        self.place(work, &committed)?;
        for (path, commit) in &state.submodules {
            disk::create_dir(&work.join(path))?;
            let entry = format!("160000,{commit},{path}");
            git::run(work, &["update-index", "--add", "--cacheinfo", &entry])?;
        }
        let commit = git::commit_all(work, &format!("Corpus {}: authored", self.name))?;
        if !staged.is_empty() {
            self.place(work, &staged)?;
            git::run(work, &["add", "--all", "--force"])?;
        }
        for path in &state.removed_cached {
            git::run(work, &["rm", "--quiet", "--cached", "--", path])?;
        }
        self.place(work, &untracked)?;
        for path in &state.deleted {
            disk::remove_tree(&work.join(path))?;
        }
        let tree_sha256 = tree::sha256(&tree::read(work)?);
        let status = git::status(work)?;
        Ok(Stamp::new(&self.fingerprint, commit, tree_sha256, status))
    }

    fn place(&self, work: &Path, paths: &[&String]) -> Result<(), DiskError> {
        let mut files = Tree::new();
        for (path, origin) in
            paths.iter().filter_map(|path| Some((*path, self.entries.get(path.as_str())?)))
        {
            let full = work.join(path);
            disk::create_dir(full.parent().unwrap_or(work))?;
            match origin {
                Origin::Link(target) => symlink(target, &full).at("link", &full)?,
                Origin::File(_) | Origin::Text(_) => {
                    disk::write(&full, origin.bytes()?)?;
                    // Only the path and the permission are used below, so the digest stays empty.
                    let executable = self.description.git.executable.contains(path);
                    files.insert(path.clone(), Entry::File { sha256: String::new(), executable });
                }
            }
        }
        freeze(work, &files)
    }
}

/// The final path of everything in `files/` and of the links that are made.
fn entries(
    folder: &Path,
    source: &Tree,
    description: &Description,
) -> Result<BTreeMap<String, Origin>, String> {
    let state = &description.git;
    let mut entries = BTreeMap::new();
    let mut insert = |path: &str, origin: Origin| {
        safe_path::check(path).map_err(|why| format!("path `{}` {why}", path.escape_debug()))?;
        match entries.insert(path.to_owned(), origin) {
            None => Ok(()),
            Some(_) => Err(format!("two files become `{path}`")),
        }
    };
    for (path, entry) in source {
        let to = state.renames.get(path).unwrap_or(path);
        match entry {
            Entry::File { .. } => insert(to, Origin::File(folder.join("files").join(path)))?,
            Entry::Symlink { .. } => {
                return Err(format!("`files/{path}` is a link; list it in git.symlinks"));
            }
        }
    }
    for (path, target) in &state.symlinks {
        safe_path::check_link(path, target).map_err(|why| format!("link `{path}` {why}"))?;
        insert(path, Origin::Link(target.clone()))?;
    }
    for (path, target) in &state.outside_links {
        if !target.starts_with("..") || target.contains('\0') {
            return Err(format!("git.outside_links: `{path}` does not start with `..`"));
        }
        insert(path, Origin::Link(target.clone()))?;
    }
    for generated in &description.generated {
        generated.check()?;
        insert(&generated.path, Origin::Text(generated.clone()))?;
    }
    match state.renames.keys().find(|path| !source.contains_key(*path)) {
        Some(path) => Err(format!("git.renames names `{path}`, which is not in files/")),
        None => Ok(entries),
    }
}

fn check(description: &Description, entries: &BTreeMap<String, Origin>) -> Result<(), String> {
    let state = &description.git;
    let lists = [
        ("git.executable", &state.executable),
        ("git.staged", &state.staged),
        ("git.untracked", &state.untracked),
        ("git.deleted", &state.deleted),
        ("git.removed_cached", &state.removed_cached),
    ];
    for (list, paths) in lists {
        if let Some(path) = paths.iter().find(|path| !entries.contains_key(*path)) {
            return Err(format!("{list} names `{path}`, which does not exist"));
        }
    }
    for (path, commit) in &state.submodules {
        safe_path::check(path).map_err(|why| format!("submodule `{path}` {why}"))?;
        let is_id = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        if entries.contains_key(path) || !is_id {
            return Err(format!("submodule `{path}` is a file, or its commit is not a commit id"));
        }
    }
    let mut ids = BTreeSet::new();
    for case in &description.cases {
        if case.id.is_empty() || !ids.insert(&case.id) {
            return Err(format!("case id `{}` is empty or comes twice", case.id));
        }
        for path in case.chat_files.iter().chain(&case.read_only_files) {
            if !entries.contains_key(path) || state.deleted.contains(path) {
                return Err(format!("case `{}` names `{path}`, which does not exist", case.id));
            }
        }
    }
    Ok(())
}

impl Store {
    /// Returns the repository of an authored corpus. If nothing was written into it since it was last
    /// checked, it is returned at once. Otherwise it is made again, and the new one replaces an earlier
    /// one only if they differ.
    pub fn ensure_authored(&self, corpus: &Authored) -> Result<Materialised, AuthoredError> {
        let key = corpus.fingerprint.get(..12).unwrap_or_default();
        let folder = format!("authored-{}-{key}", corpus.name);
        let path = self.cache().join("repos").join(&folder);
        let done = |stamp: Stamp| Materialised {
            name: corpus.name.clone(),
            path: path.clone(),
            commit: stamp.commit,
            tree_sha256: stamp.tree_sha256,
            status: stamp.status,
            cases: corpus.description.cases.clone(),
            view: corpus.description.view.clone(),
        };
        let known = || {
            let stamp = Stamp::read(&path, &corpus.fingerprint)?;
            Seen::of(&path).is_unchanged().is_ok_and(|unchanged| unchanged).then_some(stamp)
        };
        if let Some(stamp) = known() {
            return Ok(done(stamp));
        }
        let _lock = disk::lock(&self.cache().join("locks").join(&folder))?;
        if let Some(stamp) = known() {
            return Ok(done(stamp));
        }
        // No lock holds the digests of an authored corpus, so making it is the only way to know them.
        let temporary = self.cache().join("tmp").join(&folder);
        disk::fresh_dir(&temporary)?;
        let made = corpus.build(&temporary).and_then(|stamp| {
            let same = Stamp::read(&path, &corpus.fingerprint).as_ref() == Some(&stamp);
            let ready = done(stamp.clone());
            // An equal repository stays in place, because another run may be using it.
            if !same || ready.check().is_err() {
                stamp.publish(&temporary, &path)?;
            }
            Ok(ready)
        });
        disk::remove_tree(&temporary)?;
        made
    }
}

#[cfg(test)]
#[path = "authored_tests.rs"]
mod tests;
