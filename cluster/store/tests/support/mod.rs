//! The places that the tests store in: a folder, and a server of S3 that does what it should not.

#![allow(dead_code, reason = "no test file uses all of it")]

pub mod server;

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use store::{Entry, Key, Kind, Patience, Store};

use server::Server;

/// Two different contents of more than one piece of a response.
pub const ONE: &[u8] = &[b'1'; 300_000];
/// The other one, of the same length.
pub const OTHER: &[u8] = &[b'2'; 300_000];

/// Short, so that tests of what never comes do not take long.
pub const PATIENCE: Patience = Patience {
    quiet: Duration::from_secs(1),
    bytes_per_second: 1 << 20,
    tries: 3,
    pause: Duration::from_millis(10),
};

/// Where a test stores.
pub struct Place {
    /// The URL of the store.
    pub url: String,
    /// Variables of the environment for it.
    pub settings: Vec<(String, String)>,
    /// The folder in which `objects` and `names` lie as files.
    pub files: PathBuf,
    /// The server, if it is one.
    pub server: Option<Server>,
    /// For results.
    pub scratch: tempfile::TempDir,
}

impl Place {
    /// A store in a folder.
    pub fn folder() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let files = scratch.path().join("store");
        let url = format!("file://{}", files.display());
        Self { url, settings: Vec::new(), files, server: None, scratch }
    }

    /// A store on a server of S3.
    pub fn service() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().join("s3");
        fs::create_dir_all(root.join("bucket")).unwrap();
        let server = Server::start(&root);
        let settings = [
            ("AWS_ENDPOINT", server.endpoint.as_str()),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ACCESS_KEY_ID", server::USER),
            ("AWS_SECRET_ACCESS_KEY", server::SECRET),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
        let files = root.join("bucket").join("shared");
        Self {
            url: "s3://bucket/shared".to_owned(),
            settings,
            files,
            server: Some(server),
            scratch,
        }
    }

    /// Both.
    pub fn both() -> [Self; 2] {
        [Self::folder(), Self::service()]
    }

    /// The server.
    pub fn server(&self) -> &Server {
        self.server.as_ref().unwrap()
    }

    /// Opens the store.
    pub fn open(&self) -> Store {
        Store::open(&self.url, PATIENCE, self.settings.clone()).unwrap()
    }

    /// The program, to be told what to do.
    pub fn program(&self) -> std::process::Command {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_parity-store"));
        program.env("PARITY_STORE", &self.url).envs(self.settings.clone());
        program
    }

    /// The file of an object.
    pub fn object(&self, entry: &Entry) -> PathBuf {
        self.files.join("objects").join(entry.kind.as_str()).join(entry.sha256.as_str())
    }

    /// The file of a name.
    pub fn name(&self, kind: Kind, key: &Key) -> PathBuf {
        self.files.join("names").join(kind.as_str()).join(key.as_str())
    }

    /// Whether there is any name.
    pub fn has_names(&self) -> bool {
        Kind::ALL.iter().any(|kind| {
            let names = fs::read_dir(self.files.join("names").join(kind.as_str()));
            // What a killed writer left is no name.
            names.is_ok_and(|names| {
                names.flatten().any(|name| !name.file_name().to_string_lossy().contains('#'))
            })
        })
    }

    /// What `get` accepts: the bytes of the file that it wrote, or why it wrote none.
    pub fn accepted(&self, kind: Kind, key: &Key) -> Result<Option<Vec<u8>>, store::Error> {
        let folder = tempfile::tempdir_in(self.scratch.path()).unwrap();
        let file = folder.path().join("file");
        let found = self.open().get(kind, key, &file);
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        match found {
            Ok(Some(_)) => Ok(Some(fs::read(file).unwrap())),
            other => {
                assert_eq!(left.len(), 0, "nothing is written that is not accepted");
                other.map(|_| None)
            }
        }
    }
}

/// A key.
pub fn key(text: &str) -> Key {
    text.parse().unwrap()
}

/// Makes a file look as old as so many seconds.
pub fn make_old(file: &Path, seconds: u64) {
    #[expect(clippy::disallowed_methods, reason = "the store compares with times of files")]
    let then = SystemTime::now() - Duration::from_secs(seconds);
    File::options().write(true).open(file).unwrap().set_modified(then).unwrap();
}
