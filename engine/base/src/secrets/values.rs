//! What a value itself tells: whether it can be a secret, and whether it looks random.

use std::{collections::BTreeSet, sync::LazyLock};

use serde::Deserialize;

use super::names::Certainty;

/// Shortest value that looks random, and shortest one without capitals or signs, in bytes.
const SHORTEST: usize = 6;
const SHORTEST_PLAIN: usize = 16;
/// Least entropy of a random text without digits between its letters, in bits per character.
const RANDOM: f64 = 3.0;

/// The texts of `values.toml`, which explains them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    words: BTreeSet<String>,
    references: Vec<String>,
    placeholders: Vec<String>,
    fillers: BTreeSet<String>,
    qualifiers: BTreeSet<String>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "it is embedded and loaded by a test")]
    let table = toml::from_str(include_str!("values.toml")).expect("the embedded table is valid");
    table
});

/// Whether a value under a name is a secret. `around` is true if the name belongs to something that
/// contains the value, not to the value itself.
pub fn is_secret(certainty: Certainty, name: &str, value: &str, around: bool) -> bool {
    let value = value.trim().trim_matches(['"', '\'', '`']);
    match certainty {
        Certainty::None => return false,
        _ if is_none(value) || is_named(name, value) => return false,
        Certainty::Possible => return is_random(value),
        Certainty::Certain if is_number(value) => return false,
        Certainty::Password | Certainty::Phrase if around && is_number(value) => return false,
        Certainty::Phrase => return true,
        Certainty::Certain | Certainty::Password => {}
    }
    !is_prose(value)
}

/// Whether a value cannot be a secret: a word of a schema, a reference, or a placeholder.
fn is_none(value: &str) -> bool {
    let lower = value.to_lowercase();
    let table = &*TABLE;
    value.is_empty()
        || table.words.contains(lower.as_str())
        || table.references.iter().any(|start| lower.starts_with(start.as_str()))
        || is_placeholder(&lower)
        // `<password>`, `%PASSWORD%`, `$PASSWORD`, `[hidden]`
        || lower.starts_with('<') && lower.ends_with('>')
        || lower.starts_with('[') && lower.ends_with(']')
        || lower.len() > 1 && lower.starts_with('%') && lower.ends_with('%')
        || value.strip_prefix('$').is_some_and(is_identifier)
        || value.chars().all(|sign| !sign.is_alphanumeric())
        || is_repeated(&lower)
        || is_path(value)
        // `value1`
        || lower.strip_prefix("value").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a value only repeats its name: `"password": "Password"`, `token: reset_token`.
fn is_named(name: &str, value: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (name, value) = (letters(name), letters(value));
    let before = value.strip_suffix(name.as_str());
    !name.is_empty()
        && before.is_some_and(|before| before.is_empty() || TABLE.qualifiers.contains(before))
}

/// Whether a whole value in lower case asks the reader to fill in a secret: `changeme`,
/// `your-token-here`. A value that only begins with such a word may be a password.
fn is_placeholder(lower: &str) -> bool {
    let is_filled = |rest: &str| {
        let mut words = rest.split(|sign: char| !sign.is_alphanumeric());
        words.all(|word| word.is_empty() || TABLE.fillers.contains(word))
    };
    let mut rests =
        TABLE.placeholders.iter().filter_map(|start| lower.strip_prefix(start.as_str()));
    rests.any(is_filled)
}

/// Whether a text repeats one character, as `xxxxxxxx` does.
fn is_repeated(text: &str) -> bool {
    let mut signs = text.chars();
    let first = signs.next();
    text.len() > 2
        && signs.all(|sign| Some(sign) == first)
        && !text.starts_with(|sign: char| sign.is_ascii_digit())
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|sign| sign.is_ascii_uppercase() || sign.is_ascii_digit() || sign == '_')
        || text.starts_with('{')
}

/// A number, a length, a size or a duration.
fn is_number(value: &str) -> bool {
    let digits = value.trim_end_matches(|sign: char| sign.is_ascii_alphabetic() || sign == '%');
    value.len() - digits.len() <= 3
        && !digits.is_empty()
        && digits.chars().all(|sign| sign.is_ascii_digit() || "+-.,_: ".contains(sign))
}

/// A path of words, such as `/run/secrets/db` or `certs/server.key`.
fn is_path(value: &str) -> bool {
    let starts = ["/", "./", "../", "~/"].iter().any(|start| value.starts_with(start));
    let ends = value.rsplit_once('.').is_some_and(|(_, end)| {
        (2..=5).contains(&end.len()) && end.chars().all(|sign| sign.is_ascii_lowercase())
    });
    let parts = || value.split('/');
    let word = |part: &str| {
        part.len() <= 40
            && part.chars().all(|sign| sign.is_ascii_alphanumeric() || "._-~@ {}".contains(sign))
            && !mixes(part)
    };
    value.contains('/') && (starts || ends) && parts().all(word)
}

/// Text for people: three words and more, or two with a full stop or a question mark.
fn is_prose(value: &str) -> bool {
    let words: Vec<&str> = value.split_whitespace().collect();
    let plain = |word: &&str| {
        let word = word.trim_matches(|sign: char| !sign.is_alphanumeric());
        word.chars().all(|sign| sign.is_alphabetic() || "'’-/".contains(sign))
    };
    let said = value.ends_with(['.', '?', '!', ':', '…']);
    // The words have at least three letters on average.
    let long = value.len() >= 4 * words.len() - 1;
    (words.len() > 2 || words.len() == 2 && said) && long && words.iter().all(plain)
}

