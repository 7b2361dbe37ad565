//! The files that the files of the chat import, found by their paths.
//!
//! What an import means is decided by paths alone: no other file is read. An import that fits too
//! many files means none of them.

use std::collections::{BTreeMap, BTreeSet};

use base::text::paths;
use explore::{Import, ImportCategory, Input, Profile, Project, explore};

use crate::{families::family, graph::RankingInput};

/// The part of the whole personalisation that the imported files get together.
const SHARE: f64 = 0.5;
/// Names without extension of files that stand for their folder.
const STANDS_FOR_FOLDER: &[&str] = &["__init__", "index", "lib", "mod"];
/// Words of import paths that name no folder.
const NO_FOLDER: &[&str] = &["", "crate", "self", "super", "@", "~"];
/// Maximum number of files that an import may mean.
const MOST: usize = 3;
/// Maximum number of last components that may name something inside a file.
const INSIDE: usize = 2;

/// Files by the components of their paths, without extension and without names that stand for a
/// folder.
struct Known<'a> {
    by_last: BTreeMap<&'a str, Vec<(usize, Vec<&'a str>)>>,
    /// The files of each folder that have the extension of a Go file.
    packages: BTreeMap<Vec<&'a str>, Vec<usize>>,
}

/// Adds the files that files of the chat import to the personalisation.
pub fn seed(input: &RankingInput, personalization: &mut BTreeMap<usize, f64>) {
    let imported = imported(input);
    let whole: f64 = personalization.values().sum();
    for file in &imported {
        *personalization.entry(*file).or_default() += SHARE * whole / imported.len() as f64;
    }
}

/// The files outside the chat that files of the chat import.
fn imported(input: &RankingInput) -> BTreeSet<usize> {
    let mut imported = BTreeSet::new();
    if input.chat.is_empty() {
        return imported;
    }
    let known = Known::of(input);
    for &file in &input.chat {
        let source = &input.sources.files[file];
        let rel = source.file.rel.as_str();
        let read = Input::memory(rel, source.text.as_bytes());
        let found = explore(&read, &Project::default(), Profile::Enhancement);
        let family_of = |file: usize| input.sources.files[file].key.and_then(family);
        let fits = |one: &usize| match (family_of(file), family_of(*one)) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        };
        for import in &found.imports {
            imported.extend(known.resolve(rel, import).into_iter().filter(fits));
        }
    }
    imported.retain(|file| !input.chat.contains(file));
    imported
}

/// The components of a path without its extension.
fn components(rel: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = rel.split('/').collect();
    if let Some(last) = parts.last_mut() {
        *last = paths::split_extension(last).0;
    }
    if parts.len() > 1 && parts.last().is_some_and(|last| STANDS_FOR_FOLDER.contains(last)) {
        parts.pop();
    }
    parts
}

/// The components of the folder of a file.
fn folder(rel: &str) -> Vec<&str> {
    rel.rsplit_once('/').map_or_else(Vec::new, |(folder, _)| folder.split('/').collect())
}

impl<'a> Known<'a> {
    fn of(input: &RankingInput<'a>) -> Self {
        let mut known = Self { by_last: BTreeMap::new(), packages: BTreeMap::new() };
        for &file in &input.included {
            let rel = input.sources.files[file].file.rel.as_str();
            let parts = components(rel);
            if rel.ends_with(".go") && !rel.ends_with("_test.go") {
                known.packages.entry(folder(rel)).or_default().push(file);
            }
            if let Some(last) = parts.last().copied() {
                known.by_last.entry(last).or_default().push((file, parts));
            }
        }
        known
    }

