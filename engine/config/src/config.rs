//! Which of the settings made in several places hold.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

use serde::Serialize;

use crate::{
    ConfigError, KEYS, Key, Trust, Value,
    file::{self, Owner},
    key::name,
    value::Source,
};

/// Everything that the settings of one command depend on.
#[derive(Clone)]
pub struct Asked<'a> {
    /// The user's file, which need not exist; `None` if no configuration folder is known.
    pub user: Option<&'a Path>,
    /// The root of the repository whose file is read; `None` to leave that file out.
    pub root: Option<&'a Path>,
    /// The user's home folder.
    pub home: Option<&'a Path>,
    /// Looks up an environment variable.
    pub variable: &'a dyn Fn(&str) -> Option<OsString>,
    /// The values set by flags of the command, each with the name of its key.
    pub flags: Vec<(&'static str, Value)>,
    /// Which names of languages and which patterns are valid.
    pub known: Known<'a>,
}

/// Which names of languages and which patterns are valid. The map knows this, so the caller passes
/// it.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Keys of all languages.
    pub languages: &'a [&'a str],
    /// Checks whether a text is a valid pattern; if not, the error says what is expected.
    pub pattern: &'a dyn Fn(&str) -> Result<(), String>,
}

/// The value that holds for one key, and where it was set: a list or table may come from several
/// places.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Set {
    /// The value.
    pub value: Value,
    /// Where it comes from; the place that decides comes last.
    pub sources: Vec<Source>,
    /// The larger number that the file of a repository asked for and did not get because the user
    /// allows less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<u64>,
}

