//! Scanner for Terraform and other HCL files.
//!
//! Names are the word before `{` or `=`, the quoted labels of a block, a known function before its
//! parenthesis, dotted paths, constants, and a list of plain words as a whole. Any other word is
//! skipped one character at a time, because a rule may match its end; what was found out about the
//! rest of a word is remembered.

use std::{collections::BTreeMap, ops::Range, sync::LazyLock};

use crate::{
    cursor::{Searched, is_space},
    scanner::Scanner,
    words::Words,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    /// A function: a name directly before a parenthesis.
    Function,
    /// The start of a block with labels.
    Block,
}

static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let functions = "abs ceil floor log max mix parseint pow signum chomp format formatlist indent \
        join lower regex regexall replace split strrev substr title trim trimprefix trimsuffix \
        trimspace upper alltrue anytrue chunklist coalesce coalescelist compact concat contains \
        distinct element flatten index keys length list lookup map matchkeys merge range reverse \
        setintersection setproduct setsubtract setunion slice sort sum transpose values zipmap \
        base64decode base64encode base64gzip csvdecode jsondecode jsonencode textdecodebase64 \
        textencodebase64 urlencode yamldecode yamlencode abspath dirname pathexpand basename file \
        fileexists fileset filebase64 templatefile formatdate timeadd timestamp base64sha256 \
        base64sha512 bcrypt filebase64sha256 filebase64sha512 filemd5 filesha1 filesha256 \
        filesha512 md5 rsadecrypt sha1 sha256 sha512 uuid uuidv5 cidrhost cidrnetmask cidrsubnet \
        cidrsubnets can defaults tobool tolist tomap tonumber toset tostring try";
    let blocks = "backend data module output provider provisioner resource variable";
    Words::new(&[(Word::Function, functions), (Word::Block, blocks)])
});

/// Words that are recognised only as a whole; the first two are names.
static CONSTANTS: &[&str] =
    &["true", "false", "string", "number", "bool", "list", "tuple", "map", "set", "object", "null"];

fn in_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

fn in_element(byte: u8) -> bool {
    in_identifier(byte) || matches!(byte, b'[' | b']')
}

type Terraform<'t, 'n> = Scanner<'t, 'n, (), Memory<'t>>;

#[derive(Default)]
struct Memory<'t> {
    identifier: Searched,
    element: Searched,
    /// The end of an identifier with the end of the white space after it.
    space: Option<(usize, usize)>,
    /// The start of the last line with a given text, without white space around it.
    lines: Option<BTreeMap<&'t str, usize>>,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Terraform::new(text, names).run(Terraform::step);
}

