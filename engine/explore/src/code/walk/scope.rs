//! Scopes: what the declarations of a file belong to.

use crate::symbol::{SymbolKind, Visibility};

/// What the walk does below a node.
#[derive(Debug)]
pub enum Step {
    /// Go into its children in the same scope.
    Into,
    /// Go into its children, which belong to this scope.
    Inside(Scope),
    /// Leave its children out.
    Skip,
}

/// A scope that symbols can belong to.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Its qualified name, as [`Symbol::parent`] shows it; none at the top.
    pub name: Option<String>,
    /// The kind of the symbol that made it.
    pub kind: Option<SymbolKind>,
    /// Whether it is the body of a callable: what is declared there is local.
    pub callable: bool,
    /// Visibility of members that say nothing, where the scope decides it.
    pub visibility: Option<Visibility>,
    /// Whether users outside can reach its members.
    pub exported: Option<bool>,
    /// A word for the language's own use.
    pub mark: &'static str,
    /// Index of the symbol that made it, where the language asks for it.
    pub symbol: Option<usize>,
}
