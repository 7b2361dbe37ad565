//! What a whole file says: its module system, React components, entry points.

use serde_json::{Value, json};
use tree_sitter::Node;

use crate::{
    code::{
        volt::qualified,
        walk::{Memo, Sighting, Walk, distinct},
    },
    import::ImportCategory,
    symbol::{Symbol, SymbolKind},
};

/// JavaScript's facts.
pub fn finish_javascript(walk: &mut Walk, _: Node) {
    let components = components(walk, false);
    let system = module_system(&walk.memo);
    set(walk, "module_system", json!(system));
    let is_react = imports_react(walk) || !components.is_empty();
    set(walk, "is_react", json!(is_react));
    for (field, sighting) in
        [("has_use_strict", "strict"), ("has_jsx", "jsx"), ("has_iife", "iife")]
    {
        let seen = seen(&walk.memo, sighting);
        set(walk, field, json!(seen));
    }
    let count = |kinds: &[SymbolKind]| {
        json!(walk.symbols.iter().filter(|one| kinds.contains(&one.kind)).count())
    };
    let (classes, functions, globals) = (
        count(&[SymbolKind::Class]),
        count(&[SymbolKind::Function]),
        count(&[SymbolKind::Variable]),
    );
    let imports = json!(walk.imports.len());
    let exports = walk.fields.get("exports").and_then(Value::as_array).map_or(0, Vec::len);
    let exports = json!(exports);
    for (field, value) in [
        ("import_count", imports),
        ("export_count", exports),
        ("class_count", classes),
        ("function_count", functions),
        ("global_variable_count", globals),
        ("react_components", Value::Array(components)),
    ] {
        set(walk, field, value);
    }
    walk.fields.entry("exports").or_insert_with(|| json!([]));
    import_sets(walk);
}

/// TypeScript's facts.
pub fn finish_typescript(walk: &mut Walk, _: Node) {
    let is_tsx = walk.file.ends_with(".tsx");
    let is_react = is_tsx || imports_react(walk);
    let components = if is_react { components(walk, true) } else { Vec::new() };
    let system = module_system(&walk.memo);
    let runs = ["run", "iife"].into_iter().any(|word| seen(&walk.memo, word))
        || walk.text.contains("require.main === module");
    let (mut named, mut default, mut again) = (Vec::new(), Value::Null, Vec::new());
    for export in exports(walk) {
        let word = |key: &str| export.get(key).and_then(Value::as_str);
        match (word("type"), word("name"), word("source")) {
            (Some("default"), name, _) => default = json!(name.unwrap_or("default")),
            (Some("all"), Some(name), Some(source)) => {
                again.push(format!("{name} from \"{source}\""));
            }
            (Some("all"), None, Some(source)) => again.push(format!("* from \"{source}\"")),
            (_, Some(name), Some(source)) => again.push(format!("{{ {name} }} from \"{source}\"")),
            (_, Some(name), None) => named.push(name.to_owned()),
            _ => {}
        }
    }
    for (field, value) in [
        ("module_type", json!(system)),
        ("is_react", json!(is_react)),
        ("has_entry_point", json!(runs)),
        ("exports", json!({ "named": named, "default": default, "re_exports": again })),
        ("react_components", Value::Array(components)),
    ] {
        set(walk, field, value);
    }
    import_sets(walk);
}

fn set(walk: &mut Walk, field: &str, value: Value) {
    walk.fields.insert(field.to_owned(), value);
}

fn seen(memo: &Memo, what: &str) -> bool {
    memo.sightings.iter().any(|seen| seen.what == what)
}

/// Takes the exports out of the fields.
fn exports(walk: &mut Walk) -> Vec<Value> {
    match walk.fields.get_mut("exports").map(Value::take) {
        Some(Value::Array(exports)) => exports,
        _ => Vec::new(),
    }
}

fn module_system(memo: &Memo) -> &'static str {
    match (seen(memo, "esm"), seen(memo, "commonjs")) {
        (true, true) => "mixed",
        (true, false) => "esm",
        (false, true) => "commonjs",
        (false, false) => "unknown",
    }
}

fn imports_react(walk: &Walk) -> bool {
    walk.imports.iter().any(|one| matches!(one.path.as_str(), "react" | "react-dom"))
}

/// Distinct modules by category.
fn import_sets(walk: &mut Walk) {
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
    set(walk, "imports", sets);
}

/// Functions and classes with a capital whose lines hold JSX, or that derive from a component.
fn components(walk: &Walk, typed: bool) -> Vec<Value> {
    let mut found = Vec::new();
    for (index, symbol) in walk.symbols.iter().enumerate() {
        if !symbol.name.starts_with(char::is_uppercase) {
            continue;
        }
        let inside = inside(walk, index, symbol);
        let of = |what: &'static str| inside.iter().filter(move |seen| seen.what == what);
        let kind = match symbol.kind {
            SymbolKind::Class if is_component_class(symbol) => "class",
            SymbolKind::Function if of("jsx").next().is_some() => {
                if symbol.has_idiom("arrow") {
                    "arrow"
                } else {
                    "function"
                }
            }
            _ => continue,
        };
        let hooks = distinct(of("hook").map(|hook| hook.text.as_str()));
        let mut component = json!({
            "name": symbol.name, "type": kind, "line": symbol.line,
            "has_hooks": !hooks.is_empty(), "used_hooks": hooks,
        });
        if let Some(object) = component.as_object_mut().filter(|_| typed) {
            let props = props_type(symbol);
            object.insert(
                "has_props".to_owned(),
                json!(!symbol.params.is_empty() || props.is_some()),
            );
            object.insert("props_type".to_owned(), json!(props));
            object.insert("is_exported".to_owned(), json!(symbol.exported));
        }
        found.push(component);
    }
    found
}

/// What was seen in a symbol.
fn inside<'w>(walk: &'w Walk, index: usize, symbol: &Symbol) -> &'w [Sighting] {
    let all = walk.memo.sightings.as_slice();
    let start = all.partition_point(|seen| seen.behind <= index);
    let mut end = all.partition_point(|seen| seen.line <= symbol.end_line);
    if symbol.decl_line == symbol.end_line {
        // Any number of others may stand on the line: it ends before the next that is not in it.
        let own = qualified(symbol, ".");
        let is_nested = |parent: &str| {
            parent.strip_prefix(&own).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let next = walk.symbols.iter().skip(index + 1);
        let nested = next.take_while(|one| one.parent.as_deref().is_some_and(is_nested)).count();
        end = end.min(all.partition_point(|seen| seen.behind <= index + 1 + nested));
    }
    all.get(start..end).unwrap_or_default()
}

fn is_component_class(symbol: &Symbol) -> bool {
    let name = |base: &String| base.split(['<', '(']).next().unwrap_or_default().trim().to_owned();
    symbol.bases.iter().map(name).any(|base| base.ends_with("Component"))
}

/// The type of a component's properties: of its only parameter, or in `FC<Props>`.
fn props_type(symbol: &Symbol) -> Option<String> {
    let annotated = symbol.params.first().and_then(|one| one.rsplit_once(": ")).map(|(_, of)| of);
    let generic = |text: &str| {
        let (_, inner) = text.split_once('<')?;
        Some(inner.strip_suffix('>').unwrap_or(inner).to_owned())
    };
    let of = symbol
        .return_type
        .as_deref()
        .filter(|text| text.contains("FC<") || text.contains("FunctionComponent<"));
    let base = symbol.bases.first().map(String::as_str);
    annotated.map(str::to_owned).or_else(|| generic(of?)).or_else(|| generic(base?))
}
