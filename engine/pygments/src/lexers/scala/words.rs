//! The meanings of Scala's words.

use std::sync::LazyLock;

use super::{Path, Scala, State, characters::letters_end, is_word};
use crate::{
    cursor::{Cursor, is_space},
    words::Words,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Plain,
    /// A keyword if a word that it can modify follows.
    Soft,
    Inline,
    Import,
    Export,
    Package,
    Case,
    /// A keyword whose next word is a name, unless a comment follows.
    Named,
    Type,
    Given,
    /// A keyword that the name of a class may follow.
    Inherits,
    Extension,
    End,
    /// A keyword that is a name.
    Pseudo,
}

static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let plain = "abstract final implicit lazy override private protected sealed synchronized val var \
        true false null new return throw classOf isInstanceOf asInstanceOf else if then do while \
        for yield match catch finally try";
    Words::new(&[
        (Word::Plain, plain),
        (Word::Soft, "transparent opaque infix open"),
        (Word::Inline, "inline"),
        (Word::Import, "import"),
        (Word::Export, "export"),
        (Word::Package, "package"),
        (Word::Case, "case"),
        (Word::Named, "def trait class object enum"),
        (Word::Type, "type"),
        (Word::Given, "given"),
        (Word::Inherits, "extends with derives"),
        (Word::Extension, "extension"),
        (Word::End, "end"),
        (Word::Pseudo, "this super"),
    ])
});

/// The words that a soft modifier can modify.
const MODIFIED: [&str; 9] =
    ["def", "val", "var", "given", "type", "class", "trait", "object", "enum"];

/// The words that can follow `end`, besides a name.
const ENDED: [&str; 8] = ["if", "while", "for", "match", "new", "extension", "val", "var"];

