//! Scanners for XML and HTML around PHP.
//!
//! Names are tags, attributes and entities. In XML, a tag includes its brackets and an attribute
//! its equals sign. HTML contains JavaScript and style sheets, each scanned on its own.

mod style;
mod style_words;

use std::ops::Range;

use super::script;
use crate::{
    cursor::{Cursor, Once, Searched, is_space, is_word},
    scanner::Scanner,
};

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Content,
    Tag,
    Value,
    /// The content of an element in another language.
    Script,
    Style,
}

type Markup<'t, 'n> = Scanner<'t, 'n, State, Memory>;

#[derive(Default)]
struct Memory {
    html: bool,
    no_entity: Searched,
    no_attribute: Searched,
    script_end: Once,
    style_end: Once,
}

/// Appends the names of XML, in order of appearance.
pub(super) fn scan_xml(text: &str, names: &mut Vec<Range<usize>>) {
    Markup::new(text, names).run(Markup::step);
}

/// Appends the names of HTML, in order of appearance.
pub(super) fn scan_html(text: &str, names: &mut Vec<Range<usize>>) {
    let memory = Memory { html: true, ..Memory::default() };
    Markup::with(text, 0, names, memory).run(Markup::step);
}

fn is_tag(character: char) -> bool {
    matches!(character, ':' | '.' | '-') || is_word(character)
}

impl Markup<'_, '_> {
    #[inline]
    fn step(&mut self) {
        match self.state {
            State::Content => self.content(),
            State::Tag => self.tag(),
            State::Value => self.value(),
            State::Script => self.script(),
            State::Style => self.style(),
        }
    }

    /// End of the section that starts at `at` with `open` and ends with `close`.
    fn section(&mut self, open: &str, close: &'static str) -> Option<usize> {
        let starts = self.cursor.starts(self.at, open);
        if starts { self.ending(self.at + open.len(), close) } else { None }
    }

    fn content(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        match cursor.byte(at) {
            b'&' => self.entity(),
            b'<' => {
                let end = self
                    .section("<![CDATA[", "]]>")
                    .or_else(|| self.section("<!--", "-->"))
                    .or_else(|| self.section("<?", "?>"))
                    .or_else(|| self.section("<!", ">"));
                match end {
                    Some(end) => self.at = end,
                    None => self.open(),
                }
            }
            _ => self.at = cursor.ascii_run(at, |byte| !matches!(byte, b'<' | b'&')),
        }
    }

    fn entity(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let stop = |c: char| c == ';' || is_space(c);
        let end = self.memory.no_entity.search(at, || cursor.run(at + 1, |c| !stop(c)));
        if cursor.byte(end) == b';' {
            self.name(at..end + 1);
        } else {
            self.at += 1;
        }
    }

    /// A tag that opens or closes an element.
    fn open(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let start = cursor.space_end(at + 1);
        let slash = cursor.byte(start) == b'/';
        let start = if slash { cursor.space_end(start + 1) } else { start };
        let end = cursor.run(start, is_tag);
        if end == start {
            self.at += 1;
            return;
        }
        if slash {
            let close = cursor.space_end(end);
            if cursor.byte(close) != b'>' {
                self.at += 1;
            } else if self.memory.html {
                self.name(start..end);
                self.at = close + 1;
            } else {
                self.name(at..close + 1);
            }
            return;
        }
        let special = [("script", State::Script), ("style", State::Style)];
        let found = special.iter().find(|(word, _)| starts_word(cursor, start, word).is_some());
        if self.memory.html
            && let Some((word, state)) = found
            && let Some(end) = starts_word(cursor, start, word)
        {
            self.name(start..end);
            self.enter(end, *state);
        } else {
            self.name(if self.memory.html { start } else { at }..end);
        }
        self.enter(self.at, State::Tag);
    }

    fn tag(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.space() {
            return;
        }
        let part = |c: char| is_tag(c) && !(self.memory.html && c == '.');
        let end = self.memory.no_attribute.search(at, || cursor.run(at, part));
        if end > at {
            let equals = cursor.space_end(end);
            if cursor.byte(equals) == b'=' {
                self.name(at..if self.memory.html { equals } else { equals + 1 });
                let html = self.memory.html;
                let value = if html { cursor.space_end(equals + 1) } else { equals + 1 };
                self.enter(value, State::Value);
            } else if self.memory.html {
                self.name(at..end);
            } else {
                self.at = end;
            }
            return;
        }
        let close = if cursor.byte(at) == b'/' { cursor.space_end(at + 1) } else { at };
        if cursor.byte(close) == b'>' {
            if !self.memory.html {
                self.note(at..close + 1);
            }
            self.leave(close + 1);
        } else {
            self.at = cursor.after(at);
        }
    }

    fn value(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if !self.memory.html && self.space() {
            return;
        }
        let quoted = self.section("\"", "\"").or_else(|| self.section("'", "'"));
        let end = quoted.unwrap_or_else(|| cursor.run(at, |c| c != '>' && !is_space(c)));
        if end == at { self.skip() } else { self.leave(end) }
    }

    fn script(&mut self) {
        let mut memory = self.memory.script_end;
        if let Some(part) = self.element_part("script", &mut memory) {
            self.foreign(part, script::scan_javascript);
        }
        self.memory.script_end = memory;
    }

    fn style(&mut self) {
        let mut memory = self.memory.style_end;
        if let Some(part) = self.element_part("style", &mut memory) {
            self.foreign(part, style::scan);
        }
        self.memory.style_end = memory;
    }

    /// Reads the closing tag, or returns the content before it.
    fn element_part(&mut self, word: &str, memory: &mut Once) -> Option<Range<usize>> {
        let (cursor, at) = (self.cursor, self.at);
        if let Some((name, end)) = closing_tag(cursor, at, word) {
            self.name(name);
            self.leave(end);
            return None;
        }
        let next = |from: usize| {
            let mut from = from;
            loop {
                let open = cursor.find(from, b'<')?;
                if closing_tag(cursor, open, word).is_some() {
                    return Some(open);
                }
                from = open + 1;
            }
        };
        let end = memory.search(|| next(cursor.after(at))).unwrap_or_else(|| {
            // Without a closing tag, only the line belongs to it.
            self.leave(at);
            cursor.next_line(cursor.after(at))
        });
        self.at = end;
        Some(at..end)
    }
}

/// End of a word at `at`, ignoring case.
fn starts_word(cursor: Cursor, at: usize, word: &str) -> Option<usize> {
    let mut end = at;
    for expected in word.chars() {
        let found = cursor.character(end)?;
        let same = found.eq_ignore_ascii_case(&expected)
            || matches!((found, expected), ('\u{17f}', 's') | ('\u{130}' | '\u{131}', 'i'));
        if !same {
            return None;
        }
        end += found.len_utf8();
    }
    Some(end)
}

/// The name and the end of a closing tag of `word`.
fn closing_tag(cursor: Cursor, at: usize, word: &str) -> Option<(Range<usize>, usize)> {
    let slash = cursor.space_end(at + 1);
    let start = cursor.space_end(slash + 1);
    if cursor.byte(at) != b'<' || cursor.byte(slash) != b'/' {
        return None;
    }
    let end = starts_word(cursor, start, word)?;
    let close = cursor.space_end(end);
    (cursor.byte(close) == b'>').then_some((start..end, close + 1))
}
