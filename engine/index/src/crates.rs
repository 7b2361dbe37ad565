//! The Rust crates in a root, by whose names other crates import from them.

use std::collections::BTreeMap;

use map::repo::Present;
use serde::Deserialize;

use crate::manifests::manifests;

/// What is read of a `Cargo.toml`.
#[derive(Deserialize)]
struct Manifest {
    package: Option<Package>,
    lib: Option<Library>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
}

#[derive(Deserialize)]
struct Library {
    name: Option<String>,
    path: Option<String>,
}

/// The first files of library crates, relative to the root, by the crates' names. A `Cargo.toml`
/// that cannot be read is left out; of two crates of one name, the first path counts.
pub fn crates(present: &Present) -> BTreeMap<String, String> {
    let mut crates = BTreeMap::new();
    for (folder, text) in manifests(present, "Cargo.toml") {
        if let Some((name, path)) = library(&text) {
            let path = if folder.is_empty() { path } else { format!("{folder}/{path}") };
            crates.entry(name).or_insert(path);
        }
    }
    crates
}

/// The name of the library crate of a manifest, and its first file.
fn library(text: &str) -> Option<(String, String)> {
    let Manifest { package, lib } = toml::from_str(text).ok()?;
    let (name, path) = lib.map_or((None, None), |lib| (lib.name, lib.path));
    let name = name.or(package.map(|package| package.name))?;
    Some((name.replace('-', "_"), path.unwrap_or_else(|| "src/lib.rs".to_owned())))
}

#[cfg(test)]
mod tests {
    use super::library;

    #[test]
    fn the_library_may_have_another_name_than_its_package() {
        let of = |text| library(text).map(|(name, path)| format!("{name} {path}"));
        assert_eq!(of("[package]\nname = \"a-b\"\n").as_deref(), Some("a_b src/lib.rs"));
        assert_eq!(
            of("[package]\nname = \"a\"\n[lib]\nname = \"c\"\npath = \"c.rs\"\n").as_deref(),
            Some("c c.rs")
        );
        assert_eq!(of("[workspace]\nmembers = []\n"), None);
        assert_eq!(of("[package"), None);
    }
}
