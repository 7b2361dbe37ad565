//! Names made safe for where they are printed.
//!
//! A file name may hold anything but `/` and NUL: line feeds, terminal escapes, direction overrides,
//! mark-up. [`visible`] comes first everywhere and leaves one line of printable text; the others add
//! what their format needs.

use std::borrow::Cow;

pub use base::text::visible::visible;

/// One word of a POSIX shell command, quoted if it needs to be. Hidden characters are shown, so a
/// command with such a name in it reads right but must be typed by hand.
pub fn shell(text: &str) -> String {
    // Quoting fails on a NUL alone, which is shown.
    let text = visible(text);
    shlex::try_quote(&text).map_or_else(|_| text.to_string(), Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::{shell, visible};

    #[test]
    fn a_command_line_keeps_a_name_in_one_word() {
        assert_eq!(shell("flask"), "flask");
        assert_eq!(shell("$(rm -rf x)"), "'$(rm -rf x)'");
        assert_eq!(shell(""), "''");
        for text in ["it's", "a b", "^ripgrep$", "#", "~", "\"\\!*", "\n"] {
            assert_eq!(
                shlex::split(&shell(text)),
                Some(vec![visible(text).into_owned()]),
                "{text}"
            );
        }
    }
}
