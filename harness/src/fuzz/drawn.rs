//! A drawn repository, and how it is written as an authored corpus.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
};

use record::Case;

use crate::corpus::authored::Description;

/// A drawn repository, with the cases and budgets to compare.
#[derive(Debug, Clone, Default)]
pub struct Drawn {
    /// The bytes of each file, by path below the root.
    pub files: BTreeMap<String, Vec<u8>>,
    /// State of the repository, view and cases.
    pub(crate) description: Description,
    /// Budgets in tokens.
    pub budgets: Vec<u64>,
}

impl Drawn {
    /// A repository with these files, all committed except the untracked ones.
    pub fn of(
        files: &[(&str, &str)],
        untracked: &[&str],
        cases: Vec<Case>,
        budgets: &[u64],
    ) -> Self {
        let mut drawn = Self { budgets: budgets.to_vec(), ..Self::default() };
        for (path, text) in files {
            drawn.files.insert((*path).to_owned(), text.as_bytes().to_vec());
        }
        drawn.description.git.untracked = untracked.iter().map(|path| (*path).to_owned()).collect();
        drawn.description.cases = cases;
        drawn
    }

    /// Writes it as an authored corpus into `folder`, which is created.
    ///
    /// # Errors
    /// The disk fails.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let mut description = self.description.clone();
        fs::create_dir_all(folder.join("files"))?;
        for (path, bytes) in &self.files {
            let name = committed_name(path);
            let file = folder.join("files").join(&name);
            fs::create_dir_all(file.parent().unwrap_or(folder))?;
            fs::write(file, bytes)?;
            if name != *path {
                description.git.renames.insert(name, path.clone());
            }
        }
        let text = toml::to_string(&description).map_err(io::Error::other)?;
        let budgets = format!("# Budgets in tokens: {:?}\n", self.budgets);
        fs::write(folder.join("authored.toml"), budgets + &text)
    }

    /// The same repository with only these files. The description no longer mentions the others.
    #[must_use]
    pub fn with_files(&self, kept: &BTreeSet<String>) -> Self {
        let mut less = self.clone();
        less.files.retain(|path, _| kept.contains(path));
        less.tidy();
        less
    }

    /// The same repository with another text in one file.
    #[must_use]
    pub fn with_text(&self, path: &str, bytes: Vec<u8>) -> Self {
        let mut other = self.clone();
        other.files.insert(path.to_owned(), bytes);
        other
    }

    /// The same repository with other cases and budgets.
    #[must_use]
    pub fn asked(&self, cases: Vec<Case>, budgets: Vec<u64>) -> Self {
        let mut other = self.clone();
        other.description.cases = cases;
        other.budgets = budgets;
        other
    }

    /// The cases.
    pub fn cases(&self) -> &[Case] {
        &self.description.cases
    }

    /// Removes everything in the description about files that do not exist.
    pub fn tidy(&mut self) {
        let files = &self.files;
        let git = &mut self.description.git;
        git.symlinks.retain(|path, _| !files.contains_key(path));
        for list in [&mut git.executable, &mut git.staged, &mut git.untracked] {
            list.retain(|path| files.contains_key(path));
        }
        for list in [&mut git.deleted, &mut git.removed_cached] {
            list.retain(|path| files.contains_key(path));
        }
        let gone = &git.deleted;
        for case in &mut self.description.cases {
            for list in [&mut case.chat_files, &mut case.read_only_files] {
                list.retain(|path| files.contains_key(path) && !gone.contains(path));
            }
        }
        let view = &mut self.description.view;
        let inside = format!("{}/", view.cwd);
        let exists = |path: &String| path.starts_with(&inside) && !gone.contains(path);
        if !view.cwd.is_empty() && !files.keys().any(exists) {
            view.cwd.clear();
            view.subtree_only = false;
        }
        if !files.contains_key(&view.aiderignore) || gone.contains(&view.aiderignore) {
            view.aiderignore.clear();
        }
    }

    /// Total size of all files in bytes.
    pub fn size(&self) -> usize {
        self.files.values().map(Vec::len).sum()
    }
}

/// The name under which a file is committed; a file that git would obey in our repository gets another.
fn committed_name(path: &str) -> String {
    let parts = path.split('/').map(|part| match part.strip_prefix(".git") {
        Some(rest) => format!("dot.git{rest}"),
        None => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("/")
}
