//! The event that a client reports to its hook: one JSON object on standard input.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::client::{Client, When};

/// Values of `source` for a session whose context is new or was emptied: it holds nothing from
/// earlier.
const NEW_CONTEXT: [&str; 3] = ["startup", "clear", "compact"];
/// The fields of a tool's input that name the changed file.
const FILE_FIELDS: [&str; 3] = ["file_path", "notebook_path", "path"];
/// The fields of a tool's input that hold a patch.
const PATCH_FIELDS: [&str; 3] = ["command", "input", "patch"];
/// Beginnings of the lines in a patch that name a file.
const PATCH_MARKS: [&str; 3] = ["*** Add File: ", "*** Update File: ", "*** Move to: "];

/// One event. Missing fields and fields of another type count as empty; unknown fields are ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What happened.
    pub when: When,
    /// The client's name for the event.
    pub name: String,
    /// The id of the session.
    pub session_id: Option<String>,
    /// The folder that the client works in.
    pub cwd: Option<PathBuf>,
    /// Whether the session's context holds nothing that it was given before.
    pub is_new_context: bool,
    /// The whole text of the current turn.
    pub prompt: String,
    /// Files of the chat, as far as the client names them.
    pub chat_files: Vec<String>,
    /// Files that the client mentions explicitly.
    pub mentioned_files: Vec<String>,
    /// Identifiers that the client mentions explicitly.
    pub mentioned_idents: Vec<String>,
    /// Files that a tool has just changed.
    pub edited: Vec<String>,
}

impl Event {
    /// Reads an event; `None` for one that we do not answer.
    pub fn read(client: &Client, input: &Map<String, Value>) -> Option<Self> {
        let text = |name: &str| input.get(name).and_then(Value::as_str).map(str::to_owned);
        let name = text("hook_event_name").or_else(|| client.unnamed_event.clone())?;
        let known = client.events.iter().find(|event| event.name == name)?;
        let tool = input.get("tool_input").and_then(Value::as_object);
        let source = text("source");
        Some(Self {
            when: known.when,
            name,
            session_id: text("session_id").filter(|id| !id.is_empty()),
            cwd: text("cwd").map(PathBuf::from),
            is_new_context: source.is_none_or(|source| NEW_CONTEXT.contains(&source.as_str())),
            prompt: users(text("prompt").unwrap_or_default(), client.context_element.as_deref()),
            chat_files: texts(input, "chat_files"),
            mentioned_files: texts(input, "mentioned_files"),
            mentioned_idents: texts(input, "mentioned_idents"),
            edited: tool.map(edited).unwrap_or_default(),
        })
    }
}

/// The part of a prompt that the user wrote. What hooks have put before it is left out: our own map
/// would count as mentions of everything that it shows.
fn users(prompt: String, element: Option<&str>) -> String {
    let Some(element) = element else { return prompt };
    let (begin, end) = (format!("<{element}>"), format!("</{element}>"));
    let mut rest = prompt.trim_start();
    while let Some((_, after)) = rest.strip_prefix(&begin).and_then(|inner| inner.split_once(&end))
    {
        rest = after.trim_start();
    }
    rest.to_owned()
}

/// The list of strings under a name; empty if there is none.
fn texts(input: &Map<String, Value>, name: &str) -> Vec<String> {
    let list = input.get(name).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The files that a tool changed, taken from its input.
fn edited(tool: &Map<String, Value>) -> Vec<String> {
    let text = |name: &&str| tool.get(*name).and_then(Value::as_str);
    let named = FILE_FIELDS.iter().filter_map(text);
    let patched = PATCH_FIELDS.iter().filter_map(text).flat_map(str::lines).filter_map(|line| {
        PATCH_MARKS.iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim)
    });
    named.chain(patched).filter(|file| !file.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{Event, When};
    use crate::hook::{
        client::{Client, TABLES},
        read_input,
    };

    fn client(name: &str) -> Client {
        let (_, table) = TABLES.iter().find(|(client, _)| *client == name).unwrap();
        Client::read(table).unwrap()
    }

    fn read(name: &str, input: &str) -> Option<Event> {
        Event::read(&client(name), &read_input(input.as_bytes())?)
    }

    #[test]
    fn what_is_no_event_is_nothing() {
        let deep = "[".repeat(100_000);
        for input in ["", "{", "null", "[]", "\"x\"", "{\"hook_event_name\":7}", &deep] {
            assert_eq!(read("claude", input), None);
        }
        assert_eq!(read("claude", r#"{"hook_event_name":"Stop"}"#), None);
        assert_eq!(read("gemini", r#"{"hook_event_name":"UserPromptSubmit"}"#), None);
    }

    #[test]
    fn fields_of_another_type_count_as_missing() {
        let input = r#"{"hook_event_name":"UserPromptSubmit","prompt":["x"],"session_id":1,
            "chat_files":"a","mentioned_files":[1,"b"],"unknown":{"a":[]}}"#;
        let event = read("claude", input).unwrap();
        assert_eq!((event.when, event.prompt.as_str(), event.session_id), (When::Prompt, "", None));
        assert!(event.chat_files.is_empty());
        assert_eq!(event.mentioned_files, ["b"]);
    }

    #[test]
    fn files_of_tools_and_patches_are_found() {
        let input = r#"{"hook_event_name":"PostToolUse","tool_name":"Edit",
            "tool_input":{"file_path":"/r/a.py","old_string":"*** Add File: no"}}"#;
        assert_eq!(read("claude", input).unwrap().edited, ["/r/a.py"]);
        let input = r#"{"hook_event_name":"PostToolUse","tool_name":"apply_patch","tool_input":{"command":
            "*** Begin Patch\n*** Update File: src/a.rs\n-x\n+y\n*** Move to: src/b.rs\n*** End Patch"}}"#;
        assert_eq!(read("codex", input).unwrap().edited, ["src/a.rs", "src/b.rs"]);
        let input = r#"{"hook_event_name":"AfterTool","tool_input":{"file_path":"x.ts"}}"#;
        assert_eq!(read("gemini", input).unwrap().edited, ["x.ts"]);
    }

    #[test]
    fn what_hooks_put_before_a_prompt_is_no_part_of_it() {
        let map = "<hook_context>&lt;map&gt; a.py</hook_context>\n\n";
        for (client, event, prompt, expected) in [
            ("gemini", "BeforeAgent", format!("{map}Go on."), "Go on."),
            (
                "gemini",
                "BeforeAgent",
                format!("{map}{map}See {map}"),
                format!("See {map}").as_str(),
            ),
            ("gemini", "BeforeAgent", "<hook_context>open".to_owned(), "<hook_context>open"),
            ("claude", "UserPromptSubmit", format!("{map}x"), format!("{map}x").as_str()),
        ] {
            let input = serde_json::json!({"hook_event_name": event, "prompt": prompt}).to_string();
            assert_eq!(read(client, &input).unwrap().prompt, expected);
        }
    }

    #[test]
    fn a_plain_object_is_a_prompt() {
        let event = read("plain", r#"{"prompt":"p","mentioned_idents":["f"]}"#).unwrap();
        assert_eq!((event.when, event.name.as_str()), (When::Prompt, "UserPromptSubmit"));
        assert_eq!(event.mentioned_idents, ["f"]);
    }

    #[test]
    fn only_a_resumed_session_remembers() {
        for (source, is_new) in [("startup", true), ("resume", false), ("compact", true)] {
            let input = format!(r#"{{"hook_event_name":"SessionStart","source":"{source}"}}"#);
            assert_eq!(read("claude", &input).unwrap().is_new_context, is_new, "{source}");
        }
    }
}
