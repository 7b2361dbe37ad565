//! Why no symbol was found, and what may have been meant.

use serde::Serialize;

/// Most places and names that an error lists.
pub const MOST: usize = 5;

/// No symbol was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Missing {
    /// There is no file of this path. `similar` are paths that end in it.
    #[error("No file \"{file}\" found.{}", listed(" Similar paths: ", similar, ""))]
    File {
        /// The path as it was asked for.
        file: String,
        /// At most 5 paths.
        similar: Vec<String>,
    },
    /// No symbol has this name. `similar` are those that differ in case, as `"name" (file:line)`.
    #[error(
        "No symbol \"{name}\" found{}.{}",
        within(file.as_ref()),
        listed(" Did you mean ", similar, "?")
    )]
    Symbol {
        /// The name as it was asked for.
        name: String,
        /// The file that was searched, if one was named.
        file: Option<String>,
        /// At most 5 symbols.
        similar: Vec<String>,
    },
    /// The symbols around it exist, but none of this name is in them.
    #[error("\"{parent}\" has no \"{name}\".{}", listed(" It has ", members, "."))]
    Member {
        /// What is around it, as it was asked for.
        parent: String,
        /// The name as it was asked for.
        name: String,
        /// Names that are there: those that differ in case, else the first 5.
        members: Vec<String>,
    },
}

fn within(file: Option<&String>) -> String {
    file.map_or(String::new(), |file| format!(" in {file}"))
}

fn listed(before: &str, all: &[String], behind: &str) -> String {
    if all.is_empty() { String::new() } else { format!("{before}{}{behind}", all.join(", ")) }
}
