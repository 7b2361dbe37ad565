//! Names made safe for where they are printed.
//!
//! A file name may hold anything but `/` and NUL: line feeds, terminal escapes, direction overrides,
//! mark-up. [`visible`] is always applied first and gives one line of printable text; the other
//! functions add what their format needs.

use std::borrow::Cow;

pub use base::text::visible::visible;

/// One word of a POSIX shell command, quoted if necessary. Hidden characters are shown in escaped form,
/// so a command with such a name is readable, but must be typed by hand.
pub fn shell(text: &str) -> String {
    // Quoting fails only on a NUL, which `visible` has replaced.
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
