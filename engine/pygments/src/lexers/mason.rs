//! Scanner for Mason templates, as which the comparator reads some files with an extension of
//! MATLAB.
//!
//! Names are the tags of the template, the components that it calls, and the names in the Perl and
//! the HTML between them.

use std::{collections::BTreeMap, ops::Range};

use crate::{
    cursor::{Cursor, Once},
    lexers::{markup, perl},
};

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    let closings = Closings::of(text);
    let part = Part { start: 0, end: text.len(), missing: Missing::default() };
    let cursor = Cursor::new(text);
    let mut mason = Mason { text, cursor, at: 0, part, around: Vec::new(), closings, names };
    loop {
        while mason.at < mason.cursor.len() {
            mason.step();
        }
        // A definition has ended, and its closing tag comes next.
        let Some((part, closed)) = mason.around.pop() else { break };
        mason.enter(part);
        mason.name_to(closed);
    }
}

struct Mason<'t, 'n> {
    text: &'t str,
    /// The text up to the end of the part.
    cursor: Cursor<'t>,
    at: usize,
    part: Part,
    /// The parts around it, outermost first, each with the end of the closing tag of the part
    /// inside.
    around: Vec<(Part, usize)>,
    closings: Closings<'t>,
    names: &'n mut Vec<Range<usize>>,
}

/// A part that is read as if it were a whole text.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    end: usize,
    missing: Missing,
}

/// Constructs that do not occur any more in the rest of a part, and so not in any part inside it.
#[derive(Clone, Copy, Default)]
struct Missing {
    comment: Once,
    call: Once,
    expression: Once,
    tag: Once,
}

impl Mason<'_, '_> {
    fn enter(&mut self, part: Part) {
        self.cursor = Cursor::new(self.text.get(..part.end).unwrap_or(self.text));
        self.part = part;
    }

    fn note(&mut self, name: Range<usize>) {
        if !name.is_empty() {
            self.names.push(name);
        }
    }

    fn name_to(&mut self, end: usize) {
        self.note(self.at..end);
        self.at = end;
    }

    /// Appends the names that a scanner for another language finds in a part.
    fn foreign(&mut self, part: Range<usize>, scan: fn(&str, &mut Vec<Range<usize>>)) {
        let mut found = Vec::new();
        scan(self.cursor.slice(part.clone()), &mut found);
        let moved = found.into_iter().map(|name| name.start + part.start..name.end + part.start);
        self.names.extend(moved);
    }

    fn step(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if let Some(end) = cursor.spaced(at) {
            self.at = end;
            return;
        }
        let starts_line = at == self.part.start || cursor.at_line_start(at);
        let taken = match cursor.byte(at) {
            b'#' if starts_line => {
                self.at = cursor.next_line(at);
                true
            }
            b'%' if starts_line => {
                let end = cursor.line_end(at);
                self.name_to(at + 1);
                self.foreign(at + 1..end, perl::scan);
                self.at = cursor.next_line(at);
                true
            }
            b'<' => self.tag(),
            _ => false,
        };
        if !taken {
            self.markup();
        }
    }

    /// A tag of the template, with its contents.
    fn tag(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.starts(at, "</&>") {
            self.name_to(at + "</&>".len());
            return true;
        }
        match cursor.byte(at + 1) {
            b'&' => self.call(),
            b'%' => self.comment() || self.definition() || self.block() || self.expression(),
            _ => false,
        }
    }

    /// `<%doc>…</%doc>`
    fn comment(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let inside = at + "<%doc>".len();
        if !cursor.starts(at, "<%doc>") {
            return false;
        }
        let Some(close) = self.part.missing.comment.search(|| cursor.find_text(inside, "</%doc>"))
        else {
            return false;
        };
        self.name_to(inside);
        self.at = close;
        self.name_to(close + "</%doc>".len());
        true
    }

    /// A definition, which contains a template. Its closing tag repeats the white space before its
    /// name.
    fn definition(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let Some(word) = cursor.any(at + 2, &["def", "method"]) else { return false };
        let space = cursor.slice(word..cursor.space_end(word));
        let Some(tag) = self.part.missing.tag.search(|| cursor.find(word, b'>')) else {
            return false;
        };
        let inside = tag + 1;
        let Some((length, closing)) = self.closings.blank(space, inside..cursor.len()) else {
            return false;
        };
        let name = word + length;
        self.name_to(word);
        self.note(name..tag);
        self.note(tag..inside);
        self.around.push((self.part, closing.end));
        self.enter(Part { start: inside, end: closing.start, ..self.part });
        self.at = inside;
        true
    }

