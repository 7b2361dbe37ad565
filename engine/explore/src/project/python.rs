//! Python: the top-level modules of a project.

use std::{collections::BTreeSet, fs, path::Path};

use base::text::folder::Folder;

use super::Project;

/// Folders that hold top-level modules: the root, and the layouts with a source folder.
const BASES: [&str; 3] = ["", "src", "lib"];

impl Project {
    /// Whether a top-level module or package of this name is part of the project.
    pub(crate) fn has_python_module(&self, name: &str) -> bool {
        self.python.get_or_init(|| self.folder().map(modules).unwrap_or_default()).contains(name)
    }
}

fn modules(root: &Folder) -> BTreeSet<String> {
    let mut modules = BTreeSet::new();
    for base in BASES {
        // A folder that is a link out of the project does not belong to it.
        let Ok(base) = root.find(Path::new(base)) else { continue };
        for entry in fs::read_dir(root.path().join(base)).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            if is_link && root.find(&path).is_err() {
                continue;
            }
            let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
            let is_module = if path.is_dir() { holds_source(&path) } else { is_source(&path) };
            if let Some(name) = name.and_then(|name| name.to_str()).filter(|_| is_module) {
                modules.insert(name.to_owned());
            }
        }
    }
    modules
}

/// Whether a folder contains source files, and is therefore a package, even without an
/// `__init__.py`.
fn holds_source(folder: &Path) -> bool {
    fs::read_dir(folder).into_iter().flatten().flatten().any(|entry| is_source(&entry.path()))
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "py" || extension == "pyi")
}
