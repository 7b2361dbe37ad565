//! Checks that the baselines of summaries were asked as they must be.

use record::{Capture, baselines::COMMAND};
use serde_json::Value;

/// Which part of a recording differs from what the program must be asked, if any. `request` is what it must have
/// read.
pub(super) fn asked_otherwise(capture: &Capture, request: &Value) -> Option<&'static str> {
    let env = [("LC_ALL", "C.UTF-8"), ("PATH", "$PATH")];
    let found = capture.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let read: Option<Value> = serde_json::from_slice(&capture.stdin).ok();
    if capture.argv != COMMAND {
        Some("command line")
    } else if !found.eq(env) {
        Some("environment")
    } else if read.as_ref() != Some(request) {
        Some("input")
    } else {
        None
    }
}
