//! Making gold by asking an oracle about the chosen files of every corpus.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use record::{
    Digest, Gold, GoldFile,
    gold::{CorpusShare, Header},
};
use verdict::explorations::{Formats, GoldRules, Scoring};

use super::{FileOf, SelectError, by_language, files, sample};
use crate::oracle::{Answer, AskError, Installed, OracleSpec, Subject, ask};

/// Gold cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// A corpus cannot be listed.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// The oracle cannot be asked.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// A file of a corpus cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// A corpus that gold is made from.
#[derive(Debug)]
struct Corpus {
    name: String,
    fingerprint: String,
    root: PathBuf,
    files: Vec<FileOf>,
    by_language: BTreeMap<String, Vec<FileOf>>,
}

/// Makes gold from a set of corpora.
#[derive(Debug)]
pub struct Generator<'a> {
    corpora: Vec<Corpus>,
    rules: &'a GoldRules,
    formats: &'a Formats,
    /// Largest share of a file's lines that its labels may say nothing about.
    most_unjudged: f64,
}

impl<'a> Generator<'a> {
    /// A generator under the rules of the protocols of code and of formats.
    pub const fn new(scoring: &'a Scoring, formats: &'a Formats) -> Self {
        let most_unjudged = scoring.unjudged.max_share_of_file;
        Self { corpora: Vec::new(), rules: &scoring.gold, formats, most_unjudged }
    }

    /// Adds a corpus.
    ///
    /// # Errors
    /// It cannot be listed.
    pub fn add(
        &mut self,
        name: &str,
        fingerprint: String,
        root: &Path,
    ) -> Result<(), GenerateError> {
        let files = files(root)?;
        self.corpora.push(Corpus {
            name: name.to_owned(),
            fingerprint,
            root: root.to_owned(),
            by_language: by_language(root, &files),
            files,
        });
        Ok(())
    }

    /// How many files of a language an oracle would be asked about.
    pub fn planned(&self, oracle: &OracleSpec, language: &str) -> usize {
        self.corpora.iter().map(|corpus| self.chosen(oracle, corpus, language).len()).sum()
    }

    /// The files of a language in a corpus. If an oracle has a single language and names its file
    /// extensions, those decide; otherwise our dispatch decides which language a file is in.
    fn files<'b>(oracle: &OracleSpec, corpus: &'b Corpus, language: &str) -> Vec<&'b FileOf> {
        let definition = &oracle.definition;
        if definition.languages.len() == 1 && !definition.extensions.is_empty() {
            return corpus.files.iter().filter(|file| oracle.reads(&file.path)).collect();
        }
        corpus.by_language.get(language).into_iter().flatten().collect()
    }

    fn chosen(&self, oracle: &OracleSpec, corpus: &Corpus, language: &str) -> Vec<String> {
        let files = Self::files(oracle, corpus, language).into_iter();
        let readable: Vec<FileOf> =
            files.filter(|file| oracle.reads(&file.path)).cloned().collect();
        let format = self.formats.formats.get(language);
        let rules = format.map_or(self.rules, |_| &self.formats.gold);
        let most = format.and_then(|format| format.max_file_bytes);
        sample(&readable, rules.max_files_per_corpus, most.unwrap_or(rules.max_file_bytes))
    }

    /// The gold of one language. `progress` is called with the number of files of each finished batch.
    ///
    /// # Errors
    /// The oracle is broken, or a file cannot be read.
    pub fn generate(
        &self,
        oracle: &Installed,
        language: &str,
        progress: &mut dyn FnMut(usize),
    ) -> Result<Gold, GenerateError> {
        let definition = &oracle.spec.definition;
        let mut gold = Gold {
            header: Header {
                schema_version: record::Schema,
                language: language.to_owned(),
                oracle: definition.name.clone(),
                oracle_version: definition.version.clone(),
                oracle_said: String::new(),
                oracle_sha256: oracle.digest.as_str().to_owned(),
                visibility: definition.visibility,
                corpora: BTreeMap::new(),
            },
            files: Vec::new(),
        };
        for corpus in &self.corpora {
            let chosen = self.chosen(&oracle.spec, corpus, language);
            if chosen.is_empty() {
                continue;
            }
            let asked = {
                let subject = Subject { language, salt: &self.formats.salt };
                ask(oracle, subject, &corpus.root, &chosen, progress)?
            };
            let mut share = CorpusShare {
                fingerprint: corpus.fingerprint.clone(),
                files: Self::files(&oracle.spec, corpus, language).len() as u64,
                asked: chosen.len() as u64,
                excluded: BTreeMap::new(),
            };
            for answer in asked.answers.into_values() {
                if gold.header.oracle_said.is_empty() {
                    gold.header.oracle_said.clone_from(&answer.oracle);
                }
                let file = gold_file(corpus, answer, self.most_unjudged)?;
                if let Some(why) = &file.excluded {
                    *share.excluded.entry(why.clone()).or_default() += 1;
                }
                gold.files.push(file);
            }
            gold.header.corpora.insert(corpus.name.clone(), share);
        }
        gold.files
            .sort_by(|one, other| (&one.corpus, &one.file).cmp(&(&other.corpus, &other.file)));
        Ok(gold)
    }
}

fn gold_file(corpus: &Corpus, answer: Answer, most: f64) -> Result<GoldFile, GenerateError> {
    let path = corpus.root.join(&answer.file);
    let sha256 = Digest::of_file(&path).map_err(|source| GenerateError::Read { path, source })?;
    let (excluded, labels) = match answer.outcome {
        Ok(labels) if labels.unjudged_share() > most => {
            (Some("mostly_unjudged".to_owned()), record::Labels::default())
        }
        Ok(labels) => (None, labels),
        Err(why) => (Some(why.to_owned()), record::Labels::default()),
    };
    Ok(GoldFile {
        corpus: corpus.name.clone(),
        file: answer.file,
        sha256: sha256.as_str().to_owned(),
        excluded,
        labels,
    })
}
