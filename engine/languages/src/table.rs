//! The whole table.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::de::DeserializeOwned;

use crate::{Comparator, Explorer, Grammar, Language, Parts, Tags};

/// End of the path of a language's file, after its key.
const LANGUAGE: &str = "/language.toml";
/// Name of the file that holds what is the same for all languages.
const COMPARATOR: &str = "comparator.toml";

/// Why the table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A file or folder cannot be read.
    #[error("{} cannot be read: {error}; restore it with `git checkout`", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The text of a file does not match the shape of its row.
    #[error("queries/{file} is malformed: {error}")]
    Malformed {
        /// The file, relative to `queries/`.
        file: String,
        /// What is wrong, with line and column.
        error: toml::de::Error,
    },
    /// A row refers to a key that does not exist.
    #[error("queries/{key}/language.toml names {what} {missing}, which no folder of queries/ has")]
    Dangling {
        /// The language of the row.
        key: String,
        /// What the key should have named.
        what: &'static str,
        /// The key that does not exist.
        missing: String,
    },
    /// A language has a grammar but no example that shows that it works.
    #[error("queries/{0}/language.toml has a grammar and no example that it can be tried on")]
    NoExample(String),
}

/// All languages by key, and the facts that are common to all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The comparator's side.
    pub comparator: Comparator,
    /// The languages. A key is the name of a folder.
    pub languages: BTreeMap<String, Language>,
}

/// The files of the table: path relative to `queries/`, and text.
pub type Texts = BTreeMap<String, String>;

impl Table {
    /// Reads the folder `queries`.
    ///
    /// # Errors
    /// A file cannot be read or is malformed, or a row names a query or a grammar that no folder
    /// has.
    pub fn read(queries: &Path) -> Result<Self, TableError> {
        Self::parse(&Self::texts(queries)?)
    }

    /// The texts of all files in the folder `queries` that the table consists of.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn texts(queries: &Path) -> Result<Texts, TableError> {
        let unreadable = |error| TableError::Read { path: queries.to_owned(), error };
        let mut files = vec![COMPARATOR.to_owned()];
        for entry in fs::read_dir(queries).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            if entry.file_type().map_err(unreadable)?.is_dir() {
                files.push(format!("{}{LANGUAGE}", entry.file_name().to_string_lossy()));
            }
        }
        let read = |file: String| {
            let path = queries.join(&file);
            #[expect(
                clippy::disallowed_methods,
                reason = "build scripts and audits read the checkout"
            )]
            match fs::read_to_string(&path) {
                Ok(text) => Ok((file, text)),
                Err(error) => Err(TableError::Read { path, error }),
            }
        };
        files.into_iter().map(read).collect()
    }

    /// Reads the texts of the table.
    ///
    /// # Errors
    /// A text is malformed, or a row names a query or a grammar that no folder has.
    pub fn parse(texts: &Texts) -> Result<Self, TableError> {
        let comparator = parse(COMPARATOR, texts.get(COMPARATOR).map_or("", String::as_str))?;
        let mut languages = BTreeMap::new();
        for (file, text) in texts {
            if let Some(key) = file.strip_suffix(LANGUAGE) {
                languages.insert(key.to_owned(), parse(file, text)?);
            }
        }
        let table = Self { comparator, languages };
        table.check()?;
        Ok(table)
    }

    /// The languages with a tag query, in order of their keys.
    pub fn tagged(&self) -> impl Iterator<Item = (&str, &Tags)> {
        self.languages.iter().filter_map(|(key, row)| Some((key.as_str(), row.tags.as_ref()?)))
    }

    /// The languages that are tagged from explorations, in order of their keys.
    pub fn parted(&self) -> impl Iterator<Item = (&str, &Parts)> {
        self.languages.iter().filter_map(|(key, row)| Some((key.as_str(), row.parts.as_ref()?)))
    }

    /// The languages with an explorer, in order of their keys.
    pub fn explored(&self) -> impl Iterator<Item = (&str, &Explorer)> {
        self.languages.iter().filter_map(|(key, row)| Some((key.as_str(), row.explorer.as_ref()?)))
    }

    /// The grammars, in order of their keys.
    pub fn grammars(&self) -> impl Iterator<Item = (&str, &Grammar)> {
        self.languages.iter().filter_map(|(key, row)| Some((key.as_str(), row.grammar.as_ref()?)))
    }

    /// The grammar that goes by a name: its key or an alias.
    pub fn grammar(&self, name: &str) -> Option<&Grammar> {
        let named = |(key, grammar): &(&str, &Grammar)| {
            *key == name || grammar.aliases.iter().any(|alias| alias == name)
        };
        self.grammars().find(named).map(|(_, grammar)| grammar)
    }

    fn check(&self) -> Result<(), TableError> {
        for (key, language) in &self.languages {
            let dangling = |what, missing: &str| TableError::Dangling {
                key: key.clone(),
                what,
                missing: missing.to_owned(),
            };
            if let Some(tags) = &language.tags {
                let grammar = tags.grammar_of(key);
                if self.grammar(grammar).is_none() {
                    return Err(dangling("the grammar", grammar));
                }
                let query = tags.query.as_deref().filter(|of| !self.languages.contains_key(*of));
                if let Some(query) = query {
                    return Err(dangling("the query of", query));
                }
            }
            if language.explorer.is_some() && language.grammar.is_none() {
                return Err(dangling("the grammar of its explorer,", key));
            }
            if language.grammar.is_some() && language.example.is_none() {
                return Err(TableError::NoExample(key.clone()));
            }
        }
        Ok(())
    }
}

fn parse<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, TableError> {
    toml::from_str(text).map_err(|error| TableError::Malformed { file: file.to_owned(), error })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{COMPARATOR as FILE, Table, TableError, Texts};

    const COMPARATOR: &str =
        "shadowed_file_names = []\n[versions]\n[parser_core]\npackage = \"p\"\nversion = \"1\"\n";

    fn table(language: &str) -> Result<Table, TableError> {
        Table::parse(&Texts::from([
            (FILE.to_owned(), COMPARATOR.to_owned()),
            ("noun/language.toml".to_owned(), language.to_owned()),
        ]))
    }

    #[test]
    fn the_committed_table_is_whole() {
        let queries = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../queries");
        let table = Table::read(&queries).unwrap();
        for (key, language) in &table.languages {
            let Some(tags) = &language.tags else { continue };
            assert!(queries.join(tags.query_file(key)).is_file(), "{key}");
        }
    }

    #[test]
    fn a_row_without_its_grammar_is_refused_by_name() {
        let error = table(
            "[explorer]\nname = \"Noun\"\nvisitor = \"noun::Noun\"\nextensions = [\"noun\"]\n",
        )
        .unwrap_err();
        assert!(error.to_string().contains("queries/noun/language.toml"), "{error}");
    }

    #[test]
    fn a_grammar_without_an_example_is_refused() {
        let grammar =
            "[grammar]\narchive = \"a\"\nsymbol = \"s\"\nupstream = \"o/n\"\nrevision = \"1\"\n";
        assert!(matches!(table(grammar), Err(TableError::NoExample(key)) if key == "noun"));
        assert!(table(&format!("example = \"x\"\n{grammar}")).is_ok());
    }

    #[test]
    fn an_unknown_field_is_refused_with_its_file() {
        let error = table("[explorer]\nnme = \"Noun\"\n").unwrap_err();
        assert!(matches!(&error, TableError::Malformed { .. }), "{error}");
        assert!(error.to_string().contains("nme"), "{error}");
    }
}
