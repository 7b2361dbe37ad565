//! How much of a change a map shows.

use std::collections::{BTreeMap, BTreeSet};

/// What a map shows of one change.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// Share of the changed files that the map names.
    pub named: f64,
    /// Share of them that it shows with at least one line of their own.
    pub defined: f64,
    /// Share of the names around the changes that stand below their file as whole words; absent if the change has none.
    pub symbols: Option<f64>,
}

/// Measures a map. `files` are the files of the repository: a line that is one of them, with or without a colon,
/// begins that file's part of the map.
pub fn measure(
    changed: &BTreeMap<String, Vec<String>>,
    map: &str,
    files: &BTreeSet<&str>,
) -> Shown {
    let parts = parts(map, files);
    let share = |count: usize, whole: usize| count as f64 / whole as f64;
    let lines = |file: &String| parts.get(file.as_str()).map_or(&[][..], Vec::as_slice);
    let named = changed.keys().filter(|file| parts.contains_key(file.as_str())).count();
    let defined = changed.keys().filter(|file| !lines(file).is_empty()).count();
    let names = || changed.iter().flat_map(|(file, names)| names.iter().map(move |n| (file, n)));
    let stand = |file: &String, name: &str| lines(file).iter().any(|line| has_word(line, name));
    let found = names().filter(|(file, name)| stand(file, name)).count();
    let of_names = names().count();
    Shown {
        named: share(named, changed.len()),
        defined: share(defined, changed.len()),
        symbols: (of_names > 0).then(|| share(found, of_names)),
    }
}

/// The lines of each file that a map names, without blank ones and marks of what is left out.
fn parts<'a>(map: &'a str, files: &BTreeSet<&str>) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut parts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut current = None;
    for line in map.lines() {
        let name = line.strip_suffix(':').unwrap_or(line);
        if files.contains(name) {
            parts.entry(name).or_default();
            current = Some(name);
        } else if let Some(file) = current
            && !matches!(line.trim(), "" | "⋮")
        {
            parts.entry(file).or_default().push(line);
        }
    }
    parts
}

/// Whether a name stands in a line as a whole word.
fn has_word(line: &str, name: &str) -> bool {
    let continues = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(name).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        let after = line.get(at + name.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(continues) && !after.is_some_and(continues)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::{Shown, measure};

    #[test]
    fn a_map_is_measured_by_the_files_and_names_of_a_change() {
        let files = BTreeSet::from(["src/a.c", "src/b.c", "src/c.c"]);
        let map = "\nsrc/a.c:\n⋮\n│int open_file(void)\n⋮\n\nsrc/b.c\n";
        let change = |files: &[(&str, &[&str])]| -> BTreeMap<String, Vec<String>> {
            let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
            files.iter().map(|(file, of)| ((*file).to_owned(), names(of))).collect()
        };
        let whole = change(&[("src/a.c", &["open_file"])]);
        let found = measure(&whole, map, &files);
        assert_eq!(found, Shown { named: 1.0, defined: 1.0, symbols: Some(1.0) });
        // A bare name is no definition, and neither `file` nor `open` is a whole word.
        let part = change(&[("src/a.c", &["file", "open"]), ("src/b.c", &["open_file"])]);
        let found = measure(&part, map, &files);
        assert_eq!(found, Shown { named: 1.0, defined: 0.5, symbols: Some(0.0) });
        let none = change(&[("src/c.c", &[])]);
        let found = measure(&none, map, &files);
        assert_eq!(found, Shown { named: 0.0, defined: 0.0, symbols: None });
    }
}