impl Terraform<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.space() {
            return;
        }
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'/' if next == b'*' => self.at = cursor.nested_end(at, *b"/*", *b"*/"),
            b'#' => self.at = cursor.next_line(at),
            b'/' if next == b'/' => self.at = cursor.next_line(at),
            b'"' => self.string(),
            b'[' if self.list() => {}
            b'<' if next == b'<' && self.heredoc().is_some() => {}
            byte if in_element(byte) => self.word(),
            _ => self.at = cursor.after(at),
        }
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = self.memory.identifier.search(at, || cursor.ascii_run(at, in_identifier));
        if end > at {
            let known = self.memory.space.filter(|(from, _)| *from == end);
            let (_, behind) = known.unwrap_or_else(|| (end, cursor.space_end(end)));
            self.memory.space = Some((end, behind));
            if matches!(cursor.byte(behind), b'{' | b'=') {
                self.name(at..end);
                let assigned = usize::from(cursor.byte(behind) == b'=');
                let value = cursor.space_end(behind + assigned);
                self.at = value + usize::from(cursor.byte(value) == b'{');
                return;
            }
            match WORDS.get(cursor.slice(at..end)) {
                Some(Word::Function) if cursor.byte(end) == b'(' => return self.name(at..end),
                Some(Word::Block) if behind > end && self.block(behind) => return,
                _ => {}
            }
        }
        if !cursor.inside_word(at) && (self.constant() || self.path()) {
            return;
        }
        self.at = usize::max(cursor.digits_end(at), at + 1);
    }

    /// One or two labels in quotes and the brace after white space.
    fn block(&mut self, at: usize) -> bool {
        let cursor = self.cursor;
        let label = |at: usize| {
            let end = cursor.ascii_run(at + 1, in_identifier);
            let quoted = cursor.byte(at) == b'"' && end > at + 1 && cursor.byte(end) == b'"';
            quoted.then_some(at..end + 1)
        };
        let Some(first) = label(at) else {
            return false;
        };
        let second = label(cursor.space_end(first.end));
        let last = second.clone().unwrap_or_else(|| first.clone());
        let brace = cursor.space_end(last.end);
        if brace == last.end || cursor.byte(brace) != b'{' {
            return false;
        }
        for label in [Some(first), second].into_iter().flatten() {
            self.note(label);
        }
        self.at = brace + 1;
        true
    }

    fn constant(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if !cursor.byte(at).is_ascii_lowercase() {
            return false;
        }
        let end = cursor.word_end(at);
        let found = CONSTANTS.iter().position(|word| *word == cursor.slice(at..end));
        match found {
            Some(0 | 1) => self.name(at..end),
            Some(_) => self.at = end,
            None => {}
        }
        found.is_some()
    }

    /// Words and indices with dots between them, up to the last word.
    fn path(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let dot = self.memory.element.search(at, || cursor.ascii_run(at, in_element));
        if dot == at || cursor.byte(dot) != b'.' {
            return false;
        }
        let end = cursor.ascii_run(dot + 1, |byte| in_element(byte) || byte == b'.');
        let Some(end) = (dot + 2..=end).rev().find(|end| !cursor.inside_word(*end)) else {
            return false;
        };
        self.name(at..end);
        true
    }

    /// Plain words, commas and white space in brackets: one name.
    fn list(&mut self) -> bool {
        let (cursor, start) = (self.cursor, self.at + 1);
        let part = |c: char| c.is_ascii_lowercase() || matches!(c, '_' | ',') || is_space(c);
        let end = cursor.run(start, part);
        let closed = end > start && cursor.byte(end) == b']';
        if closed {
            self.name(start..end);
            self.at += 1;
        }
        closed
    }

    /// A string extends to the last quote of the line, but one before a colon or an equals sign
    /// contains no white space.
    fn string(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let start = cursor.after(at + 1);
        let mut close = cursor.run(at, |c| !is_space(c));
        while let Some(offset) = cursor.slice(start..close).rfind('"') {
            close = start + offset;
            let sign = cursor.space_end(close + 1);
            if matches!(cursor.byte(sign), b':' | b'=') {
                self.at = sign + 1;
                return;
            }
        }
        let line = cursor.slice(at + 1..cursor.line_end(at));
        self.at = line.rfind('"').map_or(at + 1, |offset| at + offset + 2);
    }

    /// A here-document, up to the line that repeats its word; without such a line, only its first
    /// line. `None` if none starts here.
    fn heredoc(&mut self) -> Option<()> {
        let (cursor, at) = (self.cursor, self.at);
        let start = cursor.space_end(at + 2 + usize::from(cursor.byte(at + 2) == b'-'));
        let word = cursor.slice(start..cursor.identifier_end(start)?);
        self.at = cursor.next_line(start);
        let lines = self.memory.lines.get_or_insert_with(|| last_lines(cursor.text));
        if lines.get(word).is_some_and(|last| *last >= self.at) {
            let mut closed = false;
            while !closed {
                let end = cursor.next_line(self.at);
                closed = cursor.slice(self.at..end).trim_matches(is_space) == word;
                self.at = end;
            }
        }
        Some(())
    }
}

fn last_lines(text: &str) -> BTreeMap<&str, usize> {
    let mut start = 0;
    let mut lines = BTreeMap::new();
    for line in text.split_inclusive('\n') {
        lines.insert(line.trim_matches(is_space), start);
        start += line.len();
    }
    lines
}
