//! The names of a project's files, for languages in which modules are files.

use std::{collections::BTreeMap, path::Path};

use super::Project;

/// Maximum number of files that are listed; in a larger project, modules beyond it count as
/// third-party.
const LIMIT: usize = 500_000;

/// Paths by base name.
#[derive(Debug, Default)]
pub(super) struct Files {
    by_name: BTreeMap<String, Vec<String>>,
}

impl Files {
    fn below(root: &Path) -> Self {
        let mut files = Self::default();
        let mut folders = vec![(root.to_owned(), String::new())];
        let mut seen = 0;
        while let Some((folder, prefix)) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                let Ok(kind) = entry.file_type() else { continue };
                let name = entry.file_name().to_string_lossy().into_owned();
                seen += 1;
                if seen > LIMIT {
                    return files;
                }
                let path = format!("{prefix}{name}");
                if kind.is_dir() && name != ".git" {
                    folders.push((entry.path(), format!("{path}/")));
                } else if kind.is_file() {
                    files.by_name.entry(name).or_default().push(path);
                }
            }
        }
        files
    }
}

impl Project {
    /// Whether this path is that of a file of the project, or the end of one: `holds` of `a/b.elm`
    /// finds `src/a/b.elm`.
    pub(crate) fn holds(&self, path: &str) -> bool {
        let base = path.rsplit('/').next().unwrap_or(path);
        self.files().by_name.get(base).is_some_and(|paths| {
            paths.iter().any(|found| {
                found.strip_suffix(path).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            })
        })
    }

    /// Whether a file of the project is in a folder of this name.
    pub(crate) fn has_folder(&self, name: &str) -> bool {
        let inside = |path: &String| path.split('/').rev().skip(1).any(|folder| folder == name);
        self.files().by_name.values().flatten().any(inside)
    }

    /// The text of the nearest file with a name in the folders above a file of the project.
    pub(crate) fn above(&self, file: &str, name: &str) -> Option<String> {
        let root = std::path::absolute(self.root()?).ok()?;
        [root.join(file), std::path::absolute(file).ok()?].iter().find_map(|file| {
            file.ancestors()
                .skip(1)
                .map_while(|folder| folder.strip_prefix(&root).ok())
                .find_map(|folder| self.read(folder.join(name).to_str()?))
        })
    }

    fn files(&self) -> &Files {
        self.files.get_or_init(|| self.root().map(Files::below).unwrap_or_default())
    }
}
