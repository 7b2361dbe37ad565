//! What the pinned grammars' scanners cannot survive, prevented before parsing: certain inputs, and
//! company.
//!
//! The pinned Python scanner serialises its indentation stack into a buffer of fixed size and
//! corrupts memory beyond about 512 levels (`protocols/v1/deviations.toml`, row
//! `python-indentation-depth`).

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most distinct indentation widths that a Python file may have. The scanner's stack strictly
/// increases, so the number of distinct widths bounds its depth.
const MAX_INDENTATION_WIDTHS: usize = 400;

/// Why a text may not be parsed, or nothing.
pub fn refuse(grammar: &str, text: &str) -> Option<&'static str> {
    (grammar == "python" && indentation_widths(text) > MAX_INDENTATION_WIDTHS)
        .then_some("its indentation is too deep for the pinned Python grammar")
}

/// Held while a text is parsed whose grammar admits one parse at a time. The pinned scanner of
/// `properties` keeps its state in a global variable: of two parses at once, one may never end. Of
/// all compiled scanners it is the only one that writes to a global (`nm` on their archive).
pub fn alone(grammar: &str) -> Option<MutexGuard<'static, ()>> {
    static PROPERTIES: Mutex<()> = Mutex::new(());
    (grammar == "properties").then(|| PROPERTIES.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The number of distinct widths of leading white space, counted as the scanner counts them.
fn indentation_widths(text: &str) -> usize {
    let mut widths = std::collections::BTreeSet::new();
    for line in text.split(['\n', '\r']) {
        let mut width = 0_usize;
        for byte in line.bytes() {
            match byte {
                b' ' => width += 1,
                b'\t' => width += 8,
                b'\x0c' => width = 0,
                _ => break,
            }
        }
        widths.insert(width);
    }
    widths.len()
}

#[cfg(test)]
mod tests {
    use super::refuse;

    #[test]
    fn staircases_are_refused_and_code_is_not() {
        let lines: Vec<String> = (0..600).map(|n| format!("{}if x:", " ".repeat(n))).collect();
        let staircase = lines.join("\n");
        assert!(refuse("python", &staircase).is_some());
        assert!(refuse("rust", &staircase).is_none());
        assert!(refuse("python", "def f():\n    pass\n").is_none());
    }
}
