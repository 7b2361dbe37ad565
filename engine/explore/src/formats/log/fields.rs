//! The facts of a log.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Encoding, masked::masked};

/// What is in a log. Lines are 1-based; texts of lines have at most 200 characters. `truncated` says
/// how many entries the lists have in truth, where they do not have all.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of the JSON")]
pub struct LogFields {
    /// Lines that are not empty.
    pub line_count: u64,
    /// All lines.
    pub physical_line_count: u64,
    /// The dialect that most lines have, such as `syslog`; `unknown` if none has.
    pub format: &'static str,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// The earliest time in the timestamps of the class that occurs most, as it is written.
    pub earliest_timestamp: Option<String>,
    /// The latest of them.
    pub latest_timestamp: Option<String>,
    /// Levels, the most frequent first.
    pub level_stats: Vec<LevelStat>,
    /// Lines that report an error.
    pub error_count: u64,
    /// Lines that warn.
    pub warning_count: u64,
    /// Components that write, the most frequent first; at most 10,000.
    pub sources: Vec<Source>,
    /// Whether any line has a timestamp.
    pub has_timestamps: bool,
    /// Lines that have one.
    pub timestamped_line_count: u64,
    /// Timestamps of each class.
    pub timestamp_patterns: BTreeMap<&'static str, u64>,
    /// Lines of stack traces and of messages that began above.
    pub continuation_line_count: u64,
    /// Lines longer than 16 KiB, which were read to there.
    pub cut_line_count: u64,
    /// The first five lines that report an error.
    pub error_samples: Vec<Sample>,
    /// The first five lines that warn.
    pub warning_samples: Vec<Sample>,
    /// The last five lines.
    pub recent_entries: Vec<Sample>,
    /// Messages of errors that repeat, the most frequent first.
    pub repeated_errors: Vec<Repeated>,
    /// False if there are more different messages than are counted.
    pub repeated_errors_complete: bool,
    /// Lines with a level.
    pub level_lines: Vec<LevelLine>,
    /// Lines with a timestamp.
    pub timestamp_lines: Vec<TimestampLine>,
    /// Lines that report an error.
    pub error_lines: Vec<u64>,
    /// Lines that warn.
    pub warning_lines: Vec<u64>,
    /// False if one of the four lists above has reached 100,000 lines, or if pieces were read.
    pub lists_complete: bool,
    /// True if only pieces of a large file were read.
    pub sampled: bool,
}

/// How often a level occurs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LevelStat {
    /// The level, such as `WARN`.
    pub level: &'static str,
    /// Lines that have it.
    pub count: u64,
    /// Share of all lines that are not empty, in percent, rounded to a tenth.
    pub percentage: f64,
}

/// How often a component writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// The component.
    pub name: String,
    /// Its lines.
    pub count: u64,
}

/// A line that stands for others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sample {
    /// Where it is.
    pub line: u64,
    /// The line.
    pub text: String,
}

/// A message that occurs more than once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repeated {
    /// The message; `#` stands for what differs.
    pub signature: String,
    /// How often it occurs.
    pub count: u64,
    /// Where it occurs first.
    pub first_line: u64,
    /// Where it occurs, at most 100 times.
    pub lines: Vec<u64>,
}

/// A line with a level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LevelLine {
    /// Where it is.
    pub line: u64,
    /// The level, such as `WARN`.
    pub level: &'static str,
}

/// A line with a timestamp.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TimestampLine {
    /// Where it is.
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
