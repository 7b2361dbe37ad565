//! Bytes of an unknown format: their size and the first of them.

pub mod fields;
mod magic;

use std::{fmt::Write as _, io};

use crate::{Findings, Task, grouped, input::HEAD, text::looks_like_text};
use fields::BinaryFields;

/// Number of bytes that the summary shows, and number per row.
const SHOWN: usize = 64;
const ROW: usize = 16;

/// Explores bytes.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let head = task.input.head(HEAD)?;
    let mut findings = Findings::new(task);
    let size = task.input.size();
    let (mime, what) = magic::kind(&head, task.input.base_name());
    let is_binary = !looks_like_text(&head);
    findings.facts = BinaryFields { is_binary, size, mime_type: mime, kind: what }.into();
    let summary = &mut findings.summary;
    summary.line("Format: Binary");
    summary.line(&format!("Type: Binary file ({mime})"));
    if what != "unknown" {
        summary.line(&format!("Kind: {what}"));
    }
    summary.line(&format!("Size: {} bytes", grouped(size)));
    rows(&mut findings, &head);
    Ok(findings)
}

/// Shows the first bytes.
pub fn rows(findings: &mut Findings, bytes: &[u8]) {
    let head = bytes.get(..bytes.len().min(SHOWN)).unwrap_or_default();
    let summary = &mut findings.summary;
    if head.is_empty() {
        summary.line("The file is empty.");
        return;
    }
    summary.blank();
    summary.line(&format!("First {} bytes (hex):", head.len()));
    for row in head.chunks(ROW) {
        let mut line = String::from("  ");
        for byte in row {
            // Writing to a string cannot fail.
            let _ = write!(line, "{byte:02x} ");
        }
        let text: String = row
            .iter()
            .map(|byte| if byte.is_ascii_graphic() { char::from(*byte) } else { '.' })
            .collect();
        summary.line(&format!("{line:<52}{text}"));
    }
}
