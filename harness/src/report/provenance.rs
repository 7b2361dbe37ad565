//! Where the numbers of a report come from: the profile object of its run, with the whole comparator tuple
//! and the digest of the corpora. Every artifact has it; `protocols/exports/artifacts.toml` lists them all.

use serde_json::Value;

use super::{RunReport, escape::visible};
use crate::comparator::ComparatorTuple;

impl RunReport {
    /// The profile object as JSON on one line; `None` for a report of an earlier version.
    pub fn profile_line(&self) -> Option<String> {
        let profile = self.run_profile.as_ref()?;
        Some(visible(&profile.to_string()).into_owned())
    }

    /// Provenance as columns of a table, name and value: the digest of the corpora, and the commit of the comparator
    /// with the digest of its tuple. A value is empty where the run has none.
    ///
    /// # Errors
    /// The tuple of the report is malformed.
    pub fn provenance(&self) -> Result<[(&'static str, String); 3], serde_json::Error> {
        let profile = self.run_profile.as_ref();
        let member = |name: &str| profile.and_then(|profile| profile.get(name));
        let fixtures = member("fixtures_sha256").and_then(Value::as_str).unwrap_or_default();
        let tuple = member("comparator_tuple").cloned().map(serde_json::from_value);
        let tuple: Option<ComparatorTuple> = tuple.transpose()?.flatten();
        let (commit, digest) = tuple
            .map(|tuple| (tuple.aider_commit_sha.clone(), tuple.identity_sha256()))
            .unwrap_or_default();
        Ok([
            ("fixtures_sha256", fixtures.to_owned()),
            ("comparator_commit", commit),
            ("tuple_sha256", digest),
        ])
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::report::example;

    #[test]
    fn a_tuple_that_is_none_is_an_error_and_none_at_all_is_empty() {
        let mut report = example::passing();
        report.run_profile = Some(json!({"fixtures_sha256": "f", "comparator_tuple": null}));
        let values = report.provenance().expect("columns").map(|(_, value)| value);
        assert_eq!(values, ["f", "", ""]);
        report.run_profile = Some(json!({"comparator_tuple": {"aider_commit_sha": "c"}}));
        assert!(report.provenance().is_err());
    }
}
