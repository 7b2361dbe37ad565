//! Objective-C: C with classes and messages.

use tree_sitter::Node;

use super::{
    c::{C, declarator::declared},
    doc,
    walk::{Scope, Step, Visitor, Walk, child, children, folded, line},
};
use crate::{
    import::ImportCategory,
    symbol::{SymbolKind, Visibility},
};

/// Objective-C.
#[derive(Debug)]
pub struct ObjectiveC(C);

impl Default for ObjectiveC {
    fn default() -> Self {
        Self(C::new(false))
    }
}

/// Prefixes of the names of the frameworks that come with the system, up to the first capital of
/// their second word; everything else is installed.
const SYSTEM: &[&str] = &[
    "Foundation",
    "UIKit",
    "AppKit",
    "Cocoa",
    "WebKit",
    "MapKit",
    "StoreKit",
    "Security",
    "SystemConfiguration",
    "MobileCoreServices",
    "UniformTypeIdentifiers",
    "Photos",
    "PhotosUI",
    "AudioToolbox",
    "AVFoundation",
    "AVKit",
    "Accelerate",
    "Accounts",
    "AddressBook",
    "Contacts",
    "CloudKit",
    "GameKit",
    "HealthKit",
    "IOKit",
    "ImageIO",
    "JavaScriptCore",
    "LocalAuthentication",
    "MediaPlayer",
    "MessageUI",
    "Metal",
    "MetalKit",
    "Network",
    "OpenGLES",
    "QuartzCore",
    "SafariServices",
    "SceneKit",
    "SpriteKit",
    "SwiftUI",
    "UserNotifications",
    "Vision",
    "XCTest",
    "objc",
    "os",
    "dispatch",
    "simd",
    "mach",
    "mach-o",
    "sys",
    "libkern",
    "TargetConditionals.h",
];

impl Visitor for ObjectiveC {
    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "preproc_include" => {
                let before = walk.imports.len();
                let step = self.0.enter(walk, node);
                for import in walk.imports.get_mut(before..).unwrap_or_default() {
                    if import.category == ImportCategory::ThirdParty && is_system(&import.path) {
                        import.category = ImportCategory::Stdlib;
                    }
                }
                step
            }
            "module_import" => {
                if let Some(path) = walk.field_text(node, "path") {
                    let category = if is_system(path) {
                        ImportCategory::Stdlib
                    } else {
                        ImportCategory::ThirdParty
                    };
                    walk.import(path, Vec::new(), category, node);
                }
                Step::Skip
            }
            "class_interface" => class(walk, node, SymbolKind::Class),
            "class_implementation" => class(walk, node, SymbolKind::Impl),
            "protocol_declaration" => class(walk, node, SymbolKind::Protocol),
            "method_declaration" | "method_definition" => method(walk, node),
            "property_declaration" => values(walk, node, SymbolKind::Property),
            "instance_variable" => values(walk, node, SymbolKind::Field),
            "instance_variables"
            | "implementation_definition"
            | "qualified_protocol_interface_declaration" => Step::Into,
            "property_implementation" => synthesize(walk, node),
            _ => self.0.enter(walk, node),
        }
    }

    fn prepare(&self, file: &str, text: &str) -> Option<String> {
        self.0.prepare(file, text)
    }

    fn finish(&mut self, walk: &mut Walk, root: Node) {
        self.0.finish(walk, root);
        let extension = walk.file.rsplit_once('.').map_or("", |(_, extension)| extension);
        walk.facts.set("is_objc_plus_plus", extension == "mm");
    }
}

/// Whether a header or module belongs to a framework of the system.
fn is_system(path: &str) -> bool {
    let framework = path.split(['/', '.']).next().unwrap_or(path);
    framework.starts_with("Core") && path.contains('/')
        || SYSTEM.contains(&framework)
        || SYSTEM.contains(&path)
}

