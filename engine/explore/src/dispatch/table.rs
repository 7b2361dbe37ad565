//! The table of explorers. Its rows for languages are generated from `queries/`, those for formats are
//! in `formats/formats.toml`.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

/// A family of explorers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Source code, read through a syntax tree.
    Code,
    /// A text format with a structure of its own, or a database.
    Data,
    /// Bytes that are not text.
    Binary,
    /// Text without a known structure.
    Text,
}

/// One explorer: its key and the files that it reads.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explorer {
    /// The key, such as `python`.
    pub id: String,
    /// Its family.
    pub family: Family,
    /// Extensions in lower case, without their dot.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Whole file names.
    #[serde(default)]
    pub file_names: Vec<String>,
    /// First words of a shebang line.
    #[serde(default)]
    pub interpreters: Vec<String>,
    /// MIME types; a trailing `/*` stands for all types of a kind.
    #[serde(default)]
    pub mime: Vec<String>,
    /// Kinds of files that the explorer reads in different ways, each with the name of a file of
    /// this kind. Tests and the fuzz target have a folder of seeds for each.
    #[serde(default)]
    pub varieties: BTreeMap<String, String>,
    /// False for a format that no gate compares with an independent parser yet.
    #[serde(default = "judged")]
    pub judged: bool,
}

const fn judged() -> bool {
    true
}

#[derive(Deserialize)]
struct File {
    explorers: Vec<Explorer>,
}

struct Table {
    explorers: Vec<Explorer>,
    by_extension: BTreeMap<String, usize>,
    by_name: BTreeMap<String, usize>,
    by_interpreter: BTreeMap<String, usize>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut explorers = Vec::new();
    for text in [
        include_str!(concat!(env!("OUT_DIR"), "/explorers.toml")),
        include_str!("../formats/formats.toml"),
    ] {
        #[expect(clippy::expect_used, reason = "both are embedded and loaded by a test")]
        let file: File = toml::from_str(text).expect("the embedded table is valid");
        explorers.extend(file.explorers);
    }
    let mut table = Table {
        explorers,
        by_extension: BTreeMap::new(),
        by_name: BTreeMap::new(),
        by_interpreter: BTreeMap::new(),
    };
    for (index, explorer) in table.explorers.iter().enumerate() {
        for (keys, by) in [
            (&explorer.extensions, &mut table.by_extension),
            (&explorer.file_names, &mut table.by_name),
            (&explorer.interpreters, &mut table.by_interpreter),
        ] {
            // The first row with a key wins: the last row, that of plain text, also lists files
            // without an explorer of their own.
            for key in keys {
                by.entry(key.clone()).or_insert(index);
            }
        }
    }
    table
});

/// All explorers: those of languages, then those of formats.
pub fn explorers() -> &'static [Explorer] {
    &TABLE.explorers
}

/// The explorer for a file name: by the whole name, or else by its extension. Names such as
/// `.editorconfig`, `Dockerfile.dev` and `.env.local` are recognised, too.
pub fn by_name(name: &str) -> Option<&'static Explorer> {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
    // A dot at the beginning belongs to the stem.
    let dot = usize::from(name.starts_with('.'));
    let end = name.get(dot..).and_then(|rest| rest.find('.')).map(|end| dot + end);
    let stem = || TABLE.by_name.get(name.get(..end?)?);
    let index = TABLE
        .by_name
        .get(name)
        .or_else(|| TABLE.by_extension.get(extension.as_deref()?))
        .or_else(stem)?;
    TABLE.explorers.get(*index)
}

/// The explorer for the interpreter of a shebang line.
pub fn by_interpreter(name: &str) -> Option<&'static Explorer> {
    TABLE.explorers.get(*TABLE.by_interpreter.get(name)?)
}

/// The explorer for a MIME type; parameters after `;` are ignored.
pub fn by_mime(mime: &str) -> Option<&'static Explorer> {
    let mime = mime.split(';').next().unwrap_or_default().trim().to_lowercase();
    let suffix = match mime.rsplit_once('+') {
        Some((_, "json")) => Some("json"),
        Some((_, "xml")) => Some("xml"),
        _ => None,
    };
    let fits = |pattern: &String| match pattern.strip_suffix('*') {
        Some(kind) => mime.starts_with(kind),
        None => *pattern == mime,
    };
    suffix.map(by_id).or_else(|| TABLE.explorers.iter().find(|one| one.mime.iter().any(fits)))
}

/// The explorer with a key, if there is one.
pub fn find(id: &str) -> Option<&'static Explorer> {
    TABLE.explorers.iter().find(|one| one.id == id)
}

/// The explorer with a key.
///
/// # Panics
/// The key is not in the embedded table. A test looks up every key that the code uses.
pub fn by_id(id: &str) -> &'static Explorer {
    #[expect(clippy::expect_used, reason = "keys in the code are tested against the table")]
    find(id).expect("the key is in the table")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{by_interpreter, by_mime, by_name, explorers};

    #[test]
    fn no_extension_or_name_belongs_to_two_explorers_but_plain_text_comes_last() {
        let mut seen = BTreeSet::new();
        let (text, others) = explorers().split_last().unwrap();
        assert_eq!(text.id, "text");
        for explorer in others {
            for key in explorer.extensions.iter().chain(&explorer.file_names) {
                assert!(seen.insert(key), "{key} twice");
            }
        }
    }

    #[test]
    fn names_interpreters_and_types_lead_to_their_explorer() {
        let id = |found: Option<&'static super::Explorer>| found.map(|one| one.id.as_str());
        assert_eq!(id(by_name("a.PY")), Some("python"));
        assert_eq!(id(by_name("Rakefile")), Some("ruby"));
        assert_eq!(id(by_name("Dockerfile.dev")), Some("text"));
        assert_eq!(id(by_name("Makefile")), Some("text"));
        assert_eq!(id(by_name(".env.local")), Some("ini"));
        assert_eq!(id(by_name("noextension")), None);
        assert_eq!(id(by_interpreter("bash")), Some("bash"));
        assert_eq!(id(by_mime("image/png; q=1")), Some("image"));
        assert_eq!(id(by_mime("application/vnd.api+json")), Some("json"));
    }
}
