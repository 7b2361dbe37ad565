//! Chatito: intents, aliases and slots of training sentences for chat bots.

use super::{
    declarations::{Declarations, rule},
    doc::Style,
    walk::child,
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// Chatito.
pub const CHATITO: Declarations = Declarations {
    rules: &[
        rule("intent_def", &["intent"], SymbolKind::Intent, false),
        rule("alias_def", &["alias"], SymbolKind::Alias, false),
        rule("slot_def", &["slot"], SymbolKind::Slot, false),
    ],
    skipped: &["comment"],
    comments: Style { line: &["//", "#"], block: None },
    import: |walk, node| {
        let file = (node.kind() == "import").then(|| child(node, "file")).flatten();
        if let Some(file) = file {
            // The grammar includes the carriage return in the path.
            let path = walk.node_text(file).trim_end().to_owned();
            walk.import(&path, Vec::new(), ImportCategory::Local, node);
        }
        file.is_some()
    },
    exported: |_, _, _| None,
};
