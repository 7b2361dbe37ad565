//! The facts of a log.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Encoding, masked::masked};

/// The contents of a log. Lines are 1-based, and texts of lines have at most 200 characters.
/// `truncated` gives the real number of entries for lists that are incomplete.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of the JSON")]
pub struct LogFields {
    /// Number of lines that are not empty.
    pub line_count: u64,
    /// Number of all lines.
    pub physical_line_count: u64,
    /// The dialect that most lines have, such as `syslog`; `unknown` if none has.
    pub format: &'static str,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// The earliest time among the timestamps of the most frequent class, as written.
    pub earliest_timestamp: Option<String>,
    /// The latest time among them.
    pub latest_timestamp: Option<String>,
    /// Levels, the most frequent first.
    pub level_stats: Vec<LevelStat>,
    /// Number of lines that report an error.
    pub error_count: u64,
    /// Number of lines that report a warning.
    pub warning_count: u64,
    /// Components that write lines, most frequent first; at most 10,000.
    pub sources: Vec<Source>,
    /// Whether any line has a timestamp.
    pub has_timestamps: bool,
    /// Number of lines with a timestamp.
    pub timestamped_line_count: u64,
    /// Number of timestamps of each class.
    pub timestamp_patterns: BTreeMap<&'static str, u64>,
    /// Number of lines that continue a message or are part of a stack trace.
    pub continuation_line_count: u64,
    /// Number of lines longer than 16 KiB, of which only the beginning was read.
    pub cut_line_count: u64,
    /// The first five lines that report an error.
    pub error_samples: Vec<Sample>,
    /// The first five lines that report a warning.
    pub warning_samples: Vec<Sample>,
    /// The last five lines.
    pub recent_entries: Vec<Sample>,
    /// Error messages that repeat, most frequent first.
    pub repeated_errors: Vec<Repeated>,
    /// False if there are more distinct messages than are counted.
    pub repeated_errors_complete: bool,
    /// Lines with a level.
    pub level_lines: Vec<LevelLine>,
    /// Lines with a timestamp.
    pub timestamp_lines: Vec<TimestampLine>,
    /// Lines that report an error.
    pub error_lines: Vec<u64>,
    /// Lines that report a warning.
    pub warning_lines: Vec<u64>,
    /// False if one of the four lists above is full at 100,000 lines, or if only pieces were read.
    pub lists_complete: bool,
    /// True if only pieces of a large file were read.
    pub sampled: bool,
}

/// The number of lines with a level.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelStat {
    /// The level, such as `WARN`.
    pub level: &'static str,
    /// Number of lines.
    pub count: u64,
    /// Share of all lines that are not empty, in percent, rounded to one decimal.
    pub percentage: f64,
}

/// The number of lines from a component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The component.
    pub name: String,
    /// Number of its lines.
    pub count: u64,
}

/// A line that is shown as an example.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sample {
    /// Its number.
    pub line: u64,
    /// The line.
    pub text: String,
}

/// A message that occurs more than once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repeated {
    /// The message; `#` stands for the parts that differ.
    pub signature: String,
    /// Number of occurrences.
    pub count: u64,
    /// The line of its first occurrence.
    pub first_line: u64,
    /// The lines where it occurs, at most 100.
    pub lines: Vec<u64>,
}

/// A line with a level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LevelLine {
    /// Its number.
    pub line: u64,
    /// The level, such as `WARN`.
    pub level: &'static str,
}

/// A line with a timestamp.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TimestampLine {
    /// Its number.
    pub line: u64,
    /// The class of the timestamp, such as `iso`.
    pub pattern: &'static str,
}

masked! {
    LogFields {
        line_count, physical_line_count, format, encoding, earliest_timestamp, latest_timestamp,
        level_stats, error_count, warning_count, sources, has_timestamps, timestamped_line_count,
        timestamp_patterns, continuation_line_count, cut_line_count, error_samples, warning_samples,
        recent_entries, repeated_errors, repeated_errors_complete, level_lines, timestamp_lines,
        error_lines, warning_lines, lists_complete, sampled,
    }
    LevelStat { level, count, percentage }
    Source { name, count }
    Sample { line, text }
    Repeated { signature, count, first_line, lines }
    LevelLine { line, level }
    TimestampLine { line, pattern }
}
