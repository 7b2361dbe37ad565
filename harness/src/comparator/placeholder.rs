//! Detects placeholder values that were entered to satisfy a check.

/// Why `digits` cannot be a real digest: wrong length, not hexadecimal, or a repeated pattern.
pub(super) fn hex_problem(digits: &str, length: usize) -> Option<String> {
    if digits.is_empty() {
        Some("is empty".to_owned())
    } else if digits.len() != length {
        Some(format!("has {} characters, not {length}", digits.len()))
    } else if !digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        Some("is not lower-case hexadecimal".to_owned())
    } else if is_periodic(digits.as_bytes()) {
        Some("repeats a pattern, so it is a placeholder".to_owned())
    } else {
        None
    }
}

/// Why `text` cannot be a real name or version: empty, or one of the usual fillers.
pub(super) fn text_problem(text: &str) -> Option<String> {
    const FILLERS: [&str; 18] = [
        "-",
        "?",
        "default",
        "dev",
        "dummy",
        "fake",
        "latest",
        "local",
        "n/a",
        "na",
        "nil",
        "none",
        "null",
        "placeholder",
        "standalone",
        "unknown",
        "unset",
        "xxx",
    ];
    let trimmed = text.trim();
    let lower = trimmed.to_lowercase();
    if trimmed.is_empty() {
        Some("is empty".to_owned())
    } else if FILLERS.contains(&lower.as_str()) {
        Some(format!("{text:?} is a placeholder"))
    } else if trimmed.len() > 2 && is_periodic(lower.as_bytes()) && all_same(lower.as_bytes()) {
        Some(format!("{text:?} repeats one character, so it is a placeholder"))
    } else {
        None
    }
}

/// Why `text` is not a release number such as `0.86.2`.
pub(super) fn version_problem(text: &str) -> Option<String> {
    let numeric = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = text.split('.').collect();
    if text.is_empty() {
        Some("is empty".to_owned())
    } else if parts.len() < 2 || !parts.iter().all(|part| numeric(part)) {
        Some(format!("{text:?} is not a release number"))
    } else if parts.iter().all(|part| part.bytes().all(|byte| byte == b'0')) {
        Some(format!("{text:?} is a placeholder"))
    } else {
        None
    }
}

/// Whether the bytes are one shorter unit repeated at least twice (the last may be cut).
fn is_periodic(bytes: &[u8]) -> bool {
    (1..=bytes.len() / 2)
        .any(|unit| bytes.iter().skip(unit).eq(bytes.iter().take(bytes.len() - unit)))
}

fn all_same(bytes: &[u8]) -> bool {
    bytes.windows(2).all(|pair| pair.first() == pair.last())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_digests_pass() {
        assert_eq!(hex_problem("7afaa26f8b8b7b56146f0674d2a67e795b616b7c", 40), None);
    }

    #[test]
    fn patterns_and_wrong_shapes_do_not() {
        for digits in [
            String::new(),
            "standalone".to_owned(),
            "a".repeat(40),
            "0".repeat(40),
            "deadbeef".repeat(5),
            "0123456789abcdef".repeat(3)[..40].to_owned(),
            "7AFAA26F8B8B7B56146F0674D2A67E795B616B7C".to_owned(),
            "7afaa26f8b8b7b56146f0674d2a67e795b616b7".to_owned(),
        ] {
            assert!(hex_problem(&digits, 40).is_some(), "{digits}");
        }
    }

    #[test]
    fn fillers_are_no_names_and_words_are_no_versions() {
        for text in ["", " ", "Unknown", "standalone", "xxxx", "n/a"] {
            assert!(text_problem(text).is_some(), "{text:?}");
        }
        assert_eq!(text_problem("cl100k_base"), None);
        for text in ["", "latest", "0.0.0", "1", "1..2", "v1.2", "0.86.x"] {
            assert!(version_problem(text).is_some(), "{text:?}");
        }
        assert_eq!(version_problem("0.86.2"), None);
    }
}
