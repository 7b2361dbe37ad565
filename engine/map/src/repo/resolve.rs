//! Resolves symbolic links as `pathlib.Path.resolve` does: missing components are kept as they are.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs, io,
    path::{Component, Path, PathBuf},
};

/// Number of links followed in one path before it counts as a loop.
const MAX_LINKS: usize = 40;

/// What a path resolves to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The absolute path without symbolic links. A loop is left as it is.
    pub path: PathBuf,
    /// True if it names a regular file.
    pub is_file: bool,
}

/// Resolves many paths below common directories, with one look at each directory in the file
/// system. A path that leads out of the root does not count as a file and is followed no further:
/// links outside the root are not read, so that only the repository decides how a path is resolved.
#[derive(Debug, Default)]
pub struct Resolver {
    root: PathBuf,
    /// What each directory resolves to, by its name in bytes: paths are compared component by component, which
    /// takes twenty times as long.
    directories: BTreeMap<OsString, PathBuf>,
    /// The directory of the path before, as it was named and as it is resolved: most paths come in order.
    last: (PathBuf, PathBuf),
}

impl Resolver {
    /// A resolver for paths below a root, which contains no symbolic link.
    pub fn below(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            directories: [(root.into(), root.to_owned())].into(),
            last: Default::default(),
        }
    }

    /// Resolves an absolute path.
    pub fn resolve(&mut self, path: &Path) -> Resolved {
        let resolved = self.anywhere(path);
        if resolved.path.starts_with(&self.root) {
            return resolved;
        }
        Resolved { path: walk(path, &self.root), is_file: false }
    }

    /// Resolves an absolute path, wherever it leads.
    fn anywhere(&mut self, path: &Path) -> Resolved {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Resolved { path: resolve_slowly(path), is_file: path.is_file() };
        };
        if self.last.0.as_os_str() != parent.as_os_str() {
            self.last = (parent.to_owned(), self.directory(parent));
        }
        let direct = self.last.1.join(name);
        match fs::symlink_metadata(&direct) {
            Ok(metadata) if metadata.is_symlink() => {
                let path = resolve_slowly(&direct);
                let is_file = fs::symlink_metadata(&path).is_ok_and(|target| target.is_file());
                Resolved { path, is_file }
            }
            Ok(metadata) => Resolved { path: direct, is_file: metadata.is_file() },
            Err(_) => Resolved { path: direct, is_file: false },
        }
    }

    /// Resolves a directory. One that is no link lies in what its parent resolves to, so it takes one look
    /// and not one for each component.
    fn directory(&mut self, path: &Path) -> PathBuf {
        let mut unknown = Vec::new();
        let mut at = path;
        let mut resolved = loop {
            if let Some(known) = self.directories.get(at.as_os_str()) {
                break known.clone();
            }
            let (Some(parent), Some(name)) = (at.parent(), at.file_name()) else {
                break resolve_slowly(at);
            };
            unknown.push((at, name));
            at = parent;
        };
        while let Some((directory, name)) = unknown.pop() {
            let direct = resolved.join(name);
            let is_direct = fs::symlink_metadata(&direct).is_ok_and(|found| found.is_dir());
            resolved = if is_direct { direct } else { resolve_slowly(directory) };
            self.directories.insert(directory.into(), resolved.clone());
        }
        resolved
    }
}

/// Follows all links. Missing components are kept, and a loop ends the search.
fn resolve_slowly(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| walk(path, Path::new("/")))
}

/// Follows links that lie below a root, component by component.
fn walk(path: &Path, root: &Path) -> PathBuf {
    let mut resolved = PathBuf::from("/");
    let mut pending: Vec<OsString> =
        path.components().rev().map(|part| part.as_os_str().to_owned()).collect();
    let mut links = 0;
    while let Some(part) = pending.pop() {
        let component = Path::new(&part).components().next();
        match component {
            Some(Component::RootDir) => resolved = PathBuf::from("/"),
            Some(Component::ParentDir) => {
                resolved.pop();
            }
            Some(Component::Normal(name)) => {
                let next = resolved.join(name);
                let link = if next.starts_with(root) { read_link(&next) } else { Ok(None) };
                match link {
                    Ok(Some(target)) if links < MAX_LINKS => {
                        links += 1;
                        pending.extend(
                            target.components().rev().map(|part| part.as_os_str().to_owned()),
                        );
                    }
                    Ok(Some(_)) => return path.to_owned(),
                    _ => resolved = next,
                }
            }
            _ => {}
        }
    }
    resolved
}

fn read_link(path: &Path) -> io::Result<Option<PathBuf>> {
    if fs::symlink_metadata(path)?.is_symlink() { fs::read_link(path).map(Some) } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::Resolver;

    #[test]
    fn what_leads_out_is_no_file_and_is_followed_no_further() {
        let dir = tempfile::tempdir().unwrap();
        let place = fs::canonicalize(dir.path()).unwrap();
        let root = place.join("root");
        fs::create_dir(&root).unwrap();
        fs::write(place.join("secret"), "x").unwrap();
        symlink("secret", place.join("hop")).unwrap();
        symlink("../hop", root.join("out")).unwrap();
        symlink("..", root.join("up")).unwrap();
        symlink("../root/in", root.join("back")).unwrap();
        fs::write(root.join("in"), "x").unwrap();
        let mut resolver = Resolver::below(&root);
        let mut resolve = |name: &str| resolver.resolve(&root.join(name));
        for (name, path) in [
            ("out", place.join("hop")),
            ("up", place.clone()),
            ("up/hop", place.join("hop")),
            ("up/nothing/x", place.join("nothing/x")),
            ("../secret", place.join("secret")),
        ] {
            let resolved = resolve(name);
            assert_eq!((resolved.path, resolved.is_file), (path, false), "{name}");
        }
        assert!(resolve("back").is_file);
        assert_eq!(resolve("up/root/in").path, root.join("in"));
    }

    #[test]
    fn links_collapse_dead_links_name_their_target_and_loops_stay() {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap();
        fs::create_dir(root.join("d")).unwrap();
        fs::write(root.join("d/a"), "x").unwrap();
        symlink("d", root.join("to-dir")).unwrap();
        symlink("to-dir/a", root.join("to-file")).unwrap();
        symlink("nowhere/x", root.join("dead")).unwrap();
        symlink("loop-b", root.join("loop-a")).unwrap();
        symlink("loop-a", root.join("loop-b")).unwrap();
        let mut resolver = Resolver::default();
        let mut resolve = |name: &str| resolver.resolve(&root.join(name));
        fs::create_dir_all(root.join("d/e/f")).unwrap();
        fs::write(root.join("d/e/f/b"), "x").unwrap();
        symlink("../e", root.join("d/e/again")).unwrap();
        assert_eq!(resolve("to-dir/e/again/f/b").path, root.join("d/e/f/b"));
        assert!(resolve("to-dir/e/again/f/b").is_file);
        assert_eq!(resolve("d/gone/x/y").path, root.join("d/gone/x/y"));
        assert_eq!(resolve("d/e/../a").path, root.join("d/a"));
        assert_eq!(resolve("to-dir/a").path, root.join("d/a"));
        assert!(resolve("to-file").is_file);
        assert_eq!(resolve("to-file").path, root.join("d/a"));
        assert_eq!(resolve("to-dir").path, root.join("d"));
        assert!(!resolve("to-dir").is_file);
        assert_eq!(resolve("dead").path, root.join("nowhere/x"));
        assert_eq!(resolve("loop-a").path, root.join("loop-a"));
        assert!(!resolve("loop-a").is_file);
    }
}
