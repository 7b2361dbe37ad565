//! When and where a run is made. A bundle states it in a note; no verdict rests on it.

use std::{
    collections::BTreeMap,
    env, fs, thread,
    time::{Instant, SystemTime},
};

use record::exit;
use verdict::bundle::{Environment, Host, counter, keys};

use crate::{Failure, comparator::ComparatorTuple, moment};

/// The beginning of a run.
#[derive(Debug)]
pub struct Beginning {
    at: SystemTime,
    since: Instant,
    load: String,
}

impl Beginning {
    /// A run begins now.
    pub fn now() -> Self {
        Self { at: moment::clock(), since: Instant::now(), load: load() }
    }

    /// What is known of the run when its evidence is complete; the counter stays 0. `units` is the wall
    /// time of each unit in milliseconds.
    pub fn environment(
        &self,
        units: BTreeMap<String, u64>,
        tuple: Option<&ComparatorTuple>,
    ) -> Environment {
        let mut versions =
            BTreeMap::from([("parity".to_owned(), env!("CARGO_PKG_VERSION").to_owned())]);
        if let Some(tuple) = tuple {
            versions.extend([
                ("aider-chat".to_owned(), tuple.aider_release.version.clone()),
                ("python".to_owned(), tuple.python_version.clone()),
                ("tokenizer".to_owned(), tuple.tokenizer_version.clone()),
            ]);
        }
        // The clock may have been set back since; the run must not end before it began.
        let finished = moment::clock().max(self.at);
        Environment {
            counter: 0,
            finished_at: moment::written(finished),
            host: self.host(),
            started_at: moment::written(self.at),
            units,
            versions,
            wall_ms: u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX),
        }
    }

    fn host(&self) -> Host {
        let line = |file: &str, key: &str, mark: char| {
            let text = fs::read_to_string(file).unwrap_or_default();
            let named = |line: &str| {
                let (name, value) = line.split_once(mark)?;
                (name.trim() == key).then(|| plain(value.trim().trim_matches('"')))
            };
            text.lines().find_map(named).unwrap_or_default()
        };
        let release = line("/etc/os-release", "PRETTY_NAME", '=');
        let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let system = format!("{} {} {}", env::consts::OS, plain(kernel.trim()), release);
        let memory = line("/proc/meminfo", "MemTotal", ':');
        let kilobytes = memory.strip_suffix("kB").and_then(|text| text.trim().parse::<u64>().ok());
        Host {
            architecture: env::consts::ARCH.to_owned(),
            load_after: load(),
            load_before: self.load.clone(),
            memory_bytes: kilobytes.unwrap_or(0).saturating_mul(1024),
            processor: line("/proc/cpuinfo", "model name", ':'),
            processors: thread::available_parallelism().map_or(1, |count| count.get() as u64),
            system: system.trim().to_owned(),
        }
    }
}

/// Sets the counter of an environment to the next value for a key.
///
/// # Errors
/// The file of the counter cannot be read or written.
pub fn counted(environment: Environment, keyid: &str) -> Result<Environment, Failure> {
    let directory =
        keys::config_dir().map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    let counter =
        counter::next(&directory, keyid, moment::seconds(moment::clock())).map_err(|error| {
            let place = directory.display();
            Failure::new(
                exit::IO,
                format!("the counter of your key in {place} cannot be kept: {error}"),
            )
        })?;
    Ok(Environment { counter, ..environment })
}

/// The load averages of the machine; empty if the system does not provide them.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    plain(&text.split_whitespace().take(3).collect::<Vec<_>>().join(" "))
}

/// A text without unprintable characters, cut to the length of a line.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(120).collect()
}
