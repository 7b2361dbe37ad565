//! Verifies a bundle, in an order in which nothing is used before it has been checked.
//!
//! envelope → signatures → payload type → statement → policy → closed world → notes → digests → pinned
//! files → recomputation → commit under review. Every error names the file it is about.
//!
//! Each file is read once: the bytes that are hashed are at the same time copied to a private
//! directory, and all later steps work on that copy. So even somebody who can write to the bundle during
//! the verification cannot make the recomputation read other bytes than the ones that were hashed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use record::{
    Cell,
    digest::{is_hex, sha256},
    exit,
};

use tempfile::TempDir;

use super::{
    ATTESTATION, CELLS,
    envelope::{self, Envelope, EnvelopeError, PAYLOAD_TYPE},
    json, name,
    note::{self, NoteError, Notes},
    outcome::Outcome,
    policy::Policy,
    recompute::{Recompute, RecomputeError, Recomputed, Scope},
    reference::{FOLDERS, Reference},
    report::Report,
    signatures::{self, SignatureError, Signers},
    statement::{Statement, StatementError},
    walk::{self, Listing, WalkError},
};
use crate::composition::CompositionError;

/// The fewest digits by which a commit is named.
const SHORTEST_COMMIT: usize = 7;

/// What the verifier expects beyond the bundle itself. The default expects nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Expectations<'a> {
    /// The verifier's own protocols, corpora, gold, comparator locks and language table. Every such file of
    /// the bundle must be among them; the bundle may have fewer.
    pub reference: Option<&'a Reference>,
    /// The git commit under review, or its first digits, at least seven.
    pub commit: Option<&'a str>,
}

/// Why a bundle is refused; one variant for each step.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// There is no such directory.
    #[error("{0}: not a directory; give the directory of a bundle")]
    NoBundle(PathBuf),
    /// The bundle has no attestation.
    #[error("{ATTESTATION}: missing; this directory is not a sealed bundle")]
    NoAttestation,
    /// The policy or one of its keys lies inside the bundle.
    #[error("{0}: trust cannot come from inside the bundle; use a policy and keys of your own")]
    TrustInside(PathBuf),
    /// The envelope is malformed.
    #[error("{ATTESTATION}: {0}")]
    Envelope(#[from] EnvelopeError),
    /// The signatures are wrong or not accepted.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// The payload is something else.
    #[error("{ATTESTATION}: `payloadType` is {0:?}, not {PAYLOAD_TYPE}")]
    PayloadType(String),
    /// The signed statement is not one of ours.
    #[error(transparent)]
    Statement(#[from] StatementError),
    /// A note is malformed, altered or missing.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// The policy does not accept what the bundle is about.
    #[error("{origin}: {what}")]
    NotAccepted {
        /// The policy file.
        origin: String,
        /// What it does not accept.
        what: String,
    },
    /// The text given for the commit under review does not name a commit.
    #[error("{0:?} is not a commit: give at least {SHORTEST_COMMIT} of its hexadecimal digits")]
    NoCommit(String),
    /// The policy demands a test that the bundle does not report.
    #[error("{ATTESTATION}: the policy requires test {0}, which the bundle does not report")]
    RequiredTest(String),
    /// The directory holds something that a bundle cannot.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// A file that no statement covers.
    #[error("{0}: not a subject of the statement; it was added after the bundle was sealed")]
    Extra(String),
    /// A file that the statement lists.
    #[error("{0}: missing; the statement lists it")]
    Missing(String),
    /// A file with other bytes.
    #[error("{file}: sha256 is {found}, the statement says {signed}; it was altered")]
    Digest {
        /// The file.
        file: String,
        /// The signed digest.
        signed: String,
        /// The digest of the bytes that were read.
        found: String,
    },
    /// A protocol, corpus lock or comparator lock that is not the verifier's.
    #[error(
        "{file}: not the file of your checkout or reference; the bundle was scored under another protocol, \
         corpus or comparator"
    )]
    Pinned {
        /// The file.
        file: String,
    },
    /// The gates could not be computed again.
    #[error("the result cannot be recomputed from the bundle: {}", name::printable(.0))]
    Recompute(String),
    /// The evidence is not what the protocol demands of a sign-off.
    #[error("not the sign-off that the protocol demands ({}): {}", .0.code(), name::printable(&.0.to_string()))]
    Composition(CompositionError),
    /// A file that follows from the evidence is missing or differs.
    #[error("{0}: not what follows from the evidence; it was altered or made by another program")]
    Derived(String),
    /// The measured cells cannot be read.
    #[error("{CELLS}: not a list of cells: {}", name::printable(&.0.to_string()))]
    Cells(serde_json::Error),
    /// The recomputation gives other cells.
    #[error("{CELLS}: {0}")]
    CellsDiffer(String),
    /// The recomputation gives another result.
    #[error("{ATTESTATION}: {0}")]
    OutcomeDiffers(String),
    /// A bundle about another commit.
    #[error("{ATTESTATION}: about commit {found}, not about the commit under review {expected}")]
    Commit {
        /// The commit of the bundle.
        found: String,
        /// The commit under review.
        expected: String,
    },
    /// A file could not be read, or its copy could not be written.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl From<RecomputeError> for VerifyError {
    fn from(error: RecomputeError) -> Self {
        match error {
            RecomputeError::Evidence(why) => Self::Recompute(why),
            RecomputeError::Composition(error) => Self::Composition(error),
        }
    }
}

