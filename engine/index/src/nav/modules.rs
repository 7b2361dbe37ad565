//! From the text of an import to the files that it refers to, for each family of languages.

use std::collections::BTreeMap;

use crate::sync::{Known, Library};

/// The ends of the names of files of TypeScript.
const TYPED: [&str; 4] = [".ts", ".tsx", ".mts", ".cts"];

/// The files of the root by path.
type Paths = BTreeMap<String, Known>;

/// The files that a module consists of; empty if it comes from outside the root.
pub fn files(library: &Library, family: &str, from: &str, module: &str) -> Vec<String> {
    let paths = &library.files;
    match family {
        "python" => python(paths, from, module),
        "ecmascript" => ecmascript(library, from, module),
        "go" => go(paths, &library.go_modules, module),
        "java" => java(paths, module),
        "c" => include(paths, from, module),
        _ => Vec::new(),
    }
}

/// The folder of a path, without a slash at its end.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path below a folder.
pub fn below(folder: &str, path: &str) -> String {
    if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") }
}

/// A path without `.` and `..`; `None` if it leads out of the root.
fn plain(path: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn first(paths: &Paths, candidates: impl IntoIterator<Item = String>) -> Vec<String> {
    candidates.into_iter().find(|path| paths.contains_key(path)).into_iter().collect()
}

fn python(paths: &Paths, from: &str, module: &str) -> Vec<String> {
    let module: String = module.split_whitespace().collect();
    let dots = module.len() - module.trim_start_matches('.').len();
    let dotted = module.trim_start_matches('.').replace('.', "/");
    let of = |root: &str| {
        let base = below(root, &dotted);
        let base = base.trim_end_matches('/');
        let ends = [".py", ".pyi", "/__init__.py", "/__init__.pyi"];
        first(paths, ends.map(|end| plain(&format!("{base}{end}")).unwrap_or_default()))
    };
    if dots > 0 {
        let mut root = folder(from);
        for _ in 1..dots {
            root = folder(root);
        }
        return of(root);
    }
    // The folders above the file are tried from the inside out, because any of them could be on
    // Python's module path.
    let mut root = folder(folder(from));
    let mut roots = vec![folder(from)];
    loop {
        roots.push(root);
        if root.is_empty() {
            break;
        }
        root = folder(root);
    }
    roots.extend(["src", "lib"]);
    // The folder of a script is searched; that of a package is not, because its modules are imported
    // by the name of the package.
    roots.retain(|root| root.is_empty() || !paths.contains_key(&below(root, "__init__.py")));
    roots.into_iter().map(of).find(|found| !found.is_empty()).unwrap_or_default()
}

fn ecmascript(library: &Library, from: &str, module: &str) -> Vec<String> {
    let file = |folder: &str, path: &str| ecmascript_file(&library.files, from, folder, path);
    if module.starts_with('.') {
        return file(folder(from), module);
    }
    let mut packages = library.packages.iter();
    let found = if module.starts_with('#') {
        // The innermost package around the file is the last one in the order of the folders.
        let is_around = |at: &str| at.is_empty() || from.starts_with(&format!("{at}/"));
        packages.rfind(|(at, _)| is_around(at)).map(|(at, package)| (at, package.imported(module)))
    } else {
        let parts = if module.starts_with('@') { 2 } else { 1 };
        let name = module.match_indices('/').nth(parts - 1);
        let (name, rest) = module.split_at(name.map_or(module.len(), |(end, _)| end));
        packages
            .find(|(_, package)| package.name == name)
            .map(|(at, package)| (at, package.exported(&format!(".{rest}"))))
    };
    let Some((at, paths)) = found else { return Vec::new() };
    paths.iter().map(|path| file(at, path)).find(|found| !found.is_empty()).unwrap_or_default()
}

/// The file that a path from a folder leads to. For a file of TypeScript, one with types comes before
/// the one that was made of it.
fn ecmascript_file(paths: &Paths, from: &str, at: &str, path: &str) -> Vec<String> {
    let Some(base) = plain(&below(at, path)) else { return Vec::new() };
    let stem = ["js", "mjs", "cjs", "jsx"]
        .iter()
        .find_map(|end| base.strip_suffix(&format!(".{end}")))
        .unwrap_or(&base);
    let is_typed = |path: &str| TYPED.iter().any(|end| path.ends_with(end));
    let ends = ["", ".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
    let whole = ends.map(|end| format!("{base}{end}"));
    let renamed = ends.map(|end| format!("{stem}{end}"));
    let index = ends.map(|end| below(&base, &format!("index{end}")));
    let mut all: Vec<String> = whole.into_iter().chain(renamed).collect();
    if is_typed(from) {
        all.sort_by_key(|path| !is_typed(path));
    }
    first(paths, all.into_iter().chain(index))
}

/// A package is a folder. Its import is the path of its module, followed by the folder's path below
/// the module's folder. `roots` holds the paths of modules by folder; where it does not help, the
/// end of the import path decides.
fn go(paths: &Paths, roots: &BTreeMap<String, String>, module: &str) -> Vec<String> {
    if roots.is_empty() {
        return by_end(paths, module);
    }
    let place = |(folder, root): (&String, &String)| {
        let rest = module.strip_prefix(root.as_str())?;
        let is_below = rest.is_empty() || rest.starts_with('/');
        is_below.then(|| (root.len(), below(folder, rest.trim_start_matches('/'))))
    };
    // Of two nested modules the inner one has the longer path.
    let package = roots.iter().filter_map(place).max();
    package.map_or_else(Vec::new, |(_, at)| in_folder(paths, at.trim_end_matches('/'), ".go"))
}

/// The name of a package whose files are not known: the last part of its import path without a
/// major version, as in the Go Modules Reference (`example.org/hcl/v2`, `gopkg.in/yaml.v3`).
pub fn package_name(module: &str) -> &str {
    let is_version =
        |part: &str| part.strip_prefix('v').is_some_and(|number| number.parse::<u32>().is_ok());
    let (before, last) = module.rsplit_once('/').unwrap_or(("", module));
    if is_version(last) && !before.is_empty() {
        return before.rsplit('/').next().unwrap_or(before);
    }
    match last.rsplit_once('.') {
        Some((name, version)) if is_version(version) => name,
        _ => last,
    }
}

/// The package in the folder that the import path, or the longest possible end of it, names. Paths
/// without a dot in their first part belong to the standard library.
fn by_end(paths: &Paths, module: &str) -> Vec<String> {
    let mut rest = module;
    if !module.split_once('/').is_some_and(|(host, _)| host.contains('.')) {
        return Vec::new();
    }
    loop {
        let found = in_folder(paths, rest, ".go");
        if !found.is_empty() {
            return found;
        }
        match rest.split_once('/') {
            Some((_, after)) => rest = after,
            None => return Vec::new(),
        }
    }
}

/// The files directly in a folder whose names end in `end`.
pub fn in_folder(paths: &Paths, path: &str, end: &str) -> Vec<String> {
    let start = if path.is_empty() { String::new() } else { format!("{path}/") };
    paths
        .range(start.clone()..)
        .take_while(|(file, _)| file.starts_with(&start))
        .filter(|(file, _)| {
            file.ends_with(end) && !file.get(start.len()..).unwrap_or("").contains('/')
        })
        .map(|(file, _)| file.clone())
        .collect()
}

fn java(paths: &Paths, module: &str) -> Vec<String> {
    let path = format!("{}.java", module.replace('.', "/"));
    ending(paths, &path)
}

/// The only file whose path ends in these components; empty if there are none or several.
fn ending(paths: &Paths, end: &str) -> Vec<String> {
    let is_it = |path: &&String| {
        path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let found: Vec<String> = paths.keys().filter(is_it).cloned().collect();
    if found.len() == 1 { found } else { Vec::new() }
}

fn include(paths: &Paths, from: &str, module: &str) -> Vec<String> {
    let beside = plain(&below(folder(from), module)).unwrap_or_default();
    let found = first(paths, [beside]);
    if found.is_empty() { ending(paths, module.trim_start_matches("./")) } else { found }
}
