//! The Go modules in a root, whose paths are the beginnings of import paths.

use std::collections::BTreeMap;

use map::repo::Present;

use crate::manifests::manifests;

/// The paths of the modules, by the folder of their `go.mod` relative to the root (empty for the
/// root itself). A `go.mod` that cannot be read, or names no module, is left out.
pub fn modules(present: &Present) -> BTreeMap<String, String> {
    let mut modules = BTreeMap::new();
    for (folder, text) in manifests(present, "go.mod") {
        if let Some(module) = module_path(&text) {
            modules.insert(folder.to_owned(), module.to_owned());
        }
    }
    modules
}

/// The module path after the word `module`.
fn module_path(text: &str) -> Option<&str> {
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let is_module = words.next() == Some("module");
        let path = words.next().filter(|_| is_module)?.trim_matches(['"', '`']);
        (!path.is_empty() && !path.starts_with("//") && path != "(").then_some(path)
    })
}

#[cfg(test)]
mod tests {
    use super::module_path;

    #[test]
    fn the_path_stands_behind_its_word() {
        assert_eq!(
            module_path("// a module\n\nmodule example.org/x // said\n"),
            Some("example.org/x")
        );
        assert_eq!(module_path("go 1.22\nmodule \"example.org/y\"\n"), Some("example.org/y"));
        assert_eq!(module_path("go 1.22\nmodules x\n"), None);
    }
}
