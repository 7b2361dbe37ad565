//! Turns places into entries of an answer.

use std::time::Duration;

use super::{
    answer::{Definition, Reference, Resolution},
    doc,
    library::Files,
    meaning::Place,
};
use crate::symbols::{self, Occurrence, Symbols};

/// Maximum length of the shown line, in code points.
const PREVIEW: usize = 200;

/// What is shown of one definition.
#[derive(Debug)]
pub struct Shown {
    /// Absolute path.
    pub file_path: String,
    /// Line of the name, from 1.
    pub line: u32,
    /// The definition without its body.
    pub signature: String,
    /// Its documentation.
    pub documentation: String,
}

/// The kind of a definition as answers show it: a function in a class is a method.
pub fn kind(symbols: &Symbols, definition: &symbols::Definition) -> &'static str {
    let parent = definition.parent.and_then(|parent| symbols.definition(parent));
    let in_class = parent.is_some_and(|parent| {
        matches!(parent.kind(), "class" | "extension" | "interface" | "struct" | "trait" | "enum")
    });
    match definition.kind() {
        "function" if in_class => "method",
        "member" => "field",
        "export" => "variable",
        kind => kind,
    }
}

/// A definition as an entry; `None` if its file has changed meanwhile.
pub fn definition(files: &mut Files, place: &Place, resolution: Resolution) -> Option<Definition> {
    let text = files.text(&place.file)?;
    let file_path = path(files, &place.file);
    let Some(number) = place.definition else {
        let preview = preview(&text, 0);
        let kind = "module".into();
        return Some(Definition { file_path, line: 1, column: 1, kind, preview, resolution });
    };
    let symbols = files.symbols(&place.file)?;
    let definition = symbols.definition(number)?;
    let at = symbols.occurrence(definition.occurrence)?;
    Some(Definition {
        file_path,
        line: at.row + 1,
        column: at.column + 1,
        kind: kind(&symbols, definition).into(),
        preview: preview(&text, at.start),
        resolution,
    })
}

/// An occurrence as an entry; `None` if its file has changed meanwhile.
pub fn reference(
    files: &mut Files,
    file: &str,
    symbols: &Symbols,
    one: &Occurrence,
    resolution: Resolution,
) -> Option<Reference> {
    let text = files.text(file)?;
    debug_assert!(
        text.get(one.start as usize..).is_some_and(|rest| rest.starts_with(symbols.name(one)))
    );
    Some(Reference {
        file_path: path(files, file),
        line: one.row + 1,
        column: one.column + 1,
        kind: one.role.as_str().into(),
        preview: preview(&text, one.start),
        resolution,
    })
}

/// Signature and documentation of a definition; `None` if its file has changed meanwhile, or takes
/// longer than `time` milliseconds to parse.
pub fn hover(files: &mut Files, place: &Place, time: u64) -> Option<Shown> {
    let text = files.text(&place.file)?;
    let file_path = path(files, &place.file);
    let language = files.language(&place.file)?;
    let found = symbols::extract(language, &text, Duration::from_millis(time)).ok()?;
    let Some(number) = place.definition else {
        let documentation = doc::of_file(&found.tree, &text);
        return Some(Shown { file_path, line: 1, signature: place.file.clone(), documentation });
    };
    let definition = *found.symbols.definition(number)?;
    let at = found.symbols.occurrence(definition.occurrence)?;
    let range = definition.start as usize..definition.end as usize;
    let node = found.tree.root_node().descendant_for_byte_range(range.start, range.end)?;
    Some(Shown {
        file_path,
        line: at.row + 1,
        signature: doc::signature(&node, &text),
        documentation: doc::documentation(&node, &text),
    })
}

fn path(files: &Files, file: &str) -> String {
    files.library.root.join(file).to_string_lossy().into_owned()
}

/// The line around a byte.
fn preview(text: &str, byte: u32) -> String {
    let byte = byte as usize;
    let start = text.get(..byte).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let line = text.get(start..).unwrap_or_default().split('\n').next().unwrap_or_default();
    line.trim_start_matches('\u{feff}').chars().take(PREVIEW).collect()
}
