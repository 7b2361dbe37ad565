//! Runs whole processes and measures them: what the benchmarks of maps share.

use std::{
    error::Error,
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use harness::comparator::{Comparator, ShippedCase};
use serde_json::{Value, json};

/// The measurement of one whole process.
#[derive(Clone, Copy)]
pub struct Sample {
    /// From its start to its end.
    pub wall: Duration,
    /// Its peak memory, in bytes.
    pub peak_bytes: u64,
}

/// Runs a program to its end; its peak memory is what the kernel last reported for it. `cache` is the folder
/// of the user's index; `None` for the usual one.
pub fn whole(
    program: &Path,
    arguments: &[&str],
    repo: &Path,
    cache: Option<&Path>,
) -> Result<Sample, Box<dyn Error>> {
    let started = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(repo)
        .envs(cache.map(|folder| ("PARITY_CACHE_DIR", folder)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak_bytes = 0;
    loop {
        peak_bytes = peak(&status_file).unwrap_or(peak_bytes).max(peak_bytes);
        if let Some(status) = child.try_wait()? {
            let wall = started.elapsed();
            return if status.success() {
                Ok(Sample { wall, peak_bytes })
            } else {
                Err(format!("{} {arguments:?} failed: {status}", program.display()).into())
            };
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn peak(status_file: &str) -> Option<u64> {
    let status = fs::read_to_string(status_file).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// One map of the comparator as shipped, made by a process without extracted tags and by one with them.
pub fn as_shipped(comparator: &Comparator, repo: &Path) -> Result<ShippedCase, Box<dyn Error>> {
    let shipped = comparator.shipped(repo, &request())?;
    shipped.cases.into_iter().next().ok_or_else(|| "the comparator gave no time".into())
}

/// The request for one map of 1024 tokens, under the comparator's own hash seed.
pub fn request() -> Value {
    json!({
        "schema_version": 1,
        "mode": "raw",
        "cases": [{"id": "map/1024", "map_tokens": 1024}],
    })
}

/// The median of the wall times, and the highest of the peaks.
pub fn median(samples: &[Sample]) -> Sample {
    let mut sorted = samples.to_vec();
    sorted.sort_by_key(|sample| sample.wall);
    let peak_bytes = samples.iter().map(|sample| sample.peak_bytes).max().unwrap_or_default();
    Sample { wall: sorted[sorted.len() / 2].wall, peak_bytes }
}
