//! Landmarks: signs and words, one of which is in every piece of a language's text that declares or
//! imports something. The walk skips the pieces without any, which most expressions are.

use memchr::memmem::Finder;

/// The landmarks of a language.
#[derive(Debug)]
pub struct Signs(Vec<Finder<'static>>);

impl Signs {
    /// A list of signs and words.
    pub fn new(signs: &[&'static str]) -> Self {
        Self(signs.iter().map(|sign| Finder::new(*sign)).collect())
    }
}

/// The landmarks in a text, queried from its beginning to its end.
#[derive(Debug)]
pub struct Landmarks<'t> {
    text: &'t [u8],
    /// Each landmark with its next position.
    each: Vec<(&'static Finder<'static>, usize)>,
    /// The smallest of the next positions.
    next: usize,
}

impl<'t> Landmarks<'t> {
    /// The landmarks of a text.
    pub fn new(text: &'t str, signs: &'static Signs) -> Self {
        let text = text.as_bytes();
        let first = |sign: &Finder| sign.find(text).unwrap_or(usize::MAX);
        let each: Vec<_> = signs.0.iter().map(|sign| (sign, first(sign))).collect();
        let next = each.iter().map(|(_, next)| *next).min().unwrap_or(usize::MAX);
        Self { text, each, next }
    }

    /// Whether a landmark begins between two positions. `start` must not be less than that of an
    /// earlier call.
    pub fn between(&mut self, start: usize, end: usize) -> bool {
        if self.next < start {
            let rest = self.text.get(start..).unwrap_or_default();
            for (sign, next) in &mut self.each {
                if *next < start {
                    *next = sign.find(rest).map_or(usize::MAX, |at| start + at);
                }
            }
            self.next = self.each.iter().map(|(_, next)| *next).min().unwrap_or(usize::MAX);
        }
        self.next < end
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::{Landmarks, Signs};

    static SIGNS: LazyLock<Signs> = LazyLock::new(|| Signs::new(&["{", "import"]));

    #[test]
    fn the_next_landmark_is_found_from_any_later_place() {
        let mut landmarks = Landmarks::new("a { bb } import { } c", &SIGNS);
        for (start, end, is_there) in [
            (0, 2, false),
            (0, 3, true),
            (3, 9, false),
            (3, 10, true),
            (10, 17, true),
            (17, 21, false),
        ] {
            assert_eq!(landmarks.between(start, end), is_there, "{start}..{end}");
        }
        assert!(!Landmarks::new("a b", &SIGNS).between(0, 3));
    }
}
