//! Turning a laid-out directory into a signed bundle.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};

use super::{
    ATTESTATION,
    envelope::{Envelope, EnvelopeError, MAX_BYTES, PAYLOAD_TYPE},
    keys::SigningKey,
    name,
    note::{self, Environment, NoteError},
    statement::{Claim, Statement, StatementError},
    walk::{self, WalkError},
};

/// A bundle that is in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Its directory.
    pub path: PathBuf,
    /// The id of the key that signed.
    pub keyid: String,
    /// Number of files, without the attestation.
    pub files: usize,
    /// Their size in bytes.
    pub bytes: u64,
}

/// Why nothing was sealed. Then no bundle with the wanted name exists, unless it existed before.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// The directory holds something that a bundle cannot.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// The directory has an attestation already.
    #[error("{0}: already sealed; lay the evidence out in a new directory")]
    AlreadySealed(PathBuf),
    /// The claim is not one that a verifier would accept.
    #[error(transparent)]
    Statement(#[from] StatementError),
    /// The envelope could not be written.
    #[error("{ATTESTATION}: {0}")]
    Envelope(#[from] EnvelopeError),
    /// The environment could not be written.
    #[error(transparent)]
    Note(#[from] NoteError),
    /// There is another bundle of that name.
    #[error("{0}: a different bundle of this name exists; nothing was replaced")]
    Exists(PathBuf),
    /// A file could not be read or written.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl SealError {
    /// The exit code of the program: 74 for input and output, else 1, because our own layout is wrong.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Io { .. }
            | Self::Exists(_)
            | Self::Note(NoteError::Io { .. })
            | Self::Walk(WalkError::Io { .. }) => 74,
            _ => 1,
        }
    }
}

/// Seals the files below `staging` and renames that directory to `destination`.
///
/// Both must be on one file system. Under the final name, a reader sees the whole bundle or nothing, even if
/// this process is killed. The result does not matter: a bundle about failed gates is sealed, too, and says
/// FAILED. Sealing the same evidence with the same key again gives the same attestation and is not an error;
/// `staging` is then left for the caller to remove. When and where the run was made is not in the attestation
/// but in a note beside it.
pub fn seal(
    staging: &Path,
    destination: &Path,
    claim: Claim,
    environment: Environment,
    key: &SigningKey,
) -> Result<Sealed, SealError> {
    let listing = walk::list(staging)?;
    listing.expect_no_empty_directory()?;
    let names = listing.files;
    if names.contains(ATTESTATION) {
        return Err(SealError::AlreadySealed(staging.join(ATTESTATION)));
    }
    let (mut files, mut bytes) = (BTreeMap::new(), 0);
    for name in names {
        let path = staging.join(&name);
        let read = walk::open(&path).and_then(|mut file| {
            let limit = walk::MAX_TOTAL_BYTES.saturating_sub(bytes);
            walk::digest(&mut file, limit, &mut io::sink())
        });
        let (sha256, length) = read.map_err(at(&path))?;
        bytes += length;
        files.insert(name, sha256);
    }
    let sealed = Sealed {
        path: destination.into(),
        keyid: key.public().keyid().into(),
        files: files.len(),
        bytes,
    };
    let payload = Statement::new(files, claim)?.to_bytes()?;
    let signatures = vec![key.sign(PAYLOAD_TYPE, &payload)];
    let envelope = Envelope { payload_type: PAYLOAD_TYPE.to_owned(), payload, signatures };

    let path = destination.join(ATTESTATION);
    if fs::symlink_metadata(destination).is_ok() {
        let other = walk::read(&path, MAX_BYTES).ok().and_then(|b| Envelope::parse(&b).ok());
        let same = other.is_some_and(|other| other.payload == envelope.payload);
        return if same { Ok(sealed) } else { Err(SealError::Exists(destination.into())) };
    }
    note::write(staging, &envelope.payload, environment, key)?;
    write_attestation(staging, &envelope)?;
    flush(staging).map_err(at(staging))?;
    rename_new(staging, destination)?;
    let parent = destination.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    File::open(parent).and_then(|directory| directory.sync_all()).map_err(at(parent))?;
    Ok(sealed)
}

/// Writes the envelope of a bundle so that its name holds the old bytes or the new ones.
pub(super) fn write_attestation(bundle: &Path, envelope: &Envelope) -> Result<(), SealError> {
    let bytes = envelope.to_bytes()?;
    put(bundle, ATTESTATION, &bytes).map_err(at(&bundle.join(ATTESTATION)))
}

/// Writes a file of a bundle so that its name holds the old bytes or the new ones.
pub(super) fn put(bundle: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    // Beside the bundle, because a partial file inside it would be one that no statement lists.
    let beside = bundle.parent().filter(|parent| !parent.as_os_str().is_empty());
    let mut file = tempfile::Builder::new()
        .prefix(".attestation-")
        .permissions(fs::Permissions::from_mode(0o644))
        .tempfile_in(beside.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(bundle.join(name)).map(drop).map_err(|error| error.error)
}

/// Flushes everything below `directory` to the disk, before a final name says that it is complete.
fn flush(directory: &Path) -> io::Result<()> {
    let opened = File::open(directory)?;
    #[cfg(target_os = "linux")]
    rustix::fs::syncfs(&opened)?;
    opened.sync_all()
}

/// Renames without replacing anything, not even an empty directory.
pub fn rename_new(from: &Path, to: &Path) -> Result<(), SealError> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        Err(Errno::EXIST) => Err(SealError::Exists(to.into())),
        // Some network file systems do not support this flag. A plain rename replaces an empty directory
        // only, and a bundle is never empty.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => fs::rename(from, to).map_err(at(to)),
        Err(error) => Err(at(to)(error.into())),
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> SealError {
    let file = name::shown(path);
    move |source| SealError::Io { file, source }
}

#[cfg(test)]
mod tests {
    use super::{SealError, rename_new};
    use std::fs;

    #[test]
    fn renaming_replaces_nothing_not_even_an_empty_directory() {
        let folder = tempfile::tempdir().expect("directory");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir(&from).expect("directory");
        fs::create_dir(&to).expect("directory");
        assert!(matches!(rename_new(&from, &to), Err(SealError::Exists(_))));
        fs::remove_dir(&to).expect("removed");
        rename_new(&from, &to).expect("renames");
        assert!(to.is_dir() && !from.exists());
    }
}
