//! Masks the secrets in facts: one pass over all texts in all facts, at the end of every
//! exploration.
//!
//! Explorers have masked every value whose name they know. What is left for this pass are tokens,
//! URLs with a password, and assignments within a text. Names by which facts are sorted stay as
//! they are.

use std::{borrow::Cow, collections::BTreeMap};

use base::secrets::Secrets;

use crate::{findings::cut, text::Encoding, value::Value};

/// Shortest text that can contain a secret and a sign that it is one, in bytes.
const SHORTEST: usize = 6;
/// Number of bytes beyond the cut of a text that are examined for secrets.
const BEHIND: usize = 16 * 1024;

/// Facts that can be masked.
pub trait Mask {
    /// Masks the secrets in all texts.
    fn mask(&mut self, secrets: Secrets);
}

impl Mask for String {
    fn mask(&mut self, secrets: Secrets) {
        if self.len() >= SHORTEST
            && let Cow::Owned(masked) = secrets.code(self)
        {
            *self = masked;
        }
    }
}

impl<T: Mask> Mask for Option<T> {
    fn mask(&mut self, secrets: Secrets) {
        for one in self.iter_mut() {
            one.mask(secrets);
        }
    }
}

impl<T: Mask> Mask for Vec<T> {
    fn mask(&mut self, secrets: Secrets) {
        for one in self.iter_mut() {
            one.mask(secrets);
        }
    }
}

impl<T: Mask, const N: usize> Mask for [T; N] {
    fn mask(&mut self, secrets: Secrets) {
        for one in self.iter_mut() {
            one.mask(secrets);
        }
    }
}

impl<K, T: Mask> Mask for BTreeMap<K, T> {
    fn mask(&mut self, secrets: Secrets) {
        for one in self.values_mut() {
            one.mask(secrets);
        }
    }
}

impl Mask for Value {
    /// Recursion is bounded: facts nest only a few levels, whatever the file.
    fn mask(&mut self, secrets: Secrets) {
        match self {
            Self::Text(text) => text.mask(secrets),
            Self::List(items) => items.mask(secrets),
            Self::Record(record) => record.mask(secrets),
            Self::Null | Self::Flag(_) | Self::Count(_) | Self::Negative(_) | Self::Number(_) => {}
        }
    }
}

impl Mask for serde_json::Value {
    /// Recursion is bounded: facts nest only a few levels, whatever the file.
    fn mask(&mut self, secrets: Secrets) {
        match self {
            Self::String(text) => text.mask(secrets),
            Self::Array(items) => items.mask(secrets),
            Self::Object(members) => members.values_mut().for_each(|one| one.mask(secrets)),
            Self::Null | Self::Bool(_) | Self::Number(_) => {}
        }
    }
}

/// Types that contain no text of the file.
macro_rules! without_text {
    ($($name:ty),*) => {
        $(impl Mask for $name {
            fn mask(&mut self, _: Secrets) {}
        })*
    };
}

without_text!(bool, u8, u32, u64, usize, f64, &'static str, Encoding);

/// Implements [`Mask`] for types with all of their fields, so that no field can be forgotten.
macro_rules! masked {
    ($($name:ident { $($member:ident),* $(,)? })*) => {
        $(impl $crate::masked::Mask for $name {
            fn mask(&mut self, secrets: base::secrets::Secrets) {
                let Self { $($member),* } = self;
                $($crate::masked::Mask::mask($member, secrets);)*
            }
        })*
    };
}

pub(crate) use masked;

/// A text of at most `limit` characters. A text that is cut is masked first, because a piece of a
/// secret would not be recognised; other texts are masked at the end, like all facts.
pub fn shortened(secrets: Secrets, text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    cut(&secrets.code(near(text, limit)), limit)
}

/// The part of a text that has to be masked so that its first `limit` characters contain no piece
/// of a secret.
pub fn near(text: &str, limit: usize) -> &str {
    let near = limit.saturating_mul(4).saturating_add(BEHIND);
    text.get(..text.floor_char_boundary(near)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use base::secrets::Secrets;

    use super::{Mask, shortened};
    use crate::value::Value;

    #[test]
    fn a_text_is_masked_before_it_is_cut() {
        let token = ["gh", "p_", &"a1B2".repeat(9)].concat();
        let text = format!("0123456789 {token}");
        assert_eq!(shortened(Secrets::Masked, &text, 20), "0123456789 ****");
        assert_eq!(shortened(Secrets::Shown, &text, 20), "0123456789 ghp_a1...");
        assert_eq!(shortened(Secrets::Masked, "short", 5), "short");
    }

    #[test]
    fn all_texts_of_a_value_are_masked() {
        let address = "https://me:hunter2@example.org/";
        let mut value = Value::of(serde_json::json!({ "a": [{ "b": address }, 1, null] }));
        value.mask(Secrets::Masked);
        let masked = serde_json::json!({ "a": [{ "b": "https://me:****@example.org/" }, 1, null] });
        assert_eq!(value, Value::of(masked));
        let mut shown = Some(address.to_owned());
        shown.mask(Secrets::Shown);
        assert_eq!(shown.as_deref(), Some(address));
    }
}
