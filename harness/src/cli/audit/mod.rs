//! `parity audit`: have our languages, queries or lexers drifted from the comparator's?

mod tokens;
mod verify;
mod volt;

use std::fs;

use clap::{Args, Subcommand};
use languages::{Table, Texts};
use record::{exit, write_atomically};
use serde_json::json;

use crate::{
    Failure, Folders,
    audit::{Facts, ModelFacts, Pins, Survey, bundled, drift, recorded, revisions, survey},
    comparator::{Comparator, ComparatorSpec, Environment},
    console::Output,
    planning,
    report::terminal::Style,
};

/// The folder that records what the comparator says of languages.
const QUERIES: &str = "queries";

/// Check languages, queries and lexers against the installed comparator.
#[derive(Debug, Args)]
pub struct Audit {
    #[command(subcommand)]
    action: Option<Action>,
    /// Print one JSON object.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Compare what is recorded and compiled with what the comparator says of itself (the
    /// default).
    Check,
    /// Rewrite the recorded facts from the comparator; queries are never touched.
    Update,
    /// Compare the tags and lexical names of every file of the corpora.
    Verify(verify::Verify),
    /// Count the tokens of each language again, and compare them with the record.
    Tokens(tokens::Tokens),
    /// Compare our explorers with those of a checkout of Volt.
    Volt(volt::Explorers),
}

/// The comparator, ready to be asked.
struct Ready {
    folders: Folders,
    spec: ComparatorSpec,
    environment: Environment,
}

impl Ready {
    fn prepare() -> Result<Self, Failure> {
        let folders = Folders::find()?;
        let spec = planning::comparator::spec(&folders)?;
        let environment = planning::comparator::environment(&spec, &folders)?;
        Ok(Self { folders, spec, environment })
    }

    const fn comparator(&self) -> Comparator<'_> {
        Comparator { spec: &self.spec, environment: &self.environment }
    }

    fn read(&self, file: &str) -> Result<String, Failure> {
        let path = self.folders.root.join(file);
        fs::read_to_string(&path).map_err(|error| {
            Failure::new(exit::IO, format!("{} cannot be read: {error}", path.display()))
        })
    }

    fn texts(&self) -> Result<Texts, Failure> {
        Table::texts(&self.folders.root.join(QUERIES))
            .map_err(|error| Failure::new(exit::SETUP, error.to_string()))
    }

    fn models(&self) -> Result<ModelFacts, Failure> {
        serde_json::from_str(&self.read(recorded::MODELS)?).map_err(|error| {
            Failure::new(exit::SETUP, format!("{} is malformed: {error}", recorded::MODELS))
        })
    }

    fn captures(&self) -> Result<bundled::Record, Failure> {
        toml::from_str(&self.read(bundled::RECORD)?).map_err(|error| {
            Failure::new(exit::SETUP, format!("{} is malformed: {error}", bundled::RECORD))
        })
    }

    fn facts(&self, table: &Table) -> Result<Facts, Failure> {
        Facts::ask(&self.comparator(), table)
            .map_err(|error| Failure::new(exit::SETUP, error.to_string()))
    }
}

impl Audit {
    /// Runs the action.
    pub fn run(self) -> Result<u8, Failure> {
        if let Some(Action::Volt(explorers)) = &self.action {
            return explorers.run(self.json);
        }
        if let Some(Action::Tokens(tokens)) = &self.action {
            return tokens.run(self.json);
        }
        let ready = Ready::prepare()?;
        match &self.action {
            Some(Action::Update) => self.update(&ready),
            Some(Action::Verify(verify)) => verify.run(&ready, self.json),
            _ => self.check(&ready),
        }
    }

    fn check(&self, ready: &Ready) -> Result<u8, Failure> {
        let texts = ready.texts()?;
        let table = parse(&texts)?;
        let facts = ready.facts(&table)?;
        let archives = revisions::Archives::parse(&ready.read("engine/grammars/archives.toml")?)
            .map_err(|error| {
                Failure::new(exit::SETUP, format!("archives.toml is malformed: {error}"))
            })?;
        let definitions = match archives.pack() {
            Some(pack) => revisions::definitions(&ready.folders.cache, pack)?,
            None => None,
        };
        let (published, unfetched) = bundled::published(&ready.folders)?;
        let mut captures = ready.captures()?;
        // A package that is not available here is unchecked, which is not drift.
        captures.retain(|key, _| unfetched.is_empty() || published.contains_key(key));
        let pins = Pins {
            texts: &texts,
            table: &table,
            expected_versions: &ready.spec.definition.expected.versions,
            archives: &archives,
            definitions: definitions.as_ref(),
            models: &ready.models()?,
            published: &published,
            captures: &captures,
            cargo_lock: &ready.read("Cargo.lock")?,
        };
        let mut survey = survey(&pins, &facts);
        survey.unchecked.extend(unfetched);
        let code = match (survey.drift.is_empty(), survey.unchecked.is_empty()) {
            (false, _) => exit::GATE_FAILED,
            (true, false) => exit::INSUFFICIENT,
            (true, true) => exit::PASS,
        };
        let printed = if self.json {
            print_json(&json!({
                "schema_version": 1,
                "comparator_commit": ready.spec.definition.aider_commit_sha,
                "ok": code == exit::PASS,
                "survey": survey,
            }))
        } else {
            print_survey(&survey)
        };
        Failure::after(printed, code)
    }