    /// The files that an import in the file `rel` means.
    fn resolve(&self, rel: &str, import: &Import) -> Vec<usize> {
        if import.category == ImportCategory::Stdlib {
            return Vec::new();
        }
        if rel.ends_with(".go") {
            return self.package(&import.path);
        }
        if !import.path.starts_with('.') {
            return self.anywhere(rel, import);
        }
        let Some(base) = base(rel, &import.path) else { return Vec::new() };
        let mut readings = readings(import.path.trim_start_matches(['.', '/']));
        if readings.is_empty() {
            // The folder itself is meant.
            readings.push(Vec::new());
        }
        let named = import.names.iter().map(|name| vec![name.as_str()]);
        let mut found = Vec::new();
        for reading in &readings {
            for name in named.clone().chain([Vec::new()]) {
                let whole = [base.as_slice(), reading, &name].concat();
                found.extend(self.at(&whole));
            }
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    /// The files of the folder that the end of an import path names.
    fn package(&self, path: &str) -> Vec<usize> {
        let parts: Vec<&str> = path.split('/').collect();
        let mut ends = (0..parts.len()).filter_map(|from| self.packages.get(parts.get(from..)?));
        ends.next().cloned().unwrap_or_default()
    }

    /// The files at a path from the root.
    fn at(&self, whole: &[&str]) -> Vec<usize> {
        let Some(same) = whole.last().and_then(|last| self.by_last.get(last)) else {
            return Vec::new();
        };
        same.iter().filter(|(_, parts)| parts == whole).map(|(file, _)| *file).collect()
    }

    /// The files that an import means that is not relative to its own file.
    fn anywhere(&self, rel: &str, import: &Import) -> Vec<usize> {
        // A module of one word that is not known to be local is most likely installed.
        let least = if import.category == ImportCategory::ThirdParty { 2 } else { 1 };
        let mut found = Vec::new();
        for parts in readings(&import.path) {
            for name in &import.names {
                let whole = [parts.as_slice(), &[name.as_str()]].concat();
                found.extend(self.ending(rel, &whole, 2));
            }
            for inside in 0..=INSIDE {
                let module = parts.len().checked_sub(inside).and_then(|end| parts.get(..end));
                found
                    .extend(module.map_or_else(Vec::new, |module| self.ending(rel, module, least)));
                if !found.is_empty() {
                    return found;
                }
            }
        }
        found
    }

    /// The files whose paths end with these components, of which the first ones may be missing:
    /// they may name a project or a name space. A single component has to be a whole path unless
    /// `least` is 1. Of several files, the nearest to `rel` are meant.
    fn ending(&self, rel: &str, module: &[&str], least: usize) -> Vec<usize> {
        let Some(same) = module.last().and_then(|last| self.by_last.get(last)) else {
            return Vec::new();
        };
        for from in 0..module.len() {
            let end = module.get(from..).unwrap_or_default();
            // A shortened path of one component fits too easily.
            let fits = |parts: &[&str]| {
                parts == end && from == 0
                    || end.len() >= least.max(1 + usize::from(from > 0)) && parts.ends_with(end)
            };
            let near = |parts: &[&str]| {
                parts.iter().zip(rel.split('/')).take_while(|(one, other)| *one == other).count()
            };
            let fitting: Vec<(usize, usize)> = same
                .iter()
                .filter(|(_, parts)| fits(parts))
                .map(|(file, parts)| (*file, near(parts)))
                .collect();
            let nearest = fitting.iter().map(|(_, near)| *near).max();
            let meant: Vec<usize> = fitting
                .iter()
                .filter(|(_, near)| Some(*near) == nearest)
                .map(|(file, _)| *file)
                .collect();
            if !meant.is_empty() {
                return if meant.len() > MOST { Vec::new() } else { meant };
            }
        }
        Vec::new()
    }
}

/// The folder that a relative import starts from; `None` if that is outside the root.
fn base<'a>(rel: &'a str, path: &str) -> Option<Vec<&'a str>> {
    let mut base = folder(rel);
    let ups = if path.starts_with("./") || path.starts_with("../") {
        path.split('/')
            .take_while(|part| part.starts_with('.'))
            .filter(|part| *part == "..")
            .count()
    } else {
        path.chars().take_while(|c| *c == '.').count().saturating_sub(1)
    };
    base.truncate(base.len().checked_sub(ups)?);
    Some(base)
}

