//! Scanner for makefiles, for files such as `Makefile.js`.
//!
//! Lines with directives and comments are removed first. In the rest, names are the targets of
//! assignments, the text before a colon, the words after it, and the variables of an expansion.
//! Recipes and values are shell scripts.

use std::ops::Range;

use super::bash;
use crate::{
    cursor::{Cursor, Searched, is_space, is_word},
    scanner::Scanner,
};

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default)]
enum State {
    #[default]
    Root,
    /// `$(…)`
    Expansion,
    /// The names after `export`.
    Export,
    /// What stands after the colon of a target.
    Header,
}

#[derive(Default)]
struct Memory {
    /// The rest of a line without a colon.
    target: Searched,
}

type Make<'t, 'n> = Scanner<'t, 'n, State, Memory>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    let (kept, pieces) = without_directives(text);
    let mut found = Vec::new();
    Make::new(&kept, &mut found).run(Make::step);
    for name in found {
        originals(name, &pieces, names);
    }
}

/// A text without the lines of directives and comments, and the origin of each piece: its offset in
/// that text and in the whole text.
fn without_directives(text: &str) -> (String, Vec<(usize, usize)>) {
    let mut kept = String::new();
    let mut pieces = vec![(0, 0)];
    let (mut start, mut goes_on) = (0, false);
    for line in lines(text) {
        let end = start + line.len();
        let directive = goes_on || is_directive(line);
        if directive {
            goes_on = line.trim_matches(is_space).ends_with('\\');
        }
        if directive || is_comment(line) {
            pieces.push((kept.len(), end));
        } else {
            kept.push_str(line);
        }
        start = end;
    }
    (kept, pieces)
}

/// Appends a name of the shortened text with its position in the whole text; if lines were removed
/// inside it, it becomes several names.
fn originals(name: Range<usize>, pieces: &[(usize, usize)], names: &mut Vec<Range<usize>>) {
    let mut from = name.start;
    let mut at = pieces.partition_point(|(start, _)| *start <= from);
    while from < name.end {
        let (start, original) = pieces.get(at.wrapping_sub(1)).copied().unwrap_or_default();
        let next = pieces.get(at).map_or(name.end, |(start, _)| *start);
        let to = next.min(name.end);
        if to > from {
            names.push(original + from - start..original + to - start);
        }
        from = to;
        at += 1;
    }
}

/// The lines of a text as Python splits them, with their ends.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let ends = |c: char| matches!(c, '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let mut rest = text;
    std::iter::from_fn(move || {
        let (at, end) = rest.char_indices().find(|(_, c)| ends(*c)).unwrap_or((rest.len(), '\n'));
        let pair = rest.get(at..).is_some_and(|behind| behind.starts_with("\r\n"));
        let length = (at + if pair { 2 } else { end.len_utf8() }).min(rest.len());
        let (line, behind) = rest.split_at(length);
        rest = behind;
        (!line.is_empty()).then_some(line)
    })
}

/// Whether a line is a directive of BSD Make, GNU Make or Automake.
fn is_directive(line: &str) -> bool {
    let cursor = Cursor::new(line);
    let word = |words: &[&str], at: usize| {
        words.iter().any(|word| cursor.starts(at, word) && cursor.is(at + word.len(), is_space))
    };
    let bsd =
        ["include", "undef", "error", "warning", "if", "else", "elif", "endif", "for", "endfor"];
    let gnu = [
        "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "-include", "include", "define",
        "endef", ":", "vpath", "if",
    ];
    cursor.byte(0) == b'.' && word(&bsd, cursor.space_end(1)) || word(&gnu, cursor.space_end(0))
}

fn is_comment(line: &str) -> bool {
    let cursor = Cursor::new(line);
    cursor.byte(cursor.optional(cursor.space_end(0), b"@")) == b'#'
}

/// A character that the name of an assigned variable may contain.
fn in_assigned(c: char) -> bool {
    is_word(c) || matches!(c, '$' | '{' | '}' | '(' | ')' | '.' | '-')
}

fn in_exported(c: char) -> bool {
    is_word(c) || matches!(c, '$' | '{' | '}' | '-')
}

impl Make<'_, '_> {
    #[inline]
    fn step(&mut self) {
        match self.state {
            State::Root => self.root(),
            State::Expansion => self.expansion(),
            State::Export => self.export(),
            State::Header => self.header(),
        }
    }

