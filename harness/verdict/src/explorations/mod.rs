//! The results of a run's explorations: one pass over their recordings, held against gold.

mod disclosure;
pub mod entities;
mod explored;
mod file_score;
mod format_tally;
mod formats;
mod list;
mod markers;
mod scoring;
mod shown;
pub mod volt;

use std::collections::BTreeMap;

use rayon::prelude::*;
use record::{
    Gold, GoldFile, PlannedCorpus, Profile, VoltAnswer, explore_key,
    protocol::{FORMATS, GOLD, SCORING},
    volt_key,
};

use crate::{Evidence, EvidenceError, metrics::f1::Counts, protocol::Protocol};
use explored::model_tier;

pub use disclosure::{B2Evidence, Fault};
pub use explored::{Cut, Explored, FoundImport, FoundSymbol};
pub use file_score::{B1Evidence, FileScore, Tally, UnjudgedTally, score_file};
pub use format_tally::{B4Evidence, FormatTally};
pub use formats::{B4Thresholds, FormatRules, Formats};
pub use scoring::{GoldRules, Measures, Scoring, UnjudgedRules};
pub use volt::{VoltCompared, VoltCount, VoltEvidence, VoltFile};

/// What the gates B1, B2 and B4 judge, and what reports show besides.
#[derive(Debug)]
pub struct Explorations {
    /// Symbols, imports and visibility.
    pub b1: B1Evidence,
    /// Disclosure.
    pub b2: B2Evidence,
    /// Data formats.
    pub b4: B4Evidence,
    /// What Volt says about the files with gold; absent in a run that asked no checkout.
    pub volt: Option<VoltEvidence>,
    /// Every source file with gold.
    pub files: Vec<FileResult>,
    /// Files without gold by language and reason.
    pub excluded: BTreeMap<String, BTreeMap<String, u64>>,
    /// Version of the scoring protocol.
    pub scoring_version: u32,
}

/// The score of one file.
#[derive(Debug)]
pub struct FileResult {
    /// The language.
    pub language: String,
    /// The corpus.
    pub corpus: String,
    /// The path in it.
    pub file: String,
    /// What is right and wrong.
    pub score: FileScore,
}

/// What explorations are held against.
struct Truth {
    scoring: Scoring,
    formats: Formats,
    gold: BTreeMap<String, Gold>,
}

impl Explorations {
    /// Reads all explorations of a plan.
    ///
    /// # Errors
    /// A recording, the gold or its protocol is damaged.
    pub fn read(evidence: &Evidence, protocol: &Protocol) -> Result<Self, EvidenceError> {
        let truth = Truth::read(evidence, protocol)?;
        let plan = &evidence.plan;
        let mut judged = Judged::new(evidence, &truth);
        for corpus in &plan.corpora {
            judged.volt_of(corpus)?;
            for batch in 0..corpus.explorations.len().div_ceil(record::EXPLORED) {
                for capture in evidence.explorations(&explore_key(&corpus.name, batch))? {
                    let lines = capture.stdout.bytes.split(|byte| *byte == b'\n');
                    for line in lines.filter(|line| !line.is_empty()) {
                        judged.line(&corpus.name, line);
                    }
                }
            }
        }
        judged.unexplored();
        Ok(judged.finish())
    }
}

impl Truth {
    /// Reads the protocol and the gold that a plan rests on.
    fn read(evidence: &Evidence, protocol: &Protocol) -> Result<Self, EvidenceError> {
        let wrong = |name: &str, why: String| EvidenceError::wrong(protocol.root().join(name), why);
        let scoring: Scoring = protocol.toml(SCORING)?;
        scoring.check().map_err(|why| wrong(SCORING, why))?;
        let formats: Formats = protocol.toml(FORMATS)?;
        formats.check().map_err(|why| wrong(FORMATS, why))?;
        let paths: Vec<&String> =
            evidence.plan.rests_on.keys().filter(|path| path.starts_with(GOLD)).collect();
        let read: Vec<_> =
            paths.par_iter().map(|path| Gold::read(&protocol.root().join(path))).collect();
        let mut gold = BTreeMap::new();
        for (path, found) in paths.into_iter().zip(read) {
            let found = found.map_err(|error| wrong(path, error.to_string()))?;
            if Gold::path(&found.header.language) != *path {
                let language = &found.header.language;
                return Err(wrong(path, format!("it is the gold of {language}")));
            }
            gold.insert(found.header.language.clone(), found);
        }
        Ok(Self { scoring, formats, gold })
    }
}

struct Judged<'a> {
    evidence: &'a Evidence,
    truth: &'a Truth,
    profile: Profile,
    /// Gold that has no exploration yet, by corpus and path.
    open: BTreeMap<(String, String), (&'a str, &'a GoldFile)>,
    files: Vec<FileResult>,
    b1: B1Evidence,
    b2: B2Evidence,
    b4: B4Evidence,
    volt: Option<VoltEvidence>,
    /// What Volt said about files that our explorations were not yet compared on, by corpus and path.
    said: BTreeMap<(String, String), VoltAnswer>,
}

