//! The files that a module path means, found by their own paths.
//!
//! What an import means is decided by paths alone: no other file is read. An import that fits too
//! many files means none of them.

use std::collections::BTreeMap;

use base::text::paths;
use explore::{Import, ImportCategory};
use rustc_hash::FxHashMap;

use crate::graph::RankingInput;

/// Names without extension of files that stand for their folder.
const STANDS_FOR_FOLDER: &[&str] = &["__init__", "index", "lib", "mod"];
/// Words of import paths that name no folder.
const NO_FOLDER: &[&str] = &["", "crate", "self", "super", "@", "~"];
/// Endings of the names of files whose imports have dots between their components.
const DOTTED: &[&str] = &[".py", ".pyi", ".pyw", ".java", ".kt", ".kts", ".scala"];
/// Maximum number of files that an import may mean.
const MOST: usize = 3;
/// Maximum number of last components that may name something inside a file.
const INSIDE: usize = 2;

/// Files by the components of their paths, without extension and without names that stand for a
/// folder.
#[derive(Debug, Default)]
pub struct Modules<'a> {
    /// Files with these components, in the order of their ids.
    files: Vec<(usize, Vec<&'a str>)>,
    /// Positions in `files` by the last component.
    by_last: FxHashMap<&'a str, Vec<usize>>,
    /// Positions in `files` by the last two components.
    by_two: FxHashMap<[&'a str; 2], Vec<usize>>,
    /// The files of each folder that have the extension of a Go file.
    packages: BTreeMap<Vec<&'a str>, Vec<usize>>,
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

/// Whether a file stands for its folder.
pub fn stands_for_folder(rel: &str) -> bool {
    STANDS_FOR_FOLDER.contains(&paths::stem(rel))
}

/// The components of the folder of a file.
fn folder(rel: &str) -> Vec<&str> {
    rel.rsplit_once('/').map_or_else(Vec::new, |(folder, _)| folder.split('/').collect())
}

impl<'a> Modules<'a> {
    /// The included files.
    pub fn of(input: &RankingInput<'a>) -> Self {
        let rel = |file: &usize| input.sources.files[*file].file.rel.as_str();
        Self::from(input.included.iter().map(|file| (*file, rel(file))))
    }

    fn from(files: impl Iterator<Item = (usize, &'a str)>) -> Self {
        let mut modules = Self::default();
        for (file, rel) in files {
            let parts = components(rel);
            if rel.ends_with(".go") && !rel.ends_with("_test.go") {
                modules.packages.entry(folder(rel)).or_default().push(file);
            }
            let at = modules.files.len();
            if let [.., before, last] = *parts {
                modules.by_two.entry([before, last]).or_default().push(at);
            }
            if let Some(last) = parts.last().copied() {
                modules.by_last.entry(last).or_default().push(at);
            }
            modules.files.push((file, parts));
        }
        modules
    }

    /// The files whose last components may be these: those with the same last two, if there are
    /// two.
    fn with_last<'m>(
        &'m self,
        parts: &[&'m str],
    ) -> impl Iterator<Item = &'m (usize, Vec<&'a str>)> {
        let found = match *parts {
            [.., before, last] => self.by_two.get(&[before, last]),
            [last] => self.by_last.get(last),
            [] => None,
        };
        let found: &[usize] = found.map_or(&[], Vec::as_slice);
        found.iter().filter_map(|at| self.files.get(*at))
    }

    /// The files that an import in the file `rel` means.
    pub fn resolve(&self, rel: &str, import: &Import) -> Vec<usize> {
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
        let mut readings = readings(rel, import.path.trim_start_matches(['.', '/']));
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

    /// The files at a path from the root, without extension.
    pub fn at_path(&self, path: &str) -> Vec<usize> {
        self.at(&path.split('/').collect::<Vec<_>>())
    }

    /// The files at a path from the root.
    fn at(&self, whole: &[&str]) -> Vec<usize> {
        self.with_last(whole).filter(|(_, parts)| parts == whole).map(|(file, _)| *file).collect()
    }

    /// The files that an import means that is not relative to its own file.
    fn anywhere(&self, rel: &str, import: &Import) -> Vec<usize> {
        // A module of one word that is not known to be local is most likely installed.
        let least = if import.category == ImportCategory::ThirdParty { 2 } else { 1 };
        let mut found = Vec::new();
        for parts in readings(rel, &import.path) {
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
            let fitting: Vec<(usize, usize)> = self
                .with_last(end)
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

/// The components that an import path in the file `rel` can have: with an extension at its end, or
/// with dots between its components.
fn readings<'p>(rel: &str, path: &'p str) -> Vec<Vec<&'p str>> {
    let split = |signs: &[char]| -> Vec<&'p str> {
        path.split(signs).filter(|part| !NO_FOLDER.contains(part)).collect()
    };
    let mut without = split(&['/', '\\', ':']);
    if let Some(last) = without.last_mut() {
        *last = paths::split_extension(last).0;
    }
    let dotted = split(&['.', '/', '\\', ':']);
    let mut readings = if DOTTED.iter().any(|end| rel.ends_with(end)) {
        vec![dotted]
    } else {
        vec![without, split(&['/', '\\', ':']), dotted]
    };
    readings.retain(|reading| !reading.is_empty());
    readings.dedup();
    readings
}

#[cfg(test)]
mod tests {
    use explore::{Import, ImportCategory};

    use super::{Modules, readings};

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

    fn modules() -> Modules<'static> {
        Modules::from(FILES.into_iter().enumerate())
    }

    fn expect(rel: &str, path: &str, names: &[&str], category: ImportCategory, files: &[&str]) {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let import = Import { path: path.to_owned(), names, category, line: 1 };
        let mut found: Vec<_> =
            modules().resolve(rel, &import).into_iter().map(|file| FILES[file]).collect();
        found.sort_unstable();
        assert_eq!(found, files, "{path} in {rel}");
    }

    #[test]
    fn imports_are_found_by_their_paths() {
        use ImportCategory::{Local, Stdlib, ThirdParty, Unknown};
        expect("src/main.rs", "crate::graph::Graph", &[], Local, &["src/graph.rs"]);
        expect("src/main.rs", "crate::view::View", &[], Local, &["src/view/mod.rs"]);
        expect("app/main.py", ".models", &["User"], Local, &["app/models.py"]);
        expect("app/main.py", ".sub.tools", &["saw"], Local, &["app/sub/tools.py"]);
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
        assert_eq!(
            readings("x.c", "a/b.h"),
            [vec!["a", "b"], vec!["a", "b.h"], vec!["a", "b", "h"]]
        );
        assert_eq!(readings("x.py", "a.b"), [["a", "b"]]);
        assert_eq!(readings("x.rs", "crate::a::B"), [["a", "B"]]);
    }
}
