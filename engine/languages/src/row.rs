//! One language: `queries/<key>/language.toml`.

use std::path::PathBuf;

use serde::Deserialize;

/// What is known of a language. Each part is optional: a language can have a tag query and no
/// explorer, or the other way round.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// A short text that is valid in the language; a test parses it. Required where there is a
    /// grammar.
    pub example: Option<String>,
    /// What the repo map needs; there is a `tags.scm` beside it.
    pub tags: Option<Tags>,
    /// Which files the repo map tags from their exploration, without a tag query.
    pub parts: Option<Parts>,
    /// Which files the language's explorer reads.
    pub explorer: Option<Explorer>,
    /// The grammar of this key. A language without one uses that of another key.
    pub grammar: Option<Grammar>,
}

/// Where a tag query runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// In both profiles: the pinned comparator runs its query, too.
    Parity,
    /// In the enhancement profile only.
    Enhancement,
}

/// How the comparator detects and tags the files of a language.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tags {
    /// Where the language runs.
    pub profile: Profile,
    /// Extensions with their dot, case-sensitive.
    pub extensions: Vec<String>,
    /// Whole file names, which are checked before extensions.
    pub file_names: Vec<String>,
    /// Further extensions, which the comparator does not know: for the enhancement profile alone.
    #[serde(default)]
    pub enhancement_extensions: Vec<String>,
    /// Further whole file names, for the enhancement profile alone.
    #[serde(default)]
    pub enhancement_file_names: Vec<String>,
    /// Which part of a file is in the language; absent if all of it is.
    pub embedded: Option<Embedded>,
    /// Pygments' names of the lexers that the comparator can pick for these extensions, in the
    /// order of `engine/pygments`. They find the references of a file that has only definitions.
    #[serde(default)]
    pub lexers: Vec<String>,
    /// Key of the language whose `tags.scm` is used; the language's own key if absent.
    pub query: Option<String>,
    /// Key of the grammar; the language's own key if absent.
    pub grammar: Option<String>,
    /// The package that the grammar is taken from, with its version.
    pub grammar_revision: String,
    /// Version of the grammar's table format.
    pub abi: usize,
    /// The file that the comparator resolves for the key, relative to its package; absent if it has
    /// none.
    pub aider_query: Option<String>,
    /// sha256 of that file.
    pub aider_query_sha256: Option<String>,
    /// `full` if import statements can be read from the tree, else `none`.
    pub imports: String,
    /// `full` if the source states levels of visibility, `export-only` if it only shows what is
    /// exported, else `none`.
    pub visibility: String,
    /// A note for readers of the table.
    pub note: Option<String>,
    /// Why the language does not resolve from the comparator and its language pack by itself.
    pub manual_exception: Option<String>,
}

/// Which part of a file is source code, where the rest is a page around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Embedded {
    /// The contents of `script` elements.
    Scripts,
    /// The same, and the lines between two lines of `---` at the start.
    FrontMatter,
}

/// Which files are tagged from their exploration. They are tagged in the enhancement profile only.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parts {
    /// Extensions in lower case, without their dot.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Parts of file names before their first dot, in lower case.
    #[serde(default)]
    pub stems: Vec<String>,
    /// Words, in lower case, of which the name of a file with these extensions must contain one;
    /// empty if any name will do.
    #[serde(default)]
    pub words: Vec<String>,
}

/// Which files the explorer of a language reads.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explorer {
    /// The language's name as people write it.
    pub name: String,
    /// A Rust expression that creates the visitor of a file. It is evaluated in
    /// `engine/explore/src/code/`.
    pub visitor: String,
    /// Extensions in lower case, without their dot.
    pub extensions: Vec<String>,
    /// Whole file names, case-sensitive.
    #[serde(default)]
    pub file_names: Vec<String>,
    /// First words of a shebang line, without version digits.
    #[serde(default)]
    pub interpreters: Vec<String>,
    /// MIME types; a trailing `/*` stands for all types of a kind.
    #[serde(default)]
    pub mime: Vec<String>,
    /// Whether the protocol in force knows the language. If so, it has a family in the explorer
    /// matrix, and a row in the scoring protocol if it has gold. False for a language that was
    /// added later.
    #[serde(default = "yes")]
    pub judged: bool,
}

const fn yes() -> bool {
    true
}

/// Where a grammar comes from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grammar {
    /// Name of its source archive in `engine/grammars/archives.toml`.
    pub archive: String,
    /// Its folder below the archive's root; the root itself if absent.
    #[serde(default)]
    pub folder: PathBuf,
    /// The C function that returns the language.
    pub symbol: String,
    /// Further keys for the same grammar.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// C macros for this grammar alone.
    #[serde(default)]
    pub defines: Vec<String>,
    /// The grammar's own repository, as `owner/name`; for the audit.
    pub upstream: String,
    /// The commit that the archive's author took; for the audit.
    pub revision: String,
}

impl Tags {
    /// The key of the grammar that parses the language `key`.
    pub fn grammar_of<'a>(&'a self, key: &'a str) -> &'a str {
        self.grammar.as_deref().unwrap_or(key)
    }

    /// The query file of the language `key`, relative to `queries/`.
    pub fn query_file(&self, key: &str) -> String {
        format!("{}/tags.scm", self.query.as_deref().unwrap_or(key))
    }
}