impl VerifyError {
    /// The exit code of the program: 2 usage, 21 digest or recomputation, 22 signature,
    /// 23 policy, 24 composition, 74 input and output.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoBundle(_) | Self::NoCommit(_) => 2,
            Self::Envelope(_) | Self::PayloadType(_) => 22,
            Self::Signature(error) => error.exit_code(),
            Self::Note(error) => error.exit_code(),
            Self::TrustInside(_) | Self::RequiredTest(_) | Self::NotAccepted { .. } => 23,
            Self::Composition(_) => exit::COMPOSITION,
            Self::Io { .. } | Self::Walk(WalkError::Io { .. }) => 74,
            _ => 21,
        }
    }
}

/// Verifies the bundle in directory `bundle` and returns a report on it. A bundle that honestly
/// says FAILED verifies; see [`Report::exit_code`].
pub fn verify(
    bundle: &Path,
    policy: &Policy,
    expected: Expectations<'_>,
    recompute: Recompute<'_>,
) -> Result<Report, VerifyError> {
    let root = match bundle.canonicalize() {
        Ok(root) if root.is_dir() => root,
        _ => return Err(VerifyError::NoBundle(bundle.to_path_buf())),
    };
    refuse_inside(&root, policy)?;
    if let Some(commit) = expected.commit.filter(|commit| !names_a_commit(commit)) {
        return Err(VerifyError::NoCommit(commit.to_owned()));
    }
    let envelope = read_envelope(&root)?;
    let signers = signatures::check(&envelope, policy)?;
    if envelope.payload_type != PAYLOAD_TYPE {
        return Err(VerifyError::PayloadType(envelope.payload_type));
    }
    let statement = Statement::parse(&envelope.payload)?;
    let outcome = &statement.claim.outcome;
    if let Some(test) = policy.required_tests.iter().find(|test| outcome.list_of(test).is_none()) {
        return Err(VerifyError::RequiredTest(test.clone()));
    }
    let (listing, files) = check_closed_world(&root, &statement)?;
    let signed = envelope.signatures.iter().map(|signature| &*signature.keyid).collect();
    let notes = note::read(&root, &files, &envelope.payload, &signed, policy)?;
    listing.expect_no_empty_directory()?;
    let signers = signers.in_time(&notes, policy)?;
    let (copy, _held) = scratch().map_err(at(Path::new("temporary directory")))?;
    let bytes = check_digests(&root, &statement, copy.path())?;
    if let Some(reference) = expected.reference {
        check_pinned(&statement, &reference.files)?;
    }
    let scope = check_recomputation(copy.path(), &statement, recompute)?;
    let reference = expected.reference.map(Reference::named);
    if let Some(what) = policy.accept.refuses(reference.as_ref(), scope.as_ref()) {
        return Err(VerifyError::NotAccepted { origin: name::shown(&policy.origin), what });
    }
    let source = &statement.claim.source;
    if let Some(commit) = expected.commit.filter(|commit| !source.commit.starts_with(commit)) {
        let (found, expected) = (source.commit.clone(), commit.to_owned());
        return Err(VerifyError::Commit { found, expected });
    }
    Ok(Report {
        result: outcome.result,
        scope,
        passed: outcome.passed.clone(),
        warned: outcome.warned.clone(),
        failed: outcome.failed.clone(),
        source: source.clone(),
        not_checked: not_checked(&signers, &notes, expected),
        signers: signers.trusted,
        environment_by: notes.environment.as_ref().map(|(keyid, _)| keyid.clone()),
        environment: notes.environment.map(|(_, environment)| environment),
        reviews: notes.reviews,
        reference,
        files: statement.files.len(),
        bytes,
        statement_sha256: sha256(&envelope.payload),
    })
}

