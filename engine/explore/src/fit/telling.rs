//! The most telling lines of a file, in the room that a budget leaves behind the summary: what no list of a
//! summary has, such as what a setting is set to, stands there with its line.
//!
//! Nothing is known of the file's language here. A line tells more the less it is indented, more if it says what
//! something is, less if it is a comment.

use base::tokens::Counter;

use crate::{
    Exploration,
    dispatch::Family,
    findings::{Task, cut},
    hidden::is_hidden,
    text::{Text, looks_like_text},
};

/// Longest file whose lines are looked at, in bytes, and its longest line: longer ones nobody has written.
const LONGEST: u64 = 512 * 1024;
const LONGEST_LINE: usize = 2_000;
/// Longest line that is shown, in characters.
const WIDTH: usize = 160;
/// Deepest indentation that is told apart.
const DEEPEST: usize = 6;
/// Lines at the beginning in which a licence is looked for.
const HEAD: usize = 60;

/// Words that begin what something is, in the languages that files are written in.
const LANDMARKS: &str = "\
    abstract behavior behaviour class const constant contract data def define defmodule enum \
    exception export extends fn func function implements include inherits interface library \
    macro message module namespace object option package pragma procedure program record \
    require rule service struct sub target task test trait type typedef union unit use uses \
    using val var version";

/// The lines of a file as they may be shown, each with its number.
pub struct Lines {
    shown: Vec<(usize, String)>,
    total: usize,
}

/// What was chosen of a file.
pub struct Telling {
    /// A title, and a line for each.
    pub text: String,
    /// How many lines these are, and how many the file has.
    pub shown: usize,
    pub total: usize,
}

/// The lines of a file, its secrets masked; none if it is no text, or if lines do not tell what is secret.
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
    /// As many of the lines as `room` tokens have room for, the most telling first, in their order; none if
    /// there is no room for one. Lines that the summary has, and declarations, which are in its outline, are
    /// left out.
    pub fn telling(&self, found: &Exploration, room: usize) -> Option<Telling> {
        let total = self.total;
        let mut ranked = self.ranked(found);
        ranked.sort_by_key(|(rank, index)| (*rank, *index));
        let title = |shown: usize| format!("Lines ({shown} of {total}):");
        let mut left = room.checked_sub(Counter.count(&title(total)) + 1)?;
        let mut chosen = Vec::new();
        for (_, index) in ranked {
            let Some((number, line)) = self.shown.get(index) else { continue };
            let cost = Counter.count(&format!("\n{number}: {line}")) + 1;
            if cost <= left {
                left -= cost;
                chosen.push(index);
            } else if left < 4 {
                break;
            }
        }
        let mut taken = chosen.len();
        while taken > 0 {
            let mut indices: Vec<usize> = chosen.iter().take(taken).copied().collect();
            indices.sort_unstable();
            let mut text = title(taken);
            for (number, line) in indices.iter().filter_map(|index| self.shown.get(*index)) {
                text.push_str(&format!("\n{number}: {line}"));
            }
            if Counter.count(&text) < room {
                return Some(Telling { text, shown: taken, total });
            }
            // Lines together may have some tokens more than each for itself.
            taken -= 1;
        }
        None
    }

    /// How telling each line is that is worth showing, the least number most, by its index.
    fn ranked(&self, found: &Exploration) -> Vec<(usize, usize)> {
        let mut indents: Vec<usize> = self
            .shown
            .iter()
            .filter(|(_, line)| !line.is_empty())
            .map(|(_, line)| indent(line))
            .collect();
        indents.sort_unstable();
        indents.dedup();
        let licence = licence(&self.shown);
        let declared: std::collections::BTreeSet<usize> = found
            .symbols
            .iter()
            .flat_map(|symbol| [symbol.line, symbol.decl_line])
            .map(|line| line as usize)
            .collect();
        let rank = |(index, (number, line)): (usize, &(usize, String))| {
            let text = line.trim();
            if !text.contains(char::is_alphanumeric) || declared.contains(number) || index < licence
            {
                return None;
            }
            if text.len() > 8 && found.summary.contains(text) {
                return None;
            }
            let level = indents.iter().position(|level| *level == indent(line)).unwrap_or(0);
            let level = level.min(DEEPEST);
            let rank = if is_comment(text) {
                2 * level + 5
            } else if is_landmark(text) {
                level
            } else {
                2 * level + 1
            };
            Some((rank, index))
        };
        self.shown.iter().enumerate().filter_map(rank).collect()
    }
}

/// How many signs stand before the text of a line.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// How many lines at the beginning are a licence: those up to the end of the comment that names one.
fn licence(lines: &[(usize, String)]) -> usize {
    let head = lines.iter().take(HEAD).map(|(_, line)| line.trim());
    let comment: Vec<&str> = head.take_while(|line| line.is_empty() || is_comment(line)).collect();
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

/// Whether a text begins as comments do.
fn is_comment(text: &str) -> bool {
    ["//", "/*", "* ", "*/", "# ", "--", ";", "%", "\" ", "<!--", "(*", "{-", "rem ", "dnl "]
        .iter()
        .any(|start| text.starts_with(start))
        || matches!(text, "*" | "#")
}

/// Whether one of the first words of a text says what something is.
fn is_landmark(text: &str) -> bool {
    let words = text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(3).any(|word| {
        let word = word.to_lowercase();
        LANDMARKS.split_whitespace().any(|landmark| landmark == word)
    })
}
