//! `parity audit volt`: our explorers against those of a Volt checkout, on every file that has gold.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::Duration,
};

use clap::Args;
use record::{
    Asked, EXPLORED, Labels, Plan, PlannedCorpus, Profile, Set, VoltAnswer, exit, write_atomically,
};
use serde_json::{Value, json};
use verdict::explorations::{
    VoltCompared, VoltCount,
    volt::{compare, counts},
};

use crate::{
    Failure, Folders,
    cli::SetName,
    comparator::volt::{Checkout, Volt},
    console::{Output, talk},
    gold::Frozen,
    planning::Corpora,
    process::{self, Invocation},
};

/// Longest time for our exploration of a batch.
const DEADLINE: Duration = Duration::from_mins(3);
/// Most bytes that our exploration of a batch may print.
const OUTPUT: usize = 1 << 30;

/// Compare our explorers with those of a Volt checkout (`PARITY_VOLT_DIR`, else `../volt`).
///
/// Fails if a summary of Volt has a field that ours lacks, and is insufficient where Volt did not answer
/// every file. Without a checkout nothing is compared:
/// what Volt does is then known from contracts only.
#[derive(Debug, Args)]
pub(super) struct Explorers {
    /// Which set of corpora.
    #[arg(long, value_enum, default_value_t = SetName::Smoke)]
    set: SetName,
    /// Only corpora whose name matches this regular expression.
    #[arg(long, value_name = "REGEX")]
    corpus: Option<regex::Regex>,
}

/// What Volt answered, and the comparison with ours.
#[derive(Debug, Default)]
struct Answers {
    /// Number of files that both programs were asked about.
    asked: usize,
    /// Number of these files that Volt answered.
    answered: usize,
    /// The comparison of each answered file.
    compared: Vec<VoltCompared>,
}

impl Answers {
    /// A field that ours lacks is a failure. Otherwise the result is insufficient unless Volt answered
    /// every file, and at least one of them with a summary.
    fn exit_code(&self) -> u8 {
        let lacking = self.compared.iter().any(|one| !one.lacking.is_empty());
        let one_summary = self.compared.iter().any(|one| one.volt_failed.is_none());
        if lacking {
            exit::GATE_FAILED
        } else if one_summary && self.answered == self.asked {
            exit::PASS
        } else {
            exit::INSUFFICIENT
        }
    }
}

/// The labels of each file that has gold, by corpus and path.
type Labelled = BTreeMap<String, BTreeMap<String, Labels>>;

impl Explorers {
    /// Compares and prints.
    pub(super) fn run(&self, json: bool) -> Result<u8, Failure> {
        let folders = Folders::find()?;
        let volt = Volt::find(&folders.root).map_err(|why| Failure::new(exit::SETUP, why))?;
        let checkout = match &volt {
            Volt::Live(checkout) => checkout,
            Volt::Contracts { why } => {
                talk(&format!("volt: {}: {why}", volt.word()));
                if json {
                    let mut out = Output::new();
                    out.json(&json!({ "schema_version": 1, "volt": volt.word(), "why": why }))?;
                    out.flush()?;
                }
                return Ok(exit::NOTHING_RAN);
            }
        };
        let answers = self.answers(&folders, checkout)?;
        let counts = counts(&answers.compared);
        let printed = print(&volt, checkout, &answers, &counts, json);
        Failure::after(printed, answers.exit_code())
    }

    fn answers(&self, folders: &Folders, checkout: &Checkout) -> Result<Answers, Failure> {
        let labelled = labelled(&folders.root)?;
        let set: Set = self.set.into();
        let corpora = Corpora::ensure(folders, set.explored(), self.corpus.as_ref())?;
        let commit = checkout.commit.get(..12).unwrap_or_default();
        let kept = folders.artifacts().join("volt").join(commit);
        let mut found = Answers::default();
        for (_, repository) in &corpora.ready {
            let Some(labels) = labelled.get(&repository.name) else { continue };
            let files: Vec<String> = labels.keys().cloned().collect();
            for (batch, files) in files.chunks(EXPLORED).enumerate() {
                process::go_on()?;
                let theirs = checkout
                    .explore(&repository.path, files)
                    .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
                let ours = ours(&repository.path, files)?;
                // The output of both programs is kept unchanged.
                for (side, bytes) in [("volt", &theirs.stdout.bytes), ("ours", &ours)] {
                    let file = format!("{}-{batch}.{side}.jsonl", repository.name);
                    write_atomically(&kept.join(file), bytes)
                        .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
                }
                if !theirs.succeeded() {
                    talk(&format!("volt {}: {}", theirs.ending(), theirs.stderr_tail(3)));
                }
                let ours = by_file(&ours);
                let said: Vec<VoltAnswer> = VoltAnswer::all(&theirs.stdout.bytes).collect();
                found.asked += files.len();
                found.answered += answered(files, &said);
                // For a file that our program did not answer, every field is missing.
                found.compared.extend(said.iter().filter_map(|said| {
                    let ours = ours.get(&said.file).and_then(|ours| ours.get("summary")?.as_str());
                    Some(compare(said, ours.unwrap_or_default(), labels.get(&said.file)?))
                }));
            }
        }
        talk(&format!("recorded in {}", kept.display()));
        Ok(found)
    }
}

