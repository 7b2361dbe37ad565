//! The markers by which a summary says that a list is cut.

/// The markers of one summary, with repetitions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markers {
    /// Numbers of `... and N more`, followed by nothing but the end of the entry.
    pub canonical: Vec<u64>,
    /// Numbers of `... and N more <noun>` and `(+N more)`, which only the parity profile may have.
    pub variant: Vec<u64>,
    /// How many markers have no number: `, ...` at the end of an entry, and bracketed notes that mention a
    /// sample or a truncation. Only the parity profile may have them.
    pub uncounted: usize,
}

/// `, ...` at the end of a list that is closed after it.
const INSIDE: [&str; 3] = [", ...)", ", ...]", ", ... }"];

impl Markers {
    /// Reads the markers of a summary.
    pub fn of(summary: &str) -> Self {
        let mut markers = Self::default();
        for line in summary.lines() {
            markers.counted(line);
            markers.plus(line);
            let inside: usize = INSIDE.iter().map(|mark| line.matches(mark).count()).sum();
            markers.uncounted += inside + usize::from(line.trim_end().ends_with(", ..."));
            let lower = line.to_lowercase();
            if line.contains('[') && (lower.contains("sampled") || lower.contains("truncated")) {
                markers.uncounted += 1;
            }
        }
        markers
    }

    fn counted(&mut self, line: &str) {
        const HEAD: &str = "... and ";
        const TAIL: &str = " more";
        for (at, _) in line.match_indices(HEAD) {
            let rest = line.get(at + HEAD.len()..).unwrap_or_default();
            // The number is a lower bound, as the cut says, too.
            let rest = rest.strip_prefix("at least ").unwrap_or(rest);
            let Some((number, rest)) = leading_number(rest) else { continue };
            let Some(rest) = rest.strip_prefix(TAIL) else { continue };
            // A noun follows after a blank; anything else ends the entry.
            let noun = rest.starts_with(' ')
                && rest.trim_start().starts_with(|next: char| next.is_alphabetic());
            if noun {
                self.variant.push(number);
            } else if !rest.starts_with(|next: char| next.is_alphanumeric()) {
                self.canonical.push(number);
            }
        }
    }

    fn plus(&mut self, line: &str) {
        for (at, _) in line.match_indices("(+") {
            let rest = line.get(at + 2..).unwrap_or_default();
            if let Some((number, rest)) = leading_number(rest)
                && rest.starts_with(" more")
            {
                self.variant.push(number);
            }
        }
    }

    /// Uses up the marker of a cut that leaves out `hidden` entries; false if there is none left.
    pub fn take(&mut self, hidden: u64, parity: bool) -> bool {
        let remove = |list: &mut Vec<u64>| {
            list.iter()
                .position(|number| *number == hidden)
                .map(|at| list.swap_remove(at))
                .is_some()
        };
        if remove(&mut self.canonical) {
            return true;
        }
        if !parity {
            return false;
        }
        if remove(&mut self.variant) {
            return true;
        }
        let left = self.uncounted > 0;
        self.uncounted = self.uncounted.saturating_sub(1);
        left
    }
}

/// A number, with or without commas between its groups, at the beginning of a text.
fn leading_number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|next: char| !next.is_ascii_digit() && next != ',').unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    Some((digits.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::Markers;

    #[test]
    fn each_class_is_told_from_the_others() {
        let markers = Markers::of(
            "  a, b, ... and 3 more\n  ... and 1,204 more\n  ... and 5 more keys\n  x (+7 more)\n  \
             y, ...\n  enum E { A, ... } (a, ...)\n[SAMPLED - Large File]\n  z (a, ... and 2 more)\n... and so on\n",
        );
        assert_eq!(markers.canonical, [3, 1204, 2]);
        assert_eq!(markers.variant, [5, 7]);
        assert_eq!(markers.uncounted, 4);
    }

    #[test]
    fn a_mark_serves_one_cut_and_variants_only_parity() {
        let mut markers = Markers::of("... and 3 more\n(+4 more)\n");
        assert!(markers.take(3, false));
        assert!(!markers.take(3, true) && !markers.take(4, false));
        assert!(markers.take(4, true));
    }
}
