//! How many entries of a cut list a summary shows: counted in its text.

/// Whether the text before a marker has as many entries as the cut says it shows. Where several markers leave
/// out the same number, one of them must have. Before a marker without a number, nothing can be counted.
///
/// A marker on a line of its own follows lines with its indentation, one for each entry; a line that is
/// indented deeper belongs to the entry above, or is an entry of an outline. If the marker leaves out
/// sections, the keys beside them are not counted: a section's line begins with `[`. A marker at the end of a
/// line follows entries with commas between them, which may contain commas themselves. In the parity profile,
/// a marker with the number of the cut may belong to another list, and that of the cut may be one without a
/// number: `, ...`.
pub fn has(summary: &str, hidden: u64, shown: u64, parity: bool) -> bool {
    let lines: Vec<&str> = summary.lines().collect();
    let marks = [format!("... and {hidden} more"), format!("... and at least {hidden} more")];
    let plus = format!("(+{hidden} more)");
    let mut marked = false;
    for (at, line) in lines.iter().enumerate() {
        let own =
            marks.iter().chain([&plus]).any(|mark| line.trim_start().starts_with(mark.as_str()));
        let inline = marks.iter().chain([&plus]).find_map(|mark| line.find(mark.as_str()));
        let fits = if own {
            let above = lines.get(..at).unwrap_or_default();
            if line.ends_with(" more sections") {
                headings(above, indent(line)) == shown
            } else {
                block(above, indent(line)).contains(&shown)
            }
        } else if let Some(end) = inline {
            entries(line, end) >= shown
        } else {
            continue;
        };
        marked = true;
        if fits || shown == 0 {
            return true;
        }
    }
    let unnumbered = |line: &&str| {
        let (before, behind) = line.rsplit_once(", ...").unwrap_or_default();
        !behind.starts_with(" and ") && entries(line, before.len()) >= shown
    };
    !marked || parity && lines.iter().any(unnumbered)
}

/// Number of entries, with commas between them, before the marker at this byte of a line.
fn entries(line: &str, mark: usize) -> u64 {
    let before = line.get(..mark).unwrap_or_default().trim_end();
    before.split(", ").filter(|entry| !entry.is_empty()).count() as u64
}

/// Number of lines above a marker with its indentation, and of all that are indented at least that deep.
fn block(above: &[&str], mark: usize) -> [u64; 2] {
    let lines = above.iter().rev().take_while(|line| !line.is_empty() && indent(line) >= mark);
    let (mut own, mut all) = (0, 0);
    for line in lines {
        let closes = line.trim_start().starts_with(['}', ']']);
        own += u64::from(indent(line) == mark && !closes);
        all += u64::from(!closes);
    }
    [own, all]
}

/// Number of headings in brackets above a marker with its indentation.
fn headings(above: &[&str], mark: usize) -> u64 {
    let lines = above.iter().rev().take_while(|line| !line.is_empty() && indent(line) >= mark);
    lines.filter(|line| indent(line) == mark && line.trim_start().starts_with('[')).count() as u64
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::has;

    #[test]
    fn lines_and_commas_in_front_of_a_mark_are_counted() {
        let summary = "A:\n  a\n    of a\n  b {\n  }\n  ... and 3 more\n\nB: c, d, ... and 5 more\n\
                       C:\n  H1: e\n    H2: f\n  ... and 7 more\nD: g (+9 more)";
        for (hidden, shown, expected) in [
            (3, 2, true),
            (3, 1, false),
            (3, 5, false),
            (5, 2, true),
            (5, 3, false),
            (7, 2, true),
            (7, 3, false),
            (9, 1, true),
            (9, 2, false),
            // No marker has this number.
            (11, 4, true),
        ] {
            for parity in [false, true] {
                assert_eq!(has(summary, hidden, shown, parity), expected, "{hidden} {shown}");
            }
        }
    }

    #[test]
    fn of_sections_and_keys_each_mark_counts_its_own() {
        let summary =
            "A:\n  k: 1\n  l: 2\n  [a]\n    m: 3\n  [b]\n    [b.c]\n  ... and 5 more sections\n";
        for (shown, expected) in [(1, false), (2, true), (3, false), (4, false)] {
            assert_eq!(has(summary, 5, shown, true), expected, "{shown}");
        }
    }

    #[test]
    fn a_mark_without_a_number_may_be_that_of_the_cut() {
        let summary = "A: a\n  b\n  ... and 5 more nouns\nB: { c, d, ... }\n";
        assert!(has(summary, 5, 1, true) && has(summary, 5, 2, true));
        assert!(!has(summary, 5, 3, true));
        // Only the parity profile has such a marker.
        assert!(has(summary, 5, 1, false) && !has(summary, 5, 2, false));
    }
}
