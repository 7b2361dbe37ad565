//! Explorations as the JSON that users get.

use explore::Exploration;
use serde_json::Value;

/// A member of `fields`; none if there is no such member.
pub fn fact(found: &Exploration, name: &str) -> Option<Value> {
    serde_json::to_value(&found.fields).unwrap().get_mut(name).map(Value::take)
}