/// A folder for the hashed bytes, and the lock by which the program `parity` knows that the folder is in use.
/// The next process finds the folder of a killed one by its name and removes it.
fn scratch() -> io::Result<(TempDir, File)> {
    let mut made = tempfile::Builder::new();
    made.permissions(fs::Permissions::from_mode(0o700)).rand_bytes(12);
    let folder = made.prefix("parity-bundle-").suffix(".scratch").tempdir()?;
    let lock = File::open(folder.path())?;
    // On a file system without such locks, no process takes the folder for one that a killed process left.
    lock.lock().ok();
    Ok((folder, lock))
}

fn refuse_inside(root: &Path, policy: &Policy) -> Result<(), VerifyError> {
    let keys = policy.keys.iter().map(|key| &key.file);
    for path in keys.chain([&policy.origin]) {
        // A path that cannot be resolved was read a moment ago or holds no key at all.
        if path.canonicalize().is_ok_and(|path| path.starts_with(root)) {
            return Err(VerifyError::TrustInside(path.clone()));
        }
    }
    Ok(())
}

fn read_envelope(root: &Path) -> Result<Envelope, VerifyError> {
    let path = root.join(ATTESTATION);
    match fs::symlink_metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(VerifyError::NoAttestation);
        }
        Ok(metadata) if !metadata.is_file() => {
            return Err(WalkError::NotRegular(ATTESTATION.to_owned()).into());
        }
        _ => {}
    }
    let bytes = walk::read(&path, envelope::MAX_BYTES).map_err(at(Path::new(ATTESTATION)))?;
    Ok(Envelope::parse(&bytes)?)
}

/// Whether a text names a commit, whole or by its first digits.
fn names_a_commit(text: &str) -> bool {
    (SHORTEST_COMMIT..=64).contains(&text.len()) && is_hex(text, &[text.len()])
}

/// Checks that the bundle holds what the statement lists and nothing else but notes, whose names it
/// returns. Empty directories are for the caller to refuse: a note that is missing may have been the only one.
fn check_closed_world(
    root: &Path,
    statement: &Statement,
) -> Result<(Listing, BTreeSet<String>), VerifyError> {
    let listing = walk::list(root)?;
    let (notes, mut present) = note::split(&listing.files);
    present.remove(ATTESTATION);
    if let Some(extra) = present.iter().find(|name| !statement.files.contains_key(*name)) {
        return Err(VerifyError::Extra(extra.clone()));
    }
    match statement.files.keys().find(|name| !present.contains(*name)) {
        Some(missing) => Err(VerifyError::Missing(missing.clone())),
        None => Ok((listing, notes)),
    }
}

/// Hashes every file and copies the hashed bytes below `copy`. Returns their number.
fn check_digests(root: &Path, statement: &Statement, copy: &Path) -> Result<u64, VerifyError> {
    let mut total = 0;
    for (file, signed) in &statement.files {
        let target = copy.join(file);
        let limit = walk::MAX_TOTAL_BYTES.saturating_sub(total);
        let read = || {
            fs::create_dir_all(target.parent().unwrap_or(copy))?;
            walk::digest(&mut walk::open(&root.join(file))?, limit, &mut File::create(&target)?)
        };
        let (found, length) = read().map_err(at(Path::new(file)))?;
        if found != *signed {
            let (file, signed) = (file.clone(), signed.clone());
            return Err(VerifyError::Digest { file, signed, found });
        }
        total += length;
    }
    Ok(total)
}

fn check_pinned(
    statement: &Statement,
    expected: &BTreeMap<String, String>,
) -> Result<(), VerifyError> {
    let pinned =
        |file: &&String| file.split_once('/').is_some_and(|(folder, _)| FOLDERS.contains(&folder));
    for file in statement.files.keys().filter(pinned) {
        if statement.files.get(file) != expected.get(file) {
            return Err(VerifyError::Pinned { file: file.clone() });
        }
    }
    Ok(())
}

