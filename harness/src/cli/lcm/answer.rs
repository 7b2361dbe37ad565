//! The answers of a store as JSON and as plain text, and the exit codes of its errors.

use lcm::{
    Content, Description, Error, Expansion, SCHEMA_VERSION, Stored,
    store::{Report, Session},
};
use record::exit;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::Failure;

/// An answer.
#[derive(Debug)]
pub(super) enum Answer {
    /// The session.
    Session(Session),
    /// What was done with a content, and why it could not be stored if it was not.
    Stored(Stored, Option<Error>),
    /// A message was appended.
    Message { session: String, seq: u64, bytes: u64 },
    /// A summary was stored.
    Summary { id: String },
    /// What a content is.
    Description(Description),
    /// A content.
    Content { id: String, content: Vec<u8> },
    /// The messages and summaries that an id stands for.
    Expansion(Expansion),
    /// What a check found.
    Report(Report),
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Session(session) => session.serialize(serializer),
            Self::Stored(stored, _) => stored.serialize(serializer),
            Self::Description(description) => description.serialize(serializer),
            Self::Report(report) => report.serialize(serializer),
            Self::Message { session, seq, bytes } => {
                json!({ "session": session, "seq": seq, "bytes": bytes }).serialize(serializer)
            }
            Self::Summary { id } => json!({ "id": id }).serialize(serializer),
            Self::Content { id, content } => file(id, content).serialize(serializer),
            Self::Expansion(expansion) => expanded(expansion).serialize(serializer),
        }
    }
}

impl Answer {
    /// Why the content was not stored, if that was asked for and failed.
    pub(super) const fn beside(&self) -> Option<&Error> {
        match self {
            Self::Stored(_, error) => error.as_ref(),
            _ => None,
        }
    }

    /// Whether [`Answer::plain`] is written unchanged.
    pub(super) const fn is_content(&self) -> bool {
        !matches!(self, Self::Session(_) | Self::Description(_) | Self::Report(_))
    }

    /// The answer for people and pipes: a content unchanged, anything else as text.
    pub(super) fn plain(&self) -> Vec<u8> {
        match self {
            Self::Session(session) => lines(&session.lineage),
            Self::Stored(stored, _) => {
                stored.whole.clone().unwrap_or_else(|| stored.text.clone().into_bytes())
            }
            Self::Message { seq, .. } => lines(&[seq.to_string()]),
            Self::Summary { id } => lines(std::slice::from_ref(id)),
            Self::Description(description) => described(description),
            Self::Content { content, .. } | Self::Expansion(Expansion::File { content, .. }) => {
                content.clone()
            }
            Self::Expansion(Expansion::NotExpanded { text, .. }) => {
                lines(std::slice::from_ref(text))
            }
            Self::Expansion(Expansion::Messages { summary, messages }) if messages.is_empty() => {
                summary.content.clone()
            }
            Self::Expansion(Expansion::Messages { messages, .. }) => {
                let mut text = Vec::new();
                for message in messages {
                    let head = format!("[{} {}, {}]\n", message.session, message.seq, message.role);
                    text.extend(head.into_bytes());
                    text.extend(&message.content);
                    text.push(b'\n');
                }
                text
            }
            Self::Report(report) => lines(&[report.line()]),
        }
    }
}

fn lines(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>().into_bytes()
}

fn described(description: &Description) -> Vec<u8> {
    let Description { id, kind, bytes, tokens, .. } = description;
    let mut text = vec![format!("{id}: {kind}, {bytes} bytes, {tokens} tokens")];
    match (&description.exploration_summary, &description.explorer_used) {
        (Some(summary), Some(explorer)) => {
            text.extend([format!("Explorer: {explorer}"), String::new(), summary.clone()]);
        }
        _ if *kind == "file" => text.push("No exploration is stored.".to_owned()),
        _ => {}
    }
    let mut text = lines(&text);
    if let Some(content) = &description.content {
        text.extend(content.clone().into_bytes().unwrap_or_default());
        text.push(b'\n');
    }
    text
}

/// A content with its bytes as JSON.
fn file(id: &str, content: &[u8]) -> Value {
    with_content(
        json!({ "schema_version": SCHEMA_VERSION, "id": id, "kind": "file", "bytes": content.len() }),
        content,
    )
}

fn with_content(mut object: Value, content: &[u8]) -> Value {
    if let (Some(fields), Ok(Value::Object(content))) =
        (object.as_object_mut(), serde_json::to_value(Content::of(content.to_vec())))
    {
        fields.extend(content);
    }
    object
}

fn expanded(expansion: &Expansion) -> Value {
    match expansion {
        Expansion::File { id, content } => file(id, content),
        Expansion::NotExpanded { id, text } => {
            json!({ "schema_version": SCHEMA_VERSION, "id": id, "kind": "file", "message": text })
        }
        Expansion::Messages { summary, messages } => {
            let messages: Vec<Value> = messages
                .iter()
                .map(|message| {
                    let head = json!({
                        "session": message.session, "seq": message.seq, "role": message.role,
                        "tokens": message.tokens,
                    });
                    with_content(head, &message.content)
                })
                .collect();
            let head = json!({
                "schema_version": SCHEMA_VERSION, "id": summary.id, "kind": "summary",
                "bytes": summary.content.len(), "tokens": summary.tokens,
                "parents": summary.parents, "messages": messages,
            });
            with_content(head, &summary.content)
        }
    }
}

/// The exit code of an error of the store.
pub(super) const fn code(error: &Error) -> u8 {
    match error {
        Error::NotVisible | Error::NoSession(_) => exit::NOT_VISIBLE,
        Error::Request(_) => exit::USAGE,
        Error::Changed { .. }
        | Error::Damaged(_)
        | Error::NotAStore { .. }
        | Error::Database(_)
        | Error::Io(_) => exit::IO,
    }
}

/// The exit code if a content could not be stored but the agent got a text all the same. The agent can
/// go on, but a store that is damaged or cannot be reached is still reported.
pub(super) const fn code_beside(error: &Error) -> u8 {
    match code(error) {
        exit::IO => exit::IO,
        _ => exit::PASS,
    }
}

/// An error of the store as the failure of a command.
pub(super) fn failure(error: &Error) -> Failure {
    Failure::new(code(error), error.to_string())
}
