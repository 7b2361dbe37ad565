//! From a cut of the pre-fit list to text.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use super::{sources::Sources, stages::Entry};
use crate::{
    syntax::{ExtractError, Outline, outline_of},
    text::{characters, lines::lines},
};

/// Code points that a line of the map keeps.
const MAX_LINE: usize = 100;
/// Deepest tree that the comparator can render: one level more exhausts its interpreter's stack.
const MAX_DEPTH: u32 = 987;

/// Why a map cannot be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A tree is deeper than the comparator can walk; it then disables its map.
    #[error("{file} nests {depth} levels deep, beyond the {MAX_DEPTH} that the comparator renders")]
    TooDeep {
        /// The file.
        file: String,
        /// Its depth.
        depth: u32,
    },
    /// A file cannot be parsed a second time.
    #[error("{file} cannot be rendered: {error}")]
    Parse {
        /// The file.
        file: String,
        /// Why.
        error: ExtractError,
    },
}

/// Renders cuts of one pre-fit list, keeping what two cuts share.
#[derive(Debug)]
pub struct Renderer<'a> {
    sources: &'a Sources,
    /// Files left out because they are in the chat.
    omitted: Vec<bool>,
    /// True to stop where the comparator's stack would end.
    limit_depth: bool,
    /// Blocks by file and rows of interest.
    blocks: Mutex<BTreeMap<(usize, Vec<usize>), String>>,
}

impl<'a> Renderer<'a> {
    /// A renderer for an attempt whose chat files are `chat`.
    pub fn new(sources: &'a Sources, chat: impl Iterator<Item = usize>, limit_depth: bool) -> Self {
        let mut omitted = vec![false; sources.files.len()];
        for file in chat {
            omitted[file] = true;
        }
        Self { sources, omitted, limit_depth, blocks: Mutex::default() }
    }

    /// Renders the first entries of a list: files by name, each with the rows that its
    /// definitions and their scopes need, every line cut at [`MAX_LINE`] code points.
    pub fn render(&self, entries: &[Entry]) -> Result<String, RenderError> {
        if entries.is_empty() {
            return Ok(String::new());
        }
        let mut rows: BTreeMap<&str, (usize, Vec<usize>)> = BTreeMap::new();
        for entry in entries {
            let file = entry.file();
            if self.omitted[file] {
                continue;
            }
            let rel = self.sources.files[file].file.rel.as_str();
            let (_, rows) = rows.entry(rel).or_insert_with(|| (file, Vec::new()));
            if let Entry::Definition { line, .. } = entry {
                rows.push(usize::try_from(*line).unwrap_or_default());
            }
        }
        let mut output = String::new();
        for (rel, (file, mut rows)) in rows {
            output.push('\n');
            output.push_str(rel);
            if rows.is_empty() {
                output.push('\n');
            } else {
                output.push_str(":\n");
                rows.sort_unstable();
                rows.dedup();
                self.push_block(&mut output, file, rows)?;
            }
        }
        Ok(cut_lines(&output))
    }

    fn push_block(
        &self,
        output: &mut String,
        file: usize,
        rows: Vec<usize>,
    ) -> Result<(), RenderError> {
        let key = (file, rows);
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = blocks.get(&key) {
            output.push_str(block);
            return Ok(());
        }
        let block = self.block(file, &key.1)?;
        output.push_str(&block);
        blocks.insert(key, block);
        Ok(())
    }

    fn block(&self, file: usize, rows: &[usize]) -> Result<String, RenderError> {
        let source = &self.sources.files[file];
        let rel = || source.file.rel.clone();
        let parsed;
        let outline = match (&source.extracted.outline, source.language) {
            (Some(outline), _) => outline,
            (None, Some(language)) => {
                let text = format!("{}\n", source.text);
                parsed = outline_of(language, &text)
                    .map_err(|error| RenderError::Parse { file: rel(), error })?;
                &parsed
            }
            (None, None) => &Outline::default(),
        };
        if self.limit_depth && outline.depth() > MAX_DEPTH {
            return Err(RenderError::TooDeep { file: rel(), depth: outline.depth() });
        }
        let lines: Vec<&str> = lines(&source.text).collect();
        Ok(format_lines(&lines, &shown_lines(&lines, outline, rows)))
    }
}

/// Which lines to show: the rows of interest and the headers of the scopes around them, except
/// a header that starts on the first line; then single lines between two shown ones, and a blank
/// line after each shown line that is not blank.
fn shown_lines(lines: &[&str], outline: &Outline, rows: &[usize]) -> Vec<bool> {
    // Rows can lie beyond the lines when the text has line ends that are not newlines.
    let last_row = rows.last().copied().unwrap_or_default();
    let mut shown = vec![false; lines.len().max(last_row + 1) + 1];
    let mut headed = std::collections::BTreeSet::new();
    for &row in rows {
        shown[row] = true;
        headed.extend(outline.scopes(row).filter(|start| *start > 0));
    }
    for start in headed {
        for row in outline.header(start) {
            if let Some(shown) = shown.get_mut(row) {
                *shown = true;
            }
        }
    }
    let mut closed = shown.clone();
    for row in 0..shown.len().saturating_sub(2) {
        if shown[row] && !shown[row + 1] && shown[row + 2] {
            closed[row + 1] = true;
        }
    }
    for (row, pair) in lines.windows(2).enumerate() {
        if let [line, next] = pair
            && closed[row]
            && !characters::is_blank(line)
            && characters::is_blank(next)
        {
            closed[row + 1] = true;
        }
    }
    closed
}

/// Shown lines behind a bar, each hidden run as one mark.
fn format_lines(lines: &[&str], shown: &[bool]) -> String {
    let mut output = String::new();
    let mut mark_pending = !shown.first().copied().unwrap_or_default();
    for (line, &shown) in lines.iter().zip(shown) {
        if shown {
            output.push('│');
            output.push_str(line);
            output.push('\n');
            mark_pending = true;
        } else if mark_pending {
            output.push_str("⋮\n");
            mark_pending = false;
        }
    }
    output
}

fn cut_lines(text: &str) -> String {
    let mut output = String::with_capacity(text.len());
    for (index, line) in lines(text).enumerate() {
        if index > 0 {
            output.push('\n');
        }
        output.push_str(characters::prefix(line, MAX_LINE));
    }
    output.push('\n');
    output
}
