//! Lists of the modules that come with a language, as the language's own tool prints them.

use std::{collections::BTreeSet, sync::OnceLock};

/// The names of a list: `queries/<key>/stdlib.txt`.
///
/// The first line begins with `# ` and says what the names are and where they come from. Every
/// other line is a name. A list in another form does not compile.
#[derive(Debug)]
pub struct Names {
    list: &'static str,
    /// The names, filled in when they are first needed.
    set: OnceLock<BTreeSet<&'static str>>,
}

impl Names {
    /// The names of an embedded list.
    pub const fn embedded(list: &'static str) -> Self {
        check(list.as_bytes());
        Self { list, set: OnceLock::new() }
    }

    /// Whether the list contains a name.
    pub fn has(&self, name: &str) -> bool {
        self.set.get_or_init(|| self.iter().collect()).contains(name)
    }

    /// Whether the list contains a name or one of its ancestors: `net/http` for `net/http/status`.
    pub fn has_above(&self, name: &str, separator: char) -> bool {
        self.has(name) || self.has_before(name, separator)
    }

    /// Whether the list contains a descendant of a name.
    pub fn has_before(&self, name: &str, separator: char) -> bool {
        name.match_indices(separator)
            .any(|(at, _)| name.get(..at).is_some_and(|above| self.has(above)))
    }

    /// The names, in the order of the list.
    pub fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.list.lines().skip(1)
    }
}

/// Stops the compilation if a list is not in the form that [`Names`] describes.
const fn check(list: &[u8]) {
    assert!(list.len() > 2 && list[0] == b'#' && list[1] == b' ', "a list says what it is");
    let mut at = 0;
    let mut names = 0_usize;
    while at < list.len() {
        let start = at;
        while at < list.len() && list[at] != b'\n' {
            at += 1;
        }
        assert!(at < list.len(), "the last line of a list ends in a line feed");
        assert!(at > start, "a line of a list is a name");
        assert!(!list[start].is_ascii_whitespace(), "a name begins its line");
        assert!(!list[at - 1].is_ascii_whitespace(), "a name ends its line");
        assert!(start == 0 || list[start] != b'#', "a list has one comment");
        names += (start > 0) as usize;
        at += 1;
    }
    assert!(names > 0, "a list has names");
}

#[cfg(test)]
mod tests {
    use super::{Names, check};

    static NAMES: Names = Names::embedded("# Modules\nnet\nnet/http\nZlib\n");

    #[test]
    fn names_are_found_by_themselves_and_above_others() {
        assert!(NAMES.has("net/http") && !NAMES.has("net/smtp") && !NAMES.has("# Modules"));
        assert!(NAMES.has_above("net/smtp", '/') && !NAMES.has_above("ftp/net", '/'));
        assert!(NAMES.has_before("net/http", '/') && !NAMES.has_before("net", '/'));
        assert_eq!(NAMES.iter().last(), Some("Zlib"));
    }

    #[test]
    fn malformed_lists_are_refused() {
        for list in ["", "net\n", "# Modules\n", "# Modules\nnet", "# Modules\n\nnet\n"] {
            assert!(std::panic::catch_unwind(|| check(list.as_bytes())).is_err(), "{list:?}");
        }
        for list in ["# Modules\n net\n", "# Modules\r\nnet\r\n", "# Modules\nnet\n# more\n"] {
            assert!(std::panic::catch_unwind(|| check(list.as_bytes())).is_err(), "{list:?}");
        }
    }
}
