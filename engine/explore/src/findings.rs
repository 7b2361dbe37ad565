//! What one explorer found in one file, before it becomes an [`Exploration`].
//!
//! [`Exploration`]: crate::Exploration

use std::borrow::Cow;

use serde_json::{Map, Value};

use base::profile::Profile;

use crate::{
    disclosure::Summary, exploration::Malformed, formats::Fields, import::Import, input::Input,
    project::Project, symbol::Symbol,
};

/// What an explorer is given.
#[derive(Debug)]
pub struct Task<'a> {
    /// The file.
    pub input: &'a Input<'a>,
    /// What lies around it: decides what is local.
    pub project: &'a Project,
    /// Which sections, caps and markers the summary has.
    pub profile: Profile,
    /// The language or format key that detection found.
    pub language: &'static str,
}

/// What an explorer found.
#[derive(Debug)]
pub struct Findings {
    /// Symbols in source order.
    pub symbols: Vec<Symbol>,
    /// Imports in source order.
    pub imports: Vec<Import>,
    /// Facts of a format.
    pub facts: Fields,
    /// Facts of a language, while they are collected: they become [`Fields::Code`].
    pub fields: Map<String, Value>,
    /// What is wrong with the content.
    pub malformed: Option<Malformed>,
    /// The summary, whose first line is `File: <name>`.
    pub summary: Summary,
}

impl Findings {
    /// Findings with the summary's first line.
    pub fn new(task: &Task) -> Self {
        let mut summary = Summary::new(task.profile);
        summary.line(&format!("File: {}", task.input.base_name()));
        Self {
            symbols: Vec::new(),
            imports: Vec::new(),
            facts: Fields::None,
            fields: Map::new(),
            malformed: None,
            summary,
        }
    }

    /// Sets one fact of a language.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.fields.insert(name.to_owned(), value.into());
    }

    /// Says that the content is malformed; the first defect stays.
    pub fn malformed(&mut self, what: impl Into<String>, line: Option<u64>, column: Option<u64>) {
        self.malformed.get_or_insert(Malformed { what: what.into(), line, column });
    }
}

/// A count as summaries show it, with a comma between groups of three digits.
pub fn grouped(count: impl TryInto<u64>) -> String {
    let digits = count.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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

/// A text of at most `limit` characters, whose middle is left out if it was longer.
pub fn folded(text: &str, limit: usize) -> Cow<'_, str> {
    const GAP: &str = " ... ";
    // No text has more characters than bytes.
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
