//! The npm packages in a root: what their `package.json` says of the names that they are imported by.

use std::collections::BTreeMap;

use map::repo::Present;
use serde_json::{Map, Value};

use crate::manifests::manifests;

/// Conditions of an entry in the order in which they are tried: types first, as a compiler does.
/// Others come after these in the order of their names.
const CONDITIONS: [&str; 5] = ["types", "import", "module", "default", "require"];
/// How deep conditions within conditions are followed.
const DEEPEST: usize = 8;

/// A package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// What is imported from it: for each path, such as `.` or `./*`, the files to try, relative to
    /// the folder of the package. Empty if the manifest does not say.
    pub exports: BTreeMap<String, Vec<String>>,
    /// Names that begin with `#`, which its own files import; values as in `exports`.
    pub imports: BTreeMap<String, Vec<String>>,
    /// The files to try for the package itself, if there are no `exports`.
    pub main: Vec<String>,
}

/// The packages, by the folder of their `package.json` relative to the root (empty for the root
/// itself). A manifest that cannot be read is left out.
pub fn packages(present: &Present) -> BTreeMap<String, Package> {
    manifests(present, "package.json")
        .filter_map(|(folder, text)| Some((folder.to_owned(), package(&text)?)))
        .collect()
}

impl Package {
    /// The files to try for what its name and `path` import; `path` begins with `.`.
    pub fn exported(&self, path: &str) -> Vec<String> {
        match (self.exports.is_empty(), path) {
            (false, path) => matched(&self.exports, path),
            (true, ".") => self.main.clone(),
            (true, path) => vec![path.to_owned()],
        }
    }

    /// The files to try for a name with `#`.
    pub fn imported(&self, name: &str) -> Vec<String> {
        matched(&self.imports, name)
    }
}

/// The files of the entry for a path: the one of this path, or else that with a `*` whose beginning
/// is the longest.
fn matched(entries: &BTreeMap<String, Vec<String>>, path: &str) -> Vec<String> {
    if let Some(files) = entries.get(path) {
        return files.clone();
    }
    let fitting = entries.iter().filter_map(|(pattern, files)| {
        let (before, after) = pattern.split_once('*')?;
        let part = path.strip_prefix(before)?.strip_suffix(after)?;
        Some((before.len(), part, files))
    });
    let Some((_, part, files)) = fitting.max_by_key(|(length, ..)| *length) else {
        return Vec::new();
    };
    files.iter().map(|file| file.replace('*', part)).collect()
}

fn package(text: &str) -> Option<Package> {
    let manifest: Map<String, Value> = serde_json::from_str(text).ok()?;
    let text = |name: &str| manifest.get(name).and_then(Value::as_str).map(str::to_owned);
    let main = ["types", "typings", "module", "main"].into_iter().filter_map(text);
    let main: Vec<String> = main.chain(["index".to_owned()]).collect();
    let name = text("name").unwrap_or_default();
    let exports = manifest.get("exports").map(entries).unwrap_or_default();
    let imports = manifest.get("imports").map(entries).unwrap_or_default();
    Some(Package { name, exports, imports, main })
}

/// The files of each path. Without paths, all of it is about the package itself.
fn entries(value: &Value) -> BTreeMap<String, Vec<String>> {
    match value {
        Value::Object(paths) if paths.keys().all(|path| path.starts_with(['.', '#'])) => {
            paths.iter().map(|(path, value)| (path.clone(), files(value))).collect()
        }
        value => BTreeMap::from([(".".to_owned(), files(value))]),
    }
}

/// The files that a value names under any condition.
fn files(value: &Value) -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), vec![(value, 0)]);
    while let Some((value, depth)) = open.pop() {
        match value {
            Value::String(file) => found.push(file.clone()),
            Value::Array(values) if depth < DEEPEST => {
                open.extend(values.iter().rev().map(|value| (value, depth + 1)));
            }
            Value::Object(conditions) if depth < DEEPEST => {
                let first = CONDITIONS.iter().filter_map(|condition| conditions.get(*condition));
                let rest = conditions.iter().filter(|(name, _)| !CONDITIONS.contains(&&***name));
                let all: Vec<&Value> = first.chain(rest.map(|(_, value)| value)).collect();
                open.extend(all.into_iter().rev().map(|value| (value, depth + 1)));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::package;

    #[test]
    fn entries_are_found_by_path_and_by_pattern() {
        let of = package(
            r##"{"name": "a", "imports": {"#b": "./b.js"}, "exports": {
                ".": {"import": {"node": "./n.js", "types": "./n.d.ts"}, "require": "./n.cjs"},
                "./*": "./p/*.js", "./long/*": {"types": "./q/*.d.ts"}, "./none": null}}"##,
        )
        .unwrap();
        assert_eq!(of.exported("."), ["./n.d.ts", "./n.js", "./n.cjs"]);
        assert_eq!(of.exported("./x/y"), ["./p/x/y.js"]);
        assert_eq!(of.exported("./long/z"), ["./q/z.d.ts"]);
        assert!(of.exported("./none").is_empty());
        assert_eq!(of.imported("#b"), ["./b.js"]);
        assert!(of.imported("#c").is_empty());
    }

    #[test]
    fn without_entries_any_file_is_imported_by_its_path() {
        let of = package(r#"{"name": "a", "main": "lib/a.js"}"#).unwrap();
        assert_eq!(of.exported("."), ["lib/a.js", "index"]);
        assert_eq!(of.exported("./lib/b"), ["./lib/b"]);
        let of = package(r#"{"exports": "./a.js"}"#).unwrap();
        assert_eq!(of.exported("."), ["./a.js"]);
        assert!(package("{").is_none());
        assert!(package("[]").is_none());
    }
}
