//! Compares `parity map` with the comparator in one run: ratios of wall time and peak memory, and the
//! distance to the floor (parsing and querying the same files on the same threads).
//!
//! Run with `just bench`, which measures the everyday build. Times are medians; absolute times hold for
//! this machine only.

mod process;

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use base::{profile::Profile, text::open};
use harness::{
    Folders,
    comparator::{Comparator, ComparatorSpec, Environments, ShippedCase},
    planning::repositories,
    report::bench::{MapBench, MapRow},
};
use map::{
    language::{Detected, registry},
    repo::{Scope, Universe},
    syntax::count_captures,
};
use process::{as_shipped, median, request, whole};
use rayon::prelude::*;
use record::{Schema, Store};
use verdict::response::classify;

/// The program's own allocator, so that the floor is measured under the same conditions.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Counted runs of our program; the comparator, which takes seconds, is run a third as often.
const RUNS: usize = 9;
/// Counted runs of our program on a small repository, where a run takes less than [`SHORT`]: there
/// the profiles differ by a few milliseconds.
const MANY_RUNS: usize = 61;
const SHORT: Duration = Duration::from_millis(100);

/// Our map in the parity profile, and in the enhancement profile with the same target: without a chat, the parity
/// profile doubles what it is asked for.
const PARITY: [&str; 4] = ["map", ".", "--map-tokens", "1024"];
const ENHANCEMENT: [&str; 7] =
    ["map", ".", "--map-tokens", "2048", "--profile", "enhancement", "--no-index"];

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo test --benches` passes this flag to every bench target, and there is nothing to test here.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let folders = Folders::find().map_err(|failure| failure.to_string())?;
    let corpora = repositories(&folders, "bench").map_err(|failure| failure.to_string())?;
    let spec = ComparatorSpec::open(&folders.comparator())?;
    let environment =
        Environments::new(&spec, &folders.cache).prepare(&mut |line| eprintln!("{line}"))?;
    let comparator = Comparator { spec: &spec, environment: &environment };
    let engine = PathBuf::from(env!("CARGO_BIN_EXE_parity"));

    let mut rows = Vec::new();
    println!(
        "{:10} {:>9} {:>9} {:>7} {:>9} {:>9} {:>7} {:>8} {:>8} {:>6} {:>8} {:>6}",
        "corpus",
        "ours",
        "aider",
        "ratio",
        "our map",
        "its map",
        "ratio",
        "our MB",
        "its MB",
        "share",
        "floor",
        "x"
    );
    for (name, repo) in &corpora {
        // One run that is not counted fills the page cache for both sides.
        let start_up = median(
            &(0..RUNS)
                .map(|_| whole(&engine, &["--version"], repo, None))
                .collect::<Result<Vec<_>, _>>()?,
        );
        whole(&engine, &PARITY, repo, None)?;
        let once = whole(&engine, &ENHANCEMENT, repo, None)?;
        let runs = if once.wall < SHORT { MANY_RUNS } else { RUNS };
        // One of each in turn, so that a change of the machine's speed meets both profiles.
        let (mut ours, mut enhanced) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            ours.push(whole(&engine, &PARITY, repo, None)?);
            enhanced.push(whole(&engine, &ENHANCEMENT, repo, None)?);
        }
        let theirs = (0..RUNS.div_ceil(3))
            .map(|_| as_shipped(&comparator, repo))
            .collect::<Result<Vec<_>, _>>()?;
        let driven = driven(&comparator, repo, name)?;
        let mut floors: Vec<f64> = (0..RUNS).map(|_| floor(repo)).collect::<Result<Vec<_>, _>>()?;
        floors.sort_by(f64::total_cmp);
        let floor = floors[floors.len() / 2];

        let our = median(&ours);
        let their = |figure: fn(&ShippedCase) -> f64| middle(theirs.iter().map(figure).collect());
        let their_wall = their(|case| case.cold.seconds);
        let their_map = their(|case| case.cold.map_seconds);
        let their_warm = their(|case| case.warm.seconds);
        let their_warm_map = their(|case| case.warm.map_seconds);
        let their_peak =
            theirs.iter().map(|case| case.cold.max_rss_bytes).max().unwrap_or_default();
        let our_wall = our.wall.as_secs_f64();
        let enhanced = median(&enhanced).wall.as_secs_f64();
        let our_map = (our_wall - start_up.wall.as_secs_f64()).max(1e-6);
        let row = MapRow {
            corpus: name.clone(),
            our_seconds: our_wall,
            comparator_seconds: their_wall,
            whole_ratio: their_wall / our_wall,
            our_map_seconds: our_map,
            comparator_map_seconds: their_map,
            map_ratio: their_map / our_map,
            driven_seconds: driven,
            driven_ratio: driven / our_wall,
            warm_whole_ratio: their_warm / our_wall,
            warm_map_ratio: their_warm_map / our_map,
            our_peak_bytes: our.peak_bytes,
            comparator_peak_bytes: their_peak,
            peak_share: our.peak_bytes as f64 / their_peak as f64,
            floor_seconds: floor,
            floor_multiple: our_map / floor,
            enhancement_seconds: Some(enhanced),
            enhancement_multiple: Some(enhanced / our_wall),
            our_samples: ours.iter().map(|sample| sample.wall.as_secs_f64()).collect(),
            comparator_samples: theirs.iter().map(|case| case.cold.seconds).collect(),
        };
        println!(
            "{name:10} {our_wall:8.3}s {their_wall:8.3}s {:6.1}x {our_map:8.3}s {their_map:8.3}s {:6.1}x {:8.1} {:8.1} {:6.2} {floor:7.3}s {:5.2}x",
            row.whole_ratio,
            row.map_ratio,
            our.peak_bytes as f64 / 1e6,
            their_peak as f64 / 1e6,
            row.peak_share,
            row.floor_multiple,
        );
        println!(
            "{:10} we have no cache; the comparator warm: whole {their_warm:.3}s ({:.1}x), map {their_warm_map:.3}s ({:.1}x); as our driver runs it: whole {driven:.3}s ({:.1}x)",
            "", row.warm_whole_ratio, row.warm_map_ratio, row.driven_ratio,
        );
        println!(
            "{:10} the enhancement profile without its index: whole {enhanced:.3}s ({:.2} of the parity profile)",
            "",
            enhanced / our_wall,
        );
        rows.push(row);
    }
    let out = folders.artifacts().join("bench");
    fs::create_dir_all(&out)?;
    let bench = MapBench { schema_version: Schema, threads: rayon::current_num_threads(), rows };
    fs::write(out.join("map.json"), serde_json::to_vec_pretty(&bench)?)?;
    println!("record: {}", out.join("map.json").display());
    Ok(())
}

/// Wall time in seconds of the whole process as our driver runs it, for the same map.
fn driven(comparator: &Comparator, repo: &Path, name: &str) -> Result<f64, Box<dyn Error>> {
    let scratch = tempfile::tempdir()?;
    let store = Store::at(scratch.path());
    let run = comparator.run_cases(repo, &request(), name, "bench", &store)?;
    let capture = run.recording.capture(&store)?;
    classify(&capture)?;
    let took = run.kept.took_ms.ok_or("the run has no duration")?;
    Ok(took as f64 / 1000.0)
}

/// Seconds to read, parse and query all files of a repository on all threads.
fn floor(repo: &Path) -> Result<f64, Box<dyn Error>> {
    let universe = Universe::of_work_tree(repo, &Scope::default())?;
    let files: Vec<_> = universe.files.values().filter(|file| file.is_file).collect();
    let started = Instant::now();
    let captures: usize = files
        .into_par_iter()
        .with_max_len(8)
        .filter_map(|file| match registry().detect(&file.abs, Profile::Parity) {
            Detected::Tagged(language) => {
                let text = open::text(Path::new(&file.abs), 1 << 30).ok()?;
                count_captures(language, &text).ok()
            }
            Detected::Untagged => None,
        })
        .sum();
    let seconds = started.elapsed().as_secs_f64();
    if captures == 0 { Err("no capture was found".into()) } else { Ok(seconds) }
}

fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
