//! Packages: scripts and dependencies of a manifest, packages of a lock file.

use super::{Part, entry};
use crate::{
    exploration::Entry,
    formats::shared::tree::{
        Kind,
        record::{At, Record},
    },
};

/// The titles of a manifest's parts, and where these are.
const MANIFESTS: &[(&str, &[&str])] = &[
    ("Scripts", &["scripts"]),
    ("Scripts", &["project", "scripts"]),
    ("Scripts", &["tool", "poetry", "scripts"]),
    ("Dependencies", &["dependencies"]),
    ("Dependencies", &["project", "dependencies"]),
    ("Dependencies", &["tool", "poetry", "dependencies"]),
    ("Dependencies", &["workspace", "dependencies"]),
    ("Dependencies", &["require"]),
    ("Development dependencies", &["devDependencies"]),
    ("Development dependencies", &["dev-dependencies"]),
    ("Development dependencies", &["require-dev"]),
    ("Development dependencies", &["dev_dependencies"]),
    ("Build dependencies", &["build-dependencies"]),
    ("Build dependencies", &["build-system", "requires"]),
    ("Peer dependencies", &["peerDependencies"]),
    ("Optional dependencies", &["optionalDependencies"]),
    ("Optional dependencies", &["project", "optional-dependencies"]),
    ("Features", &["features"]),
];

/// Names of manifests.
const NAMES: &[&str] = &[
    "package.json",
    "cargo.toml",
    "pyproject.toml",
    "composer.json",
    "pubspec.yaml",
    "bower.json",
];

/// The parts of a manifest or lock file.
pub fn parts(name: &str, record: &Record) -> Vec<Part> {
    let Some(document) = record.documents().next() else { return Vec::new() };
    let is_lock =
        name.ends_with(".lock") || name.contains("-lock.") || name == "npm-shrinkwrap.json";
    if is_lock {
        return vec![("Packages", locked(document))];
    }
    if !NAMES.contains(&name) {
        return Vec::new();
    }
    let head = document.get("package").or_else(|| document.get("project")).unwrap_or(document);
    let about = ["name", "version", "main", "license"];
    let about = about.iter().filter_map(|key| head.get(key)).filter(|at| !at.text().is_empty());
    let mut parts = vec![(
        "Package",
        about.map(|at| entry(at, &format!("{}: {}", at.name(), at.text()))).collect(),
    )];
    for (title, path) in MANIFESTS {
        let entries = document.below(path).into_iter().flat_map(At::inside).map(dependency);
        parts.push((title, entries.collect()));
    }
    parts
}

/// A dependency's name with its version, command or parts.
fn dependency(at: At) -> Entry {
    let version = match at.kind() {
        Kind::Object => ["version", "path", "git"]
            .iter()
            .find_map(|key| at.text_of(key))
            .unwrap_or_default()
            .to_owned(),
        Kind::Array => at.inside().map(At::text).collect::<Vec<_>>().join(", "),
        _ => at.text().to_owned(),
    };
    match (at.name(), version.as_str()) {
        (name, "") => entry(at, name),
        ("", version) => entry(at, version),
        (name, version) => entry(at, &format!("{name} {version}")),
    }
}

/// The packages of a lock file: items with name and version, or keys with a version in their
/// values.
fn locked(document: At) -> Vec<Entry> {
    let mut entries = Vec::new();
    for key in
        ["package", "packages", "packages-dev", "dependencies", "default", "develop", "snapshots"]
    {
        for at in document.all(key) {
            let name = at.text_of("name").unwrap_or_else(|| at.name());
            let name = name.rsplit_once("node_modules/").map_or(name, |(_, name)| name);
            let name = name.trim_start_matches('/');
            if name.is_empty() {
                continue;
            }
            let version = at.text_of("version").or(Some(at.text())).filter(|text| !text.is_empty());
            entries.push(entry(
                at,
                &version.map_or_else(|| name.to_owned(), |version| format!("{name} {version}")),
            ));
        }
        // An older format of npm lists its packages again under a second key.
        if !entries.is_empty()
            && matches!(key, "packages" | "package")
            && document.get("packages-dev").is_none()
        {
            break;
        }
    }
    entries
}
