//! Which symbol an identifier of a file stands in.

use std::cmp::Reverse;

use index::{Definition, Symbols};

/// Kinds of definitions that are no symbols of the graph.
const NOT_SYMBOLS: [&str; 6] = ["export", "extension", "import", "label", "other", "parameter"];

/// Whether a definition is a symbol of the graph: other files can see it.
pub fn is_symbol(definition: &Definition) -> bool {
    !definition.is_local && !NOT_SYMBOLS.contains(&definition.kind())
}

/// For each identifier of a file, the innermost symbol around it.
#[derive(Debug)]
pub struct Owners(Vec<Option<u32>>);

impl Owners {
    /// The owners of all identifiers. A symbol's own name belongs to what is around the symbol.
    pub fn of(symbols: &Symbols) -> Self {
        let all = symbols.definitions.iter().zip(0..).filter(|(one, _)| is_symbol(one));
        let mut nodes: Vec<(&Definition, u32)> = all.collect();
        nodes.sort_by_key(|(one, number)| (one.start, Reverse(one.end), *number));
        let mut nodes = nodes.into_iter().peekable();
        let mut around: Vec<(&Definition, u32)> = Vec::new();
        let owner = |(at, one): (usize, &index::Occurrence)| {
            while let Some(next) = nodes.next_if(|(node, _)| node.start <= one.start) {
                around.push(next);
            }
            around.retain(|(node, _)| one.start < node.end);
            let mut inside = around.iter().rev();
            inside.find(|(node, _)| node.occurrence != at as u32).map(|(_, number)| *number)
        };
        Self(symbols.occurrences.iter().enumerate().map(owner).collect())
    }

    /// The symbol around an identifier; `None` at the top level of the file.
    pub fn owner(&self, occurrence: u32) -> Option<u32> {
        self.0.get(occurrence as usize).copied().flatten()
    }
}
