//! What is known of each client: a table in `agents/clients/`.

use serde::Deserialize;

/// A program that runs hooks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Its name for people.
    pub title: String,
    /// The environment variable in which it names the folder of the project.
    pub root_variable: Option<String>,
    /// The event of an input that names none.
    pub unnamed_event: Option<String>,
    /// Whether it understands an answer that tells of a failure.
    #[serde(default)]
    pub tells_errors: bool,
    /// Where its hooks are set up; absent if every program does that in its own way.
    pub settings: Option<Settings>,
    /// Where a plugin of ours stands, for a client that runs plugins at its events.
    pub plugin: Option<OwnFile>,
    /// Where a skill of ours stands, for a client that reads skills.
    pub skill: Option<OwnFile>,
    /// Where its servers are set up.
    pub server: Option<Server>,
    /// The events that are answered.
    pub events: Vec<Known>,
}

/// The file in which a client's hooks stand.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Relative to the folder of the project, or to the user's home.
    pub file: String,
    /// After how long the client gives up a hook, in the client's unit; far above our own deadline.
    pub timeout: u32,
}

/// Where a file stands that is all ours.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnFile {
    /// Relative to the folder of the project.
    pub file: String,
    /// Relative to the user's home.
    pub user_file: String,
}

/// The file in which a client's servers stand.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Relative to the folder of the project.
    pub file: String,
    /// Relative to the user's home; the same if absent.
    pub user_file: Option<String>,
    /// The field in which they stand.
    pub field: String,
    /// How an entry is written.
    pub form: Form,
}

/// How the entry of a server is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// JSON: the program in `command`, its arguments in `args`.
    CommandAndArgs,
    /// JSON: program and arguments in `command`.
    CommandList,
    /// TOML: the program in `command`, its arguments in `args`.
    Toml,
}

/// An event that is answered.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The client's name for it.
    pub name: String,
    /// What it means.
    pub when: When,
    /// The client calls only for tools whose names this pattern matches.
    pub matcher: Option<String>,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// A session started or goes on.
    Start,
    /// The user wrote something.
    Prompt,
    /// The agent changed a file.
    Edit,
}

impl Client {
    /// The client of a table.
    ///
    /// # Errors
    /// The table is not one of a client.
    pub fn read(table: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(table)
    }
}

/// The tables of all clients, by the names that `--client` takes.
pub const TABLES: [(&str, &str); 5] = [
    ("claude", include_str!("../../clients/claude.toml")),
    ("codex", include_str!("../../clients/codex.toml")),
    ("gemini", include_str!("../../clients/gemini.toml")),
    ("opencode", include_str!("../../clients/opencode.toml")),
    ("plain", include_str!("../../clients/plain.toml")),
];

#[cfg(test)]
mod tests {
    use super::{Client, TABLES, When};

    #[test]
    fn every_client_has_the_three_events() {
        for (name, table) in TABLES {
            let client = Client::read(table).unwrap();
            let whens: Vec<_> = client.events.iter().map(|event| event.when).collect();
            assert_eq!(whens, [When::Start, When::Prompt, When::Edit], "{name}");
        }
    }
}
