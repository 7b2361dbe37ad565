//! The only wall clock: artifacts say when they were made. No digest or decision depends on it.

use std::time::SystemTime;

/// The current time, such as `2026-02-26T19:15:42Z`.
#[expect(clippy::disallowed_methods, reason = "an artifact says when it was made")]
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

#[cfg(test)]
mod tests {
    #[test]
    fn moments_are_iso_8601_in_utc() {
        let now = super::now();
        assert_eq!(now.len(), "2026-02-26T19:15:42Z".len());
        assert!(now.starts_with("20") && now.ends_with('Z') && now.contains('T'), "{now}");
    }
}
