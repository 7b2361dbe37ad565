//! `parity audit verify`: the tags and lexical names of every file, on both sides.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};

use base::profile::Profile;
use clap::{Args, ValueEnum};
use map::language::{Detected, registry};
use record::{exit, protocol::DEVIATIONS, write_atomically};
use serde_json::json;

use super::{Ready, print_json};
use crate::{
    Failure, Folders,
    audit::{
        self, AuditedFile, Exceptions, LanguageTally, Tally, Verdict, VerifyError, tally::share,
        verify::Names,
    },
    cli::SetName,
    comparator::preflight,
    console::{Bar, Output, talk},
    corpus::{Authored, Lock, Materialised, Store, fixtures_of, progress},
    report::terminal::Style,
};

/// The most comparator processes that run at once: two keep two cores busy, and each needs some hundred
/// MB.
const MAX_WORKERS: usize = 2;
/// Without a progress bar, a line is printed after every so many files.
const LOGGED: usize = 2000;
/// The differences of each language that the text shows; the JSON output has all of them.
const SHOWN: usize = 3;

/// Compare the tags and lexical names of every file of the corpora.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Which set of corpora.
    #[arg(long, value_enum, default_value_t = SetName::Smoke)]
    set: SetName,
    /// Only corpora whose name matches this regular expression.
    #[arg(long, value_name = "REGEX")]
    corpus: Option<regex::Regex>,
    /// Only files of this language.
    #[arg(long, value_name = "KEY")]
    language: Option<String>,
    /// For which files lexical names are compared: all, or those where they become references.
    #[arg(long, value_enum, default_value_t = Lexed::All)]
    names: Lexed,
    /// Write the snapshot to this file; needs the whole set.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["corpus", "language"])]
    write: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Lexed {
    All,
    Fired,
}

/// The selected repositories, each with whether it is a real project.
type Repositories = Vec<(Materialised, bool)>;

impl Verify {
    /// Compares and prints.
    pub(super) fn run(&self, ready: &Ready, json: bool) -> Result<u8, Failure> {
        let comparator = ready.comparator();
        let (checks, tuple) = preflight::comparator(&comparator)
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        if tuple.is_none() {
            return Err(Failure::new(checks.exit_code(), checks.lines().join("\n")));
        }
        let tally = Tally::of(self.languages()?);
        let exceptions = Exceptions::parse(&ready.read(DEVIATIONS)?)
            .map_err(|why| Failure::new(exit::SETUP, format!("deviations.toml: {why}")))?;
        let (repositories, fixtures) = self.repositories(&ready.folders)?;
        let files = self.files(&repositories)?;
        let started = Instant::now();
        let bar = bar(&files);
        let names = match self.names {
            Lexed::All => Names::All,
            Lexed::Fired => Names::Fired,
        };
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let audit = audit::Audit {
            comparator: &comparator,
            ours: &audit::ours::answer,
            names,
            workers: cores.min(MAX_WORKERS),
            exceptions: &exceptions,
        };
        let done = AtomicUsize::new(0);
        let tally = audit.run(&files, tally, &|file| {
            bar.advance(1);
            bar.say(&file.corpus);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if bar.is_hidden() && done.is_multiple_of(LOGGED) {
                talk(&format!("audited {done} of {} files", files.len()));
            }
        });
        bar.clear();
        let tally = tally.map_err(|error| {
            let code = match error {
                VerifyError::Interrupted => exit::INCOMPLETE,
                _ => exit::SETUP,
            };
            Failure::new(code, error.to_string())
        })?;
        // The comparator read the cached repositories, so they are checked for changes.
        for (repository, _) in &repositories {
            verify_unchanged(repository)?;
        }
        talk(&format!("audited {} files in {:.0} s", files.len(), started.elapsed().as_secs_f64()));
        let commit = &ready.spec.definition.aider_commit_sha;
        if let Some(path) = &self.write {
            let text = audit::snapshot::render(commit, self.set.name(), repositories.len(), &tally);
            write_snapshot(path, &text)?;
        }
        let code = exit_code(&tally);
        let printed = if json {
            let languages: serde_json::Map<_, _> =
                tally.0.iter().map(|(key, language)| (key.clone(), document(language))).collect();
            print_json(&json!({
                "schema_version": 2,
                "comparator_commit": commit,
                "comparator_tuple": tuple,
                "fixtures_sha256": fixtures,
                "set": self.set.name(),
                "corpora": repositories.iter().map(|(one, _)| &one.name).collect::<Vec<_>>(),
                "files": files.len(),
                "ok": code == exit::PASS,
                "languages": languages,
            }))
        } else {
            print_tally(&tally)
        };
        Failure::after(printed, code)
    }

