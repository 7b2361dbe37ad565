//! The summary of a log.

use super::{Journal, fields::Sample};
use crate::{Findings, disclosure::List, findings::grouped, text::Encoding};

/// Writes the summary: the comparator's sections in its order. The enhancement profile also shows
/// timestamp patterns and repeated errors.
pub fn write(findings: &mut Findings, journal: &Journal, sampled: bool) {
    let parity = findings.summary.profile().is_parity();
    let summary = &mut findings.summary;
    if sampled {
        summary.line("[SAMPLED - Large Log File]");
    }
    summary.line(&format!("Format: {}", label(journal.format())));
    if let Some(encoding) = journal.encoding.filter(|encoding| *encoding != Encoding::Utf8) {
        summary.line(&format!("Encoding: {}", encoding.name()));
    }
    summary.blank();
    summary.line("Statistics:");
    summary.line(&format!("  Total lines: {}", grouped(journal.filled)));
    summary.line(&format!("  Errors: {}", grouped(journal.errors)));
    summary.line(&format!("  Warnings: {}", grouped(journal.warnings)));
    if !parity && journal.continuations > 0 {
        summary.line(&format!("  Continued lines: {}", grouped(journal.continuations)));
    }
    if journal.cut_lines > 0 {
        let count = grouped(journal.cut_lines);
        summary.line(&format!("  Lines longer than 16 KiB, read to there: {count}"));
    }
    if let Some(range) = journal.main_range() {
        summary.blank();
        summary.line("Time Range:");
        summary.line(&format!("  Earliest: {}", range.earliest.1));
        summary.line(&format!("  Latest: {}", range.latest.1));
    }
    if !parity && !journal.stamps.is_empty() {
        let patterns: Vec<String> = journal
            .stamps
            .iter()
            .map(|(class, count)| format!("{class} ({})", grouped(*count)))
            .collect();
        summary.line(&format!("  Timestamps: {}", patterns.join(", ")));
    }
    let stats = journal.level_stats();
    if !stats.is_empty() {
        summary.blank();
        summary.line("Log Levels:");
        for stat in &stats {
            let count = grouped(stat.count);
            summary.line(&format!("  {}: {count} ({:.1}%)", stat.level, stat.percentage));
        }
    }
    sources(findings, journal);
    let samples = |samples: &mut dyn Iterator<Item = &Sample>| {
        samples.map(|sample| format!("Line {}: {}", sample.line, sample.text)).collect::<Vec<_>>()
    };
    let errors = samples(&mut journal.error_samples.iter());
    section(findings, &format!("Sample Errors (first {})", errors.len()), &errors);
    let warnings = samples(&mut journal.warning_samples.iter());
    section(findings, &format!("Sample Warnings (first {})", warnings.len()), &warnings);
    if !parity {
        repeated(findings, journal);
    }
    let recent = samples(&mut journal.recent.iter());
    section(findings, &format!("Recent Entries (last {})", recent.len()), &recent);
}

fn sources(findings: &mut Findings, journal: &Journal) {
    let parity = findings.summary.profile().is_parity();
    let entries: Vec<String> = journal
        .by_source()
        .into_iter()
        .map(|(name, count)| format!("{} ({})", findings.summary.short(name, 80), grouped(count)))
        .collect();
    let cap = if parity { 10 } else { 20 };
    let title = "Sources/Components";
    let top = format!("{title} (top {}):", entries.len().min(cap));
    findings.summary.section(&top, &List::counted(title, "/fields/sources", cap), &entries);
}

fn repeated(findings: &mut Findings, journal: &Journal) {
    let entries: Vec<String> = journal
        .signatures
        .repeated()
        .into_iter()
        .map(|one| format!("{}x (first on line {}) {}", one.count, one.first_line, one.signature))
        .collect();
    let title = "Repeated Errors";
    let list = List::counted(title, "/fields/repeated_errors", 20);
    let all = entries.len() as u64 + journal.signatures.more_repeated();
    findings.summary.section(&format!("{title} ({}):", grouped(all)), &list, &entries);
}

fn section(findings: &mut Findings, title: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    let summary = &mut findings.summary;
    summary.blank();
    summary.line(&format!("{title}:"));
    for entry in entries {
        summary.line(&format!("  {entry}"));
    }
}

/// The name of a format as people write it.
fn label(format: &str) -> &str {
    match format {
        "json" => "JSON lines",
        "apache_combined" => "Apache combined access log",
        "apache_common" => "Apache common access log",
        "apache_error" => "Apache error log",
        "nginx" => "nginx error log",
        "syslog" => "syslog",
        "zeek" => "Zeek table",
        "tex" => "TeX transcript",
        "postgres" => "PostgreSQL log",
        "android" => "Android log",
        "glog" => "Google log",
        "iso_timestamp" => "log with ISO timestamps",
        "custom_timestamp" => "log with timestamps",
        _ => "log",
    }
}
