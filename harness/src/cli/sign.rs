//! `parity sign`: a reviewer's signature beside the runner's.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use record::exit;
use verdict::bundle::{
    Review,
    keys::SigningKey,
    policy::{REVIEWER, RUNNER},
    sign,
};

use super::against::{Against, Folder};
use crate::{Failure, archive, console::Output, moment};

/// The roles that a policy knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RoleName {
    /// Made the run.
    Runner,
    /// Looked at it.
    Reviewer,
}

impl RoleName {
    /// Its name in a policy.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Runner => RUNNER,
            Self::Reviewer => REVIEWER,
        }
    }
}

/// Verify a bundle and add your own signature, with a comment, beside those it has.
#[derive(Debug, Args)]
pub struct Sign {
    /// The bundle's folder. Its evidence stays as it is.
    bundle: PathBuf,
    /// In which role you sign. Whoever made the run cannot review it.
    #[arg(long, value_enum, default_value_t = RoleName::Reviewer)]
    role: RoleName,
    /// Your comment on the bundle; it is signed with it.
    #[arg(long, value_name = "TEXT", default_value = "")]
    comment: String,
    /// Your private key [default: the one in your configuration directory, made on first use].
    #[arg(long, value_name = "FILE", env = "PARITY_SIGNING_KEY")]
    key: Option<PathBuf>,
    /// The git commit under review; the bundle must be about it. Its first seven digits or more.
    #[arg(long, value_name = "ID")]
    commit: Option<String>,
    #[command(flatten)]
    against: Against,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Sign {
    /// Verifies the bundle, signs it, and prints the result.
    pub fn run(self) -> Result<u8, Failure> {
        let named = self.bundle.display();
        if archive::is_archive(&self.bundle) {
            let why = format!("{named}: an archive; sign its folder: parity bundle import");
            return Err(Failure::new(exit::USAGE, why));
        }
        let role = self.role.as_str();
        let bundle = Folder::of(&self.bundle)?;
        let reader = self.against.open(&[&bundle])?;
        // The policy must not require the signature that is about to be made.
        let policy = reader.policy.clone().before(role);
        let report = reader.verify_by(&policy, &bundle, &self.bundle, self.commit.as_deref())?;
        let key = SigningKey::open(self.key.as_deref())
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let keyid = key.public().keyid();
        if policy.revoked.contains_key(keyid) {
            return Err(Failure::new(exit::POLICY, format!("the key {keyid} is revoked")));
        }
        let review = Review {
            comment: self.comment.clone(),
            reference: report
                .reference
                .as_ref()
                .map(|named| named.sha256.clone())
                .unwrap_or_default(),
            role: role.to_owned(),
            signed_at: moment::now(),
        };
        sign::sign(&self.bundle, &report.statement_sha256, review, &key)
            .map_err(|error| Failure::new(error.exit_code(), format!("{named}: {error}")))?;
        let mut out = Output::new();
        if self.json {
            out.pretty_json(&serde_json::json!({
                "schema_version": 1,
                "bundle": self.bundle,
                "keyid": keyid,
                "role": role,
                "statement_sha256": report.statement_sha256,
                "result": report.result,
            }))?;
        } else {
            writeln!(
                out,
                "signed as {role} by {keyid}: a bundle whose result is {}",
                report.result
            )?;
            writeln!(out, "give readers your public key: parity keys list says where it is")?;
            let is_own_runner =
                policy.keys.iter().any(|known| known.key.keyid() == keyid && known.role != role);
            if is_own_runner {
                writeln!(
                    out,
                    "in your own policy this key has another role, so your `parity verify` does not count the {role}'s note"
                )?;
            }
        }
        out.flush()?;
        Ok(exit::PASS)
    }
}
