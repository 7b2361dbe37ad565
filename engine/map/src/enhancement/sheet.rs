//! Renders a selection of candidates as text: files by name, each with the signatures of its
//! definitions.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use rayon::prelude::*;

use super::{
    documentation::documentation,
    signature::{around, signature},
};
use crate::{
    graph::FileGraph,
    render::{MAX_LINE, RenderError, Renderer, cut_lines},
    sources::Sources,
    stages::Entry,
};

/// The lines that show a definition, with those of the definitions around it, by row.
type Shown = Arc<[(usize, String)]>;

/// The lines that show definitions, by their places.
pub type KnownLines = BTreeMap<Place, Shown>;

/// A file id and a row.
pub type Place = (usize, usize);

/// The documentation that a text shows: lines by the places of their definitions.
pub type Documented = BTreeMap<Place, String>;

/// Renders selections of candidates by their signatures.
#[derive(Debug)]
pub struct Sheet<'a> {
    sources: &'a Sources,
    graph: &'a FileGraph<'a>,
    /// What is shown of each file.
    files: Vec<Shows<'a>>,
    /// Lines computed before.
    known: Mutex<KnownLines>,
}

/// What is shown of a file.
#[derive(Debug, Default)]
struct Shows<'a> {
    /// The indices of its definitions.
    definitions: Range<usize>,
    /// Their rows, sorted, once they are needed.
    rows: OnceLock<Vec<usize>>,
    /// The lines of its text, once they are needed.
    lines: OnceLock<Vec<&'a str>>,
}

/// The ways to render selections.
#[derive(Debug)]
pub enum Drawing<'a> {
    /// By signatures.
    Signatures(Sheet<'a>),
    /// As the comparator draws them.
    Outline(Renderer<'a>),
}

impl Drawing<'_> {
    /// The text of a selection, with the documentation of some of its definitions. Only
    /// signatures are documented.
    pub fn draw(&self, entries: &[Entry], documented: &Documented) -> Result<String, RenderError> {
        match self {
            Self::Signatures(sheet) => Ok(sheet.draw(entries, documented)),
            Self::Outline(renderer) => renderer.render(entries),
        }
    }

    /// The shortest text that an entry adds, unless another entry already shows it.
    pub fn least(&self, entry: Entry) -> String {
        match self {
            Self::Signatures(sheet) => sheet.line(entry),
            Self::Outline(_) => String::new(),
        }
    }

    /// The line that documents an entry, and the place of its definition; `None` if it has no
    /// documentation or the drawing shows none.
    pub fn documentation(&self, entry: Entry) -> Option<(Place, String)> {
        match self {
            Self::Signatures(sheet) => sheet.documentation(entry),
            Self::Outline(_) => None,
        }
    }
}

impl<'a> Sheet<'a> {
    /// A sheet for the definitions of a graph, some of whose lines are known.
    pub fn new(sources: &'a Sources, graph: &'a FileGraph, known: KnownLines) -> Self {
        let mut files: Vec<Shows> = Vec::new();
        files.resize_with(sources.files.len(), Shows::default);
        let mut first = 0;
        for of_file in graph.definitions().chunk_by(|one, other| one.file == other.file) {
            let next = first + of_file.len();
            if let Some(shows) = of_file.first().and_then(|one| files.get_mut(one.file)) {
                shows.definitions = first..next;
            }
            first = next;
        }
        Self { sources, graph, files, known: known.into() }
    }

