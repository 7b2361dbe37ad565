//! Reading one `parity.toml`.

use std::{
    io,
    path::{Path, PathBuf},
};

use base::text::{folder::Folder, open, read};
use toml::de::{DeTable, DeValue};

use crate::{ConfigError, KEYS, Key, Trust, Value, config::Known, value::Source};

/// The name of the file, in the user's folder of configuration and in the root of a repository.
pub const FILE: &str = "parity.toml";
/// Largest file that is read, in bytes: 64 KiB.
const LARGEST: u64 = 64 << 10;

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    User,
    Repository,
}

/// The settings in a file, in the order of the keys.
pub type Entries = Vec<(&'static Key, Value, Source)>;

/// The text of the user's file; `None` if there is none.
pub fn of_user(path: &Path) -> Result<Option<String>, ConfigError> {
    told(path, open::text(path, LARGEST))
}

/// The path and text of a repository's file; `None` if there is none. Links must not lead out of
/// the root, and only a regular file is opened.
pub fn of_repository(root: &Path) -> Result<Option<(PathBuf, String)>, ConfigError> {
    let path = root.join(FILE);
    let folder = Folder::open(root).map_err(|error| unreadable(&path, &error.into()))?;
    let text = folder.bytes(Path::new(FILE), LARGEST).and_then(read::text);
    Ok(told(&path, text)?.map(|text| (path, text)))
}

fn told(path: &Path, text: Result<String, read::ReadError>) -> Result<Option<String>, ConfigError> {
    match text {
        Ok(text) => Ok(Some(text)),
        Err(read::ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(path, &error)),
    }
}

fn unreadable(path: &Path, error: &read::ReadError) -> ConfigError {
    ConfigError::Unreadable { file: path.to_owned(), why: error.to_string() }
}

/// Parses the text of a file into its settings.
pub fn entries(
    file: &Path,
    text: &str,
    owner: Owner,
    home: Option<&Path>,
    known: &Known,
) -> Result<Entries, ConfigError> {
    let line_at = |at: usize| {
        let before = text.as_bytes().get(..at).unwrap_or_default();
        1 + before.iter().filter(|byte| **byte == b'\n').count()
    };
    let tables = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
        file: file.to_owned(),
        line: error.span().map_or(1, |span| line_at(span.start)),
        why: error.message().to_owned(),
    })?;
    let unknown = |at: usize, key: &str| ConfigError::UnknownKey {
        file: file.to_owned(),
        line: line_at(at),
        key: key.to_owned(),
        nearest: nearest(key),
    };
    let mut entries = Entries::new();
    for (table, value) in tables.get_ref() {
        let DeValue::Table(fields) = value.get_ref() else {
            return Err(unknown(table.span().start, table.get_ref()));
        };
        for (field, value) in fields {
            let name = format!("{}.{}", table.get_ref(), field.get_ref());
            let at = field.span().start;
            let line = line_at(at);
            let key = Key::named(&name).ok_or_else(|| unknown(at, &name))?;
            if owner == Owner::Repository && key.trust == Trust::User {
                return Err(ConfigError::NotTrusted { file: file.to_owned(), line, key: key.name });
            }
            let source = match owner {
                Owner::User => Source::User(file.to_owned(), line),
                Owner::Repository => Source::Repository(file.to_owned(), line),
            };
            let value = key.kind.of_file(value.get_ref(), home, known).map_err(|expected| {
                ConfigError::Value { place: source.to_string(), key: key.name, expected }
            })?;
            entries.push((key, value, source));
        }
        if fields.is_empty() && !is_table(table.get_ref()) {
            return Err(unknown(table.span().start, table.get_ref()));
        }
    }
    Ok(entries)
}

fn is_table(name: &str) -> bool {
    KEYS.iter().any(|key| key.name.split('.').next() == Some(name))
}

/// The key whose name, or the last part of it, is most similar to `name`.
fn nearest(name: &str) -> &'static str {
    let last = name.rsplit('.').next().unwrap_or(name);
    // The comparison is quadratic in the length, so a very long name must not slow it down.
    let short = |text: &str| text.chars().take(64).collect::<String>();
    let (name, last) = (short(name), short(last));
    let distance = |key: &Key| {
        let own = key.name.rsplit('.').next().unwrap_or(key.name);
        strsim::osa_distance(&name, key.name).min(strsim::osa_distance(&last, own))
    };
    KEYS.iter().min_by_key(|key| distance(key)).map_or("", |key| key.name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_name_is_compared_with_and_without_its_table() {
        assert_eq!(nearest("repo_map.max_token"), "repo_map.max_tokens");
        assert_eq!(nearest("max_tokens"), "repo_map.max_tokens");
        assert_eq!(nearest("treesitter.cache_dir"), "repo_map.cache_dir");
        assert_eq!(nearest("tree_sitter.disabled_languages"), "treesitter.disabled_languages");
        assert_eq!(nearest("hook.enable"), "hook.enabled");
    }
}
