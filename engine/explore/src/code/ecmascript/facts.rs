//! Facts of a whole file: its module system, its exports, whether it runs code.

use serde_json::json;

use super::{Ecmascript, What, exports::Export};
use crate::{
    code::walk::{Walk, distinct},
    import::ImportCategory,
    symbol::SymbolKind,
};

impl Ecmascript {
    /// JavaScript's facts.
    pub(super) fn set_javascript_facts(&self, walk: &mut Walk) {
        if let Some(exports) = &self.exports {
            walk.facts.set("exports", exports);
        }
        let components = self.components(&walk.symbols, false);
        walk.facts.set("module_system", self.module_system());
        walk.facts.set("is_react", imports_react(walk) || !components.is_empty());
        walk.facts.set("has_use_strict", self.has_seen(&What::Strict));
        walk.facts.set("has_jsx", self.has_seen(&What::Jsx));
        walk.facts.set("has_iife", self.has_seen(&What::Iife));
        walk.facts.set("import_count", walk.imports.len());
        walk.facts.set("export_count", self.exports.as_ref().map_or(0, Vec::len));
        for (field, kind) in [
            ("class_count", SymbolKind::Class),
            ("function_count", SymbolKind::Function),
            ("global_variable_count", SymbolKind::Variable),
        ] {
            let count = walk.symbols.iter().filter(|symbol| symbol.kind == kind).count();
            walk.facts.set(field, count);
        }
        walk.facts.set("react_components", components);
        if self.exports.is_none() {
            walk.facts.set("exports", [(); 0]);
        }
        set_imports(walk);
    }

    /// TypeScript's facts.
    pub(super) fn set_typescript_facts(&self, walk: &mut Walk) {
        let (mut named, mut default, mut again) = (Vec::new(), None, Vec::new());
        for export in self.exports.iter().flatten() {
            match export {
                Export::Default { name } => default = Some(name.as_deref().unwrap_or("default")),
                Export::All { name: Some(name), source } => {
                    again.push(format!("{name} from \"{source}\""));
                }
                Export::All { name: None, source } => again.push(format!("* from \"{source}\"")),
                Export::Listed { name, source: Some(source) } => {
                    again.push(format!("{{ {name} }} from \"{source}\""));
                }
                Export::Listed { name, source: None }
                | Export::Declared { name }
                | Export::CommonJs { name } => named.push(name.as_str()),
            }
        }
        let exports = json!({ "named": named, "default": default, "re_exports": again });
        if self.exports.is_some() {
            walk.facts.set("exports", &exports);
        }
        let is_react = walk.file.ends_with(".tsx") || imports_react(walk);
        let components = if is_react { self.components(&walk.symbols, true) } else { Vec::new() };
        let runs = self.has_seen(&What::Run)
            || self.has_seen(&What::Iife)
            || walk.text.contains("require.main === module");
        walk.facts.set("module_type", self.module_system());
        walk.facts.set("is_react", is_react);
        walk.facts.set("has_entry_point", runs);
        walk.facts.set("exports", exports);
        walk.facts.set("react_components", components);
        set_imports(walk);
    }

    fn module_system(&self) -> &'static str {
        match (self.has_seen(&What::Esm), self.has_seen(&What::CommonJs)) {
            (true, true) => "mixed",
            (true, false) => "esm",
            (false, true) => "commonjs",
            (false, false) => "unknown",
        }
    }
}

fn imports_react(walk: &Walk) -> bool {
    walk.imports.iter().any(|one| matches!(one.path.as_str(), "react" | "react-dom"))
}

/// Distinct modules by category.
fn set_imports(walk: &mut Walk) {
    let mut sets: [Vec<&str>; 3] = Default::default();
    for import in &walk.imports {
        let [builtin, third_party, local] = &mut sets;
        let set = match import.category {
            ImportCategory::Stdlib => builtin,
            ImportCategory::Local => local,
            _ => third_party,
        };
        set.push(&import.path);
    }
    let [builtin, third_party, local] = sets.map(distinct);
    let sets = json!({ "builtin": builtin, "third_party": third_party, "local": local });
    walk.facts.set("imports", sets);
}
