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

/// Number of bytes of a header file that detection reads; it may be one of three languages.
const HEADER: usize = 32 * HEAD;

/// What the choice of the explorer is based on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// The content contradicts the name.
    Contradiction,
    /// The whole name or the extension and, if that has several meanings, also the content.
    Name,
    /// The interpreter of a shebang line.
    Shebang,
    /// The MIME type that came with the content.
    Mime,
    /// The first bytes of a binary content.
    Magic,
    /// The beginning of a text.
    Text,
    /// Nothing: the content is read as plain text or as bytes.
    None,
}

/// The decision of the detection.
#[derive(Debug, Clone)]
pub struct Dispatched {
    /// The explorer.
    pub explorer: &'static Explorer,
    /// What the name suggested, if the content is something else.
    pub contradiction: Option<Contradiction>,
    /// What the decision is based on.
    pub evidence: Evidence,
}

impl Dispatched {
    const fn by(evidence: Evidence, explorer: &'static Explorer) -> Self {
        Self { explorer, contradiction: None, evidence }
    }

    /// The choice where nothing tells what the file is.
    fn unsure(head: &[u8]) -> Self {
        Self::by(
            Evidence::None,
            table::by_id(if looks_like_text(head) { "text" } else { "binary" }),
        )
    }
}

/// Chooses the explorer by, in this order: the language that was set for the input, a content that
/// contradicts the name, the whole name, the extension, the shebang line, the MIME type, magic
/// bytes, and the beginning of a text. If none of them decides, the file is plain text or bytes.
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
            // If an extension has two meanings, one is that of a program and the other that of a
            // text.
            let promise = !content::has_text_meaning(input.base_name());
            return Ok(Dispatched {
                explorer: found,
                contradiction: promise
                    .then(|| Contradiction { promised: &named.id, found: &found.id }),
                evidence: Evidence::Contradiction,
            });
        }
        // A long licence may come before the first line that distinguishes C from C++.
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
