//! The names of the gates.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A gate. The order is that of the names, in which cells and verdicts are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum GateId {
    /// The vertical slice, `3A.0`.
    VerticalSlice,
    /// Ranking concordance.
    A1,
    /// Stages and rendering.
    A2,
    /// Budget safety and accounting.
    A3,
    /// Refresh semantics.
    A4,
    /// Determinism.
    A5,
    /// Profile leakage.
    A6,
    /// Code explorers.
    B1,
    /// Disclosure.
    B2,
    /// Runtime paths of large content.
    B3,
    /// Data formats.
    B4,
    /// The whole of A and B, end to end.
    B5,
    /// Equality with the canonical comparator, `exact`.
    Exact,
    /// Real files behind each language, `languages`.
    Languages,
}

/// A name that no gate has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no gate {0}")]
pub struct UnknownGate(pub String);

impl GateId {
    /// All gates, in order.
    pub const ALL: [Self; 14] = [
        Self::VerticalSlice,
        Self::A1,
        Self::A2,
        Self::A3,
        Self::A4,
        Self::A5,
        Self::A6,
        Self::B1,
        Self::B2,
        Self::B3,
        Self::B4,
        Self::B5,
        Self::Exact,
        Self::Languages,
    ];

    /// The name on the command line, in files and in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::VerticalSlice => "3A.0",
            Self::A1 => "A1",
            Self::A2 => "A2",
            Self::A3 => "A3",
            Self::A4 => "A4",
            Self::A5 => "A5",
            Self::A6 => "A6",
            Self::B1 => "B1",
            Self::B2 => "B2",
            Self::B3 => "B3",
            Self::B4 => "B4",
            Self::B5 => "B5",
            Self::Exact => "exact",
            Self::Languages => "languages",
        }
    }
}

impl fmt::Display for GateId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl FromStr for GateId {
    type Err = UnknownGate;

    fn from_str(name: &str) -> Result<Self, UnknownGate> {
        let found = Self::ALL.into_iter().find(|gate| gate.as_str() == name);
        found.ok_or_else(|| UnknownGate(name.to_owned()))
    }
}

impl TryFrom<String> for GateId {
    type Error = UnknownGate;

    fn try_from(name: String) -> Result<Self, UnknownGate> {
        name.parse()
    }
}

impl From<GateId> for &'static str {
    fn from(gate: GateId) -> Self {
        gate.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::GateId;

    #[test]
    fn the_order_is_that_of_the_names_and_each_is_read_back() {
        assert!(GateId::ALL.is_sorted());
        assert!(GateId::ALL.map(GateId::as_str).is_sorted());
        for gate in GateId::ALL {
            let json = serde_json::to_string(&gate).unwrap();
            assert_eq!(json, format!("{:?}", gate.as_str()));
            assert_eq!(serde_json::from_str::<GateId>(&json).unwrap(), gate);
        }
        assert!("A7".parse::<GateId>().is_err());
    }
}
