//! Opens a store by its URL.

use std::{fs, path::Path as FilePath, sync::Arc};

use object_store::{
    BackoffConfig, ClientOptions, ObjectStore, RetryConfig,
    aws::{AmazonS3Builder, AmazonS3ConfigKey, S3ConditionalPut},
    local::LocalFileSystem,
    path::Path,
    prefix::PrefixStore,
};
use url::Url;

use crate::{Error, Patience, Store};

impl Store {
    /// Opens the store at `file:///FOLDER`, which is created, or `s3://BUCKET/FOLDER`. `settings` are variables of the
    /// environment; those that begin with `AWS_` say where the service of S3 is and who asks. Nothing is asked yet.
    ///
    /// # Errors
    /// The URL is of neither form, or the folder cannot be made.
    pub fn open(
        url: &str,
        patience: Patience,
        settings: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, Error> {
        let wrong = |why: String| Error::Place { url: url.to_owned(), why };
        let parsed = Url::parse(url).map_err(|error| wrong(error.to_string()))?;
        let is_place = parsed.query().is_none() && parsed.fragment().is_none();
        if !is_place || !parsed.username().is_empty() || parsed.port().is_some() {
            return Err(wrong("it has more than a place".to_owned()));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| wrong(error.to_string()))?;
        let (objects, folder): (Arc<dyn ObjectStore>, _) = match parsed.scheme() {
            "file" => {
                let folder = parsed.to_file_path();
                let folder = folder.map_err(|()| wrong("it names no folder here".to_owned()))?;
                (Arc::new(in_folder(&folder).map_err(wrong)?), Some(folder))
            }
            "s3" => {
                let service = on_service(&parsed, &patience, settings);
                (service.map_err(|error| wrong(error.to_string()))?, None)
            }
            other => return Err(wrong(format!("a store at {other}: is not known"))),
        };
        Ok(Self { objects, runtime, place: url.to_owned(), folder, patience })
    }
}

fn in_folder(folder: &FilePath) -> Result<LocalFileSystem, String> {
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let files = LocalFileSystem::new_with_prefix(folder).map_err(|error| error.to_string())?;
    Ok(files.with_fsync(true))
}

fn on_service(
    url: &Url,
    patience: &Patience,
    settings: impl IntoIterator<Item = (String, String)>,
) -> object_store::Result<Arc<dyn ObjectStore>> {
    // Another part of the program may have chosen one already, which serves as well.
    rustls::crypto::ring::default_provider().install_default().ok();
    let retry = RetryConfig {
        backoff: BackoffConfig {
            init_backoff: patience.pause / 2,
            max_backoff: patience.quiet / 4,
            base: 2.0,
        },
        max_retries: 5,
        retry_timeout: patience.quiet,
    };
    // A limit for whole requests would have to fit the longest object; each request has its own limit instead.
    let mut bucket = AmazonS3Builder::new()
        .with_client_options(ClientOptions::new().with_timeout_disabled())
        .with_url(format!("s3://{}", url.host_str().unwrap_or_default()));
    for (name, value) in settings {
        let key = name.starts_with("AWS_").then(|| name.to_ascii_lowercase().parse());
        if let Some(Ok::<AmazonS3ConfigKey, _>(key)) = key {
            bucket = bucket.with_config(key, value);
        }
    }
    // After the settings, which could switch it off: without conditional writes there would be no order of writers.
    let bucket =
        bucket.with_conditional_put(S3ConditionalPut::ETagMatch).with_retry(retry).build()?;
    let folder = Path::from_url_path(url.path())?;
    if folder.as_ref().is_empty() {
        Ok(Arc::new(bucket))
    } else {
        Ok(Arc::new(PrefixStore::new(bucket, folder)))
    }
}
