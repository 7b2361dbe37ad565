//! Heredocs of Ruby.
//!
//! When a heredoc starts, the rest of its line is read first, which may start more of them. Then
//! their texts are skipped, one after the other. A heredoc that does not end is read as code.

use std::collections::BTreeMap;

use super::{Ruby, State};
use crate::cursor::{Cursor, is_space, is_word};

/// Maximum number of heredocs in one line that are recognised.
const MOST: usize = 100;

/// The heredocs that a line has started, and the last occurrences of lines.
#[derive(Default)]
pub(super) struct Heredocs<'t> {
    /// Name, and whether white space may stand before it.
    waiting: Vec<(&'t str, bool)>,
    /// The start of the last line with a given text: without the white space around it, and with
    /// the white space before it.
    last: Option<[BTreeMap<&'t str, usize>; 2]>,
}

impl Ruby<'_, '_> {
    /// A heredoc that starts at the current position.
    pub fn heredoc(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let open = cursor.optional(at + 2, b"-~");
        let indented = open > at + 2;
        let quote = cursor.byte(open);
        let quoted = matches!(quote, b'"' | b'\'' | b'`');
        let start = open + usize::from(quoted);
        let first = cursor.byte(start);
        let named = (first.is_ascii_alphabetic() || first == b'_')
            && !cursor.before(at).is_some_and(is_word);
        let end = if named { cursor.word_end(start) } else { start };
        let closed = !quoted || cursor.byte(end) == quote;
        if !closed || !named && !matches!(quote, b'"' | b'\'') {
            return false;
        }
        let rest = end + usize::from(quoted);
        let Some(line_break) = cursor.find(rest, b'\n') else {
            return false;
        };
        let limit = line_break + 1;
        self.memory.heredocs.waiting.push((cursor.slice(start..end), indented));
        self.cursor = Cursor::new(cursor.slice(0..limit));
        let full = self.memory.heredocs.waiting.len() >= MOST;
        self.at = if full { limit } else { rest };
        true
    }

    /// Skips the texts of heredocs after the line that started them. False if there are none.
    pub fn pass_heredocs(&mut self) -> bool {
        if self.memory.heredocs.waiting.is_empty() {
            return false;
        }
        while matches!(self.state, State::FunctionName | State::ClassName) {
            self.leave(self.at);
        }
        self.at = self.cursor.len();
        let whole = self.memory.part;
        for (name, indented) in std::mem::take(&mut self.memory.heredocs.waiting) {
            let last = self.memory.heredocs.last.get_or_insert_with(|| last_lines(whole.text));
            let lines = if indented { &last[0] } else { &last[1] };
            if lines.get(name).is_none_or(|last| *last < self.at) {
                continue;
            }
            let mut from = self.at;
            while from < whole.len() {
                let next = whole.next_line(from);
                let line = whole.slice(from..next);
                let line = if indented { strip(line) } else { line.trim_end_matches(is_space) };
                from = next;
                if line == name {
                    self.at = next;
                    break;
                }
            }
        }
        self.cursor = whole;
        true
    }
}

fn strip(line: &str) -> &str {
    line.trim_matches(is_space)
}

/// The last occurrence of each text of a whole line.
fn last_lines(text: &str) -> [BTreeMap<&str, usize>; 2] {
    let mut last = [BTreeMap::new(), BTreeMap::new()];
    let mut at = 0;
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        let stripped = strip(line);
        // Only names and empty lines can end a heredoc.
        if stripped.chars().all(is_word) {
            last[0].insert(stripped, at);
            if line.starts_with(stripped) {
                last[1].insert(stripped, at);
            }
        }
        at += line.len();
    }
    last
}
