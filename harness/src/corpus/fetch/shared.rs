//! Artifacts in the store that machines share, so that a registry is asked once for each store.

use std::path::{Path, PathBuf};

use crate::{
    console::talk,
    corpus::lock::Row,
    shared::{Kind, Shared},
};

/// Fetches the artifact of a row from the store into an empty folder. Absent if the store does not have it, or cannot be
/// used; then the registry is asked.
pub fn from_shared(shared: &Shared, row: &Row, into: &Path) -> Option<PathBuf> {
    let file = into.join(&row.artifact);
    match shared.get(Kind::Corpus, &row.sha256, &file) {
        Ok(false) => None,
        Ok(true) if super::check(row, &file).is_ok() => Some(file),
        Ok(true) => {
            talk(&format!(
                "warning: what {} has for the corpus {} is not what the lock says; it was not used",
                shared.url(),
                row.name
            ));
            std::fs::remove_file(&file).ok();
            None
        }
        Err(error) => {
            talk(&format!("warning: corpus {}: {error}", row.name));
            None
        }
    }
}

/// Puts the artifact of a row that is in the cache into the store.
pub fn into_shared(shared: &Shared, row: &Row, cache: &Path) {
    let file = super::place(cache, row);
    if !file.is_file() {
        return;
    }
    if let Err(error) = shared.put(Kind::Corpus, &row.sha256, &file) {
        talk(&format!("warning: the corpus {} is not shared: {error}", row.name));
    }
}
