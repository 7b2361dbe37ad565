//! The files whose definitions a file can mean: itself, and those that it imports.
//!
//! What imports what is read from the lines of the texts (`statements`) and resolved by paths
//! (`modules`). A file that only passes on what it imports, such as a package's `__init__.py` or a
//! header of C, brings along its own imports.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use base::text::{folder::Folder, paths, read};
use explore::Import;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    modules::{Modules, stands_for_folder},
    statements::imports,
};
use crate::{families::family, graph::RankingInput, sources::Source, table::Table};

/// Maximum number of files that one file can see, so that no repository makes this slow.
const MOST_SEEN: usize = 1000;
/// Largest file that is read only for its imports, in bytes.
const MOST_BYTES: u64 = 1 << 16;
/// Endings of the names of headers.
const HEADERS: &[&str] = &[".h", ".hh", ".hpp", ".hxx", ".inl", ".cuh"];

/// The files that each file can see, by file id.
#[derive(Debug, Clone)]
pub struct Scopes {
    /// The files that each file can see, sorted.
    pub seen: Table<u32>,
}

impl Scopes {
    /// The scopes of the included files.
    pub fn of(input: &RankingInput) -> Self {
        let known = Known::of(input);
        let files = &input.sources.files;
        let direct: Vec<(usize, Vec<usize>)> =
            input.included.par_iter().map(|&file| (file, known.imported(file))).collect();
        let mut imported = vec![Vec::new(); files.len()];
        for (file, found) in direct {
            imported[file] = found;
        }
        let seen = |file: usize| known.seen(file, &imported);
        let found: Vec<(usize, Vec<usize>)> =
            input.included.par_iter().map(|&file| (file, seen(file))).collect();
        let pairs = found
            .iter()
            .flat_map(|(file, found)| found.iter().map(move |seen| (*file as u32, *seen as u32)));
        Self { seen: Table::of(files.len(), pairs) }
    }

    /// Whether a file can see another one.
    pub fn sees(&self, from: usize, other: usize) -> bool {
        self.seen.row(from).binary_search(&(other as u32)).is_ok()
    }
}

/// The included files by what imports name.
struct Known<'i, 'a> {
    input: &'i RankingInput<'a>,
    modules: Modules<'a>,
    /// Files of languages whose folder is one name space, by folder and family.
    packages: BTreeMap<(&'a str, &'static str), Vec<usize>>,
    /// Headers by the last component of their paths.
    headers: FxHashMap<&'a str, Vec<usize>>,
    /// Files of C and its relatives that are no headers, by stem.
    bodies: FxHashMap<&'a str, Vec<usize>>,
}

impl<'i, 'a> Known<'i, 'a> {
    fn of(input: &'i RankingInput<'a>) -> Self {
        let modules = Modules::of(input);
        let (packages, headers, bodies) = Default::default();
        let mut known = Self { input, modules, packages, headers, bodies };
        for &file in &input.included {
            let rel = input.sources.files[file].file.rel.as_str();
            match known.family(file) {
                Some("c") if is_header(rel) => {
                    known.headers.entry(paths::basename(rel)).or_default().push(file);
                }
                Some("c") => known.bodies.entry(paths::stem(rel)).or_default().push(file),
                Some(of @ ("go" | "java" | "php")) => {
                    known.packages.entry((folder(rel), of)).or_default().push(file);
                }
                _ => {}
            }
        }
        known
    }

