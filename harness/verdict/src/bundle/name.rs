//! Which file names a bundle may hold.
//!
//! A bundle is unpacked on other file systems, listed in terminals, pasted into reports and read by shell
//! scripts. So its names are a small portable subset of ASCII, and no two of them may become one on a file
//! system that ignores case.

use std::{collections::BTreeMap, path::Path};

/// The longest name of one file or directory, in bytes.
const MAX_COMPONENT: usize = 200;

/// The deepest path, in components.
const MAX_DEPTH: usize = 12;

/// The subject name of the tested source tree, which therefore no file may have.
pub const SOURCE: &str = "source";

/// Says why `name` (relative, with `/`) cannot be a file of a bundle; `Ok` if it can.
pub fn check(name: &str) -> Result<(), &'static str> {
    if name == SOURCE {
        return Err("this name means the tested source tree");
    }
    if name.split('/').count() > MAX_DEPTH {
        return Err("more than 12 directories deep");
    }
    name.split('/').try_for_each(check_component)
}

fn check_component(part: &str) -> Result<(), &'static str> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-+@=,%~".contains(&byte);
    if part.is_empty() {
        Err("an empty path component")
    } else if part == "." || part == ".." {
        Err("a path component `.` or `..`")
    } else if part.len() > MAX_COMPONENT {
        Err("a path component longer than 200 bytes")
    } else if !part.bytes().all(allowed) {
        Err("a character outside A-Z a-z 0-9 . _ - + @ = , % ~")
    } else if part.starts_with('-') {
        Err("a path component that starts with `-` reads as an option")
    } else if part.ends_with('.') {
        Err("a path component that ends with `.` is not portable")
    } else if is_reserved(part) {
        Err("a path component that is a device name on Windows")
    } else {
        Ok(())
    }
}

fn is_reserved(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).to_ascii_uppercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|rest| matches!(rest.as_bytes(), [b'1'..=b'9']))
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL") || numbered("COM") || numbered("LPT")
}

/// Finds two of `names` that are one path on a file system that ignores case. Directories
/// count too: `A/x` and `a/y` would be merged there.
pub fn twins<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<(String, String)> {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for name in names {
        let ends = name.match_indices('/').map(|(at, _)| at).chain([name.len()]);
        for prefix in ends.filter_map(|end| name.get(..end)) {
            let first = *seen.entry(prefix.to_ascii_lowercase()).or_insert(prefix);
            if first != prefix {
                return Some((first.to_owned(), prefix.to_owned()));
            }
        }
    }
    None
}

/// A path in a form that is safe to print; see [`printable`].
pub fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// Text of unknown origin in a form that is safe to print: characters that could control a terminal, reorder
/// a line or start a new one are escaped.
pub fn printable(text: &str) -> String {
    let escape = |c: char| match c {
        '\'' | '"' | '\\' => c.to_string(),
        c => c.escape_debug().to_string(),
    };
    text.chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::{check, printable, twins};

    #[test]
    fn ordinary_names_are_allowed() {
        for name in ["cells.json", "recordings/a1/1024.json", "corpora/smoke.lock.toml", "a/.b/c@1"]
        {
            assert_eq!(check(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn hostile_names_are_refused() {
        let deep = "a/".repeat(40) + "b";
        let long = "x".repeat(300);
        for name in [
            "",
            "/etc/passwd",
            "a//b",
            "a/",
            "../a",
            "a/./b",
            "a/..",
            "a\\b",
            "a\nb",
            "a\u{1b}[2J",
            "</script>",
            "=cmd|x",
            "caf\u{e9}",
            "a b",
            "-rf",
            "a.",
            "NUL",
            "com1.txt",
            "aux.json",
            "C:/x",
            "source",
            "a\0b",
            &deep,
            &long,
        ] {
            assert!(check(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn names_that_differ_in_case_only_are_twins() {
        assert_eq!(twins(["a/x", "a/y", "ab"]), None);
        assert!(twins(["a/x", "a/X"]).is_some());
        assert!(twins(["A/x", "a/y"]).is_some());
    }

    #[test]
    fn what_is_shown_cannot_drive_a_terminal() {
        assert_eq!(printable("a\n\u{1b}[31m\u{202e}\"b\""), "a\\n\\u{1b}[31m\\u{202e}\"b\"");
    }
}
