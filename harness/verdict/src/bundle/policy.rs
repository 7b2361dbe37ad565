//! Whose signatures a reader accepts, and how many.
//!
//! A policy is always the reader's: a file of the reader's checkout, or by default the public
//! keys in the reader's configuration directory. A key that comes with a bundle says nothing
//! about the bundle, so nothing here ever looks inside one.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::{
    keys::{self, KeyError},
    public_key::PublicKey,
};

/// The directory of further trusted public keys below the configuration directory.
pub const TRUSTED_DIR: &str = "trusted";

/// The role of the person who ran the measurements; the only one without a policy file.
const RUNNER: &str = "runner";

/// The version of the policy file format.
const SCHEMA_VERSION: u32 = 1;

/// The trusted keys and what they must have signed together.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The requirement of each role, by name.
    pub roles: BTreeMap<String, Role>,
    /// The trusted keys, each once.
    pub keys: Vec<TrustedKey>,
    /// Tests that a bundle must report, whatever else it reports.
    pub required_tests: Vec<String>,
    /// The policy file or configuration directory this was read from.
    pub origin: PathBuf,
}

/// What a role requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Role {
    /// How many different keys of the role must have signed.
    pub threshold: usize,
}

/// A public key and the one role it may act in.
#[derive(Debug, Clone)]
pub struct TrustedKey {
    /// The key.
    pub key: PublicKey,
    /// Name of its role in [`Policy::roles`].
    pub role: String,
    /// The file it was read from.
    pub file: PathBuf,
}

/// Why a policy cannot be used. Every one of them is exit code 23 or 74.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// The file or directory could not be read.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Not a policy.
    #[error("{path}: not a policy: {reason}")]
    Malformed {
        /// The policy file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A key file cannot be used.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// One key in two roles could satisfy both alone.
    #[error("{path}: the key {keyid} has two roles; a key has one")]
    TwoRoles {
        /// The second file that holds it.
        path: PathBuf,
        /// Its id.
        keyid: String,
    },
    /// A role that nobody can satisfy.
    #[error(
        "{path}: role `{role}` needs {threshold} different keys and has {keys}; \
         add public keys or lower its threshold"
    )]
    TooFewKeys {
        /// The policy file.
        path: PathBuf,
        /// The role.
        role: String,
        /// How many it needs.
        threshold: usize,
        /// How many it has.
        keys: usize,
    },
}

