//! What is known about each client: the tables in `agents/clients/`.

use serde::Deserialize;

use crate::Measure;

/// A program that runs hooks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Its name as people write it.
    pub title: String,
    /// The environment variable that holds the folder of the project.
    pub root_variable: Option<String>,
    /// The event that an input without an event name stands for.
    pub unnamed_event: Option<String>,
    /// Whether it understands an answer that reports a failure.
    #[serde(default)]
    pub tells_errors: bool,
    /// What it counts to find out whether the text of a hook is too long.
    #[serde(default)]
    pub measure: Measure,
    /// The element in which it puts the texts of hooks in front of the user's prompt.
    pub context_element: Option<String>,
    /// What the user must do before it runs our hooks and starts our server.
    pub trust: Option<String>,
    /// The file in which its hooks are set up; absent if that differs from program to program.
    pub settings: Option<Settings>,
    /// The place of our plugin, for a client that runs plugins at its events.
    pub plugin: Option<OwnFile>,
    /// The place of our skill, for a client that reads skills.
    pub skill: Option<OwnFile>,
    /// The file in which its MCP servers are set up.
    pub server: Option<Server>,
    /// The events that we answer.
    pub events: Vec<Known>,
}

/// The settings file that holds a client's hooks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Its path, relative to the folder of the project or to the user's home.
    pub file: String,
    /// Time after which the client gives up a hook, in the client's own unit; far longer than our
    /// deadline.
    pub timeout: u32,
    /// What follows our command, so that it ends with 0 even if our program is gone or crashes: for a
    /// client that takes another exit code as a refusal.
    pub guard: Option<String>,
}

/// The place of a file that belongs to us alone.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnFile {
    /// Its path, relative to the folder of the project.
    pub file: String,
    /// Its path, relative to the user's home.
    pub user_file: String,
}

/// The settings file that holds a client's MCP servers.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// Its path, relative to the folder of the project.
    pub file: String,
    /// Its path, relative to the user's home; the same as `file` if absent.
    pub user_file: Option<String>,
    /// The field that holds the servers.
    pub field: String,
    /// How the entry of a server is written.
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

/// An event that we answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The client's name for it.
    pub name: String,
    /// What it means.
    pub when: When,
    /// A pattern for the names of tools: the client runs the hook only for tools that match.
    pub matcher: Option<String>,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// A session started or was resumed.
    Start,
    /// The user sent a prompt.
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