    fn update(&self, ready: &Ready) -> Result<u8, Failure> {
        let old = ready.texts()?;
        let facts = ready.facts(&parse(&old)?)?;
        let new = recorded::updated(&old, &facts);
        let mut changes = recorded::difference(&old, &new);
        for (file, text) in new.iter().filter(|(file, text)| old.get(*file) != Some(*text)) {
            write_atomically(&ready.folders.root.join(QUERIES).join(file), text.as_bytes())
                .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
        }
        if ready.models().ok().as_ref() != Some(&facts.models) {
            let text = recorded::models(&facts.models)
                .map_err(|error| Failure::internal(error.to_string()))?;
            write_atomically(&ready.folders.root.join(recorded::MODELS), text.as_bytes())
                .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
            changes.push(format!("+ {} is written again", recorded::MODELS));
        }
        let (published, unfetched) = bundled::published(&ready.folders)?;
        if let Some(why) = unfetched.first() {
            return Err(Failure::new(exit::SETUP, format!("{why}; all are needed for an update")));
        }
        let captures = drift::captures(&published, &facts);
        if ready.captures().ok().as_ref() != Some(&captures) {
            let text =
                bundled::text(&captures).map_err(|error| Failure::internal(error.to_string()))?;
            write_atomically(&ready.folders.root.join(bundled::RECORD), text.as_bytes())
                .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
            changes.push(format!("+ {} is written again", bundled::RECORD));
        }
        if self.json {
            print_json(&json!({"schema_version": 1, "folder": QUERIES, "changes": changes}))?;
            return Ok(exit::PASS);
        }
        let mut out = Output::new();
        if changes.is_empty() {
            writeln!(out, "{QUERIES} is up to date with the comparator")?;
        } else {
            writeln!(out, "{QUERIES}:")?;
            changes.iter().try_for_each(|line| writeln!(out, "{line}"))?;
            writeln!(out, "next: cargo parity audit check, then cargo parity audit verify")?;
        }
        out.flush()?;
        Ok(exit::PASS)
    }
}

fn parse(texts: &Texts) -> Result<Table, Failure> {
    Table::parse(texts).map_err(|error| Failure::new(exit::SETUP, error.to_string()))
}

fn print_json(value: &serde_json::Value) -> Result<(), Failure> {
    let mut out = Output::new();
    out.json(value)?;
    Ok(out.flush()?)
}

fn print_survey(survey: &Survey) -> Result<(), Failure> {
    let mut out = Output::new();
    let style = Style::for_stdout();
    let short = |revision: &str| revision.get(..12).unwrap_or(revision).to_owned();
    writeln!(out, "auto-resolved ({}):", survey.auto_resolved.len())?;
    for row in &survey.auto_resolved {
        writeln!(out, "  {:16} {:13} {}", row.key, short(&row.revision), row.upstream)?;
    }
    writeln!(out, "manual exceptions ({}):", survey.manual_exceptions.len())?;
    for row in &survey.manual_exceptions {
        let reason = row.reason.as_deref().unwrap_or("no reason is recorded");
        writeln!(out, "  {:16} {:13} {reason}", row.key, short(&row.revision))?;
    }
    let same =
        |row: &&bundled::Captures| row.only_published.is_empty() && row.only_comparator.is_empty();
    let equal = survey.published.values().filter(same).count();
    writeln!(
        out,
        "published tag queries ({}, of which {equal} capture what the comparator's do):",
        survey.published.len()
    )?;
    for (key, row) in survey.published.iter().filter(|(_, row)| !same(row)) {
        writeln!(
            out,
            "  {key:16} {}: {} captures only there, {} only in the comparator",
            row.package,
            row.only_published.len(),
            row.only_comparator.len()
        )?;
        row.only_published
            .iter()
            .try_for_each(|one| writeln!(out, "  {:16} only there: {one}", ""))?;
    }
    for drift in &survey.drift {
        let mark = style.paint(record::Verdict::Fail, "drift");
        writeln!(out, "{mark}  {}: {}", drift.what, drift.subject)?;
        writeln!(out, "      ours:   {}\n      theirs: {}", drift.ours, drift.theirs)?;
        writeln!(out, "      next: {}", drift.next)?;
    }
    for line in &survey.unchecked {
        let mark = style.paint(record::Verdict::Insufficient, "unchecked");
        writeln!(out, "{mark}  {line}")?;
    }
    let (verdict, word) = match (survey.drift.len(), survey.unchecked.len()) {
        (0, 0) => (record::Verdict::Pass, "NO DRIFT".to_owned()),
        (0, unchecked) => (record::Verdict::Insufficient, format!("{unchecked} UNCHECKED")),
        (drift, _) => (record::Verdict::Fail, format!("{drift} DRIFTED")),
    };
    writeln!(
        out,
        "{}  {} languages run in the comparator, {} more are mapped there and get no tags on either side; {} file names detected alike",
        style.paint(verdict, &word),
        survey.running,
        survey.without_query,
        survey.names - survey.drift.iter().filter(|drift| drift.what == "detection").count(),
    )?;
    Ok(out.flush()?)
}
