//! Which of what was set holds.

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

/// What the settings of one command depend on.
#[derive(Clone)]
pub struct Asked<'a> {
    /// The user's file, which need not exist; none where no folder of configuration is known.
    pub user: Option<&'a Path>,
    /// The root whose file is read; none to leave it out.
    pub root: Option<&'a Path>,
    /// The user's home folder.
    pub home: Option<&'a Path>,
    /// The value of a variable.
    pub variable: &'a dyn Fn(&str) -> Option<OsString>,
    /// What flags of the command have set, by name.
    pub flags: Vec<(&'static str, Value)>,
    /// What names of languages and patterns may be.
    pub known: Known<'a>,
}

/// What names of languages and patterns may be, which the map knows.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Keys of all languages.
    pub languages: &'a [&'a str],
    /// Whether a text is a pattern; if not, what is expected.
    pub pattern: &'a dyn Fn(&str) -> Result<(), String>,
}

/// What holds for one key, and where it was set: lists and tables may have several places.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Set {
    /// The value.
    pub value: Value,
    /// Where it comes from, the place that decides last.
    pub sources: Vec<Source>,
    /// What a repository asked for and did not get, because the user allows less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<u64>,
}

/// The settings that hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Config(BTreeMap<&'static str, Set>);

impl Default for Config {
    /// Nobody has set anything.
    fn default() -> Self {
        let set = |key: &Key| Set {
            value: key.default.clone(),
            sources: vec![Source::Default],
            refused: None,
        };
        Self(KEYS.iter().map(|key| (key.name, set(key))).collect())
    }
}

/// Reads what was set: a flag comes before a variable, a variable before the repository's file, and that
/// before the user's.
///
/// # Errors
/// As [`ConfigError`] says. Nothing of a file holds that has an error.
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
    /// Every key with what holds for it, in the order in which they are shown.
    pub fn all(&self) -> impl Iterator<Item = (&'static Key, &Set)> {
        KEYS.iter().filter_map(|key| Some((key, self.0.get(key.name)?)))
    }

    /// Takes a value over what was set before.
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

    /// Whether somebody has set a key.
    pub fn is_set(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|set| set.sources != [Source::Default])
    }

    /// Most tokens of a map.
    pub fn max_tokens(&self) -> u32 {
        self.number(name::MAX_TOKENS).unwrap_or_default() as u32
    }

    /// Where maps and the index are kept, if somebody has said.
    pub fn cache_dir(&self) -> Option<PathBuf> {
        match self.value(name::CACHE_DIR) {
            Value::Folder(folder) => Some(folder.clone()),
            _ => None,
        }
    }

    /// Share of its size at which the index is made smaller, above 0 and up to 1.
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

    /// Whether a command says what it does.
    pub fn is_verbose(&self) -> bool {
        self.switch(name::VERBOSE)
    }

    /// Patterns of files that no map and no answer shows, as an ignore file has them, in order.
    pub fn excluded_patterns(&self) -> Vec<String> {
        self.texts(name::EXCLUDED_PATTERNS)
    }

    /// Keys of languages by extension.
    pub fn language_overrides(&self) -> BTreeMap<String, String> {
        match self.value(name::LANGUAGE_OVERRIDES) {
            Value::Pairs(pairs) => pairs.clone(),
            _ => BTreeMap::new(),
        }
    }

    /// Bytes of the largest file that navigation parses.
    pub fn max_file_size(&self) -> u64 {
        self.number(name::MAX_FILE_SIZE).unwrap_or_default()
    }

    /// Milliseconds that the parser of one file may take.
    pub fn parse_timeout_ms(&self) -> u64 {
        self.number(name::PARSE_TIMEOUT_MS).unwrap_or_default()
    }

    /// Most contents of which the index keeps something.
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

    /// Most tokens of all maps that a session is told.
    pub fn session_tokens(&self) -> u64 {
        self.number(name::SESSION_TOKENS).unwrap_or_default()
    }
}

impl Known<'_> {
    /// What is expected in the place of a word that is no key of a language.
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
