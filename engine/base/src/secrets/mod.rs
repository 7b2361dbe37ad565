//! Secrets in what we show: passwords, keys and tokens are replaced by `****`, whoever writes the text.
//!
//! Three things say that a text is a secret: the name that it stands under (`names`, `words.toml`), a
//! form that a service has published for its tokens (`forms`, `forms.toml`), and the place where it stands
//! (`text`): the password of an address, what follows `Bearer`, the lines of a private key. How random
//! a text looks is a hint where a name alone does not decide (`values`, `values.toml`).
//!
//! It errs on the side of masking. What it finds and what it misses is counted over labelled texts by
//! `tests/secrets`, and reported in `reports/explore/secrets.txt`.

mod forms;
mod lines;
mod names;
mod text;
mod values;

use std::borrow::Cow;

pub use names::{Certainty, certainty};

/// What stands in place of a secret.
pub const MASK: &str = "****";

/// Longest text that is looked at under a name, in bytes: no secret is longer, and whoever shows a value
/// shows less of it.
const LONGEST: usize = 16 * 1024;

/// Whether secrets are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Secrets {
    /// They are replaced: for agents, files and whatever may be seen by others.
    #[default]
    Masked,
    /// They are left: for people who ask for it.
    Shown,
}

impl Secrets {
    /// A value as it may be shown under its name, both from a data format: nothing in the value is code.
    pub fn value<'a>(self, name: &str, value: &'a str) -> Cow<'a, str> {
        self.below([name], value)
    }

    /// As [`Secrets::value`], below several names, from the value's own to the outermost: what
    /// `password = {a = "…"}` holds is secret as well.
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

    /// Text of any kind, such as a message of a log: a value may stand behind its name without quotes.
    pub fn text(self, text: &str) -> Cow<'_, str> {
        self.masked(text, text::Values::Bare)
    }

    /// Source code, or text that we wrote ourselves: what a name is given is secret only in quotes, because
    /// without them it is an expression or a type.
    pub fn code(self, text: &str) -> Cow<'_, str> {
        self.masked(text, text::Values::Quoted)
    }

    fn masked(self, text: &str, values: text::Values) -> Cow<'_, str> {
        if self == Self::Shown { Cow::Borrowed(text) } else { text::masked(text, values) }
    }

    /// The lines of a whole file, whose name says what else is secret in it: `.netrc`, `.pgpass`,
    /// `.htpasswd`, `.env`, and every file in a folder `.aws`. Values of source code (`is_code`) are secret only
    /// in quotes.
    pub fn lines<'a>(self, file: &str, text: &'a str, is_code: bool) -> Vec<Cow<'a, str>> {
        if self == Self::Shown {
            return text.lines().map(Cow::Borrowed).collect();
        }
        let values = if is_code { text::Values::Quoted } else { text::Values::Bare };
        lines::masked(file, text, values)
    }
}
