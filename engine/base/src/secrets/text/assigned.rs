//! What is assigned to a name: `--password=x`, `"TOKEN=x y"`, `api_key: "x"`, `const SECRET: &str = "x"`.

use std::{borrow::Cow, ops::Range, sync::LazyLock};

use regex::Regex;

use super::Values;
use crate::secrets::{
    MASK,
    names::{Certainty, certainty},
    values,
};

/// A name and the assignment sign after it. Closing quotes or brackets and a type may stand between
/// them.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    let expression = r#"(?P<name>[A-Za-z_][0-9A-Za-z_.$-]{0,80})["'`\\\])?!]{0,4}\s{0,24}(?P<sign>:\s?[0-9A-Za-z_&'<>\[\]|?., ]{1,60}?\s?=|:=|={1,3}>?|!=|:)[ \t]{0,8}"#;
    #[expect(clippy::expect_used, reason = "it is part of the program and loaded by a test")]
    let named = Regex::new(expression).expect("the expression is valid");
    named
});

/// The text with everything that is assigned to the names of secrets masked.
pub fn masked(text: Cow<'_, str>, values: Values) -> Cow<'_, str> {
    // Every sign of an assignment has one of these; most short texts have none.
    if memchr::memchr2(b':', b'=', text.as_bytes()).is_none() {
        return text;
    }
    let mut shown = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = NAMED.captures_at(&text, at) {
        let (Some(all), Some(name), Some(sign)) =
            (found.get(0), found.name("name"), found.name("sign"))
        else {
            break;
        };
        // Search on after the sign: the value may itself assign something.
        at = all.end();
        let certainty = certainty(name.as_str());
        if certainty == Certainty::None {
            // What looked like a type may be another name with its value.
            at = if sign.len() > 3 { sign.start() + 1 } else { at };
            continue;
        }
        let place = Place {
            text: &text,
            before: text.get(..name.start()).and_then(|before| before.chars().next_back()),
            tight: all.end() - name.end() == 1 && sign.as_str() == "=",
            values,
        };
        let Some(secret) = place.secret(all.end(), certainty, name.as_str()) else { continue };
        shown.push_str(text.get(copied..secret.start).unwrap_or_default());
        shown.push_str(MASK);
        copied = secret.end;
        at = secret.end;
    }
    if copied == 0 {
        return text;
    }
    shown.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(shown)
}

/// Where a value stands.
struct Place<'a> {
    text: &'a str,
    /// The character before the name.
    before: Option<char>,
    /// Whether exactly `=` stands between name and value.
    tight: bool,
    values: Values,
}

impl Place<'_> {
    /// The range of the secret that begins at `start`, if one does.
    fn secret(&self, start: usize, certainty: Certainty, name: &str) -> Option<Range<usize>> {
        let value = self.text.get(start..)?;
        let secret = |range: Range<usize>| {
            let inside = value.get(range.clone())?;
            values::is_secret(certainty, name, inside, false)
                .then(|| start + range.start..start + range.end)
        };
        // A text inside a text, as in the source of a notebook: `\"…\"`.
        let slashes = value.bytes().take_while(|byte| *byte == b'\\').count();
        if slashes > 0
            && let Some(quote) = value.get(slashes..).and_then(|rest| rest.chars().next())
            && matches!(quote, '"' | '\'')
        {
            let open = slashes + 1;
            let end = value.get(..open)?;
            let rest = value.get(open..)?;
            let close = rest.find(end).or_else(|| rest.find('\n')).unwrap_or(rest.len());
            return secret(open..open + close);
        }
        // The prefix letters of `f"…"`, `b'…'` and `@"…"` are not part of the value.
        let near = value.get(..value.floor_char_boundary(4)).unwrap_or(value);
        let letters = near.find(['"', '\'', '`']).filter(|at| {
            near.get(..*at).is_some_and(|word| {
                word.chars().all(|sign| sign.is_ascii_alphabetic() || sign == '@' || sign == '$')
            })
        });
        if let Some(quote) = letters.and_then(|at| value.get(at..)?.chars().next()) {
            let open = letters.unwrap_or(0) + 1;
            let close = open + closing(value.get(open..)?, quote);
            return secret(open..close);
        }
        if value.starts_with('{') && certainty >= Certainty::Certain {
            return braces(start, value, certainty, name);
        }
        // Inside a string, such as the URL of a database, bare values occur in code as well.
        let inside_text = self.tight && self.before.is_some_and(|sign| "\"';&?".contains(sign));
        if self.values == Values::Quoted && !inside_text {
            return None;
        }
        // In files of systemd the quote may open before the name.
        let quoted = self.before.filter(|sign| self.tight && "\"'".contains(*sign));
        let end = match quoted {
            Some(quote) => value.find([quote, ';', '\n']),
            None => value.find(|sign: char| sign.is_whitespace() || "\"'`;,&<>|".contains(sign)),
        };
        let end = end.unwrap_or(value.len());
        let bare = value.get(..end)?.trim_end_matches(['.', ')', ']', '}', '*']);
        if is_expression(bare) {
            return None;
        }
        if !self.tight && !stands_alone(value, end, certainty) && !values::is_random(bare) {
            return None;
        }
        secret(0..bare.len())
    }
}

