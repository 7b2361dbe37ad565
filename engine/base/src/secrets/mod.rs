//! Secrets in what we show: passwords, keys and tokens are replaced by `****`, whoever wrote the
//! text.
//!
//! Three things mark a text as a secret: the name of the value (`names`, `words.toml`), a form that
//! a service has published for its tokens (`forms`, `forms.toml`), and its place in the text
//! (`text`): the password in a URL, the word after `Bearer`, the lines of a private key. How random
//! a text looks helps to decide where the name alone does not (`values`, `values.toml`).
//!
//! It errs on the side of masking. `tests/secrets` counts what it finds and misses over labelled
//! texts; the result is in `reports/explore/secrets.txt`.

mod forms;
mod lines;
mod names;
mod text;
mod values;

use std::borrow::Cow;

pub use names::{Certainty, certainty};

/// What stands in place of a secret.
pub const MASK: &str = "****";

/// Longest value that is looked at, in bytes: no secret is longer, and callers show less of a value
/// than this.
const LONGEST: usize = 16 * 1024;

/// Whether secrets are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Secrets {
    /// They are replaced: for agents, files and everything else that other people may see.
    #[default]
    Masked,
    /// They are left as they are: for people who ask for it.
    Shown,
}

impl Secrets {
    /// A value as it may be shown under its name. Both come from a data format, so the value is not
    /// code.
    pub fn value<'a>(self, name: &str, value: &'a str) -> Cow<'a, str> {
        self.below([name], value)
    }

    /// Like [`Secrets::value`], for a value inside several named values; `names` runs from the
    /// value's own name to the outermost. What `password = {a = "…"}` holds is secret as well.
    pub fn below<'a, 'n>(
        self,
        names: impl IntoIterator<Item = &'n str>,
        value: &'a str,
    ) -> Cow<'a, str> {
        if self == Self::Shown || value.trim().is_empty() {
            return Cow::Borrowed(value);
        }
        let looked_at = value.get(..value.floor_char_boundary(LONGEST)).unwrap_or(value);
        for (level, name) in names.into_iter().enumerate() {
            if values::is_secret(names::certainty(name), name, looked_at, level > 0) {
                return Cow::Borrowed(MASK);
            }
        }
        if looked_at.len() < value.len() {
            return Cow::Owned(text::masked(looked_at, text::Values::Bare).into_owned());
        }
        text::masked(value, text::Values::Bare)
    }

    /// Text of any kind, such as a log message, in which a value may follow its name without
    /// quotes.
    pub fn text(self, text: &str) -> Cow<'_, str> {
        self.masked(text, text::Values::Bare)
    }

    /// Source code, or text that we wrote ourselves: a value is secret only in quotes, because
    /// without them it is an expression or a type.
    pub fn code(self, text: &str) -> Cow<'_, str> {
        self.masked(text, text::Values::Quoted)
    }

    fn masked(self, text: &str, values: text::Values) -> Cow<'_, str> {
        if self == Self::Shown { Cow::Borrowed(text) } else { text::masked(text, values) }
    }

    /// The lines of a whole file. Its name says what else is secret in it: `.netrc`, `.pgpass`,
    /// `.htpasswd`, `.env`, and every file in a folder `.aws`. In source code (`is_code`), values are
    /// secret only in quotes.
    pub fn lines<'a>(self, file: &str, text: &'a str, is_code: bool) -> Vec<Cow<'a, str>> {
        if self == Self::Shown {
            return text.lines().map(Cow::Borrowed).collect();
        }
        let values = if is_code { text::Values::Quoted } else { text::Values::Bare };
        lines::masked(file, text, values)
    }
}