/// The number of these files that Volt answered, counting failures: a batch that was stopped has no
/// answer for its last files.
fn answered(files: &[String], said: &[VoltAnswer]) -> usize {
    let said: BTreeSet<&str> = said.iter().map(|said| said.file.as_str()).collect();
    files.iter().filter(|file| said.contains(file.as_str())).count()
}

/// All gold of a checkout.
fn labelled(root: &Path) -> Result<Labelled, Failure> {
    let frozen = Frozen::open(root)?;
    let mut labelled = Labelled::new();
    for language in frozen.languages() {
        let gold = frozen.gold(language)?;
        for file in gold.labelled() {
            let of_corpus = labelled.entry(file.corpus.clone()).or_default();
            of_corpus.insert(file.file.clone(), file.labels.clone());
        }
    }
    Ok(labelled)
}

/// The output of our program about files, run as in a run of the parity profile.
fn ours(repository: &Path, files: &[String]) -> Result<Vec<u8>, Failure> {
    let corpus = PlannedCorpus { explorations: files.to_vec(), ..PlannedCorpus::new("") };
    let plan = Plan::new(Set::Full, Profile::Parity);
    let Asked { args, mut env, stdin } = plan.exploration(&corpus, 0, 0).unwrap_or_default();
    env.insert("PATH".to_owned(), std::env::var("PATH").unwrap_or_default());
    let program = std::env::current_exe()?;
    let capture = process::run(&Invocation {
        env,
        stdin,
        deadline: DEADLINE,
        max_stdout: OUTPUT,
        ..Invocation::new(program, repository).args(args)
    })
    .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
    Ok(capture.stdout.bytes)
}

fn by_file(lines: &[u8]) -> BTreeMap<String, Value> {
    let lines = lines.split(|byte| *byte == b'\n');
    let parsed = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let named = |value: Value| Some((value.get("file")?.as_str()?.to_owned(), value));
    parsed.filter_map(named).collect()
}

fn print(
    volt: &Volt,
    checkout: &Checkout,
    answers: &Answers,
    counts: &BTreeMap<String, VoltCount>,
    json: bool,
) -> Result<(), Failure> {
    let Answers { asked, answered, compared } = answers;
    let mut out = Output::new();
    if json {
        out.json(&json!({
            "schema_version": 1, "volt": volt.word(), "checkout": checkout,
            "asked": asked, "answered": answered, "explorers": counts, "files": compared,
        }))?;
        return Ok(out.flush()?);
    }
    out.text(&format!("volt: {}, commit {}\n", volt.word(), checkout.commit))?;
    for (explorer, VoltCount { files, covered, volt_failed, volt_misses, volt_wrong }) in counts {
        out.text(&format!(
            "{explorer:12} {covered} of {files} files have all of Volt's fields; Volt failed on \
             {volt_failed} and does not name {volt_misses} symbols that gold and we have; gold contradicts {volt_wrong} of its \
             counts\n"
        ))?;
    }
    if answered < asked {
        out.text(&format!("Volt answered {answered} of {asked} files: too few to judge by\n"))?;
    }
    for one in compared.iter().filter(|one| !one.lacking.is_empty()) {
        let lacking: Vec<&str> = one.lacking.iter().map(String::as_str).collect();
        out.text(&format!("{}: we lack {}\n", one.file, lacking.join(", ")))?;
    }
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use record::{VoltAnswer, exit};

    use super::{Answers, VoltCompared, answered};

    fn compared(failed: Option<&str>, lacking: &[&str]) -> VoltCompared {
        VoltCompared {
            file: "a.py".to_owned(),
            explorer: "python".to_owned(),
            lacking: lacking.iter().map(|field| (*field).to_owned()).collect(),
            volt_misses: BTreeSet::new(),
            volt_wrong: BTreeSet::new(),
            volt_failed: failed.map(str::to_owned),
        }
    }

    #[test]
    fn a_batch_that_was_stopped_is_too_little() {
        let files = ["a.py", "b.py", "c.py"].map(str::to_owned);
        let said = ["a.py", "a.py", "b.py", "of another batch"];
        let said = said.map(|file| VoltAnswer { file: file.to_owned(), result: None, error: None });
        assert_eq!(answered(&files, &said), 2);
        let code = |answered, compared| Answers { asked: 3, answered, compared }.exit_code();
        assert_eq!(code(3, vec![compared(None, &[])]), exit::PASS);
        assert_eq!(code(2, vec![compared(None, &[])]), exit::INSUFFICIENT);
        assert_eq!(code(3, vec![compared(Some("no"), &[])]), exit::INSUFFICIENT);
        assert_eq!(code(2, vec![compared(None, &["Moon phase"])]), exit::GATE_FAILED);
    }
}
