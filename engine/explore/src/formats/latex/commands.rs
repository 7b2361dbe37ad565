//! Reads the commands of a LaTeX file.

use std::borrow::Cow;

use super::{
    Document,
    arguments::Reader,
    fields::{Bibliography, Class, Definition, Environment, Included, Named, Package, Section},
    scan::{Command, Scanned},
};
use base::secrets::Secrets;

use crate::{findings::cut, lines::LineStarts, masked::shortened};

/// Kinds of sections, the outermost first.
pub const SECTIONS: [&str; 7] =
    ["part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph"];

/// Packages that most documents load, so that the others say more about a document.
const COMMON: &[&str] = &[
    "amsmath",
    "amssymb",
    "amsthm",
    "amsfonts",
    "mathtools",
    "graphicx",
    "graphics",
    "xcolor",
    "color",
    "hyperref",
    "url",
    "geometry",
    "fontenc",
    "inputenc",
    "babel",
    "polyglossia",
    "fontspec",
    "lmodern",
    "times",
    "mathptmx",
    "microtype",
    "booktabs",
    "array",
    "tabularx",
    "longtable",
    "multirow",
    "multicol",
    "float",
    "caption",
    "subcaption",
    "subfig",
    "enumitem",
    "fancyhdr",
    "titlesec",
    "setspace",
    "parskip",
    "listings",
    "verbatim",
    "tikz",
    "pgfplots",
    "natbib",
    "biblatex",
    "cite",
    "cleveref",
    "algorithm",
    "algorithmic",
    "siunitx",
    "xspace",
];

/// Longest text of an argument that is kept, in characters.
const ARGUMENT: usize = 300;
/// Whether a text contains a parameter such as `#1`; after a backslash the sign is an ordinary
/// character.
fn has_parameter(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(2).enumerate().any(|(at, pair)| {
        let marked = pair.first() == Some(&b'#') && pair.get(1).is_some_and(u8::is_ascii_digit);
        marked && at.checked_sub(1).and_then(|at| bytes.get(at)) != Some(&b'\\')
    })
}

/// Reads a document.
pub fn read(text: &str, starts: &LineStarts, scanned: &Scanned) -> Document {
    let reader = Reader { text, scanned };
    let unmatched = |offset| ("a brace has no partner".to_owned(), starts.line(offset));
    let mut document = Document {
        bibliography: Bibliography { kind: "none", ..Bibliography::default() },
        formulas: scanned.dollars / 2,
        error: scanned.unmatched.map(unmatched),
        ..Document::default()
    };
    let mut open: Vec<usize> = Vec::new();
    let mut before: Option<&Command> = None;
    for command in &scanned.commands {
        let line = starts.line(command.start);
        // The name after `\newcommand` or `\def` is defined here, not used.
        if !before.is_some_and(|before| reader.defines(before, command)) {
            one(&reader, starts, command, line, &mut document, &mut open);
        }
        before = Some(command);
    }
    // An argument with a parameter of a definition is a template; only uses of the definition name
    // something.
    document.sections.retain(|section| !has_parameter(&section.title));
    document.labels.retain(|label| !has_parameter(&label.name));
    document.references.retain(|reference| !has_parameter(&reference.name));
    document.citations.retain(|citation| !has_parameter(&citation.name));
    if let Some(environment) = open.first().and_then(|index| document.environments.get(*index)) {
        let what = format!("environment {} is never closed", cut(&environment.name, 80));
        document.error.get_or_insert((what, environment.line));
    }
    document
}

