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
    name::printable,
    public_key::PublicKey,
    recompute::Scope,
    reference::Named,
};

/// The directory of trusted public keys of other runners below the configuration directory.
pub const TRUSTED_DIR: &str = "trusted";

/// The directory of trusted public keys of reviewers, beside it.
pub const REVIEWERS_DIR: &str = "reviewers";

/// The directory of public keys that are not trusted any more, beside it. It takes precedence over the others
/// and over every policy file.
pub const REVOKED_DIR: &str = "revoked";

/// The role of the person who ran the measurements.
pub const RUNNER: &str = "runner";

/// The role of the person who looked at them.
pub const REVIEWER: &str = "reviewer";

/// The version of the policy file format.
const SCHEMA_VERSION: u32 = 2;

/// The trusted keys and what they must have signed together.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The requirement of each role, by name.
    pub roles: BTreeMap<String, Role>,
    /// The trusted keys, each once, without the revoked ones.
    pub keys: Vec<TrustedKey>,
    /// The reader's names of the keys that are not trusted any more, by key id.
    pub revoked: BTreeMap<String, String>,
    /// What a bundle may be about.
    pub accept: Accept,
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
    /// What the reader calls it: the name of its file, without the endings.
    pub name: String,
    /// The last day, as `2027-01-31`, of the runs or reviews that it may sign; absent if it may sign them on
    /// any day.
    pub until: Option<String>,
    /// The file it was read from.
    pub file: PathBuf,
}

/// What a bundle may be about. An empty list accepts everything.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Accept {
    /// Digests of the references that bundles may be held against.
    pub references: Vec<String>,
    /// Protocols, such as `v2`.
    pub protocols: Vec<String>,
    /// Sets of corpora.
    pub sets: Vec<String>,
    /// Profiles.
    pub profiles: Vec<String>,
    /// Corpora that must have been measured, also where the protocol lets a run skip them.
    pub corpora: Vec<String>,
}

impl Accept {
    /// What this does not accept, if anything, of a bundle with this scope that was held against this
    /// reference.
    pub fn refuses(&self, reference: Option<&Named>, scope: Option<&Scope>) -> Option<String> {
        let reference = |value: fn(&Named) -> &str| reference.map(value).unwrap_or_default();
        let scoped = |value: fn(&Scope) -> String| scope.map(value).unwrap_or_default();
        let lists = [
            ("reference", &self.references, reference(|named| &named.sha256).to_owned()),
            ("protocol", &self.protocols, reference(|named| &named.protocol).to_owned()),
            ("set", &self.sets, scoped(|scope| scope.set.to_string())),
            ("profile", &self.profiles, scoped(|scope| scope.profile.to_string())),
        ];
        for (what, accepted, found) in lists {
            if !accepted.is_empty() && !accepted.contains(&found) {
                let accepted = accepted.join(", ");
                return Some(format!("the {what} {found:?} is not accepted; accepted: {accepted}"));
            }
        }
        let measured = |name: &&String| scope.is_some_and(|scope| scope.corpora.contains(name));
        let missing = self.corpora.iter().find(|name| !measured(name))?;
        Some(format!("the corpus {missing} was not measured"))
    }
}

/// Why a policy cannot be used. The exit code is 23 or 74.
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
    /// One key has two roles, and could satisfy both alone.
    #[error("{path}: the key {keyid} has two roles; a key has one")]
    TwoRoles {
        /// The second file that holds it.
        path: PathBuf,
        /// Its id.
        keyid: String,
    },
    /// A role needs more keys than it has.
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
    #[serde(default)]
    revoked: Vec<String>,
    #[serde(default)]
    accept: Accept,
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
    #[serde(default)]
    until: BTreeMap<String, String>,
}

