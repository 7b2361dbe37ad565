//! The interpreter of a shebang line.

/// The interpreter's name without folder and version: `python` for `#!/usr/bin/env -S python3.11 -u`.
pub fn interpreter(head: &[u8]) -> Option<String> {
    let line = head.strip_prefix(b"#!")?;
    let line = line.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_whitespace();
    let mut word = words.next()?;
    if base(word) == "env" {
        // Options of `env` and assignments come before the program.
        word = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    let name = base(word)
        .trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    (!name.is_empty()).then(|| name.to_lowercase())
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::interpreter;

    #[test]
    fn folders_versions_and_env_are_left_out() {
        for (line, name) in [
            ("#!/bin/sh\n", Some("sh")),
            ("#!/usr/bin/env -S LANG=C python3.11 -u\n", Some("python")),
            ("#! /usr/local/bin/ruby\r\n", Some("ruby")),
            ("#!/usr/bin/env\n", None),
            ("import os\n", None),
        ] {
            assert_eq!(interpreter(line.as_bytes()).as_deref(), name, "{line}");
        }
    }
}