/// The components that an import path can have: with an extension at its end, or with dots between
/// its components.
fn readings(path: &str) -> Vec<Vec<&str>> {
    let split = |signs: &[char]| -> Vec<&str> {
        path.split(signs).filter(|part| !NO_FOLDER.contains(part)).collect()
    };
    let mut without = split(&['/', '\\', ':']);
    if let Some(last) = without.last_mut() {
        *last = paths::split_extension(last).0;
    }
    let mut readings = vec![without, split(&['/', '\\', ':']), split(&['.', '/', '\\', ':'])];
    readings.retain(|reading| !reading.is_empty());
    readings.dedup();
    readings
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use explore::{Import, ImportCategory};

    use super::{Known, components, folder, readings};

    const FILES: [&str; 14] = [
        "src/graph.rs",
        "src/view/mod.rs",
        "app/models.py",
        "app/sub/__init__.py",
        "app/sub/tools.py",
        "web/lib/b.js",
        "web/store/index.ts",
        "include/curl/easy.h",
        "lib/easy.h",
        "src/Node/Expression/Name.php",
        "pkg/sub/one.go",
        "pkg/sub/two.go",
        "pkg/sub/two_test.go",
        "com/acme/Foo.java",
    ];

    fn known() -> Known<'static> {
        let mut known = Known { by_last: BTreeMap::new(), packages: BTreeMap::new() };
        for (file, rel) in FILES.into_iter().enumerate() {
            let parts = components(rel);
            if rel.ends_with(".go") && !rel.ends_with("_test.go") {
                known.packages.entry(folder(rel)).or_default().push(file);
            }
            known.by_last.entry(parts[parts.len() - 1]).or_default().push((file, parts));
        }
        known
    }

    fn expect(rel: &str, path: &str, names: &[&str], category: ImportCategory, files: &[&str]) {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let import = Import { path: path.to_owned(), names, category, line: 1 };
        let mut found: Vec<_> =
            known().resolve(rel, &import).into_iter().map(|file| FILES[file]).collect();
        found.sort_unstable();
        assert_eq!(found, files, "{path} in {rel}");
    }

    #[test]
    fn imports_are_found_by_their_paths() {
        use ImportCategory::{Local, Stdlib, ThirdParty, Unknown};
        expect("src/main.rs", "crate::graph::Graph", &[], Local, &["src/graph.rs"]);
        expect("src/main.rs", "crate::view::View", &[], Local, &["src/view/mod.rs"]);
        expect("app/main.py", ".models", &["User"], Local, &["app/models.py"]);
        expect("app/sub/tools.py", "..models", &[], Local, &["app/models.py"]);
        expect("app/main.py", ".", &["sub"], Local, &["app/sub/__init__.py"]);
        expect(
            "t/test.py",
            "app.sub",
            &["tools"],
            ThirdParty,
            &["app/sub/__init__.py", "app/sub/tools.py"],
        );
        expect("web/a.ts", "./lib/b.js", &[], Local, &["web/lib/b.js"]);
        expect("web/x/a.ts", "../store", &["x"], Local, &["web/store/index.ts"]);
        expect("web/a.ts", "@/web/store", &[], ThirdParty, &["web/store/index.ts"]);
        expect("lib/a.c", "easy.h", &[], Local, &["lib/easy.h"]);
        expect("lib/a.c", "curl/easy.h", &[], Local, &["include/curl/easy.h"]);
        expect(
            "src/A.php",
            "Twig\\Node\\Expression\\Name",
            &["Name"],
            ThirdParty,
            &["src/Node/Expression/Name.php"],
        );
        expect(
            "main.go",
            "github.com/x/y/pkg/sub",
            &[],
            ThirdParty,
            &["pkg/sub/one.go", "pkg/sub/two.go"],
        );
        expect("Main.java", "com.acme.Foo.bar", &[], ThirdParty, &["com/acme/Foo.java"]);
        expect("lib/a.rb", "lib/easy", &[], Unknown, &["lib/easy.h"]);
        expect("app/main.py", "graph", &[], Stdlib, &[]);
    }

    #[test]
    fn what_is_installed_or_leads_out_is_no_file_here() {
        use ImportCategory::{Local, ThirdParty, Unknown};
        expect("app/main.py", "models", &[], ThirdParty, &[]);
        expect("src/main.rs", "serde::graph", &[], ThirdParty, &[]);
        expect("a.py", "...models", &[], Local, &[]);
        expect("a.ts", "../../store", &[], Local, &[]);
        for path in ["", ".", "..", "/", "::", "\\", "@", "./"] {
            expect("a/b.py", path, &[], Unknown, &[]);
        }
    }

    #[test]
    fn a_path_has_an_extension_or_dots_between_its_components() {
        assert_eq!(readings("a/b.h"), [vec!["a", "b"], vec!["a", "b.h"], vec!["a", "b", "h"]]);
        assert_eq!(readings("crate::a::B"), [["a", "B"]]);
    }
}
