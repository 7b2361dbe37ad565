//! Path arithmetic of Python's `os.path` and `pathlib`, on `/`-separated text.

/// The last component (`os.path.basename`).
pub fn basename(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Splits off the extension as `os.path.splitext` does: leading dots of the name belong to the
/// root, and a bare final dot is an extension.
pub fn split_extension(path: &str) -> (&str, &str) {
    let name = basename(path);
    let hidden = name.len() - name.trim_start_matches('.').len();
    match name.rfind('.') {
        Some(dot) if dot >= hidden && dot > 0 => path.split_at(path.len() - (name.len() - dot)),
        _ => (path, ""),
    }
}

/// The name without its last suffix (`pathlib.PurePath.stem`), which differs from
/// [`split_extension`] for names that end in a dot.
pub fn stem(path: &str) -> &str {
    let name = basename(path);
    match name.rfind('.') {
        Some(dot) if dot > 0 && dot + 1 < name.len() => name.get(..dot).unwrap_or(name),
        _ => name,
    }
}

/// The components of a normalised path (`pathlib.PurePath.parts`).
pub fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty() && *part != ".")
}

/// Whether a relative path stays below its start and out of `.git`, like every path that git checks
/// out. A repository can list other paths, because its objects and its index may hold any bytes.
pub fn is_inside(path: &str) -> bool {
    path.split('/')
        .all(|part| !matches!(part, "" | "." | "..") && !part.eq_ignore_ascii_case(".git"))
}

/// Whether a file is a path or lies below it. Both are relative to the same folder; an empty path is that folder,
/// and `src/` means the folder `src`.
pub fn is_below(file: &str, path: &str) -> bool {
    let path = path.strip_suffix('/').unwrap_or(path);
    path.is_empty()
        || file.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The path of `target` relative to `base` (`os.path.relpath`), both absolute and normalised. If
/// they are on different drives, no relative path exists and the answer is `target` itself, as in
/// the comparator.
pub fn relative(target: &str, base: &str) -> String {
    if drive(target) != drive(base) {
        return target.to_owned();
    }
    let target: Vec<_> = parts(target).collect();
    let base: Vec<_> = parts(base).collect();
    let shared = target.iter().zip(&base).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", base.len() - shared);
    let down = target.iter().skip(shared).copied();
    let joined = up.chain(down).collect::<Vec<_>>().join("/");
    if joined.is_empty() { ".".to_owned() } else { joined }
}

/// The letter of a drive, as in `C:/x`; `None` for a path that starts with `/`, as every absolute
/// path of a POSIX system does.
fn drive(path: &str) -> Option<char> {
    let mut start = path.chars();
    let letter = start.next().filter(char::is_ascii_alphabetic)?;
    (start.next() == Some(':')).then(|| letter.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::{is_inside, relative, split_extension, stem};

    // Expected values are CPython 3.11's.
    #[test]
    fn extensions_agree_with_python() {
        for (path, root, extension) in [
            ("a/b.py", "a/b", ".py"),
            (".py", ".py", ""),
            ("a.d/b", "a.d/b", ""),
            ("..x", "..x", ""),
            ("..x.y", "..x", ".y"),
            ("a.", "a", "."),
            ("a.tar.gz", "a.tar", ".gz"),
            ("...", "...", ""),
        ] {
            assert_eq!(split_extension(path), (root, extension), "{path}");
        }
    }

    #[test]
    fn stems_agree_with_python() {
        for (path, expected) in
            [("a/b.py", "b"), (".bashrc", ".bashrc"), ("a.", "a."), ("x.tar.gz", "x.tar")]
        {
            assert_eq!(stem(path), expected, "{path}");
        }
    }

    #[test]
    fn what_git_never_checks_out_is_not_inside() {
        for path in ["a", "a/b.py", "...", "a/..b", ".github/x", "a.git/b"] {
            assert!(is_inside(path), "{path}");
        }
        for path in ["", "..", "../a", "a/../../b", "/etc/x", "a//b", "./a", ".git/x", "a/.GIT"] {
            assert!(!is_inside(path), "{path}");
        }
    }

    #[test]
    fn relative_paths_climb_out_of_the_base() {
        assert_eq!(relative("/r/a/b", "/r"), "a/b");
        assert_eq!(relative("/etc/host", "/r/x"), "../../etc/host");
        assert_eq!(relative("/r", "/r"), ".");
    }

    // `ntpath.relpath` raises for the second; the comparator then shows the path as it is.
    #[test]
    fn a_path_on_another_drive_stays_whole() {
        assert_eq!(relative("C:/r/a/b", "C:/r"), "a/b");
        assert_eq!(relative("D:/x/y", "C:/r"), "D:/x/y");
        assert_eq!(relative("/x/y:z", "/x"), "y:z");
    }
}
