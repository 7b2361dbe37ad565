//! Compares the explorers of formats with the independent parsers that label their gold, in one run:
//! the same files, one thread each, from the disk to printed JSON. A ratio of 2 means that ours takes
//! half the time. The oracle's start-up is measured separately and subtracted; if the remaining time is
//! too short beside it to be told from noise, no ratio is printed.
//!
//! Run with `just bench-formats`, which writes the table into `reports/explore/`; without `--write` it is
//! only printed. Throughputs hold for this machine only; the ratios are what counts.

use std::{
    collections::BTreeMap,
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use base::profile::Profile;
use explore::{Input, Project, explore};
use harness::{
    Folders,
    corpus::{Lock, Store, progress::on_stderr},
    oracle::{Installed, OracleSpec, Programs, Subject, ask, install},
};
use record::Gold;
use verdict::explorations::Formats;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Counted runs over all files of a format. The shortest is used, because other work disturbed it least.
const RUNS: usize = 3;
/// The smallest share of its start-up time that an oracle's work must take to be measured.
const MEASURABLE: f64 = 0.2;
/// The most files of a format: as many as one request to an oracle holds, spread over all that have gold.
const FILES: usize = 400;
/// Where `--write` puts the table, relative to the checkout.
const REPORT: &str = "reports/explore/throughput-formats.txt";
/// The oracles that parse formats. Logs have none: their gold is labelled by hand.
const ROOMS: [&str; 2] = ["formats", "formats_documents"];

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo test --benches` passes this flag to every bench target, and there is nothing to test here.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let folders = Folders::find().map_err(|failure| failure.to_string())?;
    let text = fs::read_to_string(folders.root.join(record::protocol::FORMATS))?;
    let salt = toml::from_str::<Formats>(&text)?.salt;
    let roots = repositories(&folders)?;
    let mut table = format!(
        "Throughput of the explorers of formats against the parsers of their gold, on the same files in\n\
         one run, one thread each, from the disk to JSON; the shortest of {RUNS} runs.\n\
         {} processors, {} of load before the run.\n\n\
         {:12} {:>5} {:>8} {:>12} {:>10} {:>7}\n",
        std::thread::available_parallelism()?,
        load(),
        "format",
        "files",
        "MB",
        "oracle MB/s",
        "ours MB/s",
        "ratio"
    );
    for name in ROOMS {
        let spec = OracleSpec::open(&folders.root.join("comparators/oracles").join(name))?;
        let oracle = install(&spec, &folders.cache, &mut Programs::default(), &mut |line| {
            eprintln!("{line}");
        })?;
        for format in &spec.definition.languages {
            let row = row(&oracle, format, &salt, &folders, &roots)?;
            print!("{row}");
            table.push_str(&row);
        }
    }
    if std::env::args().any(|argument| argument == "--write") {
        fs::write(folders.root.join(REPORT), table)?;
        println!("written to {REPORT}");
    }
    Ok(())
}

/// The line of the table for one format.
fn row(
    oracle: &Installed,
    format: &str,
    salt: &str,
    folders: &Folders,
    roots: &BTreeMap<String, PathBuf>,
) -> Result<String, Box<dyn Error>> {
    let gold = Gold::read(&folders.root.join(Gold::path(format)))?;
    let there: Vec<PathBuf> = gold
        .labelled()
        .filter_map(|file| Some(roots.get(&file.corpus)?.join(&file.file)))
        .filter(|path| path.is_file())
        .collect();
    let step = there.len().div_ceil(FILES).max(1);
    // Copies in one folder, because each request to an oracle is about a single folder.
    let folder = tempfile::tempdir()?;
    let mut names = Vec::new();
    let mut bytes = 0;
    for (index, path) in there.iter().step_by(step).enumerate() {
        let base = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{index:04}/{base}");
        fs::create_dir(folder.path().join(format!("{index:04}")))?;
        bytes += fs::copy(path, folder.path().join(&name))?;
        names.push(name);
    }
    fs::write(folder.path().join("start"), "")?;
    let asked = |files: &[String]| -> Result<Duration, Box<dyn Error>> {
        let subject = Subject { language: format, salt };
        let start = Instant::now();
        ask(oracle, subject, folder.path(), files, &mut |_| ())?;
        Ok(start.elapsed())
    };
    let begin = shortest(|| asked(&["start".to_owned()]))?;
    let theirs = shortest(|| asked(&names))?.saturating_sub(begin);
    let ours = shortest(|| look(folder.path(), &names))?;
    let megabytes = bytes as f64 / 1e6;
    let speed = |time: Duration| megabytes / time.as_secs_f64();
    let mut row = format!("{format:12} {:>5} {megabytes:>8.2}", names.len());
    if theirs.as_secs_f64() < MEASURABLE * begin.as_secs_f64() {
        writeln!(row, " {:>12} {:>10.2} {:>7}", "-", speed(ours), "-")?;
    } else {
        let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
        writeln!(row, " {:>12.2} {:>10.2} {ratio:>7.2}", speed(theirs), speed(ours))?;
    }
    Ok(row)
}

/// Explores files as `parity explore --json` does.
fn look(folder: &Path, names: &[String]) -> Result<Duration, Box<dyn Error>> {
    let project = Project::default();
    let start = Instant::now();
    for name in names {
        let input = Input::open(name, &folder.join(name))?;
        let found = explore(&input, &project, Profile::Parity);
        serde_json::to_writer(std::io::sink(), &found)?;
    }
    Ok(start.elapsed())
}

/// The shortest time of some runs, after one that is not counted.
fn shortest(
    mut run: impl FnMut() -> Result<Duration, Box<dyn Error>>,
) -> Result<Duration, Box<dyn Error>> {
    run()?;
    let times = (0..RUNS).map(|_| run()).collect::<Result<Vec<_>, _>>()?;
    Ok(times.into_iter().min().unwrap_or_default())
}

/// The available corpora with formats, by name; one that cannot be fetched is reported and left out.
fn repositories(folders: &Folders) -> Result<BTreeMap<String, PathBuf>, Box<dyn Error>> {
    let lock = Lock::load_dir(&folders.root.join("corpora"))?;
    let store = Store::open(&folders.cache);
    let mut roots = BTreeMap::new();
    for row in lock.rows().filter(|row| row.sets.contains("full") || row.sets.contains("formats")) {
        match store.ensure(row, &mut *on_stderr(false)) {
            Ok(ready) => drop(roots.insert(ready.name, ready.path)),
            Err(error) if row.required => return Err(error.into()),
            Err(error) => eprintln!("left out: {}: {error}", row.name),
        }
    }
    Ok(roots)
}

/// The load average over the last minute; other work makes both sides slower.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().filter(|load| !load.is_empty()).unwrap_or("unknown").to_owned()
}
