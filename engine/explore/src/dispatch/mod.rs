//! Which explorer handles a file.

mod content;
mod shebang;
mod table;

use std::io;

use serde::Serialize;

use crate::{
    input::{HEAD, Input},
    text::looks_like_text,
};

pub use content::Contradiction;
pub use table::{Explorer, Family, by_name, explorers};

/// Bytes that detection looks at in a header, which may be one of three languages.
const HEADER: usize = 32 * HEAD;

/// What detection rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The content is not what the name promises.
    Contradiction,
    /// The whole name or the extension, and where that has several meanings the content, too.
    Name,
    /// The interpreter of a shebang line.
    Shebang,
    /// The MIME type that came with the content.
    Mime,
    /// The first bytes of a binary content.
    Magic,
    /// How a text begins.
    Text,
    /// Nothing: the content is read as plain text or as bytes.
    None,
}

/// What detection decided.
#[derive(Debug, Clone)]
pub struct Dispatched {
    /// The explorer.
    pub explorer: &'static Explorer,
    /// What the name promised, where the content is something else.
    pub contradiction: Option<Contradiction>,
    /// What the decision rests on.
    pub evidence: Evidence,
}

impl Dispatched {
    const fn by(evidence: Evidence, explorer: &'static Explorer) -> Self {
        Self { explorer, contradiction: None, evidence }
    }

    /// Nothing says what it is.
    fn unsure(head: &[u8]) -> Self {
        Self::by(
            Evidence::None,
            table::by_id(if looks_like_text(head) { "text" } else { "binary" }),
        )
    }
}

/// Decides by the language that was set for the input, contradicting content, whole name, extension, shebang, MIME
/// type, magic bytes and, last, by how a text begins. What none of them tells is plain text or bytes.
///
/// # Errors
/// The first bytes cannot be read.
pub fn dispatch(input: &Input, mime: Option<&str>) -> io::Result<Dispatched> {
    if let Some(explorer) = input.language().and_then(table::find) {
        return Ok(Dispatched::by(Evidence::Name, explorer));
    }
    let head = input.head(HEAD)?;
    if let Some(named) = table::by_name(input.base_name()) {
        if let Some(found) = content::contradicts(named, &head) {
            // Of two meanings of an extension, one is a program's and the other a text's.
            let promise = !content::has_text_meaning(input.base_name());
            return Ok(Dispatched {
                explorer: found,
                contradiction: promise
                    .then(|| Contradiction { promised: &named.id, found: &found.id }),
                evidence: Evidence::Contradiction,
            });
        }
        // A long licence may stand before the first line that tells C from C++.
        let header = input.base_name().ends_with(".h");
        let more = if header { input.head(HEADER)? } else { head };
        return Ok(match content::refine(named, input.base_name(), &more) {
            Some(explorer) => Dispatched::by(Evidence::Name, explorer),
            None => Dispatched::unsure(&more),
        });
    }
    let by = Dispatched::by;
    let found = content::by_magic(&head)
        .map(|explorer| by(Evidence::Magic, explorer))
        .or_else(|| {
            let name = shebang::interpreter(&head)?;
            table::by_interpreter(&name).map(|explorer| by(Evidence::Shebang, explorer))
        })
        .or_else(|| mime.and_then(table::by_mime).map(|explorer| by(Evidence::Mime, explorer)))
        .or_else(|| {
            let text = looks_like_text(&head).then(|| content::by_text(&head)).flatten();
            text.map(|explorer| by(Evidence::Text, explorer))
        });
    Ok(found.unwrap_or_else(|| Dispatched::unsure(&head)))
}