fn one(
    reader: &Reader,
    starts: &LineStarts,
    command: &Command,
    line: u64,
    document: &mut Document,
    open: &mut Vec<usize>,
) {
    let name = reader.text.get(command.start + 1..command.end).unwrap_or_default();
    let starred = reader.text.as_bytes().get(command.end) == Some(&b'*');
    let at = command.end + usize::from(starred);
    if let Some(kind) = SECTIONS.iter().find(|kind| **kind == name) {
        if let Some((_, title, _)) = reader.argument(at) {
            document.sections.push(Section { kind, title: folded(title), starred, line });
        }
        return;
    }
    let named = |name: &str| Named {
        name: folded(name),
        command: reader.text.get(command.start + 1..command.end).unwrap_or_default().to_owned(),
        line,
    };
    match name {
        "begin" => {
            let Some((name, _)) = reader.braces(at) else { return };
            let name = cut(name.trim(), ARGUMENT);
            if name == "thebibliography" {
                document.bibliography.kind = "thebibliography";
            }
            open.push(document.environments.len());
            document.environments.push(Environment { name, line, end_line: None });
        }
        "end" => {
            let Some((name, _)) = reader.braces(at) else { return };
            end(name.trim(), reader, starts, line, document, open, command);
        }
        "documentclass" | "documentstyle" => {
            if let Some((options, class, _)) = reader.argument(at) {
                let options = list(options.unwrap_or_default());
                document.class.get_or_insert(Class { name: folded(class), options });
            }
        }
        "usepackage" | "RequirePackage" | "RequirePackageWithOptions" => {
            let Some((options, names, _)) = reader.argument(at) else { return };
            for name in list(names) {
                if document.packages.iter().any(|package| package.name == name) {
                    continue;
                }
                if name == "biblatex" {
                    document.bibliography.kind = "biblatex";
                }
                document.packages.push(Package {
                    is_common: COMMON.contains(&name.as_str()),
                    name,
                    options: list(options.unwrap_or_default()),
                    line,
                });
            }
        }
        "ProvidesPackage" | "ProvidesExplPackage" => document.provides = Some("package"),
        "ProvidesClass" | "ProvidesExplClass" => document.provides = Some("class"),
        "label" => document.labels.extend(reader.argument(at).map(|found| named(found.1))),
        "bibitem" => document.bib_items.extend(reader.argument(at).map(|found| named(found.1))),
        "includegraphics" => {
            document.graphics.extend(reader.argument(at).map(|found| named(found.1)));
        }
        "ref" | "eqref" | "pageref" | "autoref" | "nameref" | "vref" | "cref" | "Cref" | "Ref"
        | "Autoref" | "vpageref" | "labelcref" | "namecref" => {
            let Some((_, keys, _)) = reader.argument(at) else { return };
            document.references.extend(list(keys).iter().map(|key| named(key)));
        }
        "bibliography" | "addbibresource" | "nobibliography" => {
            let Some((_, files, _)) = reader.argument(at) else { return };
            document.bibliography.files.extend(list(files));
            document.bibliography.kind =
                if name == "addbibresource" { "biblatex" } else { "bibtex" };
        }
        "bibliographystyle" => {
            document.bibliography.style = reader.argument(at).map(|found| folded(found.1));
        }
        "newcommand" | "renewcommand" | "providecommand" | "DeclareRobustCommand" => {
            let kind = match name {
                "newcommand" => "newcommand",
                "renewcommand" => "renewcommand",
                "providecommand" => "providecommand",
                _ => "robust",
            };
            definition(reader, at, kind, line, document);
        }
        "newenvironment" => definition(reader, at, "newenvironment", line, document),
        "renewenvironment" => definition(reader, at, "renewenvironment", line, document),
        "newtheorem" => definition(reader, at, "newtheorem", line, document),
        "def" | "gdef" | "edef" | "xdef" => primitive(reader, at, line, document),
        "input" | "include" | "subfile" | "includeonly" | "subimport" | "import" => {
            included(reader, at, name, line, document);
        }
        "title" | "author" | "date" => {
            let text = reader.argument(at).map(|found| folded(found.1));
            let place = match name {
                "title" => &mut document.info.title,
                "author" => &mut document.info.author,
                _ => &mut document.info.date,
            };
            if place.is_none() {
                *place = text;
            }
        }
        "caption" => document.captions += 1,
        "footnote" | "footnotetext" => document.footnotes += 1,
        _ if is_citation(name) => {
            let Some((_, keys, _)) = reader.argument(at) else { return };
            document.citations.extend(list(keys).iter().map(|key| named(key)));
        }
        _ => {}
    }
}

/// Closes the innermost open environment with a name; environments inside it stay open and are
/// reported.
fn end(
    name: &str,
    reader: &Reader,
    starts: &LineStarts,
    line: u64,
    document: &mut Document,
    open: &mut Vec<usize>,
    command: &Command,
) {
    let is = |index: &usize| document.environments.get(*index).is_some_and(|one| one.name == name);
    // The search is limited, because a file may have a hundred thousand open environments.
    let near = open.len().saturating_sub(64);
    let Some(depth) = open.iter().skip(near).rposition(is).map(|found| found + near) else {
        let what = format!("environment {} ends and has not begun", cut(name, 80));
        document.error.get_or_insert((what, line));
        return;
    };
    if depth + 1 < open.len() {
        let what = format!("environment {} ends before what is inside of it", cut(name, 80));
        document.error.get_or_insert((what, line));
    }
    let index = open.get(depth).copied().unwrap_or_default();
    open.truncate(depth);
    let Some(environment) = document.environments.get_mut(index) else { return };
    environment.end_line = Some(line);
    if name == "abstract" && document.info.summary.is_none() {
        // The text between the line of its beginning and its end.
        let from = starts.start(environment.line + 1).min(command.start);
        document.info.summary = reader.text.get(from..command.start).map(folded);
    }
}

