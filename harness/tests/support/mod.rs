//! Shared by the integration tests: corpora, recordings, and running `parity map`.
#![allow(dead_code, reason = "each test program uses its part")]
#![allow(clippy::expect_used, reason = "this module is of tests alone")]

pub mod evidence;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use harness::{
    corpus::{Authored, Lock, Materialised, Store, progress},
    process::{self, Invocation},
    run::{Ledger, LedgerRow},
};
use record::{Case, Digest, Plan, PlannedCorpus, Profile, Set, View};
use verdict::{
    MapDocument, Protocol,
    protocol::Table,
    response::Response,
    session_documents,
    sides::{Artifact, Layers},
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

/// The protocol in force.
pub fn protocol() -> Protocol {
    Protocol::open(&root()).unwrap()
}

/// The thresholds of a gate.
pub fn limits<T: Table>() -> T {
    protocol().table().unwrap()
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

/// The authored slice, materialised.
pub fn authored_slice() -> Materialised {
    let store = Store::open(Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    let authored = Authored::load(&root().join("corpora/authored/slice")).unwrap();
    store.ensure_authored(&authored).unwrap()
}

/// A plan that maps and explores the slice with a program.
pub fn plan_of_slice(engine: &Path) -> Plan {
    let authored = Authored::load(&root().join("corpora/authored/slice")).unwrap();
    let slice = authored_slice();
    let corpus = PlannedCorpus {
        authored: true,
        commit: slice.commit,
        fingerprint: authored.fingerprint(),
        cases: slice.cases,
        explorations: vec!["README.md".to_owned()],
        repeats: 1,
        ..PlannedCorpus::new("slice")
    };
    Plan {
        corpora: vec![corpus],
        budgets: vec![256],
        engine_sha256: Digest::of_file(engine).unwrap().into(),
        ..Plan::new(Set::Smoke, Profile::Enhancement)
    }
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

/// The rows of the committed ledgers by corpus, each corpus once.
pub fn ledger_rows() -> BTreeMap<String, Vec<LedgerRow>> {
    let mut corpora: BTreeMap<String, Vec<LedgerRow>> = BTreeMap::new();
    for row in ledger("smoke").rows {
        corpora.entry(row.corpus.clone()).or_default().push(row);
    }
    let smoke: BTreeSet<String> = corpora.keys().cloned().collect();
    for row in ledger("full").rows.into_iter().filter(|row| !smoke.contains(&row.corpus)) {
        corpora.entry(row.corpus.clone()).or_default().push(row);
    }
    corpora
}

/// The committed ledger of a set.
pub fn ledger(set: &str) -> Ledger {
    let path = root().join(format!("reports/{set}.ledger.json"));
    let text = fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; run `cargo parity record`", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// Whether a run is incomplete without a locked corpus.
pub fn is_required(name: &str) -> bool {
    let lock = Lock::load_dir(&root().join("corpora")).unwrap();
    lock.rows().any(|row| row.name == name && row.required)
}

/// The repository and cases of a locked corpus. One beyond the smoke set is fetched only if
/// `must_fetch`: a first run of the tests should not take a quarter of a gigabyte.
pub fn locked(name: &str, commit: &str, must_fetch: bool) -> Result<(PathBuf, Vec<Case>), String> {
    let lock = Lock::load_dir(&root().join("corpora")).map_err(|error| error.to_string())?;
    let row = lock
        .rows()
        .find(|row| row.name == name)
        .ok_or_else(|| format!("the ledger names {name}, which no lock does"))?;
    if row.commit != commit {
        return Err(format!("{name} was recorded at {commit}, the lock says {}", row.commit));
    }
    let cache = harness::cache_dir().map_err(|error| error.to_string())?;
    let store = Store::open(cache);
    if !must_fetch && !row.sets.contains("smoke") && !store.path(row).exists() {
        return Err("not fetched; cargo parity run --set full does that".to_owned());
    }
    let ready =
        store.ensure(row, &mut *progress::on_stderr(false)).map_err(|error| error.to_string())?;
    let corpus = Corpus::from(ready);
    Ok((corpus.path, corpus.cases))
}

/// Runs `parity map` on a case as a run does, with the whole graph traced, and returns everything it
/// gave.
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
    MapDocument::parse(&output.stdout, Profile::Parity).map_err(|error| error.to_string())
}

/// Our layers for a case; with `graph`, tags and edges as well.
pub fn layers_of(
    path: &Path,
    view: &View,
    case: &Case,
    budget: u64,
    graph: bool,
) -> Result<Layers, String> {
    map(path, view, case, budget, graph)?.layers().map_err(|error| error.to_string())
}

/// Our layers for all rows of a locked corpus, in their order, made by one process.
pub fn layers_of_rows(
    path: &Path,
    cases: &[Case],
    rows: &[LedgerRow],
) -> Result<Vec<Layers>, String> {
    let mut requests = Vec::new();
    for row in rows {
        let case = cases.iter().find(|case| case.id == row.case);
        let case = case.ok_or_else(|| format!("the lock has no case {}", row.case))?;
        let request = serde_json::json!({
            "chat_files": case.chat_files,
            "read_only_files": case.read_only_files,
            "message": case.message,
            "map_tokens": row.budget,
            "trace": if row.layers.tags.is_some() { "graph" } else { "ranking" },
        });
        requests.extend(format!("{request}\n").into_bytes());
    }
    let mut invocation = Invocation::new(env!("CARGO_BIN_EXE_parity"), path);
    invocation.env.insert("PATH".to_owned(), std::env::var("PATH").unwrap());
    invocation.stdin = requests;
    invocation.max_stdout = 512 << 20;
    let invocation = invocation.args(["map", ".", "--requests", "-"].map(str::to_owned));
    let capture = process::run(&invocation).map_err(|error| error.to_string())?;
    if !capture.succeeded() {
        return Err(format!("{}: {}", capture.ending(), capture.stderr_tail(3)));
    }
    let documents = session_documents(&capture.stdout.bytes, Profile::Parity);
    let layers: Result<Vec<Layers>, _> = documents
        .map_err(|error| error.to_string())?
        .into_iter()
        .map(MapDocument::layers)
        .collect();
    let layers = layers.map_err(|error| error.to_string())?;
    let (made, asked) = (layers.len(), rows.len());
    if made == asked { Ok(layers) } else { Err(format!("{made} maps for {asked} requests")) }
}
