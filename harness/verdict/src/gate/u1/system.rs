//! What each system shows of a file within a budget.

use record::Baselines;

use crate::metrics::recount;

/// A system that shows something of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum System {
    /// Our summaries.
    Enhancement,
    /// Our summaries in Volt's layout.
    Parity,
    /// The first lines.
    Head,
    /// The last lines.
    Tail,
    /// Half of the budget for each.
    HeadAndTail,
    /// Universal Ctags.
    Ctags,
    /// Repomix with `--compress`.
    Repomix,
}

impl System {
    /// Those that our summaries are compared with.
    pub const OTHERS: [Self; 6] =
        [Self::Parity, Self::Head, Self::Tail, Self::HeadAndTail, Self::Ctags, Self::Repomix];

    /// Its name in metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Enhancement => "enhancement",
            Self::Parity => "parity",
            Self::Head => "head",
            Self::Tail => "tail",
            Self::HeadAndTail => "head_and_tail",
            Self::Ctags => "ctags",
            Self::Repomix => "repomix",
        }
    }

    /// What a baseline shows of a file within a budget in tokens. The lines of the file have their numbers in front,
    /// as `cat -n` prints them. A tool that failed on the file shows nothing. `None` if this is no baseline, or the
    /// vocabulary cannot be read.
    pub fn shown(self, found: &Baselines, budget: u64) -> Option<String> {
        let head = || numbered(&found.head, 1);
        let tail = || {
            let count = found.tail.split('\n').count() as u64;
            numbered(&found.tail, (found.lines + 1).saturating_sub(count))
        };
        match self {
            Self::Enhancement | Self::Parity => None,
            Self::Head => first(&head(), budget).map(|lines| lines.join("\n")),
            Self::Tail => last(tail(), budget).map(|lines| lines.join("\n")),
            Self::HeadAndTail => {
                // Two tokens on each side are for the mark between them.
                let half = (budget / 2).saturating_sub(2);
                let first = first(&head(), half)?;
                let rest = found.lines.saturating_sub(first.len() as u64);
                let mut behind = tail();
                let known = behind.len().saturating_sub(usize::try_from(rest).ok()?);
                behind.drain(..known);
                let last = if behind.is_empty() { Vec::new() } else { last(behind, half)? };
                Some([first, vec!["...".to_owned()], last].concat().join("\n"))
            }
            Self::Ctags => text(found.ctags.as_deref(), budget),
            Self::Repomix => text(found.repomix.as_deref(), budget),
        }
    }
}

/// The first lines of what a tool printed.
fn text(printed: Option<&str>, budget: u64) -> Option<String> {
    let lines: Vec<String> = printed.unwrap_or_default().split('\n').map(str::to_owned).collect();
    first(&lines, budget).map(|lines| lines.join("\n"))
}

fn numbered(text: &str, from: u64) -> Vec<String> {
    (from..).zip(text.split('\n')).map(|(number, line)| format!("{number}\t{line}")).collect()
}

/// As many of the first lines as the budget has room for; of a first line that is too long, its beginning.
fn first(lines: &[String], budget: u64) -> Option<Vec<String>> {
    let (mut kept, mut used) = (0, 0);
    for line in lines {
        used += recount::exact(&format!("{line}\n"))?;
        if used > budget {
            break;
        }
        kept += 1;
    }
    // Lines together may have a token more or less than each for itself, and the last one has no line feed.
    kept = (kept + 1).min(lines.len());
    while kept > 0 && !fits(&lines.get(..kept)?.join("\n"), budget)? {
        kept -= 1;
    }
    match lines.first() {
        Some(line) if kept == 0 => Some(vec![beginning(line, budget)?]),
        _ => Some(lines.get(..kept)?.to_vec()),
    }
}

/// As many of the last lines as the budget has room for.
fn last(mut lines: Vec<String>, budget: u64) -> Option<Vec<String>> {
    lines.reverse();
    let mut kept = first(&lines, budget)?;
    kept.reverse();
    Some(kept)
}

fn fits(text: &str, budget: u64) -> Option<bool> {
    Some(recount::exact(text)? <= budget)
}

/// The longest beginning of a line that the budget has room for, to a character.
fn beginning(line: &str, budget: u64) -> Option<String> {
    let ends: Vec<usize> = line.char_indices().map(|(at, _)| at).chain([line.len()]).collect();
    let (mut low, mut high) = (0, ends.len().saturating_sub(1));
    while low < high {
        let middle = (low + high).div_ceil(2);
        if fits(line.get(..*ends.get(middle)?)?, budget)? {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    Some(line.get(..*ends.get(low)?)?.to_owned())
}

#[cfg(test)]
mod tests {
    use record::Baselines;

    use super::System;
    use crate::metrics::recount;

    fn file(lines: u64) -> Baselines {
        let text: Vec<String> = (1..=lines).map(|number| format!("line {number}")).collect();
        let text = text.join("\n");
        Baselines {
            lines,
            head: text.clone(),
            tail: text.clone(),
            ctags: Some(text),
            ..Baselines::default()
        }
    }

    #[test]
    fn every_baseline_keeps_within_the_budget_and_uses_it() {
        let file = file(1000);
        for budget in [10, 500, 1000] {
            let all = [System::Head, System::Tail, System::HeadAndTail, System::Ctags];
            for system in all {
                let shown = system.shown(&file, budget).unwrap();
                let used = recount::exact(&shown).unwrap();
                assert!(used <= budget && used + 20 > budget, "{system:?} {budget} {used}");
            }
        }
    }

    #[test]
    fn lines_have_the_numbers_of_the_file() {
        let file = file(1000);
        let shown = System::HeadAndTail.shown(&file, 100).unwrap();
        assert!(shown.starts_with("1\tline 1\n2\tline 2\n"), "{shown}");
        assert!(shown.ends_with("\n999\tline 999\n1000\tline 1000"), "{shown}");
        assert!(System::Tail.shown(&file, 100).unwrap().ends_with("1000\tline 1000"));
        let cut = Baselines { tail: "line 999\nline 1000".to_owned(), ..file };
        assert_eq!(System::Tail.shown(&cut, 100).unwrap(), "999\tline 999\n1000\tline 1000");
    }

    #[test]
    fn a_short_file_is_shown_once() {
        let shown = System::HeadAndTail.shown(&file(3), 500).unwrap();
        assert_eq!(shown, "1\tline 1\n2\tline 2\n3\tline 3\n...");
        let mut long = file(1);
        long.head = "word ".repeat(1000);
        let shown = System::Head.shown(&long, 50).unwrap();
        assert_eq!(recount::exact(&shown), Some(50));
        // A tool that failed shows nothing.
        assert_eq!(System::Repomix.shown(&long, 50).unwrap(), "");
    }
}