fn definition(reader: &Reader, at: usize, kind: &'static str, line: u64, document: &mut Document) {
    let (name, at) = match reader.braces(at) {
        Some(found) => found,
        // The name of a command may be given without braces.
        None => match reader.bare(at) {
            Some(found) => found,
            None => return,
        },
    };
    let count = reader.brackets(at).and_then(|(count, _)| count.trim().parse().ok());
    let name = folded(name);
    document.definitions.push(Definition { name, arg_count: count, kind, line });
}

fn primitive(reader: &Reader, at: usize, line: u64, document: &mut Document) {
    let Some((name, at)) = reader.bare(at) else { return };
    // Parameters come between the name and the body.
    let rest = reader.text.get(at..).unwrap_or_default();
    let count =
        rest.bytes().take_while(|byte| *byte != b'{').take(200).filter(|byte| *byte == b'#');
    let count = count.count() as u32;
    let name = name.to_owned();
    document.definitions.push(Definition {
        name,
        arg_count: (count > 0).then_some(count),
        kind: "def",
        line,
    });
}

fn included(reader: &Reader, at: usize, name: &str, line: u64, document: &mut Document) {
    let kind = match name {
        "input" => "input",
        "include" => "include",
        "subfile" => "subfile",
        "subimport" => "subimport",
        "import" => "import",
        _ => return,
    };
    let path = match reader.braces(at) {
        Some((folder, end)) if matches!(kind, "import" | "subimport") => {
            let file = reader.braces(end).map_or("", |(file, _)| file);
            format!("{folder}{file}")
        }
        Some((path, _)) => path.to_owned(),
        // The form of plain TeX: a name up to the next space.
        None if kind == "input" => {
            let start = reader.skip_space(at);
            let rest = reader.text.get(start..).unwrap_or_default();
            let name: String = rest
                .chars()
                .take_while(|c| c.is_alphanumeric() || "/._-".contains(*c))
                .take(ARGUMENT)
                .collect();
            if name.is_empty() {
                return;
            }
            name
        }
        None => return,
    };
    document.included.push(Included { path: folded(&path), kind, line });
}

/// Whether a command is a citation: `cite` or one of its many variants.
fn is_citation(name: &str) -> bool {
    matches!(
        name,
        "cite"
            | "citep"
            | "citet"
            | "citealt"
            | "citealp"
            | "citeauthor"
            | "citeyear"
            | "citeyearpar"
            | "citenum"
            | "Citep"
            | "Citet"
            | "Cite"
            | "nocite"
            | "parencite"
            | "Parencite"
            | "textcite"
            | "Textcite"
            | "footcite"
            | "autocite"
            | "Autocite"
            | "smartcite"
            | "supercite"
            | "fullcite"
            | "footfullcite"
            | "citetitle"
            | "shortcite"
            | "citeA"
            | "citeN"
            | "citeNP"
    )
}

/// A text without its comments: from a percent sign to the end of the line, including the spaces at
/// the beginning of the next line.
fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut whole = String::with_capacity(text.len());
    let mut joined = false;
    for line in text.split_inclusive('\n') {
        let line = if joined { line.trim_start_matches([' ', '\t']) } else { line };
        let mut escaped = false;
        let comment = line.bytes().position(|byte| {
            let found = byte == b'%' && !escaped;
            escaped = byte == b'\\' && !escaped;
            found
        });
        joined = comment.is_some();
        whole.push_str(comment.and_then(|at| line.get(..at)).unwrap_or(line));
    }
    Cow::Owned(whole)
}

/// The elements of a list, without spaces and comments.
fn list(text: &str) -> Vec<String> {
    let clean: Vec<&str> =
        text.lines().map(|line| line.split('%').next().unwrap_or_default()).collect();
    let clean = clean.join(" ");
    clean.split(',').map(folded).filter(|part| !part.is_empty()).collect()
}

/// A text on one line, with single spaces and limited length. A text that is cut is masked, whether
/// or not secrets are shown.
fn folded(text: &str) -> String {
    // A long argument is cut before it is split into words.
    let short: String = text.chars().take(4 * ARGUMENT).collect();
    let short = without_comments(&short);
    let words: Vec<&str> = short.split_whitespace().collect();
    shortened(Secrets::Masked, &words.join(" "), ARGUMENT)
}
