//! The lines outside all symbols: imports, statements and comments at the top level of a file.

use std::collections::BTreeMap;

use explore::Import;

use crate::Part;

/// Longest block in lines; longer ones are split.
const LONGEST: u32 = 200;
/// Longest name of a block, in characters.
const NAME: usize = 60;
/// What comments begin with. A bare `#` is not among them: preprocessor directives begin with it, too.
const COMMENTS: &[&str] =
    &["//", "/*", "*", "# ", "#!", "##", "--", ";;", "%%", "(*", "{-", "\"\"\"", "'''", "<!--"];

/// Adds a part for each block of lines that no top-level part covers. A block ends at a blank line,
/// and every import begins one; an import of several lines forms one block with the lines after it
/// up to a blank line.
pub fn add(parts: &mut Vec<Part>, lines: &[String], imports: &[Import]) {
    let mut covered = vec![false; lines.len()];
    for part in parts.iter().filter(|part| part.inside.is_none()) {
        let range = part.start as usize - 1..(part.end as usize).min(lines.len());
        covered.get_mut(range).into_iter().flatten().for_each(|line| *line = true);
    }
    let imports: BTreeMap<u32, &Import> =
        imports.iter().rev().map(|import| (import.line, import)).collect();
    let mut block: Option<Part> = None;
    for (number, (line, covered)) in (1_u32..).zip(lines.iter().zip(covered)) {
        if covered || line.trim().is_empty() {
            parts.extend(block.take());
            continue;
        }
        let import = imports.get(&number);
        let goes_on = |block: &Part| {
            import.is_none()
                && number - block.start < LONGEST
                && (block.kind != "comment" || is_comment(line))
        };
        if let Some(block) = block.as_mut().filter(|block| goes_on(block)) {
            block.end = number;
        } else {
            parts.extend(block.take());
            block = Some(begin(number, line, import.copied()));
        }
    }
    parts.extend(block);
}

fn begin(number: u32, line: &str, import: Option<&Import>) -> Part {
    let (kind, name) = match import {
        Some(import) => ("import", import.path.clone()),
        None if is_comment(line) => ("comment", line.trim().chars().take(NAME).collect()),
        None => ("statement", line.trim().chars().take(NAME).collect()),
    };
    Part {
        kind,
        name,
        is_symbol: false,
        parent: None,
        inside: None,
        depth: 0,
        line: number,
        start: number,
        end: number,
        signature: line.trim().chars().take(crate::signature::LONGEST).collect(),
        documentation: None,
        imports: Vec::new(),
    }
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    COMMENTS.iter().any(|sign| line.starts_with(sign)) || line.trim_end() == "#"
}
