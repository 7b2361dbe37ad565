//! The visibility of declarations, and whether other units can use them.

use std::collections::{BTreeMap, BTreeSet};

use super::C;
use crate::{
    code::walk::Walk,
    symbol::{Symbol, SymbolKind, Visibility},
};

/// Sets the visibility of a symbol, and whether other units can use it. `internal` says that it has
/// no linkage outside its unit.
pub(super) fn limit(walk: &Walk, symbol: &mut Symbol, internal: bool) {
    let scope = walk.scope();
    symbol.visibility = scope.and_then(|scope| scope.visibility);
    let hidden = symbol.visibility.is_some_and(|visibility| visibility != Visibility::Public);
    let buried = scope.is_some_and(|scope| scope.exported == Some(false));
    // A field has no linkage.
    let linked = symbol.kind != SymbolKind::Field;
    symbol.exported = Some(linked && !hidden && !internal && !buried);
}

impl C {
    /// Runs at the end of the walk: members that are defined outside their class get the visibility
    /// declared in the class, and a function that was declared `static` once is `static`
    /// everywhere.
    pub(super) fn apply_linkage(&self, walk: &mut Walk) {
        let mut inside: BTreeMap<(String, String), (Option<Visibility>, Option<bool>)> =
            BTreeMap::new();
        let mut statics: BTreeSet<String> = BTreeSet::new();
        for (index, symbol) in walk.symbols.iter().enumerate() {
            let outside = self.defined_outside.contains(&index);
            if let Some(parent) = symbol.parent.clone().filter(|_| !outside) {
                inside
                    .entry((parent, symbol.name.clone()))
                    .or_insert((symbol.visibility, symbol.exported));
            }
            if symbol.kind == SymbolKind::Function && symbol.has_modifier("static") {
                statics.insert(symbol.name.clone());
            }
        }
        for (index, symbol) in walk.symbols.iter_mut().enumerate() {
            if self.defined_outside.contains(&index) {
                let key = (symbol.parent.clone().unwrap_or_default(), symbol.name.clone());
                if let Some((visibility, exported)) = inside.get(&key) {
                    (symbol.visibility, symbol.exported) = (*visibility, *exported);
                }
            }
            if symbol.kind == SymbolKind::Function && statics.contains(&symbol.name) {
                symbol.exported = Some(false);
            }
        }
    }
}
