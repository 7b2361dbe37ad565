//! Chooses the lexer that the comparator would use for a file.
//!
//! Pygments matches the file's base name against the patterns of all its lexers. A single match
//! decides. Of several, a lexer with a score of 1 wins at once; otherwise the highest score for the
//! text wins, then a main pattern over a secondary one, then the priority, then the greater class
//! name.

use crate::lexers::{LEXERS, Lexer, Pattern};

/// The lexer for a file, or `None` if no pattern matches its name.
pub(super) fn lexer(path: &str, text: &str) -> Option<&'static Lexer> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (_, extension) = name.rsplit_once('.')?;
    let fits = |lexer: &&Lexer| lexer.patterns.iter().any(|one| one.fits(name, extension));
    let matching: Vec<&Lexer> = LEXERS.iter().filter(fits).collect();
    if let [only] = *matching {
        return Some(only);
    }
    let mut best: Option<(f64, &Lexer)> = None;
    for lexer in matching {
        let score = (lexer.score)(text);
        // If two lexers have a score of 1, the comparator's choice differs from run to run, because
        // it asks them in no fixed order.
        if score >= 1.0 {
            return Some(lexer);
        }
        if best.is_none_or(|best| rank(best) < rank((score, lexer))) {
            best = Some((score, lexer));
        }
    }
    best.map(|(_, lexer)| lexer)
}

/// The criteria for a lexer with a score, most important first.
fn rank((score, lexer): (f64, &Lexer)) -> (f64, bool, f64, &str) {
    (score, lexer.main, lexer.priority, lexer.class)
}

impl Pattern {
    /// Whether a name with an extension matches the pattern.
    fn fits(&self, name: &str, extension: &str) -> bool {
        match self {
            Self::Extension(own) => *own == extension,
            Self::Start(start) => name.starts_with(start),
            Self::Ending(ending) => name.ends_with(ending),
            Self::Contains(part) => name.contains(part),
        }
    }
}
