//! Compares the explorers with pure parsing in one run: the same files, the same threads, and texts
//! already in memory. A share of 0.6 means that symbols, imports and summary together cost two thirds
//! of what parsing alone costs.
//!
//! Run with `just bench-explore`. Throughputs hold for this machine only; the shares are what counts.

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    time::{Duration, Instant},
};

use base::profile::Profile;
use explore::{
    Input, Project,
    code::{grammar_of, parse},
    dispatch::{Family, dispatch},
    explore,
};
use harness::{Folders, planning::repositories};
use rayon::prelude::*;
use serde_json::json;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Counted passes over all files of a language.
const RUNS: usize = 3;
/// The most bytes of source of one language; files are taken in the order of their paths.
const BYTES: usize = 8 * 1024 * 1024;
/// The target share of the issue that introduced the explorers.
const TARGET: f64 = 0.6;

struct File {
    name: String,
    text: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo test --benches` passes this flag to every bench target, and there is nothing to test here.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let folders = Folders::find().map_err(|failure| failure.to_string())?;
    let mut languages: BTreeMap<&'static str, (usize, Vec<File>)> = BTreeMap::new();
    for repo in repositories(&folders, "full").map_err(|failure| failure.to_string())?.values() {
        collect(repo, &mut languages);
    }
    println!(
        "{:16} {:>6} {:>9} {:>10} {:>10} {:>6}",
        "language", "files", "MB", "parse MB/s", "ours MB/s", "share"
    );
    let mut rows = Vec::new();
    for (language, (bytes, files)) in &languages {
        let Some(grammar) = grammar_of(language) else { continue };
        let project = Project::default();
        let floor = median(|| {
            files.par_iter().for_each(|file| drop(parse(grammar, &file.text)));
        });
        let ours = median(|| {
            files.par_iter().for_each(|file| {
                let input = Input::memory(&file.name, file.text.as_bytes());
                drop(explore(&input, &project, Profile::Enhancement));
            });
        });
        let megabytes = *bytes as f64 / 1e6;
        let speed = |time: Duration| megabytes / time.as_secs_f64();
        let share = speed(ours) / speed(floor);
        let missed = if share < TARGET { "  below the target" } else { "" };
        println!(
            "{language:16} {:>6} {megabytes:>9.2} {:>10.1} {:>10.1} {share:>6.2}{missed}",
            files.len(),
            speed(floor),
            speed(ours),
        );
        rows.push(json!({
            "language": language,
            "files": files.len(),
            "bytes": bytes,
            "parse_mb_per_second": speed(floor),
            "explore_mb_per_second": speed(ours),
            "share": share,
            "target": TARGET,
        }));
    }
    let out = folders.artifacts().join("bench");
    fs::create_dir_all(&out)?;
    let document = json!({
        "schema_version": 1,
        "threads": rayon::current_num_threads(),
        "rows": rows,
    });
    fs::write(out.join("explore.json"), serde_json::to_vec_pretty(&document)?)?;
    println!("samples: {}", out.join("explore.json").display());
    Ok(())
}

/// Adds the source files below a folder to the files of their language.
fn collect(folder: &std::path::Path, languages: &mut BTreeMap<&'static str, (usize, Vec<File>)>) {
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_symlink() || path.file_name().is_some_and(|name| name == ".git") {
                continue;
            }
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            let name = path.to_string_lossy().into_owned();
            let Ok(input) = Input::open(&name, &path) else { continue };
            let Ok(found) = dispatch(&input, None) else { continue };
            if found.explorer.family != Family::Code {
                continue;
            }
            let (bytes, files) = languages.entry(&found.explorer.id).or_default();
            if *bytes < BYTES
                && let Ok(text) = fs::read_to_string(&path)
            {
                *bytes += text.len();
                files.push(File { name, text });
            }
        }
    }
}

/// The median time of some runs, after one that is not counted.
fn median(work: impl Fn()) -> Duration {
    work();
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[RUNS / 2]
}
