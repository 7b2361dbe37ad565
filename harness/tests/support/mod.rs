//! What the integration tests share: corpora, recordings, and running `parity map`.
#![allow(dead_code, reason = "each test program uses its part")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use harness::{
    comparator::Response,
    corpus::{Authored, Case, Lock, Materialised, Store, View, progress},
    gate::{Artifact, Layers, Thresholds},
    run::{Ledger, LedgerRow, MapDocument},
};

/// An authored corpus, materialised.
pub struct Corpus {
    /// Its name.
    pub name: String,
    /// Its repository.
    pub path: PathBuf,
    /// Its cases.
    pub cases: Vec<Case>,
    /// How both sides look at it.
    pub view: View,
}

/// The checkout.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The thresholds in force.
pub fn thresholds() -> Thresholds {
    let text = fs::read_to_string(root().join("protocols/v1/gates.toml")).unwrap();
    toml::from_str(&text).unwrap()
}

/// All authored corpora, in repositories below the build folder.
pub fn authored() -> Vec<Corpus> {
    let store = Store::open(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    Authored::load_all(&root().join("corpora/authored"))
        .unwrap()
        .iter()
        .map(|authored| Corpus::from(store.ensure_authored(authored).unwrap()))
        .collect()
}

impl From<Materialised> for Corpus {
    fn from(ready: Materialised) -> Self {
        Self { name: ready.name, path: ready.path, cases: ready.cases, view: ready.view }
    }
}

impl Corpus {
    /// The comparator's committed recording of this corpus.
    pub fn recording(&self) -> Response {
        let path = root().join("corpora/authored").join(&self.name).join("recording.json");
        let bytes = fs::read(&path).unwrap_or_else(|error| {
            panic!("{}: {error}; run `cargo parity record`", path.display())
        });
        Response::parse(&bytes).unwrap()
    }
}

/// The comparator's committed answers to the call sequences.
pub fn sequences() -> Response {
    let path = root().join("corpora/authored/slice/refresh.json");
    let bytes = fs::read(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; run `cargo parity record`", path.display()));
    Response::parse(&bytes).unwrap()
}

/// The rows of all committed ledgers, each corpus once.
pub fn ledger_rows() -> Vec<LedgerRow> {
    let reports = root().join("reports");
    let mut ledgers: Vec<PathBuf> = fs::read_dir(&reports)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_str().is_some_and(|path| path.ends_with(".ledger.json")))
        .collect();
    ledgers.sort_unstable();
    assert!(!ledgers.is_empty(), "no ledger; run `cargo parity record`");
    let mut rows: Vec<LedgerRow> = Vec::new();
    for path in ledgers {
        let text = fs::read_to_string(path).unwrap();
        let ledger: Ledger = serde_json::from_str(&text).unwrap();
        let known: BTreeSet<String> = rows.iter().map(|row| row.corpus.clone()).collect();
        rows.extend(ledger.rows.into_iter().filter(|row| !known.contains(&row.corpus)));
    }
    rows
}

/// True if a run may not do without a locked corpus.
pub fn is_required(name: &str) -> bool {
    let lock = Lock::load_dir(&root().join("corpora")).unwrap();
    lock.rows().any(|row| row.name == name && row.required)
}

/// The repository and cases of a locked corpus, fetched if need be.
pub fn locked(name: &str, commit: &str) -> Result<(PathBuf, Vec<Case>), String> {
    let lock = Lock::load_dir(&root().join("corpora")).map_err(|error| error.to_string())?;
    let row = lock
        .rows()
        .find(|row| row.name == name)
        .ok_or_else(|| format!("the ledger names {name}, which no lock does"))?;
    if row.commit != commit {
        return Err(format!("{name} was recorded at {commit}, the lock says {}", row.commit));
    }
    let cache = harness::corpus::cache_dir().map_err(|error| error.to_string())?;
    let ready = Store::open(cache)
        .ensure(row, &mut *progress::on_stderr(false))
        .map_err(|error| error.to_string())?;
    let corpus = Corpus::from(ready);
    Ok((corpus.path, corpus.cases))
}

/// Runs `parity map` on a case as a run does, with the whole graph traced, and keeps all of it.
pub fn artifact(path: &Path, case: &Case, budget: u64) -> Artifact {
    let mut argv = vec![env!("CARGO_BIN_EXE_parity").to_owned()];
    let budget = budget.to_string();
    argv.extend(
        ["map", ".", "--map-tokens", &budget, "--map-mul-no-files", "2"].map(str::to_owned),
    );
    argv.extend(["--refresh", "files", "--profile", "parity"].map(str::to_owned));
    argv.extend(["--json", "--trace-graph"].map(str::to_owned));
    let named = [("--chat", &case.chat_files), ("--read-only", &case.read_only_files)];
    for (flag, files) in named {
        argv.extend(files.iter().flat_map(|file| [flag.to_owned(), file.clone()]));
    }
    if !case.message.is_empty() {
        argv.extend(["--message".to_owned(), case.message.clone()]);
    }
    let env = BTreeMap::from([("PATH".to_owned(), std::env::var("PATH").unwrap())]);
    let output = Command::new(&argv[0])
        .args(&argv[1..])
        .env_clear()
        .envs(&env)
        .current_dir(path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let document = serde_json::from_slice(&output.stdout).unwrap();
    Artifact { argv, env, document }
}

/// Runs `parity map` on a case: with the whole graph, tags and edges, or with the trace alone.
pub fn map(
    path: &Path,
    view: &View,
    case: &Case,
    budget: u64,
    graph: bool,
) -> Result<MapDocument, String> {
    let trace = if graph { "--trace-graph" } else { "--trace" };
    let mut command = Command::new(env!("CARGO_BIN_EXE_parity"));
    command
        .args(view.map_arguments())
        .args(["--json", trace, "--map-tokens", &budget.to_string()])
        .current_dir(path)
        .stdin(Stdio::null());
    for file in &case.chat_files {
        command.args(["--chat", file]);
    }
    for file in &case.read_only_files {
        command.args(["--read-only", file]);
    }
    if !case.message.is_empty() {
        command.args(["--message", &case.message]);
    }
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    MapDocument::parse(&output.stdout, "parity").map_err(|error| error.to_string())
}

/// Our layers of a case, tags and edges among them if `graph` is asked for.
pub fn layers_of(
    path: &Path,
    view: &View,
    case: &Case,
    budget: u64,
    graph: bool,
) -> Result<Layers, String> {
    map(path, view, case, budget, graph)?.layers().map_err(|error| error.to_string())
}
