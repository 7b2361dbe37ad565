//! The language that a text is written in where its name does not tell: a header may be C or C++.

use map::language::{Language, registry};

/// Words that begin a line of C++ and no line of C. Two colons stand in C within comments and strings
/// alone.
const WORDS: [&str; 6] =
    ["namespace ", "private:", "protected:", "public:", "template <", "template<"];

/// The language of a text whose name says `language`.
pub fn dialect(language: &'static Language, text: &str) -> &'static Language {
    if language.key != "c" || !text.lines().any(is_cpp) {
        return language;
    }
    registry().by_key(CPP).unwrap_or(language)
}

/// The language that a text can have instead.
pub const CPP: &str = "cpp";

fn is_cpp(line: &str) -> bool {
    let line = line.trim_start();
    let begins = |word: &&str| line.starts_with(*word);
    let code = line.split("//").next().unwrap_or_default();
    let is_comment = line.starts_with(['*', '/']);
    // A variable of C may be called `class`.
    WORDS.iter().any(begins)
        || !is_comment && !code.contains('"') && code.contains("::")
        || line.strip_prefix("class ").is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_alphabetic() || c == '_') && !rest.contains(['=', '('])
        })
}

#[cfg(test)]
mod tests {
    use super::is_cpp;

    #[test]
    fn lines_of_cpp_are_told_from_lines_of_c() {
        for line in [
            "class A : public B {",
            "  public:",
            "template <class T>",
            "namespace a {",
            "std::f();",
        ] {
            assert!(is_cpp(line), "{line}");
        }
        for line in
            ["class = 1;", "struct a {", "int public_key;", "class_of(x);", "  default:", "* A::b"]
        {
            assert!(!is_cpp(line), "{line}");
        }
    }
}
