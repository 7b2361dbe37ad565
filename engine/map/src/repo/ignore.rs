//! The comparator's own ignore file, `.aiderignore`, and patterns from a configuration.
//!
//! The syntax is that of gitignore, but the rule is that of the comparator's library (pathspec
//! 1.0.4, with `gitwildmatch` patterns in a plain path specification): the *last* pattern that
//! matches a path decides, whatever applies to the folders above it. Git decides folder by folder,
//! so it never includes a file again whose folder is excluded.

use std::path::{Path, PathBuf};

use base::text::{lines::lines, read, visible::path as shown};

use super::pattern::Pattern;

/// Largest ignore file, 4 MiB. Ten thousand patterns take about a quarter of that.
const LIMIT: u64 = 4 << 20;

/// Compiled patterns, relative to the root of the work tree, in the order of the file.
#[derive(Debug)]
pub struct IgnoreFile(Vec<Pattern>);

/// The ignore file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the ignore file {} cannot be used: {why}", shown(path))]
pub struct IgnoreError {
    path: PathBuf,
    why: String,
}

impl IgnoreFile {
    /// Reads an ignore file with `bytes`. A missing file ignores nothing.
    pub fn load(
        path: &Path,
        bytes: impl FnOnce(&Path, u64) -> Result<Vec<u8>, read::ReadError>,
    ) -> Result<Option<Self>, IgnoreError> {
        if !path.is_file() {
            return Ok(None);
        }
        let fail = |why: String| IgnoreError { path: path.to_owned(), why };
        let text = bytes(path, LIMIT).and_then(read::text);
        let text = text.map_err(|error| fail(error.to_string()))?;
        let mut patterns = Vec::new();
        for (index, line) in lines(&text).enumerate() {
            let line_fails = |why: &str| fail(format!("line {}: {why}", index + 1));
            patterns.extend(Pattern::parse(line).map_err(line_fails)?);
        }
        Ok(Some(Self(patterns)))
    }

    /// Patterns that do not come from a file.
    ///
    /// # Errors
    /// One of them is not a valid pattern.
    pub fn of(patterns: &[String]) -> Result<Option<Self>, IgnoreError> {
        let mut read = Vec::new();
        for pattern in patterns {
            let fail = |why: &str| IgnoreError { path: pattern.into(), why: why.to_owned() };
            read.extend(Pattern::parse(pattern).map_err(fail)?);
        }
        Ok((!read.is_empty()).then_some(Self(read)))
    }

    /// True if the patterns exclude a path relative to the root. A path that leads out of the tree
    /// is always excluded.
    pub fn excludes(&self, path: &str) -> bool {
        if path == ".." || path.starts_with("../") || path.starts_with('/') {
            return true;
        }
        let path: Vec<char> = path.chars().collect();
        self.0.iter().rev().find(|pattern| pattern.matches(&path)).is_some_and(Pattern::excludes)
    }
}

#[cfg(test)]
mod tests {
    use super::{IgnoreError, IgnoreFile};
    use base::text::open;

    fn load(path: &std::path::Path) -> Result<Option<IgnoreFile>, IgnoreError> {
        IgnoreFile::load(path, open::bytes)
    }

