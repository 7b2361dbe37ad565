//! The facts of a LaTeX file.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Encoding, masked::masked};

/// The contents of a LaTeX file. Lines are 1-based; lists are in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LatexFields {
    /// `document`, `package`, `class`, `bibliography`, `bibliography style` or `unknown`.
    pub file_type: &'static str,
    /// The class of a document.
    pub document_class: Option<Class>,
    /// Packages that are loaded, each once.
    pub packages: Vec<Package>,
    /// Number of sections of each kind, such as `subsections`, including zeros.
    pub structure: BTreeMap<String, usize>,
    /// The source of the bibliography.
    pub bibliography: Bibliography,
    /// Commands, environments and theorems that the file defines.
    pub custom_commands: Vec<Definition>,
    /// Files that are included.
    pub included_files: Vec<Included>,
    /// Names of environments that are used, sorted.
    pub environments: Vec<String>,
    /// Number of uses of each environment.
    pub environment_counts: BTreeMap<String, usize>,
    /// The uses of environments.
    pub environment_uses: Vec<Environment>,
    /// The facts on the title page.
    pub document_info: Info,
    /// Parts with a title.
    pub sections: Vec<Section>,
    /// Labels.
    pub labels: Vec<Named>,
    /// References to labels.
    pub references: Vec<Named>,
    /// Keys that are cited.
    pub citations: Vec<Named>,
    /// Items of a bibliography in the text.
    pub bibliography_items: Vec<Named>,
    /// Entries of a BibTeX file.
    pub bibliography_entries: Vec<Entry>,
    /// Images that are included.
    pub graphics: Vec<Named>,
    /// Length of `sections`.
    pub section_count: usize,
    /// Length of `environment_uses`.
    pub environment_count: usize,
    /// Length of `labels`.
    pub label_count: usize,
    /// Length of `references`.
    pub reference_count: usize,
    /// Length of `citations`.
    pub citation_count: usize,
    /// Length of `packages`.
    pub package_count: usize,
    /// Number of items and entries of bibliographies.
    pub bibliography_item_count: usize,
    /// Length of `graphics`.
    pub graphic_count: usize,
    /// Number of captions.
    pub caption_count: usize,
    /// Number of footnotes.
    pub footnote_count: usize,
    /// Number of formulas: between dollar signs, or after `\(` and `\[`.
    pub formula_count: usize,
    /// Number of lines; in the parity profile a trailing line feed begins one more.
    pub line_count: usize,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// True if only pieces of a large file were read.
    pub sampled: bool,
}

/// A part of the text with a title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// `part`, `chapter`, `section`, `subsection`, `subsubsection`, `paragraph` or `subparagraph`.
    pub kind: &'static str,
    /// Its title.
    pub title: String,
    /// Whether it has no number.
    pub starred: bool,
    /// The line of its command.
    pub line: u64,
}

/// An environment from its beginning to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Environment {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub line: u64,
    /// The line where it ends; absent if it is never closed.
    pub end_line: Option<u64>,
}

/// A name and its place: a label, a cited key, or a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The command that contains it.
    pub command: String,
    /// The line of that command.
    pub line: u64,
}

/// A package that is loaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its options.
    pub options: Vec<String>,
    /// Whether most documents load it.
    pub is_common: bool,
    /// Where it is loaded.
    pub line: u64,
}

/// A command or an environment that the file defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Definition {
    /// Its name; that of a command includes the backslash.
    pub name: String,
    /// Number of its parameters, if given.
    pub arg_count: Option<u32>,
    /// `newcommand`, `renewcommand`, `providecommand`, `robust`, `newenvironment`,
    /// `renewenvironment`, `newtheorem` or `def`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Where it is defined.
    pub line: u64,
}

/// A file that is included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Included {
    /// Its path, as written.
    pub path: String,
    /// `input`, `include`, `subfile`, `import` or `subimport`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The line where it is included.
    pub line: u64,
}

/// The class of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Its options.
    pub options: Vec<String>,
}

/// The source of a bibliography.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Bibliography {
    /// `bibtex`, `biblatex`, `thebibliography` or `none`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Its files.
    pub files: Vec<String>,
    /// Its style.
    pub style: Option<String>,
}

/// The facts on a title page.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct Info {
    /// The title.
    pub title: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// The date, as written.
    pub date: Option<String>,
    /// The abstract.
    #[serde(rename = "abstract")]
    pub summary: Option<String>,
}

/// An entry of a BibTeX file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its type in lower case, such as `article`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The key that it is cited by.
    pub key: String,
    /// Its title.
    pub title: Option<String>,
    /// Its year.
    pub year: Option<String>,
    /// Number of its fields.
    pub fields: usize,
    /// Where it begins.
    pub line: u64,
}

masked! {
    LatexFields {
        file_type, document_class, packages, structure, bibliography, custom_commands,
        included_files, environments, environment_counts, environment_uses, document_info, sections,
        labels, references, citations, bibliography_items, bibliography_entries, graphics,
        section_count, environment_count, label_count, reference_count, citation_count,
        package_count, bibliography_item_count, graphic_count, caption_count, footnote_count,
        formula_count, line_count, encoding, sampled,
    }
    Section { kind, title, starred, line }
    Environment { name, line, end_line }
    Named { name, command, line }
    Package { name, options, is_common, line }
    Definition { name, arg_count, kind, line }
    Included { path, kind, line }
    Class { name, options }
    Bibliography { kind, files, style }
    Info { title, author, date, summary }
    Entry { kind, key, title, year, fields, line }
}
