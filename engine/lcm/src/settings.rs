//! The settings of a user.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

/// The settings that decide whether tool output is intercepted. A path obeys those that its row
/// names under `config_gates`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Large tool output is not intercepted at all.
    pub disable_large_tool_output: bool,
    /// Output of more tokens than this is large; the default is 10,000.
    pub large_tool_output_token_threshold: NonZeroU64,
}

/// The comparator's threshold in tokens.
const THRESHOLD: NonZeroU64 = NonZeroU64::new(10_000).unwrap();

impl Default for Settings {
    fn default() -> Self {
        Self { disable_large_tool_output: false, large_tool_output_token_threshold: THRESHOLD }
    }
}
