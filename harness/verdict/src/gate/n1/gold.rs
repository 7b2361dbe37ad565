//! What the names at some places mean, as independent front ends say.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use record::{NavOperation, NavPlace, protocol::NAVIGATION};
use serde::Deserialize;

use crate::protocol::{Protocol, ProtocolError};

/// A place: the number of the file among [`NavGold::files`], line and column from 1.
pub type At = (usize, u32, u32);

/// A name and the definitions that it may mean: file, line, column, targets, and the answer of the baseline *same file,
/// then first*.
pub type DefinitionRow = (usize, u32, u32, Vec<At>, Option<At>);

/// A definition, the places of its name that mean it, and those that mean something else.
pub type ReferenceRow = (usize, u32, u32, Vec<At>, Vec<At>);

/// What kind of name it is, by what the front end says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stratum {
    /// Bound in the same file.
    Local,
    /// A function or a class.
    FunctionClass,
    /// Behind a dot, or the name of an argument.
    Member,
    /// In an import, or from another file.
    Import,
    /// From outside of the root.
    External,
}

impl Stratum {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Local, Self::FunctionClass, Self::Member, Self::Import, Self::External];

    /// Its name in metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::FunctionClass => "function_class",
            Self::Member => "member",
            Self::Import => "import",
            Self::External => "external",
        }
    }
}

/// The gold of one corpus.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NavGold {
    /// The corpus.
    pub corpus: String,
    /// `development`, which the program may be tuned on, or `test`.
    pub split: String,
    /// The language.
    pub language: String,
    /// The files that places are in, relative to the root.
    pub files: Vec<String>,
    local: Vec<DefinitionRow>,
    function_class: Vec<DefinitionRow>,
    member: Vec<DefinitionRow>,
    import: Vec<DefinitionRow>,
    external: Vec<DefinitionRow>,
    /// Definitions whose references are asked for.
    pub references: Vec<ReferenceRow>,
}

impl NavGold {
    /// The names of a stratum.
    pub fn of(&self, stratum: Stratum) -> &[DefinitionRow] {
        match stratum {
            Stratum::Local => &self.local,
            Stratum::FunctionClass => &self.function_class,
            Stratum::Member => &self.member,
            Stratum::Import => &self.import,
            Stratum::External => &self.external,
        }
    }

    /// What is asked about the corpus, in order: definitions by stratum, then references.
    pub fn places(&self) -> Vec<NavPlace> {
        let definitions = Stratum::ALL.into_iter().flat_map(|stratum| self.of(stratum));
        let definitions = definitions.map(|row| (NavOperation::Definition, (row.0, row.1, row.2)));
        let references = self.references.iter();
        let references = references.map(|row| (NavOperation::References, (row.0, row.1, row.2)));
        definitions.chain(references).map(|(operation, at)| self.place(operation, at)).collect()
    }

    /// A place with the name of its file.
    pub fn place(&self, operation: NavOperation, (file, line, column): At) -> NavPlace {
        let file = self.files.get(file).cloned().unwrap_or_default();
        NavPlace { operation, file, line, column }
    }

    /// Why it cannot be used: a place in a file that it does not name, or a name without a meaning.
    fn check(&self) -> Result<(), String> {
        let known = |at: &At| at.0 < self.files.len();
        for stratum in Stratum::ALL {
            for row in self.of(stratum) {
                let (file, line, column, targets, baseline) = row;
                let all = [(*file, *line, *column)];
                if !all.iter().chain(targets).chain(baseline).all(known) {
                    return Err(format!("{}: a place in no file", stratum.as_str()));
                }
                if targets.is_empty() && stratum != Stratum::External {
                    return Err(format!("{}: a name without a target", stratum.as_str()));
                }
            }
        }
        for (file, line, column, yes, no) in &self.references {
            if !std::iter::once(&(*file, *line, *column)).chain(yes).chain(no).all(known) {
                return Err("references: a place in no file".to_owned());
            }
            if yes.is_empty() {
                return Err("references: a definition without one".to_owned());
            }
        }
        Ok(())
    }
}

/// The gold of all corpora.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NavigationGold(BTreeMap<String, NavGold>);

impl NavigationGold {
    /// Reads the gold of a protocol, one JSON object on each line.
    ///
    /// # Errors
    /// It is missing or malformed, or a corpus comes twice.
    pub fn open(protocol: &Protocol) -> Result<Self, ProtocolError> {
        let path = protocol.root().join(NAVIGATION);
        let text = fs::read_to_string(&path)
            .map_err(|error| ProtocolError::Io { path: path.clone(), error })?;
        Self::parse(&text).map_err(|why| ProtocolError::Malformed { path, why })
    }

    /// Reads gold, one JSON object on each line.
    ///
    /// # Errors
    /// The first line that cannot be used, with its number.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut all = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let wrong = |why: String| format!("line {number}: {why}");
            let gold: NavGold =
                serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            gold.check().map_err(wrong)?;
            let corpus = gold.corpus.clone();
            if all.insert(corpus, gold).is_some() {
                return Err(wrong("the corpus is there twice".to_owned()));
            }
        }
        Ok(Self(all))
    }

    /// The gold of a corpus.
    pub fn of(&self, corpus: &str) -> Option<&NavGold> {
        self.0.get(corpus)
    }

    /// The names of the corpora.
    pub fn names(&self) -> BTreeSet<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    /// The languages of the corpora of a split.
    pub fn languages(&self, split: &str) -> BTreeSet<&str> {
        let of_split = self.0.values().filter(|gold| gold.split == split);
        of_split.map(|gold| gold.language.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use record::NavOperation;

    use super::NavigationGold;

    fn line(corpus: &str, local: &str) -> String {
        format!(
            "{{\"corpus\":\"{corpus}\",\"split\":\"test\",\"language\":\"go\",\"files\":[\"a.go\",\"b.go\"],\"local\":[{local}],\
             \"function_class\":[],\"member\":[],\"import\":[],\"external\":[[1,4,5,[],null]],\
             \"references\":[[0,1,6,[[1,2,3]],[]]]}}\n"
        )
    }

    #[test]
    fn places_are_asked_about_in_order() {
        let gold = NavigationGold::parse(&line("c", "[0,2,3,[[0,1,1]],[1,1,1]]")).unwrap();
        let places = gold.of("c").unwrap().places();
        let shown: Vec<_> =
            places.iter().map(|one| (one.operation, one.file.as_str(), one.line)).collect();
        let definition = NavOperation::Definition;
        let expected = [
            (definition, "a.go", 2),
            (definition, "b.go", 4),
            (NavOperation::References, "a.go", 1),
        ];
        assert_eq!(shown, expected);
        assert_eq!(gold.languages("test").into_iter().collect::<Vec<_>>(), ["go"]);
        assert!(gold.languages("development").is_empty());
    }

    #[test]
    fn gold_that_cannot_be_used_is_refused() {
        let good = "[0,2,3,[[0,1,1]],null]";
        for (text, said) in [
            (line("c", good).repeat(2), "line 2: the corpus is there twice"),
            (line("c", "[0,2,3,[],null]"), "line 1: local: a name without a target"),
            (line("c", "[2,2,3,[[0,1,1]],null]"), "line 1: local: a place in no file"),
            (line("c", "[0,2,3,[[0,1,1]],[9,1,1]]"), "line 1: local: a place in no file"),
        ] {
            assert_eq!(NavigationGold::parse(&text).unwrap_err(), said);
        }
    }
}
