//! Declarations of a file: items of its modules, members of types, traits and impls. What stands
//! in the body of a function is local to it and no symbol.

use proc_macro2::Span;
use serde_json::{json, Value};
use syn::{
    spanned::Spanned, AttrStyle, Attribute, Fields, ImplItem, Item, Meta, TraitItem, Type,
    Visibility,
};

/// All symbols in source order.
pub fn of(items: &[Item]) -> Vec<Value> {
    let mut symbols = Vec::new();
    walk(items, None, &mut symbols);
    symbols
}

/// A declaration as its parts.
struct Declaration<'a> {
    name: &'a syn::Ident,
    kind: &'static str,
    /// The first token behind the attributes, if no visibility is written.
    keyword: Span,
    whole: Span,
    attributes: &'a [Attribute],
    written: &'a Visibility,
}

impl Declaration<'_> {
    fn symbol(&self, parent: Option<&str>, visibility: &str) -> Value {
        let first = match self.written {
            Visibility::Inherited => self.keyword,
            written => written.span(),
        };
        let decorated = self
            .attributes
            .iter()
            .filter(|of| matches!(of.style, AttrStyle::Outer) && !is_comment(of))
            .map(|of| of.span().start().line)
            .min();
        let line = first.start().line;
        json!({
            "name": self.name.to_string(), "kind": self.kind,
            "line": self.name.span().start().line,
            "decl_line": decorated.map_or(line, |of| of.min(line)),
            "end_line": self.whole.end().line,
            "parent": parent, "visibility": visibility, "exported": visibility == "public",
        })
    }
}

fn word(visibility: &Visibility) -> &'static str {
    match visibility {
        Visibility::Public(_) => "public",
        Visibility::Restricted(of) if of.path.is_ident("self") => "private",
        Visibility::Restricted(_) => "restricted",
        Visibility::Inherited => "private",
    }
}

/// The name by which members of an impl are filed: the last segment of a path behind references,
/// the text of any other type.
fn target(of: &Type) -> String {
    let mut of = of;
    loop {
        match of {
            Type::Reference(reference) => of = &reference.elem,
            Type::Group(group) => of = &group.elem,
            Type::Paren(paren) => of = &paren.elem,
            Type::Path(path) => {
                return path
                    .path
                    .segments
                    .last()
                    .map_or_else(String::new, |of| of.ident.to_string())
            }
            other => {
                let text = other.span().source_text().unwrap_or_default();
                return text.split_whitespace().collect::<Vec<_>>().join(" ");
            }
        }
    }
}

fn walk(items: &[Item], parent: Option<&str>, out: &mut Vec<Value>) {
    for item in items {
        match item {
            Item::Impl(of) => impl_members(of, out),
            Item::Macro(of) => out.extend(macro_rules(of, parent)),
            _ => {
                let Some(declaration) = declaration(item) else { continue };
                out.push(declaration.symbol(parent, word(declaration.written)));
                members(item, out);
            }
        }
    }
}

fn declaration(item: &Item) -> Option<Declaration<'_>> {
    macro_rules! declared {
        ($item:ident, $kind:literal, $keyword:expr) => {
            Some(Declaration {
                name: &$item.ident,
                kind: $kind,
                keyword: $keyword,
                whole: $item.span(),
                attributes: &$item.attrs,
                written: &$item.vis,
            })
        };
    }
    match item {
        Item::Fn(of) => Some(Declaration {
            name: &of.sig.ident,
            kind: "function",
            keyword: of.sig.span(),
            whole: of.span(),
            attributes: &of.attrs,
            written: &of.vis,
        }),
        Item::Struct(of) => declared!(of, "struct", of.struct_token.span),
        Item::Enum(of) => declared!(of, "enum", of.enum_token.span),
        Item::Union(of) => declared!(of, "union", of.union_token.span),
        Item::Type(of) => declared!(of, "type", of.type_token.span),
        Item::Const(of) => declared!(of, "constant", of.const_token.span),
        Item::Static(of) => declared!(of, "static", of.static_token.span),
        Item::Trait(of) => {
            let unsafety = of.unsafety.as_ref().map(|token| token.span);
            let auto = of.auto_token.as_ref().map(|token| token.span);
            declared!(of, "trait", unsafety.or(auto).unwrap_or(of.trait_token.span))
        }
        Item::Mod(of) => {
            let unsafety = of.unsafety.as_ref().map(|token| token.span);
            declared!(of, "module", unsafety.unwrap_or(of.mod_token.span))
        }
        _ => None,
    }
}

