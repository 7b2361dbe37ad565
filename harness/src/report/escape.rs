//! Names made safe for where they are printed.
//!
//! A file name may hold anything but `/` and NUL: line feeds, terminal escapes, direction overrides,
//! mark-up. [`visible`] comes first everywhere and leaves one line of printable text; the others add
//! what their format needs.

pub use base::text::visible::visible;

/// Text or an attribute value of HTML and XML. Since [`visible`] has shown the control characters,
/// what remains is legal in XML 1.0 too.
pub fn markup(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in visible(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A regular expression that matches exactly this text.
pub fn regex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// One word of a POSIX shell command, quoted if it needs to be. Hidden characters are shown, so a
/// command with such a name in it reads right but must be typed by hand.
pub fn shell(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./,:=@%+".contains(c);
    let text = visible(text);
    if !text.is_empty() && text.chars().all(plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::{markup, regex, shell};

    #[test]
    fn a_name_cannot_leave_its_place_in_markup() {
        let name = "</script><img src=x onerror='a\"b'>&\0";
        let escaped = markup(name);
        assert!(!escaped.contains(['<', '>', '"', '\'', '\0']));
        assert!(escaped.ends_with(r"&amp;\u{0}"));
    }

    #[test]
    fn a_command_line_keeps_a_name_in_one_word() {
        assert_eq!(shell("flask"), "flask");
        assert_eq!(shell("$(rm -rf x)"), "'$(rm -rf x)'");
        assert_eq!(shell("it's"), r"'it'\''s'");
        assert_eq!(shell(""), "''");
        assert_eq!(regex("@shopify/cli-kit"), r"@shopify/cli\-kit");
        assert_eq!(regex("a.b"), r"a\.b");
    }
}
