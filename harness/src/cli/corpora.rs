//! The locked corpora of a set, in place, for commands that need nothing of the comparator.

use record::exit;
use std::{collections::BTreeMap, path::PathBuf};

use super::{Failure, Folders, talk};
use crate::corpus::{self, Lock, Row};

/// Corpora that are in place, and those that cannot be had here.
#[derive(Debug)]
pub struct Corpora {
    /// Row and folder, sorted by name.
    pub ready: Vec<(Row, PathBuf)>,
    /// The reason, by name, for optional corpora that are absent.
    pub skipped: BTreeMap<String, String>,
}

impl Corpora {
    /// Puts the corpora of any of the sets in place whose name fits.
    ///
    /// # Errors
    /// A required one cannot be had, or nothing fits.
    pub fn ensure(
        folders: &Folders,
        sets: &[&str],
        names: Option<&regex::Regex>,
    ) -> Result<Self, Failure> {
        let lock = Lock::load_dir(&folders.root.join("corpora"))
            .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
        let store = corpus::Store::open(&folders.cache);
        let mut progress = corpus::progress::on_stderr(false);
        let mut corpora = Self { ready: Vec::new(), skipped: BTreeMap::new() };
        for row in lock.rows() {
            let wanted = sets.iter().any(|set| row.sets.contains(*set));
            if !wanted || !names.is_none_or(|names| names.is_match(&row.name)) {
                continue;
            }
            match store.ensure(row, &mut *progress) {
                Ok(ready) => corpora.ready.push((row.clone(), ready.path)),
                Err(error) => match error.absence().filter(|_| !row.required) {
                    Some(why) => {
                        talk(&format!("SKIP {}: {why}", row.name));
                        corpora.skipped.insert(row.name.clone(), why.to_owned());
                    }
                    None => return Err(Failure::new(error.exit_code(), error.to_string())),
                },
            }
        }
        if corpora.ready.is_empty() {
            let why = format!("no corpus of the set {} is selected", sets.join(" or "));
            return Err(Failure::new(exit::NOTHING_RAN, why));
        }
        Ok(corpora)
    }
}
