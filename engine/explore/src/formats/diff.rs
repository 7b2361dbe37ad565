//! Patches: unified diffs as `diff -u` and git write them. A hunk gives its number of lines, so no
//! line of a file can be taken for a header. Text around the diffs, such as a mail, is ignored
//! except for its subject.

pub mod fields {
    //! The facts of a patch.

    use serde::Serialize;

    use crate::{Encoding, masked::masked};

    /// The changes in a patch. Lines are 1-based lines of the patch.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
    pub struct DiffFields {
        /// The subject, if the patch is a mail or has a message before it.
        pub subject: Option<String>,
        /// Number of files that it changes.
        pub file_count: u64,
        /// Number of hunks in all files.
        pub hunk_count: u64,
        /// Number of lines that it adds.
        pub added_lines: u64,
        /// Number of lines that it removes.
        pub removed_lines: u64,
        /// The files in order, at most 100,000.
        pub files: Vec<Change>,
        /// False if there are more files than are listed.
        pub files_complete: bool,
        /// Number of lines.
        pub line_count: u64,
        /// How the text is encoded.
        pub encoding: Encoding,
        /// True if only the beginning of the file was read.
        pub sampled: bool,
    }

    /// The change of one file.
    #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
    pub struct Change {
        /// Its path; for a deleted file, the path before the change.
        pub path: String,
        /// Its path before the change, if that was different.
        pub old_path: Option<String>,
        /// `added`, `deleted`, `renamed`, `copied` or `modified`.
        pub change: &'static str,
        /// Whether its content is not shown because it is binary.
        pub binary: bool,
        /// Number of hunks.
        pub hunks: u64,
        /// Number of lines added.
        pub added: u64,
        /// Number of lines removed.
        pub removed: u64,
        /// The line where its part of the patch begins.
        pub line: u64,
    }

    masked! {
        DiffFields {
            subject, file_count, hunk_count, added_lines, removed_lines, files, files_complete,
            line_count, encoding, sampled,
        }
        Change { path, old_path, change, binary, hunks, added, removed, line }
    }
}

use std::io::{self, Read};

use super::shared::{
    beginning::{self, Stream},
    source::Source,
};
use crate::{
    Findings, Task,
    disclosure::List,
    findings::{cut, grouped},
    masked::shortened,
};
use fields::{Change, DiffFields};

/// Maximum number of files that are listed; further ones are only counted.
const LISTED: usize = 100_000;
/// Longest line that is read, in bytes, and longest path and subject, in characters.
const LINE: usize = 16 * 1024;
const PATH: usize = 1_000;
/// Maximum number of files that the summary shows.
const SHOWN: usize = 100;

/// The state of reading a patch.
#[derive(Default)]
struct Patch {
    subject: Option<String>,
    files: Vec<Change>,
    /// Number of files, hunks, added and removed lines.
    totals: [u64; 4],
    /// Number of lines, on each side, that the present hunk still has.
    left: [u64; 2],
    /// The path and line of a `---` line, until the next line shows whether it is a header.
    old: Option<(String, u64)>,
    /// Whether git's own header of the file was seen; then the two following paths repeat its name.
    git: bool,
    line: u64,
    /// The line of the first hunk that is shorter than it says.
    short: Option<u64>,
}

/// Explores a patch.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let Stream { reader, encoding, damaged, sampled } = beginning::stream(task)?;
    let mut findings = Findings::new(task);
    let mut source = Source::new(reader);
    let patch = Patch::read(&mut source);
    if let Some(error) = source.error.take() {
        return Err(error);
    }
    if let Some(line) = patch.short.filter(|_| !sampled) {
        let what = "a hunk ends before it has as many lines as it says";
        findings.malformed(what, Some(line), None);
    } else if patch.totals[0] == 0 && patch.line > 0 {
        findings.malformed("there is no change of a file in it", None, None);
    }
    beginning::whole_only(&mut findings, damaged);
    findings.summary.line("Format: Diff");
    beginning::unusual(&mut findings, encoding, sampled, "Diff");
    let [file_count, hunk_count, added_lines, removed_lines] = patch.totals;
    let facts = DiffFields {
        subject: patch.subject.map(|subject| shortened(task.secrets, &subject, PATH)),
        file_count,
        hunk_count,
        added_lines,
        removed_lines,
        files_complete: file_count == patch.files.len() as u64,
        files: patch.files,
        line_count: patch.line,
        encoding,
        sampled,
    };
    findings.summary.capped("/fields/files", facts.files.len(), file_count, false);
    write(&mut findings, &facts);
    findings.facts = facts.into();
    beginning::preview(&mut findings, task)?;
    Ok(findings)
}

