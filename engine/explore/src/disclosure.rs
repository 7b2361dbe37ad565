//! Progressive disclosure: the only place that cuts a list and says so.
//!
//! Every list of a summary goes through [`Summary`], so no list can be cut silently: the marker is
//! written and the cut is recorded together. The enhancement profile has one marker,
//! `... and N more`; the parity profile writes the kind of marker that Volt has in that place.
//!
//! A summary has a maximum size for every file: lists without a cap end where their space is used
//! up, and are marked and recorded like every cut. A long line that is not a list loses its middle.

use std::{borrow::Cow, collections::BTreeMap, fmt::Display};

use base::{profile::Profile, secrets::Secrets};

use crate::{exploration::Truncation, findings::folded, masked::shortened};

/// Size of the summary, in bytes, after which no list continues. No file of the corpora comes near
/// it: it keeps generated files from filling a reader's whole context.
pub const ROOM: usize = 128 * 1024;
/// Size, in bytes, after which a list on one line ends.
const INLINE: usize = 8 * 1024;
/// Longest entry of a list on one line, in characters.
const ENTRY: usize = 1_000;
/// Longest line without a list, in characters, and longest line with lists, which have limits of
/// their own.
const LINE: usize = 2_000;
const LINE_OF_LISTS: usize = 32 * 1024;

/// How Volt marks a capped list in some place. The enhancement profile always uses
/// [`Marker::Counted`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// `... and N more`.
    Counted,
    /// `... and N more <noun>`.
    CountedNoun(&'static str),
    /// ` (+N more)` after the last entry.
    Plus,
    /// `, ...` after the last entry, without a count.
    Comma,
}

/// A list that a summary shows.
#[derive(Debug, Clone, Copy)]
pub struct List<'a> {
    /// Title of its section, as [`Truncation::section`] names it.
    pub section: &'a str,
    /// Where the list is in the JSON, as [`Truncation::list`] names it.
    pub source: &'a str,
    /// Maximum number of entries shown; `usize::MAX` for as many as fit.
    pub cap: usize,
    /// Marker of the parity profile.
    pub marker: Marker,
}

impl<'a> List<'a> {
    /// A list whose marker is the same in both profiles.
    pub const fn counted(section: &'a str, source: &'a str, cap: usize) -> Self {
        Self { section, source, cap, marker: Marker::Counted }
    }
}

/// A list of the JSON that is itself incomplete.
#[derive(Debug, Clone, Copy)]
struct Capped {
    listed: usize,
    total: usize,
    at_least: bool,
    /// Whether a section of the summary reports that.
    told: bool,
}

/// A list that a summary shows, cut or not, with its place in the text.
#[derive(Debug, Clone)]
pub struct Shown {
    /// Its name, how many entries are shown, and how many there are.
    pub row: Truncation,
    /// Where its entries are.
    pub place: Place,
}

/// Where the entries of a list are in a summary. Line numbers begin at zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// One on each line, beginning on this line.
    Lines(usize),
    /// All on this line.
    Line(usize),
    /// On lines before this one, which holds the marker.
    Before(usize),
}

/// A summary that is being written.
#[derive(Debug)]
pub struct Summary {
    profile: Profile,
    text: String,
    /// Number of lines written so far.
    lines: usize,
    lists: Vec<Shown>,
    /// The incomplete lists of the JSON, by their pointers.
    capped: BTreeMap<String, Capped>,
    /// Whether a list was added to a line that is not yet written.
    in_line: bool,
    /// Size of the summary, in bytes, after which no list continues.
    room: usize,
    /// Lists of lines have at least this many entries: within a budget, entries are chosen from them.
    least: usize,
    secrets: Secrets,
}

impl Summary {
    /// An empty summary for a profile.
    pub const fn new(profile: Profile, secrets: Secrets) -> Self {
        Self {
            profile,
            text: String::new(),
            lines: 0,
            lists: Vec::new(),
            capped: BTreeMap::new(),
            in_line: false,
            room: ROOM,
            least: 0,
            secrets,
        }
    }

    /// Reduces the room for lists, in bytes.
    pub const fn at_most(&mut self, room: usize) {
        if room < self.room {
            self.room = room;
        }
    }

    /// Says that entries for at most `budget` tokens will be chosen from it. An entry has at least four tokens.
    pub fn within(&mut self, budget: Option<usize>) {
        self.least = budget.map_or(0, |budget| budget / 4);
    }

