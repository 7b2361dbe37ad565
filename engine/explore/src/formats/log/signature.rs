//! Signatures of messages: the text that stays the same if numbers, addresses and quoted text are
//! replaced.

use std::collections::BTreeMap;

use base::secrets::Secrets;

use super::fields::Repeated;
use crate::{findings::cut, formats::shared::distinct::Distinct};

/// Maximum number of signatures that are counted, and longest one, in characters.
const KEPT: usize = 10_000;
const LENGTH: usize = 200;
/// Maximum number of lines that are kept for each signature.
const LINES: usize = 100;

/// One signature.
#[derive(Debug, Default)]
struct Counted {
    count: u64,
    /// The first lines with this signature.
    lines: Vec<u64>,
    /// The complete signature of the first message, if it is longer than what is shown.
    whole: Option<Box<str>>,
}

/// Counts signatures.
#[derive(Debug, Default)]
pub struct Signatures {
    counts: BTreeMap<String, Counted>,
    /// Signatures that are not kept, and which of them occur again.
    more: Distinct,
    more_repeated: Distinct,
}

impl Signatures {
    /// Counts a message.
    pub fn take(&mut self, message: &str, line: u64) {
        let whole = signature(message);
        let signature = cut(&whole, LENGTH);
        if let Some(counted) = self.counts.get_mut(&signature) {
            counted.count += 1;
            if counted.lines.len() < LINES {
                counted.lines.push(line);
            }
        } else if self.counts.len() < KEPT {
            let whole = (whole != signature).then(|| whole.into());
            self.counts.insert(signature, Counted { count: 1, lines: vec![line], whole });
        } else if !self.more.add(&signature) {
            self.more_repeated.add(&signature);
        }
    }

    /// Masks the secrets in the signatures before they are cut: a piece of a secret would not be
    /// recognised.
    pub fn mask(&mut self, secrets: Secrets) {
        for (signature, counted) in std::mem::take(&mut self.counts) {
            let whole = counted.whole.as_deref().unwrap_or(&signature);
            let masked = cut(&secrets.code(whole), LENGTH);
            let all = self.counts.entry(masked).or_default();
            all.count += counted.count;
            all.lines.extend(counted.lines);
            all.lines.sort_unstable();
            all.lines.truncate(LINES);
        }
    }

    /// Whether every message was counted.
    pub fn complete(&self) -> bool {
        self.more.count() == 0
    }

    /// Number of signatures that are not kept and occur more than once.
    pub fn more_repeated(&self) -> u64 {
        self.more_repeated.count()
    }

    /// Whether there may be more than [`Signatures::more_repeated`] returns.
    pub const fn at_least(&self) -> bool {
        self.more.at_least()
    }

    /// The signatures that occur more than once, most frequent first.
    pub fn repeated(&self) -> Vec<Repeated> {
        let mut repeated: Vec<Repeated> = self
            .counts
            .iter()
            .filter(|(_, counted)| counted.count > 1)
            .map(|(signature, counted)| Repeated {
                signature: signature.clone(),
                count: counted.count,
                first_line: counted.lines.first().copied().unwrap_or_default(),
                lines: counted.lines.clone(),
            })
            .collect();
        repeated.sort_by(|a, b| b.count.cmp(&a.count).then(a.first_line.cmp(&b.first_line)));
        repeated
    }
}

