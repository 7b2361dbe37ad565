//! The text of a source, which may be read only when it is needed.

use std::{
    path::Path,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use base::{
    memory,
    text::{folder::Folder, read},
};
use sha2::{Digest as _, Sha256};

use crate::repo::RepoFile;

/// The text of a source.
#[derive(Debug, Default)]
pub struct Text {
    text: OnceLock<String>,
    late: Option<Late>,
}

/// A text that has not been read yet.
#[derive(Debug)]
pub struct Late {
    /// The sha256 of the bytes that its tags were extracted from.
    pub sha256: [u8; 32],
    /// The folder that it is read from.
    pub folder: Arc<Folder>,
    /// Set if the file turns out to have other bytes.
    pub is_stale: Arc<AtomicBool>,
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self { text: text.into(), late: None }
    }
}

impl From<Late> for Text {
    fn from(late: Late) -> Self {
        Self { text: OnceLock::new(), late: Some(late) }
    }
}

impl Text {
    /// The text. It is empty if the file has other bytes by now.
    pub fn get(&self, file: &RepoFile) -> &str {
        self.text.get_or_init(|| {
            let Some(late) = &self.late else { return String::new() };
            unchanged(&late.folder, file, late.sha256).unwrap_or_else(|| {
                late.is_stale.store(true, Ordering::Relaxed);
                String::new()
            })
        })
    }

    /// Whether it is read only when it is needed.
    pub const fn is_late(&self) -> bool {
        self.late.is_some()
    }
}

/// The text of a file, if its bytes still have this sha256.
pub fn unchanged(folder: &Folder, file: &RepoFile, sha256: [u8; 32]) -> Option<String> {
    let bytes = folder.exact_bytes(Path::new(&file.rel), memory::most_code()).ok()?;
    let is_same = Sha256::digest(&bytes).as_slice() == sha256;
    is_same.then(|| read::text(bytes).ok()).flatten()
}
