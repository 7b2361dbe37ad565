//! Scanners for XML and HTML, which stand around PHP.
//!
//! Names are tags, attributes and entities. In XML a tag is a name with its
//! brackets and an attribute one with its equals sign. HTML holds JavaScript
//! and style sheets, each scanned by itself.

mod style;
mod style_words;

use std::ops::Range;

use super::cursor::{Cursor, Once, Searched, is_space, is_word};
use super::script;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Content,
    Tag,
    Value,
    /// The content of an element in another language.
    Script,
    Style,
}

struct Scanner<'t, 'n> {
    cursor: Cursor<'t>,
    html: bool,
    at: usize,
    stack: Vec<State>,
    names: &'n mut Vec<Range<usize>>,
    no_entity: Searched,
    no_attribute: Searched,
    /// Searches for the ends of sections, comments, instructions,
    /// declarations and values in two kinds of quotes.
    ends: [Once; 6],
    script_end: Once,
    style_end: Once,
}

/// Appends the names of XML, in order of appearance.
pub(super) fn scan_xml(text: &str, names: &mut Vec<Range<usize>>) {
    scan(text, false, names);
}

/// Appends the names of HTML, in order of appearance.
pub(super) fn scan_html(text: &str, names: &mut Vec<Range<usize>>) {
    scan(text, true, names);
}

fn scan(text: &str, html: bool, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut scanner = Scanner {
        cursor,
        html,
        at: 0,
        stack: vec![State::Content],
        names,
        no_entity: Searched::default(),
        no_attribute: Searched::default(),
        ends: [Once::default(); 6],
        script_end: Once::default(),
        style_end: Once::default(),
    };
    while scanner.at < cursor.len() {
        match scanner.stack.last() {
            Some(State::Tag) => scanner.tag(),
            Some(State::Value) => scanner.value(),
            Some(State::Script) => scanner.script(),
            Some(State::Style) => scanner.style(),
            _ => scanner.content(),
        }
    }
}

fn is_tag(character: char) -> bool {
    matches!(character, ':' | '.' | '-') || is_word(character)
}

impl Scanner<'_, '_> {
    fn name(&mut self, range: Range<usize>) {
        self.at = range.end;
        self.names.push(range);
    }

    /// End of what starts at `at` with `open` and ends with `close`.
    fn section(&mut self, index: usize, open: &str, close: &str) -> Option<usize> {
        let (cursor, from) = (self.cursor, self.at + open.len());
        if !cursor.starts(self.at, open) {
            return None;
        }
        let found = self.ends.get_mut(index)?.search(|| cursor.find_text(from, close));
        found.map(|found| found + close.len())
    }

    fn content(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        match cursor.byte(at) {
            b'&' => self.entity(),
            b'<' => {
                let end = self
                    .section(0, "<![CDATA[", "]]>")
                    .or_else(|| self.section(1, "<!--", "-->"))
                    .or_else(|| self.section(2, "<?", "?>"))
                    .or_else(|| self.section(3, "<!", ">"));
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
        let end = self.no_entity.search(at, || cursor.run(at + 1, |c| !stop(c)));
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
            } else if self.html {
                self.name(start..end);
                self.at = close + 1;
            } else {
                self.name(at..close + 1);
            }
            return;
        }
        let special = [("script", State::Script), ("style", State::Style)];
        let found = special.iter().find(|(word, _)| starts_word(cursor, start, word).is_some());
        if self.html
            && let Some((word, state)) = found
            && let Some(end) = starts_word(cursor, start, word)
        {
            self.name(start..end);
            self.stack.push(*state);
        } else {
            self.name(if self.html { start } else { at }..end);
        }
        self.stack.push(State::Tag);
    }

    fn tag(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let space = cursor.space_end(at);
        if space > at {
            self.at = space;
            return;
        }
        let part = |c: char| is_tag(c) && !(self.html && c == '.');
        let end = self.no_attribute.search(at, || cursor.run(at, part));
        if end > at {
            let equals = cursor.space_end(end);
            if cursor.byte(equals) == b'=' {
                self.name(at..if self.html { equals } else { equals + 1 });
                self.at = if self.html { cursor.space_end(equals + 1) } else { equals + 1 };
                self.stack.push(State::Value);
            } else if self.html {
                self.name(at..end);
            } else {
                self.at = end;
            }
            return;
        }
        let close = if cursor.byte(at) == b'/' { cursor.space_end(at + 1) } else { at };
        if cursor.byte(close) == b'>' {
            if !self.html {
                self.names.push(at..close + 1);
            }
            self.at = close + 1;
            self.stack.pop();
        } else {
            self.at = cursor.after(at);
        }
    }

    fn value(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let space = cursor.space_end(at);
        if !self.html && space > at {
            self.at = space;
            return;
        }
        let quoted = self.section(4, "\"", "\"").or_else(|| self.section(5, "'", "'"));
        let end = quoted.unwrap_or_else(|| cursor.run(at, |c| c != '>' && !is_space(c)));
        if end == at {
            // A line break that no rule takes closes everything.
            let closes = cursor.byte(at) == b'\n';
            self.stack.truncate(if closes { 1 } else { self.stack.len() });
            self.at = cursor.after(at);
        } else {
            self.at = end;
            self.stack.pop();
        }
    }

    fn script(&mut self) {
        let mut memory = self.script_end;
        if let Some(part) = self.foreign("script", &mut memory) {
            let scan = |text: &str, names: &mut Vec<Range<usize>>| {
                script::scan(text, script::JAVASCRIPT, names);
            };
            self.part(part, scan);
        }
        self.script_end = memory;
    }

    fn style(&mut self) {
        let mut memory = self.style_end;
        if let Some(part) = self.foreign("style", &mut memory) {
            self.part(part, style::scan);
        }
        self.style_end = memory;
    }

    /// Scans a part by itself.
    fn part(&mut self, part: Range<usize>, scan: impl FnOnce(&str, &mut Vec<Range<usize>>)) {
        let start = part.start;
        let from = self.names.len();
        scan(self.cursor.slice(part), self.names);
        for name in self.names.iter_mut().skip(from) {
            *name = name.start + start..name.end + start;
        }
    }

    /// Takes the closing tag, or gives the content in front of it.
    fn foreign(&mut self, word: &str, memory: &mut Once) -> Option<Range<usize>> {
        let (cursor, at) = (self.cursor, self.at);
        if let Some((name, end)) = closing_tag(cursor, at, word) {
            self.name(name);
            self.at = end;
            self.stack.pop();
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
            // Without a closing tag it is the line alone.
            self.stack.pop();
            cursor.next_line(cursor.after(at))
        });
        self.at = end;
        Some(at..end)
    }
}

/// End of a word at `at`, without regard to case.
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
