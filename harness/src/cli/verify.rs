//! `parity verify`: can a bundle be trusted?

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use record::{Profile, exit};
use verdict::bundle::{Accepted, AcceptedError, CycleError, Report, TestResult, cycle, keys};

use super::{
    Format,
    against::{Against, Folder},
};
use crate::{Failure, console::Output};

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
    /// The bundle: its folder, or the file that `parity bundle export` made of it.
    bundle: PathBuf,
    #[command(flatten)]
    against: Against,
    /// The git commit under review; the bundle must be about it. Its first seven digits or more.
    #[arg(long, value_name = "ID")]
    commit: Option<String>,
    /// What the bundle must show. parity: it is a sign-off of the parity profile. exceed: the same, and
    /// the bundle of --exceed is a sign-off of the enhancement profile of the same cycle.
    #[arg(long, value_enum)]
    claim: Option<ClaimName>,
    /// The bundle of the enhancement profile, for --claim exceed and nothing else.
    #[arg(long, value_name = "BUNDLE", required_if_eq("claim", "exceed"))]
    exceed: Option<PathBuf>,
    /// Remember it as the newest that you accepted: older ones of the same key, set and profile are refused
    /// from then on.
    #[arg(long)]
    accept: bool,
    /// Verify it although you accepted a newer one.
    #[arg(long, conflicts_with = "accept")]
    older: bool,
    /// text: what was and was not checked; json: one object.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Short for --format json.
    #[arg(long)]
    json: bool,
}

impl Verify {
    /// Verifies the bundles and prints the result.
    pub fn run(self) -> Result<u8, Failure> {
        self.check_claim()?;
        let bundle = Folder::of(&self.bundle)?;
        let other = self.exceed.as_deref().map(Folder::of).transpose()?;
        let folders: Vec<&Folder> = [&bundle].into_iter().chain(&other).collect();
        let reader = self.against.open(&folders)?;
        let report = reader.verify(&bundle, &self.bundle, self.commit.as_deref())?;
        let exceed = match (&other, &self.exceed) {
            (Some(other), Some(named)) => {
                Some(reader.verify(other, named, self.commit.as_deref())?)
            }
            _ => None,
        };
        let result = self.result(&report, exceed.as_ref())?;
        // Only after everything is verified is a bundle remembered.
        self.compare(&report, exceed.as_ref())?;
        Failure::after(self.print(&report, exceed.as_ref(), result), result.exit_code())
    }

    /// Checks that a second bundle is given only for the claim that needs it. Without the claim its
    /// result would count, but the output would not say for what.
    fn check_claim(&self) -> Result<(), Failure> {
        if self.exceed.is_none() || self.claim == Some(ClaimName::Exceed) {
            return Ok(());
        }
        let why =
            "--exceed names the second bundle of --claim exceed: give both, or none of the two";
        Err(Failure::new(exit::USAGE, why.to_owned()))
    }

    /// Prints what was found.
    fn print(
        &self,
        report: &Report,
        exceed: Option<&Report>,
        result: TestResult,
    ) -> Result<(), Failure> {
        let claim = self.claim.map(ClaimName::as_str);
        let mut out = Output::new();
        if self.json || self.format == Format::Json {
            let mut document =
                serde_json::json!({"schema_version": 2, "report": report, "accepted": self.accept});
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
            if self.accept {
                writeln!(out, "accepted: older bundles of this key are refused from now on")?;
            }
        }
        Ok(out.flush()?)
    }

    /// Compares with what the reader accepted before, and remembers the bundles if asked to.
    fn compare(&self, report: &Report, exceed: Option<&Report>) -> Result<(), Failure> {
        let failed = |error: AcceptedError| {
            Failure::new(error.exit_code(), format!("{}: {error}", self.bundle.display()))
        };
        let directory = keys::config_dir()
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        if self.older {
            return Ok(());
        }
        for report in [report].into_iter().chain(exceed) {
            Accepted::open(&directory)
                .and_then(|accepted| accepted.check(report))
                .map_err(failed)?;
        }
        if !self.accept {
            return Ok(());
        }
        let both = [(Some(report), Some(&self.bundle)), (exceed, self.exceed.as_ref())];
        for (report, path) in both {
            if let (Some(report), Some(path)) = (report, path) {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                Accepted::accept(&directory, report, &path).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// The result of the bundles for the claim.
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

#[cfg(test)]
mod tests {
    use clap::Parser;
    use record::exit;

    use super::Verify;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        verify: Verify,
    }

    #[test]
    fn a_second_bundle_needs_the_claim_that_it_is_for() {
        let check = |arguments: &[&str]| {
            let line = ["verify", "one"].iter().chain(arguments);
            Line::try_parse_from(line).unwrap().verify.check_claim()
        };
        check(&[]).unwrap();
        check(&["--claim", "parity"]).unwrap();
        check(&["--claim", "exceed", "--exceed", "two"]).unwrap();
        for bad in [&["--exceed", "two"][..], &["--claim", "parity", "--exceed", "two"]] {
            let failure = check(bad).unwrap_err();
            assert!(failure.to_string().contains("--exceed"), "{failure}");
            assert_eq!(failure.report(), exit::USAGE);
        }
    }
}
