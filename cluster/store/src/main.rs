//! `parity-store`: what `parity store` runs.

mod console;

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

use clap::{Args, Parser, Subcommand};
use console::{print, say};
use record::exit;
use serde_json::{Value, json};
use store::{Collection, Error, Key, Kind, LEAST_GRACE, Outcome, Patience, Store, pack, unpack};

/// A store of answers, corpora, comparators and engines that many machines share.
#[derive(Debug, Parser)]
#[command(name = "parity store", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Put a file under a key. A key stands for the same bytes for ever: other bytes are refused (21).
    Put(Put),
    /// Write what a key stands for to a file, if its length and digest are right. Exits with 26 if there is nothing.
    Get(Get),
    /// List the names.
    List(List),
    /// Remove names that are given up, and objects that have no name and are old.
    Gc(Gc),
    /// Read all names and objects, and say what is wrong (21).
    Verify(Verify),
}

/// Where the store is, and how the result is printed.
#[derive(Debug, Args)]
struct Common {
    /// The store: file:///FOLDER or s3://BUCKET/FOLDER. The service of S3 is found as other clients find it: AWS_ENDPOINT,
    /// AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ALLOW_HTTP.
    #[arg(long = "store", value_name = "URL", env = "PARITY_STORE")]
    url: String,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// How many seconds the service may say nothing.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    patience: u64,
}

#[derive(Debug, Args)]
struct Named {
    /// What it is.
    kind: Kind,
    /// The key: letters, digits, `.`, `_` and `-`.
    key: Key,
    /// The file.
    file: PathBuf,
    /// FILE is a folder of plain files, which is stored as one archive.
    #[arg(long)]
    folder: bool,
}

#[derive(Debug, Args)]
struct Put {
    #[command(flatten)]
    named: Named,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
struct Get {
    #[command(flatten)]
    named: Named,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
struct List {
    /// Only names of this kind.
    #[arg(long)]
    kind: Option<Kind>,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
struct Gc {
    /// Keep objects without a name so long, but at least an hour.
    #[arg(long, value_name = "N", default_value_t = 7)]
    keep_days: u32,
    /// Give up this name. May be repeated.
    #[arg(long, value_name = "KIND/KEY", value_parser = kind_and_key)]
    remove: Vec<(Kind, Key)>,
    /// Say what would be removed, and remove nothing.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Args)]
struct Verify {
    #[command(flatten)]
    common: Common,
}

fn kind_and_key(text: &str) -> Result<(Kind, Key), String> {
    let (kind, key) = text.split_once('/').ok_or("write KIND/KEY")?;
    let kind = Kind::named(kind).ok_or_else(|| {
        format!("{kind:?} is no kind; there are {}", Kind::ALL.map(Kind::as_str).join(", "))
    })?;
    Ok((kind, key.parse().map_err(|error: store::NotAKey| error.to_string())?))
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = if error.use_stderr() { exit::USAGE } else { exit::PASS };
            return if error.print().is_ok() { code.into() } else { exit::IO.into() };
        }
    };
    let outcome = match &cli.command {
        Command::Put(put) => put.run(),
        Command::Get(get) => get.run(),
        Command::List(list) => list.run(),
        Command::Gc(gc) => gc.run(),
        Command::Verify(verify) => verify.run(),
    };
    match outcome {
        Ok((code, printed)) => match print(&printed) {
            // A reader that closed the pipe early does not change the result.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => exit::IO.into(),
            _ => code.into(),
        },
        Err(error) => {
            say(&format!("error: {error}"));
            error.exit_code().into()
        }
    }
}

/// The exit code, and what is printed.
type Done = Result<(u8, String), Error>;

impl Common {
    fn open(&self) -> Result<Store, Error> {
        let quiet = Duration::from_secs(self.patience);
        // What is no text is no setting of a service.
        let settings = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        Store::open(&self.url, Patience { quiet, ..Patience::default() }, settings)
    }

