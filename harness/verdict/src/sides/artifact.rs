//! Recordings as they are: what is looked for in them are leaks.

use std::collections::BTreeMap;

use serde_json::Value;

/// One map of ours as it was recorded: a process prints one, a session one for each call.
#[derive(Debug, Clone)]
pub struct Artifact {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The whole environment that it ran in.
    pub env: BTreeMap<String, String>,
    /// The JSON that it printed of this map.
    pub document: Value,
}

/// What the comparator's recording says.
#[derive(Debug, Clone)]
pub struct Held {
    /// Members of the tuple as the comparator measured them.
    pub tuple: BTreeMap<String, Value>,
    /// The command line that the comparator's own entry point was given for this case.
    pub argv: Option<Vec<String>>,
    /// The multiplier for an empty chat as the comparator understood it.
    pub multiplier: Option<f64>,
}
