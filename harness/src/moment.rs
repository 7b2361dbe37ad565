//! The wall clock, for times that people read. No verdict depends on it.

use std::time::{SystemTime, UNIX_EPOCH};

/// The time of the wall clock.
#[expect(
    clippy::disallowed_methods,
    reason = "said to readers; it enters no identity and no verdict"
)]
pub fn clock() -> SystemTime {
    SystemTime::now()
}

/// Now, in UTC to the second: `2026-11-23T01:30:00Z`.
pub fn now() -> String {
    written(clock())
}

/// A time in UTC to the second.
pub fn written(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}

/// Seconds from 1970 to a time; 0 for earlier ones.
pub fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
