//! The doc comment above a declaration, which belongs to the declaration.

use std::collections::BTreeMap;

use crate::Part;

/// Maximum number of lines above a declaration in which its documentation is searched.
const LIMIT: usize = 200;
/// Signs of comments that may stand on a line of their own, with the text beginning in the next
/// line.
const SIGNS: &[&str] = &["/*", "//", "#", "{-", "(*", "--", "\"\"\"", "'''", ";", "%", "<!--"];

/// Extends every part to the doc comment above it, if it has one there.
pub fn extend(parts: &mut [Part], lines: &[String]) {
    // The last line of the previous part inside each enclosing part. A comment must begin after
    // that line, and after the name of the enclosing part.
    let mut ends: BTreeMap<Option<usize>, u32> = BTreeMap::new();
    for at in 0..parts.len() {
        let Some((inside, end)) = parts.get(at).map(|part| (part.inside, part.end)) else {
            continue;
        };
        let name = inside.and_then(|around| parts.get(around)).map_or(0, |around| around.line);
        let before = ends.entry(inside).or_default();
        let free = name.max(*before);
        *before = end.max(*before);
        let Some(part) = parts.get_mut(at) else { continue };
        let Some(first) = part.documentation.as_deref().and_then(|text| text.lines().next()) else {
            continue;
        };
        let first = first.trim();
        if first.is_empty() {
            continue;
        }
        if let Some(start) = beginning(lines, part.start, free, first) {
            part.start = start;
        }
    }
}

/// The 1-based line at which a comment begins that ends directly above line `start` and has `first`
/// as its first words; `None` if the lines down to `free` do not contain it.
fn beginning(lines: &[String], start: u32, free: u32, first: &str) -> Option<u32> {
    let line = |number: u32| lines.get(number as usize - 1).map(|line| line.trim());
    let mut found = None;
    for number in (free + 1..start).rev().take(LIMIT) {
        let text = line(number)?;
        if text.is_empty() {
            break;
        }
        if text.contains(first) {
            found = Some(number);
            break;
        }
    }
    let found = found?;
    // The sign of a comment may stand on a line of its own.
    let above = found - 1;
    let is_sign = above > free
        && line(above).is_some_and(|text| {
            SIGNS.iter().any(|sign| text.starts_with(sign)) && !text.contains(char::is_alphanumeric)
        });
    Some(if is_sign { above } else { found })
}

#[cfg(test)]
mod tests {
    use super::beginning;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_comment_right_above_is_found_with_its_sign() {
        let text = lines("int x;\n/**\n * Pays.\n * @param sum\n */\nvoid pay(int sum);");
        assert_eq!(beginning(&text, 6, 1, "Pays."), Some(2));
        assert_eq!(beginning(&text, 6, 3, "Pays."), None);
        assert_eq!(beginning(&text, 6, 1, "Buys."), None);
    }

    #[test]
    fn a_blank_line_parts_a_comment_from_what_follows() {
        let text = lines("// Pays.\n\nfn pay() {}");
        assert_eq!(beginning(&text, 3, 0, "Pays."), None);
        assert_eq!(beginning(&lines("}\n// Pays.\nfn pay() {}"), 3, 0, "Pays."), Some(2));
    }
}