    /// The lines of all definitions that were drawn, and of those that were known.
    pub fn known(self) -> KnownLines {
        self.known.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The text of a selection. Files are sorted by name and definitions by row. Each definition is
    /// indented by one space, and by one more for each definition around it. Documentation stands
    /// below its definition.
    pub fn draw(&self, entries: &[Entry], documented: &Documented) -> String {
        self.read(entries);
        let shown = |entry: &Entry| match *entry {
            Entry::Definition { file, line, .. } => {
                self.shown(file, usize::try_from(line).unwrap_or_default())
            }
            Entry::Bare { .. } => Shown::default(),
        };
        let shown: Vec<Shown> = entries.iter().map(shown).collect();
        let mut files: BTreeMap<&str, (usize, BTreeMap<usize, &str>)> = BTreeMap::new();
        for (entry, shown) in entries.iter().zip(&shown) {
            let rel = self.sources.files[entry.file()].file.rel.as_str();
            let (_, rows) = files.entry(rel).or_insert_with(|| (entry.file(), BTreeMap::new()));
            rows.extend(shown.iter().map(|(row, line)| (*row, line.as_str())));
        }
        let mut text = String::new();
        let mut previous_has_rows = false;
        for (rel, (file, rows)) in files {
            // Bare names follow each other without blank lines; every other name starts after an
            // empty line.
            if text.is_empty() || previous_has_rows || !rows.is_empty() {
                text.push('\n');
            }
            previous_has_rows = !rows.is_empty();
            text.push_str(rel);
            text.push_str(if rows.is_empty() { "\n" } else { ":\n" });
            for (row, line) in rows {
                let documented = documented.get(&(file, row)).map(String::as_str);
                for line in [Some(line), documented].into_iter().flatten() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
        if text.is_empty() { text } else { cut_lines(&text) }
    }

    /// Reads the files of some definitions all at once: one after the other they take a third of the fit.
    fn read(&self, entries: &[Entry]) {
        let files: BTreeSet<usize> = {
            let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            let file = |entry: &Entry| match entry {
                Entry::Definition { file, line, .. } => {
                    let row = usize::try_from(*line).unwrap_or_default();
                    (!known.contains_key(&(*file, row))).then_some(*file)
                }
                Entry::Bare { .. } => None,
            };
            entries.iter().filter_map(file).collect()
        };
        let unread: Vec<usize> =
            files.into_iter().filter(|file| self.files[*file].lines.get().is_none()).collect();
        unread.par_iter().for_each(|file| {
            self.lines(*file);
        });
    }

    /// The lines that show a definition.
    fn shown(&self, file: usize, row: usize) -> Shown {
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shown) = lock().get(&(file, row)) {
            return shown.clone();
        }
        let lines = self.lines(file);
        let mut rows = around(lines, self.rows(file), row);
        rows.push(row);
        let indented = |(depth, row): (usize, usize)| {
            let most = MAX_LINE.saturating_sub(depth + 1);
            (row, format!("{}{}", " ".repeat(depth + 1), signature(lines, row, most)))
        };
        let shown: Shown = rows.into_iter().enumerate().map(indented).collect();
        lock().insert((file, row), shown.clone());
        shown
    }

    fn lines(&self, file: usize) -> &[&'a str] {
        let text = || self.sources.files[file].text().split('\n').collect();
        self.files[file].lines.get_or_init(text)
    }

    /// The rows of all definitions in a file.
    fn rows(&self, file: usize) -> &[usize] {
        let Shows { definitions, rows, .. } = &self.files[file];
        rows.get_or_init(|| {
            let rows = definitions.clone().flat_map(|index| self.graph.rows(index));
            let mut rows: Vec<usize> = rows.filter_map(|row| usize::try_from(*row).ok()).collect();
            rows.sort_unstable();
            rows.dedup();
            rows
        })
    }

    /// The line that documents an entry, indented by one more space than its definition.
    fn documentation(&self, entry: Entry) -> Option<(Place, String)> {
        let Entry::Definition { file, line, .. } = entry else { return None };
        let row = usize::try_from(line).ok()?;
        let source = &self.sources.files[file];
        let lines = self.lines(file);
        let depth = self.shown(file, row).len();
        let most = MAX_LINE.saturating_sub(depth + 1);
        let sentence = documentation(source.key?, source.text(), lines, row, most)?;
        Some(((file, row), format!("{}{sentence}", " ".repeat(depth + 1))))
    }

    /// The line that shows the entry itself.
    fn line(&self, entry: Entry) -> String {
        match entry {
            Entry::Definition { file, line, .. } => {
                let shown = self.shown(file, usize::try_from(line).unwrap_or_default());
                shown.last().map(|(_, line)| line.clone()).unwrap_or_default()
            }
            Entry::Bare { file, .. } => self.sources.files[file].file.rel.clone(),
        }
    }
}