fn write(findings: &mut Findings, facts: &DiffFields) {
    let summary = &mut findings.summary;
    if let Some(subject) = &facts.subject {
        summary.line(&format!("Subject: {}", summary.short(subject, 200)));
    }
    let (added, removed) = (grouped(facts.added_lines), grouped(facts.removed_lines));
    summary.line(&format!("Changes: +{added} -{removed} in {} hunks", grouped(facts.hunk_count)));
    let show = |one: &Change| {
        let from = one.old_path.as_ref().map(|path| format!(" from {}", summary.short(path, 200)));
        let what = if one.binary {
            "binary".to_owned()
        } else {
            format!("+{} -{}", grouped(one.added), grouped(one.removed))
        };
        let (path, from) = (summary.short(&one.path, 200), from.unwrap_or_default());
        format!("{} {path}{from} ({what})", one.change)
    };
    let lines: Vec<String> = facts.files.iter().map(show).collect();
    let list = List::counted("Files", "/fields/files", SHOWN);
    summary.section(&format!("Files ({}):", grouped(facts.file_count)), &list, &lines);
}

impl Patch {
    fn read(source: &mut Source<impl Read>) -> Self {
        let mut patch = Self::default();
        let mut line = Vec::new();
        while source.read_line(&mut line, LINE) {
            patch.line += 1;
            let text = String::from_utf8_lossy(&line);
            if !patch.inside(&text) {
                patch.outside(&text);
            }
        }
        patch.end_hunk();
        patch
    }

    /// Reads a line of the present hunk; false if there is none or the line does not belong to it.
    fn inside(&mut self, line: &str) -> bool {
        let [old, new] = &mut self.left;
        if *old == 0 && *new == 0 {
            return false;
        }
        let (taken, added) = match line.as_bytes().first() {
            // A blank line on both sides may have lost its leading space.
            Some(b' ' | b'\t') | None => (true, true),
            Some(b'-') => (true, false),
            Some(b'+') => (false, true),
            // "\ No newline at end of file" is about the line before it.
            Some(b'\\') => return true,
            Some(_) => {
                self.end_hunk();
                return false;
            }
        };
        *old = old.saturating_sub(u64::from(taken));
        *new = new.saturating_sub(u64::from(added));
        self.totals[2] += u64::from(!taken);
        self.totals[3] += u64::from(!added);
        if let Some(file) = self.file() {
            file.added += u64::from(!taken);
            file.removed += u64::from(!added);
        }
        true
    }

    /// Ends the present hunk, which may be too short.
    fn end_hunk(&mut self) {
        if self.left != [0, 0] {
            self.short.get_or_insert(self.line);
            self.left = [0, 0];
        }
    }

    /// The present file, if it is listed.
    fn file(&mut self) -> Option<&mut Change> {
        let last = self.files.len() as u64 == self.totals[0];
        self.files.last_mut().filter(|_| last)
    }

    /// Begins a file.
    fn begin(&mut self, path: String, line: u64) {
        self.totals[0] += 1;
        if self.files.len() < LISTED {
            self.files.push(Change { path, change: "modified", line, ..Change::default() });
        }
    }

    /// Reads a line between hunks.
    fn outside(&mut self, line: &str) {
        let old = self.old.take();
        if let Some(rest) = line.strip_prefix("diff --git ") {
            self.git = true;
            let path = git_path(rest);
            self.begin(path, self.line);
        } else if let Some(rest) = line.strip_prefix("--- ") {
            self.old = Some((path(rest), self.line));
        } else if let Some((rest, (old, at))) = line.strip_prefix("+++ ").zip(old) {
            self.named(&old, &path(rest), at);
        } else if let Some(counts) = line.strip_prefix("@@ -").and_then(counts) {
            if self.totals[0] > 0 {
                self.left = counts;
                self.totals[1] += 1;
                if let Some(file) = self.file() {
                    file.hunks += 1;
                }
            }
        } else if self.git {
            self.header(line);
        } else if let Some(subject) = line.strip_prefix("Subject: ") {
            self.subject.get_or_insert_with(|| subject.to_owned());
        }
    }

    /// Reads the two lines that name a file before and after its change.
    fn named(&mut self, old: &str, new: &str, line: u64) {
        let change = match (old, new) {
            ("/dev/null", _) => "added",
            (_, "/dev/null") => "deleted",
            _ => "modified",
        };
        // Git's letters precede both paths or, for a new or deleted file, one of them.
        let letters = [(old, "a/"), (new, "b/")];
        let (old, new) =
            if letters.iter().all(|(path, side)| *path == "/dev/null" || path.starts_with(side)) {
                (stripped(old), stripped(new))
            } else {
                (old, new)
            };
        let name = if change == "deleted" { old } else { new };
        if !std::mem::take(&mut self.git) {
            self.begin(name.to_owned(), line);
        }
        let Some(file) = self.file() else { return };
        name.clone_into(&mut file.path);
        if file.change == "modified" {
            file.change = change;
        }
    }

