//! Logs: the number of lines of each level, the first and the last time, and repeated messages.
//!
//! The file is read line by line, so its counts are exact. Of a file larger than [`STREAMED`],
//! three pieces are read, and the summary says so. A line has a timestamp in some format, a level
//! and a message, and each of them may be missing.

pub mod fields;
mod level;
mod line;
mod outline;
mod signature;
mod stamp;

use std::{
    borrow::Cow,
    collections::BTreeMap,
    io::{self, BufRead, BufReader},
};

use base::secrets::Secrets;

use super::shared::distinct::Distinct;
use crate::{
    Findings, Task,
    disclosure::Summary,
    exploration::Entry,
    findings::cut,
    input::Input,
    text::{Encoding, Text},
};
use fields::{LevelLine, LevelStat, LogFields, Sample, Source, TimestampLine};
use level::Level;
use line::Dialect;
use signature::Signatures;

/// Size of the largest file that is read completely, 512 MiB.
const STREAMED: u64 = 512 << 20;
/// Number of bytes of a line that are read; the rest is skipped.
const LINE: usize = 16 * 1024;
/// Maximum number of lines of each kind that are listed. The counts include all lines.
const LISTED: usize = 100_000;
/// Number of lines of each kind that are shown, and longest line, in characters.
const SHOWN: usize = 5;
/// Bytes in which the lines of the header are looked for.
const HEADER: usize = 4 * 1024;
const WIDTH: usize = 200;
/// Maximum number of components that are counted.
const SOURCES: usize = 10_000;

/// The listed lines; each list has at most [`LISTED`] of them.
#[derive(Debug, Default)]
struct Lists {
    levels: Vec<LevelLine>,
    timestamps: Vec<TimestampLine>,
    errors: Vec<u64>,
    warnings: Vec<u64>,
    /// Whether a list is full and misses a line.
    cut: bool,
}

impl Lists {
    fn add<T>(list: &mut Vec<T>, cut: &mut bool, line: T) {
        if list.len() < LISTED {
            list.push(line);
        } else {
            *cut = true;
        }
    }
}

/// The contents of a log.
#[derive(Debug, Default)]
struct Journal {
    lines: u64,
    filled: u64,
    errors: u64,
    warnings: u64,
    cut_lines: u64,
    continuations: u64,
    timestamped: u64,
    levels: BTreeMap<Level, u64>,
    stamps: BTreeMap<&'static str, u64>,
    dialects: BTreeMap<Dialect, u64>,
    sources: BTreeMap<String, u64>,
    /// Components that are not counted separately.
    more_sources: Distinct,
    signatures: Signatures,
    /// Earliest and latest time of each class, with their texts.
    ranges: BTreeMap<&'static str, Range>,
    error_samples: Vec<Sample>,
    warning_samples: Vec<Sample>,
    recent: std::collections::VecDeque<Sample>,
    lists: Lists,
    encoding: Option<Encoding>,
    damaged: bool,
}

/// The earliest and the latest time.
#[derive(Debug, Clone)]
struct Range {
    earliest: (i128, String),
    latest: (i128, String),
}

/// Whether a text whose name does not tell is a log: more than half of its lines, comments
/// excluded, and at least two, have a timestamp. The last line may be cut off and is ignored.
pub fn looks_like_log(head: &str) -> bool {
    let whole = head.rsplit_once('\n').map_or(head, |(whole, _)| whole);
    let records = whole.lines().filter(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let (mut all, mut stamped) = (0, 0);
    for record in records {
        all += 1;
        stamped += usize::from(stamp::find(&uncoloured(record)).is_some());
    }
    stamped >= 2 && stamped * 2 > all
}

/// Explores a log.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let mut findings = Findings::new(task);
    let sampled = task.input.size() > STREAMED;
    let mut journal = Journal::default();
    let head = task.input.head(512)?;
    if sampled || crate::text::utf16(&head).is_some() {
        let content = task.input.content()?;
        let text = Text::decode(&content.bytes);
        journal.encoding = Some(text.encoding);
        journal.damaged = text.damaged;
        read(&mut text.text.as_bytes(), &mut journal)?;
    } else {
        stream(task.input, &mut journal)?;
    }
    if journal.damaged {
        let name = journal.encoding.unwrap_or(Encoding::Utf8).name();
        findings.malformed(format!("parts of it are not valid {name}"), None, None);
    }
    // From here on, messages that differ only in their secrets are equal.
    journal.mask(task.secrets);
    journal.limits(&mut findings.summary);
    outline::write(&mut findings, &journal, sampled);
    if !task.profile.is_parity() {
        findings.part(task, "Header", header(&task.input.head(HEADER)?));
    }
    if journal.filled == 0 {
        findings.summary.line("The file is empty.");
    }
    findings.facts = facts(journal, sampled).into();
    Ok(findings)
}