    fn root(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let recipe = self.recipe_end();
        if recipe > at {
            self.foreign(at..recipe, bash::scan);
            self.at = recipe;
            return;
        }
        let next = cursor.byte(at + 1);
        let special = matches!(next, b'<' | b'@' | b'$' | b'+' | b'%' | b'?' | b'|' | b'*');
        match self.byte() {
            b'$' if special => self.at = at + 2,
            _ if self.space() => {}
            b'#' if cursor.find(at, b'\n').is_some() => self.at = cursor.next_line(at),
            b'e' | b'u' if self.exported() => {}
            _ if self.assignment() => {}
            quote @ (b'"' | b'\'') => match self.quoted_end(at, quote) {
                Some(end) => self.at = end,
                None => self.target(),
            },
            _ => self.target(),
        }
    }

    /// End of the recipe that starts here: indented lines and empty ones.
    fn recipe_end(&self) -> usize {
        let cursor = self.cursor;
        let mut at = self.at;
        if !cursor.at_line_start(at) {
            return at;
        }
        while matches!(cursor.byte(at), b'\t' | b' ' | b'\n') && at < cursor.len() {
            match cursor.find(at, b'\n') {
                Some(end) => at = end + 1,
                None => break,
            }
        }
        at
    }

    /// `export`, with a list of names or before anything else.
    fn exported(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let Some(word) = cursor.any(at, &["unexport", "export"]) else { return false };
        let Some(space) = cursor.spaced(word) else { return false };
        let listed = |from: usize| {
            let end = cursor.run(from, |c| in_exported(c) || matches!(c, '\t' | ' '));
            end > from && cursor.byte(end) == b'\n'
        };
        // A blank before a line break also counts as a list, with an empty name.
        let blank = || {
            let bytes = cursor.slice(word + 1..space).as_bytes();
            let pair = |pair: &[u8]| matches!(pair, [b' ' | b'\t', b'\n']);
            bytes.windows(2).rposition(pair).map(|offset| word + 1 + offset)
        };
        match if listed(space) { Some(space) } else { blank() } {
            Some(from) => self.enter(from, State::Export),
            None => self.at = space,
        }
        true
    }

    /// A variable with its value, which is a shell script. The last line of a value over several
    /// lines does not belong to it.
    fn assignment(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.run(at, in_assigned);
        let sign = cursor.optional(cursor.space_end(end), b"!?:+");
        if end == at || cursor.byte(sign) != b'=' {
            return false;
        }
        let value = cursor.ascii_run(sign + 1, |byte| matches!(byte, b' ' | b'\t'));
        let mut last = value;
        loop {
            match cursor.find(last, b'\n') {
                Some(line) if line > last && cursor.byte(line - 1) == b'\\' => last = line + 1,
                Some(line) if last == value => {
                    last = line + 1;
                    break;
                }
                None if last == value => return false,
                _ => break,
            }
        }
        self.note(at..end);
        self.foreign(value..last, bash::scan);
        self.at = last;
        true
    }

    /// The text before a colon; otherwise the start of an expansion, or unknown text.
    fn target(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let stop = self
            .memory
            .target
            .search(at, || cursor.ascii_run(at, |byte| !matches!(byte, b'\n' | b':')));
        if cursor.byte(stop) == b':' && stop > at {
            self.note(at..stop);
            let behind = cursor.ascii_run(stop, |byte| byte == b':');
            let behind = cursor.ascii_run(behind, |byte| matches!(byte, b' ' | b'\t'));
            self.enter(behind, State::Header);
        } else if cursor.starts(at, "$(") {
            self.enter(at + 2, State::Expansion);
        } else {
            self.skip();
        }
    }

    fn expansion(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let word = cursor.run(at, |c| is_word(c) || matches!(c, '.' | '-'));
        match self.byte() {
            b'$' => self.at = at + 1,
            b'(' => self.enter(at + 1, State::Expansion),
            b')' => self.leave(at + 1),
            _ if word > at => self.name_to(word),
            _ => self.at = cursor.run(at, |c| !is_word(c) && !"$().-".contains(c)),
        }
    }

    fn export(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let word = cursor.run(at, in_exported);
        match self.byte() {
            b'\n' => self.leave(at + 1),
            _ if word > at => self.name_to(word),
            _ if self.space() => {}
            _ => self.skip(),
        }
    }

    fn header(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let letters = cursor.ascii_run(at, |byte| byte.is_ascii_alphabetic() || byte == b'_');
        match self.byte() {
            b'#' if cursor.find(at, b'\n').is_some() => self.leave(cursor.next_line(at)),
            b'\\' if cursor.byte(at + 1) == b'\n' => self.at = at + 2,
            b'$' if cursor.byte(at + 1) == b'(' => self.enter(at + 2, State::Expansion),
            b'\n' => self.leave(at + 1),
            _ if letters > at => self.name_to(letters),
            _ => self.at = cursor.after(at),
        }
    }
}
