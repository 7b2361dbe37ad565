//! Go: the module that a file belongs to.

use std::{path::Path, sync::PoisonError};

use super::Project;

impl Project {
    /// The module path in the nearest `go.mod` above a file, up to the root. The file's path is
    /// relative to the root or to the working directory.
    pub(crate) fn go_module(&self, file: &str) -> Option<String> {
        let inside = self.inside(file)?;
        inside.ancestors().skip(1).find_map(|folder| self.go_module_at(folder))
    }

    fn go_module_at(&self, folder: &Path) -> Option<String> {
        let mut known = self.go.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || {
            let manifest = self.read(folder.join("go.mod").to_str()?)?;
            manifest.lines().find_map(module_path)
        };
        known.entry(folder.to_owned()).or_insert_with(read).clone()
    }
}

/// The path in a line such as `module example.org/a // comment`.
fn module_path(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    let path = words.next().filter(|word| *word == "module").and_then(|_| words.next())?;
    Some(path.trim_matches(['"', '`']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::module_path;

    #[test]
    fn the_module_line_is_read() {
        assert_eq!(module_path("module a.org/b // x").as_deref(), Some("a.org/b"));
        assert_eq!(module_path("module \"a.org/b\"").as_deref(), Some("a.org/b"));
        assert_eq!(module_path("require a.org/b v1"), None);
    }
}
