//! An open store, and what every request to it has in common: how long it may take.

use std::{sync::Arc, time::Duration};

use futures_util::{StreamExt, TryStreamExt};
use object_store::{
    Error as ServiceError, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions,
    PutPayload, path::Path,
};
use record::{Digest, digest::Hasher};
use tokio::{runtime::Runtime, time::timeout};

use crate::Error;

/// How long is waited for a service, and how often it is asked.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// The longest that a service may say nothing. The library that asks repeats requests that fail with 5xx within
    /// this time.
    pub quiet: Duration,
    /// The fewest bytes a second, for which long requests get more time.
    pub bytes_per_second: u64,
    /// How often something is tried that the library does not repeat: a write whose answer is lost, and a read whose
    /// bytes are wrong. At least 1.
    pub tries: u32,
    /// The pause before the second try; doubled before each further one.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            quiet: Duration::from_secs(30),
            bytes_per_second: 256 << 10,
            tries: 4,
            pause: Duration::from_millis(200),
        }
    }
}

/// An open store. Its methods wait for the service.
#[derive(Debug)]
pub struct Store {
    pub(crate) objects: Arc<dyn ObjectStore>,
    pub(crate) runtime: Runtime,
    /// What messages call it.
    pub(crate) place: String,
    /// Its folder, if it is in the file system.
    pub(crate) folder: Option<std::path::PathBuf>,
    pub(crate) patience: Patience,
}

/// Why one request was not served.
#[derive(Debug)]
pub enum Trouble {
    /// There is nothing.
    Absent,
    /// There is something already.
    Exists,
    /// It failed, and may succeed later.
    Failed(String),
    /// What came is longer than it may be.
    TooLong,
}

impl Trouble {
    /// In words.
    pub fn why(self) -> String {
        match self {
            Self::Absent => "it is not there".to_owned(),
            Self::Exists => "it is there already".to_owned(),
            Self::TooLong => "it is longer than its name says".to_owned(),
            Self::Failed(why) => why,
        }
    }
}

impl From<ServiceError> for Trouble {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::NotFound { .. } => Self::Absent,
            ServiceError::AlreadyExists { .. } => Self::Exists,
            error => Self::Failed(error.to_string()),
        }
    }
}

impl Store {
    /// The longest that a request for so many bytes may take: the library may repeat it within the first `quiet`.
    fn longest(&self, bytes: u64) -> Duration {
        let Patience { quiet, bytes_per_second, .. } = self.patience;
        quiet * 2 + Duration::from_secs(bytes / bytes_per_second.max(1))
    }

    /// Waits for one request, but not for ever.
    fn wait<T>(
        &self,
        bytes: u64,
        request: impl Future<Output = Result<T, Trouble>>,
    ) -> Result<T, Trouble> {
        let longest = self.longest(bytes);
        let late = || Trouble::Failed(format!("no answer after {} s", longest.as_secs_f64()));
        self.runtime
            .block_on(async { timeout(longest, request).await })
            .unwrap_or_else(|_| Err(late()))
    }

    /// Writes an object, or a name, in one step.
    pub(crate) fn write(
        &self,
        path: &Path,
        bytes: &PutPayload,
        mode: PutMode,
    ) -> Result<(), Trouble> {
        let options = PutOptions { mode, ..PutOptions::default() };
        self.wait(bytes.content_length() as u64, async {
            Ok(self.objects.put_opts(path, bytes.clone(), options).await.map(|_| ())?)
        })
    }

    /// Passes on what is at a path, of which at most `most` bytes are read. Returns their digest and number.
    pub(crate) fn stream(
        &self,
        path: &Path,
        most: u64,
        mut take: impl FnMut(&[u8]) -> Result<(), Trouble>,
    ) -> Result<(Digest, u64), Trouble> {
        let quiet = self.patience.quiet;
        let silent = |_| Trouble::Failed(format!("nothing came for {} s", quiet.as_secs_f64()));
        self.wait(most, async {
            let mut pieces = self.objects.get(path).await?.into_stream();
            let (mut hasher, mut bytes) = (Hasher::default(), 0_u64);
            while let Some(piece) = timeout(quiet, pieces.next()).await.map_err(silent)? {
                let piece = piece?;
                bytes += piece.len() as u64;
                if bytes > most {
                    return Err(Trouble::TooLong);
                }
                hasher.update(&piece);
                take(&piece)?;
            }
            Ok((hasher.finish(), bytes))
        })
    }

    /// What the service says about a path.
    pub(crate) fn about(&self, path: &Path) -> Result<ObjectMeta, Trouble> {
        self.wait(0, async { Ok(self.objects.head(path).await?) })
    }

    /// Everything below a folder, sorted by path.
    pub(crate) fn below(&self, folder: Option<&Path>) -> Result<Vec<ObjectMeta>, Error> {
        let late = |_| Trouble::Failed("the service says nothing".to_owned());
        let all = self.runtime.block_on(async {
            let mut pieces = self.objects.list(folder);
            let mut all = Vec::new();
            while let Some(about) =
                timeout(self.longest(0), pieces.try_next()).await.map_err(late)??
            {
                all.push(about);
            }
            Ok::<_, Trouble>(all)
        });
        let shown = folder.map_or_else(|| "everything".to_owned(), Path::to_string);
        let mut all = all.map_err(|trouble| self.failed("listing", &shown, trouble))?;
        all.sort_by(|one, other| one.location.cmp(&other.location));
        Ok(all)
    }

    /// Removes what is at a path; nothing there is no error.
    pub(crate) fn remove(&self, path: &Path) -> Result<(), Error> {
        match self.wait(0, async { Ok(self.objects.delete(path).await?) }) {
            Ok(()) | Err(Trouble::Absent) => Ok(()),
            Err(trouble) => Err(self.failed("removing", path, trouble)),
        }
    }

    /// Waits before a try; not before the first one, which is number 0.
    pub(crate) fn pause(&self, number: u32) {
        if number > 0 {
            std::thread::sleep(self.patience.pause * (1 << (number - 1).min(6)));
        }
    }

    pub(crate) fn failed(
        &self,
        action: &'static str,
        path: &impl ToString,
        trouble: Trouble,
    ) -> Error {
        let (path, place, why) = (path.to_string(), self.place.clone(), trouble.why());
        Error::Service { action, path, place, why }
    }

    pub(crate) fn damaged(&self, path: &impl ToString, why: String) -> Error {
        Error::Damaged { path: path.to_string(), place: self.place.clone(), why }
    }
}
