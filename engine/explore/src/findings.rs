//! The findings of one explorer about one file, before they become an [`Exploration`].
//!
//! [`Exploration`]: crate::Exploration

pub use base::text::number::grouped;
use std::borrow::Cow;

use serde_json::{Map, Value};

use base::{profile::Profile, secrets::Secrets};

use crate::{
    disclosure::{List, Summary},
    dispatch::Family,
    exploration::{Entry, Malformed, Part},
    formats::Fields,
    import::Import,
    input::Input,
    masked::near,
    project::Project,
    symbol::Symbol,
};

/// The task of an explorer.
#[derive(Debug)]
pub struct Task<'a> {
    /// The file.
    pub input: &'a Input<'a>,
    /// The project around it, which decides what is local.
    pub project: &'a Project,
    /// The profile, which decides the sections, caps and markers of the summary.
    pub profile: Profile,
    /// Whether secrets are shown.
    pub secrets: Secrets,
    /// Whether the summary has to be short compared with its file.
    pub short: bool,
    /// Maximum number of tokens of the summary. An explorer that can say less about each thing does
    /// so in order to say more of them.
    pub budget: Option<usize>,
    /// The language or format key that the detection found.
    pub language: &'static str,
    /// Its family.
    pub family: Family,
}

/// The findings of an explorer.
#[derive(Debug)]
pub struct Findings {
    /// Symbols in source order.
    pub symbols: Vec<Symbol>,
    /// Imports in source order.
    pub imports: Vec<Import>,
    /// The parts of a file of a known kind.
    pub parts: Vec<Part>,
    /// Facts of a format.
    pub facts: Fields,
    /// Facts of a language, while they are collected: they become [`Fields::Code`].
    pub fields: Map<String, Value>,
    /// What is wrong with the content, if anything.
    pub malformed: Option<Malformed>,
    /// The summary, whose first line is `File: <name>`.
    pub summary: Summary,
}

impl Findings {
    /// Findings with the summary's first line.
    pub fn new(task: &Task) -> Self {
        let mut summary = Summary::new(task.profile, task.secrets);
        summary.at_most(room(task));
        summary.within(task.budget);
        summary.line(&format!("File: {}", task.input.base_name()));
        Self {
            symbols: Vec::new(),
            imports: Vec::new(),
            parts: Vec::new(),
            facts: Fields::None,
            fields: Map::new(),
            malformed: None,
            summary,
        }
    }

    /// Shows parts of the file under a title, with secrets masked and cut to [`PART`] characters;
    /// does nothing if there are none.
    pub fn part(&mut self, task: &Task, title: &str, mut entries: Vec<Entry>) {
        if entries.is_empty() {
            return;
        }
        for entry in &mut entries {
            // In this order, because a piece of a secret would not be recognised.
            entry.text = cut(&task.secrets.text(near(&entry.text, PART)), PART);
        }
        let lines: Vec<String> =
            entries.iter().map(|entry| format!("{}: {}", entry.line, entry.text)).collect();
        let source = format!("/parts/{}/entries", self.parts.len());
        // Steps, scripts and tasks begin with a dash and belong to the entry before them.
        let below = entries.iter().filter(|entry| entry.text.starts_with("- ")).count();
        let own = grouped(entries.len() - below);
        let heading = match below {
            0 => format!("{title} ({own}):"),
            below => format!("{title} ({own} with {} steps):", grouped(below)),
        };
        self.summary.section(&heading, &List::counted(title, &source, PARTS), &lines);
        self.parts.push(Part { title: title.to_owned(), entries });
    }

    /// Sets one fact of a language.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.fields.insert(name.to_owned(), value.into());
    }

    /// Records that the content is malformed; only the first defect is kept.
    pub fn malformed(&mut self, what: impl Into<String>, line: Option<u64>, column: Option<u64>) {
        self.malformed.get_or_insert(Malformed { what: what.into(), line, column });
    }
}

/// Maximum number of parts under one title that a summary shows.
const PARTS: usize = 300;
/// Longest text of a part, in characters.
const PART: usize = 160;
/// Minimum room of a summary in the enhancement profile, in bytes.
const LEAST_ROOM: u64 = 1024;

/// Size of the summary, in bytes, after which no list continues: what is longer than half of its
/// file is hardly a summary. The outline of code and the comparator's layouts have their own caps.
fn room(task: &Task) -> usize {
    let size = task.input.size();
    let half = if task.family == Family::Code { size } else { size / 2 };
    let own = if task.short { half.max(LEAST_ROOM) } else { u64::MAX };
    usize::try_from(own).unwrap_or(usize::MAX)
}

/// A text of at most `limit` characters, ending in `...` if it was longer.
pub fn cut(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(limit.saturating_sub(3)).collect();
    short.push_str("...");
    short
}

/// A text of at most `limit` characters; a longer one loses its middle.
pub fn folded(text: &str, limit: usize) -> Cow<'_, str> {
    const GAP: &str = " ... ";
    // A text never has more characters than bytes.
    if text.len() <= limit || text.chars().count() <= limit {
        return Cow::Borrowed(text);
    }
    let half = limit.saturating_sub(GAP.len()) / 2;
    let head: String = text.chars().take(half).collect();
    let mut tail: Vec<char> = text.chars().rev().take(half).collect();
    tail.reverse();
    Cow::Owned(head + GAP + &tail.into_iter().collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{cut, folded, grouped};

    #[test]
    fn counts_are_grouped_and_texts_cut() {
        for (count, text) in [(0_u64, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")]
        {
            assert_eq!(grouped(count), text);
        }
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("äbcdefg", 6), "äbc...");
        assert_eq!(folded("äbcdefghi", 9), "äbcdefghi");
        assert_eq!(folded("äbcdefghijkü", 9), "äb ... kü");
    }
}
