//! Documentation: the first paragraph of the comments above a declaration, of a single comment, or
//! of a docstring. Lines are kept as written, without comment signs.

/// How a language writes doc comments.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Beginnings of line comments, longest first.
    pub line: &'static [&'static str],
    /// Beginning and end of block comments, if the language has them.
    pub block: Option<(&'static str, &'static str)>,
}

/// `//` and `/* */`.
pub const C: Style = Style { line: &["//"], block: Some(("/*", "*/")) };

/// `#`.
pub const HASH: Style = Style { line: &["#"], block: None };

/// `--`.
pub const DASHES: Style = Style { line: &["--"], block: None };

/// Maximum number of lines of a comment that are read.
const LIMIT: usize = 200;

/// Number of bytes before a declaration in which its comments are searched. Without this limit, a
/// file in one line would be read up to its beginning for each declaration.
const NEAR: usize = 64 * 1024;

/// Tags whose text is the description; any other tag ends the description.
const DESCRIBES: &[&str] = &["@brief ", "\\brief ", "@notice ", "@summary "];

/// The first paragraph of the comments that end on the line above the declaration that begins at
/// `start`; `None` if there are none.
///
/// It is read from the text and not from sibling nodes, so that it takes time for the length of the
/// comment only, however many siblings the declaration has.
pub fn above(text: &str, start: usize, style: Style) -> Option<String> {
    let near = text.get(text.floor_char_boundary(start.saturating_sub(NEAR))..start)?;
    let before = near.get(..near.rfind('\n')?)?;
    match style.block.and_then(|signs| block_at_end(before, signs)) {
        Some(body) => first(body.lines().map(bare)),
        None => first(lines_at_end(before, style.line).into_iter()),
    }
}

/// The contents of the block comment at the end of a text, if nothing else is on the line where it
/// begins: otherwise the comment belongs to what precedes it there.
fn block_at_end<'t>(text: &'t str, (open, close): (&str, &str)) -> Option<&'t str> {
    let body = text.trim_end_matches(['\r', ' ', '\t']).strip_suffix(close)?;
    let begin = body.rfind(open)?;
    let line = body.get(..begin)?.rsplit('\n').next()?;
    line.trim().is_empty().then(|| body.get(begin + open.len()..)).flatten()
}

/// The line comments at the end of a text, without their signs.
fn lines_at_end<'t>(text: &'t str, signs: &[&str]) -> Vec<&'t str> {
    let comment = |line: &'t str| {
        let line = line.trim();
        let sign = signs.iter().find(|sign| line.starts_with(**sign))?;
        (!line.starts_with("#!")).then(|| line.get(sign.len()..).map(bare)).flatten()
    };
    let mut lines: Vec<&str> = text.rsplit('\n').take(LIMIT).map_while(comment).collect();
    lines.reverse();
    lines
}

/// The first paragraph of a text without comment signs, such as a docstring; `None` if it is blank.
pub fn paragraph(text: &str) -> Option<String> {
    joined(text.lines().map(str::trim))
}

/// The first paragraph of a comment as written, with its signs (`//`, `/* */`, `*`, `#`).
pub fn comment(text: &str) -> Option<String> {
    first(text.lines().map(|line| {
        let line = line.trim();
        let line = line.strip_suffix("*/").unwrap_or(line).trim_end();
        line.trim_start_matches('/').trim_start_matches(['*', '!', '#']).trim()
    }))
}

/// The first paragraph of the lines of a comment, up to the first tag such as `@param`.
fn first<'t>(lines: impl Iterator<Item = &'t str>) -> Option<String> {
    let untagged = |line: &'t str| {
        let text = DESCRIBES.iter().find_map(|tag| line.strip_prefix(tag)).unwrap_or(line).trim();
        (!text.starts_with('@')).then_some(text)
    };
    joined(lines.map_while(untagged))
}

/// The lines up to the first blank one after text, joined; `None` if all are blank.
fn joined<'t>(lines: impl Iterator<Item = &'t str>) -> Option<String> {
    let mut lines = lines.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
    let mut paragraph = lines.next()?.to_owned();
    for line in lines {
        paragraph.push('\n');
        paragraph.push_str(line);
    }
    Some(paragraph)
}

/// A line of a comment without the ornaments at its ends.
fn bare(line: &str) -> &str {
    line.trim()
        .trim_start_matches(['*', '|', '\'', '!', ';', '#', '-', '=', '/', '%', '<'])
        .trim_end_matches(['*', '#', '-', '=', ';'])
        .trim()
}

#[cfg(test)]
mod tests {
    use super::{C, HASH, Style, above, comment, paragraph};

    const ML: Style = Style { line: &[], block: Some(("(*", "*)")) };
    const ELM: Style = Style { line: &["--"], block: Some(("{-|", "-}")) };

    fn at(text: &str, style: Style) -> Option<String> {
        above(text, text.rfind('f').unwrap_or(0), style)
    }

    #[test]
    fn the_paragraph_right_above_is_taken() {
        for (text, style, doc) in [
            ("# One\n# two\n#\n# three\nf", HASH, Some("One\ntwo")),
            ("x\n# One\n  f", HASH, Some("One")),
            ("# One\n\nf", HASH, None),
            ("#!/bin/x\nf", HASH, None),
            ("f", HASH, None),
            ("(** One\n    two *)\nf", ML, Some("One\ntwo")),
            ("*)\nf", ML, None),
            ("{-| One\n-}\nf", ELM, Some("One")),
            ("/**\n * One\n * @param a b\n */\nf", C, Some("One")),
            ("/// @brief One\nf", C, Some("One")),
            ("int x; /* One */\nf", C, None),
            ("int x; // One\nf", C, None),
            ("// One\r\n// two\r\nf", C, Some("One\ntwo")),
        ] {
            assert_eq!(at(text, style).as_deref(), doc, "{text:?}");
        }
    }

    #[test]
    fn the_first_paragraph_is_taken() {
        assert_eq!(paragraph("\n  One\n  two.\n\n  Three").as_deref(), Some("One\ntwo."));
        assert_eq!(paragraph(" \n"), None);
        assert_eq!(comment("/**\n * Adds.\n * @param a b\n */").as_deref(), Some("Adds."));
        assert_eq!(comment("// One\n// two").as_deref(), Some("One\ntwo"));
    }
}
