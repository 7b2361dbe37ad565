//! Informative texts in a program: URLs, paths, versions, messages.

use std::collections::BTreeSet;

/// Shortest and longest text, and size of the part of a file that is searched, in bytes.
const SHORTEST: usize = 6;
const LONGEST: usize = 100;
const SEARCHED: usize = 16 << 20;
/// Maximum number of texts that are kept: they are a sample and not a complete list.
const KEPT: usize = 30;

/// The first informative texts, in the order of the file, each once.
pub fn interesting(bytes: &[u8]) -> Vec<String> {
    let bytes = bytes.get(..bytes.len().min(SEARCHED)).unwrap_or_default();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for run in bytes.split(|byte| !(byte.is_ascii_graphic() || *byte == b' ')) {
        if run.len() < SHORTEST || run.len() > LONGEST {
            continue;
        }
        let Ok(text) = std::str::from_utf8(run) else { continue };
        if tells(text) && seen.insert(text) {
            found.push(text.to_owned());
            if found.len() == KEPT {
                break;
            }
        }
    }
    found
}

fn tells(text: &str) -> bool {
    let lower = || text.to_ascii_lowercase();
    text.contains("://")
        || path(text)
        || ["error", "failed", "usage:", "version ", "copyright"]
            .iter()
            .any(|word| text.len() > 12 && lower().contains(word))
}

/// Whether a text is an absolute path of at least two components.
fn path(text: &str) -> bool {
    text.strip_prefix('/').is_some_and(|rest| {
        rest.contains('/')
            && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte))
            && rest.starts_with(|first: char| first.is_ascii_alphabetic())
    })
}
