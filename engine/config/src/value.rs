//! The values of settings, and where they were set.

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
};

use base::text::visible;
use serde::{Serialize, Serializer};
use toml::de::DeValue;

use crate::{Kind, config::Known};

/// Maximum number of entries in a list or table of one file: each pattern is matched against each
/// file.
const MOST_ENTRIES: usize = 256;
/// Maximum number of characters in an entry.
const MOST_CHARACTERS: usize = 512;

/// A value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Nobody has set it.
    Nothing,
    /// A whole number.
    Number(u64),
    /// A number above 0, up to 1.
    Share(f64),
    /// On or off.
    Switch(bool),
    /// One of the words of the key.
    Word(&'static str),
    /// A folder.
    Folder(PathBuf),
    /// A list.
    Texts(Vec<String>),
    /// A table.
    Pairs(BTreeMap<String, String>),
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Nobody has set it.
    Default,
    /// A line of the user's file, counted from 1.
    User(PathBuf, usize),
    /// A line of the repository's file, counted from 1.
    Repository(PathBuf, usize),
    /// An environment variable.
    Variable(&'static str),
    /// A flag of the command.
    Flag,
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Nothing => formatter.write_str("not set"),
            Self::Number(number) => number.fmt(formatter),
            Self::Share(share) => share.fmt(formatter),
            Self::Switch(on) => on.fmt(formatter),
            Self::Word(word) => formatter.write_str(word),
            Self::Folder(folder) => formatter.write_str(&visible::path(folder)),
            Self::Texts(texts) => {
                let texts: Vec<_> = texts.iter().map(|text| visible::visible(text)).collect();
                write!(formatter, "[{}]", texts.join(", "))
            }
            Self::Pairs(pairs) => {
                let pairs = pairs.iter().map(|(left, right)| format!("{left} = {right}"));
                let pairs: Vec<_> = pairs.collect();
                write!(formatter, "{{{}}}", visible::visible(&pairs.join(", ")))
            }
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("default"),
            Self::User(file, line) | Self::Repository(file, line) => {
                write!(formatter, "{}:{line}", visible::path(file))
            }
            Self::Variable(name) => formatter.write_str(name),
            Self::Flag => formatter.write_str("flag"),
        }
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Kind {
    /// Which values are valid, in words.
    pub(crate) fn expected(self) -> String {
        match self {
            Self::Number { least, most } => format!("a whole number from {least} to {most}"),
            Self::Share => "a number above 0, up to 1".to_owned(),
            Self::Switch => "true or false".to_owned(),
            Self::Choice(words) => format!("one of {}", words.join(", ")),
            Self::Folder => "an absolute folder, or one that starts with ~/".to_owned(),
            Self::Patterns => {
                format!("a list of at most {MOST_ENTRIES} patterns, as an ignore file has them")
            }
            Self::Languages => format!("a list of at most {MOST_ENTRIES} keys of languages"),
            Self::Overrides => {
                "a table of keys of languages by extension, such as { \".tsx\" = \"typescript\" }"
                    .to_owned()
            }
        }
    }

    /// Reads a value of a file. The error says in words what is expected.
    pub(crate) fn of_file(
        self,
        value: &DeValue,
        home: Option<&Path>,
        known: &Known,
    ) -> Result<Value, String> {
        let wrong = || self.expected();
        match (self, value) {
            (Self::Number { .. } | Self::Share, DeValue::Integer(number)) => {
                let digits = Some(number).filter(|number| number.radix() == 10);
                self.of_text(digits.ok_or_else(wrong)?.as_str())
            }
            (Self::Share, DeValue::Float(number)) => self.of_text(number.as_str()),
            (Self::Switch, DeValue::Boolean(on)) => Ok(Value::Switch(*on)),
            (Self::Choice(_), DeValue::String(text)) => self.of_text(text),
            (Self::Folder, DeValue::String(text)) => {
                let folder = match text.strip_prefix("~/") {
                    Some(below) => home.ok_or_else(wrong)?.join(below),
                    None => PathBuf::from(text.as_ref()),
                };
                Some(folder)
                    .filter(|folder| folder.is_absolute())
                    .map(Value::Folder)
                    .ok_or_else(wrong)
            }
            (Self::Patterns | Self::Languages, DeValue::Array(entries)) => {
                let texts: Option<Vec<String>> = entries
                    .iter()
                    .map(|entry| entry.get_ref().as_str().map(str::to_owned))
                    .collect();
                let texts = texts.filter(|texts| are_few(texts)).ok_or_else(wrong)?;
                for text in &texts {
                    match self {
                        Self::Languages => known.expect_language(text)?,
                        _ => (known.pattern)(text)?,
                    }
                }
                Ok(Value::Texts(texts))
            }
            (Self::Overrides, DeValue::Table(entries)) => {
                let pair = |(left, right): (&toml::Spanned<_>, &toml::Spanned<DeValue>)| {
                    let left: &std::borrow::Cow<str> = left.get_ref();
                    Some((left.to_string(), right.get_ref().as_str()?.to_owned()))
                };
                let pairs: Option<BTreeMap<_, _>> = entries.iter().map(pair).collect();
                let pairs = pairs.filter(|pairs| are_few(pairs.keys())).ok_or_else(wrong)?;
                for (extension, language) in &pairs {
                    if !extension.starts_with('.') || extension.contains('/') {
                        return Err(wrong());
                    }
                    known.expect_language(language)?;
                }
                Ok(Value::Pairs(pairs))
            }
            _ => Err(wrong()),
        }
    }

    /// Reads a value that is one word, from a variable or a file. The error says in words what is
    /// expected.
    pub(crate) fn of_text(self, text: &str) -> Result<Value, String> {
        let value = match self {
            Self::Number { least, most } => {
                let number = text.parse().ok().filter(|number| (least..=most).contains(number));
                number.map(Value::Number)
            }
            Self::Share => {
                let share = text.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0);
                share.map(Value::Share)
            }
            Self::Switch => match text {
                "true" | "1" => Some(Value::Switch(true)),
                "false" | "0" => Some(Value::Switch(false)),
                _ => None,
            },
            Self::Choice(words) => {
                words.iter().find(|word| **word == text).map(|word| Value::Word(word))
            }
            Self::Folder => Some(Value::Folder(text.into())),
            Self::Patterns | Self::Languages | Self::Overrides => None,
        };
        value.ok_or_else(|| self.expected())
    }
}

fn are_few<'a>(entries: impl IntoIterator<Item = &'a String>) -> bool {
    let mut count = 0;
    entries.into_iter().all(|entry| {
        count += 1;
        count <= MOST_ENTRIES && entry.len() <= MOST_CHARACTERS
    })
}
