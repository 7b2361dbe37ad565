//! What the current turn mentions: files and identifiers.

use std::collections::{BTreeMap, BTreeSet};

use base::text::{characters, paths};

/// Shortest stem and identifier, in code points, that can match each other.
const MIN_STEM: usize = 5;

/// Mentioned files (as listed, relative to the root) and identifiers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mentioned {
    /// Files.
    pub files: BTreeSet<String>,
    /// Identifiers. Those of an actual message include the empty string, which matches nothing.
    pub idents: BTreeSet<String>,
}

/// The files that mentions can refer to.
#[derive(Debug)]
pub struct Mentionable<'a> {
    /// All listed files.
    pub all: &'a [String],
    /// Resolved names of the chat files.
    pub chat: &'a BTreeSet<String>,
    /// Resolved names of the read-only files.
    pub read_only: &'a BTreeSet<String>,
}

impl Mentioned {
    /// Extracts the mentions of a message, which is the whole current turn.
    pub fn in_message(message: &str, among: &Mentionable) -> Self {
        let turn = if message.is_empty() { String::new() } else { format!("{message}\n") };
        let mut files = file_mentions(&turn, among);
        let idents: BTreeSet<String> =
            turn.split(|c| !characters::is_word(c)).map(str::to_owned).collect();
        files.extend(stem_matches(&idents, among.all));
        Self { files, idents }
    }
}

/// Files that the turn names by a whole word: by full path, or by a base name that is unique among
/// the addable files, cannot be an ordinary word, and is not the base name of a file in the chat.
fn file_mentions(turn: &str, among: &Mentionable) -> BTreeSet<String> {
    const END_PUNCTUATION: [char; 6] = [',', '.', '!', ';', ':', '?'];
    const QUOTES: [char; 5] = ['"', '\'', '`', '*', '_'];
    let words: BTreeSet<&str> = turn
        .split(characters::is_space)
        .filter(|word| !word.is_empty())
        .map(|word| word.trim_end_matches(END_PUNCTUATION).trim_matches(QUOTES))
        .collect();
    let with_slashes: BTreeSet<String> = words.iter().map(|word| word.replace('\\', "/")).collect();
    let taken: BTreeSet<&str> =
        among.chat.iter().chain(among.read_only).map(|path| paths::basename(path)).collect();

    let mut mentioned = BTreeSet::new();
    let mut by_basename: BTreeMap<&str, Vec<&String>> = BTreeMap::new();
    for path in among.all {
        if among.chat.contains(path) || among.read_only.contains(path) {
            continue;
        }
        if with_slashes.contains(&path.replace('\\', "/")) {
            mentioned.insert(path.clone());
        }
        let basename = paths::basename(path);
        if basename.contains(['\\', '.', '_', '-']) {
            by_basename.entry(basename).or_default().push(path);
        }
    }
    for (basename, files) in by_basename {
        if let [only] = files.as_slice()
            && !taken.contains(basename)
            && words.contains(basename)
        {
            mentioned.insert((*only).clone());
        }
    }
    mentioned
}

/// Files whose stem equals a mentioned identifier, ignoring case, if both are long enough.
fn stem_matches(idents: &BTreeSet<String>, all: &[String]) -> BTreeSet<String> {
    let idents: BTreeSet<String> = idents
        .iter()
        .filter(|ident| characters::length(ident) >= MIN_STEM)
        .map(|ident| ident.to_lowercase())
        .collect();
    if idents.is_empty() {
        return BTreeSet::new();
    }
    all.iter()
        .filter(|path| {
            let stem = paths::stem(path).to_lowercase();
            characters::length(&stem) >= MIN_STEM && idents.contains(&stem)
        })
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Mentionable, Mentioned};

    fn files(message: &str) -> Vec<String> {
        let all: Vec<String> =
            ["src/cli.py", "src/json/tag.py", "docs/tag.py", "lib/typing.py", "README", "a_b/x.rs"]
                .map(str::to_owned)
                .to_vec();
        let chat = BTreeSet::from(["old/x.rs".to_owned()]);
        let among = Mentionable { all: &all, chat: &chat, read_only: &BTreeSet::new() };
        Mentioned::in_message(message, &among).files.into_iter().collect()
    }

    // Each expectation is the comparator's measured behaviour.
    #[test]
    fn files_are_mentioned_as_the_comparator_has_it() {
        assert_eq!(files("look at src/cli.py, please"), ["src/cli.py"]);
        assert_eq!(files("look at `cli.py`"), ["src/cli.py"]);
        assert_eq!(files("src\\cli.py!"), ["src/cli.py"]);
        assert!(files("(cli.py)").is_empty());
        assert!(files("tag.py").is_empty(), "the base name is not unique");
        assert!(files("README").iter().all(|file| file == "README"));
        assert_eq!(files("TYPING"), ["lib/typing.py"]);
        assert!(files("x.rs").is_empty(), "the base name is taken by a chat file");
        assert!(files("").is_empty());
    }

    #[test]
    fn identifiers_split_at_non_words() {
        let among = Mentionable { all: &[], chat: &BTreeSet::new(), read_only: &BTreeSet::new() };
        let idents = Mentioned::in_message("call foo_bar(x-é)", &among).idents;
        assert_eq!(idents.into_iter().collect::<Vec<_>>(), ["", "call", "foo_bar", "x", "é"]);
        assert_eq!(Mentioned::in_message("", &among).idents.len(), 1);
    }
}