/// The lines at the beginning that say what the log is: they begin with `#`.
fn header(head: &[u8]) -> Vec<Entry> {
    let text = String::from_utf8_lossy(head);
    let lines = text.lines().take_while(|line| line.starts_with('#'));
    let entry = |(index, line): (usize, &str)| {
        let text = line.split_whitespace().collect::<Vec<_>>().join(" ");
        Entry { line: index as u64 + 1, text }
    };
    lines.enumerate().map(entry).collect()
}

fn stream(input: &Input, journal: &mut Journal) -> io::Result<()> {
    read(&mut BufReader::with_capacity(256 * 1024, input.reader()), journal)
}

/// Reads lines to the end.
fn read(reader: &mut dyn BufRead, journal: &mut Journal) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let Some(length) = next_line(reader, &mut line)? else { return Ok(()) };
        journal.lines += 1;
        if length > line.len() as u64 {
            journal.cut_lines += 1;
        }
        while line.last().is_some_and(|byte| matches!(byte, b'\r' | b'\n')) {
            line.pop();
        }
        if journal.lines == 1 && line.starts_with(b"\xef\xbb\xbf") {
            journal.encoding = Some(Encoding::Utf8Bom);
            line.drain(..3);
        }
        let text = String::from_utf8_lossy(&line);
        // A stream is read as UTF-8, because detecting another encoding needs the whole file.
        journal.damaged |= text.contains(char::REPLACEMENT_CHARACTER)
            && std::str::from_utf8(&line).is_err_and(|error| error.error_len().is_some());
        journal.take(&text);
    }
}

/// Reads one line, of which at most [`LINE`] bytes are kept, and returns its full length; `None` at
/// the end of the file.
fn next_line(reader: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<Option<u64>> {
    let mut length = 0_u64;
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok((length > 0).then_some(length));
        }
        let end = memchr::memchr(b'\n', buffer).map(|position| position + 1);
        let taken = end.unwrap_or(buffer.len());
        let room = LINE.saturating_sub(line.len()).min(taken);
        line.extend_from_slice(buffer.get(..room).unwrap_or_default());
        length += taken as u64;
        reader.consume(taken);
        if end.is_some() {
            return Ok(Some(length));
        }
    }
}

/// A line without the escape sequences that colour it in a terminal.
fn uncoloured(line: &str) -> Cow<'_, str> {
    if line.contains('\u{1b}') {
        Cow::Owned(anstream::adapter::strip_str(line).to_string())
    } else {
        Cow::Borrowed(line)
    }
}

impl Journal {
    /// Reads one line.
    fn take(&mut self, text: &str) {
        let text = &*uncoloured(text);
        if text.trim().is_empty() {
            return;
        }
        self.filled += 1;
        let line = line::read(text);
        *self.dialects.entry(line.dialect).or_default() += 1;
        if line.dialect == Dialect::Continuation {
            self.continuations += 1;
        }
        if let Some(stamp) = &line.stamp {
            self.timestamped += 1;
            *self.stamps.entry(stamp.class).or_default() += 1;
            self.range(stamp);
            let timestamp = TimestampLine { line: self.lines, pattern: stamp.class };
            Lists::add(&mut self.lists.timestamps, &mut self.lists.cut, timestamp);
        }
        if let Some(level) = line.level {
            *self.levels.entry(level).or_default() += 1;
            let level = LevelLine { line: self.lines, level: level.name() };
            Lists::add(&mut self.lists.levels, &mut self.lists.cut, level);
        }
        let sample = || Sample { line: self.lines, text: text.trim_end().to_owned() };
        if line.is_error {
            self.errors += 1;
            Lists::add(&mut self.lists.errors, &mut self.lists.cut, self.lines);
            if self.error_samples.len() < SHOWN {
                self.error_samples.push(sample());
            }
            self.signatures.take(&line.message, self.lines);
        } else if line.is_warning {
            self.warnings += 1;
            Lists::add(&mut self.lists.warnings, &mut self.lists.cut, self.lines);
            if self.warning_samples.len() < SHOWN {
                self.warning_samples.push(sample());
            }
        }
        let sample = sample();
        self.recent.push_back(sample);
        if self.recent.len() > SHOWN {
            self.recent.pop_front();
        }
        if let Some(source) = line.source {
            if let Some(count) = self.sources.get_mut(source.as_ref()) {
                *count += 1;
            } else if self.sources.len() < SOURCES {
                self.sources.insert(source.into_owned(), 1);
            } else {
                self.more_sources.add(source.as_ref());
            }
        }
    }