impl<'a> Judged<'a> {
    fn new(evidence: &'a Evidence, truth: &'a Truth) -> Self {
        let planned: BTreeMap<&str, &Vec<String>> = evidence
            .plan
            .corpora
            .iter()
            .map(|corpus| (corpus.name.as_str(), &corpus.explorations))
            .collect();
        let mut open = BTreeMap::new();
        for (language, gold) in &truth.gold {
            for file in gold.labelled() {
                let here = planned.get(file.corpus.as_str());
                if here.is_some_and(|files| files.binary_search(&file.file).is_ok()) {
                    let key = (file.corpus.clone(), file.file.clone());
                    open.insert(key, (language.as_str(), file));
                }
            }
        }
        Self {
            evidence,
            truth,
            profile: evidence.plan.profile,
            open,
            files: Vec::new(),
            b1: B1Evidence::default(),
            b2: B2Evidence::default(),
            b4: B4Evidence::default(),
            volt: evidence.plan.volt.as_ref().map(|_| VoltEvidence::default()),
            said: BTreeMap::new(),
        }
    }

    /// Reads what Volt said about a corpus.
    fn volt_of(&mut self, corpus: &PlannedCorpus) -> Result<(), EvidenceError> {
        if self.volt.is_none() {
            return Ok(());
        }
        for batch in 0..corpus.explorations.len().div_ceil(record::EXPLORED) {
            for capture in self.evidence.explorations(&volt_key(&corpus.name, batch))? {
                let named = |said: VoltAnswer| ((corpus.name.clone(), said.file.clone()), said);
                self.said.extend(VoltAnswer::all(&capture.stdout.bytes).map(named));
            }
        }
        Ok(())
    }

    /// Holds Volt's summary of a file with gold against ours.
    fn beside_volt(&mut self, language: &str, gold: &GoldFile, ours: &str) {
        let Some(found) = &mut self.volt else { return };
        let said = self.said.remove(&(gold.corpus.clone(), gold.file.clone()));
        let answered = said.is_some();
        let said = said.unwrap_or_else(|| VoltAnswer {
            file: gold.file.clone(),
            error: Some("it said nothing".to_owned()),
            ..VoltAnswer::default()
        });
        found.files.push(VoltFile {
            language: language.to_owned(),
            is_format: self.truth.formats.formats.contains_key(language),
            corpus: gold.corpus.clone(),
            answered,
            compared: volt::compare(&said, ours, &gold.labels),
        });
    }

    fn line(&mut self, corpus: &str, line: &[u8]) {
        // A partial line is of a file that ended our program: it counts as not explored.
        let Ok(explored) = serde_json::from_slice::<Explored>(line) else { return };
        let known = self.b2.faults.len();
        self.b2.add(line, &explored, self.profile);
        for fault in self.b2.faults.iter_mut().skip(known) {
            fault.what = format!("{corpus}/{}", fault.what);
        }
        let tier = model_tier(&explored.explorer_used);
        self.b1.explored += 1;
        self.b1.model_tiers += u64::from(tier);
        self.b4.explored += 1;
        self.b4.model_tiers += u64::from(tier);
        let key = (corpus.to_owned(), explored.file.clone());
        if let Some((language, gold)) = self.open.remove(&key) {
            self.b1.unexplored += u64::from(!explored.success);
            let summary = if explored.success { explored.summary.as_str() } else { "" };
            self.beside_volt(language, gold, summary);
            let symbols = self.score(language, gold, explored.success.then_some(&explored));
            if let Some(symbols) = symbols {
                self.b2.add_gold(&explored, symbols);
            }
        }
    }

    /// Scores the files with gold that our program did not explore.
    fn unexplored(&mut self) {
        for (language, gold) in std::mem::take(&mut self.open).into_values() {
            self.b1.unexplored += 1;
            self.beside_volt(language, gold, "");
            self.score(language, gold, None);
        }
    }

    /// Scores a file by the rules of its gold. Returns the counts of its symbols if it is code that the
    /// protocol judges.
    fn score(
        &mut self,
        language: &str,
        gold: &GoldFile,
        explored: Option<&Explored>,
    ) -> Option<Counts> {
        let formats = &self.truth.formats;
        if formats.formats.contains_key(language) {
            let name = format!("{}/{}", gold.corpus, gold.file);
            self.b4.add(formats, language, self.profile, &gold.labels, explored, &name);
            if let (Some(rules), Some(explored)) = (formats.formats.get(language), explored) {
                self.b2.add_format_gold(rules, &gold.labels, explored);
            }
            return None;
        }
        let rules = &self.truth.scoring;
        let score = score_file(rules, language, &gold.labels, explored);
        let symbols = score.tally.symbols;
        let judged = rules.languages.contains_key(language);
        let of = if judged { &mut self.b1.languages } else { &mut self.b1.reported };
        of.entry(language.to_owned()).or_default().add(&score.tally);
        self.files.push(FileResult {
            language: language.to_owned(),
            corpus: gold.corpus.clone(),
            file: gold.file.clone(),
            score,
        });
        judged.then_some(symbols)
    }

    fn finish(self) -> Explorations {
        let corpora = &self.evidence.plan.corpora;
        let explored = |name: &String| {
            corpora.iter().any(|corpus| corpus.name == *name && !corpus.explorations.is_empty())
        };
        let excluded = self.truth.gold.iter().map(|(language, gold)| {
            let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
            for (_, share) in gold.header.corpora.iter().filter(|(name, _)| explored(name)) {
                for (why, count) in &share.excluded {
                    *reasons.entry(why.clone()).or_default() += count;
                }
            }
            (language.clone(), reasons)
        });
        Explorations {
            excluded: excluded.collect(),
            b1: self.b1,
            b2: self.b2,
            b4: self.b4,
            volt: self.volt,
            files: self.files,
            scoring_version: self.truth.scoring.version,
        }
    }
}
