//! The set of corpora as a flag's value.

use clap::ValueEnum;

/// The value of `--set`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SetName {
    /// A few small corpora, for every change.
    Smoke,
    /// All corpora.
    Full,
}

impl SetName {
    /// Its name in locks.
    pub fn name(self) -> &'static str {
        record::Set::from(self).as_str()
    }
}

impl From<SetName> for record::Set {
    fn from(name: SetName) -> Self {
        match name {
            SetName::Smoke => Self::Smoke,
            SetName::Full => Self::Full,
        }
    }
}