impl Scala<'_, '_> {
    /// Reads a word: a keyword with what belongs to it, or a name.
    pub(super) fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = self.memory.word.search(at, || cursor.word_end(at));
        let word = cursor.slice(at..end);
        if !self.keyword(word, end) && !self.prefixed_string() {
            let end = letters_end(cursor, at).map_or(at + 1, |(_, end)| end);
            self.name(at..end);
        }
    }

    /// Reads a keyword that ends at `end`, if the word is one here.
    fn keyword(&mut self, word: &str, end: usize) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let Some(kind) = WORDS.get(word) else {
            return false;
        };
        // Only these constants are recognised directly after a word character.
        if cursor.before(at).is_some_and(is_word) && !matches!(word, "true" | "false" | "null") {
            return false;
        }
        let space = cursor.space_end(end);
        let spaced = space > end;
        let next = cursor.slice(space..cursor.word_end(space));
        match kind {
            Word::Soft if self.modifies(end) => self.at = end,
            Word::Inline if self.modifies(end) || self.inlines(end) => self.at = end,
            Word::Import if spaced => self.enter(space, State::Path(Path::Import)),
            Word::Export if spaced => {
                let given = cursor.space_end(space + next.len());
                let skips = next == "given" && given > space + next.len();
                self.enter(if skips { given } else { space }, State::Path(Path::Export));
            }
            Word::Package if spaced && next == "object" => return self.named(space + next.len()),
            Word::Package if spaced => self.enter(space, State::Path(Path::Package)),
            Word::Case if spaced && matches!(next, "class" | "object" | "enum") => {
                let behind = space + next.len();
                if !self.named(behind) {
                    self.at = end;
                }
            }
            Word::Plain | Word::Case => self.at = end,
            Word::Type if at > 0 && cursor.byte(at - 1) == b'.' => return false,
            Word::Named | Word::Type => return self.named(end),
            Word::Given => match self.identifier_end(space) {
                Some(name) => self.name(space..name),
                None => self.at = space,
            },
            Word::Inherits => {
                let named = self.class_end(space).or_else(|| self.backquoted_end(space));
                match named {
                    Some(name) => self.name(space..name),
                    None => self.at = space,
                }
            }
            Word::Extension if spaced && matches!(cursor.byte(space), b'[' | b'(') => {
                self.at = space;
            }
            Word::End if spaced && ENDED.contains(&next) => self.at = space + next.len(),
            Word::End if spaced => return self.end(end, space),
            Word::Pseudo => self.name(at..end),
            _ => return false,
        }
        true
    }

    /// Reads the name after a keyword that ends at `end`. Before a comment there is no name, and a
    /// word that touches the comment is not a keyword.
    fn named(&mut self, end: usize) -> bool {
        let cursor = self.cursor;
        let space = cursor.space_end(end);
        if cursor.starts(space, "//") || cursor.starts(space, "/*") {
            if space == end {
                return false;
            }
            self.at = space;
            return true;
        }
        match self.identifier_end(space) {
            Some(name) => self.name(space..name),
            None => self.at = space,
        }
        true
    }

    /// `end` with a name, or alone if the line ends after it.
    fn end(&mut self, end: usize, space: usize) -> bool {
        let cursor = self.cursor;
        if let Some(name) = self.identifier_end(space) {
            let fixed = match letters_end(cursor, space) {
                Some((letters, _)) => letters,
                None if cursor.byte(space) == b'`' => name,
                None => cursor.after(space),
            };
            // Symbols may end early, at a comment.
            let comment = cursor.slice(fixed..name).rfind("//").map(|offset| fixed + offset);
            let ends = if line_ends(cursor, name) { Some(name) } else { comment };
            if let Some(name) = ends {
                self.name(space..name);
                return true;
            }
        }
        // Alone: it includes at least one character of white space.
        let first = cursor.after(end);
        if line_ends(cursor, space) || cursor.slice(first..space).contains('\n') {
            self.at = space;
            return true;
        }
        false
    }

    /// Whether, after lower-case letters and white space, a word follows that a soft modifier can
    /// modify.
    fn modifies(&mut self, at: usize) -> bool {
        let cursor = self.cursor;
        if self.memory.plain.end(at).is_none() {
            let end = cursor.run(at, |c| c.is_ascii_lowercase() || is_space(c));
            self.memory.plain.set(at, end);
            let cut = cursor.is(end, is_word);
            let region = cursor.slice(at..end);
            let mut last = None;
            let mut from = end;
            for word in region.rsplit(is_space) {
                let start = from - word.len();
                let whole = start > at && !(from == end && cut);
                if whole && MODIFIED.contains(&word) {
                    last = Some(start);
                    break;
                }
                from = cursor.before(start).map_or(at, |space| start - space.len_utf8());
            }
            self.memory.declares = last.unwrap_or(0);
        }
        self.memory.declares > at
    }

    /// Whether `inline` precedes a parameter, or precedes the next branching word.
    fn inlines(&mut self, end: usize) -> bool {
        let cursor = self.cursor;
        let space = cursor.space_end(end);
        if space > end
            && let Some(name) = self.identifier_end(space)
        {
            let fixed = match letters_end(cursor, space) {
                Some((letters, _)) => letters,
                None if cursor.byte(space) == b'`' => name,
                None => cursor.after(space),
            };
            let colon = |at: usize| cursor.byte(cursor.space_end(at)) == b':';
            if colon(fixed) || colon(name) || cursor.slice(fixed..name).contains(':') {
                return true;
            }
        }
        if self.memory.decisive.end(end).is_none() {
            let mut at = end;
            self.memory.branches = false;
            while at < cursor.len() {
                at = cursor.run(at, |c| !is_word(c));
                let word = cursor.slice(at..cursor.word_end(at));
                if matches!(word, "if" | "match" | "val" | "def" | "given") {
                    self.memory.branches = matches!(word, "if" | "match");
                    break;
                }
                at += word.len();
            }
            self.memory.decisive.set(end, at);
        }
        self.memory.branches
    }
}

/// Whether only white space or a comment to the line's end follows.
fn line_ends(cursor: Cursor, at: usize) -> bool {
    let space = cursor.space_end(at);
    let breaks = cursor.slice(at..space).contains('\n') || space == cursor.len();
    breaks || cursor.starts(space, "//")
}
