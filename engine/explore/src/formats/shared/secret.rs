//! Values that look like secrets are shown as `****`, in summaries and fields alike.

/// What stands in place of a secret.
pub const MASK: &str = "****";

/// Words of a key that make its value a secret.
const WORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pass",
    "pwd",
    "secret",
    "secrets",
    "token",
    "tokens",
    "key",
    "apikey",
    "credential",
    "credentials",
    "creds",
    "auth",
    "authorization",
    "cookie",
    "salt",
    "signature",
    "pin",
    "dsn",
];
/// Parts that make it one even inside a longer word, as in `dbpassword`.
const PARTS: &[&str] = &["password", "passwd", "passphrase", "secret", "apikey", "authtoken"];

/// Whether the value of a key looks like a secret by the key's name: one of its words, which
/// underscores, other signs and capitals separate, is one that secrets are called by.
pub fn is_secret(name: &str) -> bool {
    let lower = name.to_lowercase();
    if PARTS.iter().any(|part| lower.contains(part)) {
        return true;
    }
    let mut word = String::new();
    let mut was_lower = false;
    for character in name.chars().chain([' ']) {
        let begins = character.is_uppercase() && was_lower;
        if begins || !character.is_alphanumeric() {
            if WORDS.contains(&word.as_str()) {
                return true;
            }
            word.clear();
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        was_lower = character.is_lowercase();
    }
    false
}

/// A value as it may be shown under a key: masked if the key's name asks for it, and without the
/// secrets inside of it.
pub fn shown(name: &str, value: &str) -> String {
    if is_secret(name) && !value.trim().is_empty() {
        return MASK.to_owned();
    }
    without_secrets(value)
}

/// A text without the passwords of addresses, as in `postgres://user:password@host`, and without
/// what is assigned to secrets, as in `--password=x` or `"TOKEN=x y"`.
pub fn without_secrets(text: &str) -> String {
    without_assigned(&without_passwords(text))
}

fn without_assigned(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('=') {
        shown.push_str(before);
        shown.push('=');
        rest = after;
        let is_name = |sign: char| sign.is_alphanumeric() || "_-.".contains(sign);
        let start = before.trim_end_matches(is_name).len();
        let (outside, name) = before.split_at(start);
        if !is_secret(name) {
            continue;
        }
        // The quote may open before the value or, as systemd has it, before the name.
        let inside = after.strip_prefix(['"', '\'']).unwrap_or(after);
        let (opening, _) = after.split_at(after.len() - inside.len());
        let quote = opening.chars().next().or_else(|| outside.chars().next_back());
        let end = match quote.filter(|quote| "\"'".contains(*quote)) {
            Some(quote) => inside.find(quote),
            None => inside.find(|sign: char| sign.is_whitespace() || "\"';,&".contains(sign)),
        };
        let (secret, behind) = inside.split_at(end.unwrap_or(inside.len()));
        if !secret.is_empty() {
            shown.extend([opening, MASK]);
            rest = behind;
        }
    }
    shown.push_str(rest);
    shown
}

fn without_passwords(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some((before, after)) = rest.split_once("://") {
        text.push_str(before);
        text.push_str("://");
        let end = after
            .find(|character: char| character.is_whitespace() || "/?#\"'<>".contains(character))
            .unwrap_or(after.len());
        let (authority, behind) = after.split_at(end);
        match authority.rsplit_once('@') {
            Some((user, host)) => {
                let user = user.split_once(':').map_or(user, |(user, _)| user);
                text.extend([user, ":", MASK, "@", host]);
            }
            None => text.push_str(authority),
        }
        rest = behind;
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::{is_secret, shown};

    #[test]
    fn names_of_secrets_are_recognised_by_their_words() {
        for name in
            ["password", "DB_PASSWORD", "apiKey", "aws-secret", "github.token", "dbpassword", "KEY"]
        {
            assert!(is_secret(name), "{name}");
        }
        for name in ["keyboard", "monkey", "author", "compass", "name", "tokenizer", "pinned"] {
            assert!(!is_secret(name), "{name}");
        }
    }

    #[test]
    fn values_of_secrets_and_passwords_in_addresses_are_masked() {
        assert_eq!(shown("token", "abc"), "****");
        assert_eq!(shown("token", ""), "");
        assert_eq!(shown("url", "db://me:pw@host/x y"), "db://me:****@host/x y");
        assert_eq!(shown("url", "see https://a.b/c@d"), "see https://a.b/c@d");
    }

    #[test]
    fn what_a_value_assigns_to_secrets_is_masked() {
        for (value, expected) in [
            ("DB_PASSWORD=a b=c", "DB_PASSWORD=**** b=c"),
            ("\"TOKEN=a b\" \"B=c\"", "\"TOKEN=****\" \"B=c\""),
            ("run --api-key='a b' --n=1", "run --api-key='****' --n=1"),
            ("jdbc:h://h/d?user=a&password=b&x=1", "jdbc:h://h/d?user=a&password=****&x=1"),
            ("Server=h;Pwd=a;Port=1", "Server=h;Pwd=****;Port=1"),
            ("password=", "password="),
            ("key == 1", "key == 1"),
        ] {
            assert_eq!(shown("value", value), expected);
        }
    }
}