    /// The cap of a list with an entry on each line.
    pub fn cap(&self, usual: usize) -> usize {
        usual.max(self.least)
    }

    /// Whether it shows secrets.
    pub const fn secrets(&self) -> Secrets {
        self.secrets
    }

    /// A text of at most `limit` characters, cut as [`shortened`] does it.
    pub fn short(&self, text: &str, limit: usize) -> String {
        shortened(self.secrets, text, limit)
    }

    /// The profile that the summary is written for.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// Records that the list at a pointer of the JSON has only `listed` of `total` entries, or of
    /// even more if `at_least`. Later sections take their counts from this. The cut is recorded
    /// even if no section shows the list, unless the pointer has conditions, because then the
    /// unfiltered list is recorded. Does nothing if the list is complete.
    pub fn capped(&mut self, list: &str, listed: usize, total: u64, at_least: bool) {
        let total = usize::try_from(total).unwrap_or(usize::MAX);
        if total > listed || at_least {
            let capped = Capped { listed, total, at_least, told: false };
            self.capped.insert(list.to_owned(), capped);
        }
    }

    /// Adds one line. Line breaks and control characters in it are replaced with spaces, so that no
    /// content of a file can forge a line of the summary. A very long line loses its middle.
    pub fn line(&mut self, text: &str) {
        let longest = if std::mem::take(&mut self.in_line) { LINE_OF_LISTS } else { LINE };
        let start = self.text.len();
        let masked = self.masked(text, longest);
        let folded = folded(&masked, longest);
        if folded.bytes().any(may_control) {
            let plain = |sign: char| if sign.is_control() { ' ' } else { sign };
            self.text.extend(folded.chars().map(plain));
        } else {
            self.text.push_str(&folded);
        }
        let end = self.text.trim_end_matches(' ').len().max(start);
        self.text.truncate(end);
        self.text.push('\n');
        self.lines += 1;
    }

