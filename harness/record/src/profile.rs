//! The profile that a run is made under, and the object that its artifacts carry.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Whether to behave as the comparator does, or better than it. The two are never mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// Behave as the comparator does.
    Parity,
    /// Be better than it.
    Enhancement,
}

impl Profile {
    /// Both profiles.
    pub const ALL: [Self; 2] = [Self::Parity, Self::Enhancement];

    /// The name on the command line and in artifacts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Parity => "parity",
            Self::Enhancement => "enhancement",
        }
    }

    /// True for the profile that must equal the comparator.
    pub const fn is_parity(self) -> bool {
        matches!(self, Self::Parity)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// The token count that decides whether a map fits its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenCounterMode {
    /// The comparator's sampled estimate.
    ComparatorEstimate,
    /// The conservative count, never above the budget.
    SafetyCount,
}

/// The profile object, as maps, explorations and runs record it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileObject {
    /// Which profile ran.
    pub profile: Profile,
    /// True in the parity profile.
    pub parity_mode: bool,
    /// True if nothing depends on clocks or seeds.
    pub deterministic_mode: bool,
    /// Names of the enhancement tiers in force; `none` in the parity profile.
    pub enhancement_tiers_enabled: Vec<String>,
    /// The token count that decides whether a map fits.
    pub token_counter_mode: TokenCounterMode,
    /// The comparator that was measured against; absent where none was.
    #[serde(default)]
    pub comparator_tuple: Option<Value>,
}

impl ProfileObject {
    /// The object of a profile with its fixed toggles.
    pub fn new(profile: Profile, comparator_tuple: Option<Value>) -> Self {
        let (tiers, token_counter_mode): (&[&str], _) = match profile {
            Profile::Parity => (&["none"], TokenCounterMode::ComparatorEstimate),
            Profile::Enhancement => {
                (&["strict_budget", "extra_languages"], TokenCounterMode::SafetyCount)
            }
        };
        Self {
            profile,
            parity_mode: profile.is_parity(),
            deterministic_mode: true,
            enhancement_tiers_enabled: tiers.iter().map(|tier| (*tier).to_owned()).collect(),
            token_counter_mode,
            comparator_tuple,
        }
    }

    /// The reason why something that was made under this object may not be scored under a profile, or
    /// `None`: it must be of that profile and deterministic, and no parity run may have an enhancement tier.
    pub fn refusal(&self, profile: Profile) -> Option<String> {
        let parity = profile.is_parity();
        let leaks = parity && self.enhancement_tiers_enabled.iter().any(|tier| tier != "none");
        let fits = self.profile == profile && self.parity_mode == parity && !leaks;
        (!fits || !self.deterministic_mode)
            .then(|| format!("it was recorded under {self:?}, not under the {profile} profile"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Profile, ProfileObject};

    #[test]
    fn an_object_serves_its_own_profile_and_no_other() {
        for profile in Profile::ALL {
            let object = ProfileObject::new(profile, None);
            for other in Profile::ALL {
                assert_eq!(object.refusal(other).is_none(), other == profile);
            }
            let seeded = ProfileObject { deterministic_mode: false, ..object.clone() };
            assert!(seeded.refusal(profile).is_some());
        }
        let mut leaking = ProfileObject::new(Profile::Parity, None);
        leaking.enhancement_tiers_enabled = vec!["strict_budget".to_owned()];
        assert!(leaking.refusal(Profile::Parity).is_some());
    }
}
