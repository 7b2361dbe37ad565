//! Scanner for Lasso, which the comparator guesses for JavaScript that contains `<?lasso` or
//! `local(`.
//!
//! Every square bracket starts a part of the template, so most of a plain script is in such parts.

mod code;
mod words;

use std::ops::Range;

use self::words::folded;
use super::layers::{Layers, Outside};
use crate::scanner::Scanner;

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// Text of the other language.
    #[default]
    Outside,
    /// Text of the other language in which square brackets are its own.
    Bracketless,
    /// Text of the other language that contains no Lasso.
    Unprocessed,
    /// `[…]`
    Square,
    /// `<?lasso…?>`
    Angle,
    /// A string, by its quote.
    Quoted(u8),
    /// After the name of a method.
    Signature,
    /// After a parenthesis or a comma of a signature.
    Parameter,
    /// The members that a trait requires.
    Required,
    /// The signature of such a member.
    RequiredSignature,
    /// After a comma, where another member may follow.
    Comma,
}

type Lasso<'t, 'n> = Scanner<'t, 'n, State, Outside>;

/// Splits a text into the template's parts and the rest.
pub(super) fn split(text: &str) -> Layers {
    let mut names: Vec<Range<usize>> = Vec::new();
    let mut lasso = Lasso::new(text, &mut names);
    lasso.run(Lasso::step);
    let outside = lasso.memory;
    Layers { names, outside }
}

impl Lasso<'_, '_> {
    fn step(&mut self) {
        match self.state {
            State::Outside | State::Bracketless => self.outside(),
            State::Unprocessed => self.unprocessed(),
            State::Square if self.byte() == b']' => self.leave(self.at + 1),
            State::Angle if self.cursor.starts(self.at, "?>") => self.leave(self.at + 2),
            State::Square | State::Angle => self.code(),
            State::Quoted(quote) => self.quoted(quote),
            State::Signature => self.signature(),
            State::Parameter => self.parameter(),
            State::Required => self.required(),
            State::RequiredSignature => self.required_signature(),
            State::Comma => self.behind_comma(),
        }
    }

    /// End of the text at `at`, if it equals `literal` except for case.
    fn literal(&self, at: usize, literal: &str) -> Option<usize> {
        let cursor = self.cursor;
        let end =
            literal.chars().try_fold(at, |at, _| cursor.character(at).map(|_| cursor.after(at)))?;
        (folded(cursor.slice(at..end)) == literal).then_some(end)
    }

    fn outside(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.ascii_run(at, |byte| !matches!(byte, b'[' | b'<'));
        if end > at {
            return self.leave_out(end);
        }
        if self.byte() == b'[' {
            if self.state == State::Outside
                && let Some(end) = self.literal(at, "[no_square_brackets]")
            {
                self.enter(end, State::Bracketless);
            } else if let Some(end) = self.literal(at, "[noprocess]") {
                self.enter(end, State::Unprocessed);
            } else if self.state == State::Outside {
                self.enter(at + 1, State::Square);
            } else {
                self.leave_out(at + 1);
            }
        } else if cursor.starts(at, "<?=") {
            self.enter(at + 3, State::Angle);
        } else if let Some(end) = self.literal(at, "<?lasso") {
            self.enter(self.literal(end, "script").unwrap_or(end), State::Angle);
        } else {
            let comment = cursor.starts(at, "<!--").then(|| self.ending(at + 4, "-->")).flatten();
            self.leave_out(comment.unwrap_or(at + 1));
        }
    }

    fn unprocessed(&mut self) {
        if let Some(end) = self.literal(self.at, "[/noprocess]") {
            return self.leave(end);
        }
        let next = self.cursor.find(self.at + 1, b'[').unwrap_or(self.cursor.len());
        self.leave_out(next);
    }

    /// Leaves the text up to `end` to the other language.
    fn leave_out(&mut self, end: usize) {
        self.memory.add(self.at..end);
        self.at = end;
    }

    fn quoted(&mut self, quote: u8) {
        let (cursor, at) = (self.cursor, self.at);
        match self.byte() {
            byte if byte == quote => self.leave(at + 1),
            b'\\' => {
                let next = cursor.byte(at + 1);
                let word = cursor.ascii_run(at + 2, |byte| !matches!(byte, b':' | b'\n' | b'\r'));
                let named = next == b':' && word > at + 2 && cursor.byte(word) == b':';
                self.at = match next {
                    _ if named => word + 1,
                    b'\\' | b'"' | b'\'' => at + 2,
                    _ => at + 1,
                };
            }
            _ => self.at = cursor.ascii_run(at, |byte| byte != quote && byte != b'\\'),
        }
    }
}