/// Whether letters and digits alternate more than they do in any word.
fn mixes(text: &str) -> bool {
    let mut turns = 0;
    let mut before = None;
    for sign in text.chars().filter(|sign| sign.is_alphanumeric()) {
        let digit = sign.is_ascii_digit();
        turns += usize::from(before.is_some_and(|before| before != digit));
        before = Some(digit);
    }
    turns > 2
}

/// Whether a text looks generated at random rather than written by hand.
pub fn is_random(value: &str) -> bool {
    if value.len() < SHORTEST || value.contains(char::is_whitespace) || is_common(value) {
        return false;
    }
    let has = |is: fn(&char) -> bool| value.chars().any(|sign| is(&sign));
    let digit = has(char::is_ascii_digit);
    let lower = has(char::is_ascii_lowercase);
    let upper = has(char::is_ascii_uppercase);
    let sign = value.chars().any(|sign| "!#$%^&*+=?~".contains(sign));
    let kinds = [digit, lower, upper, sign].into_iter().filter(|has| *has).count();
    if digit && (lower || upper) {
        kinds > 2
            || sign
            || mixes(value)
            || value.len() >= SHORTEST_PLAIN && entropy(value) >= RANDOM
            || value.len() < 12 && !value.contains(['-', '_', '.', '/', ':'])
    } else {
        sign && kinds > 2 && value.len() >= 8
    }
}

/// Whether a value that looks random is one of the common kinds that are not secrets: versions,
/// addresses, dates, ids, digests.
fn is_common(value: &str) -> bool {
    let lower = value.to_lowercase();
    let hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let uuid = value.len() == 36
        && value.split('-').map(str::len).eq([8, 4, 4, 4, 12])
        && hex(&value.replace('-', ""));
    uuid || is_number(value)
        || matches!(value.len(), 40 | 64 | 96 | 128) && hex(value)
        || ["sha1-", "sha256-", "sha384-", "sha512-", "sha256:", "sha1:", "md5:", "http://", "https://", "0x", "#", "v"]
            .iter()
            .any(|start| lower.strip_prefix(start).is_some_and(|rest| !rest.is_empty() && (*start != "v" || rest.starts_with(|sign: char| sign.is_ascii_digit()))))
        || value.contains("::")
        || value.contains('(')
        || value.contains('[')
        || value.contains('{')
        // Names of code and paths: words joined by dots, slashes, underscores, hyphens and the
        // like.
        || value.split(['.', '/', '_', '-', ':', '@', '\\', ',']).all(|part| {
            part.chars().all(char::is_alphabetic)
                || part.chars().all(|sign| sign.is_ascii_digit())
                || part.len() < 8 && !mixes(part) && value.len() > part.len()
        }) && value.contains(['.', '/', '_', '-', ':', '@', '\\', ','])
}

/// Shannon entropy of the characters, in bits per character.
fn entropy(text: &str) -> f64 {
    let mut counts = std::collections::BTreeMap::new();
    for sign in text.chars() {
        *counts.entry(sign).or_insert(0_u32) += 1;
    }
    let total = f64::from(counts.values().sum::<u32>());
    counts.values().map(|count| f64::from(*count) / total).map(|share| -share * share.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::{entropy, is_named, is_placeholder, is_prose, is_random};

    #[test]
    fn a_placeholder_is_one_as_a_whole() {
        for asks in
            ["changeme", "change-me", "replace_me", "your-token-here", "enter your password here"]
        {
            assert!(is_placeholder(asks), "{asks}");
        }
        for secret in [
            "change4prod!99",
            "my-s3cret",
            "my-little-pony",
            "mypassword",
            "your-mother",
            "insertcoin77",
            "mystery",
            "xxx4711",
        ] {
            assert!(!is_placeholder(secret), "{secret}");
        }
    }

    #[test]
    fn a_value_that_ends_in_its_name_may_be_a_secret() {
        assert!(is_named("password", "Password") && is_named("token", "reset_token"));
        assert!(!is_named("password", "mysecretpassword") && !is_named("", "x"));
    }

    #[test]
    fn entropy_is_that_of_the_characters() {
        assert_eq!(entropy("aaaa"), 0.0);
        assert_eq!(entropy("abcd"), 2.0);
    }

    #[test]
    fn drawn_texts_are_told_from_written_ones() {
        for drawn in ["x9Kq2mZp7L", "hunter22", "p4ssw0rd!", "9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c"] {
            assert!(is_random(drawn), "{drawn}");
        }
        for written in [
            "user.profile.title",
            "2024-01-01",
            "1.2.3",
            "name",
            "en-US",
            "sha256:9f8a7b6c5d4e3f2a",
            "v1.2.3-beta4",
            "123e4567-e89b-12d3-a456-426614174000",
            "/usr/lib/x86",
            "some words 123",
            "section-2",
            "utf8",
        ] {
            assert!(!is_random(written), "{written}");
        }
        assert!(is_prose("Forgot your password?") && !is_prose("hunter2 is"));
    }
}