/// Whether the value is the last word of its line, except for a comment. A word of prose is
/// followed by others.
fn stands_alone(value: &str, end: usize, certainty: Certainty) -> bool {
    let rest = value.get(end..).and_then(|rest| rest.lines().next()).unwrap_or_default().trim();
    let comment = ["#", "//", ";", ","].iter().any(|start| rest.starts_with(start));
    certainty >= Certainty::Password && (rest.is_empty() || comment)
}

/// The range inside the braces of `password={a="…"}` if a text in them is a secret: they are masked
/// as one.
fn braces(start: usize, value: &str, certainty: Certainty, name: &str) -> Option<Range<usize>> {
    let end = value.find(['}', '\n'])?;
    let inside = value.get(1..end)?;
    let parts: Vec<&str> = inside.split(['"', '\'']).collect();
    let mut secrets = parts.chunks_exact(2).filter(|pair| {
        matches!(pair, [before, text] if before.trim_end().ends_with([':', '='])
            && values::is_secret(certainty, name, text, true))
    });
    secrets.next().filter(|_| !inside.contains('{')).map(|_| start + 1..start + end)
}

/// The number of bytes before the quote that ends a string, or before the end of the line.
fn closing(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, sign) in text.char_indices() {
        if sign == '\n' || !escaped && sign == quote {
            return at;
        }
        escaped = !escaped && sign == '\\';
    }
    text.len()
}

/// Whether a bare value is a call, an index or a reference rather than a literal.
fn is_expression(value: &str) -> bool {
    value.contains(['(', '[']) || value.starts_with('&')
}

#[cfg(test)]
mod tests {
    use super::{Values, masked};

    #[test]
    fn what_is_assigned_to_secrets_is_masked() {
        for (text, shown) in [
            ("DB_PASSWORD=a1 b=c", "DB_PASSWORD=**** b=c"),
            ("\"TOKEN=a b\" \"B=c\"", "\"TOKEN=****\" \"B=c\""),
            ("run --api-key='a b' --n=1", "run --api-key='****' --n=1"),
            ("jdbc:h://h/d?user=a&password=b1&x=1", "jdbc:h://h/d?user=a&password=****&x=1"),
            ("Server=h;Pwd=a1;Port=1", "Server=h;Pwd=****;Port=1"),
            ("password=", "password="),
            ("key == 1", "key == 1"),
            ("\"privatekey\": \"x9Kq\",", "\"privatekey\": \"****\","),
            ("let s: Secret = f()", "let s: Secret = f()"),
            ("password: must be long", "password: must be long"),
            ("pgpwd: hunter2 # mine", "pgpwd: **** # mine"),
            ("password={a=\"hunter2\"}", "password={****}"),
            ("mnemonic = \"legal winner thank year\"", "mnemonic = \"****\""),
            ("\"API_KEY = \\\"hunter2\\\"\\n\",", "\"API_KEY = \\\"****\\\"\\n\","),
            ("\"{\\\"password\\\":\\\"hunter2\\\"}\"", "\"{\\\"password\\\":\\\"****\\\"}\""),
            ("title = \"legal winner thank year\"", "title = \"legal winner thank year\""),
        ] {
            assert_eq!(masked(text.into(), Values::Bare), shown);
        }
    }

    #[test]
    fn in_code_only_texts_are_secrets() {
        for (text, shown) in [
            ("def f(password: str = \"hunter2\", n=1):", "def f(password: str = \"****\", n=1):"),
            ("const TOKEN: &str = \"abcdefgh\";", "const TOKEN: &str = \"****\";"),
            ("x = \"Server=h;Password=hunter2;\"", "x = \"Server=h;Password=****;\""),
            ("password = read_it; token: Token", "password = read_it; token: Token"),
            ("def reset_password(self, token):", "def reset_password(self, token):"),
        ] {
            assert_eq!(masked(text.into(), Values::Quoted), shown);
        }
    }
}
