//! The whole index as one SCIP file.

use std::io::{self, Write};

use index::nav::{NavError, Navigator, Walk};
use protobuf::{Message as _, MessageField};
use scip::types::{Index, Metadata, TextEncoding, ToolInfo};
use serde::Serialize;

use crate::{document::document, names::Names};

/// What the file says about its making.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The address of the root, such as `file:///project`.
    pub project_root: String,
    /// The version of our program.
    pub version: String,
}

/// What was written, and what was left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// Files.
    pub documents: usize,
    /// Identifiers with the symbol that they define or mean.
    pub occurrences: usize,
    /// Descriptions of symbols.
    pub symbols: usize,
    /// Identifiers from outside of the root; they are left out.
    pub external: usize,
    /// Identifiers of which only the name is known; they are left out.
    pub unresolved: usize,
    /// Files that could not be read or parsed, or that changed meanwhile.
    pub left_out: usize,
}

/// Why nothing was exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The index has no answer.
    #[error("{0}")]
    Index(#[from] NavError),
    /// The output cannot be written.
    #[error("the export cannot be written: {0}")]
    Output(#[from] io::Error),
}

/// Writes all files of a root. `progress` gets the number of files that are done, and of all. One
/// document is in memory at a time.
///
/// # Errors
/// The index or the output fails.
pub fn scip(
    navigator: &mut Navigator,
    settings: &Settings,
    out: &mut dyn Write,
    progress: &dyn Fn(usize, usize),
) -> Result<Exported, ExportError> {
    navigator.walk(|walk| write_all(walk, settings, out, progress))?
}

fn write_all(
    walk: &mut Walk,
    settings: &Settings,
    out: &mut dyn Write,
    progress: &dyn Fn(usize, usize),
) -> Result<Exported, ExportError> {
    let mut counted = Exported { left_out: walk.freshness().pending, ..Exported::default() };
    let mut names = Names::default();
    write_part(
        out,
        &Index { metadata: MessageField::some(metadata(settings)), ..Index::default() },
    )?;
    let files = walk.files();
    for (done, file) in files.iter().enumerate() {
        progress(done, files.len());
        match document(walk, &mut names, file, &mut counted) {
            Some(document) => {
                counted.documents += 1;
                // Messages of Protocol Buffers that stand one behind the other are one message.
                write_part(out, &Index { documents: vec![document], ..Index::default() })?;
            }
            None => counted.left_out += 1,
        }
    }
    out.flush()?;
    Ok(counted)
}

fn metadata(settings: &Settings) -> Metadata {
    Metadata {
        tool_info: MessageField::some(ToolInfo {
            name: "parity".to_owned(),
            version: settings.version.clone(),
            ..ToolInfo::default()
        }),
        project_root: settings.project_root.clone(),
        text_document_encoding: TextEncoding::UTF8.into(),
        ..Metadata::default()
    }
}

fn write_part(out: &mut dyn Write, part: &Index) -> io::Result<()> {
    let bytes = part.write_to_bytes().map_err(io::Error::other)?;
    out.write_all(&bytes)
}
