//! The signing key: made on first use, kept in the user's configuration directory.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use ed25519_dalek::{
    SECRET_KEY_LENGTH, Signer,
    pkcs8::{DecodePrivateKey, EncodePrivateKey, KeypairBytes, spki::der::pem::LineEnding},
};
use etcetera::BaseStrategy as _;
use rustix::fs::OFlags;

use super::{
    envelope::Signature,
    pae,
    public_key::{PublicKey, PublicKeyError},
};

/// File name of the private key in the configuration directory.
pub const PRIVATE_FILE: &str = "signing-key.pem";

/// File name of its public half, beside it.
pub const PUBLIC_FILE: &str = "signing-key.pub.pem";

/// Names a private key to use instead of the one in the configuration directory.
pub const KEY_VARIABLE: &str = "PARITY_SIGNING_KEY";

/// The largest key file that is read, in bytes.
const MAX_BYTES: u64 = 16 * 1024;

/// A private key that is ready to sign.
pub struct SigningKey {
    key: ed25519_dalek::SigningKey,
    public: PublicKey,
}

/// Why there is no usable key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// No variable names the configuration directory.
    #[error("no configuration directory: set HOME or PARITY_CONFIG_DIR")]
    NoConfigDir,
    /// A key file or its directory could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A key named explicitly that does not exist. It is never made, because the name may be mistyped.
    #[error(
        "{0}: no such key; make one with `umask 077; openssl genpkey -algorithm ed25519 -out {0}`"
    )]
    Missing(PathBuf),
    /// Other users can read or write the private key.
    #[error("{path}: mode {mode:03o} is open to other users; run `chmod 600 {path}`")]
    Mode {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The private key belongs to somebody else.
    #[error("{0}: the private key belongs to another user")]
    Owner(PathBuf),
    /// Not a private ed25519 key.
    #[error(
        "{path}: not an ed25519 private key in PKCS#8 PEM form ({reason}); \
         `openssl genpkey -algorithm ed25519` writes one"
    )]
    Private {
        /// The file.
        path: PathBuf,
        /// What the parser found.
        reason: String,
    },
    /// Not a usable public key.
    #[error("{path}: {source}")]
    Public {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: PublicKeyError,
    },
    /// The public key beside the private one is another key's.
    #[error("{0}: not the public half of the private key beside it; move it away")]
    Mismatch(PathBuf),
}

impl KeyError {
    /// The exit code of the program: 74 for input and output, else 20 (set-up).
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Self::Io { .. }) { 74 } else { 20 }
    }
}

impl SigningKey {
    /// Opens the key at `path` if one is given (by flag), else the one that
    /// `PARITY_SIGNING_KEY` names, else the user's own, which is made on first use.
    pub fn open(path: Option<&Path>) -> Result<Self, KeyError> {
        let named = std::env::var_os(KEY_VARIABLE).filter(|value| !value.is_empty());
        match path.map(Path::to_path_buf).or_else(|| named.map(PathBuf::from)) {
            Some(path) => Self::load(&path),
            None => Self::open_or_create(&config_dir()?),
        }
    }

    /// Reads a PKCS#8 PEM file that only its owner can read. Nothing is written.
    pub fn load(path: &Path) -> Result<Self, KeyError> {
        let at = || path.to_path_buf();
        let io = |source| KeyError::Io { path: at(), source };
        // A pipe in the place of the key must not block. All checks are made on the open file, so that
        // no other file can be read than the one that was checked.
        let flags = OFlags::NONBLOCK.bits().cast_signed();
        let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(KeyError::Missing(at()));
            }
            opened => opened.map_err(io)?,
        };
        let metadata = file.metadata().map_err(io)?;
        if metadata.permissions().mode() & 0o077 != 0 {
            return Err(KeyError::Mode { path: at(), mode: metadata.permissions().mode() & 0o777 });
        }
        if metadata.uid() != rustix::process::geteuid().as_raw() {
            return Err(KeyError::Owner(at()));
        }
        let text = read_text(file).map_err(io)?;
        let key = ed25519_dalek::SigningKey::from_pkcs8_pem(&text)
            .map_err(|error| KeyError::Private { path: at(), reason: error.to_string() })?;
        Self::wrap(key).map_err(|source| KeyError::Public { path: at(), source })
    }

    /// Opens the key of a configuration directory, making the directory (0700), the key (0600)
    /// and its public half where they are missing. Safe against another process doing the same:
    /// both end up with one key, and neither sees half a file.
    pub fn open_or_create(directory: &Path) -> Result<Self, KeyError> {
        let path = directory.join(PRIVATE_FILE);
        let io = |source| KeyError::Io { path: path.clone(), source };
        if fs::symlink_metadata(&path).is_err() {
            DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(io)?;
            let mut secret = [0; SECRET_KEY_LENGTH];
            File::open("/dev/urandom").and_then(|mut f| f.read_exact(&mut secret)).map_err(io)?;
            // Version 1 of PKCS#8, without the public half: every OpenSSL reads it.
            let pem = KeypairBytes { secret_key: secret, public_key: None }
                .to_pkcs8_pem(LineEnding::LF)
                .map_err(|error| KeyError::Private {
                    path: path.clone(),
                    reason: error.to_string(),
                })?;
            create_new(&path, pem.as_bytes(), 0o600).map_err(io)?;
        }
        let key = Self::load(&path)?;
        key.write_public(&directory.join(PUBLIC_FILE))?;
        Ok(key)
    }

    /// The public half.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Signs a payload of the given type.
    pub fn sign(&self, payload_type: &str, payload: &[u8]) -> Signature {
        let sig = self.key.sign(&pae::encode(payload_type, payload)).to_bytes();
        Signature { keyid: self.public.keyid().to_owned(), sig }
    }

    fn wrap(key: ed25519_dalek::SigningKey) -> Result<Self, PublicKeyError> {
        let public = PublicKey::new(key.verifying_key())?;
        Ok(Self { key, public })
    }

    fn write_public(&self, path: &Path) -> Result<(), KeyError> {
        let public = |source| KeyError::Public { path: path.to_path_buf(), source };
        let pem = self.public.to_pem().map_err(public)?;
        create_new(path, pem.as_bytes(), 0o644)
            .map_err(|source| KeyError::Io { path: path.to_path_buf(), source })?;
        if read_public(path)? == self.public {
            Ok(())
        } else {
            Err(KeyError::Mismatch(path.to_path_buf()))
        }
    }
}

