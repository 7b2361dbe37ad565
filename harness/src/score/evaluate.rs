//! From recordings to cells. Nothing but the evidence folder is read.

use record::{Cell, GateId, GoldFile, Profile};
use std::{collections::BTreeMap, path::Path};
use verdict::{
    Evaluation,
    gate::{
        B1Evidence, B2Evidence, B4Evidence, Explored, FileScore, FormatTally, Tally, b1, b2, b4,
        explored::model_tier, families, score_file,
    },
    metrics::f1::Counts,
};

use super::{ScoreEvidence, ScoreEvidenceError};

/// The judgement of a scoring run.
#[derive(Debug)]
pub struct ScoreEvaluation {
    /// Cells and verdicts.
    pub evaluation: Evaluation,
    /// Counts by language.
    pub languages: BTreeMap<String, Tally>,
    /// Counts by format.
    pub formats: BTreeMap<String, FormatTally>,
    /// Every source file with gold.
    pub files: Vec<FileResult>,
    /// Files without gold by language and reason.
    pub excluded: BTreeMap<String, BTreeMap<String, u64>>,
    /// The first faults of disclosure, for people: file and what is wrong.
    pub faults: Vec<String>,
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

/// Judges the evidence in a folder.
///
/// # Errors
/// The evidence is damaged.
pub fn evaluate(folder: &Path) -> Result<ScoreEvaluation, ScoreEvidenceError> {
    let evidence = ScoreEvidence::open(folder)?;
    let profile = evidence.plan.profile_name();
    let mut judged = Judged::new(&evidence);
    for (key, corpus, _) in evidence.plan.units() {
        for capture in evidence.captures(&key)? {
            let lines = capture.stdout.bytes.split(|byte| *byte == b'\n');
            for line in lines.filter(|line| !line.is_empty()) {
                judged.line(&corpus.name, line, profile);
            }
        }
    }
    judged.unexplored();
    Ok(judged.finish(profile))
}

struct Judged<'a> {
    evidence: &'a ScoreEvidence,
    /// Gold that has no exploration yet, by corpus and path.
    open: BTreeMap<(String, String), (&'a str, &'a GoldFile)>,
    files: Vec<FileResult>,
    b1: B1Evidence,
    b2: B2Evidence,
    b4: B4Evidence,
}

impl<'a> Judged<'a> {
    fn new(evidence: &'a ScoreEvidence) -> Self {
        let planned: BTreeMap<&str, &Vec<String>> = evidence
            .plan
            .corpora
            .iter()
            .map(|corpus| (corpus.name.as_str(), &corpus.files))
            .collect();
        let mut open = BTreeMap::new();
        for (language, gold) in &evidence.gold {
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
            open,
            files: Vec::new(),
            b1: B1Evidence::default(),
            b2: B2Evidence::default(),
            b4: B4Evidence::default(),
        }
    }

    fn line(&mut self, corpus: &str, line: &[u8], profile: Profile) {
        // A torn line is a file that ended our program: it counts as not explored.
        let Ok(explored) = serde_json::from_slice::<Explored>(line) else { return };
        let known = self.b2.faults.len();
        self.b2.add(line, &explored, profile);
        for fault in self.b2.faults.iter_mut().skip(known) {
            *fault = format!("{corpus}/{fault}");
        }
        let tier = model_tier(&explored.explorer_used);
        self.b1.explored += 1;
        self.b1.model_tiers += u64::from(tier);
        self.b4.explored += 1;
        self.b4.model_tiers += u64::from(tier);
        let key = (corpus.to_owned(), explored.file.clone());
        if let Some((language, gold)) = self.open.remove(&key) {
            self.b1.unexplored += u64::from(!explored.success);
            let symbols = self.score(language, gold, explored.success.then_some(&explored));
            if let Some(symbols) = symbols {
                self.b2.add_gold(&explored, symbols);
            }
        }
    }

    /// Files with gold that our program said nothing of.
    fn unexplored(&mut self) {
        for (language, gold) in std::mem::take(&mut self.open).into_values() {
            self.b1.unexplored += 1;
            self.score(language, gold, None);
        }
    }

    /// Scores a file by the rules of its gold; the symbols that it has right, if it is code.
    fn score(
        &mut self,
        language: &str,
        gold: &GoldFile,
        explored: Option<&Explored>,
    ) -> Option<Counts> {
        let formats = &self.evidence.formats;
        if formats.formats.contains_key(language) {
            let name = format!("{}/{}", gold.corpus, gold.file);
            let profile = self.evidence.plan.profile_name();
            self.b4.add(formats, language, profile, &gold.labels, explored, &name);
            return None;
        }
        let rules = &self.evidence.scoring;
        let score = score_file(rules, rules.visibility(language), &gold.labels, explored);
        let symbols = score.tally.symbols;
        self.b1.languages.entry(language.to_owned()).or_default().add(&score.tally);
        self.files.push(FileResult {
            language: language.to_owned(),
            corpus: gold.corpus.clone(),
            file: gold.file.clone(),
            score,
        });
        Some(symbols)
    }

    fn finish(self, profile: Profile) -> ScoreEvaluation {
        let (plan, rules) = (&self.evidence.plan, &self.evidence.scoring);
        let mut cells: Vec<Cell> =
            b1(&self.b1, rules, plan.profile_name(), &plan.set, plan.partial);
        cells.extend(b2(&self.b2, rules, profile));
        cells.extend(b4(&self.b4, &self.evidence.formats, plan.profile_name(), plan.partial));
        // The matrix is of what the whole run says, gates that were not asked for left out.
        cells.retain(|cell| plan.gates.contains(&cell.gate));
        if plan.gates.contains(&GateId::B4) {
            let matrix = families(&self.evidence.families, &cells, &plan.gates, plan.partial);
            cells.extend(matrix);
        }
        let planned = |name: &String| plan.corpora.iter().any(|corpus| corpus.name == *name);
        let excluded = self.evidence.gold.iter().map(|(language, gold)| {
            let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
            for (_, share) in gold.header.corpora.iter().filter(|(name, _)| planned(name)) {
                for (why, count) in &share.excluded {
                    *reasons.entry(why.clone()).or_default() += count;
                }
            }
            (language.clone(), reasons)
        });
        ScoreEvaluation {
            evaluation: Evaluation::of(cells, &plan.gates),
            excluded: excluded.collect(),
            languages: self.b1.languages,
            formats: self.b4.formats,
            files: self.files,
            faults: self.b2.faults,
        }
    }
}