fn check_recomputation(
    copy: &Path,
    statement: &Statement,
    recompute: Recompute<'_>,
) -> Result<Option<Scope>, VerifyError> {
    let bytes =
        walk::read(&copy.join(CELLS), walk::MAX_TOTAL_BYTES).map_err(at(Path::new(CELLS)))?;
    let sealed: Vec<Cell> = json::parse(&bytes).map_err(VerifyError::Cells)?;
    let claim = &statement.claim;
    let Recomputed { outcome, cells, derived, scope } =
        recompute(copy, claim).map_err(VerifyError::from)?;
    if let Some(difference) = cell_difference(&sealed, &cells) {
        return Err(VerifyError::CellsDiffer(difference));
    }
    if let Some(difference) = outcome_difference(&claim.outcome, &outcome) {
        return Err(VerifyError::OutcomeDiffers(difference));
    }
    let other = derived
        .iter()
        .find(|(file, bytes)| fs::read(copy.join(file)).map_or(true, |found| found != **bytes));
    match other {
        Some((file, _)) => Err(VerifyError::Derived(file.clone())),
        None => Ok(scope),
    }
}

fn cell_difference(sealed: &[Cell], found: &[Cell]) -> Option<String> {
    if let Some((was, is)) = sealed.iter().zip(found).find(|(was, is)| was != is) {
        let Cell { gate, corpus, case, budget, metric, .. } = was;
        let budget = budget.map_or_else(|| "-".to_owned(), |budget| budget.to_string());
        let show = |cell: &Cell| format!("{:?} ({})", cell.value, cell.verdict.as_str());
        let cell = name::printable(&format!("{gate} {corpus} {case} {budget} {metric}"));
        return Some(format!(
            "cell `{cell}` says {}, the recordings give {}",
            show(was),
            if (&is.gate, &is.corpus, &is.case, &is.metric) == (gate, corpus, case, metric) {
                show(is)
            } else {
                "another cell in its place".to_owned()
            }
        ));
    }
    (sealed.len() != found.len())
        .then(|| format!("has {} cells, the recordings give {}", sealed.len(), found.len()))
}

fn outcome_difference(signed: &Outcome, found: &Outcome) -> Option<String> {
    if signed.result != found.result {
        return Some(format!(
            "says {}, the recordings give {}; the two must agree",
            signed.result, found.result
        ));
    }
    let tests = signed.lists().into_iter().chain(found.lists()).flat_map(|(_, tests)| tests);
    let absent = |list: Option<&'static str>| list.unwrap_or("not reported");
    tests
        .map(|test| (test, absent(signed.list_of(test)), absent(found.list_of(test))))
        .find(|(_, was, is)| was != is)
        .map(|(test, was, is)| format!("says test {test} {was}, the recordings give {is}"))
}

fn not_checked(signers: &Signers, notes: &Notes, expected: Expectations<'_>) -> Vec<String> {
    let mut gaps = vec![
        "that the recordings come from real runs of the comparator and of the engine: \
         that is the word of the signers; run it yourself to know"
            .to_owned(),
        "that the engine binary was built from the source commit".to_owned(),
        "that there is no newer bundle: `--accept` keeps which one you saw last".to_owned(),
    ];
    if expected.reference.is_none() {
        gaps.push(
            "that protocols, corpora and comparator locks are those of a checkout".to_owned(),
        );
    }
    if expected.commit.is_none() {
        gaps.push("that the source commit is one you are interested in".to_owned());
    }
    for keyid in &signers.unknown {
        gaps.push(format!("the signature by {keyid}, a key that you do not trust"));
    }
    for (keyid, why) in &signers.refused {
        gaps.push(format!("the signature by {keyid}, {why}"));
    }
    for note in &notes.unchecked {
        gaps.push(note.clone());
    }
    match &notes.environment {
        Some(_) => gaps.push(
            "dates, machine and durations: they are the word of the signers; the dates decide only whether \
             a key with a last day still counts"
                .to_owned(),
        ),
        None => gaps.push("when and where the run was made".to_owned()),
    }
    gaps
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> VerifyError {
    let file = name::shown(path);
    move |source| VerifyError::Io { file, source }
}
