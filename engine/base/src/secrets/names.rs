//! What a name says of its value, by its words: `DBPASS`, `accessKey` and `github.token` hold secrets,
//! `token_count` and `passwordField` do not.

use std::{collections::BTreeSet, sync::LazyLock};

use serde::Deserialize;

/// Longest name that is looked at, in bytes.
const LONGEST: usize = 256;

/// How certain it is that the value of a name is a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// The name does not suggest a secret.
    None,
    /// The value may be a secret; what it looks like decides.
    Possible,
    /// The value is a secret, unless it is a number or cannot be a secret.
    Certain,
    /// The value is a secret, even if it is a number.
    Password,
    /// The value is a secret, even if it is a number or several words.
    Phrase,
}

/// The words of `words.toml`, which explains them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    nouns: Vec<Noun>,
    additions: Group,
    other: Group,
    compounds: Compounds,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Noun {
    words: BTreeSet<String>,
    #[serde(default)]
    behind: BTreeSet<String>,
    #[serde(default)]
    not_behind: BTreeSet<String>,
    certain: bool,
    numbers: bool,
    #[serde(default)]
    phrases: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    words: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Compounds {
    before: BTreeSet<String>,
    nouns: Vec<String>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "it is embedded and loaded by a test")]
    let words = toml::from_str(include_str!("words.toml")).expect("the embedded table is valid");
    words
});

/// What a name says of its value.
pub fn certainty(name: &str) -> Certainty {
    let name = name.get(..name.floor_char_boundary(LONGEST)).unwrap_or(name);
    let table = &*WORDS;
    let words = words(name, table);
    // Additions, such as a number at the end, change nothing, unless the name consists only of
    // them.
    let is_addition = |word: &String| {
        table.additions.words.contains(word) || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let end = words.iter().rposition(|word| !is_addition(word)).map_or(words.len(), |at| at + 1);
    let words = words.get(..end).unwrap_or_default();
    let Some((last, before)) = words.split_last() else { return Certainty::None };
    if let Some(noun) = table.nouns.iter().find(|noun| noun.words.contains(last)) {
        return noun.certainty(before.last());
    }
    // The words after the noun say what the secret is for, as in `PASSWORD_GITHUB`.
    let says_other = table.other.words.contains(last);
    let inside =
        |word: &String| table.nouns.iter().any(|noun| noun.certain && noun.words.contains(word));
    if !says_other && before.iter().any(inside) { Certainty::Possible } else { Certainty::None }
}

impl Noun {
    fn certainty(&self, before: Option<&String>) -> Certainty {
        let behind = |words: &BTreeSet<String>| before.is_some_and(|word| words.contains(word));
        if behind(&self.not_behind) {
            Certainty::None
        } else if !self.certain && !behind(&self.behind) {
            Certainty::Possible
        } else if self.phrases {
            Certainty::Phrase
        } else if self.numbers {
            Certainty::Password
        } else {
            Certainty::Certain
        }
    }
}

/// The words of a name in lower case. They are separated by signs, by capitals, and where letters
/// and digits meet.
fn words(name: &str, table: &Words) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let signs: Vec<char> = name.chars().collect();
    for (index, sign) in signs.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| signs.get(index)).copied();
        let after = signs.get(index + 1).copied();
        // A word begins at the capital of `dbPass`, and at the last capital of `DBPass`.
        let capital = sign.is_uppercase()
            && (before.is_some_and(char::is_lowercase)
                || before.is_some_and(char::is_uppercase) && after.is_some_and(char::is_lowercase));
        let turn = before.is_some_and(|before| {
            before.is_alphanumeric() && before.is_ascii_digit() != sign.is_ascii_digit()
        });
        if capital || turn || !sign.is_alphanumeric() {
            take(&mut word, &mut words, table);
        }
        if sign.is_alphanumeric() {
            word.extend(sign.to_lowercase());
        }
    }
    take(&mut word, &mut words, table);
    words
}

/// Adds a word to the list; a compound of two known words is added as its two parts.
fn take(word: &mut String, words: &mut Vec<String>, table: &Words) {
    if word.is_empty() {
        return;
    }
    let word = std::mem::take(word);
    let compounds = &table.compounds;
    let parts = compounds.nouns.iter().find_map(|noun| {
        let before = word.strip_suffix(noun.as_str()).filter(|before| !before.is_empty())?;
        let whole = matches!(noun.as_str(), "password" | "passwd" | "passphrase");
        (whole || compounds.before.contains(before)).then(|| [before.to_owned(), noun.clone()])
    });
    match parts {
        Some(parts) if !is_noun(&word, table) => words.extend(parts),
        _ => words.push(word),
    }
}

fn is_noun(word: &str, table: &Words) -> bool {
    table.nouns.iter().any(|noun| noun.words.contains(word))
}

#[cfg(test)]
mod tests {
    use super::{Certainty, certainty};

    #[test]
    fn names_are_told_by_their_words_and_compounds() {
        for (names, expected) in [
            (
                &["password", "DB_PASSWORD", "dbpassword", "DBPASS", "pgpwd", "userPwd", "passwd2"]
                    [..],
                Certainty::Password,
            ),
            (
                &["apiKey", "ACCESSKEY", "privatekey", "aws-secret", "github.token", "APIKeyProd"],
                Certainty::Certain,
            ),
            (&["mnemonic", "SSH_PASSPHRASE", "walletSeedPhrase"], Certainty::Phrase),
            (&["key", "KEY", "auth", "salt", "PASSWORD_GITHUB", "pass"], Certainty::Possible),
            (
                &[
                    "keyboard",
                    "monkey",
                    "author",
                    "compass",
                    "tokenizer",
                    "pinned",
                    "password_field",
                    "token_count",
                    "max_token",
                    "primaryKey",
                    "public_key",
                    "secretKeyRef",
                    "secretary",
                    "passwordless",
                    "eos_token",
                    "",
                    "test",
                    "bypass",
                    "1",
                ],
                Certainty::None,
            ),
        ] {
            for name in names {
                assert_eq!(certainty(name), expected, "{name}");
            }
        }
    }
}