/// Reads the PEM file of a public key.
pub fn read_public(path: &Path) -> Result<PublicKey, KeyError> {
    let io = |source| KeyError::Io { path: path.to_path_buf(), source };
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(io)?;
    let text = read_text(file).map_err(io)?;
    PublicKey::from_pem(&text)
        .map_err(|source| KeyError::Public { path: path.to_path_buf(), source })
}

/// The directory of the user's keys: `PARITY_CONFIG_DIR`, else `parity` in the configuration folder of
/// the base directory specification (`XDG_CONFIG_HOME`, `~/.config`). It need not exist.
pub fn config_dir() -> Result<PathBuf, KeyError> {
    if let Some(folder) = std::env::var_os("PARITY_CONFIG_DIR").filter(|value| !value.is_empty()) {
        return Ok(folder.into());
    }
    let folders = etcetera::choose_base_strategy().map_err(|_| KeyError::NoConfigDir)?;
    Ok(folders.config_dir().join("parity"))
}

/// Writes a new file so that its name appears with the whole content or not at all. Leaves a
/// file that is already there as it is.
fn create_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        return Ok(());
    }
    let directory = path.parent().unwrap_or(Path::new("."));
    // Created exclusively with its final mode, so that a private key is never readable.
    let mut file = tempfile::Builder::new()
        .prefix(".parity-")
        .permissions(fs::Permissions::from_mode(mode))
        .tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error.error),
        Ok(_) => Ok(()),
    }
}

