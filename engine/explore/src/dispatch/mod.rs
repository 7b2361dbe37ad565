//! Which explorer handles a file.

mod content;
mod shebang;
mod table;

use std::io;

use crate::{
    input::{HEAD, Input},
    text::looks_like_text,
};

pub use content::Contradiction;
pub use table::{Explorer, Family, explorers};

/// Bytes that detection looks at in a header, which may be one of three languages.
const HEADER: usize = 32 * HEAD;

/// What detection decided.
#[derive(Debug, Clone)]
pub struct Dispatched {
    /// The explorer.
    pub explorer: &'static Explorer,
    /// What the name promised, where the content is something else.
    pub contradiction: Option<Contradiction>,
}

/// Decides by contradicting content, whole name, extension, shebang, MIME type, magic bytes and,
/// last, by whether the first bytes are text.
///
/// # Errors
/// The first bytes cannot be read.
pub fn dispatch(input: &Input, mime: Option<&str>) -> io::Result<Dispatched> {
    let head = input.head(HEAD)?;
    let named = table::by_name(input.base_name());
    let of = |explorer| Dispatched { explorer, contradiction: None };
    if let Some(named) = named {
        if let Some(found) = content::contradicts(named, &head) {
            return Ok(Dispatched {
                explorer: found,
                contradiction: Some(Contradiction { promised: &named.id, found: &found.id }),
            });
        }
        // A long licence may stand before the first line that tells C from C++.
        let header = input.base_name().ends_with(".h");
        let more = if header { input.head(HEADER)? } else { head };
        return Ok(of(content::refine(named, input.base_name(), &more)));
    }
    let found = content::by_magic(&head)
        .or_else(|| shebang::interpreter(&head).and_then(|name| table::by_interpreter(&name)))
        .or_else(|| mime.and_then(table::by_mime));
    if let Some(found) = found {
        return Ok(of(found));
    }
    let text = looks_like_text(&head);
    let guess = if text { content::by_text(&head) } else { None };
    Ok(of(guess.unwrap_or_else(|| table::by_id(if text { "text" } else { "binary" }))))
}
