//! Signs and words without which a piece of a language's text declares and imports nothing, so that
//! the walk need not look into it: most expressions hold none.

use memchr::memmem::Finder;

/// The landmarks of a text, asked for from its beginning to its end.
#[derive(Debug)]
pub struct Landmarks<'t> {
    text: &'t [u8],
    /// Each landmark, and where it comes next.
    each: Vec<(Finder<'static>, usize)>,
    /// Where the next of all is.
    next: usize,
}

impl<'t> Landmarks<'t> {
    /// The landmarks of a text.
    pub fn new(text: &'t str, signs: &'static [&'static str]) -> Self {
        let each = signs.iter().map(|sign| (Finder::new(sign), 0)).collect();
        let mut landmarks = Self { text: text.as_bytes(), each, next: 0 };
        landmarks.go_to(0, true);
        landmarks
    }

    /// Whether there is one between two places. The first place may not lie before that of an
    /// earlier question.
    pub fn between(&mut self, start: usize, end: usize) -> bool {
        if self.next < start {
            self.go_to(start, false);
        }
        self.next < end
    }

    fn go_to(&mut self, start: usize, all: bool) {
        let rest = self.text.get(start..).unwrap_or_default();
        for (sign, next) in &mut self.each {
            if *next < start || all {
                *next = sign.find(rest).map_or(usize::MAX, |at| start + at);
            }
        }
        self.next = self.each.iter().map(|(_, next)| *next).min().unwrap_or(usize::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::Landmarks;

    #[test]
    fn the_next_landmark_is_found_from_any_later_place() {
        let mut landmarks = Landmarks::new("a { bb } import { } c", &["{", "import"]);
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
        assert!(!Landmarks::new("a b", &["{"]).between(0, 3));
    }
}
