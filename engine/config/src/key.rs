//! The keys: their names, their values, and who may set them.

use std::collections::BTreeMap;

use crate::Value;

/// The names of the keys, as `table.key`.
pub mod name {
    /// Maximum number of tokens of a map.
    pub const MAX_TOKENS: &str = "repo_map.max_tokens";
    /// Where maps and the index are kept.
    pub const CACHE_DIR: &str = "repo_map.cache_dir";
    /// The share of its maximum size at which the index is pruned.
    pub const CACHE_THRESHOLD: &str = "repo_map.cache_threshold";
    /// When a stored map is good enough.
    pub const REFRESH_MODE: &str = "repo_map.refresh_mode";
    /// Whether commands report what they do.
    pub const VERBOSE: &str = "repo_map.verbose";
    /// Files that no map and no answer shows.
    pub const EXCLUDED_PATTERNS: &str = "repo_map.excluded_patterns";
    /// Languages by file extension.
    pub const LANGUAGE_OVERRIDES: &str = "repo_map.language_overrides";
    /// Largest file that navigation parses.
    pub const MAX_FILE_SIZE: &str = "treesitter.max_file_size";
    /// How long the parser of one file may take, in milliseconds.
    pub const PARSE_TIMEOUT_MS: &str = "treesitter.parse_timeout_ms";
    /// Maximum number of file contents that the index keeps anything of.
    pub const MAX_CACHE_ENTRIES: &str = "treesitter.max_cache_entries";
    /// Languages that navigation leaves out.
    pub const DISABLED_LANGUAGES: &str = "treesitter.disabled_languages";
    /// Which files navigation searches.
    pub const DEFAULT_SCOPE: &str = "treesitter.default_scope";
    /// Whether hooks answer.
    pub const HOOK_ENABLED: &str = "hook.enabled";
    /// Maximum number of tokens of all maps that one session is given.
    pub const SESSION_TOKENS: &str = "hook.session_tokens";
}

/// One key.
#[derive(Debug)]
pub struct Key {
    /// Its name, as `table.key`.
    pub name: &'static str,
    /// The environment variable that sets it, if there is one.
    pub variable: Option<&'static str>,
    /// Which values it takes.
    pub kind: Kind,
    /// The value if nobody sets it.
    pub default: Value,
    /// Who may set it in a file.
    pub trust: Trust,
}

/// Which values a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number within a range.
    Number {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A number above 0, up to 1.
    Share,
    /// `true` or `false`.
    Switch,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A folder: absolute, or below the home folder as `~/…`. A variable may also name one relative to the
    /// working directory.
    Folder,
    /// A list of patterns in the syntax of an ignore file.
    Patterns,
    /// A list of keys of languages.
    Languages,
    /// Keys of languages by extension, which starts with a dot.
    Overrides,
}

/// Who may set a key in a file. Lists and tables of both files add up; of two other values the one
/// in the repository's file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Only the user: the key decides where something is written, or what a program does.
    User,
    /// The file of a repository, too: the key only decides what is shown of that repository.
    Repository,
    /// The same, but a repository may not set more than this number, or than the number in the
    /// user's file.
    RepositoryUpTo(u64),
}

/// Default size of the largest file that is parsed, in bytes: 10 MiB.
const FILE_SIZE: u64 = 10 << 20;
/// Default time that the parser of one file may take, in milliseconds.
const PARSE_MS: u64 = 5000;

/// All keys, in the order in which they are shown.
pub static KEYS: [Key; 14] = [
    Key {
        name: name::MAX_TOKENS,
        variable: Some("REPO_MAP_MAX_TOKENS"),
        kind: Kind::Number { least: 1, most: 1_000_000 },
        default: Value::Number(1024),
        // Eight default maps. A repository of somebody else must not fill an agent's context.
        trust: Trust::RepositoryUpTo(8192),
    },
    Key {
        name: name::CACHE_DIR,
        variable: Some("REPO_MAP_CACHE_DIR"),
        kind: Kind::Folder,
        default: Value::Nothing,
        trust: Trust::User,
    },
    Key {
        name: name::CACHE_THRESHOLD,
        variable: None,
        kind: Kind::Share,
        default: Value::Share(0.95),
        trust: Trust::User,
    },
    Key {
        name: name::REFRESH_MODE,
        variable: Some("REPO_MAP_REFRESH_MODE"),
        kind: Kind::Choice(&["auto", "manual", "always", "files"]),
        default: Value::Word("auto"),
        trust: Trust::Repository,
    },
    Key {
        name: name::VERBOSE,
        variable: Some("REPO_MAP_VERBOSE"),
        kind: Kind::Switch,
        default: Value::Switch(false),
        trust: Trust::User,
    },
    Key {
        name: name::EXCLUDED_PATTERNS,
        variable: None,
        kind: Kind::Patterns,
        default: Value::Texts(Vec::new()),
        trust: Trust::Repository,
    },
    Key {
        name: name::LANGUAGE_OVERRIDES,
        variable: None,
        kind: Kind::Overrides,
        default: Value::Pairs(BTreeMap::new()),
        trust: Trust::Repository,
    },
    Key {
        name: name::MAX_FILE_SIZE,
        variable: None,
        kind: Kind::Number { least: 1, most: 1 << 30 },
        default: Value::Number(FILE_SIZE),
        trust: Trust::RepositoryUpTo(FILE_SIZE),
    },
    Key {
        name: name::PARSE_TIMEOUT_MS,
        variable: None,
        kind: Kind::Number { least: 1, most: 600_000 },
        default: Value::Number(PARSE_MS),
        trust: Trust::RepositoryUpTo(PARSE_MS),
    },
    Key {
        name: name::MAX_CACHE_ENTRIES,
        variable: None,
        kind: Kind::Number { least: 1, most: 1 << 40 },
        default: Value::Nothing,
        trust: Trust::User,
    },
    Key {
        name: name::DISABLED_LANGUAGES,
        variable: None,
        kind: Kind::Languages,
        default: Value::Texts(Vec::new()),
        trust: Trust::Repository,
    },
    Key {
        name: name::DEFAULT_SCOPE,
        variable: None,
        kind: Kind::Choice(&["project", "directory", "file"]),
        default: Value::Word("project"),
        trust: Trust::Repository,
    },
    Key {
        name: name::HOOK_ENABLED,
        variable: None,
        kind: Kind::Switch,
        default: Value::Switch(true),
        trust: Trust::User,
    },
    Key {
        name: name::SESSION_TOKENS,
        variable: None,
        kind: Kind::Number { least: 0, most: 1_000_000 },
        default: Value::Number(4096),
        trust: Trust::User,
    },
];

impl Key {
    /// The key with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        KEYS.iter().find(|key| key.name == name)
    }
}
