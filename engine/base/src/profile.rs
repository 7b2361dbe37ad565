//! The one execution-profile object that every artifact carries.

use serde::{Deserialize, Serialize};

/// Whether to behave as the comparator does, or better than it. The two are never mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// Behave as the comparator does.
    Parity,
    /// Be better than the comparator: strict budgets, more languages.
    Enhancement,
}

impl Profile {
    /// The profile's name on the command line and in artifacts.
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

/// The profile object as it is recorded: profile, toggles and token count. The caller that knows
/// the comparator tuple adds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutionProfile {
    /// Which profile ran.
    pub profile: Profile,
    /// The reference's name for the same fact: true exactly for [`Profile::Parity`].
    pub parity_mode: bool,
    /// True when no step depends on a clock, a thread count or a hash seed.
    pub deterministic_mode: bool,
    /// Names of the enhancement tiers in force; `none` in the parity profile.
    pub enhancement_tiers_enabled: Vec<String>,
    /// Which token count decides whether a map fits the budget.
    pub token_counter_mode: TokenCounterMode,
    /// The comparator that this run is compared with; absent outside a scored run.
    pub comparator_tuple: Option<serde_json::Value>,
}

/// Which token count decides whether a map fits the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenCounterMode {
    /// The comparator's sampled estimate, within 15 % of the target on either side.
    ComparatorEstimate,
    /// The conservative safety count, never above the budget.
    SafetyCount,
}

impl ExecutionProfile {
    /// The object for a profile with its fixed toggles.
    pub fn new(profile: Profile) -> Self {
        let (tiers, counter) = match profile {
            Profile::Parity => (vec!["none".to_owned()], TokenCounterMode::ComparatorEstimate),
            Profile::Enhancement => (
                vec!["strict_budget".to_owned(), "extra_languages".to_owned()],
                TokenCounterMode::SafetyCount,
            ),
        };
        Self {
            profile,
            parity_mode: profile.is_parity(),
            deterministic_mode: true,
            enhancement_tiers_enabled: tiers,
            token_counter_mode: counter,
            comparator_tuple: None,
        }
    }
}
