//! Makefiles: targets and their prerequisites.

use explore::Entry;

use super::Named;
use crate::syntax::TagKind;

/// The names of an entry.
pub fn names<'a>(title: &str, entry: &'a Entry) -> Vec<Named<'a>> {
    if title != "Targets" {
        return Vec::new();
    }
    let (targets, needed) = entry.text.split_once(": ").unwrap_or((&entry.text, ""));
    let named = |text: &'a str, kind| {
        text.split_whitespace().filter(|word| is_name(word)).map(move |word| (word, kind))
    };
    named(targets, TagKind::Definition).chain(named(needed, TagKind::Reference)).collect()
}

/// Whether a word is a literal name: neither a pattern nor a variable that `make` expands.
fn is_name(word: &str) -> bool {
    !word.contains(['%', '$', '*', '(', ')', '|', '&', '='])
}
