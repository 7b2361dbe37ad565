//! Measures maps of the enhancement profile with a filled index: nothing changed, one file with another comment, and
//! one file with another definition. Beside them the map without the index and the comparator's second map, all in
//! one run, and the targets.
//!
//! Run with `just bench-warm`, or `just bench-warm flask` for some repositories only. Each repository is a clone
//! in a temporary folder, with an index of its own. Times are medians of whole processes.

mod process;

use std::{
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use harness::{
    Folders,
    comparator::{Comparator, ComparatorSpec, Environments},
    planning::repositories,
};
use process::{as_shipped, median, whole};
use serde_json::json;

/// Counted runs of each map of ours, one of each in turn.
const RUNS: usize = 21;
/// After this time the stamps of files are old enough to be trusted.
const SETTLED: Duration = Duration::from_millis(3100);
/// Numbers of files of the repositories that are made.
const MADE: [usize; 2] = [1_000, 10_000];

const WARM: [&str; 6] = ["map", ".", "--map-tokens", "2048", "--profile", "enhancement"];
const COLD: [&str; 7] =
    ["map", ".", "--map-tokens", "2048", "--profile", "enhancement", "--no-index"];

fn main() -> Result<(), Box<dyn Error>> {
    let asked: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    // `cargo test --benches` passes this flag to every bench target, and there is nothing to test here.
    if asked.iter().any(|argument| argument == "--test") {
        return Ok(());
    }
    let is_asked = |name: &str| asked.is_empty() || asked.iter().any(|one| one == name);
    let folders = Folders::find().map_err(|failure| failure.to_string())?;
    let corpora = repositories(&folders, "bench").map_err(|failure| failure.to_string())?;
    let spec = ComparatorSpec::open(&folders.comparator())?;
    let environment =
        Environments::new(&spec, &folders.cache).prepare(&mut |line| eprintln!("{line}"))?;
    let comparator = Comparator { spec: &spec, environment: &environment };
    let engine = PathBuf::from(env!("CARGO_BIN_EXE_parity"));

    let scratch = tempfile::tempdir()?;
    let place = scratch.path().canonicalize()?;
    let mut repos = Vec::new();
    for (name, source) in corpora.iter().filter(|(name, _)| is_asked(name)) {
        let repo = place.join(name);
        let from = source.to_string_lossy();
        git(&place, &["clone", "--quiet", &from, &repo.to_string_lossy()])?;
        repos.push((name.clone(), repo));
    }
    for files in MADE {
        let name = format!("made-{files}");
        if is_asked(&name) {
            let repo = place.join(&name);
            make(&repo, files)?;
            repos.push((name, repo));
        }
    }
    std::thread::sleep(SETTLED);
    let mut rows = Vec::new();
    for (name, repo) in &repos {
        let cache = place.join(format!("{name}.cache"));
        let row = measured(name, repo, &cache, &engine, &comparator)?;
        println!("{row:#}");
        rows.push(row);
    }
    let out = folders.artifacts().join("bench");
    fs::create_dir_all(&out)?;
    let record =
        json!({"schema_version": 1, "threads": rayon::current_num_threads(), "rows": rows});
    fs::write(out.join("warm.json"), serde_json::to_vec_pretty(&record)?)?;
    println!("record: {}", out.join("warm.json").display());
    Ok(())
}

/// Measures one repository.
fn measured(
    name: &str,
    repo: &Path,
    cache: &Path,
    engine: &Path,
    comparator: &Comparator,
) -> Result<serde_json::Value, Box<dyn Error>> {
    let listing = git(repo, &["ls-files", "-z"])?;
    let files = listing.split('\0').filter(|path| !path.is_empty()).count();
    let edited = listing
        .split('\0')
        .find(|path| path.ends_with(".py") || path.ends_with(".rs"))
        .ok_or("no file to edit")?;
    let edited = repo.join(edited);
    let before = fs::read(&edited)?;
    let theirs = as_shipped(comparator, repo)?.warm.seconds;
    // The first fills the level of tags, and both fill the page cache.
    whole(engine, &WARM, repo, Some(cache))?;
    whole(engine, &COLD, repo, Some(cache))?;
    let is_rust = edited.extension().is_some_and(|end| end == "rs");
    let edits: [fn(bool, usize) -> String; 2] = [comment, definition];
    let (mut cold, mut warm, mut changed) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    for run in 0..RUNS {
        cold.push(whole(engine, &COLD, repo, Some(cache))?);
        warm.push(whole(engine, &WARM, repo, Some(cache))?);
        for (edit, changed) in edits.iter().zip(&mut changed) {
            let mut text = before.clone();
            text.extend_from_slice(edit(is_rust, run).as_bytes());
            fs::write(&edited, text)?;
            changed.push(whole(engine, &WARM, repo, Some(cache))?);
            fs::write(&edited, &before)?;
            // The stamp of the restored file has to be trusted, and its map kept, before the next edit.
            std::thread::sleep(SETTLED);
            whole(engine, &WARM, repo, Some(cache))?;
        }
    }
    let [commented, defined] = changed.map(|samples| median(&samples));
    let (cold, warm) = (median(&cold), median(&warm));
    let seconds = |sample: process::Sample| sample.wall.as_secs_f64();
    let [cold_s, warm_s, commented_s, defined_s] = [cold, warm, commented, defined].map(seconds);
    let peak = warm.peak_bytes.max(commented.peak_bytes).max(defined.peak_bytes);
    let most = if files <= 1_000 { 0.050 } else { 0.300 };
    let mut targets = vec![
        ("comparator warm / warm", theirs / warm_s, ">= 25", theirs / warm_s >= 25.0),
        ("new comment / warm", commented_s / warm_s, "<= 1.5", commented_s / warm_s <= 1.5),
        ("new definition / warm", defined_s / warm_s, "<= 1.5", defined_s / warm_s <= 1.5),
        ("peak in MB", peak as f64 / 1e6, "< 100", peak < 100_000_000),
    ];
    if name == "django" {
        targets.push(("cold / warm", cold_s / warm_s, ">= 10", cold_s / warm_s >= 10.0));
    }
    if files <= 10_000 {
        let target = if files <= 1_000 { "<= 0.050" } else { "<= 0.300" };
        targets.push(("warm in seconds", warm_s, target, warm_s <= most));
    }
    let mut table = String::new();
    for (what, value, target, is_met) in &targets {
        let verdict = if *is_met { "met" } else { "MISSED" };
        let _ = writeln!(table, "{name:12} {what:24} {value:9.3} {target:9} {verdict}");
    }
    print!("{table}");
    Ok(json!({
        "corpus": name,
        "files": files,
        "cold_seconds": cold_s,
        "warm_seconds": warm_s,
        "new_comment_seconds": commented_s,
        "new_definition_seconds": defined_s,
        "comparator_warm_seconds": theirs,
        "cold_peak_bytes": cold.peak_bytes,
        "warm_peak_bytes": warm.peak_bytes,
        "new_comment_peak_bytes": commented.peak_bytes,
        "new_definition_peak_bytes": defined.peak_bytes,
        "missed": targets.iter().filter(|target| !target.3).map(|target| target.0).collect::<Vec<_>>(),
    }))
}

/// An edit that leaves the graph's shape.
fn comment(is_rust: bool, run: usize) -> String {
    format!("\n{} edit {run}\n", if is_rust { "//" } else { "#" })
}

/// An edit that changes it.
fn definition(is_rust: bool, run: usize) -> String {
    if is_rust {
        format!("\nfn added_{run}() {{}}\n")
    } else {
        format!("\ndef added_{run}():\n    pass\n")
    }
}

/// Makes a repository of so many files of Python, each of which calls functions of two others.
fn make(repo: &Path, files: usize) -> Result<(), Box<dyn Error>> {
    for file in 0..files {
        let folder = repo.join(format!("part_{:03}", file / 100));
        fs::create_dir_all(&folder)?;
        let (one, two) = (file / 2, file * 7 % files);
        let mut text = format!(
            "from part_{:03}.unit_{one} import handle_unit_{one}\nfrom part_{:03}.unit_{two} import handle_unit_{two}\n\n\n",
            one / 100,
            two / 100,
        );
        for number in 0..6 {
            let _ = writeln!(
                text,
                "def step_{number}_of_{file}(item, rest):\n    value = handle_unit_{one}(item)\n    return handle_unit_{two}(value + rest)\n\n",
            );
        }
        let _ = writeln!(text, "def handle_unit_{file}(item):\n    return item");
        fs::write(folder.join(format!("unit_{file}.py")), text)?;
    }
    git(repo, &["init", "--quiet"])?;
    git(repo, &["add", "--all"])?;
    git(repo, &["commit", "--quiet", "--message", "made"])?;
    Ok(())
}

/// Runs git in a folder, without the user's configuration.
fn git(folder: &Path, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let ended = Command::new("git")
        .args(["-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "gc.auto=0"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()?;
    if !ended.status.success() {
        return Err(format!("git {arguments:?} failed: {ended:?}").into());
    }
    Ok(String::from_utf8(ended.stdout)?)
}
