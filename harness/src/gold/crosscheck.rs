//! A second opinion on gold: universal-ctags, which shares no code with any oracle or explorer.
//!
//! ctags knows fewer languages, and other kinds and names, so agreement is reported and never judged: a
//! low share says where to look, not which side is wrong.

use std::{
    collections::BTreeSet,
    fmt::Write,
    path::{Path, PathBuf},
    time::Duration,
};

use record::Gold;
use verdict::metrics::f1::share;

use crate::process::{self, Invocation, ProcessError};

/// The program, looked up in the `PATH`.
const CTAGS: &str = "ctags";
const DEADLINE: Duration = Duration::from_mins(10);
const OUTPUT: usize = 1 << 29;
/// What joins the parts of a qualified name: gold and ctags qualify differently, so only the last
/// part is compared.
const SEPARATORS: [char; 4] = [':', '.', '#', '/'];

/// ctags cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CrosscheckError {
    /// It could not be started.
    #[error("{0}; install the package universal-ctags")]
    Process(#[from] ProcessError),
    /// It is another program of that name, or it failed.
    #[error("ctags {ending}; install the package universal-ctags:\n{talk}")]
    Failed {
        /// How it ended.
        ending: String,
        /// The end of its output.
        talk: String,
    },
    /// The user stopped it.
    #[error("interrupted; run the same command again")]
    Interrupted,
}

/// How far gold and ctags agree on one language.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The language.
    pub language: String,
    /// Files with gold.
    pub files: u64,
    /// Pairs of name and line in gold.
    pub gold: u64,
    /// Pairs that ctags has.
    pub tags: u64,
    /// Pairs that both have.
    pub both: u64,
}

/// The version that ctags reports.
///
/// # Errors
/// It cannot be run, or is not universal-ctags.
pub fn ctags_version() -> Result<String, CrosscheckError> {
    let said = run(Path::new("/"), &["--version"], Vec::new())?;
    let first = said.lines().next().unwrap_or_default();
    let version = first.split(',').next().unwrap_or_default().to_owned();
    if version.starts_with("Universal Ctags") {
        Ok(version)
    } else {
        Err(CrosscheckError::Failed { ending: format!("said {first:?}"), talk: String::new() })
    }
}

/// Compares the gold of a language with the tags of the same files, below each corpus's root.
///
/// # Errors
/// ctags cannot be run.
pub fn crosscheck<'a>(
    gold: &Gold,
    roots: impl IntoIterator<Item = (&'a str, &'a PathBuf)>,
) -> Result<Agreement, CrosscheckError> {
    let mut agreement =
        Agreement { language: gold.header.language.clone(), ..Agreement::default() };
    for (corpus, root) in roots {
        let mut list = String::new();
        let mut labels = BTreeSet::new();
        for file in gold.labelled().filter(|file| file.corpus == corpus) {
            agreement.files += 1;
            let _ = writeln!(list, "{}", file.file);
            for symbol in &file.labels.symbols {
                labels.insert((file.file.clone(), symbol.line, plain(&symbol.name).to_owned()));
            }
        }
        if list.is_empty() {
            continue;
        }
        let arguments =
            ["--options=NONE", "--links=no", "--sort=no", "-x", "--_xformat=%n\t%N\t%F", "-L", "-"];
        let said = run(root, &arguments, list.into_bytes())?;
        let tags: BTreeSet<_> = said.lines().filter_map(tag).collect();
        agreement.gold += labels.len() as u64;
        agreement.tags += tags.len() as u64;
        agreement.both += labels.intersection(&tags).count() as u64;
    }
    Ok(agreement)
}

/// The agreements as a table.
pub fn agreements(version: &str, rows: &[Agreement]) -> String {
    let mut text = format!(
        "gold held against {version}, by name and line; reported, never judged\n\
         A language of which it has no parser has no tags.\n\n\
         {:16} {:>6} {:>8} {:>8} {:>8} {:>14} {:>14}\n",
        "language", "files", "gold", "ctags", "both", "gold in ctags", "ctags in gold"
    );
    let percent = |part, whole| {
        share(part, whole).map_or_else(|| "-".to_owned(), |value| format!("{:.2}%", value * 100.0))
    };
    for row in rows {
        let found = if row.tags == 0 { "-".to_owned() } else { percent(row.both, row.gold) };
        let _ = writeln!(
            text,
            "{:16} {:>6} {:>8} {:>8} {:>8} {found:>14} {:>14}",
            row.language,
            row.files,
            row.gold,
            row.tags,
            row.both,
            percent(row.both, row.tags)
        );
    }
    text
}

fn run(folder: &Path, arguments: &[&str], stdin: Vec<u8>) -> Result<String, CrosscheckError> {
    let mut invocation = Invocation::new(CTAGS, folder).inherit_env().args(arguments.to_vec());
    invocation.env.insert("LC_ALL".to_owned(), "C.UTF-8".to_owned());
    invocation.stdin = stdin;
    invocation.deadline = DEADLINE;
    invocation.max_stdout = OUTPUT;
    let capture = process::run(&invocation)?;
    if capture.stopped == Some(record::Stop::Interrupt) {
        return Err(CrosscheckError::Interrupted);
    }
    if !capture.succeeded() || capture.stdout.truncated {
        return Err(CrosscheckError::Failed {
            ending: capture.ending(),
            talk: capture.stderr_tail(8),
        });
    }
    Ok(String::from_utf8_lossy(&capture.stdout.bytes).into_owned())
}

/// File, line and name of one line of output.
fn tag(line: &str) -> Option<(String, u32, String)> {
    let mut parts = line.splitn(3, '\t');
    let row = parts.next()?.trim().parse().ok()?;
    let name = plain(parts.next()?).to_owned();
    Some((parts.next()?.to_owned(), row, name))
}

/// The last part of a name, without quotes and arity; an operator is left as it is.
fn plain(name: &str) -> &str {
    let name = name.trim_matches(['`', '\'', '"', ' ']);
    let name = match name.rsplit_once('/') {
        Some((name, arity)) if !name.is_empty() && arity.parse::<u8>().is_ok() => name,
        _ => name,
    };
    name.rsplit(SEPARATORS).next().filter(|last| !last.is_empty()).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{Agreement, agreements, plain, tag};

    #[test]
    fn a_line_of_ctags_is_a_file_a_line_and_a_plain_name() {
        let read = tag("12\tM.f\ta b.lua").unwrap();
        assert_eq!(read, ("a b.lua".to_owned(), 12, "f".to_owned()));
        assert_eq!((tag("x\ty\tz"), tag("1\ty")), (None, None));
        assert_eq!((plain("a::b"), plain("::"), plain("operator/")), ("b", "::", "operator/"));
        assert_eq!((plain("run?/2"), plain("A.B"), plain("//2")), ("run?", "B", "/"));
    }

    #[test]
    fn the_table_tells_both_directions_and_no_share_of_nothing() {
        let row = |language: &str, gold, tags, both| Agreement {
            language: language.to_owned(),
            files: 1,
            gold,
            tags,
            both,
        };
        let table = agreements("x 1", &[row("c", 4, 2, 1), row("zig", 4, 0, 0)]);
        let rows: Vec<Vec<&str>> =
            table.lines().skip(4).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[0], ["c", "1", "4", "2", "1", "25.00%", "50.00%"]);
        assert_eq!(rows[1][5..], ["-", "-"]);
    }
}
