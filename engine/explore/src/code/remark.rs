//! Documentation that stands in comments above a declaration.
//!
//! It is read from the text rather than from sibling nodes: the way up from a declaration is as
//! long as its comment, however many siblings it has.

/// How a language writes comments.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Beginnings of line comments, the longest first.
    pub line: &'static [&'static str],
    /// Beginning and end of block comments.
    pub block: Option<(&'static str, &'static str)>,
}

/// The first paragraph of the comments that end on the line above the declaration which begins at
/// `start`; none if there are none.
pub fn above(text: &str, start: usize, style: Style) -> Option<String> {
    let line_start = text.get(..start)?.rfind('\n')?;
    let mut rest = text.get(..line_start)?;
    if let Some((open, close)) = style.block {
        let body = rest.trim_end_matches(['\r', ' ', '\t']).strip_suffix(close);
        if let Some(body) = body.filter(|body| !body.ends_with('\n')) {
            let begin = body.rfind(open)?;
            return paragraph(body.get(begin + open.len()..)?.lines().map(bare));
        }
    }
    let mut lines = Vec::new();
    loop {
        let (before, line) = rest.rsplit_once('\n').unwrap_or(("", rest));
        let line = line.trim();
        let mark = style.line.iter().find(|mark| line.starts_with(**mark));
        let Some(mark) = mark.filter(|_| !line.starts_with("#!")) else { break };
        lines.push(bare(line.get(mark.len()..)?));
        if before.is_empty() {
            break;
        }
        rest = before;
    }
    lines.reverse();
    paragraph(lines.into_iter())
}

/// The first paragraph of a text in quotes, such as a docstring.
pub fn first_paragraph(text: &str) -> Option<String> {
    paragraph(text.lines().map(str::trim))
}

/// A comment's line without the ornaments that stand at its ends.
fn bare(line: &str) -> &str {
    line.trim()
        .trim_start_matches(['*', '|', '\'', '!', ';', '#', '-', '=', '/', '%', '<'])
        .trim_end_matches(['*', '#', '-', '=', ';'])
        .trim()
}

fn paragraph<'t>(lines: impl Iterator<Item = &'t str>) -> Option<String> {
    let lines: Vec<&str> = lines
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with('@'))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::{Style, above};

    const HASH: Style = Style { line: &["#"], block: None };
    const ML: Style = Style { line: &[], block: Some(("(*", "*)")) };

    fn at(text: &str, style: Style) -> Option<String> {
        above(text, text.find('f').unwrap_or(0), style)
    }

    #[test]
    fn the_paragraph_right_above_is_taken() {
        assert_eq!(at("# One\n# two\n#\n# three\nf", HASH).as_deref(), Some("One\ntwo"));
        assert_eq!(at("x\n# One\n  f", HASH).as_deref(), Some("One"));
        assert_eq!(at("# One\n\nf", HASH), None);
        assert_eq!(at("f", HASH), None);
        assert_eq!(at("(** One\n    two *)\nf", ML).as_deref(), Some("One\ntwo"));
        assert_eq!(at("*)\nf", ML), None);
    }
}
