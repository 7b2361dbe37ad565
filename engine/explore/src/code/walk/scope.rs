//! Scopes: the owners of the declarations in a file.

use crate::symbol::{SymbolKind, Visibility};

/// What the walk does below a node.
#[derive(Debug)]
pub enum Step {
    /// Go into its children in the same scope.
    Into,
    /// Go into its children, which belong to this scope.
    Inside(Scope),
    /// Skip its children.
    Skip,
}

/// A scope that symbols can belong to.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Its qualified name, as shown in [`Symbol::parent`]; `None` at the top level.
    pub name: Option<String>,
    /// The kind of the symbol that made it.
    pub kind: Option<SymbolKind>,
    /// Whether it is the body of a callable: declarations in it are local.
    pub callable: bool,
    /// Visibility of members that do not state any, if the scope decides it.
    pub visibility: Option<Visibility>,
    /// Whether its members can be used from outside.
    pub exported: Option<bool>,
    /// A mark for the language's own use.
    pub mark: &'static str,
    /// Index of the symbol that made it, if the language records it.
    pub symbol: Option<usize>,
}
