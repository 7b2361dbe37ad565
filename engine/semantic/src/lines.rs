//! The lines of a file, and the text of a part of it.

use std::borrow::Cow;

use base::{
    secrets::Secrets,
    text::{paths, read},
};

/// The lines of a file, without line ends and with secrets masked.
#[derive(Debug, Default)]
pub struct Lines(Vec<String>);

/// The place of a part among the parts of its file. Lines are 1-based and inclusive.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    /// Its kind.
    pub kind: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The enclosing scope of a symbol.
    pub parent: Option<&'a str>,
    /// Index of the enclosing part.
    pub inside: Option<usize>,
    /// Line of its name.
    pub line: u32,
    /// First line.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// The declaration in one line.
    pub signature: &'a str,
}

impl Lines {
    /// The lines of a file with these bytes.
    ///
    /// # Errors
    /// The offset of the first byte that is not UTF-8.
    pub fn of(path: &str, bytes: &[u8]) -> Result<Self, usize> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.valid_up_to())?;
        // The explorer skips byte order marks, too. Otherwise a mark would become part of the first
        // word.
        let text = read::universal_newlines(text.trim_start_matches('\u{feff}').to_owned());
        // Only the file's name decides what else is secret in it: an answer must not depend on the
        // folder.
        let lines = Secrets::Masked.lines(paths::basename(path), &text, true);
        Ok(Self(lines.into_iter().map(Cow::into_owned).collect()))
    }

    /// All lines.
    pub fn all(&self) -> &[String] {
        &self.0
    }

    /// A line by its 1-based number; empty if there is none.
    pub fn line(&self, number: u32) -> &str {
        let at = (number as usize).checked_sub(1);
        at.and_then(|at| self.0.get(at)).map_or("", String::as_str)
    }

    /// The lines `from` to `to`, inclusive, each followed by a line feed.
    pub fn text(&self, from: u32, to: u32) -> String {
        let range = (from.max(1) as usize - 1)..(to as usize).min(self.0.len());
        let lines = self.0.get(range).unwrap_or_default();
        let mut text = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
        for line in lines {
            text.push_str(line);
            text.push('\n');
        }
        text
    }

    /// The lines of a part, with each part inside it replaced by its signature and a semicolon.
    /// Inner parts are left as they are if they have one line, or begin no later than the line of
    /// the outer part's name. `places` are all parts of the file in their order; if `at` is beyond them, the
    /// text is empty.
    pub fn collapsed(&self, places: &[Place], at: usize) -> String {
        let Some(part) = places.get(at) else { return String::new() };
        let mut text = String::new();
        let mut line = part.start;
        // All inner parts follow directly; the first one that begins after the end of the part ends
        // the search.
        let inside = places.iter().skip(at + 1).take_while(|other| other.start <= part.end);
        for child in inside.filter(|other| other.inside == Some(at)) {
            if child.start >= child.end || child.start <= part.line || child.start < line {
                continue;
            }
            text.push_str(&self.text(line, child.start - 1));
            text.push_str(indentation(self.line(child.line)));
            text.push_str(child.signature);
            text.push_str(";\n");
            line = child.end + 1;
        }
        text.push_str(&self.text(line, part.end));
        text
    }
}

fn indentation(line: &str) -> &str {
    line.get(..line.len() - line.trim_start().len()).unwrap_or_default()
}
