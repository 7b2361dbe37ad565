//! From names to the gates of this version, and back.

use std::{fmt, str::FromStr};

use record::GateName;

use crate::gate::GateId;

/// A name that no gate of this version has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no gate {}; there are {}", .0.escape_debug(), GateId::ALL.map(GateId::as_str).join(", "))]
pub struct UnknownGate(pub String);

impl fmt::Display for GateId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl FromStr for GateId {
    type Err = UnknownGate;

    fn from_str(name: &str) -> Result<Self, UnknownGate> {
        let known = Self::ALL.into_iter().find(|id| id.as_str() == name);
        known.ok_or_else(|| UnknownGate(name.to_owned()))
    }
}

impl TryFrom<GateName> for GateId {
    type Error = UnknownGate;

    fn try_from(name: GateName) -> Result<Self, UnknownGate> {
        name.as_str().parse()
    }
}

impl From<GateId> for GateName {
    fn from(id: GateId) -> Self {
        id.name()
    }
}

impl PartialEq<GateId> for GateName {
    fn eq(&self, id: &GateId) -> bool {
        *self == id.name()
    }
}

#[cfg(test)]
mod tests {
    use record::GateName;

    use crate::gate::{GateId, UnknownGate};

    #[test]
    fn every_gate_is_found_by_its_name() {
        for id in GateId::ALL {
            assert_eq!(id.as_str().parse(), Ok(id));
            assert_eq!(GateId::try_from(id.name()), Ok(id));
            assert!(id.name() == id && id.name().as_str() == id.as_str());
            assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{id}\""));
            assert_eq!(serde_json::from_str::<GateId>(&format!("\"{id}\"")).unwrap(), id);
        }
        assert_eq!((GateId::VerticalSlice.as_str(), GateId::Exact.as_str()), ("3A.0", "exact"));
    }

    #[test]
    fn gates_are_ordered_as_their_names_are() {
        let ascending = |pair: &[GateId]| pair[0] < pair[1] && pair[0].name() < pair[1].name();
        assert!(GateId::ALL.windows(2).all(ascending), "{:?}", GateId::ALL);
    }

    #[test]
    fn a_name_that_no_gate_has_is_refused_with_the_list_of_the_gates() {
        let unknown = GateId::try_from(GateName::named("A99")).unwrap_err();
        assert_eq!(unknown, UnknownGate("A99".to_owned()));
        let told = unknown.to_string();
        assert!(told.starts_with("there is no gate A99; there are 3A.0, A1, A2, "), "{told}");
        assert!(told.ends_with(", exact, languages"), "{told}");
        let hostile = "\u{1b}[2J".parse::<GateId>().unwrap_err().to_string();
        assert!(hostile.starts_with("there is no gate \\u{1b}[2J; there are "), "{hostile}");
    }
}