/// The signature of a message: its words in their order, with `#` for one or more adjacent values.
/// Values are text in quotes or alone in brackets, the text after `=`, words that contain a digit, a
/// dot, an at-sign or a slash, and the names after words such as `user`. Brackets before the message
/// are left out, because they hold its level, its process or its client. The signature is made from
/// the first 800 characters of the message, and is not yet cut.
pub fn signature(message: &str) -> String {
    let short: String = message.chars().take(4 * LENGTH).collect();
    let mut made = Made { text: String::with_capacity(LENGTH), name_follows: false };
    let mut rest = behind_tags(&short);
    while let Some(first) = rest.chars().next() {
        let value = quoted(rest, first).or_else(|| bracketed(rest, first)).or_else(|| {
            // The address `::1` and its like.
            rest.starts_with("::").then(|| rest.get(until_separator(rest)..)).flatten()
        });
        if let Some(behind) = value {
            made.value();
            rest = behind;
            continue;
        }
        let length = rest.find(|c: char| !in_word(c)).unwrap_or(rest.len());
        if length == 0 {
            made.mark(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            if first == '=' {
                let length = value_length(rest);
                if length > 0 {
                    made.value();
                }
                rest = rest.get(length..).unwrap_or_default();
            }
            continue;
        }
        let (word, behind) = rest.split_at(length);
        if behind.starts_with("://") {
            made.value();
            rest = rest.get(until_separator(rest)..).unwrap_or_default();
            continue;
        }
        made.word(word, behind);
        rest = behind;
    }
    made.text.trim().to_owned()
}

/// A signature that is being built.
struct Made {
    text: String,
    /// Whether the last word is usually followed by a name.
    name_follows: bool,
}

impl Made {
    fn value(&mut self) {
        self.name_follows = false;
        if !self.text.trim_end().ends_with('#') {
            self.text.push('#');
        }
    }

    fn mark(&mut self, mark: char) {
        // Signs at the end of a sentence or a value carry no meaning.
        if mark.is_whitespace() {
            if !self.text.ends_with(' ') {
                self.text.push(' ');
            }
        } else if !(self.text.trim_end().ends_with('#') && matches!(mark, '.' | ':' | '#')) {
            self.text.push(mark);
        }
    }

    fn word(&mut self, word: &str, behind: &str) {
        let bare = word.trim_end_matches(['.', '/', '-']);
        let inside = bare.bytes().any(|byte| matches!(byte, b'.' | b'@' | b'/' | b'\\'));
        let differs = inside || word.bytes().any(|byte| byte.is_ascii_digit());
        let keyed = behind.starts_with(['=', '(']);
        if (differs || self.name_follows) && !keyed {
            self.value();
            return;
        }
        self.text.push_str(bare);
        // A name follows `for` only if `from` comes after it; otherwise ordinary words follow.
        let named = behind.split_whitespace().nth(1) == Some("from");
        self.name_follows = matches!(bare, "user" | "User" | "from") || bare == "for" && named;
    }
}

/// The text after brackets at the beginning.
fn behind_tags(message: &str) -> &str {
    let mut rest = message;
    loop {
        rest = rest.trim_start_matches([' ', '\t', ':', '-', ',']);
        let close = match rest.chars().next() {
            Some('[') => ']',
            Some('<') => '>',
            _ => return rest,
        };
        match rest.split_once(close) {
            // If the whole message is in brackets, they are not tags.
            Some((_, behind)) if !behind.trim().is_empty() => rest = behind,
            _ => return rest,
        }
    }
}

/// The text after a quotation; a quote that is never closed is an apostrophe.
fn quoted(text: &str, first: char) -> Option<&str> {
    if !matches!(first, '"' | '\'') {
        return None;
    }
    let behind = text.get(1..)?;
    behind.get(behind.find(first)? + 1..)
}

/// The text after one word in brackets.
fn bracketed(text: &str, first: char) -> Option<&str> {
    let close = match first {
        '[' => ']',
        '<' => '>',
        '(' => ')',
        _ => return None,
    };
    let end = text.find(close)?;
    let inside = text.get(1..end)?;
    (!inside.contains(char::is_whitespace)).then(|| text.get(end + 1..)).flatten()
}

/// Length in bytes of the value after `=`: to the end of its quotes or brackets, or to the next
/// separator.
fn value_length(text: &str) -> usize {
    let first = text.chars().next().unwrap_or(' ');
    let angled = || text.starts_with('<').then(|| text.split_once('>')).flatten();
    let behind = quoted(text, first)
        .or_else(|| bracketed(text, first))
        .or_else(|| angled().map(|(_, behind)| behind));
    match behind {
        Some(behind) => text.len() - behind.len(),
        None => until_separator(text),
    }
}

fn until_separator(text: &str) -> usize {
    text.find([' ', ',', ';', '\t', '&']).unwrap_or(text.len())
}

/// Whether a character can be part of a word. Addresses, versions and paths with numbers count as
/// one word.
fn in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '@' | '+' | '\\' | '~' | '%')
}
