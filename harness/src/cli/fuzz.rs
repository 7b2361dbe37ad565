//! `parity fuzz`: random small repositories that both sides map, until one differs.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use record::{Digest, exit, write_atomically};
use verdict::gate::ExactThresholds;

use super::SetName;
use crate::{
    Failure, Folders,
    comparator::{Comparator, ComparatorSpec, ComparatorTuple, Environment, preflight},
    console::{Bar, Output, talk},
    corpus::{Lock, Store, fixtures_of, progress},
    deviations::Deviations,
    fuzz::{Answerer, Both, Declared, Limits, Material, Record, Search, SearchError},
    planning, process,
};

/// The most differences that one search writes.
const FINDINGS: usize = 20;
/// How often both sides are run to shrink one difference.
const SHRINKING: u64 = 400;

/// Search for repositories whose maps differ from the comparator's.
///
/// Repositories are drawn from pieces of corpus files, with random names, states, chats, messages
/// and budgets. What differs and is not declared is made small and written as an authored corpus to
/// artifacts/fuzz/. The text there is third-party text: never commit it.
#[derive(Debug, Args)]
pub struct Fuzz {
    /// How long to draw repositories, in minutes; a difference found in that time is still reduced afterwards.
    #[arg(long, value_name = "N", default_value_t = 2.0, value_parser = minutes)]
    minutes: f64,
    /// The seed of the random numbers [default: derived from the comparator's lock].
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Draw at most this many repositories.
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    repositories: u64,
    /// Which corpora give the text.
    #[arg(long, value_enum, default_value_t = SetName::Smoke)]
    set: SetName,
    /// Print the record of the search as JSON.
    #[arg(long)]
    json: bool,
}

impl Fuzz {
    /// Searches and prints.
    pub fn run(self) -> Result<u8, Failure> {
        let folders = Folders::find()?;
        let set_up = |why: String| Failure::new(exit::SETUP, why);
        let protocol = planning::protocol(&folders)?;
        let spec = planning::comparator::spec(&folders)?;
        let environment = planning::comparator::environment(&spec, &folders)?;
        let tuple = checked(&spec, &environment)?;
        let deviations = protocol.root().join(record::protocol::DEVIATIONS);
        let deviations = std::fs::read_to_string(&deviations)
            .map_err(|error| error.to_string())
            .and_then(|text| Deviations::parse(&text))
            .map_err(|why| set_up(format!("{}: {why}", deviations.display())))?;
        let declared = Declared::of(&deviations);
        let (material, fixtures) = self.material(&folders)?;
        let program = std::env::current_exe()?;
        let seed = match self.seed {
            Some(seed) => seed,
            None => digest_seed(&spec)?,
        };
        let folder = folders.artifacts().join("fuzz").join(format!("{seed:016x}"));
        let mut record = Record {
            schema_version: 2,
            seed,
            set: self.set.name().to_owned(),
            program_sha256: Digest::of_file(&program)?.into(),
            comparator_commit: spec.definition.aider_commit_sha.clone(),
            comparator_tuple: tuple,
            fixtures_sha256: fixtures,
            ..Record::default()
        };
        talk(&format!("searching for {} minutes from seed {seed}", self.minutes));
        let search = Search {
            material: &material,
            declared: &declared,
            folder: folder.clone(),
            limits: Limits {
                time: Duration::from_secs_f64(self.minutes * 60.0),
                repositories: self.repositories,
                shrinking: SHRINKING,
                findings: FINDINGS,
            },
        };
        let answerer = Answerer::new(spec.clone(), environment);
        let mut both =
            Both::new(program, answerer, planning::table::<ExactThresholds>(&protocol)?)?;
        let bar = Bar::new((self.minutes * 60.0) as u64, "{spinner} {bar:30} {pos}/{len} s  {msg}");
        let mut shown = 0;
        let ended = search.run(&mut both, &mut record, &mut |record| {
            let seconds = record.seconds as u64;
            bar.advance(seconds.saturating_sub(shown));
            shown = shown.max(seconds);
            bar.say(&format!("{} tried, {} differ", record.tried, record.different));
        });
        bar.clear();
        // The record is printed even if the search was cut short.
        let path = write(&folder, &record)?;
        ended.map_err(|error| failure(&error))?;
        process::go_on()?;
        Failure::after(self.print(&record, &path), verdict(&record))
    }

    /// The text of the corpora of a set, of the authored ones, and of the explorers' seeds, with the
    /// digest of the locked corpora.
    fn material(&self, folders: &Folders) -> Result<(Material, String), Failure> {
        let set_up = |why: String| Failure::new(exit::SETUP, why);
        let endings = Material::endings(&folders.root.join("queries")).map_err(set_up)?;
        let lock = Lock::load_dir(&folders.root.join("corpora"))
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let store = Store::open(&folders.cache);
        let (mut material, mut fixtures) = (Material::default(), Vec::new());
        for folder in ["corpora/authored", "engine/explore/fuzz/seeds/code"] {
            material.add(&folders.root.join(folder), &endings, false)?;
        }
        for row in lock.rows().filter(|row| row.sets.contains(self.set.name())) {
            let ready = match store.ensure(row, &mut *progress::on_stderr(false)) {
                Ok(ready) => ready,
                // As in a run of the set, an optional corpus may be absent.
                Err(error) if !row.required && error.absence().is_some() => {
                    talk(&format!("skipped {}: {error}", row.name));
                    continue;
                }
                Err(error) => return Err(Failure::new(error.exit_code(), error.to_string())),
            };
            material.add(&ready.path, &endings, true)?;
            fixtures.push((row.name.clone(), row.fingerprint()));
        }
        Ok((material, fixtures_of(fixtures)))
    }

