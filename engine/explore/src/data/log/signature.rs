//! Signatures of messages: what repeats when numbers, addresses and quoted text are left out.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::findings::cut;

/// Different signatures that are counted, and the longest, in characters.
const KEPT: usize = 10_000;
const LENGTH: usize = 200;

/// A message that occurs more than once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repeated {
    /// The message; `#` stands for what differs.
    pub signature: String,
    pub count: u64,
    /// Where it occurs first.
    pub first_line: u64,
}

/// Signatures that were counted.
#[derive(Debug, Default)]
pub struct Signatures {
    counts: BTreeMap<String, (u64, u64)>,
    dropped: u64,
}

impl Signatures {
    /// Counts a message.
    pub fn take(&mut self, message: &str, line: u64) {
        let signature = signature(message);
        if let Some((count, _)) = self.counts.get_mut(&signature) {
            *count += 1;
        } else if self.counts.len() < KEPT {
            self.counts.insert(signature, (1, line));
        } else {
            self.dropped += 1;
        }
    }

    /// Whether every message was counted.
    pub const fn complete(&self) -> bool {
        self.dropped == 0
    }

    /// What occurs more than once, the most frequent first.
    pub fn repeated(&self) -> Vec<Repeated> {
        let mut repeated: Vec<Repeated> = self
            .counts
            .iter()
            .filter(|(_, (count, _))| *count > 1)
            .map(|(signature, (count, first_line))| Repeated {
                signature: signature.clone(),
                count: *count,
                first_line: *first_line,
            })
            .collect();
        repeated.sort_by(|a, b| b.count.cmp(&a.count).then(a.first_line.cmp(&b.first_line)));
        repeated
    }
}

/// The signature of a message.
pub fn signature(message: &str) -> String {
    let short: String = message.chars().take(4 * LENGTH).collect();
    let mut signature = String::with_capacity(short.len().min(LENGTH));
    let mut rest = short.as_str();
    while let Some(first) = rest.chars().next() {
        if matches!(first, '"' | '\'') {
            // Quoted text differs; a quote that is never closed is an apostrophe.
            let behind = rest.get(1..).unwrap_or_default();
            if let Some(end) = behind.find(first).filter(|end| *end > 0) {
                signature.push(first);
                signature.push('#');
                signature.push(first);
                rest = behind.get(end + 1..).unwrap_or_default();
                continue;
            }
        }
        let length = rest.find(|c: char| !in_word(c)).unwrap_or(rest.len());
        if length == 0 {
            if !(first.is_whitespace() && signature.ends_with(' ')) {
                signature.push(if first.is_whitespace() { ' ' } else { first });
            }
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
            continue;
        }
        let word = rest.get(..length).unwrap_or_default();
        let differs = word.bytes().any(|byte| byte.is_ascii_digit());
        if !differs {
            signature.push_str(word);
        } else if !signature.ends_with('#') {
            signature.push('#');
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    cut(signature.trim(), LENGTH)
}

/// What belongs to a word: addresses, versions and paths with numbers in them are one.
fn in_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '@' | '+')
}
