//! The dialects, line by line.
//!
//! Sources: the documentation of Python's `configparser`, systemd.syntax(7), the class
//! documentation of `java.util.Properties`, and the README of python-dotenv.

use super::{
    dialect::Dialect,
    environment::{quote_is_open, variable},
    properties::property,
};

/// Longest value that is joined from several lines, in bytes.
const JOINED: usize = 64 * 1024;

/// One element of a file. Lines are 1-based.
#[derive(Debug, PartialEq, Eq)]
pub enum Entry {
    /// A header.
    Section { name: String, line: u64 },
    /// A key, with its value if a separator follows it.
    Key { name: String, value: Option<String>, line: u64 },
    /// A line that is a comment.
    Comment,
    /// A line that is none of these.
    Other,
    /// A line that breaks the dialect's rules.
    Bad { what: &'static str, line: u64 },
}

/// Reads a dialect from its lines.
pub struct Reader {
    dialect: Dialect,
    /// The key whose value may continue.
    open: Option<Entry>,
    indent: usize,
    in_section: bool,
    /// A logical line that continues after a backslash, or a quoted value, with its first line.
    joined: Option<(String, u64)>,
}

impl Reader {
    /// A reader at the first line.
    pub const fn new(dialect: Dialect) -> Self {
        Self { dialect, open: None, indent: 0, in_section: false, joined: None }
    }

    /// Reads the next line, and passes on what is complete.
    pub fn line(&mut self, line: &str, number: u64, give: &mut impl FnMut(Entry)) {
        match self.dialect {
            Dialect::Ini => self.ini(line, number, give),
            Dialect::Unit => self.unit(line, number, give),
            Dialect::Properties => self.properties(line, number, give),
            Dialect::Environment => self.environment(line, number, give),
        }
    }

    /// Passes on what is incomplete at the end of the file.
    pub fn finish(&mut self, give: &mut impl FnMut(Entry)) {
        if let Some((text, number)) = self.joined.take() {
            match self.dialect {
                Dialect::Properties => property(&text, number, give),
                Dialect::Environment => {
                    let what = "the text ends inside quotes";
                    give(Entry::Bad { what, line: number });
                    variable(&text, number, give);
                }
                Dialect::Ini | Dialect::Unit => self.pair(&text, number, give),
            }
        }
        self.flush(give);
    }

    fn flush(&mut self, give: &mut impl FnMut(Entry)) {
        if let Some(entry) = self.open.take() {
            give(entry);
        }
    }

    fn ini(&mut self, line: &str, number: u64, give: &mut impl FnMut(Entry)) {
        let text = line.trim();
        if text.starts_with(['#', ';']) {
            give(Entry::Comment);
            return;
        }
        if text.is_empty() {
            return;
        }
        let indent = line.chars().take_while(|character| character.is_whitespace()).count();
        if indent > self.indent
            && let Some(Entry::Key { value, .. }) = &mut self.open
        {
            let value = value.get_or_insert_default();
            if value.len() < JOINED {
                value.push('\n');
                value.push_str(text);
            }
            return;
        }
        self.indent = indent;
        self.flush(give);
        if self.header(text, number, give) {
            return;
        }
        self.pair(text, number, give);
    }

    /// Reads the header of a section, which only a comment may follow.
    fn header(&mut self, text: &str, number: u64, give: &mut impl FnMut(Entry)) -> bool {
        let Some(rest) = text.strip_prefix('[') else { return false };
        let Some((name, _)) = rest.rsplit_once(']').filter(|(name, _)| !name.is_empty()) else {
            let what = "the bracket of a section's name is not closed";
            give(Entry::Bad { what, line: number });
            return true;
        };
        self.in_section = true;
        give(Entry::Section { name: name.to_owned(), line: number });
        true
    }

    /// Reads a key and its value; without a separator it is a key only inside a section.
    fn pair(&mut self, text: &str, number: u64, give: &mut impl FnMut(Entry)) {
        let separators: &[char] = if self.dialect == Dialect::Ini { &['=', ':'] } else { &['='] };
        let (name, value) = match text.split_once(separators) {
            Some((name, value)) => (name.trim_end(), Some(value.trim().to_owned())),
            None if self.in_section => (text, None),
            None => {
                give(Entry::Other);
                return;
            }
        };
        if name.is_empty() {
            give(Entry::Bad { what: "a name should stand before the sign", line: number });
            return;
        }
        self.open = Some(Entry::Key { name: name.to_owned(), value, line: number });
    }

    fn unit(&mut self, line: &str, number: u64, give: &mut impl FnMut(Entry)) {
        let text = line.trim();
        if text.starts_with(['#', ';']) {
            // A comment within a continued value is left out of the value.
            give(Entry::Comment);
            return;
        }
        if let Some((mut joined, first)) = self.joined.take() {
            let (text, goes_on) = continued(text);
            if joined.len() < JOINED {
                joined.push(' ');
                joined.push_str(text);
            }
            if goes_on {
                self.joined = Some((joined, first));
            } else {
                self.pair(&joined, first, give);
                self.flush(give);
            }
            return;
        }
        if text.is_empty() || self.header(text, number, give) {
            return;
        }
        let (text, goes_on) = continued(text);
        if goes_on {
            self.joined = Some((text.to_owned(), number));
        } else {
            self.pair(text, number, give);
            self.flush(give);
        }
    }

    fn properties(&mut self, line: &str, number: u64, give: &mut impl FnMut(Entry)) {
        let text = line.trim_start_matches([' ', '\t', '\x0c']);
        let (mut joined, first) = match self.joined.take() {
            Some(open) => open,
            None if text.is_empty() => return,
            None if text.starts_with(['#', '!']) => {
                give(Entry::Comment);
                return;
            }
            None => (String::new(), number),
        };
        let backslashes = text.bytes().rev().take_while(|byte| *byte == b'\\').count();
        let goes_on = backslashes % 2 == 1;
        if joined.len() < JOINED {
            joined.push_str(if goes_on { &text[..text.len() - 1] } else { text });
        }
        if goes_on {
            self.joined = Some((joined, first));
        } else {
            property(&joined, first, give);
        }
    }

    fn environment(&mut self, line: &str, number: u64, give: &mut impl FnMut(Entry)) {
        let (joined, first) = if let Some((mut joined, first)) = self.joined.take() {
            joined.push('\n');
            if joined.len() < JOINED {
                joined.push_str(line);
            }
            (joined, first)
        } else {
            let text = line.trim();
            if text.is_empty() {
                return;
            }
            if text.starts_with('#') {
                give(Entry::Comment);
                return;
            }
            (text.to_owned(), number)
        };
        if quote_is_open(&joined) && joined.len() < JOINED {
            self.joined = Some((joined, first));
        } else {
            variable(&joined, first, give);
        }
    }
}

/// A line without the backslash at its end, and whether there is one.
fn continued(text: &str) -> (&str, bool) {
    match text.strip_suffix('\\') {
        Some(rest) => (rest.trim_end(), true),
        None => (text, false),
    }
}

#[cfg(test)]
mod tests;
