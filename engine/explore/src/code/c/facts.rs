//! Facts of a file of C or C++.

use serde_json::{Value, json};

use super::preprocessor::CPP_HEADERS;
use crate::{
    code::walk::{Walk, distinct},
    import::ImportCategory,
    symbol::SymbolKind,
};

/// Sets the facts that the comparator reports about a whole file.
pub(super) fn set(walk: &mut Walk, cpp: bool) {
    let mut lists: [Vec<&str>; 4] = Default::default();
    for import in &walk.imports {
        let list = match import.category {
            ImportCategory::Local => 3,
            ImportCategory::Stdlib if cpp && CPP_HEADERS.has_above(&import.path, '/') => 0,
            ImportCategory::Stdlib => 1,
            _ => 2,
        };
        if let Some(list) = lists.get_mut(list) {
            list.push(&import.path);
        }
    }
    let [cpp_stdlib, stdlib, system, local] = lists.map(distinct);
    let includes = if cpp {
        json!({ "cpp_stdlib": cpp_stdlib, "c_stdlib": stdlib, "system": system, "local": local })
    } else {
        json!({ "stdlib": stdlib, "system": system, "local": local })
    };
    let main = walk
        .symbols
        .iter()
        .any(|symbol| symbol.kind == SymbolKind::Function && symbol.name == "main");
    let guard = walk
        .symbols
        .iter()
        .find(|symbol| symbol.has_idiom("header_guard"))
        .map(|symbol| symbol.name.clone());
    let once = walk.text.lines().any(|line| line.trim_start().starts_with("#pragma once"));
    let extension = walk.file.rsplit_once('.').map_or("", |(_, extension)| extension);
    let header = extension.starts_with('h') || matches!(extension, "inl" | "ipp" | "tpp" | "cuh");
    let facts: [(&str, Value); 6] = [
        ("includes", includes),
        ("include_count", walk.imports.len().into()),
        ("has_main", main.into()),
        ("is_header", header.into()),
        ("header_guard", guard.into()),
        ("has_pragma_once", once.into()),
    ];
    for (name, value) in facts {
        walk.facts.set(name, value);
    }
}
