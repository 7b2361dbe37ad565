//! The lines of a file, which may be shown with their numbers beside its summary: they contain what no
//! list of a summary has, such as the value of a setting.
//!
//! Nothing is known about the file's language here. Words of a definition are worth more, those of a
//! comment or of a deeply indented line less. A line to which many others belong, by their indentation, counts
//! for more words than it has.

use std::collections::BTreeSet;

use super::choice::Entry;
use crate::{
    dispatch::Family,
    findings::{Task, cut},
    hidden::is_hidden,
    text::{Text, looks_like_text},
};

/// Largest file whose lines are used, in bytes, and its longest line: longer ones were not written
/// by people.
const LONGEST: u64 = 512 * 1024;
const LONGEST_LINE: usize = 2_000;
/// Longest line that is shown, in characters.
const WIDTH: usize = 160;
/// Indentation beyond this many levels makes no further difference.
const DEEPEST: usize = 6;
/// Number of lines at the beginning in which a licence is searched.
const HEAD: usize = 60;
/// What a new word is worth in a line without indentation, and what each level takes off.
const WORD: u64 = 20;
const LEVEL: u64 = 1;
/// What makes a comment's words worth less, and those of a definition more, as divisor and factor.
const COMMENT: u64 = 3;
const LANDMARK: u64 = 2;

/// Words that begin a definition in common languages.
const LANDMARKS: &str = "\
    abstract behavior behaviour chapter class const constant contract data def define defmodule \
    enum exception export extends fn func function implements include inherits interface library \
    macro message module namespace object option package paragraph pragma procedure program \
    record require rule service section struct sub subsection target task term test title trait \
    type typedef union unit use uses using val var version";

/// The lines of a file as they may be shown, with their numbers.
pub struct Lines {
    shown: Vec<(usize, String)>,
    total: usize,
}

/// The lines of a file with secrets masked; `None` if it is not text, or if a line alone does not
/// show whether it holds a secret.
pub fn lines(task: &Task) -> Option<Lines> {
    let is_text = matches!(task.family, Family::Code | Family::Data | Family::Text);
    let size = task.input.size();
    if !is_text || size == 0 || size > LONGEST {
        return None;
    }
    let content = task.input.content().ok()?;
    if !looks_like_text(content.bytes.get(..content.bytes.len().min(8 * 1024))?) {
        return None;
    }
    let decoded = Text::decode(&content.bytes);
    let longest = decoded.text.lines().map(str::len).max().unwrap_or(0);
    if longest > LONGEST_LINE || is_hidden(task, &decoded.text) {
        return None;
    }
    let is_code = task.family == Family::Code;
    let plain = |sign: char| if sign.is_control() { ' ' } else { sign };
    let masked = task.secrets.lines(&task.input.name, &decoded.text, is_code);
    let shown = masked.iter().enumerate().map(|(index, line)| {
        let line: String = line.trim_end().replace('\t', "    ").chars().map(plain).collect();
        (index + 1, cut(&line, WIDTH))
    });
    let shown: Vec<(usize, String)> = shown.collect();
    Some(Lines { total: shown.len(), shown })
}

impl Lines {
    /// Number of lines of the file.
    pub const fn total(&self) -> usize {
        self.total
    }

    /// The lines as entries, in order.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        let opened = opened(self.shown.iter().map(|(_, line)| line.as_str()));
        self.shown.iter().zip(self.worth()).zip(opened).map(|(((number, line), worth), opened)| {
            Entry {
                text: format!("{number}: {line}"),
                start: number.to_string().len(),
                worth,
                // A line says the more, the more lines belong to it.
                more: u64::from((opened + 1).ilog2()),
                line: Some(*number),
                above: None,
            }
        })
    }

    /// The lines as they stand in the file, without indentation.
    pub fn plain(&self) -> BTreeSet<&str> {
        self.shown.iter().map(|(_, line)| line.trim()).collect()
    }

    /// What a new word is worth in each line; 0 for lines that are not worth showing.
    fn worth(&self) -> Vec<u64> {
        let mut indents: Vec<usize> = self
            .shown
            .iter()
            .filter(|(_, line)| !line.is_empty())
            .map(|(_, line)| indent(line))
            .collect();
        indents.sort_unstable();
        indents.dedup();
        let licence = licence(&self.shown);
        let worth = |(index, (_, line)): (usize, &(usize, String))| {
            let text = line.trim();
            if index < licence || !text.contains(char::is_alphanumeric) {
                return 0;
            }
            let level = indents.iter().position(|level| *level == indent(line)).unwrap_or(0);
            let word = WORD - LEVEL * level.min(DEEPEST) as u64;
            if is_comment(text) {
                word / COMMENT
            } else if is_landmark(text) {
                word * LANDMARK
            } else {
                word
            }
        };
        self.shown.iter().enumerate().map(worth).collect()
    }
}

/// How many lines each line has below it that are indented more. A bracket alone on a line ends no block.
fn opened<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let mut opened: Vec<usize> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut last = 0;
    let ends = |opened: &mut Vec<usize>, start: usize, last: usize| {
        if let Some(count) = opened.get_mut(start) {
            *count = last - start;
        }
    };
    for (index, line) in lines.enumerate() {
        opened.push(0);
        if line.trim().is_empty() {
            continue;
        }
        let indent = indent(line);
        let is_sign = !line.contains(char::is_alphanumeric);
        while let Some((_, start)) =
            open.pop_if(|(above, _)| *above > indent || (*above == indent && !is_sign))
        {
            ends(&mut opened, start, last);
        }
        if !is_sign {
            open.push((indent, index));
        }
        last = index;
    }
    for (_, start) in open {
        ends(&mut opened, start, last);
    }
    opened
}

/// Number of signs before the text of a line.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Number of lines at the beginning that form a licence: those up to the end of the comment that
/// names one.
fn licence(lines: &[(usize, String)]) -> usize {
    let head = lines.iter().take(HEAD).map(|(_, line)| line.trim());
    let is_head = |line: &&str| line.is_empty() || line.starts_with("#!") || is_comment(line);
    let comment: Vec<&str> = head.take_while(is_head).collect();
    let names = |line: &&str| {
        let line = line.to_lowercase();
        line.contains("license") || line.contains("licence") || line.contains("copyright")
    };
    let Some(last) = comment.iter().rposition(names) else { return 0 };
    comment
        .iter()
        .skip(last)
        .position(|line| line.is_empty())
        .map_or(comment.len(), |end| last + end)
}

/// Whether a text begins like a comment.
fn is_comment(text: &str) -> bool {
    ["//", "/*", "* ", "*/", "# ", "--", ";", "%", "\" ", "<!--", "(*", "{-", "rem ", "dnl "]
        .iter()
        .any(|start| text.starts_with(start))
        || matches!(text, "*" | "#")
}

/// Whether one of the first words of a text begins a definition.
pub fn is_landmark(text: &str) -> bool {
    let words = text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(3).any(|word| {
        let word = word.to_lowercase();
        LANDMARKS.split_whitespace().any(|landmark| landmark == word)
    })
}
