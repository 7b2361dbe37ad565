//! The names of the gates.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Most bytes of a name.
const LONGEST: usize = 15;

/// The name of a gate in a file, such as `A1`: 1 to 15 ASCII letters, digits, `.`, `-` and `_`. Any such name can be
/// read, so that evidence of other versions can be read, too. `verdict::gate` has the gates of this version. Names
/// are ordered as texts; cells and verdicts are listed in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GateName([u8; LONGEST]);

/// The text is not a valid name of a gate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not the name of a gate")]
pub struct NoGateName(pub String);

impl GateName {
    /// A name that is written in the source. In a constant, an invalid name is a compile error.
    ///
    /// # Panics
    /// The text is not a valid name. Parse text that was read from a file instead.
    #[expect(clippy::panic, reason = "constants are evaluated when they are compiled")]
    pub const fn named(name: &'static str) -> Self {
        match Self::of(name) {
            Some(gate) => gate,
            None => panic!("this is not the name of a gate"),
        }
    }

    /// The name in a text; `None` if it is not valid.
    const fn of(name: &str) -> Option<Self> {
        let name = name.as_bytes();
        if name.is_empty() || name.len() > LONGEST {
            return None;
        }
        let mut padded = [0; LONGEST];
        let mut at = 0;
        while at < name.len() {
            if !(name[at].is_ascii_alphanumeric() || matches!(name[at], b'.' | b'-' | b'_')) {
                return None;
            }
            padded[at] = name[at];
            at += 1;
        }
        Some(Self(padded))
    }

    /// The name on the command line, in files and in reports.
    pub fn as_str(&self) -> &str {
        let length = self.0.iter().position(|byte| *byte == 0).unwrap_or(LONGEST);
        // A name is ASCII.
        str::from_utf8(&self.0[..length]).unwrap_or_default()
    }
}

impl fmt::Debug for GateName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "GateName({})", self.as_str())
    }
}

impl fmt::Display for GateName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl FromStr for GateName {
    type Err = NoGateName;

    fn from_str(name: &str) -> Result<Self, NoGateName> {
        Self::of(name).ok_or_else(|| NoGateName(name.to_owned()))
    }
}

impl TryFrom<String> for GateName {
    type Error = NoGateName;

    fn try_from(name: String) -> Result<Self, NoGateName> {
        Self::of(&name).ok_or(NoGateName(name))
    }
}

impl From<GateName> for String {
    fn from(gate: GateName) -> Self {
        gate.as_str().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::GateName;

    #[test]
    fn a_name_is_read_back_and_anything_else_is_refused() {
        for name in ["3A.0", "A1", "exact", "languages", "fifteen_letters"] {
            let gate: GateName = name.parse().unwrap();
            assert_eq!(gate.as_str(), name);
            let json = serde_json::to_string(&gate).unwrap();
            assert_eq!(json, format!("{name:?}"));
            assert_eq!(serde_json::from_str::<GateName>(&json).unwrap(), gate);
        }
        for text in ["", "A 1", "A1\n", "A\0", "Ä1", "a/b", "sixteen__letters"] {
            assert!(text.parse::<GateName>().is_err(), "{text:?}");
        }
        assert!(serde_json::from_str::<GateName>("\"../x\"").is_err());
    }

    #[test]
    fn gates_are_ordered_as_their_names_are() {
        let mut names = ["languages", "A10", "exact", "3A.0", "A1", "B1", "A"];
        let mut gates = names.map(GateName::named);
        names.sort_unstable();
        gates.sort_unstable();
        assert_eq!(gates, names.map(GateName::named));
    }
}