    /// Reads a line of git's header of a file.
    fn header(&mut self, line: &str) {
        let Some(file) = self.file() else { return };
        if line.starts_with("new file mode ") {
            file.change = "added";
        } else if line.starts_with("deleted file mode ") {
            file.change = "deleted";
        } else if line.starts_with("Binary files ") || line == "GIT binary patch" {
            file.binary = true;
        } else {
            for (start, change) in [("rename", "renamed"), ("copy", "copied")] {
                let Some(rest) = line.strip_prefix(start) else { continue };
                if let Some(old) = rest.strip_prefix(" from ") {
                    file.change = change;
                    file.old_path = Some(path(old));
                } else if let Some(new) = rest.strip_prefix(" to ") {
                    file.path = path(new);
                }
            }
        }
    }
}

/// The numbers of lines on both sides after `@@ -`, as in `1,7 +1,6 @@`; a side without a number
/// has one line.
fn counts(rest: &str) -> Option<[u64; 2]> {
    let (ranges, _) = rest.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let count = |range: &str| match range.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => range.parse::<u64>().ok().map(|_| 1),
    };
    Some([count(old)?, count(new)?])
}

/// A path without the time after a tab. In quotes, git escapes bytes as C does.
fn path(text: &str) -> String {
    let text = text.split('\t').next().unwrap_or_default().trim_end();
    let Some(quoted) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else {
        return cut(text, PATH);
    };
    let mut bytes = Vec::with_capacity(quoted.len());
    let mut rest = quoted.as_bytes();
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        let octal = rest.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        let octal = octal.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match (byte, octal, rest.split_first()) {
            (b'\\', Some(octal), _) => {
                bytes.push(octal);
                rest = rest.get(3..).unwrap_or_default();
            }
            (b'\\', None, Some((escaped, behind))) => {
                bytes.push(*escaped);
                rest = behind;
            }
            _ => bytes.push(*byte),
        }
    }
    cut(&String::from_utf8_lossy(&bytes), PATH)
}

/// The path in `a/PATH b/PATH`; both halves are equal unless a later line says otherwise.
fn git_path(rest: &str) -> String {
    stripped(&path(rest.get(..rest.len() / 2).unwrap_or(rest))).to_owned()
}

/// A path without the letter that git puts before it for the side.
fn stripped(path: &str) -> &str {
    path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use crate::{Input, Profile, Project, explore};

    fn files(text: &str) -> (Vec<String>, bool) {
        let input = Input::memory("a.patch", text.as_bytes());
        let found = explore(&input, &Project::default(), Profile::Enhancement);
        let crate::Fields::Diff(diff) = found.fields else { panic!("{:?}", found.fields) };
        let show = |one: &super::Change| {
            let from = one.old_path.as_deref().unwrap_or("-");
            let counts = (one.hunks, one.added, one.removed, one.binary);
            format!("{} {} {from} {counts:?} {}", one.change, one.path, one.line)
        };
        (diff.files.iter().map(show).collect(), found.malformed.is_some())
    }

    #[test]
    fn lines_of_a_hunk_are_never_headers() {
        let text = "--- old.c\t2024-01-01\n+++ new.c\t2024-01-02\n@@ -1,3 +1,3 @@ f\n x\n--- y\n\
                    +++ z\n\n@@ -9 +9,0 @@\n-q\n\\ No newline at end of file\n";
        assert_eq!(files(text), (vec!["modified new.c - (2, 1, 2, false) 1".to_owned()], false));
        let (_, malformed) = files("--- a\n+++ b\n@@ -1,3 +1,3 @@\n x\n");
        assert!(malformed);
        assert_eq!(files("just words\n"), (Vec::new(), true));
    }

    #[test]
    fn git_says_what_happens_to_a_file() {
        let text = "From 1234\nSubject: [PATCH] Move\n\n---\n a.txt | 2 +-\n\n\
                    diff --git a/n.txt b/n.txt\nnew file mode 100644\nindex 0..1\n--- /dev/null\n\
                    +++ b/n.txt\n@@ -0,0 +1 @@\n+x\n\
                    diff --git a/o b/p q\nsimilarity index 90%\nrename from o\nrename to p q\n\
                    diff --git \"a/\\303\\274.png\" \"b/\\303\\274.png\"\ndeleted file mode 100644\n\
                    Binary files \"a/\\303\\274.png\" and /dev/null differ\n-- \n2.40\n";
        assert_eq!(
            files(text),
            (
                vec![
                    "added n.txt - (1, 1, 0, false) 7".to_owned(),
                    "renamed p q o (0, 0, 0, false) 14".to_owned(),
                    "deleted ü.png - (0, 0, 0, true) 18".to_owned(),
                ],
                false
            )
        );
    }
}