impl PolicyError {
    /// The exit code of the program: 74 for input and output, else 23 (policy).
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Self::Io { .. } | Self::Key(KeyError::Io { .. })) { 74 } else { 23 }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyFile {
    schema_version: u32,
    #[serde(default)]
    required_tests: Vec<String>,
    roles: BTreeMap<String, RoleTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoleTable {
    threshold: usize,
    #[serde(default)]
    keys: Vec<String>,
    #[serde(default)]
    user_keys: bool,
}

impl Policy {
    /// The policy to use: of `file` if one is given (by flag), else the default one, which asks
    /// for one signature by any public key in the user's configuration directory.
    pub fn open(file: Option<&Path>) -> Result<Self, PolicyError> {
        let directory = keys::config_dir()?;
        match file {
            Some(file) => Self::load(file, &directory),
            None => Self::of_user(&directory),
        }
    }

    /// The default policy of a configuration directory. It may hold no key, and then accepts no
    /// bundle.
    pub fn of_user(directory: &Path) -> Result<Self, PolicyError> {
        let mut policy = Self {
            roles: BTreeMap::from([(RUNNER.to_owned(), Role { threshold: 1 })]),
            keys: Vec::new(),
            required_tests: Vec::new(),
            origin: directory.to_path_buf(),
        };
        for file in user_keys(directory)? {
            policy.add(RUNNER, file)?;
        }
        Ok(policy)
    }

    /// Reads a policy file. Key files are named relative to it; a role with `user_keys = true`
    /// also has the keys in `config_dir`.
    pub fn load(file: &Path, config_dir: &Path) -> Result<Self, PolicyError> {
        let malformed = |reason: String| PolicyError::Malformed { path: file.into(), reason };
        let text = std::fs::read_to_string(file)
            .map_err(|source| PolicyError::Io { path: file.into(), source })?;
        let table: PolicyFile = toml::from_str(&text).map_err(|e| malformed(e.to_string()))?;
        if table.schema_version != SCHEMA_VERSION {
            return Err(malformed(format!("schema_version is not {SCHEMA_VERSION}")));
        }
        if table.roles.values().all(|role| role.threshold == 0) {
            return Err(malformed("no role needs a signature: it would accept anything".into()));
        }
        let mut policy = Self {
            roles: BTreeMap::new(),
            keys: Vec::new(),
            required_tests: table.required_tests,
            origin: file.to_path_buf(),
        };
        let beside = file.parent().unwrap_or(Path::new(""));
        for (name, role) in table.roles {
            for key in role.keys {
                let plain = Path::new(&key);
                let pem = plain.extension().is_some_and(|extension| extension == "pem");
                if plain.file_name() != Some(plain.as_os_str()) || !pem {
                    return Err(malformed(format!("{key:?} is not the name of a .pem file")));
                }
                policy.add(&name, beside.join(key))?;
            }
            if role.user_keys {
                for key in user_keys(config_dir)? {
                    policy.add(&name, key)?;
                }
            }
            let keys = policy.keys.iter().filter(|key| key.role == name).count();
            if keys < role.threshold {
                let (path, threshold) = (file.into(), role.threshold);
                return Err(PolicyError::TooFewKeys { path, role: name, threshold, keys });
            }
            policy.roles.insert(name, Role { threshold: role.threshold });
        }
        Ok(policy)
    }

    fn add(&mut self, role: &str, file: PathBuf) -> Result<(), PolicyError> {
        let key = keys::read_public(&file)?;
        match self.keys.iter().find(|known| known.key == key) {
            Some(known) if known.role == role => Ok(()),
            Some(_) => Err(PolicyError::TwoRoles { path: file, keyid: key.keyid().to_owned() }),
            None => {
                self.keys.push(TrustedKey { key, role: role.to_owned(), file });
                Ok(())
            }
        }
    }
}

/// The public key files of a configuration directory, in ascending order: the user's own and
/// every `trusted/*.pem`.
fn user_keys(directory: &Path) -> Result<Vec<PathBuf>, PolicyError> {
    let mut files = Vec::new();
    let own = directory.join(keys::PUBLIC_FILE);
    if own.exists() {
        files.push(own);
    }
    let trusted = directory.join(TRUSTED_DIR);
    let io = |source| PolicyError::Io { path: trusted.clone(), source };
    match std::fs::read_dir(&trusted) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(io(error)),
        Ok(entries) => {
            for entry in entries {
                let path = entry.map_err(io)?.path();
                if path.extension().is_some_and(|extension| extension == "pem") {
                    files.push(path);
                }
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::{Policy, PolicyError};
    use crate::bundle::keys::{PUBLIC_FILE, SigningKey};
    use std::fs;
    use std::path::{Path, PathBuf};

    /// A directory with the public keys `a.pem` and `b.pem`, `a` again as `again.pem`, and a
    /// configuration directory that trusts a third.
    struct ComparatorSpec(tempfile::TempDir);

    impl ComparatorSpec {
        fn new() -> Self {
            let room = Self(tempfile::tempdir().expect("directory"));
            for name in ["a", "b"] {
                SigningKey::open_or_create(&room.path(name)).expect("key");
                fs::copy(room.path(name).join(PUBLIC_FILE), room.path(&format!("{name}.pem")))
                    .expect("copied");
            }
            fs::copy(room.path("a.pem"), room.path("again.pem")).expect("copied");
            SigningKey::open_or_create(&room.path("config")).expect("key");
            room
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        fn load(&self, text: &str) -> Result<Policy, PolicyError> {
            let file = self.path("policy.toml");
            fs::write(&file, text).expect("written");
            Policy::load(&file, &self.path("config"))
        }
    }

    #[test]
    fn a_key_listed_twice_counts_once() {
        let room = ComparatorSpec::new();
        let two = "schema_version = 1\n[roles.runner]\nthreshold = 2\n";
        let policy = room.load(&format!("{two}keys = ['a.pem', 'b.pem', 'again.pem']\n"));
        assert_eq!(policy.expect("two keys").keys.len(), 2);
        let error = room.load(&format!("{two}keys = ['a.pem', 'again.pem']\n")).expect_err("one");
        assert!(matches!(error, PolicyError::TooFewKeys { keys: 1, .. }), "{error}");
        assert_eq!(error.exit_code(), 23);
    }

    #[test]
    fn the_users_keys_count_only_where_a_role_says_so() {
        let room = ComparatorSpec::new();
        let head = "schema_version = 1\n[roles.runner]\nthreshold = 1\n";
        assert!(room.load(head).is_err());
        assert_eq!(room.load(&format!("{head}user_keys = true\n")).expect("one").keys.len(), 1);
    }

    #[test]
    fn the_policy_of_this_repository_needs_a_runner() {
        let policy = ComparatorSpec::new()
            .load(include_str!("../../../../keys/policy.toml"))
            .expect("policy");
        assert_eq!(policy.roles.get("runner").map(|role| role.threshold), Some(1));
        assert_eq!(policy.keys.len(), 1);
    }

    #[test]
    fn policies_that_accept_anything_or_make_no_sense_are_refused() {
        let room = ComparatorSpec::new();
        for text in [
            "",
            "schema_version = 1\n[roles]\n",
            "schema_version = 1\n[roles.runner]\nthreshold = 0\nkeys = ['a.pem']\n",
            "schema_version = 2\n[roles.runner]\nthreshold = 1\nkeys = ['a.pem']\n",
            "schema_version = 1\n[roles.runner]\nthreshold = -1\nkeys = ['a.pem']\n",
            "schema_version = 1\n[roles.runner]\nthreshold = 1\nkeys = ['../a.pem']\n",
            "schema_version = 1\n[roles.runner]\nthreshold = 1\nkeys = ['a.pem']\nmode = 'x'\n",
            "schema_version = 1\n[roles.runner]\nthreshold = 1\nkeys = ['policy.toml']\n",
        ] {
            let error = room.load(text).expect_err(text);
            assert_eq!(error.exit_code(), 23, "{error}");
        }
        let both = "schema_version = 1\n[roles.runner]\nthreshold = 1\nkeys = ['a.pem']\n\
                    [roles.reviewer]\nthreshold = 1\nkeys = ['again.pem']\n";
        assert!(matches!(room.load(both), Err(PolicyError::TwoRoles { .. })));
        let absent = room
            .load("schema_version = 1\n[roles.runner]\nthreshold = 1\nkeys = ['no.pem']\n")
            .expect_err("absent");
        assert_eq!(absent.exit_code(), 74, "{absent}");
    }

    #[test]
    fn the_default_policy_has_the_users_keys_and_may_have_none() {
        let room = ComparatorSpec::new();
        assert!(Policy::of_user(Path::new("/nonexistent/parity")).expect("none").keys.is_empty());
        let trusted = room.path("config/trusted");
        fs::create_dir(&trusted).expect("directory");
        fs::copy(room.path("b.pem"), trusted.join("b.pem")).expect("copied");
        fs::write(trusted.join("notes.txt"), "not a key").expect("written");
        assert_eq!(Policy::of_user(&room.path("config")).expect("two").keys.len(), 2);
        fs::write(trusted.join("bad.pem"), "rubbish").expect("written");
        let error = Policy::of_user(&room.path("config")).expect_err("rubbish").to_string();
        assert!(error.contains("bad.pem"), "{error}");
    }
}
