//! What a bundle is verified against: whose signatures count, and whose protocol. `parity verify` and
//! `parity sign` share these options.

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
};

use base::scratch::Scratch;
use clap::Args;
use record::{Plan, exit, protocol::CURRENT};
use verdict::{
    Evaluation, ProtocolError,
    bundle::{
        self, Claim, Expectations, Policy, RecomputeError, Reference, Report,
        reference::{Kind, ReferenceError, checkout_around},
    },
    composition::Composition,
};

use crate::{Failure, archive, run::derived};

/// The options that say so.
#[derive(Debug, Args)]
pub struct Against {
    /// Who may sign, how many must, and what a bundle may be about; by default your own key and those you
    /// trust (`parity keys`).
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Protocols, corpora and comparators from an archive of `parity reference export`: no checkout is
    /// needed.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["checkout", "any_protocol"])]
    reference: Option<PathBuf>,
    /// The checkout to compare with; by default the one around the working directory, which is never the
    /// bundle.
    #[arg(long, value_name = "DIR", conflicts_with = "any_protocol")]
    checkout: Option<PathBuf>,
    /// Do not compare the bundle with anybody's protocols, corpora and comparators.
    #[arg(long)]
    any_protocol: bool,
}

/// A reader, ready to verify.
#[derive(Debug)]
pub struct Reader {
    /// Whose signatures count.
    pub policy: Policy,
    reference: Option<Reference>,
    /// The folder of the reference.
    root: Option<PathBuf>,
    _unpacked: Option<Scratch>,
}

/// A bundle as a folder, even if it came as an archive.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    _unpacked: Option<Scratch>,
}

impl Folder {
    /// The folder of a bundle; an archive is unpacked into a temporary one.
    ///
    /// # Errors
    /// The archive is refused.
    pub fn of(bundle: &Path) -> Result<Self, Failure> {
        if !archive::is_archive(bundle) {
            return Ok(Self { path: bundle.to_owned(), _unpacked: None });
        }
        let scratch = Scratch::new("bundle")?;
        archive::read(bundle, scratch.path())?;
        Ok(Self { path: scratch.path().to_owned(), _unpacked: Some(scratch) })
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Against {
    /// Opens policy and reference. None of the `bundles` is ever used as the checkout.
    ///
    /// # Errors
    /// The policy cannot be used, or there is no reference to compare with.
    pub fn open(&self, bundles: &[&Folder]) -> Result<Reader, Failure> {
        let policy = Policy::open(self.policy.as_deref())
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        if self.any_protocol {
            return Ok(Reader { policy, reference: None, root: None, _unpacked: None });
        }
        let wrong = |error: ReferenceError| Failure::new(exit::SETUP, error.to_string());
        if let Some(file) = &self.reference {
            let scratch = Scratch::new("reference")?;
            archive::read(file, scratch.path())?;
            let root = scratch.path().to_owned();
            let reference = Reference::read(Kind::Archive, file, &root).map_err(wrong)?;
            return Ok(Reader {
                policy,
                reference: Some(reference),
                root: Some(root),
                _unpacked: Some(scratch),
            });
        }
        let root = self.checkout_of(bundles)?;
        let reference = Reference::read(Kind::Checkout, &root, &root).map_err(wrong)?;
        Ok(Reader { policy, reference: Some(reference), root: Some(root), _unpacked: None })
    }

    /// The checkout to compare with. It is never the one that this program was built in, which need not
    /// be the reader's.
    fn checkout_of(&self, bundles: &[&Folder]) -> Result<PathBuf, Failure> {
        let bundles: Vec<PathBuf> =
            bundles.iter().filter_map(|bundle| bundle.path.canonicalize().ok()).collect();
        let here = match &self.checkout {
            Some(named) => named.canonicalize().map_err(|error| {
                Failure::new(exit::USAGE, format!("{}: {error}", named.display()))
            })?,
            None => env::current_dir()?.canonicalize()?,
        };
        let found = checkout_around(&here, &bundles);
        let found =
            if self.checkout.is_some() { found.filter(|found| *found == here) } else { found };
        found.ok_or_else(|| {
            let place = here.display();
            let around = if self.checkout.is_some() { "" } else { " or above it" };
            Failure::new(
                exit::USAGE,
                format!(
                    "nothing to compare the bundle with: no checkout of Parity in {place}{around} (a folder \
                     with {CURRENT}; a bundle is none). Stand in a checkout of your own, name one by \
                     --checkout, or pass an archive of `parity reference export` by --reference"
                ),
            )
        })
    }
}

impl Reader {
    /// Verifies a bundle. Messages call it by `named`.
    ///
    /// # Errors
    /// It is refused.
    pub fn verify(
        &self,
        bundle: &Folder,
        named: &Path,
        commit: Option<&str>,
    ) -> Result<Report, Failure> {
        self.verify_by(&self.policy, bundle, named, commit)
    }

    /// Like [`Self::verify`], with another policy.
    pub fn verify_by(
        &self,
        policy: &Policy,
        bundle: &Folder,
        named: &Path,
        commit: Option<&str>,
    ) -> Result<Report, Failure> {
        let expected = Expectations { reference: self.reference.as_ref(), commit };
        let recompute = |copy: &Path, claim: &Claim| {
            let unusable = |error: ProtocolError| RecomputeError::Evidence(error.to_string());
            let composition =
                Composition::open(self.root.as_deref().unwrap_or(copy)).map_err(unusable)?;
            bundle::recompute(copy, claim, &composition, &made_again)
        };
        bundle::verify(bundle.path(), policy, expected, &recompute).map_err(|error| {
            Failure::new(error.exit_code(), format!("{}: {error}", named.display()))
        })
    }
}

/// The files that follow from the evidence in a folder, made again.
fn made_again(
    dir: &Path,
    plan: &Plan,
    evaluation: &Evaluation,
) -> Result<BTreeMap<String, Vec<u8>>, String> {
    derived(dir, plan, evaluation).map_err(|failure| failure.to_string())
}
