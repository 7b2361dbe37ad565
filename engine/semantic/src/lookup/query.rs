//! The question for a symbol.

use std::str::FromStr;

/// What stands before a symbol in a question that may also be one for words.
const PREFIX: &str = "symbol";

/// A symbol by the names of what is around it, the outermost first, and its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolQuery {
    /// The names: at least one, and none is empty. The first may be a file.
    pub names: Vec<String>,
}

impl SymbolQuery {
    /// The question for a symbol that a text asks, if it begins with `symbol =`. `None`: it asks for
    /// words.
    pub fn after_prefix(text: &str) -> Option<Result<Self, String>> {
        Some(rest(text)?.parse())
    }

    /// The beginning of a question, of which the last name may be empty.
    pub fn begun(text: &str) -> Self {
        let names = rest(text).unwrap_or(text).split('>');
        Self { names: names.map(|name| name.trim().to_owned()).collect() }
    }
}

/// What stands behind the prefix.
fn rest(text: &str) -> Option<&str> {
    text.trim_start().strip_prefix(PREFIX)?.trim_start().strip_prefix('=')
}

impl FromStr for SymbolQuery {
    type Err = String;

    /// Reads `Name`, `Parent > Name` or `path/of/file > Parent > Name`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names: Vec<String> = text.split('>').map(|name| name.trim().to_owned()).collect();
        if names.iter().any(String::is_empty) {
            return Err(if text.trim().is_empty() {
                "the name of a symbol is missing: write Name, Parent > Name or FILE > Name"
                    .to_owned()
            } else {
                format!("a name is missing beside > in {text:?}")
            });
        }
        Ok(Self { names })
    }
}

#[cfg(test)]
mod tests {
    use super::SymbolQuery;

    #[test]
    fn names_are_taken_apart() {
        let names = |text: &str| text.parse::<SymbolQuery>().map(|query| query.names);
        assert_eq!(names("pay").unwrap(), ["pay"]);
        assert_eq!(names(" src/a.ts > Purse>pay ").unwrap(), ["src/a.ts", "Purse", "pay"]);
        assert!(names("Purse > ").unwrap_err().contains("beside >"));
        assert!(names(" ").unwrap_err().contains("missing"));
    }

    #[test]
    fn a_question_may_be_unfinished() {
        assert_eq!(SymbolQuery::begun("Purse > ").names, ["Purse", ""]);
        assert_eq!(SymbolQuery::begun("symbol = pa").names, ["pa"]);
        assert_eq!(SymbolQuery::begun("").names, [""]);
    }

    #[test]
    fn only_a_prefix_makes_a_question_for_a_symbol() {
        let asked = |text: &str| SymbolQuery::after_prefix(text).map(|query| query.unwrap().names);
        assert_eq!(asked("symbol = Purse > pay").unwrap(), ["Purse", "pay"]);
        assert_eq!(asked("symbol=pay").unwrap(), ["pay"]);
        assert_eq!(asked("symbols and names"), None);
        assert_eq!(asked("where is the symbol = sign"), None);
    }
}
