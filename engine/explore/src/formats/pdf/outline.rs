//! The summary of a PDF.

use super::Document;
use crate::{Findings, disclosure::List, findings::grouped};

/// Writes the summary.
pub fn write(findings: &mut Findings, document: &Document, size: u64, sampled: bool) {
    let summary = &mut findings.summary;
    let version = document.version.as_deref().unwrap_or("of an unknown version");
    summary.line(&format!("Format: PDF {version}"));
    summary.line(&format!("Size: {} bytes", grouped(size)));
    if sampled {
        summary.line("[SAMPLED - Large PDF File: the first 50 MiB]");
    }
    if let Some(pages) = document.pages {
        summary.line(&format!("Pages: {}", grouped(pages)));
    }
    if let Some((width, height)) = document.page_size {
        summary.line(&format!("First page: {width} \u{d7} {height} points"));
    }
    if document.encrypted {
        summary.line("Encrypted: yes; titles and texts cannot be read without its password");
    }
    for (name, value) in &document.info {
        let mut title = name.replace('_', " ");
        title.get_mut(..1).map(str::make_ascii_uppercase).unwrap_or_default();
        summary.line(&format!("{title}: {}", summary.short(value, 200)));
    }
    if document.forms {
        summary.line("Has a form");
    }
    let entries: Vec<String> = document
        .bookmarks
        .iter()
        .map(|mark| {
            format!("{}{}", "  ".repeat(mark.level.min(10) - 1), summary.short(&mark.title, 120))
        })
        .collect();
    let list = List::counted("Table of Contents", "/fields/bookmarks", 60);
    let count = document.bookmark_count;
    summary.capped("/fields/bookmarks", entries.len(), count as u64, document.bookmarks_at_least);
    summary.section(&format!("Table of Contents ({}):", grouped(count)), &list, &entries);
}
