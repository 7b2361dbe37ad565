//! What a verification found, for people and for programs.

use std::fmt;

use record::protocol::NAME;
use serde::Serialize;

use super::{
    name,
    note::{Environment, Reviewed},
    outcome::TestResult,
    recompute::Scope,
    reference::{Kind, Named},
    signatures::Signer,
    statement::Source,
};

/// The report on a bundle that is authentic, complete and consistent. Whether the tests in it
/// passed is another question: see [`Report::exit_code`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The result, claimed by the statement and confirmed by the recomputation.
    pub result: TestResult,
    /// What the bundle is about.
    pub scope: Option<Scope>,
    /// Tests that passed.
    pub passed: Vec<String>,
    /// Tests that could not be judged.
    pub warned: Vec<String>,
    /// Tests that failed.
    pub failed: Vec<String>,
    /// The source tree the bundle is about.
    pub source: Source,
    /// The trusted keys that signed.
    pub signers: Vec<Signer>,
    /// When and where the run was made, as a trusted runner states it.
    pub environment: Option<Environment>,
    /// The id of the key that says so.
    pub environment_by: Option<String>,
    /// What trusted reviewers say.
    pub reviews: Vec<Reviewed>,
    /// The reference that the bundle was held against; absent if there was none.
    pub reference: Option<Named>,
    /// Number of files checked, without the attestation.
    pub files: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// sha256 of the signed statement, which names everything else.
    pub statement_sha256: String,
    /// What this verification does not show, one sentence each.
    pub not_checked: Vec<String>,
}

impl Report {
    /// The exit code of the program: 0 only if the verified bundle says PASSED, 11 for WARNED,
    /// 10 for FAILED.
    pub const fn exit_code(&self) -> u8 {
        self.result.exit_code()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "verified: {} files, {} bytes", self.files, self.bytes)?;
        writeln!(out, "source: commit {}, tree {}", self.source.commit, self.source.tree)?;
        writeln!(out, "statement: sha256 {}", self.statement_sha256)?;
        for Signer { role, name, keyid, file } in &self.signers {
            writeln!(out, "signed by: {role} {name} {keyid} ({file})")?;
        }
        if let Some(Environment { host, started_at, finished_at, counter, .. }) = &self.environment
        {
            let (system, processor) = (&host.system, &host.processor);
            writeln!(out, "made: {started_at} to {finished_at}, counter {counter}")?;
            writeln!(
                out,
                "machine: {}, {}, {} × {}",
                name::printable(system),
                name::printable(&host.architecture),
                host.processors,
                name::printable(processor)
            )?;
        }
        for Reviewed { keyid, review } in &self.reviews {
            let short = keyid.get(..12).unwrap_or(keyid);
            let (role, at) = (name::printable(&review.role), &review.signed_at);
            writeln!(out, "reviewed: {role} {short}, {at}: {}", name::printable(&review.comment))?;
        }
        if let Some(Named { kind, path, protocol, sha256, files }) = &self.reference {
            let kind = match kind {
                Kind::Checkout => "checkout",
                Kind::Archive => "archive",
            };
            let path = name::shown(path);
            writeln!(out, "held against: {kind} {path}, protocol {protocol}, {files} files")?;
            writeln!(out, "reference: sha256 {sha256}")?;
        }
        if let Some(Scope { set, profile, corpora, skipped, .. }) = &self.scope {
            writeln!(out, "scope: set {set}, {profile} profile, protocol {NAME}")?;
            writeln!(out, "corpora: {}: {}", corpora.len(), corpora.join(" "))?;
            for (name, why) in skipped {
                writeln!(out, "skipped: {}: {}", name::printable(name), name::printable(why))?;
            }
        }
        let lists = [("passed", &self.passed), ("warned", &self.warned), ("failed", &self.failed)];
        for (name, tests) in lists.into_iter().filter(|(_, tests)| !tests.is_empty()) {
            writeln!(out, "{name}: {}", tests.join(" "))?;
        }
        for gap in &self.not_checked {
            writeln!(out, "not checked: {gap}")?;
        }
        writeln!(out, "result: {}", self.result)
    }
}