    /// The result as an object, or in words.
    fn result(&self, json: &Value, words: String) -> String {
        if self.json { format!("{json}\n") } else { words }
    }
}

impl Put {
    fn run(&self) -> Done {
        let Named { kind, key, file, folder } = &self.named;
        let store = self.common.open()?;
        let published = if *folder {
            let mut archive = tempfile::NamedTempFile::new().map_err(unwritten(file))?;
            pack(file, archive.as_file_mut())?;
            store.put(*kind, key, archive.path())?
        } else {
            store.put(*kind, key, file)?
        };
        let json =
            json!({"schema_version": 1, "outcome": published.outcome, "entry": published.entry});
        let verb = match published.outcome {
            Outcome::Stored => "stored",
            Outcome::Present => "present",
        };
        let (sha256, bytes) = (&published.entry.sha256, published.entry.bytes);
        let words = format!("{verb} {kind}/{key}: {sha256}, {bytes} bytes\n");
        Ok((exit::PASS, self.common.result(&json, words)))
    }
}

impl Get {
    fn run(&self) -> Done {
        let Named { kind, key, file, folder } = &self.named;
        let store = self.common.open()?;
        let found =
            if *folder { self.unpacked(&store, file)? } else { store.get(*kind, key, file)? };
        let Some(entry) = found else {
            say(&format!("{kind}/{key} is not in {}", self.common.url));
            let json = json!({"schema_version": 1, "outcome": "absent", "entry": null});
            return Ok((exit::NOT_HERE, self.common.result(&json, String::new())));
        };
        let json = json!({"schema_version": 1, "outcome": "found", "entry": entry});
        let words = format!("found {kind}/{key}: {}, {} bytes\n", entry.sha256, entry.bytes);
        Ok((exit::PASS, self.common.result(&json, words)))
    }

    /// Gets an archive, and makes the folder of it in one step.
    fn unpacked(&self, store: &Store, folder: &Path) -> Result<Option<store::Entry>, Error> {
        let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        std::fs::create_dir_all(parent).map_err(unwritten(parent))?;
        let work = tempfile::tempdir_in(parent).map_err(unwritten(parent))?;
        let (archive, files) = (work.path().join("archive"), work.path().join("files"));
        let Some(entry) = store.get(self.named.kind, &self.named.key, &archive)? else {
            return Ok(None);
        };
        std::fs::create_dir(&files).map_err(unwritten(&files))?;
        let mut archive = File::open(&archive).map_err(unwritten(&archive))?;
        unpack(&mut archive, &files)?;
        // Fails if there is a folder with files.
        std::fs::rename(&files, folder).map_err(unwritten(folder))?;
        Ok(Some(entry))
    }
}

impl List {
    fn run(&self) -> Done {
        let entries = self.common.open()?.list(self.kind)?;
        let words = entries
            .iter()
            .map(|it| format!("{}/{} {} {}\n", it.kind, it.key, it.sha256, it.bytes))
            .collect::<String>();
        let json = json!({"schema_version": 1, "entries": entries});
        Ok((exit::PASS, self.common.result(&json, words)))
    }
}

impl Gc {
    fn run(&self) -> Done {
        let collection = Collection {
            grace: Duration::from_hours(24).saturating_mul(self.keep_days).max(LEAST_GRACE),
            names: self.remove.clone(),
            only_list: self.list,
        };
        let found = self.common.open()?.collect(&collection)?;
        let lines = found.names.iter().chain(&found.objects).map(|path| format!("{path}\n"));
        let verb = if self.list { "would remove" } else { "removed" };
        let words = format!(
            "{}{verb} {} names and {} objects with {} bytes; {} objects without a name are young\n",
            lines.collect::<String>(),
            found.names.len(),
            found.objects.len(),
            found.bytes,
            found.young
        );
        let json = json!({"schema_version": 1, "listed_only": self.list, "collected": found});
        Ok((exit::PASS, self.common.result(&json, words)))
    }
}

impl Verify {
    fn run(&self) -> Done {
        let mut told = Instant::now();
        let found = self.common.open()?.verify(|number, all| {
            if told.elapsed() > Duration::from_secs(2) {
                told = Instant::now();
                say(&format!("read {number} of {all}"));
            }
        })?;
        let lines = found.problems.iter().map(|it| format!("{} {}\n", it.path, it.why));
        let words = format!(
            "{}{} names, {} objects ({} without a name), {} bytes: {} problems\n",
            lines.collect::<String>(),
            found.names,
            found.objects,
            found.unnamed,
            found.bytes,
            found.problems.len()
        );
        let code = match (found.problems.is_empty(), found.names + found.objects) {
            (false, _) => exit::DIGEST,
            // Nothing was read, so nothing was shown to be right.
            (true, 0) => exit::NOTHING_RAN,
            (true, _) => exit::PASS,
        };
        let json = json!({"schema_version": 1, "verified": found});
        Ok((code, self.common.result(&json, words)))
    }
}

fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |error| Error::File { action: "written", path, error }
}
