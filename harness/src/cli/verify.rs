//! `parity verify`: can a bundle be trusted?

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use record::{Digest, Plan, Profile, exit};
use verdict::{
    Evaluation, ProtocolError,
    bundle::{
        self, Claim, CycleError, Expectations, Policy, RecomputeError, Report, TestResult, cycle,
    },
    composition::Composition,
};

use super::Format;
use crate::{Failure, Folders, console::Output, run::derived};

/// The folders whose files must be the same in a bundle and in the verifier's checkout.
const PINNED: [&str; 5] = ["comparators", "corpora", "gold", "protocols", "queries"];

/// What a bundle can be claimed to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ClaimName {
    /// As good as the comparator.
    Parity,
    /// Better than the comparator.
    Exceed,
}

impl ClaimName {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Parity => "parity",
            Self::Exceed => "exceed",
        }
    }
}

/// Verify a sign-off bundle: signature, digests, and every gate recomputed from its recordings.
#[derive(Debug, Args)]
pub struct Verify {
    /// The bundle's folder.
    bundle: PathBuf,
    /// Who may sign, and how many must; by default your own key and those you trust.
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// The git commit under review; the bundle must be about it.
    #[arg(long, value_name = "ID")]
    commit: Option<String>,
    /// What the bundle must show. parity: it is a sign-off of the parity profile. exceed: the same, and
    /// the bundle of --exceed is a sign-off of the enhancement profile of the same cycle.
    #[arg(long, value_enum)]
    claim: Option<ClaimName>,
    /// The bundle of the enhancement profile, for --claim exceed.
    #[arg(long, value_name = "BUNDLE", required_if_eq("claim", "exceed"))]
    exceed: Option<PathBuf>,
    /// Do not compare the bundle with this checkout's protocols, corpora and comparators.
    #[arg(long)]
    any_protocol: bool,
    /// text: what was and was not checked; json: one object.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Short for --format json.
    #[arg(long)]
    json: bool,
}

impl Verify {
    /// Verifies and prints.
    pub fn run(self) -> Result<u8, Failure> {
        let policy = Policy::open(self.policy.as_deref())
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let root = (!self.any_protocol).then(Folders::find).transpose()?.map(|found| found.root);
        let files = root.as_deref().map(pinned_files).transpose()?;
        let expected = Expectations { files: files.as_ref(), commit: self.commit.as_deref() };
        let recompute = |copy: &Path, claim: &Claim| {
            let unusable = |error: ProtocolError| RecomputeError::Evidence(error.to_string());
            let composition =
                Composition::open(root.as_deref().unwrap_or(copy)).map_err(unusable)?;
            bundle::recompute(copy, claim, &composition, &made_again)
        };
        let verified = |bundle: &PathBuf| {
            bundle::verify(bundle, &policy, expected, &recompute).map_err(|error| {
                Failure::new(error.exit_code(), format!("{}: {error}", bundle.display()))
            })
        };
        let report = verified(&self.bundle)?;
        let exceed = self.exceed.as_ref().map(verified).transpose()?;
        let result = self.result(&report, exceed.as_ref())?;
        let claim = self.claim.map(ClaimName::as_str);
        let mut out = Output::new();
        if self.json || self.format == Format::Json {
            let mut document = serde_json::json!({"schema_version": 1, "report": report});
            if let Some(claim) = claim {
                document["claim"] = serde_json::json!({"name": claim, "result": result});
            }
            if let Some(exceed) = exceed {
                document["exceed"] = serde_json::json!(exceed);
            }
            out.pretty_json(&document)?;
        } else {
            write!(out, "{report}")?;
            if let Some(exceed) = exceed {
                write!(out, "\n{exceed}")?;
            }
            if let Some(claim) = claim {
                writeln!(out, "claim {claim}: {result}")?;
            }
        }
        out.flush()?;
        Ok(result.exit_code())
    }

    /// What the bundles come to, for what is claimed.
    fn result(&self, report: &Report, exceed: Option<&Report>) -> Result<TestResult, Failure> {
        let refused = |error: CycleError| {
            let bundle = self.bundle.display();
            Failure::new(error.exit_code(), format!("{bundle}: {error}"))
        };
        match (self.claim, exceed) {
            (_, Some(exceed)) => cycle::together(report, exceed).map_err(refused),
            (Some(_), None) => {
                cycle::of_profile(report, Profile::Parity).map_err(refused)?;
                Ok(report.result)
            }
            (None, None) => Ok(report.result),
        }
    }
}

/// The files that follow from the evidence in a folder.
fn made_again(
    dir: &Path,
    plan: &Plan,
    evaluation: &Evaluation,
) -> Result<BTreeMap<String, Vec<u8>>, String> {
    derived(dir, plan, evaluation).map_err(|failure| failure.to_string())
}

/// Digests of all files below the pinned folders of a checkout.
fn pinned_files(root: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut files = BTreeMap::new();
    let mut pending: BTreeSet<PathBuf> = PINNED.iter().map(|folder| root.join(folder)).collect();
    while let Some(folder) = pending.pop_first() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                pending.insert(path);
            } else if let Ok(name) = path.strip_prefix(root) {
                let digest = Digest::of_file(&path).map_err(|error| {
                    Failure::new(exit::IO, format!("{} cannot be read: {error}", path.display()))
                })?;
                files.insert(name.to_string_lossy().into_owned(), digest.as_str().to_owned());
            }
        }
    }
    Ok(files)
}