    fn rel(&self, file: usize) -> &'a str {
        self.input.sources.files[file].file.rel.as_str()
    }

    fn family(&self, file: usize) -> Option<&'static str> {
        self.input.sources.files[file].key.and_then(family)
    }

    /// The files that a file imports by its own lines.
    fn imported(&self, file: usize) -> Vec<usize> {
        let source = &self.input.sources.files[file];
        let Some(key) = source.key else { return Vec::new() };
        let rel = self.rel(file);
        let own = family(key);
        let mut found = BTreeSet::new();
        for import in stated_imports(source, &self.input.sources.folder).iter() {
            if own == Some("c") {
                found.extend(self.included(rel, &import.path));
                continue;
            }
            let meant = self.modules.resolve(rel, import);
            if own == Some("rust") && meant.is_empty() {
                found.extend(self.inner_module(rel, &import.path));
            }
            found.extend(meant.into_iter().filter(|one| self.family(*one) == own));
        }
        found.remove(&file);
        found.into_iter().collect()
    }

    /// The file of a module that is declared in a file with a name of its own.
    fn inner_module(&self, rel: &str, path: &str) -> Vec<usize> {
        let Some(name) = path.strip_prefix("./") else { return Vec::new() };
        let folder = paths::split_extension(rel).0;
        self.modules.at_path(&format!("{folder}/{name}"))
    }

    /// The headers that an include names: the one beside the file, else those whose paths end so
    /// and that are nearest.
    fn included(&self, rel: &str, path: &str) -> Vec<usize> {
        let path = path.trim_start_matches("./");
        let path = path.rsplit("../").next().unwrap_or(path);
        let Some(same) = self.headers.get(paths::basename(path)) else { return Vec::new() };
        let fits = |one: &str| {
            one.strip_suffix(path).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        nearest(rel, same.iter().map(|one| (*one, self.rel(*one))).filter(|(_, one)| fits(one)))
    }

    /// Everything that a file can see, sorted.
    fn seen(&self, file: usize, imported: &[Vec<usize>]) -> Vec<usize> {
        let mut seen: BTreeSet<usize> = imported[file].iter().copied().collect();
        let mut open: Vec<usize> = imported[file].clone();
        while let Some(next) = open.pop() {
            if seen.len() > MOST_SEEN {
                break;
            }
            let rel = self.rel(next);
            if is_header(rel) || stands_for_folder(rel) {
                let further = imported[next].iter().copied();
                open.extend(further.filter(|further| seen.insert(*further)));
            }
        }
        let headers: Vec<usize> =
            seen.iter().copied().filter(|one| is_header(self.rel(*one))).collect();
        for header in headers {
            let rel = self.rel(header);
            let same = self.bodies.get(paths::stem(rel)).into_iter().flatten();
            seen.extend(nearest(rel, same.map(|one| (*one, self.rel(*one)))));
        }
        if let Some(of) = self.family(file)
            && let Some(package) = self.packages.get(&(folder(self.rel(file)), of))
        {
            seen.extend(package.iter().copied().take(MOST_SEEN));
        }
        seen.into_iter().collect()
    }
}

/// The imports that a file states. Of a file that only passes on what it imports there are no tags, so
/// its text was not kept.
pub fn stated_imports<'s>(source: &'s Source, folder: &Folder) -> Cow<'s, [Import]> {
    let Some(key) = source.key else { return Cow::default() };
    let rel = source.file.rel.as_str();
    let passes_on = || source.file.is_file && (is_header(rel) || stands_for_folder(rel));
    if !source.has_text() && !passes_on() {
        return Cow::default();
    }
    match &source.facts {
        Some(facts) if source.has_text() || facts.length <= MOST_BYTES => {
            Cow::Borrowed(&facts.imports)
        }
        Some(_) => Cow::default(),
        None if source.has_text() => Cow::Owned(imports(key, source.text())),
        None => {
            let bytes = folder.exact_bytes(Path::new(rel), MOST_BYTES).ok();
            let text = bytes.and_then(|bytes| read::text(bytes).ok());
            Cow::Owned(imports(key, &text.unwrap_or_default()))
        }
    }
}

fn is_header(rel: &str) -> bool {
    HEADERS.iter().any(|end| rel.ends_with(end))
}

fn folder(rel: &str) -> &str {
    rel.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Those of some files that have the most folders in common with a file.
fn nearest<'p>(rel: &str, files: impl Iterator<Item = (usize, &'p str)>) -> Vec<usize> {
    let near = |one: &str| one.split('/').zip(rel.split('/')).take_while(|(a, b)| a == b).count();
    let mut most = 0;
    let mut found = Vec::new();
    for (file, one) in files {
        let near = near(one);
        if near > most {
            found.clear();
            most = near;
        }
        if near == most {
            found.push(file);
        }
    }
    found
}
