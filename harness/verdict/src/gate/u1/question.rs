//! The questions, as they were frozen before the first score.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use record::{Digest, protocol::QUESTIONS};
use serde::Deserialize;

use crate::protocol::{Protocol, ProtocolError};

/// A question about one file. `where` and `counted` of its row say how the answer was checked against the file; no
/// score depends on them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Question {
    /// Its name.
    pub id: String,
    /// `development`, which summaries may be tuned on, or `test`.
    pub split: String,
    /// What the file's name looks like.
    pub format: String,
    /// Corpus.
    pub corpus: String,
    /// The file in it.
    pub path: String,
    /// sha256 of the file's content.
    pub sha256: Digest,
    /// What is asked for: a definition, a value, a count and so on.
    pub kind: String,
    /// Texts that must all be shown.
    pub answer: Vec<String>,
    /// If not empty, an answer counts only where one of these stands in its line or in one of the five above.
    pub near: Vec<String>,
}

/// All questions, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Questions(pub Vec<Question>);

impl Questions {
    /// Reads the questions of a protocol, one JSON object on each line.
    ///
    /// # Errors
    /// They are missing or malformed, one has no answer, or one comes twice.
    pub fn open(protocol: &Protocol) -> Result<Self, ProtocolError> {
        let path = protocol.root().join(QUESTIONS);
        let text = fs::read_to_string(&path)
            .map_err(|error| ProtocolError::Io { path: path.clone(), error })?;
        Self::parse(&text).map_err(|why| ProtocolError::Malformed { path, why })
    }

    /// Reads questions, one JSON object on each line.
    ///
    /// # Errors
    /// The first line that cannot be used, with its number.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut known = BTreeSet::new();
        let mut questions = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let wrong = |why: String| format!("line {number}: {why}");
            let question: Question =
                serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            if question.answer.is_empty() || question.answer.iter().any(String::is_empty) {
                return Err(wrong("the question has no answer".to_owned()));
            }
            if !known.insert(question.id.clone()) {
                return Err(wrong("the question is there twice".to_owned()));
            }
            questions.push(question);
        }
        Ok(Self(questions))
    }

    /// The files of each corpus that questions are about, sorted, each with the digest of its content.
    pub fn files(&self) -> BTreeMap<&str, BTreeMap<&str, &Digest>> {
        let mut files: BTreeMap<&str, BTreeMap<&str, &Digest>> = BTreeMap::new();
        for question in &self.0 {
            let of_corpus = files.entry(&question.corpus).or_default();
            of_corpus.insert(&question.path, &question.sha256);
        }
        files
    }

    /// The control: each question with the answer of another one, of the same kind and about a file of another
    /// format, so that what is found is found by chance. A question without such another one is left out.
    #[must_use]
    pub fn permuted(&self) -> Self {
        let other = |question: &Question| {
            let fits = |one: &&Question| one.kind == question.kind && one.format != question.format;
            let order = |one: &&Question| Digest::of(format!("{} {}", question.id, one.id));
            let found = self.0.iter().filter(fits).min_by_key(order)?;
            Some(Question {
                answer: found.answer.clone(),
                near: found.near.clone(),
                ..question.clone()
            })
        };
        Self(self.0.iter().filter_map(other).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Questions;

    fn line(id: &str, format: &str) -> String {
        let sha256 = "0".repeat(64);
        format!(
            "{{\"id\":\"{id}\",\"split\":\"test\",\"format\":\"{format}\",\"corpus\":\"c\",\"path\":\"{id}.x\",\
             \"sha256\":\"{sha256}\",\"kind\":\"value\",\"question\":\"?\",\"answer\":[\"{id}!\"],\"near\":[],\
             \"where\":[1]}}\n"
        )
    }

    #[test]
    fn a_question_has_a_name_of_its_own_and_an_answer() {
        let questions = Questions::parse(&(line("a", "x") + &line("b", "y"))).unwrap();
        assert_eq!(questions.files()["c"].keys().copied().collect::<Vec<_>>(), ["a.x", "b.x"]);
        let error = Questions::parse(&line("a", "x").repeat(2)).unwrap_err();
        assert_eq!(error, "line 2: the question is there twice");
        let error = Questions::parse(&line("a", "x").replace("[\"a!\"]", "[]")).unwrap_err();
        assert_eq!(error, "line 1: the question has no answer");
        assert!(Questions::parse("{}").unwrap_err().starts_with("line 1: missing field"));
    }

    #[test]
    fn a_permuted_question_has_the_answer_of_another_format() {
        let text = line("a", "x") + &line("b", "x") + &line("c", "y");
        let permuted = Questions::parse(&text).unwrap().permuted();
        let answers: Vec<&str> = permuted.0.iter().map(|one| one.answer[0].as_str()).collect();
        assert_eq!(answers[..2], ["c!", "c!"]);
        assert!(["a!", "b!"].contains(&answers[2]));
        assert_eq!(Questions::parse(&line("a", "x")).unwrap().permuted(), Questions::default());
    }
}
