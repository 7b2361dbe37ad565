//! Parses the one file that a question is about.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use base::{
    text::{
        folder::Folder,
        read::{self, ReadError},
    },
    watch,
};
use map::language::Language;
use tree_sitter::{Node, Tree};

use super::{
    NavError,
    answer::{ParseError, ParseErrors, Parsed, ParsedSymbol},
    show,
};
use crate::{
    settings::Settings,
    symbols::{ExtractError, Extracted, extract},
    sync::language_of,
};

/// Maximum number of errors of one file that are listed.
const LISTED: usize = 20;

/// What was found at a place in a file.
#[derive(Debug)]
pub struct Outcome {
    /// First byte of the identifier at the place, or of the one that ends there.
    pub start: Option<u32>,
    /// The grammar's name of the smallest node at the place.
    pub node_type: String,
    /// The syntax errors of the file.
    pub errors: ParseErrors,
}

/// A file with its tree.
struct File {
    language: &'static Language,
    text: String,
    found: Extracted,
}

/// Looks at a place, given as line and column from 1.
pub fn at(
    root: &Path,
    settings: &Settings,
    file: &str,
    line: u32,
    column: u32,
) -> Result<Outcome, NavError> {
    if line == 0 || column == 0 {
        return Err(NavError::Invalid("lines and columns count from 1".to_owned()));
    }
    let parsed = read_file(root, settings, file)?;
    let Extracted { symbols, tree } = &parsed.found;
    let errors = errors(tree, &parsed.text);
    let Some(byte) = byte_at(&parsed.text, line, column) else {
        return Ok(Outcome { start: None, node_type: "none".to_owned(), errors });
    };
    let node = tree.root_node().descendant_for_byte_range(byte, byte);
    let byte = byte as u32;
    let before = symbols.occurrences.partition_point(|one| one.start <= byte);
    let found = before.checked_sub(1).and_then(|at| symbols.occurrences.get(at));
    // The position directly after an identifier counts as well.
    let start =
        found.filter(|one| byte <= one.start + symbols.name(one).len() as u32).map(|one| one.start);
    Ok(Outcome { start, node_type: node.map_or("none", |node| node.kind()).to_owned(), errors })
}

/// The definitions and the syntax errors of a file.
pub fn parsed(root: &Path, settings: &Settings, file: &str) -> Result<Parsed, NavError> {
    let started = Instant::now();
    let parsed = read_file(root, settings, file)?;
    let Extracted { symbols, tree } = &parsed.found;
    let listed = symbols.definitions.iter().filter(|definition| {
        let kind = definition.kind();
        !definition.is_local
            && !matches!(kind, "import" | "parameter" | "extension" | "label" | "member")
    });
    let listed = listed.filter_map(|definition| {
        let at = symbols.occurrence(definition.occurrence)?;
        Some(ParsedSymbol {
            name: symbols.name(at).to_owned(),
            kind: show::kind(symbols, definition).into(),
            line: at.row + 1,
            column: at.column + 1,
        })
    });
    Ok(Parsed {
        language: parsed.language.key.into(),
        root_node: tree.root_node().kind().to_owned(),
        symbols: listed.collect(),
        errors: errors(tree, &parsed.text).errors,
        parse_time_ms: started.elapsed().as_millis() as u64,
    })
}

fn read_file(root: &Path, settings: &Settings, file: &str) -> Result<File, NavError> {
    let file_path = root.join(file).to_string_lossy().into_owned();
    let unreadable = |why: String| NavError::Unreadable { file_path: file_path.clone(), why };
    let language = language_of(settings, file)
        .ok_or_else(|| unreadable("its language is not known".to_owned()))?;
    let folder = Folder::open(root).map_err(|error| unreadable(error.to_string()))?;
    let bytes =
        folder.exact_bytes(Path::new(file), settings.max_file_size).map_err(
            |error| match error {
                ReadError::TooLarge { size, cap } => NavError::TooLarge {
                    file_path: file_path.clone(),
                    file_size_bytes: size,
                    max_file_size: cap,
                },
                error => unreadable(error.to_string()),
            },
        )?;
    let file_size_bytes = bytes.len() as u64;
    let timeout_ms = settings.parse_timeout_ms;
    let late =
        || NavError::ParseTimeout { file_path: file_path.clone(), file_size_bytes, timeout_ms };
    if settings.avoided.contains_key(&watch::file_id(file)) {
        return Err(late());
    }
    let text = read::text(bytes).map_err(|error| unreadable(error.to_string()))?;
    let time = Duration::from_millis(timeout_ms);
    let found = watch::marked(file, text.len(), || extract(language, &text, time));
    match found {
        Ok(found) => Ok(File { language, text, found }),
        Err(ExtractError::TimedOut) => Err(late()),
        Err(error) => Err(unreadable(error.to_string())),
    }
}

/// The byte offset of a line and a column, both from 1, the column in code points. The end of a
/// line is a valid column.
fn byte_at(text: &str, line: u32, column: u32) -> Option<usize> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mark = text.len() - body.len();
    let mut start = 0;
    for _ in 1..line {
        start += body.get(start..)?.find('\n')? + 1;
    }
    let rest = body.get(start..)?;
    let rest = rest.split('\n').next().unwrap_or(rest);
    let mut bytes = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
    bytes.nth(column as usize - 1).map(|at| mark + start + at)
}

/// The places that do not follow the grammar. Only subtrees with errors are visited.
fn errors(tree: &Tree, text: &str) -> ParseErrors {
    let mut found = ParseErrors { error_count: 0, errors: Vec::new() };
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let is_one = node.is_error() || node.is_missing();
        if is_one {
            found.error_count += 1;
            if found.errors.len() < LISTED {
                found.errors.push(error(&node, text));
            }
        }
        if !is_one && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

fn error(node: &Node, text: &str) -> ParseError {
    let position = node.start_position();
    let start = node.start_byte() - position.column;
    let before = text.get(start..node.start_byte()).unwrap_or_default();
    let message = if node.is_missing() {
        format!("Expected {}", node.kind())
    } else {
        let what = text.get(node.byte_range()).unwrap_or_default();
        let what: String = what.chars().take_while(|c| *c != '\n').take(40).collect();
        format!("Unexpected {what:?}")
    };
    let line = position.row as u32 + 1;
    ParseError { line, column: before.chars().count() as u32 + 1, message }
}

#[cfg(test)]
mod tests {
    use super::byte_at;

    #[test]
    fn columns_count_code_points_and_a_mark_of_byte_order_is_none() {
        let text = "\u{feff}aé𝛼b\nx";
        let at = |line, column| byte_at(text, line, column).and_then(|at| text.get(at..));
        assert_eq!(at(1, 1), Some("aé𝛼b\nx"));
        assert_eq!(at(1, 4), Some("b\nx"));
        assert_eq!(at(1, 5), Some("\nx"), "the end of the line");
        assert_eq!(at(1, 6), None);
        assert_eq!([at(2, 1), at(2, 2), at(3, 1)], [Some("x"), Some(""), None]);
    }
}
