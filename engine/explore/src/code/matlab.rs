//! MATLAB and Octave: functions, classes and what is in them.

use tree_sitter::Node;

use super::{
    doc::{self, Style},
    walk::{Scope, Step, Visitor, Walk, child, children, folded, line},
};
use crate::{import::ImportCategory, symbol::SymbolKind};

/// MATLAB.
#[derive(Debug)]
pub struct Matlab;

const COMMENTS: Style = Style { line: &["%", "#"], block: None };

/// Octave's words for the end of a block.
const ENDS: &[&str] =
    &["endfunction", "endif", "endfor", "endwhile", "endswitch", "endparfor", "end_try_catch"];

impl Visitor for Matlab {
    /// The grammar knows comments with `%` and blocks with `end` only. Octave's comments begin with `#`,
    /// too, which has no other use outside strings, and its blocks have words of their own.
    fn prepare(&self, _: &str, text: &str) -> Option<String> {
        let octave = ["#", "endfunction", "endif", "endfor", "endwhile", "endswitch", "end_"];
        if !octave.iter().any(|word| text.contains(word)) {
            return None;
        }
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let at = octave_comment(line).unwrap_or(line.len());
            let (code, comment) = line.split_at(at);
            let code = ended(code);
            let marks = comment.len() - comment.trim_start_matches('#').len();
            out.push_str(&code);
            out.extend(std::iter::repeat_n('%', marks));
            out.push_str(comment.get(marks..).unwrap_or_default());
        }
        Some(out)
    }

    fn enter(&mut self, walk: &mut Walk, node: Node) -> Step {
        match node.kind() {
            "class_definition" => class(walk, node),
            "function_definition" => function(walk, node),
            "property" => member(walk, node, SymbolKind::Property),
            "enum" => member(walk, node, SymbolKind::EnumMember),
            "events" => {
                for name in children(node).filter(|part| part.kind() == "identifier") {
                    let symbol = walk.symbol(SymbolKind::Event, name, name);
                    walk.symbols.push(symbol);
                }
                Step::Skip
            }
            "command" => import(walk, node),
            "source_file" | "methods" | "properties" | "enumeration" | "block" | "ERROR" => {
                Step::Into
            }
            _ => Step::Skip,
        }
    }
}

/// Code with `end` and spaces in the place of the words that end one kind of block. They stand at the end
/// of a statement, so that a name or text that is such a word stays.
fn ended(code: &str) -> String {
    let mut out = String::with_capacity(code.len());
    for piece in code.split_inclusive([';', ',', '\n', ' ', '\t']) {
        let word = piece.trim_end_matches([';', ',', '\n', '\r', ' ', '\t']);
        let before = out.trim_end_matches([' ', '\t']);
        let starts = before.is_empty() || before.ends_with([';', ',']);
        if starts && ENDS.contains(&word) {
            out.push_str("end");
            out.extend(std::iter::repeat_n(' ', word.len().saturating_sub("end".len())));
            out.push_str(piece.get(word.len()..).unwrap_or_default());
        } else {
            out.push_str(piece);
        }
    }
    out
}

/// Where a comment with `#` begins in a line. A quote behind a value transposes it, any other opens a
/// string.
fn octave_comment(line: &str) -> Option<usize> {
    let mut quote = None;
    let mut before = b' ';
    for (at, byte) in line.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) => quote = (byte != open).then_some(open),
            (None, b'%') => return None,
            (None, b'#') => return Some(at),
            (None, b'"') => quote = Some(byte),
            (None, b'\'') => {
                let value = before.is_ascii_alphanumeric() || b"_)]}.'".contains(&before);
                quote = (!value).then_some(byte);
            }
            _ => {}
        }
        before = byte;
    }
    None
}

/// A property or a member of an enumeration.
fn member(walk: &mut Walk, node: Node, kind: SymbolKind) -> Step {
    let name = child(node, "identifier").filter(|_| walk.parent().is_some());
    if let Some(name) = name {
        let mut symbol = walk.symbol(kind, name, node);
        symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
        walk.symbols.push(symbol);
    }
    Step::Skip
}

