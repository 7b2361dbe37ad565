//! The values for keys of the comparator's metadata: functions that several layouts use.

use serde_json::{Value, json};

use super::Sheet;
use crate::symbol::Symbol;

/// A symbol's name.
pub fn name(_: &Sheet, symbol: &Symbol) -> Value {
    json!(symbol.name)
}

/// A symbol's modifiers.
pub fn modifiers(_: &Sheet, symbol: &Symbol) -> Value {
    json!(symbol.modifiers)
}

/// The type of a value, or the return type of a callable.
pub fn return_type(_: &Sheet, symbol: &Symbol) -> Value {
    json!(symbol.return_type)
}

/// Parameters as written.
pub fn params(_: &Sheet, symbol: &Symbol) -> Value {
    json!(symbol.params)
}

/// Decorators as written.
pub fn decorators(_: &Sheet, symbol: &Symbol) -> Value {
    json!(symbol.decorators)
}

/// Whether a symbol is exported.
pub fn is_exported(_: &Sheet, symbol: &Symbol) -> Value {
    json!(symbol.exported.unwrap_or(false))
}
