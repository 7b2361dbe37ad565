//! Renders a cut of the candidates as text.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use base::{
    text::{
        characters,
        lines::{is_line_end, lines},
        visible::visible,
    },
    watch,
};
use rayon::prelude::*;

use super::{
    pages::{Page, Pages},
    sources::Sources,
    stages::Entry,
};
use crate::syntax::{ExtractError, Outline};

/// Maximum length of a line of the map, in code points.
pub const MAX_LINE: usize = 100;
/// Depth of the deepest tree that the comparator can render; one level more exhausts its
/// interpreter's stack.
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
    /// A file could not be parsed again for rendering.
    #[error("{file} cannot be rendered: {error}")]
    Parse {
        /// The file.
        file: String,
        /// Why.
        error: ExtractError,
    },
}

/// Renders cuts of one list of candidates. Parts that several cuts share are kept.
#[derive(Debug)]
pub struct Renderer<'a> {
    sources: &'a Sources,
    /// Files left out because they are in the chat.
    omitted: Vec<bool>,
    /// True to stop at the depth that would exhaust the comparator's stack.
    limit_depth: bool,
    /// The pages of the session, if there is one.
    session: Option<&'a Pages>,
    /// Pages of the files that were rendered so far. Most files are never rendered, so each is
    /// parsed for its outline when it first appears in a cut.
    pages: Vec<OnceLock<Result<Arc<Page>, ExtractError>>>,
    /// Rendered blocks, by file and rows of interest.
    blocks: Mutex<BTreeMap<BlockKey, String>>,
}

/// A file and its rows of interest, sorted, without duplicates.
type BlockKey = (usize, Vec<usize>);

impl<'a> Renderer<'a> {
    /// A renderer for an attempt whose chat files are `chat`.
    pub fn new(
        sources: &'a Sources,
        chat: impl Iterator<Item = usize>,
        limit_depth: bool,
        session: Option<&'a Pages>,
    ) -> Self {
        let mut omitted = vec![false; sources.files.len()];
        for file in chat {
            omitted[file] = true;
        }
        let pages = sources.files.iter().map(|_| OnceLock::new()).collect();
        Self { sources, omitted, limit_depth, session, pages, blocks: Mutex::default() }
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
        let files: Vec<(&str, BlockKey)> = rows
            .into_iter()
            .map(|(rel, (file, mut rows))| {
                rows.sort_unstable();
                rows.dedup();
                (rel, (file, rows))
            })
            .collect();
        // Files are rendered on all threads and joined in order.
        let blocks: Vec<Result<String, RenderError>> =
            files.par_iter().map(|(_, key)| self.block(key)).collect();
        let mut output = String::new();
        for ((rel, (_, rows)), block) in files.iter().zip(blocks) {
            output.push('\n');
            output.push_str(rel);
            output.push_str(if rows.is_empty() { "\n" } else { ":\n" });
            output.push_str(&block?);
        }
        Ok(cut_lines(&output))
    }

    /// The block of a file; empty for a file without rows of interest.
    fn block(&self, key: &BlockKey) -> Result<String, RenderError> {
        let (file, rows) = key;
        if rows.is_empty() {
            return Ok(String::new());
        }
        let known = self.blocks.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned();
        if let Some(block) = known {
            return Ok(block);
        }
        let source = &self.sources.files[*file];
        let page = self.page(*file)?;
        let outline = &page.outline;
        if self.limit_depth && outline.depth() > MAX_DEPTH {
            let file = source.file.rel.clone();
            return Err(RenderError::TooDeep { file, depth: outline.depth() });
        }
        let lines = ended_lines(page.text.as_deref().unwrap_or_else(|| source.text()));
        let block = format_lines(&lines, &shown_lines(&lines, outline, rows));
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.insert(key.clone(), block.clone());
        Ok(block)
    }

    /// The page of a file.
    fn page(&self, file: usize) -> Result<&Page, RenderError> {
        let source = &self.sources.files[file];
        let make = || match self.session {
            Some(pages) => pages.page(source, &self.sources.folder),
            None => Page::of(source).map(Arc::new),
        };
        match self.pages[file]
            .get_or_init(|| watch::marked(&source.file.rel, source.text().len(), make))
        {
            Ok(page) => Ok(page),
            Err(error) => {
                Err(RenderError::Parse { file: source.file.rel.clone(), error: error.clone() })
            }
        }
    }
}

/// The lines of a file. The comparator adds a newline to a text that does not end in one; after
/// another line end, such as a form feed, this is one more line, which is empty.
fn ended_lines(text: &str) -> Vec<&str> {
    let last = text.chars().next_back();
    let one_more = last.is_some_and(|last| is_line_end(last) && !matches!(last, '\n' | '\r'));
    lines(text).chain(one_more.then_some("")).collect()
}

/// Which lines to show: the rows of interest and the headers of the scopes around them, except a
/// header that starts on the first line; then single lines between two shown lines, and a blank
/// line after each shown line that is not blank.
fn shown_lines(lines: &[&str], outline: &Outline, rows: &[usize]) -> Vec<bool> {
    // Rows can lie beyond the lines if the text has line ends other than newlines.
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

/// The shown lines, each after a bar, with one mark for each run of hidden lines.
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

/// A rendered map in which each of these file names is on one line, with its hidden characters made
/// visible.
pub fn visible_names<'a>(map: &'a str, names: &[String]) -> Cow<'a, str> {
    let mut map = Cow::Borrowed(map);
    // One name may be the beginning of another.
    let mut names: Vec<&String> = names.iter().collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in names {
        for end in [":", ""] {
            let as_rendered = format!("\n{}", cut_lines(&format!("{name}{end}")));
            if map.contains(&as_rendered) {
                map = map.replace(&as_rendered, &format!("\n{}{end}\n", visible(name))).into();
            }
        }
    }
    map
}

/// A text with every line cut after [`MAX_LINE`] code points and ended by a newline.
pub fn cut_lines(text: &str) -> String {
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
