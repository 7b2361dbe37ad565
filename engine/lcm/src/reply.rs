//! The texts that an agent gets in place of a large content.

use base::{secrets::Secrets, text::visible};

use crate::{Explored, content::tokens, path::Reply, store::LargeFile};

/// Length of a preview, in characters.
const PREVIEW: usize = 2_000;
/// Number of characters that count as one token where a content is cut.
const CHARACTERS_PER_TOKEN: u64 = 4;

/// The text for a stored content. `tool` is the tool that produced it, if any.
pub fn stored(
    reply: Reply,
    file: &LargeFile,
    tool: Option<&str>,
    content: &[u8],
    explored: Option<&Explored>,
) -> String {
    let LargeFile { id, bytes, tokens, .. } = file;
    // A name with line breaks could pass for lines of this text.
    let place = file
        .path
        .as_ref()
        .map_or_else(|| visible::visible(&file.name).into_owned(), |path| visible::path(path));
    let mut lines = match reply {
        Reply::ToolOutput => return tool_output(file, tool, content),
        Reply::FileId => return id.clone(),
        Reply::PromptFile => {
            vec![format!("[Attached file {place}, {tokens} tokens, kept as {id}]")]
        }
        Reply::UserText => vec![format!("[Text of {bytes} bytes, {tokens} tokens, kept as {id}]")],
        Reply::Read => vec![format!(
            "[{place} is too large to show: {bytes} bytes, {tokens} tokens, kept as {id}]"
        )],
    };
    match explored {
        Some(Explored { summary, explorer_used }) => {
            lines.push(format!("[Explorer: {explorer_used}]"));
            lines.push(String::new());
            lines.push(summary.clone());
        }
        None => lines.push("[It was not explored]".to_owned()),
    }
    lines.push(String::new());
    lines.push(format!("A sub-agent can read it: {id}."));
    lines.join("\n")
}

fn tool_output(file: &LargeFile, tool: Option<&str>, content: &[u8]) -> String {
    let text = String::from_utf8_lossy(content);
    let preview = Secrets::Masked.text(beginning(&text, PREVIEW));
    let rest = file.tokens.saturating_sub(tokens(preview.as_bytes()));
    let mut lines = vec![
        format!("**This output has {} tokens and was put into the store.**", file.tokens),
        format!("Id: {}", file.id),
    ];
    lines.extend(tool.map(|tool| format!("Tool: {tool}")));
    lines.extend([String::new(), "## It begins".to_owned(), preview.into_owned()]);
    if beginning(&text, PREVIEW).len() < text.len() {
        lines.push(format!("[{rest} tokens follow]"));
    }
    lines.push(String::new());
    lines.push(
        "Ask the store to describe this id, or let a sub-agent read it. There is no such file on disk."
            .to_owned(),
    );
    lines.join("\n")
}

/// The beginning of a content that could not be stored, about `limit` tokens long, and why the rest
/// is missing; `None` if the content is not longer than that.
pub fn cut(content: &[u8], limit: u64, why: &str) -> Option<String> {
    let text = String::from_utf8_lossy(content);
    let most = usize::try_from(limit.saturating_mul(CHARACTERS_PER_TOKEN)).unwrap_or(usize::MAX);
    let shown = beginning(&text, most);
    (shown.len() < text.len())
        .then(|| format!("{shown}\n[The rest is left out, it could not be stored: {why}]"))
}

/// The first characters of a text.
fn beginning(text: &str, characters: usize) -> &str {
    let end = text.char_indices().nth(characters).map_or(text.len(), |(position, _)| position);
    text.get(..end).unwrap_or(text)
}
