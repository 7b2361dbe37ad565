//! The profile as a flag's value.

use clap::ValueEnum;

/// The value of `--profile`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProfileName {
    /// Behave as the comparator does.
    Parity,
    /// Do better than the comparator.
    Enhancement,
}

impl From<ProfileName> for base::profile::Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Parity => Self::Parity,
            ProfileName::Enhancement => Self::Enhancement,
        }
    }
}

impl From<ProfileName> for record::Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Parity => Self::Parity,
            ProfileName::Enhancement => Self::Enhancement,
        }
    }
}