/// The settings that hold, by key.
#[derive(Debug, Clone, PartialEq)]
pub struct Config(BTreeMap<&'static str, Set>);

impl Default for Config {
    /// The defaults: nobody has set anything.
    fn default() -> Self {
        let set = |key: &Key| Set {
            value: key.default.clone(),
            sources: vec![Source::Default],
            refused: None,
        };
        Self(KEYS.iter().map(|key| (key.name, set(key))).collect())
    }
}

/// Reads all settings. A flag overrides a variable, a variable overrides the repository's file, and
/// that file overrides the user's.
///
/// # Errors
/// As [`ConfigError`] says. Nothing from a file with an error is used.
pub fn load(asked: &Asked) -> Result<Config, ConfigError> {
    let mut config = Config::default();
    let entries =
        |file: &Path, text: &str, owner| file::entries(file, text, owner, asked.home, &asked.known);
    if let Some(path) = asked.user
        && let Some(text) = file::of_user(path)?
    {
        for (key, value, source) in entries(path, &text, Owner::User)? {
            config.set(key, value, source);
        }
    }
    if let Some(root) = asked.root
        && let Some((path, text)) = file::of_repository(root)?
    {
        for (key, value, source) in entries(&path, &text, Owner::Repository)? {
            config.set(key, value, source);
        }
    }
    for key in &KEYS {
        let Some(variable) = key.variable else { continue };
        let Some(text) = (asked.variable)(variable).filter(|text| !text.is_empty()) else {
            continue;
        };
        let read =
            text.to_str().map_or_else(|| Err(key.kind.expected()), |text| key.kind.of_text(text));
        let value = read.map_err(|expected| ConfigError::Value {
            place: variable.to_owned(),
            key: key.name,
            expected,
        })?;
        config.set(key, value, Source::Variable(variable));
    }
    for (name, value) in &asked.flags {
        if let Some(key) = Key::named(name) {
            config.set(key, value.clone(), Source::Flag);
        }
    }
    Ok(config)
}

impl Config {
    /// Every key with its setting, in the order in which they are shown.
    pub fn all(&self) -> impl Iterator<Item = (&'static Key, &Set)> {
        KEYS.iter().filter_map(|key| Some((key, self.0.get(key.name)?)))
    }

    /// Sets a value over the previous one; the lists and tables of files add up.
    fn set(&mut self, key: &'static Key, value: Value, source: Source) {
        let Some(before) = self.0.get_mut(key.name) else { return };
        let is_file = matches!(source, Source::User(..) | Source::Repository(..));
        let is_added = is_file && before.sources != [Source::Default];
        match (&mut before.value, value) {
            (Value::Texts(old), Value::Texts(new)) if is_added => {
                old.extend(new);
                before.sources.push(source);
                return;
            }
            (Value::Pairs(old), Value::Pairs(new)) if is_added => {
                old.extend(new);
                before.sources.push(source);
                return;
            }
            (old, Value::Number(number)) => {
                let most = match (key.trust, &source, &*old) {
                    (Trust::RepositoryUpTo(_), Source::Repository(..), Value::Number(own))
                        if is_added =>
                    {
                        *own
                    }
                    (Trust::RepositoryUpTo(most), Source::Repository(..), _) => most,
                    _ => u64::MAX,
                };
                before.refused = (number > most).then_some(number);
                *old = Value::Number(number.min(most));
            }
            (old, new) => *old = new,
        }
        before.sources = vec![source];
    }

    fn value(&self, name: &str) -> &Value {
        self.0.get(name).map_or(&Value::Nothing, |set| &set.value)
    }

    fn number(&self, name: &str) -> Option<u64> {
        match self.value(name) {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    fn texts(&self, name: &str) -> Vec<String> {
        match self.value(name) {
            Value::Texts(texts) => texts.clone(),
            _ => Vec::new(),
        }
    }

    fn switch(&self, name: &str) -> bool {
        matches!(self.value(name), Value::Switch(true))
    }

    fn word(&self, name: &str) -> &'static str {
        match self.value(name) {
            Value::Word(word) => word,
            _ => "",
        }
    }

    /// Whether anybody has set a key.
    pub fn is_set(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|set| set.sources != [Source::Default])
    }

    /// Maximum number of tokens of a map.
    pub fn max_tokens(&self) -> u32 {
        self.number(name::MAX_TOKENS).unwrap_or_default() as u32
    }

    /// The folder of maps and the index, if anybody has set it.
    pub fn cache_dir(&self) -> Option<PathBuf> {
        match self.value(name::CACHE_DIR) {
            Value::Folder(folder) => Some(folder.clone()),
            _ => None,
        }
    }

    /// The share of its maximum size, above 0 and up to 1, at which the index is pruned.
    pub fn cache_threshold(&self) -> f64 {
        match self.value(name::CACHE_THRESHOLD) {
            Value::Share(share) => *share,
            _ => 1.0,
        }
    }

    /// When a stored map is good enough: `auto`, `manual`, `always` or `files`.
    pub fn refresh_mode(&self) -> &'static str {
        self.word(name::REFRESH_MODE)
    }

    /// Whether commands report what they do.
    pub fn is_verbose(&self) -> bool {
        self.switch(name::VERBOSE)
    }

    /// Patterns of files that no map and no answer shows, in the syntax of an ignore file and in
    /// order.
    pub fn excluded_patterns(&self) -> Vec<String> {
        self.texts(name::EXCLUDED_PATTERNS)
    }

    /// Keys of languages by file extension.
    pub fn language_overrides(&self) -> BTreeMap<String, String> {
        match self.value(name::LANGUAGE_OVERRIDES) {
            Value::Pairs(pairs) => pairs.clone(),
            _ => BTreeMap::new(),
        }
    }

    /// Size of the largest file that navigation parses, in bytes.
    pub fn max_file_size(&self) -> u64 {
        self.number(name::MAX_FILE_SIZE).unwrap_or_default()
    }

    /// Time that the parser of one file may take, in milliseconds.
    pub fn parse_timeout_ms(&self) -> u64 {
        self.number(name::PARSE_TIMEOUT_MS).unwrap_or_default()
    }

    /// Maximum number of file contents that the index keeps anything of, if anybody has set it.
    pub fn max_cache_entries(&self) -> Option<u64> {
        self.number(name::MAX_CACHE_ENTRIES)
    }

    /// Keys of languages that navigation leaves out.
    pub fn disabled_languages(&self) -> Vec<String> {
        self.texts(name::DISABLED_LANGUAGES)
    }

    /// Which files navigation searches: `project`, `directory` or `file`.
    pub fn default_scope(&self) -> &'static str {
        self.word(name::DEFAULT_SCOPE)
    }

    /// Whether hooks answer.
    pub fn is_hook_enabled(&self) -> bool {
        self.switch(name::HOOK_ENABLED)
    }

    /// Maximum number of tokens of all maps that one session is given.
    pub fn session_tokens(&self) -> u64 {
        self.number(name::SESSION_TOKENS).unwrap_or_default()
    }
}

impl Known<'_> {
    /// What to write instead of a word that is not the key of a language.
    pub(crate) fn expect_language(&self, key: &str) -> Result<(), String> {
        if self.languages.contains(&key) {
            return Ok(());
        }
        let short: String = key.chars().take(64).collect();
        let distance = |known: &&&str| strsim::osa_distance(&short, known);
        let nearest = self.languages.iter().min_by_key(distance).copied().unwrap_or_default();
        Err(format!("a key of a language in the place of {short}, such as {nearest}"))
    }
}
