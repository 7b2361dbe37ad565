//! The comment directly above a declaration.

use tree_sitter::Node;

use super::walk::Walk;

/// How a language writes comments.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// What begins a comment that ends with its line.
    pub line: &'static [&'static str],
    /// What begins and ends a comment over several lines, if there is such a thing.
    pub block: Option<(&'static str, &'static str)>,
}

/// `//` and `/* */`.
pub const C: Style = Style { line: &["//"], block: Some(("/*", "*/")) };

/// `#`.
pub const HASH: Style = Style { line: &["#"], block: None };

/// `--`.
pub const DASHES: Style = Style { line: &["--"], block: None };

/// A longer comment is read up to here; in lines.
const LIMIT: usize = 200;

/// The first paragraph of the comment that ends on the line above a node, without comment signs.
pub fn comment(walk: &Walk, node: Node, style: Style) -> Option<String> {
    let before = walk.text.get(..node.start_byte())?;
    let before = before.get(..before.rfind('\n')?)?;
    let mut lines: Vec<&str> = Vec::new();
    let mut in_block = false;
    for line in before.rsplit('\n').take(LIMIT) {
        let line = line.trim();
        if in_block {
            lines.push(line);
            if style.block.is_some_and(|(open, _)| line.starts_with(open)) {
                break;
            }
            continue;
        }
        if style.line.iter().any(|sign| line.starts_with(sign)) {
            lines.push(line);
            continue;
        }
        let Some((open, close)) = style.block else { break };
        if lines.is_empty() && line.ends_with(close) {
            // Code before the comment on its line means that it belongs to that code.
            if line.contains(open) && !line.starts_with(open) {
                break;
            }
            lines.push(line);
            in_block = !line.starts_with(open);
            if !in_block {
                break;
            }
        } else {
            break;
        }
    }
    paragraph(lines.iter().rev().map(|line| bare(line)))
}

/// The first paragraph of lines, folded into one.
fn paragraph<'t>(lines: impl Iterator<Item = &'t str>) -> Option<String> {
    let lines: Vec<&str> =
        lines.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty()).collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

/// A line of a comment without the signs around it.
fn bare(line: &str) -> &str {
    line.trim_end_matches("*/").trim_start_matches(['/', '*', '#', '-', '!', '<', ';']).trim()
}