/// `import a.b.C` and `import a.*`: the project's own packages have a folder with a plus sign.
fn import(walk: &mut Walk, node: Node) -> Step {
    let named = child(node, "command_name").is_some_and(|name| walk.node_text(name) == "import");
    for argument in children(node).filter(|part| named && part.kind() == "command_argument") {
        let path = walk.node_text(argument).to_owned();
        let mut parts = path.split('.');
        let package = format!("+{}", parts.next().unwrap_or_default());
        let names = parts.next_back().map(str::to_owned).into_iter().collect();
        let local = walk.project.has_folder(&package);
        let category = if local { ImportCategory::Local } else { ImportCategory::ThirdParty };
        walk.import(&path, names, category, node);
    }
    Step::Skip
}

fn class(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    let mut symbol = walk.symbol(SymbolKind::Class, name, node);
    symbol.bases = child(node, "superclasses").map_or_else(Vec::new, |list| {
        children(list).map(|base| folded(walk.node_text(base))).collect()
    });
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    let scope = Scope {
        name: Some(symbol.name.clone()),
        kind: Some(SymbolKind::Class),
        ..Scope::default()
    };
    walk.symbols.push(symbol);
    Step::Inside(scope)
}

/// `function [out] = name(in)`; an accessor has a name such as `get.property`.
fn function(walk: &mut Walk, node: Node) -> Step {
    let Some(name) = node.child_by_field_name("name") else { return Step::Into };
    let before = walk.text.get(..name.start_byte()).unwrap_or_default();
    let prefix = ["get.", "set."].iter().find(|prefix| before.ends_with(**prefix));
    let method = walk.scope().is_some_and(|scope| scope.kind == Some(SymbolKind::Class));
    let full = format!("{}{}", prefix.unwrap_or(&""), walk.node_text(name));
    let kind = match walk.parent() {
        Some(class) if method && *class == full => SymbolKind::Constructor,
        _ if method => SymbolKind::Method,
        _ => SymbolKind::Function,
    };
    let mut symbol = walk.named(kind, &full, line(name), node);
    symbol.params = child(node, "function_arguments").map_or_else(Vec::new, |list| {
        children(list).map(|parameter| folded(walk.node_text(parameter))).collect()
    });
    symbol.return_type = child(node, "function_output")
        .map(|output| folded(walk.node_text(output)).trim_end_matches('=').trim().to_owned());
    symbol.doc = doc::above(walk.text, node.start_byte(), COMMENTS);
    walk.symbols.push(symbol);
    Step::Into
}

#[cfg(test)]
mod tests {
    use crate::{Exploration, Input, Profile, Project, explore};

    fn look(text: &str) -> Exploration {
        let input = Input::memory("a.m", text.as_bytes());
        explore(&input, &Project::default(), Profile::Enhancement)
    }

    fn symbols(found: &Exploration) -> Vec<String> {
        let symbol = |one: &crate::Symbol| {
            let parent = one.parent.as_deref().unwrap_or("-");
            format!("{} {parent} {} {}", one.kind.as_str(), one.name, one.line)
        };
        found.symbols.iter().map(symbol).collect()
    }

    #[test]
    fn a_class_has_its_properties_members_events_and_methods() {
        let found = look(
            "classdef Lamp < handle\n  properties (Access = private)\n    watts double = 3\n  end\n  \
             enumeration\n    Red (1)\n    Blue\n  end\n  events\n    Switched\n  end\n  methods\n    \
             function o = Lamp(x)\n      import tools.*\n    end\n    function dim(o)\n    end\n  end\nend\n",
        );
        assert_eq!(
            symbols(&found),
            [
                "class - Lamp 1",
                "property Lamp watts 3",
                "enum_member Lamp Red 6",
                "enum_member Lamp Blue 7",
                "event Lamp Switched 10",
                "constructor Lamp Lamp 13",
                "method Lamp dim 16",
            ]
        );
        let import = found.imports.first().map(|one| (one.path.as_str(), one.line));
        assert_eq!(import, Some(("tools.*", 14)));
    }

    #[test]
    fn comments_of_octave_hide_no_function() {
        let found = look(
            "## Says (it's so): a # b\n\nfunction y = f (x) # the first\n  y = x' + 1; #(last)\n  \
             printf ('# no comment', \"#\");\nendfunction\n\nfunction g ()\n  if (1)\n    f (2);\n\tendif\n\
             endfunction\n%!test g ()\n",
        );
        assert_eq!(symbols(&found), ["function - f 3", "function - g 8"]);
        let ends: Vec<u32> = found.symbols.iter().map(|one| one.end_line).collect();
        assert_eq!(ends, [6, 12]);
        assert_eq!(found.malformed, None);
    }
}
