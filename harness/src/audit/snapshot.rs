//! The committed snapshot: only numbers and language names, no content of any file.

use std::fmt::Write as _;

use super::{Tally, tally::share};

/// The first line is the comparator's commit and the second says what was audited; then there is one
/// line per language.
pub fn render(commit: &str, set: &str, corpora: usize, tally: &Tally) -> String {
    let files: usize = tally.0.values().map(|language| language.files).sum();
    let mut out = format!("commit: {commit}\nset {set}: {corpora} corpora, {files} files\n");
    for (key, language) in &tally.0 {
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{key}: {} files ({} real), {} tags, equal {}; backfill {} files, equal {}; lexer {} files, equal {}; declared {}; {}",
            language.files,
            language.real_files,
            language.tags,
            share(language.equal_files, language.files),
            language.backfilled_files,
            share(language.backfill_equal_files, language.backfilled_files),
            language.lexed_files,
            share(language.names_equal_files, language.lexed_files),
            language.declared,
            language.verdict().as_str(),
        );
    }
    out
}
