//! Scanner for Smarty templates, which the comparator guesses for JavaScript that contains `{$…}`
//! or blocks such as `{if …}…{/if}`.
//!
//! Any brace starts a part of the template, so most of a plain script is in such parts.

use std::ops::Range;

use super::layers::{Layers, Outside};
use crate::{
    cursor::{is_word, starts_identifier},
    lexers::php,
    scanner::Scanner,
};

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// Text of the other language.
    #[default]
    Outside,
    /// Braces of the template.
    Braces,
}

type Smarty<'t, 'n> = Scanner<'t, 'n, State, Outside>;

/// Splits a text into the template's parts and the rest.
pub(super) fn split(text: &str) -> Layers {
    let mut names: Vec<Range<usize>> = Vec::new();
    let mut smarty = Smarty::new(text, &mut names);
    smarty.run(|smarty| match smarty.state {
        State::Outside => smarty.outside(),
        State::Braces => smarty.inside(),
    });
    let outside = smarty.memory;
    Layers { names, outside }
}

impl Smarty<'_, '_> {
    fn outside(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let brace = cursor.ascii_run(at, |byte| byte != b'{');
        if brace > at {
            self.memory.add(at..brace);
            self.at = brace;
            return;
        }
        let comment = if cursor.byte(at + 1) == b'*' { self.ending(at + 2, "*}") } else { None };
        if let Some(end) = comment {
            self.at = end;
            return;
        }
        let inline = at + "{php}".len();
        let php = cursor.starts(at, "{php}").then(|| self.ending(inline, "{/php}")).flatten();
        if let Some(end) = php {
            let part = inline..end - "{/php}".len();
            let mut outside = Outside::default();
            self.foreign(part.clone(), |text, names| outside = php::split_inside(text, names));
            self.memory.append(outside, part.start);
            self.at = end;
            return;
        }
        let start = at + 1;
        let name = cursor.identifier_end(cursor.optional(start, b"/"));
        if let Some(end) = name {
            self.note(start..end);
        }
        self.enter(name.unwrap_or(start), State::Braces);
    }

    fn inside(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        let named = cursor.identifier_end(at + 1);
        match self.byte() {
            b'{' => self.enter(at + 1, State::Braces),
            b'}' => self.leave(at + 1),
            b'#' => match named.filter(|end| cursor.byte(*end) == b'#') {
                Some(end) => self.name_to(end + 1),
                None => self.skip(),
            },
            b'$' => match named {
                Some(end) => self.name_to(self.path_end(end)),
                None => self.skip(),
            },
            quote @ (b'"' | b'\'') => match self.quoted_end(at, quote) {
                Some(end) => self.at = end,
                None => self.skip(),
            },
            b'0'..=b'9' => self.at = self.number_end(),
            byte if starts_identifier(byte) => {
                let end = cursor.word_end(at);
                match cursor.slice(at..end) {
                    "true" | "false" | "null" => self.at = end,
                    _ => self.name_to(end),
                }
            }
            _ => self.skip(),
        }
    }

    /// End of the words with dots before them that follow a variable ending at `at`.
    fn path_end(&self, at: usize) -> usize {
        let cursor = self.cursor;
        let mut end = at;
        while cursor.byte(end) == b'.' && cursor.is(end + 1, is_word) {
            end = cursor.word_end(end + 1);
        }
        end
    }

    /// End of a digit, with an optional fraction, exponent and type letter.
    fn number_end(&self) -> usize {
        let cursor = self.cursor;
        let mut at = self.at + 1;
        if cursor.byte(at) == b'.' {
            at = cursor.digits_end(at + 1);
        }
        let signed = cursor.starts(at, "eE") && matches!(cursor.byte(at + 2), b'+' | b'-');
        if signed && cursor.byte(at + 3).is_ascii_digit() {
            at += 4;
        }
        cursor.optional(at, b"flFLdD")
    }
}