    fn print(&self, record: &Record, path: &std::path::Path) -> Result<(), Failure> {
        let mut out = Output::new();
        if self.json {
            out.pretty_json(record)?;
            return Ok(out.flush()?);
        }
        writeln!(
            out,
            "{} repositories tried in {:.0} s, {} compared: {} maps equal, {} repositories differ",
            record.tried, record.seconds, record.compared, record.equal_maps, record.different
        )?;
        for (kind, count) in &record.unanswered {
            writeln!(out, "  {count} without an answer of the comparator: {kind}")?;
        }
        for (id, count) in &record.declared {
            writeln!(out, "  {count} differ as declared: {id}")?;
        }
        for (id, count) in &record.undecided {
            writeln!(out, "  {count} differ and cannot be made without the files of: {id}")?;
        }
        for finding in &record.findings {
            writeln!(out, "  {}: {}\n    {}", finding.layer, finding.note, finding.folder)?;
        }
        if record.findings.iter().any(|finding| finding.third_party) {
            writeln!(out, "these folders hold pieces of third-party text: never commit them")?;
        }
        writeln!(out, "record: {}", path.display())?;
        Ok(out.flush()?)
    }
}

/// Refuses a comparator that is not the pinned one; returns its tuple.
fn checked(
    spec: &ComparatorSpec,
    environment: &Environment,
) -> Result<Option<ComparatorTuple>, Failure> {
    let (checks, tuple) = preflight::comparator(&Comparator { spec, environment })
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    if checks.ok() {
        Ok(tuple)
    } else {
        Err(Failure::new(checks.exit_code(), checks.lines().join("\n")))
    }
}

/// A seed that depends only on the comparator, so that a failing CI run fails because of the change
/// under test. Whoever looks for new differences passes another seed, as the nightly does.
fn digest_seed(spec: &ComparatorSpec) -> Result<u64, Failure> {
    let digest = Digest::of(spec.definition.install.lock_sha256.as_str());
    u64::from_str_radix(digest.as_str().get(..16).unwrap_or_default(), 16)
        .map_err(|error| Failure::internal(error.to_string()))
}

fn write(folder: &std::path::Path, record: &Record) -> Result<PathBuf, Failure> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join("record.json");
    let mut bytes =
        serde_json::to_vec_pretty(record).map_err(|error| Failure::internal(error.to_string()))?;
    bytes.push(b'\n');
    write_atomically(&path, &bytes).map_err(|error| Failure::new(exit::IO, error.to_string()))?;
    Ok(path)
}

fn failure(error: &SearchError) -> Failure {
    let code = match error {
        SearchError::Io(_) => exit::IO,
        SearchError::Ask(_) => exit::SETUP,
    };
    Failure::new(code, error.to_string())
}

/// A search passes only if it decided at least half of the repositories that it tried. If the
/// comparator seldom answers, or most differences cannot be decided, the search shows nothing.
fn verdict(record: &Record) -> u8 {
    if record.tried == 0 {
        exit::NOTHING_RAN
    } else if record.different > 0 {
        exit::GATE_FAILED
    } else if record.decided() * 2 < record.tried {
        exit::INSUFFICIENT
    } else {
        exit::PASS
    }
}

fn minutes(text: &str) -> Result<f64, String> {
    let minutes = text.parse::<f64>().ok();
    minutes
        .filter(|minutes| (0.0..=1440.0).contains(minutes))
        .ok_or_else(|| "expected a number of minutes from 0 to 1440".to_owned())
}

#[cfg(test)]
mod tests {
    use record::exit;

    use super::{Record, verdict};

    #[test]
    fn a_search_without_a_comparison_is_no_pass() {
        let record = Record::default();
        assert_eq!(verdict(&record), exit::NOTHING_RAN);
        let record = Record { tried: 3, ..record };
        assert_eq!(verdict(&record), exit::INSUFFICIENT);
        let record = Record { compared: 3, ..record };
        assert_eq!(verdict(&record), exit::PASS);
        assert_eq!(verdict(&Record { tried: 7, ..record.clone() }), exit::INSUFFICIENT);
        let undecided = [("row".to_owned(), 3)].into();
        assert_eq!(verdict(&Record { undecided, ..record.clone() }), exit::INSUFFICIENT);
        assert_eq!(verdict(&Record { different: 1, ..record }), exit::GATE_FAILED);
    }
}