    /// The paths in a fixed list that the patterns exclude.
    fn excluded(patterns: &str) -> Vec<&'static str> {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("ignore");
        std::fs::write(&file, patterns).unwrap();
        let ignore = load(&file).unwrap().unwrap();
        ["a.py", "b.md", "d/a.py", "d/e/a.py", "d/e/f/b.md", "x/d/c.py", "x/[y].py", "#z", "w !"]
            .into_iter()
            .filter(|path| ignore.excludes(path))
            .collect()
    }

    // Every expected value is the answer of pathspec 1.0.4.
    #[test]
    fn patterns_mean_what_the_comparators_library_says() {
        for (patterns, expected) in [
            ("", &[][..]),
            ("# nothing\n\n/\n", &[]),
            ("a.py", &["a.py", "d/a.py", "d/e/a.py"]),
            ("/a.py", &["a.py"]),
            ("d", &["d/a.py", "d/e/a.py", "d/e/f/b.md", "x/d/c.py"]),
            ("d/", &["d/a.py", "d/e/a.py", "d/e/f/b.md", "x/d/c.py"]),
            ("/d/", &["d/a.py", "d/e/a.py", "d/e/f/b.md"]),
            ("a.py/", &[]),
            ("d/*.py", &["d/a.py"]),
            ("d/*", &["d/a.py", "d/e/a.py", "d/e/f/b.md"]),
            ("d/**", &["d/a.py", "d/e/a.py", "d/e/f/b.md"]),
            ("d/**/a.py", &["d/a.py", "d/e/a.py"]),
            ("**/e", &["d/e/a.py", "d/e/f/b.md"]),
            ("**/e/**/b.md", &["d/e/f/b.md"]),
            ("?.md", &["b.md", "d/e/f/b.md"]),
            ("[!a].*", &["b.md", "d/e/f/b.md", "x/d/c.py"]),
            ("[ab].py\n!/d/**", &["a.py"]),
            ("!d/a.py\nd", &["d/a.py", "d/e/a.py", "d/e/f/b.md", "x/d/c.py"]),
            ("d\n!d/a.py", &["d/e/a.py", "d/e/f/b.md", "x/d/c.py"]),
            ("\\[y].py", &["x/[y].py"]),
            ("[[]y].py", &["x/[y].py"]),
            ("[b-].md", &["b.md", "d/e/f/b.md"]),
            ("\\#z", &["#z"]),
            ("w\\ !   ", &["w !"]),
            ("*\n!*.py", &["b.md", "d/e/f/b.md", "#z", "w !"]),
            ("*/", &["d/a.py", "d/e/a.py", "d/e/f/b.md", "x/d/c.py", "x/[y].py"]),
            (
                "**",
                &[
                    "a.py",
                    "b.md",
                    "d/a.py",
                    "d/e/a.py",
                    "d/e/f/b.md",
                    "x/d/c.py",
                    "x/[y].py",
                    "#z",
                    "w !",
                ],
            ),
            ("x[!a]d", &["x/d/c.py"]),
        ] {
            assert_eq!(excluded(patterns), expected, "{patterns:?}");
        }
    }

    #[test]
    fn a_pattern_that_stops_the_comparator_is_refused_with_its_line() {
        let dir = tempfile::tempdir().unwrap();
        for (patterns, why) in [("a\n!\n", "line 2"), ("x\\", "line 1"), ("[z-a]", "line 1")] {
            let file = dir.path().join("ignore");
            std::fs::write(&file, patterns).unwrap();
            let error = load(&file).unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
        assert!(load(&dir.path().join("none")).unwrap().is_none());
    }

    #[test]
    fn patterns_need_no_file() {
        let of = |patterns: &[&str]| {
            IgnoreFile::of(
                &patterns.iter().map(|pattern| (*pattern).to_owned()).collect::<Vec<_>>(),
            )
        };
        assert!(of(&[]).unwrap().is_none() && of(&["# nothing"]).unwrap().is_none());
        let ignore = of(&["*.min.js", "dist/*", "!dist/kept.js"]).unwrap().unwrap();
        assert!(ignore.excludes("a/x.min.js") && ignore.excludes("dist/y.js"));
        assert!(!ignore.excludes("dist/kept.js") && !ignore.excludes("a/x.js"));
        assert!(of(&["[z-a]"]).unwrap_err().to_string().contains("[z-a]"));
    }

    #[test]
    fn what_lies_outside_is_excluded() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("ignore");
        std::fs::write(&file, "").unwrap();
        let ignore = load(&file).unwrap().unwrap();
        assert!(ignore.excludes("../a.py"));
        assert!(!ignore.excludes("..a.py"));
    }
}