    /// Adds an empty line, unless the summary is empty or ends in one.
    pub fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
            self.lines += 1;
        }
    }

    /// Adds one line per entry, each after `indent`, and the marker on a line of its own.
    pub fn lines(&mut self, list: &List, indent: &str, entries: &[String]) {
        self.each(list, indent, entries.len(), entries.iter());
    }

    /// As [`Summary::lines`], for `total` entries that are rendered one by one.
    pub fn each(
        &mut self,
        list: &List,
        indent: &str,
        total: usize,
        entries: impl Iterator<Item = impl Display>,
    ) {
        let mut shown = 0;
        let first = self.lines;
        for entry in entries.take(self.cap(list.cap)) {
            if !self.has_room() {
                break;
            }
            self.line(&format!("{indent}{entry}"));
            shown += 1;
        }
        self.marked(list, indent, shown, total, Place::Lines(first));
    }

    /// Adds a list under a title of its own; nothing if it has no entries.
    pub fn section(&mut self, title: &str, list: &List, entries: &[String]) {
        if entries.is_empty() {
            return;
        }
        self.blank();
        self.line(title);
        self.lines(list, "  ", entries);
    }

    /// Whether there is room for one more entry of a list.
    pub const fn has_room(&self) -> bool {
        self.text.len() < self.room
    }

    /// Adds the marker of a list. The caller has written its first entries, up to the cap, as one
    /// block of lines each. Adds nothing if all of `total` are shown.
    pub fn mark(&mut self, list: &List, indent: &str, total: usize) {
        self.mark_behind(list, indent, list.cap.min(total), total);
    }

    /// Adds the marker of a list of which the caller has written `shown` entries.
    pub fn mark_behind(&mut self, list: &List, indent: &str, shown: usize, total: usize) {
        self.marked(list, indent, shown, total, Place::Before(self.lines));
    }

    fn marked(&mut self, list: &List, indent: &str, shown: usize, total: usize, place: Place) {
        if let Some(left) = self.cut(list, shown, total, place) {
            let marker = self.own_line_marker(list.marker, &left);
            self.line(&format!("{indent}{marker}"));
        }
    }

    /// The entries on one line, separated by commas, with the marker at the end. Also used inside a
    /// line.
    pub fn inline(&mut self, list: &List, entries: &[String]) -> String {
        self.in_line = true;
        let room = if self.has_room() { INLINE } else { 0 };
        let mut text = String::new();
        let mut shown = 0;
        for entry in entries.iter().take(list.cap) {
            if text.len() >= room {
                break;
            }
            if shown > 0 {
                text.push_str(", ");
            }
            text.push_str(&folded(&self.masked(entry, ENTRY), ENTRY));
            shown += 1;
        }
        if let Some(left) = self.cut(list, shown, entries.len(), Place::Line(self.lines)) {
            let comma = if text.is_empty() { "" } else { ", " };
            match list.marker {
                Marker::Plus if self.profile.is_parity() => {
                    text.push(' ');
                    text.push_str(&self.own_line_marker(list.marker, &left));
                }
                Marker::Comma if self.profile.is_parity() => {
                    text.push_str(comma);
                    text.push_str("...");
                }
                marker => {
                    text.push_str(comma);
                    text.push_str(&self.own_line_marker(marker, &left));
                }
            }
        }
        text
    }

    /// A text that is about to be cut, with its secrets masked: a piece of a secret would not be
    /// recognised.
    fn masked<'a>(&self, text: &'a str, limit: usize) -> Cow<'a, str> {
        if text.len() <= limit { Cow::Borrowed(text) } else { self.secrets.code(text) }
    }

    /// Returns the text without trailing blank lines. Then the cuts in their order, followed by the
    /// incomplete lists of the JSON that no section reported, in the order of their pointers. Then
    /// all lists that the text shows; if more of the text is cut, [`Shown::among`] gives the new
    /// cuts.
    pub fn finish(mut self) -> (String, Vec<Truncation>, Vec<Shown>) {
        let cuts = self.lists.iter().map(|list| &list.row).filter(|row| row.shown < row.total);
        let mut truncated: Vec<Truncation> = cuts.cloned().collect();
        for (list, capped) in
            self.capped.into_iter().filter(|(list, capped)| !capped.told && !list.contains('?'))
        {
            truncated.push(Truncation {
                section: String::new(),
                shown: 0,
                total: capped.total,
                list,
                listed: Some(capped.listed),
                at_least: capped.at_least,
            });
        }
        self.text.truncate(self.text.trim_end_matches('\n').len());
        (self.text, truncated, self.lists)
    }

    /// Records a cut, and returns the number of hidden entries as the marker shows it.
    fn cut(&mut self, list: &List, shown: usize, total: usize, place: Place) -> Option<String> {
        let capped = self.capped.get_mut(list.source);
        let total = capped.as_ref().map_or(total, |capped| capped.total);
        let left = total.saturating_sub(shown);
        let capped = capped.map(|capped| {
            capped.told |= left > 0;
            *capped
        });
        let at_least = capped.is_some_and(|capped| capped.at_least);
        let row = Truncation {
            section: list.section.to_owned(),
            shown,
            total,
            list: list.source.to_owned(),
            listed: capped.map(|capped| capped.listed),
            at_least,
        };
        self.lists.push(Shown { row, place });
        if left == 0 {
            return None;
        }
        Some(if at_least { format!("at least {left}") } else { left.to_string() })
    }

    fn own_line_marker(&self, marker: Marker, left: &str) -> String {
        match marker {
            Marker::CountedNoun(noun) if self.profile.is_parity() => {
                format!("... and {left} more {noun}")
            }
            Marker::Plus if self.profile.is_parity() => format!("(+{left} more)"),
            _ => format!("... and {left} more"),
        }
    }
}

impl Shown {
    /// The row of a list after only some lines of the text were kept; `None` if the list is still
    /// complete. If the number of remaining entries cannot be told, the row reports only what the
    /// JSON lacks.
    pub fn among(mut self, is_left: impl Fn(usize) -> bool) -> Option<Truncation> {
        let row = &mut self.row;
        match self.place {
            Place::Lines(first) => {
                row.shown = (first..first + row.shown).filter(|line| is_left(*line)).count();
            }
            Place::Line(line) if !is_left(line) => row.shown = 0,
            Place::Before(line) if !is_left(line) => {
                row.listed?;
                row.section.clear();
                row.shown = 0;
            }
            Place::Line(_) | Place::Before(_) => {}
        }
        (row.shown < row.total).then_some(self.row)
    }
}

/// Whether a byte may be, or begin, a control character.
const fn may_control(byte: u8) -> bool {
    byte.is_ascii_control() || byte == 0xc2
}

#[cfg(test)]
mod tests {
    use base::{profile::Profile, secrets::Secrets};

    use super::{List, Marker, Summary};

