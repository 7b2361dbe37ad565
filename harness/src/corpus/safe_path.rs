//! Which relative paths may come out of an archive or a lock file.

/// Deepest folder nesting that is accepted.
const MAX_DEPTH: usize = 64;
/// Longest path that is accepted, in bytes.
const MAX_LENGTH: usize = 1024;

/// Checks that `path` stays inside its root and names the same file on every file system.
///
/// # Errors
/// Why it does not, as the end of a sentence.
pub fn check(path: &str) -> Result<(), &'static str> {
    if path.is_empty() {
        return Err("is empty");
    }
    if path.len() > MAX_LENGTH {
        return Err("is longer than 1024 bytes");
    }
    if path.starts_with('/') {
        return Err("is absolute");
    }
    if path.chars().any(char::is_control) {
        return Err("holds a control character");
    }
    if path.contains(['\\', ':']) {
        return Err("holds a backslash or a colon");
    }
    // Composed and decomposed spellings of one name are one file on some systems; without
    // combining marks only the composed spelling is left.
    if path.chars().any(|c| ('\u{300}'..='\u{36f}').contains(&c)) {
        return Err("holds a combining character");
    }
    let mut depth = 0;
    for part in path.split('/') {
        depth += 1;
        check_part(part)?;
    }
    if depth > MAX_DEPTH { Err("is nested more than 64 folders deep") } else { Ok(()) }
}

fn check_part(part: &str) -> Result<(), &'static str> {
    let stem = part.split('.').next().unwrap_or(part).to_ascii_lowercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|rest| matches!(rest.as_bytes(), [b'0'..=b'9']))
    };
    match part {
        "" => Err("holds an empty part"),
        "." | ".." => Err("holds a `.` or `..` part"),
        _ if part.len() > 255 => Err("holds a part longer than 255 bytes"),
        _ if part.eq_ignore_ascii_case(".git") => Err("reaches into a `.git` folder"),
        _ if part.ends_with(['.', ' ']) => Err("holds a part that ends in a dot or a space"),
        _ if matches!(stem.as_str(), "con" | "prn" | "aux" | "nul")
            || numbered("com")
            || numbered("lpt") =>
        {
            Err("holds a device name")
        }
        _ => Ok(()),
    }
}

/// Checks that the target of a symbolic link at `link` stays inside the root.
///
/// A `..` is accepted only at the start: after a name it could climb out through another link.
///
/// # Errors
/// Why it does not, as the end of a sentence.
pub fn check_link(link: &str, target: &str) -> Result<(), &'static str> {
    let ups = target.split('/').take_while(|part| *part == "..").count();
    if ups > link.matches('/').count() {
        return Err("is a link out of the tree");
    }
    let rest = target.split('/').skip(ups).collect::<Vec<_>>().join("/");
    if rest.is_empty() && ups > 0 { Ok(()) } else { check(&rest) }
}

#[cfg(test)]
mod tests {
    use super::{check, check_link};

    #[test]
    fn plain_paths_are_accepted() {
        for path in ["a", "src/main.rs", ".github/workflows/x.yml", "a b/ü.txt", "auxiliary/con2x"]
        {
            assert_eq!(check(path), Ok(()), "{path}");
        }
    }

    #[test]
    fn hostile_paths_are_refused() {
        let deep = vec!["d"; 65].join("/");
        let long = "x".repeat(256);
        for path in [
            "",
            "/etc/passwd",
            "../a",
            "a/../b",
            "./a",
            "a//b",
            "a/",
            "a\0b",
            "a\nb",
            "C:\\a",
            "c:a",
            "a\\b",
            ".git/config",
            "x/.GIT/hooks/post-checkout",
            "aux.c",
            "x/COM1",
            "a.",
            "a ",
            "e\u{301}",
            &deep,
            &long,
        ] {
            assert!(check(path).is_err(), "{path:?}");
        }
    }

    #[test]
    fn links_stay_inside() {
        assert_eq!(check_link("core/LICENSE", "../LICENSE"), Ok(()));
        assert_eq!(check_link("a/b", ".."), Ok(()));
        for target in ["../../x", "/etc/passwd", "y/../x", "", "../..", "../.git/config"] {
            assert!(check_link("core/LICENSE", target).is_err(), "{target:?}");
        }
    }
}