    /// The keys to audit: all languages that the parity profile runs, or the one that was named.
    fn languages(&self) -> Result<Vec<&'static str>, Failure> {
        let parity = || {
            registry()
                .languages()
                .iter()
                .filter(|language| language.profile.is_parity())
                .map(|language| language.key)
        };
        let Some(wanted) = &self.language else { return Ok(parity().collect()) };
        parity().find(|key| key == wanted).map(|key| vec![key]).ok_or_else(|| {
            let known: Vec<&str> = parity().collect();
            Failure::new(
                exit::USAGE,
                format!(
                    "no language {wanted} runs in the comparator; there are: {}",
                    known.join(", ")
                ),
            )
        })
    }

    /// The locked corpora of the set and all authored ones, each checked against its lock, with one
    /// digest over them.
    fn repositories(&self, folders: &Folders) -> Result<(Repositories, String), Failure> {
        let wanted = |name: &str| self.corpus.as_ref().is_none_or(|names| names.is_match(name));
        let locks = folders.root.join("corpora");
        let lock = Lock::load_dir(&locks)
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let store = Store::open(&folders.cache);
        let (mut ready, mut fixtures) = (Vec::new(), Vec::new());
        for row in lock.rows().filter(|row| row.sets.contains(self.set.name()) && wanted(&row.name))
        {
            match store.ensure(row, &mut *progress::on_stderr(false)) {
                Ok(repository) => {
                    ready.push((repository, true));
                    fixtures.push((row.name.clone(), row.fingerprint()));
                }
                // An optional corpus may be absent, but bytes that differ from the lock are still an
                // error.
                Err(error) if !row.required && error.absence().is_some() => {
                    talk(&format!("skipped {}: {error}", row.name));
                }
                Err(error) => return Err(Failure::new(error.exit_code(), error.to_string())),
            }
        }
        let authored = Authored::load_all(&locks.join("authored"))
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        for corpus in authored.iter().filter(|corpus| wanted(corpus.name())) {
            let repository = store
                .ensure_authored(corpus)
                .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
            ready.push((repository, false));
            fixtures.push((corpus.name().to_owned(), corpus.fingerprint()));
        }
        if ready.is_empty() {
            let pattern = self.corpus.as_ref().map_or("", regex::Regex::as_str);
            let message = format!(
                "no corpus of the set {} matches {pattern:?}; `cargo parity run --set {} --list` lists them",
                self.set.name(),
                self.set.name()
            );
            return Err(Failure::new(exit::NOTHING_RAN, message));
        }
        Ok((ready, fixtures_of(fixtures)))
    }

    fn files(&self, repositories: &Repositories) -> Result<Vec<AuditedFile>, Failure> {
        let mut files = Vec::new();
        for (repository, real) in repositories {
            verify_unchanged(repository)?;
            files.extend(
                audit::files::of_repository(repository, *real)
                    .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?,
            );
        }
        if let Some(wanted) = &self.language {
            files.retain(|file| match registry().detect(&file.path, Profile::Parity) {
                Detected::Tagged(language) => language.key == *wanted,
                Detected::Untagged => false,
            });
        }
        Ok(files)
    }
}

