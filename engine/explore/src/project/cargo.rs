//! Cargo: which crates belong to the project.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::Project;

/// The packages below the root.
#[derive(Debug, Default)]
pub struct Cargo {
    crates: BTreeSet<String>,
    /// The packages, by folder relative to the root.
    packages: BTreeMap<String, Package>,
}

/// The parts of a manifest that matter for the files below its folder.
#[derive(Debug, Default)]
pub struct Package {
    folder: String,
    /// Whether paths in `use` start at the crate root, as in the 2015 edition.
    pub edition_2015: bool,
    path_dependencies: BTreeSet<String>,
}

impl Cargo {
    /// Reads all manifests.
    pub fn read(project: &Project) -> Self {
        let mut cargo = Self::default();
        for manifest in project.find("Cargo.toml") {
            let table = project.read(&manifest).and_then(|text| text.parse::<Table>().ok());
            let Some(table) = table else { continue };
            let folder = manifest.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
            let mut found = Package { folder: folder.clone(), ..Package::default() };
            if let Some(package) = table.get("package") {
                let edition = package.get("edition");
                found.edition_2015 = edition.is_none_or(|year| year.as_str() == Some("2015"));
                cargo.crates.extend(name_of(package));
            }
            cargo.crates.extend(table.get("lib").and_then(name_of));
            found.path_dependencies = path_dependencies(&table);
            cargo.packages.insert(folder, found);
        }
        cargo
    }

    /// The package that a file belongs to, by its path relative to the root.
    pub fn package(&self, file: &str) -> Option<&Package> {
        let mut folder = file;
        while !folder.is_empty() {
            folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
            if let Some(package) = self.packages.get(folder) {
                return Some(package);
            }
        }
        None
    }

    /// Whether a crate, by its name in code, belongs to the project.
    pub fn owns(&self, package: Option<&Package>, name: &str) -> bool {
        self.crates.contains(name)
            || package.is_some_and(|package| package.path_dependencies.contains(name))
    }
}

impl Package {
    /// Whether there is a module of this name beside the crate root.
    pub fn has_module(&self, project: &Project, name: &str) -> bool {
        let slash = if self.folder.is_empty() { "" } else { "/" };
        let stem = format!("{}{slash}src/{name}", self.folder);
        project.has(&stem) || project.has(&format!("{stem}.rs"))
    }
}

fn name_of(table: &Value) -> Option<String> {
    Some(crate_name(table.get("name")?.as_str()?))
}

fn crate_name(package: &str) -> String {
    package.replace('-', "_")
}

/// Dependencies within the project, by the names that code uses for them.
fn path_dependencies(manifest: &Table) -> BTreeSet<String> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flat_map(|of| of.values().filter_map(Value::as_table));
    let mut names = BTreeSet::new();
    for table in std::iter::once(manifest).chain(targets) {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let section = table.get(section).and_then(Value::as_table);
            let entries = section.into_iter().flatten();
            let local = entries.filter(|(_, entry)| entry.get("path").is_some());
            names.extend(local.map(|(name, _)| crate_name(name)));
        }
    }
    names
}
