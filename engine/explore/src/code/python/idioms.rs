//! What classes and functions are used for, beyond their kind.

use tree_sitter::Node;

use crate::{code::walk::Walk, symbol::Symbol};

/// Words for the purpose of a class, judged by its decorators and bases.
pub fn of_class(class: &Symbol) -> Vec<String> {
    let decorated = |word: &str| class.decorators.iter().any(|text| last_name(text) == word);
    let based = |word: &str| class.bases.iter().any(|text| last_name(text) == word);
    let meta =
        class.bases.iter().any(|base| base.starts_with("metaclass") && base.ends_with("ABCMeta"));
    [
        ("dataclass", decorated("dataclass")),
        ("abstract", based("ABC") || meta || decorated("abstractmethod")),
        ("enum", ["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"].into_iter().any(based)),
        ("named_tuple", based("NamedTuple")),
        ("typed_dict", based("TypedDict")),
        ("protocol", based("Protocol")),
        ("exception", based("Exception") || class.bases.iter().any(|base| base.ends_with("Error"))),
    ]
    .into_iter()
    .filter(|(_, is)| *is)
    .map(|(word, _)| word.to_owned())
    .collect()
}

/// Words for the purpose of a function, judged by its decorators.
pub fn of_function(function: &Symbol) -> Vec<String> {
    let words = [
        ("property", "property"),
        ("cached_property", "property"),
        ("setter", "setter"),
        ("staticmethod", "static"),
        ("classmethod", "class_method"),
        ("abstractmethod", "abstract"),
        ("overload", "overload"),
        ("fixture", "fixture"),
        ("contextmanager", "context_manager"),
        ("asynccontextmanager", "context_manager"),
    ];
    let has = |name: &str| function.decorators.iter().any(|text| last_name(text) == name);
    words.into_iter().filter(|(name, _)| has(name)).map(|(_, word)| word.to_owned()).collect()
}

/// The name `b` in `a.b(c)` or `a.b[c]`.
fn last_name(text: &str) -> &str {
    let end = text.find(['(', '[']).unwrap_or(text.len());
    let name = text.get(..end).unwrap_or_default().trim();
    name.rsplit('.').next().unwrap_or(name)
}

/// Whether a function's body yields; inner functions do not count.
pub fn yields(walk: &Walk, body: Node) -> bool {
    let bytes = walk.text.as_bytes().get(body.byte_range()).unwrap_or_default();
    if memchr::memmem::find(bytes, b"yield").is_none() {
        return false;
    }
    let mut cursor = body.walk();
    loop {
        let kind = cursor.node().kind();
        if kind == "yield" {
            return true;
        }
        let own = !matches!(kind, "function_definition" | "class_definition" | "lambda");
        if own && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
}
