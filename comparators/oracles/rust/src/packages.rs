//! The packages below the root, read from their manifests.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use toml::{Table, Value};

/// All packages below a root.
pub struct Packages {
    crates: BTreeSet<String>,
    /// By folder relative to the root: what its manifest says.
    folders: BTreeMap<String, Folder>,
}

#[derive(Default)]
struct Folder {
    edition_2015: bool,
    /// Names of dependencies that lie in the project.
    paths: BTreeSet<String>,
    /// Modules of the crate root, by file name.
    modules: BTreeSet<String>,
}

/// What one file can name.
pub struct Around<'a> {
    /// Crates of the project.
    pub crates: BTreeSet<&'a str>,
    /// Whether paths start at the crate root, as they did in the first edition.
    pub edition_2015: bool,
    /// Modules of the crate root.
    pub modules: BTreeSet<String>,
}

impl Packages {
    /// Reads every `Cargo.toml`; folders that are hidden or hold build products are left out.
    pub fn below(root: &Path) -> Self {
        let mut packages = Self { crates: BTreeSet::new(), folders: BTreeMap::new() };
        let mut open = vec![String::new()];
        while let Some(folder) = open.pop() {
            let Ok(entries) = fs::read_dir(root.join(&folder)) else { continue };
            for entry in entries.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let path =
                    if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => {
                        if !name.starts_with('.') && name != "target" && name != "node_modules" {
                            open.push(path);
                        }
                    }
                    Ok(kind) if kind.is_file() && name == "Cargo.toml" => {
                        packages.read(root, &folder, &path);
                    }
                    _ => {}
                }
            }
        }
        packages
    }

    fn read(&mut self, root: &Path, folder: &str, manifest: &str) {
        let Ok(text) = fs::read_to_string(root.join(manifest)) else { return };
        let Ok(table) = text.parse::<Table>() else { return };
        let package = table.get("package").and_then(Value::as_table);
        let mut found = Folder::default();
        if let Some(package) = package {
            found.edition_2015 =
                package.get("edition").is_none_or(|of| of.as_str() == Some("2015"));
            self.crates.extend(package.get("name").and_then(Value::as_str).map(crate_name));
            found.modules = modules(&root.join(folder).join("src"));
        }
        let library = table.get("lib").and_then(|lib| lib.get("name"));
        self.crates.extend(library.and_then(Value::as_str).map(crate_name));
        found.paths = path_dependencies(&table);
        self.folders.insert(folder.to_owned(), found);
    }

    /// What a file of the project can name.
    pub fn around(&self, file: &str) -> Around<'_> {
        let mut around = Around {
            crates: self.crates.iter().map(String::as_str).collect(),
            edition_2015: false,
            modules: BTreeSet::new(),
        };
        let mut folder = file;
        loop {
            folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
            if let Some(found) = self.folders.get(folder) {
                around.crates.extend(found.paths.iter().map(String::as_str));
                around.edition_2015 = found.edition_2015;
                around.modules.clone_from(&found.modules);
                return around;
            }
            if folder.is_empty() {
                return around;
            }
        }
    }
}

fn crate_name(package: &str) -> String {
    package.replace('-', "_")
}

/// Dependencies with a `path`, under the names by which code calls them.
fn path_dependencies(table: &Table) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let targets = table.get("target").and_then(Value::as_table);
    let tables =
        targets.into_iter().flat_map(|targets| targets.values().filter_map(Value::as_table));
    for table in std::iter::once(table).chain(tables) {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(section) = table.get(section).and_then(Value::as_table) else { continue };
            let local = section.iter().filter(|(_, of)| of.get("path").is_some());
            names.extend(local.map(|(name, _)| crate_name(name)));
        }
    }
    names
}

/// Modules that lie beside the crate root.
fn modules(source: &Path) -> BTreeSet<String> {
    let Ok(entries) = fs::read_dir(source) else { return BTreeSet::new() };
    entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .map(|name| name.strip_suffix(".rs").map_or(name.clone(), str::to_owned))
        .collect()
}
