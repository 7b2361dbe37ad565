//! Regular expressions of JavaScript and related languages.

use std::collections::BTreeSet;

use crate::cursor::{Cursor, is_word};

/// Finds the ends of regular expressions, and remembers where there is none.
#[derive(Default)]
pub(crate) struct Expressions {
    /// Line starts that a search for an end has already passed without success, and whether it was
    /// inside brackets there.
    crossed: BTreeSet<(usize, bool)>,
}

impl Expressions {
    /// End of the regular expression whose slash is at `start`. Letters in `flags` may follow its
    /// second slash, but no other word characters.
    pub fn end(&mut self, cursor: Cursor, start: usize, flags: &[u8]) -> Option<usize> {
        let mut at = start + 1;
        let mut in_class = false;
        let mut crossed = vec![];
        loop {
            match cursor.byte(at) {
                byte if byte == b'\n' || at >= cursor.len() => {
                    self.crossed.extend(crossed);
                    return None;
                }
                b'\\' if cursor.byte(at + 1) == b'\n' => {
                    at += 2;
                    if self.crossed.contains(&(at, in_class)) {
                        self.crossed.extend(crossed);
                        return None;
                    }
                    crossed.push((at, in_class));
                }
                b'\\' => at = cursor.after(at + 1),
                b'/' if !in_class => break,
                byte => {
                    in_class = byte == b'[' || in_class && byte != b']';
                    at += 1;
                }
            }
        }
        let end = cursor.ascii_run(at + 1, |byte| flags.contains(&byte));
        let ends = at > start + 1 && !cursor.is(end, is_word);
        ends.then_some(end)
    }
}