fn verify_unchanged(repository: &Materialised) -> Result<(), Failure> {
    repository
        .verify_unchanged()
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()))
}

/// Any difference counts more than a language without files.
fn exit_code(tally: &Tally) -> u8 {
    let verdicts = tally.verdicts();
    if verdicts.contains(&Verdict::Fail) {
        exit::GATE_FAILED
    } else if verdicts.is_empty() || verdicts.contains(&Verdict::Insufficient) {
        exit::INSUFFICIENT
    } else {
        exit::PASS
    }
}

fn document(language: &LanguageTally) -> serde_json::Value {
    let mut document = json!(language);
    document["verdict"] = json!(language.verdict());
    document
}

/// A progress bar on a terminal, otherwise hidden.
fn bar(files: &[AuditedFile]) -> Bar {
    Bar::new(files.len() as u64, "{bar:30} {pos}/{len} {msg} ({eta} left)")
}

fn write_snapshot(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    write_atomically(path, text.as_bytes())
        .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
    talk(&format!("wrote {}", path.display()));
    Ok(())
}

fn print_tally(tally: &Tally) -> Result<(), Failure> {
    let mut out = Output::new();
    let style = Style::for_stdout();
    writeln!(
        out,
        "{:16} {:>6} {:>6} {:>8} {:>7} {:>8} {:>7} {:>6} {:>7}  verdict",
        "language", "files", "real", "tags", "equal", "backfill", "equal", "lexed", "equal"
    )?;
    for (key, one) in &tally.0 {
        let verdict = one.verdict();
        let colour = match verdict {
            Verdict::Pass => record::Verdict::Pass,
            Verdict::Thin | Verdict::Insufficient => record::Verdict::Insufficient,
            Verdict::Fail => record::Verdict::Fail,
        };
        writeln!(
            out,
            "{key:16} {:>6} {:>6} {:>8} {:>7} {:>8} {:>7} {:>6} {:>7}  {}",
            one.files,
            one.real_files,
            one.tags,
            share(one.equal_files, one.files),
            one.backfilled_files,
            share(one.backfill_equal_files, one.backfilled_files),
            one.lexed_files,
            share(one.names_equal_files, one.lexed_files),
            style.paint(colour, verdict.as_str()),
        )?;
    }
    for (key, one) in &tally.0 {
        print_differences(&mut out, key, one)?;
    }
    let count = |verdict: Verdict| {
        tally.0.values().filter(|language| language.verdict() == verdict).count()
    };
    writeln!(
        out,
        "{} pass, {} thin (fewer than {} real files), {} insufficient (no file), {} fail",
        count(Verdict::Pass),
        count(Verdict::Thin),
        audit::tally::PROVEN,
        count(Verdict::Insufficient),
        count(Verdict::Fail)
    )?;
    Ok(out.flush()?)
}

fn print_differences(out: &mut Output, key: &str, language: &LanguageTally) -> Result<(), Failure> {
    // Differences that decide the verdict come first.
    let decisive = language.undeclared();
    let others = language
        .differences
        .iter()
        .filter(|place| language.undeclared().all(|decisive| decisive != *place));
    for place in decisive.chain(others).take(SHOWN) {
        let found = &place.difference;
        let row = found.row.map_or_else(String::new, |row| format!(" row {row}"));
        let declared = place.deviation.as_ref().map_or_else(String::new, |id| format!(" ({id})"));
        let aspect = match found.aspect {
            audit::Aspect::Tags => "tags",
            audit::Aspect::Backfill => "backfill",
            audit::Aspect::Names => "names, which no map sees",
        };
        writeln!(out, "{key}: {}/{}{row}: {aspect}{declared}", place.corpus, place.file)?;
        writeln!(out, "      ours:   {}\n      theirs: {}", found.ours, found.theirs)?;
    }
    if let Some(more) = language.differences.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        writeln!(out, "{key}: {more} more differences; --json has all")?;
    }
    Ok(())
}
