//! Where the numbers of a report come from: the profile object of its run, with the whole comparator tuple and the
//! digest of the corpora. Every artifact has it; `protocols/exports/artifacts.toml` lists them.

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
    pub fn provenance(&self) -> [(&'static str, String); 3] {
        let profile = self.run_profile.as_ref();
        let member = |name: &str| profile.and_then(|profile| profile.get(name));
        let fixtures = member("fixtures_sha256").and_then(Value::as_str).unwrap_or_default();
        let tuple: Option<ComparatorTuple> =
            member("comparator_tuple").and_then(|tuple| serde_json::from_value(tuple.clone()).ok());
        let (commit, digest) = tuple
            .map(|tuple| (tuple.aider_commit_sha.clone(), tuple.identity_sha256()))
            .unwrap_or_default();
        [
            ("fixtures_sha256", fixtures.to_owned()),
            ("comparator_commit", commit),
            ("tuple_sha256", digest),
        ]
    }
}