fn read_text(file: File) -> io::Result<String> {
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let mut text = String::new();
    file.take(MAX_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{KeyError, PRIVATE_FILE, PUBLIC_FILE, SigningKey, config_dir, pae, read_public};
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::process::{Command, Stdio};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("metadata").permissions().mode() & 0o777
    }

    #[test]
    fn the_key_is_made_once_and_private() {
        let home = tempfile::tempdir().expect("directory");
        let directory = home.path().join("a/parity");
        let first = SigningKey::open_or_create(&directory).expect("made");
        let second = SigningKey::open_or_create(&directory).expect("opened");
        assert_eq!(first.public(), second.public());
        assert_eq!(mode(&directory), 0o700);
        assert_eq!(mode(&directory.join(PRIVATE_FILE)), 0o600);
        assert_eq!(&read_public(&directory.join(PUBLIC_FILE)).expect("public"), first.public());
        assert_eq!(fs::read_dir(&directory).expect("lists").count(), 2);
    }

    #[test]
    fn many_first_uses_at_once_make_one_key() {
        let home = tempfile::tempdir().expect("directory");
        let keyids: Vec<String> = std::thread::scope(|scope| {
            let open = || SigningKey::open_or_create(home.path()).expect("key");
            let threads: Vec<_> =
                (0..8).map(|_| scope.spawn(move || open().public().keyid().to_owned())).collect();
            threads.into_iter().map(|thread| thread.join().expect("joined")).collect()
        });
        assert!(keyids.iter().all(|keyid| Some(keyid) == keyids.first()), "{keyids:?}");
    }

    #[test]
    fn a_key_that_others_can_read_is_refused() {
        let home = tempfile::tempdir().expect("directory");
        SigningKey::open_or_create(home.path()).expect("made");
        let path = home.path().join(PRIVATE_FILE);
        for bits in [0o640, 0o604, 0o620, 0o602, 0o610, 0o601] {
            fs::set_permissions(&path, Permissions::from_mode(bits)).expect("mode");
            let error = SigningKey::open_or_create(home.path()).err().expect("refused");
            assert!(matches!(error, KeyError::Mode { mode, .. } if mode == bits), "{error}");
            assert!(error.to_string().contains(PRIVATE_FILE), "{error}");
        }
    }

    #[test]
    fn rubbish_and_strange_public_halves_are_refused() {
        let home = tempfile::tempdir().expect("directory");
        let path = home.path().join("absent.pem");
        assert!(matches!(SigningKey::load(&path), Err(KeyError::Missing(_))));
        fs::write(&path, "rubbish").expect("written");
        fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("mode");
        assert!(matches!(SigningKey::load(&path), Err(KeyError::Private { .. })));

        let other = tempfile::tempdir().expect("directory");
        SigningKey::open_or_create(home.path()).expect("made");
        SigningKey::open_or_create(other.path()).expect("made");
        fs::copy(other.path().join(PUBLIC_FILE), home.path().join(PUBLIC_FILE)).expect("copied");
        assert!(matches!(SigningKey::open_or_create(home.path()), Err(KeyError::Mismatch(_))));
    }

    /// The directory of the keys according to a copy of this test program that has only the given variables.
    fn asked(variables: &[(&str, &str)]) -> String {
        let victim = concat!(module_path!(), "::says_where_its_keys_are");
        let (_, victim) = victim.split_once("::").expect("a path");
        let said = Command::new(std::env::current_exe().expect("a program"))
            .args(["--exact", victim, "--ignored", "--nocapture"])
            .env_clear()
            .envs(variables.iter().copied())
            .output()
            .expect("started");
        let said = String::from_utf8(said.stdout).expect("text");
        let line = said.lines().find_map(|line| line.split_once("keys in ")).expect("an answer");
        line.1.to_owned()
    }

    #[test]
    #[ignore = "runs only when the test below asks for it"]
    fn says_where_its_keys_are() {
        println!("keys in {}", config_dir().expect("a directory").display());
    }

    #[test]
    fn the_configuration_directory_follows_the_variables() {
        let home = ("HOME", "/h");
        assert_eq!(asked(&[home]), "/h/.config/parity");
        assert_eq!(asked(&[home, ("XDG_CONFIG_HOME", "/x")]), "/x/parity");
        // The specification says that a relative path is to be ignored.
        assert_eq!(asked(&[home, ("XDG_CONFIG_HOME", "x")]), "/h/.config/parity");
        assert_eq!(asked(&[home, ("PARITY_CONFIG_DIR", "/p")]), "/p");
        assert_eq!(asked(&[home, ("PARITY_CONFIG_DIR", "")]), "/h/.config/parity");
    }

    /// Runs openssl; `None` where it is not installed.
    fn openssl(directory: &Path, arguments: &[&str]) -> Option<bool> {
        let mut command = Command::new("openssl");
        command.args(arguments).current_dir(directory).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().ok().map(|status| status.success())
    }

    #[test]
    fn openssl_reads_our_keys_and_we_read_its() {
        let home = tempfile::tempdir().expect("directory");
        let at = |name: &str| home.path().join(name);
        let key = SigningKey::open_or_create(home.path()).expect("made");
        let derive = ["pkey", "-in", PRIVATE_FILE, "-pubout", "-out", "derived.pem"];
        let Some(derived) = openssl(home.path(), &derive) else {
            eprintln!("openssl is not installed: interoperation was not tested");
            return;
        };
        assert!(derived, "openssl reads the private key");
        let read = |name: &str| fs::read(at(name)).expect("readable");
        assert_eq!(read("derived.pem"), read(PUBLIC_FILE));

        let signature = key.sign("type", b"payload");
        fs::write(at("pae"), pae::encode("type", b"payload")).expect("written");
        fs::write(at("sig"), signature.sig).expect("written");
        let verify = ["pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", PUBLIC_FILE];
        let files = ["-in", "pae", "-sigfile", "sig"];
        assert_eq!(openssl(home.path(), &[&verify[..], &files].concat()), Some(true));

        let make = ["genpkey", "-algorithm", "ed25519", "-out", "theirs.pem"];
        assert_eq!(openssl(home.path(), &make), Some(true));
        fs::set_permissions(at("theirs.pem"), Permissions::from_mode(0o600)).expect("mode");
        let theirs = SigningKey::load(&at("theirs.pem")).expect("read");
        let publish = ["pkey", "-in", "theirs.pem", "-pubout", "-out", "theirs.pub.pem"];
        assert_eq!(openssl(home.path(), &publish), Some(true));
        assert_eq!(&read_public(&at("theirs.pub.pem")).expect("read"), theirs.public());
    }
}
