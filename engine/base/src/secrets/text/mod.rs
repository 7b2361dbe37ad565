//! Secrets that the place in a text gives away. Line breaks are kept.

mod assigned;
mod places;

use std::borrow::Cow;

use super::{MASK, forms};

/// How the value after a name has to be written to count as a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// With or without quotes, as in settings and messages.
    Bare,
    /// In quotes only: without them it is an expression or a type.
    Quoted,
}

/// The text with its secrets masked.
pub fn masked(text: &str, values: Values) -> Cow<'_, str> {
    let text = private_keys(text);
    let text = places::masked(text);
    let text = assigned::masked(text, values);
    forms::masked(text)
}

/// Masks the contents of private keys, line by line.
fn private_keys(text: &str) -> Cow<'_, str> {
    const END: &str = "-----END ";
    /// Longest key, in bytes: an `END` line farther away belongs to another key.
    const LONGEST: usize = 16 * 1024;
    let begins = |text: &str| {
        memchr::memmem::find_iter(text.as_bytes(), "-----BEGIN ").find_map(|at| {
            let line = text.get(at..)?.lines().next()?;
            let (head, _) = line.get(11..)?.split_once("-----")?;
            let is_key = head.ends_with("PRIVATE KEY") || head.ends_with("PRIVATE KEY BLOCK");
            is_key.then_some(at + 11 + head.len() + 5)
        })
    };
    if begins(text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = begins(rest) {
        let (before, key) = rest.split_at(start);
        shown.push_str(before);
        let near = key.get(..key.floor_char_boundary(LONGEST)).unwrap_or(key);
        let end = near.find(END).unwrap_or_else(|| without_end(near));
        let (secret, behind) = key.split_at(end);
        for (index, line) in secret.split('\n').enumerate() {
            if index > 0 {
                shown.push('\n');
            }
            if !line.trim().is_empty() {
                shown.push_str(MASK);
            }
        }
        rest = behind;
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// The number of bytes that belong to a private key without an `END` line, for example in a file
/// that was cut off: the rest of its first line, and the following lines as long as they hold
/// nothing but a header or long base64.
fn without_end(key: &str) -> usize {
    /// Shortest line of base64, in bytes; a shorter one may be an ordinary word.
    const SHORTEST: usize = 24;
    let of_key = |line: &str| {
        let line = line.trim();
        let is_head = ["Proc-Type:", "DEK-Info:", "Version:", "Comment:"]
            .iter()
            .any(|name| line.starts_with(name));
        let is_base64 = line.len() >= SHORTEST
            && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
        line.is_empty() || is_head || is_base64
    };
    let mut lines = key.split_inclusive('\n');
    let first = lines.next().map_or(0, |line| line.trim_end_matches('\n').len());
    let rest: usize = lines.take_while(|line| of_key(line)).map(str::len).sum();
    if rest == 0 { first } else { first + 1 + rest }
}

#[cfg(test)]
mod tests {
    use super::{Values, masked};

    #[test]
    fn a_private_key_is_masked_line_by_line() {
        let text =
            "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\nxyz\n-----END RSA PRIVATE KEY-----\nb\n";
        let shown =
            "a\n-----BEGIN RSA PRIVATE KEY-----\n****\n****\n-----END RSA PRIVATE KEY-----\nb\n";
        assert_eq!(masked(text, Values::Quoted), shown);
        let line = "key: -----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\\n";
        assert!(!masked(line, Values::Bare).contains("MIIE"));
        assert_eq!(
            masked("-----BEGIN PRIVATE KEY----- MIIE\nnext", Values::Bare),
            "-----BEGIN PRIVATE KEY-----****\nnext"
        );
        let cut = format!("-----BEGIN RSA PRIVATE KEY-----\n{0}\n{0}\nwords", "MIIE".repeat(16));
        assert_eq!(
            masked(&cut, Values::Quoted),
            "-----BEGIN RSA PRIVATE KEY-----\n****\n****\nwords"
        );
        let public = "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----";
        assert_eq!(masked(public, Values::Bare), public);
    }
}