    fn list(marker: Marker) -> List<'static> {
        List { section: "Keys", source: "/fields/keys", cap: 2, marker }
    }

    fn entries(count: usize) -> Vec<String> {
        (0..count).map(|index| format!("k{index}")).collect()
    }

    #[test]
    fn a_list_at_its_cap_is_whole_and_one_beyond_says_so() {
        for (count, text, cuts) in
            [(2, "k0\nk1", 0), (3, "k0\nk1\n... and 1 more", 1), (20, "k0\nk1\n... and 18 more", 1)]
        {
            let mut summary = Summary::new(Profile::Enhancement, Secrets::Masked);
            summary.lines(&list(Marker::CountedNoun("keys")), "", &entries(count));
            let (shown, truncated, _) = summary.finish();
            assert_eq!((shown.as_str(), truncated.len()), (text, cuts));
            for cut in truncated {
                assert_eq!((cut.shown, cut.total), (2, count));
            }
        }
    }

    #[test]
    fn the_parity_profile_writes_the_marker_of_the_place() {
        let inline = |profile, marker| {
            Summary::new(profile, Secrets::Masked).inline(&list(marker), &entries(5))
        };
        assert_eq!(inline(Profile::Parity, Marker::Plus), "k0, k1 (+3 more)");
        assert_eq!(inline(Profile::Parity, Marker::Comma), "k0, k1, ...");
        assert_eq!(
            inline(Profile::Parity, Marker::CountedNoun("keys")),
            "k0, k1, ... and 3 more keys"
        );
        for marker in [Marker::Plus, Marker::Comma, Marker::Counted, Marker::CountedNoun("keys")] {
            assert_eq!(inline(Profile::Enhancement, marker), "k0, k1, ... and 3 more");
        }
    }

    #[test]
    fn lists_without_a_cap_end_where_the_room_does() {
        let whole = |section| List {
            section,
            source: "/fields/keys",
            cap: usize::MAX,
            marker: Marker::Counted,
        };
        let long: Vec<String> = (0..100_000).map(|index| format!("entry {index}")).collect();
        let mut summary = Summary::new(Profile::Parity, Secrets::Masked);
        for _ in 0..100 {
            let line = summary.inline(&whole("line"), &long);
            summary.line(&line);
            summary.lines(&whole("lines"), "  ", &long);
        }
        let (text, truncated, _) = summary.finish();
        assert!(text.len() < super::ROOM + 100 * 200, "{}", text.len());
        assert_eq!(truncated.len(), 200);
        for cut in truncated {
            assert_eq!(cut.total, long.len());
            let marker = format!("... and {} more", cut.total - cut.shown);
            assert!(text.contains(&marker), "{marker}");
        }
    }

    #[test]
    fn a_long_line_keeps_its_ends_and_a_long_entry_its_marker() {
        let mut summary = Summary::new(Profile::Parity, Secrets::Masked);
        summary.line(&format!("head {} tail", "x".repeat(1 << 20)));
        let long = vec!["y".repeat(1 << 20); 5];
        let line = summary.inline(&list(Marker::Plus), &long);
        summary.line(&line);
        let (text, ..) = summary.finish();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("head xx") && lines[0].ends_with("xx tail"));
        assert!(lines[0].len() <= super::LINE && lines[1].len() < 3 * super::ENTRY);
        assert!(lines[1].ends_with(" (+3 more)"));
    }

    #[test]
    fn a_list_that_the_json_cuts_as_well_has_its_true_total() {
        let mut summary = Summary::new(Profile::Enhancement, Secrets::Masked);
        summary.capped("/fields/keys", 3, 1_500, false);
        summary.capped("/fields/more", 10, 12, true);
        summary.capped("/fields/whole", 10, 10, false);
        summary.lines(&list(Marker::Counted), "", &entries(3));
        let (text, truncated, _) = summary.finish();
        assert_eq!(text, "k0\nk1\n... and 1498 more");
        let rows: Vec<_> = truncated
            .iter()
            .map(|cut| (cut.list.as_str(), cut.shown, cut.listed, cut.total, cut.at_least))
            .collect();
        assert_eq!(
            rows,
            [("/fields/keys", 2, Some(3), 1_500, false), ("/fields/more", 0, Some(10), 12, true)]
        );
    }

    #[test]
    fn content_cannot_forge_a_line() {
        let mut summary = Summary::new(Profile::Parity, Secrets::Masked);
        summary.line("name\n... and 9 more\u{1b}[2J");
        assert_eq!(summary.finish().0, "name ... and 9 more [2J");
    }
}