    /// A block, which contains Perl. Its closing tag repeats its word or a beginning of it.
    fn block(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let start = at + 2;
        let word = cursor.slice(start..cursor.word_end(start));
        let Some(tag) = self.part.missing.tag.search(|| cursor.find(start, b'>')) else {
            return false;
        };
        let inside = tag + 1;
        let Some(closing) = self.closings.block(word, inside..cursor.len()) else { return false };
        self.name_to(inside);
        self.foreign(inside..closing.start, perl::scan);
        self.at = closing.start;
        self.name_to(closing.end);
        true
    }

    /// `<& component, arguments &>`
    fn call(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let inside = cursor.after(at + 2);
        let Some(close) = self.part.missing.call.search(|| cursor.find_text(inside, "&>")) else {
            return false;
        };
        let comma = cursor.find(inside, b',').filter(|comma| *comma < close);
        let name = comma.unwrap_or(close);
        self.name_to(inside);
        self.note(inside..name);
        self.foreign(name..close, perl::scan);
        self.at = close;
        self.name_to(close + 2);
        true
    }

    /// `<% expression %>`
    fn expression(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let inside = cursor.optional(at + 2, b"!");
        let Some(close) = self.part.missing.expression.search(|| cursor.find_text(inside, "%>"))
        else {
            return false;
        };
        self.name_to(inside);
        self.foreign(inside..close, perl::scan);
        self.at = close;
        self.name_to(close + 2);
        true
    }

    /// HTML up to the next place where a construct of the template may begin.
    fn markup(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let mut end = cursor.after(at);
        let escaped = loop {
            end = cursor.ascii_run(end, |byte| !matches!(byte, b'<' | b'\\' | b'%' | b'#'));
            match cursor.byte(end) {
                b'%' | b'#' if cursor.byte(end - 1) == b'\n' => break false,
                b'<' if matches!(cursor.byte(cursor.optional(end + 1, b"/")), b'%' | b'&') => {
                    break false;
                }
                b'\\' if cursor.byte(end + 1) == b'\n' => break true,
                _ if end >= cursor.len() => break false,
                _ => end += 1,
            }
        };
        self.foreign(at..end, markup::scan_html);
        self.at = end + 2 * usize::from(escaped);
    }
}

/// The closing tags of a text, `</%…>`.
struct Closings<'t> {
    text: &'t str,
    /// The closing tags of blocks, by their word.
    words: BTreeMap<&'t str, Vec<Range<usize>>>,
    /// The closing tags that contain only white space.
    blanks: Vec<Range<usize>>,
    /// The lengths of the words, longest first.
    lengths: Vec<usize>,
}

impl<'t> Closings<'t> {
    fn of(text: &'t str) -> Self {
        let cursor = Cursor::new(text);
        let mut closings =
            Self { text, words: BTreeMap::new(), blanks: Vec::new(), lengths: Vec::new() };
        let mut from = 0;
        while let Some(at) = cursor.find_text(from, "</%") {
            let start = at + "</%".len();
            let word = cursor.word_end(start);
            let end = cursor.space_end(word);
            // The rest cannot be part of an earlier tag of this kind.
            from = start;
            if cursor.byte(end) != b'>' {
                continue;
            }
            let tags = match cursor.slice(start..word) {
                "" => &mut closings.blanks,
                word => closings.words.entry(word).or_default(),
            };
            tags.push(at..end + 1);
        }
        closings.lengths = closings.words.keys().map(|word| word.len()).collect();
        closings.lengths.sort_unstable_by(|one, other| other.cmp(one));
        closings.lengths.dedup();
        closings
    }

    /// The first closing tag in a part with the longest beginning of a word for which there is one.
    fn block(&self, word: &str, part: Range<usize>) -> Option<Range<usize>> {
        let first = |tags: &Vec<Range<usize>>| {
            let tag = tags.get(tags.partition_point(|tag| tag.start < part.start))?;
            (tag.end <= part.end).then(|| tag.clone())
        };
        let starts = self.lengths.iter().filter_map(|length| word.get(..*length));
        starts.filter_map(|start| self.words.get(start)).find_map(first)
    }

    /// The first closing tag in a part whose white space shares the longest beginning with `space`,
    /// and the length of that beginning.
    fn blank(&self, space: &str, part: Range<usize>) -> Option<(usize, Range<usize>)> {
        let from = self.blanks.partition_point(|tag| tag.start < part.start);
        let inside = self.blanks.get(from..)?.iter().take_while(|tag| tag.end <= part.end);
        let mut best: Option<(usize, &Range<usize>)> = None;
        for tag in inside {
            let shared = shared_start(self.text.get(tag.start + 3..).unwrap_or_default(), space);
            if best.is_none_or(|(length, _)| length < shared) {
                best = Some((shared, tag));
            }
            if shared == space.len() {
                break;
            }
        }
        best.map(|(length, tag)| (length, tag.clone()))
    }
}

/// Length in bytes of the common beginning of two texts.
fn shared_start(one: &str, other: &str) -> usize {
    let pairs = one.chars().zip(other.chars());
    pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
}