/// An interface, a category, an extension, an implementation or a protocol.
fn class(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let Some(name) = child(node, "identifier") else { return Step::Into };
    let own = walk.node_text(name);
    let category = node.child_by_field_name("category");
    let mut symbol = match category {
        Some(category) if kind == SymbolKind::Class => {
            let mut symbol = walk.symbol(SymbolKind::Category, category, node);
            symbol.bases.push(own.to_owned());
            symbol
        }
        Some(category) => {
            let mut symbol = walk.symbol(kind, name, node);
            symbol.idioms.push(format!("category {}", walk.node_text(category)));
            symbol
        }
        None => walk.symbol(kind, name, node),
    };
    // `@interface A ()` adds private members to a class.
    let after = walk.text.get(name.end_byte()..node.end_byte()).unwrap_or_default();
    if kind == SymbolKind::Class && category.is_none() && after.trim_start().starts_with('(') {
        symbol.kind = SymbolKind::Extension;
    }
    symbol.bases.extend(walk.field_text(node, "superclass").map(str::to_owned));
    for list in children(node) {
        if matches!(list.kind(), "protocol_reference_list" | "parameterized_arguments") {
            symbol.decorators.extend(children(list).map(|each| folded(walk.node_text(each))));
        }
    }
    symbol.exported = Some(symbol.kind != SymbolKind::Extension && kind != SymbolKind::Impl);
    symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
    walk.symbols.push(symbol);
    Step::Inside(Scope { name: Some(own.to_owned()), ..Scope::default() })
}

fn method(walk: &mut Walk, node: Node) -> Step {
    let mut selector = String::new();
    let mut params = Vec::new();
    let mut place = None;
    for part in children(node) {
        match part.kind() {
            "identifier" => {
                place = place.or(Some(part));
                selector.push_str(walk.node_text(part));
            }
            "method_parameter" => {
                selector.push(':');
                params.push(folded(walk.node_text(part).trim_start_matches(':')));
            }
            _ => {}
        }
    }
    let Some(place) = place else { return Step::Skip };
    let of_class = walk.node_text(node).starts_with('+');
    let kind = if of_class { SymbolKind::SingletonMethod } else { SymbolKind::Method };
    let mut symbol = walk.named(kind, &selector, line(place), node);
    symbol.params = params;
    symbol.return_type = child(node, "method_type")
        .map(|part| folded(walk.node_text(part)).trim_matches(['(', ')']).to_owned());
    symbol.modifiers.push(if of_class { "+" } else { "-" }.to_owned());
    if node.kind() == "method_declaration" {
        symbol.idioms.push("declaration".to_owned());
    }
    symbol.visibility = Some(Visibility::Public);
    symbol.exported = Some(true);
    symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
    walk.symbols.push(symbol);
    Step::Skip
}

/// Properties and instance variables.
fn values(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let attributes: Vec<String> = child(node, "property_attributes_declaration")
        .into_iter()
        .flat_map(children)
        .map(|attribute| folded(walk.node_text(attribute)))
        .collect();
    let Some(declaration) = child(node, "struct_declaration") else { return Step::Skip };
    let typed = children(declaration).find(|part| part.kind() != "struct_declarator");
    for declarator in children(declaration).filter(|part| part.kind() == "struct_declarator") {
        let Some(found) = declared(declarator) else { continue };
        let mut symbol = walk.symbol(kind, found.name, node);
        let star = if found.pointer.is_some() { " *" } else { "" };
        symbol.return_type = typed.map(|part| format!("{}{star}", folded(walk.node_text(part))));
        symbol.decorators.clone_from(&attributes);
        symbol.exported = Some(kind == SymbolKind::Property);
        symbol.doc = doc::above(walk.text, node.start_byte(), doc::C);
        walk.symbols.push(symbol);
    }
    Step::Skip
}

/// `@synthesize a = _a, b;` and `@dynamic c;`, kept as facts.
fn synthesize(walk: &mut Walk, node: Node) -> Step {
    let text = folded(walk.node_text(node)).trim_end_matches(';').to_owned();
    let (word, names) = text.split_once(' ').unwrap_or((&text, ""));
    let properties: Vec<&str> = names
        .split(',')
        .filter_map(|each| each.split('=').next())
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    let entry = serde_json::json!({
        "type": word.trim_start_matches('@'),
        "properties": properties,
        "line": line(node),
    });
    walk.facts.push("synthesize_directives", entry);
    Step::Skip
}