impl Policy {
    /// The policy to use: of `file` if one is given (by flag), else the default one, which asks
    /// for one signature by any runner's public key in the user's configuration directory.
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
        let mut policy = Self::empty(directory);
        policy.revoke(pem_files(&directory.join(REVOKED_DIR))?)?;
        for (role, threshold) in [(RUNNER, 1), (REVIEWER, 0)] {
            for file in user_keys(role, directory)? {
                policy.add(role, file, None)?;
            }
            policy.roles.insert(role.to_owned(), Role { threshold });
        }
        Ok(policy)
    }

    /// Reads a policy file. Key files are named relative to it; a role with `user_keys = true`
    /// also has the keys in `config_dir`. Keys that are revoked there are revoked in the policy, too.
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
        let beside = file.parent().unwrap_or(Path::new(""));
        let key_file = |key: &str| {
            let plain = Path::new(key);
            let pem = plain.extension().is_some_and(|extension| extension == "pem");
            if plain.file_name() == Some(plain.as_os_str()) && pem {
                Ok(beside.join(key))
            } else {
                Err(malformed(format!("{key:?} is not the name of a .pem file")))
            }
        };
        let mut policy = Self {
            required_tests: table.required_tests,
            accept: table.accept,
            ..Self::empty(file)
        };
        let revoked = table.revoked.iter().map(|key| key_file(key)).collect::<Result<_, _>>()?;
        policy.revoke(revoked)?;
        policy.revoke(pem_files(&config_dir.join(REVOKED_DIR))?)?;
        for (name, mut role) in table.roles {
            if ![RUNNER, REVIEWER].contains(&&*name) {
                return Err(malformed(format!(
                    "{name:?} is no role; there are {RUNNER} and {REVIEWER}"
                )));
            }
            for key in role.keys {
                let until = role.until.remove(&key);
                if until.as_ref().is_some_and(|day| !is_day(day)) {
                    return Err(malformed(format!("the last day of {key:?} is no 2027-01-31")));
                }
                policy.add(&name, key_file(&key)?, until)?;
            }
            if let Some(key) = role.until.keys().next() {
                return Err(malformed(format!(
                    "it says until when {key:?} signs, which is not a key of {name}"
                )));
            }
            if role.user_keys {
                for key in user_keys(&name, config_dir)? {
                    policy.add(&name, key, None)?;
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

    /// The same policy without the demand for signatures in a role, for somebody who is about to sign in it.
    #[must_use]
    pub fn before(mut self, role: &str) -> Self {
        if let Some(role) = self.roles.get_mut(role) {
            role.threshold = 0;
        }
        self
    }

    /// Whether a role must sign.
    pub fn requires(&self, role: &str) -> bool {
        self.roles.get(role).is_some_and(|role| role.threshold > 0)
    }

    fn empty(origin: &Path) -> Self {
        Self {
            roles: BTreeMap::new(),
            keys: Vec::new(),
            revoked: BTreeMap::new(),
            accept: Accept::default(),
            required_tests: Vec::new(),
            origin: origin.to_path_buf(),
        }
    }

    fn revoke(&mut self, files: Vec<PathBuf>) -> Result<(), PolicyError> {
        for file in files {
            let key = keys::read_public(&file)?;
            self.revoked.insert(key.keyid().to_owned(), name_of(&file));
        }
        Ok(())
    }

    /// Adds a key, unless it is revoked.
    fn add(&mut self, role: &str, file: PathBuf, until: Option<String>) -> Result<(), PolicyError> {
        let key = keys::read_public(&file)?;
        if self.revoked.contains_key(key.keyid()) {
            return Ok(());
        }
        match self.keys.iter().find(|known| known.key == key) {
            Some(known) if known.role == role => Ok(()),
            Some(_) => Err(PolicyError::TwoRoles { path: file, keyid: key.keyid().to_owned() }),
            None => {
                let name = name_of(&file);
                self.keys.push(TrustedKey { key, role: role.to_owned(), name, until, file });
                Ok(())
            }
        }
    }
}

/// What a reader calls a key: the name of its file without `.pem` and `.pub`.
pub fn name_of(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".pem").unwrap_or(&name);
    printable(name.strip_suffix(".pub").unwrap_or(name))
}

/// Whether a text is a day such as `2027-01-31`.
fn is_day(text: &str) -> bool {
    let dashes = text.len() == 10 && [4, 7].iter().all(|at| text.as_bytes()[*at] == b'-');
    dashes && text.bytes().filter(u8::is_ascii_digit).count() == 8
}

/// The public key files of a role in a configuration directory, in ascending order.
fn user_keys(role: &str, directory: &Path) -> Result<Vec<PathBuf>, PolicyError> {
    if role == REVIEWER {
        return pem_files(&directory.join(REVIEWERS_DIR));
    }
    let mut files = pem_files(&directory.join(TRUSTED_DIR))?;
    let own = directory.join(keys::PUBLIC_FILE);
    if own.exists() {
        files.insert(0, own);
    }
    Ok(files)
}

/// The `*.pem` files of a directory, in ascending order; none where there is no directory.
pub fn pem_files(directory: &Path) -> Result<Vec<PathBuf>, PolicyError> {
    let io = |source| PolicyError::Io { path: directory.to_owned(), source };
    let entries = match std::fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(io)?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(io)?.path();
        if path.extension().is_some_and(|extension| extension == "pem") {
            files.push(path);
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
    struct KeyFolder(tempfile::TempDir);

    impl KeyFolder {
        fn new() -> Self {
            let folder = Self(tempfile::tempdir().expect("directory"));
            for name in ["a", "b"] {
                SigningKey::open_or_create(&folder.path(name)).expect("key");
                fs::copy(folder.path(name).join(PUBLIC_FILE), folder.path(&format!("{name}.pem")))
                    .expect("copied");
            }
            fs::copy(folder.path("a.pem"), folder.path("again.pem")).expect("copied");
            SigningKey::open_or_create(&folder.path("config")).expect("key");
            folder
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
        let folder = KeyFolder::new();
        let two = "schema_version = 2\n[roles.runner]\nthreshold = 2\n";
        let policy = folder.load(&format!("{two}keys = ['a.pem', 'b.pem', 'again.pem']\n"));
        assert_eq!(policy.expect("two keys").keys.len(), 2);
        let error = folder.load(&format!("{two}keys = ['a.pem', 'again.pem']\n")).expect_err("one");
        assert!(matches!(error, PolicyError::TooFewKeys { keys: 1, .. }), "{error}");
        assert_eq!(error.exit_code(), 23);
    }

    #[test]
    fn the_users_keys_count_only_where_a_role_says_so() {
        let folder = KeyFolder::new();
        let head = "schema_version = 2\n[roles.runner]\nthreshold = 1\n";
        assert!(folder.load(head).is_err());
        assert_eq!(folder.load(&format!("{head}user_keys = true\n")).expect("one").keys.len(), 1);
    }

    #[test]
    fn the_policy_of_this_repository_needs_a_runner() {
        let policy =
            KeyFolder::new().load(include_str!("../../../../keys/policy.toml")).expect("policy");
        assert_eq!(policy.roles.get("runner").map(|role| role.threshold), Some(1));
        assert_eq!(policy.keys.len(), 1);
    }

    #[test]
    fn policies_that_accept_anything_or_make_no_sense_are_refused() {
        let folder = KeyFolder::new();
        for text in [
            "",
            "schema_version = 2\n[roles]\n",
            "schema_version = 2\n[roles.runner]\nthreshold = 0\nkeys = ['a.pem']\n",
            "schema_version = 3\n[roles.runner]\nthreshold = 1\nkeys = ['a.pem']\n",
            "schema_version = 2\n[roles.runner]\nthreshold = -1\nkeys = ['a.pem']\n",
            "schema_version = 2\n[roles.runner]\nthreshold = 1\nkeys = ['../a.pem']\n",
            "schema_version = 2\n[roles.runner]\nthreshold = 1\nkeys = ['a.pem']\nmode = 'x'\n",
            "schema_version = 2\n[roles.runner]\nthreshold = 1\nkeys = ['policy.toml']\n",
        ] {
            let error = folder.load(text).expect_err(text);
            assert_eq!(error.exit_code(), 23, "{error}");
        }
        let both = "schema_version = 2\n[roles.runner]\nthreshold = 1\nkeys = ['a.pem']\n\
                    [roles.reviewer]\nthreshold = 1\nkeys = ['again.pem']\n";
        assert!(matches!(folder.load(both), Err(PolicyError::TwoRoles { .. })));
        let absent = folder
            .load("schema_version = 2\n[roles.runner]\nthreshold = 1\nkeys = ['no.pem']\n")
            .expect_err("absent");
        assert_eq!(absent.exit_code(), 74, "{absent}");
    }

    #[test]
    fn a_revoked_key_counts_nowhere() {
        let folder = KeyFolder::new();
        let text = "schema_version = 2\nrevoked = ['again.pem']\n[roles.runner]\nthreshold = 1\n\
                    keys = ['a.pem', 'b.pem']\n";
        let policy = folder.load(text).expect("one is left");
        let names: Vec<&str> = policy.keys.iter().map(|key| &*key.name).collect();
        assert_eq!((names, policy.revoked.len()), (vec!["b"], 1));
        // A key that the user revoked is revoked in every policy.
        let revoked = folder.path("config/revoked");
        fs::create_dir(&revoked).expect("directory");
        fs::copy(folder.path("b.pem"), revoked.join("bob.pub.pem")).expect("copied");
        let error = folder.load(text).expect_err("none is left");
        assert!(matches!(error, PolicyError::TooFewKeys { keys: 0, .. }), "{error}");
        fs::copy(folder.path("config").join(PUBLIC_FILE), revoked.join("mine.pem"))
            .expect("copied");
        assert!(Policy::of_user(&folder.path("config")).expect("none").keys.is_empty());
    }

    #[test]
    fn a_key_may_have_a_last_day_and_roles_have_fixed_names() {
        let folder = KeyFolder::new();
        let head = "schema_version = 2\n[roles.runner]\nthreshold = 1\nkeys = ['a.pem']\n";
        let until = |table: &str| folder.load(&format!("{head}until = {{ {table} }}\n"));
        let policy = until("'a.pem' = '2027-01-31'").expect("a day");
        assert_eq!(policy.keys[0].until.as_deref(), Some("2027-01-31"));
        for bad in ["'a.pem' = 'soon'", "'a.pem' = '20270131--'", "'b.pem' = '2027-01-31'"] {
            assert!(until(bad).is_err(), "{bad}");
        }
        let other = head.replace("roles.runner", "roles.auditor");
        assert!(folder.load(&other).expect_err("no role").to_string().contains("auditor"));
    }

    #[test]
    fn the_default_policy_has_the_users_keys_and_may_have_none() {
        let folder = KeyFolder::new();
        assert!(Policy::of_user(Path::new("/nonexistent/parity")).expect("none").keys.is_empty());
        let trusted = folder.path("config/trusted");
        fs::create_dir(&trusted).expect("directory");
        fs::copy(folder.path("b.pem"), trusted.join("b.pem")).expect("copied");
        fs::write(trusted.join("notes.txt"), "not a key").expect("written");
        assert_eq!(Policy::of_user(&folder.path("config")).expect("two").keys.len(), 2);
        fs::write(trusted.join("bad.pem"), "rubbish").expect("written");
        let error = Policy::of_user(&folder.path("config")).expect_err("rubbish").to_string();
        assert!(error.contains("bad.pem"), "{error}");
    }
}
