//! The text that repositories are made of: files of a set's corpora, the authored corpora and the
//! examples of all languages.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
};

use languages::{Profile, Table};

/// The most bytes of a file that is taken, so that repositories stay small.
const MOST: u64 = 48 << 10;
/// The most files with one ending that are taken from a folder.
const PER_FOLDER: usize = 60;

/// One text of the material.
#[derive(Debug, Clone)]
pub struct Text {
    /// Whether it comes from another project, so that it must not be committed here.
    pub foreign: bool,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The texts that repositories are made of.
#[derive(Debug, Default)]
pub struct Material {
    /// Texts by ending, which includes the dot, in a fixed order.
    texts: BTreeMap<String, Vec<Text>>,
}

impl Material {
    /// The endings of files that the comparator tags, from the table of languages below `queries`.
    ///
    /// # Errors
    /// The table cannot be read.
    pub fn endings(queries: &Path) -> Result<BTreeSet<String>, String> {
        let table = Table::read(queries).map_err(|error| error.to_string())?;
        let tagged = table.tagged().filter(|(_, tags)| tags.profile == Profile::Parity);
        Ok(tagged.flat_map(|(_, tags)| tags.extensions.clone()).collect())
    }

    /// Adds files of a folder that have these endings, chosen evenly over the sorted list of all.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn add(
        &mut self,
        folder: &Path,
        endings: &BTreeSet<String>,
        foreign: bool,
    ) -> io::Result<()> {
        let mut found: BTreeMap<String, Vec<std::path::PathBuf>> = BTreeMap::new();
        let mut pending = vec![folder.to_path_buf()];
        while let Some(folder) = pending.pop() {
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                let (path, kind) = (entry.path(), entry.file_type()?);
                if kind.is_dir() && entry.file_name() != ".git" {
                    pending.push(path);
                } else if kind.is_file() && entry.metadata()?.len() <= MOST {
                    let end = path.extension().map(|end| format!(".{}", end.to_string_lossy()));
                    if let Some(end) = end.filter(|end| endings.contains(end)) {
                        found.entry(end).or_default().push(path);
                    }
                }
            }
        }
        for (end, mut paths) in found {
            paths.sort();
            let step = paths.len().div_ceil(PER_FOLDER).max(1);
            let texts = self.texts.entry(end).or_default();
            for path in paths.iter().step_by(step) {
                texts.push(Text { foreign, bytes: fs::read(path)? });
            }
        }
        Ok(())
    }

    /// Adds one text.
    pub fn push(&mut self, ending: &str, text: Text) {
        self.texts.entry(ending.to_owned()).or_default().push(text);
    }

    /// The endings with at least one text, sorted.
    pub fn known(&self) -> Vec<&str> {
        self.texts.keys().map(String::as_str).collect()
    }

    /// Whether any of the text comes from another project.
    pub fn is_foreign(&self) -> bool {
        self.texts.values().flatten().any(|text| text.foreign)
    }

    /// The texts of an ending.
    pub fn of(&self, ending: &str) -> &[Text] {
        self.texts.get(ending).map_or(&[], Vec::as_slice)
    }
}
