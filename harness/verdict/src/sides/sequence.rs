//! What one side did in a sequence of calls.

/// What one side did in one sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SequenceSide {
    /// The mode in force.
    pub refresh: String,
    /// The calls.
    pub calls: Vec<CallSide>,
}

/// What one side did in one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallSide {
    /// The map; empty if there is none.
    pub text: String,
    /// True if the answer was stored by an earlier call.
    pub cached: bool,
    /// How each step of the fallback chain ended.
    pub steps: Vec<Step>,
}

/// How one step of the fallback chain ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Before anything was looked at: no budget, or no other file.
    Skipped,
    /// With a stored answer.
    Served,
    /// With a computed one.
    Computed,
    /// With an exception, which disables the map.
    Failed,
}
