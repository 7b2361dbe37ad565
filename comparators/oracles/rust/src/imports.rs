//! `use` and `extern crate` of modules, one import per path at the leaves of a tree.
//!
//! The first segment decides the category: a crate of the toolchain, a crate or module of the
//! project, else something installed. Names that the module itself declares or imports are looked
//! up first, as the language does.

use std::collections::BTreeMap;

use serde_json::{json, Value};
use syn::{spanned::Spanned, Item, UseTree};

use crate::packages::Around;

const STDLIB: [&str; 5] = ["std", "core", "alloc", "proc_macro", "test"];

type Leaf = (Vec<String>, Option<String>);

/// All imports in source order.
pub fn of(items: &[Item], around: &Around) -> Vec<Value> {
    let mut out = Vec::new();
    walk(items, &mut Vec::new(), around, &mut out);
    out
}

/// What the names of one module stand for.
#[derive(Default)]
struct Scope {
    names: BTreeMap<String, Meaning>,
    sees_parent: bool,
}

enum Meaning {
    Declared,
    Imported(String),
}

fn walk(items: &[Item], scopes: &mut Vec<Scope>, around: &Around, out: &mut Vec<Value>) {
    scopes.push(scope(items));
    for item in items {
        match item {
            Item::Use(of) => {
                for (segments, _) in leaves(&of.tree) {
                    let first = segments.first().map_or("", String::as_str);
                    let category = if of.leading_colon.is_some() && !around.edition_2015 {
                        crate_category(first, around)
                    } else {
                        category(first, scopes, around)
                    };
                    out.push(import(&segments.join("::"), category, of.span()));
                }
            }
            Item::ExternCrate(of) => {
                let name = of.ident.to_string();
                let category = if name == "self" { "local" } else { crate_category(&name, around) };
                out.push(import(&name, category, of.span()));
            }
            Item::Mod(of) => {
                if let Some((_, items)) = &of.content {
                    walk(items, scopes, around, out);
                }
            }
            _ => {}
        }
    }
    scopes.pop();
}

fn import(path: &str, category: &str, span: proc_macro2::Span) -> Value {
    json!({"path": path, "names": [], "category": category, "line": span.start().line})
}

/// The names that a module's items bind.
fn scope(items: &[Item]) -> Scope {
    let mut scope = Scope::default();
    for item in items {
        let declared = match item {
            Item::Mod(of) => &of.ident,
            Item::Enum(of) => &of.ident,
            Item::Struct(of) => &of.ident,
            Item::Union(of) => &of.ident,
            Item::Trait(of) => &of.ident,
            Item::Type(of) => &of.ident,
            Item::Fn(of) => &of.sig.ident,
            Item::Const(of) => &of.ident,
            Item::Static(of) => &of.ident,
            Item::Macro(of) => match &of.ident {
                Some(name) => name,
                None => continue,
            },
            Item::ExternCrate(of) => {
                if let Some((_, name)) = &of.rename {
                    scope.names.insert(name.to_string(), Meaning::Imported(of.ident.to_string()));
                }
                continue;
            }
            Item::Use(of) => {
                for (segments, bound) in leaves(&of.tree) {
                    let first = segments.first().cloned().unwrap_or_default();
                    if segments == ["super", "*"] {
                        scope.sees_parent = true;
                    }
                    // `use serde;` binds a name to the crate of that name: nothing new.
                    if let Some(bound) = bound.filter(|bound| *bound != first) {
                        scope.names.entry(bound).or_insert(Meaning::Imported(first));
                    }
                }
                continue;
            }
            _ => continue,
        };
        scope.names.insert(declared.to_string(), Meaning::Declared);
    }
    scope
}

/// Segments of each path at the leaves, and the name that it binds.
fn leaves(tree: &UseTree) -> Vec<Leaf> {
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), tree)];
    while let Some((mut before, tree)) = open.pop() {
        match tree {
            UseTree::Path(of) => {
                before.push(of.ident.to_string());
                open.push((before, &of.tree));
            }
            UseTree::Group(of) => {
                open.extend(of.items.iter().rev().map(|tree| (before.clone(), tree)));
            }
            UseTree::Name(of) => {
                let name = of.ident.to_string();
                let bound =
                    if name == "self" { before.last().cloned() } else { Some(name.clone()) };
                before.push(name);
                found.push((before, bound));
            }
            UseTree::Rename(of) => {
                before.push(of.ident.to_string());
                found.push((before, Some(of.rename.to_string())));
            }
            UseTree::Glob(_) => {
                before.push("*".to_owned());
                found.push((before, None));
            }
        }
    }
    found
}

fn category(first: &str, scopes: &[Scope], around: &Around) -> &'static str {
    let mut first = first.to_owned();
    // An import may begin with a name that another import binds; longer chains do not occur.
    for _ in 0..8 {
        if matches!(first.as_str(), "crate" | "self" | "super" | "$crate") {
            return "local";
        }
        let mut meaning = None;
        for scope in scopes.iter().rev() {
            meaning = scope.names.get(&first);
            if meaning.is_some() || !scope.sees_parent {
                break;
            }
        }
        match meaning {
            Some(Meaning::Declared) => return "local",
            Some(Meaning::Imported(from)) => first.clone_from(from),
            None => break,
        }
    }
    if around.edition_2015 && around.modules.contains(&first) {
        return "local";
    }
    crate_category(&first, around)
}

fn crate_category(name: &str, around: &Around) -> &'static str {
    if STDLIB.contains(&name) {
        "stdlib"
    } else if around.crates.contains(name) {
        "local"
    } else {
        "third_party"
    }
}