    /// Records in a summary which lists are incomplete.
    fn limits(&self, summary: &mut Summary) {
        let lists = &self.lists;
        for (list, listed, all) in [
            ("level_lines", lists.levels.len(), self.levels.values().sum()),
            ("timestamp_lines", lists.timestamps.len(), self.timestamped),
            ("error_lines", lists.errors.len(), self.errors),
            ("warning_lines", lists.warnings.len(), self.warnings),
            ("error_samples", self.error_samples.len(), self.errors),
            ("warning_samples", self.warning_samples.len(), self.warnings),
            ("recent_entries", self.recent.len(), self.filled),
        ] {
            summary.capped(&format!("/fields/{list}"), listed, all, false);
        }
        let listed = self.sources.len();
        let all = listed as u64 + self.more_sources.count();
        summary.capped("/fields/sources", listed, all, self.more_sources.at_least());
        let repeated = self.signatures.repeated();
        let all = repeated.len() as u64 + self.signatures.more_repeated();
        let at_least = self.signatures.at_least();
        summary.capped("/fields/repeated_errors", repeated.len(), all, at_least);
        for (index, one) in repeated.iter().enumerate() {
            if one.lines.len() as u64 != one.count {
                let list = format!("/fields/repeated_errors/{index}/lines");
                summary.capped(&list, one.lines.len(), one.count, false);
            }
        }
    }

    /// Masks the secrets in the lines that are shown, and only then cuts the lines: a piece of a
    /// secret would not be recognised.
    fn mask(&mut self, secrets: Secrets) {
        let samples = self.error_samples.iter_mut().chain(&mut self.warning_samples);
        for sample in samples.chain(&mut self.recent) {
            sample.text = cut(&secrets.text(&sample.text), WIDTH);
        }
        self.signatures.mask(secrets);
    }

    fn range(&mut self, stamp: &stamp::Stamp) {
        let now = || (stamp.key, cut(stamp.text, 60));
        match self.ranges.get_mut(stamp.class) {
            Some(range) => {
                if stamp.key < range.earliest.0 {
                    range.earliest = now();
                }
                if stamp.key > range.latest.0 {
                    range.latest = now();
                }
            }
            None => {
                self.ranges.insert(stamp.class, Range { earliest: now(), latest: now() });
            }
        }
    }

    /// The time range of the most frequent class of timestamps.
    fn main_range(&self) -> Option<&Range> {
        let (class, _) = self.stamps.iter().max_by_key(|(_, count)| **count)?;
        self.ranges.get(class)
    }

    /// Levels, most frequent first.
    fn level_stats(&self) -> Vec<LevelStat> {
        let mut stats: Vec<LevelStat> = self
            .levels
            .iter()
            .map(|(level, count)| {
                let share = *count as f64 / self.filled.max(1) as f64;
                LevelStat {
                    level: level.name(),
                    count: *count,
                    percentage: (share * 1_000.0).round() / 10.0,
                }
            })
            .collect();
        stats.sort_by(|a, b| b.count.cmp(&a.count).then(a.level.cmp(b.level)));
        stats
    }

    /// The format that most lines have; continuation lines and comments have none.
    fn format(&self) -> &'static str {
        self.dialects
            .iter()
            .filter(|(dialect, _)| !matches!(dialect, Dialect::Continuation | Dialect::Comment))
            // A tenth of the lines in a known format tells more than the rest in none.
            .filter(|(dialect, count)| {
                **dialect != Dialect::Unknown || **count * 10 > self.filled * 9
            })
            .max_by_key(|(_, count)| **count)
            .map_or("unknown", |(dialect, _)| dialect.name())
    }

    /// Components, most frequent first.
    fn by_source(&self) -> Vec<(&str, u64)> {
        let mut sources: Vec<(&str, u64)> =
            self.sources.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        sources.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        sources
    }
}

fn facts(journal: Journal, sampled: bool) -> LogFields {
    let source = |(name, count): (&str, u64)| Source { name: name.to_owned(), count };
    let range = journal.main_range();
    LogFields {
        line_count: journal.filled,
        physical_line_count: journal.lines,
        format: journal.format(),
        encoding: journal.encoding.unwrap_or(Encoding::Utf8),
        earliest_timestamp: range.map(|range| range.earliest.1.clone()),
        latest_timestamp: range.map(|range| range.latest.1.clone()),
        level_stats: journal.level_stats(),
        error_count: journal.errors,
        warning_count: journal.warnings,
        sources: journal.by_source().into_iter().map(source).collect(),
        has_timestamps: journal.timestamped > 0,
        timestamped_line_count: journal.timestamped,
        continuation_line_count: journal.continuations,
        cut_line_count: journal.cut_lines,
        repeated_errors: journal.signatures.repeated(),
        repeated_errors_complete: journal.signatures.complete(),
        lists_complete: !journal.lists.cut && !sampled,
        timestamp_patterns: journal.stamps,
        error_samples: journal.error_samples,
        warning_samples: journal.warning_samples,
        recent_entries: journal.recent.into(),
        level_lines: journal.lists.levels,
        timestamp_lines: journal.lists.timestamps,
        error_lines: journal.lists.errors,
        warning_lines: journal.lists.warnings,
        sampled,
    }
}

#[cfg(test)]
mod tests;