fn members(item: &Item, out: &mut Vec<Value>) {
    match item {
        Item::Struct(of) => {
            let Fields::Named(fields) = &of.fields else { return };
            let parent = of.ident.to_string();
            for field in &fields.named {
                let Some(name) = &field.ident else { continue };
                let declaration = Declaration {
                    name,
                    kind: "field",
                    keyword: name.span(),
                    whole: field.span(),
                    attributes: &field.attrs,
                    written: &field.vis,
                };
                out.push(declaration.symbol(Some(&parent), word(&field.vis)));
            }
        }
        Item::Enum(of) => {
            let parent = of.ident.to_string();
            for variant in &of.variants {
                let declaration = Declaration {
                    name: &variant.ident,
                    kind: "variant",
                    keyword: variant.ident.span(),
                    whole: variant.span(),
                    attributes: &variant.attrs,
                    written: &Visibility::Inherited,
                };
                out.push(declaration.symbol(Some(&parent), word(&of.vis)));
            }
        }
        Item::Trait(of) => {
            let parent = of.ident.to_string();
            for member in &of.items {
                let TraitItem::Fn(method) = member else { continue };
                let declaration = Declaration {
                    name: &method.sig.ident,
                    kind: "method",
                    keyword: method.sig.span(),
                    whole: method.span(),
                    attributes: &method.attrs,
                    written: &Visibility::Inherited,
                };
                out.push(declaration.symbol(Some(&parent), word(&of.vis)));
            }
        }
        Item::Mod(of) => {
            if let Some((_, items)) = &of.content {
                walk(items, Some(&of.ident.to_string()), out);
            }
        }
        _ => {}
    }
}

/// Methods and constants of an impl. What implements a trait is as visible as the trait.
fn impl_members(of: &syn::ItemImpl, out: &mut Vec<Value>) {
    let parent = target(&of.self_ty);
    for member in &of.items {
        let declaration = match member {
            ImplItem::Fn(method) => Declaration {
                name: &method.sig.ident,
                kind: "method",
                keyword: method.defaultness.as_ref().map_or(method.sig.span(), |of| of.span),
                whole: method.span(),
                attributes: &method.attrs,
                written: &method.vis,
            },
            ImplItem::Const(constant) => Declaration {
                name: &constant.ident,
                kind: "constant",
                keyword: constant
                    .defaultness
                    .as_ref()
                    .map_or(constant.const_token.span, |of| of.span),
                whole: constant.span(),
                attributes: &constant.attrs,
                written: &constant.vis,
            },
            _ => continue,
        };
        let visibility = if of.trait_.is_some() { "inherited" } else { word(declaration.written) };
        out.push(declaration.symbol(Some(&parent), visibility));
    }
}

/// A `macro_rules!` definition: public if it is exported by attribute.
fn macro_rules(of: &syn::ItemMacro, parent: Option<&str>) -> Option<Value> {
    let exported = of.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"));
    let declaration = Declaration {
        name: of.ident.as_ref()?,
        kind: "macro",
        keyword: of.mac.path.span(),
        whole: of.span(),
        attributes: &of.attrs,
        written: &Visibility::Inherited,
    };
    Some(declaration.symbol(parent, if exported { "public" } else { "private" }))
}

/// Whether an attribute is a documentation comment, which is read as `#[doc = "..."]`.
fn is_comment(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc") && matches!(attribute.meta, Meta::NameValue(_))
}
