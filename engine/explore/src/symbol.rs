//! A symbol of a source file: the unit of gold labels and of scoring.

use std::borrow::Cow;

use base::secrets::Secrets;
use serde::{Deserialize, Serialize};

use crate::words::words;

words! {
    /// The kind of a symbol. The list is closed and shared with the gold labels. Scoring compares
    /// classes of kinds, so the most specific word is the right one.
    #[expect(missing_docs, reason = "each kind is the word that the language itself uses")]
    pub enum SymbolKind {
        // Types.
        Class = "class",
        Struct = "struct",
        Union = "union",
        Enum = "enum",
        Interface = "interface",
        Trait = "trait",
        Protocol = "protocol",
        Record = "record",
        Annotation = "annotation",
        Object = "object",
        Extension = "extension",
        Impl = "impl",
        Instance = "instance",
        Category = "category",
        Data = "data",
        Type = "type",
        Alias = "alias",
        Typedef = "typedef",
        TypeFamily = "type_family",
        Exception = "exception",
        Contract = "contract",
        Library = "library",
        Mixin = "mixin",
        // Containers that are not types.
        Module = "module",
        Namespace = "namespace",
        Package = "package",
        Program = "program",
        Functor = "functor",
        Block = "block",
        // Callables.
        Function = "function",
        Method = "method",
        Constructor = "constructor",
        Destructor = "destructor",
        Getter = "getter",
        Setter = "setter",
        Accessor = "accessor",
        SingletonMethod = "singleton_method",
        Subroutine = "subroutine",
        Macro = "macro",
        Modifier = "modifier",
        Operator = "operator",
        Delegate = "delegate",
        Signature = "signature",
        // Values.
        Property = "property",
        Field = "field",
        Variable = "variable",
        Constant = "constant",
        Static = "static",
        EnumMember = "enum_member",
        Variant = "variant",
        Event = "event",
        Error = "error",
        Key = "key",
        Intent = "intent",
        Slot = "slot",
        Rule = "rule",
    }
}

words! {
    /// The visibility of a symbol.
    pub enum Visibility {
        /// Everyone.
        Public = "public",
        /// Everyone outside, by a call (Solidity).
        External = "external",
        /// The type and those derived from it.
        Protected = "protected",
        /// The assembly, module or compilation unit (C#, Kotlin, Swift).
        Internal = "internal",
        /// The package (Java without a modifier).
        Package = "package",
        /// A named part of the program (`pub(crate)`, `pub(in path)`).
        Restricted = "restricted",
        /// The same as that of the implemented item (a method of a Rust trait in an `impl`).
        Inherited = "inherited",
        /// Only the enclosing declaration or file.
        Private = "private",
    }
}

/// One symbol. Lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// The name as written, without its scope.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// Line of the name.
    pub line: u32,
    /// First line of the declaration, decorators and annotations included.
    pub decl_line: u32,
    /// Last line of the declaration.
    pub end_line: u32,
    /// The enclosing scope, outermost first, joined as the language joins names.
    pub parent: Option<String>,
    /// Types that it extends, as written; keyword arguments of a Python class included.
    #[serde(default)]
    pub bases: Vec<String>,
    /// Interfaces that it implements, if the language distinguishes them from the types that it
    /// extends.
    #[serde(default)]
    pub implements: Vec<String>,
    /// Parameters as written, one each.
    pub params: Vec<String>,
    /// The return type, or the type of a value, as written.
    pub return_type: Option<String>,
    /// Keywords such as `static`, `async`, `const`, in source order; visibility words included.
    pub modifiers: Vec<String>,
    /// Decorators, annotations or attributes as written, without `@` or brackets.
    pub decorators: Vec<String>,
    /// Words for its role beyond kind and modifiers: `dataclass`, `generator`, `arrow`…
    #[serde(default)]
    pub idioms: Vec<String>,
    /// Its visibility; absent if the language has no such concept.
    pub visibility: Option<Visibility>,
    /// Whether users of the file, module or package can name it; absent if that cannot be known.
    pub exported: Option<bool>,
    /// First paragraph of its documentation.
    pub doc: Option<String>,
}

impl Symbol {
    /// Masks the secrets in values, defaults and documentation.
    pub(crate) fn mask(&mut self, secrets: Secrets) {
        // The value of a constant or a macro is kept in the place of a type.
        if let Some(value) = &mut self.return_type
            && value.starts_with(['"', '\'', '`'])
            && let Cow::Owned(masked) = secrets.value(&self.name, value)
        {
            *value = masked;
        }
        let texts = self.params.iter_mut().chain(&mut self.decorators).chain(&mut self.doc);
        let texts = texts.chain(&mut self.bases).chain(&mut self.return_type);
        for text in texts.filter(|text| text.len() > 5) {
            if let Cow::Owned(masked) = secrets.code(text) {
                *text = masked;
            }
        }
    }

    /// Whether it has a modifier.
    pub fn has_modifier(&self, word: &str) -> bool {
        self.modifiers.iter().any(|modifier| modifier == word)
    }

    /// Sets its visibility; it is exported only if it is public.
    pub(crate) fn set_visibility(&mut self, visibility: Visibility) {
        self.visibility = Some(visibility);
        self.exported = Some(visibility == Visibility::Public);
    }

    /// Sets whether it is exported, in a language in which that alone decides the visibility.
    pub(crate) fn set_exported(&mut self, exported: bool) {
        self.set_visibility(if exported { Visibility::Public } else { Visibility::Private });
    }

    /// Whether it has an idiom.
    pub fn has_idiom(&self, word: &str) -> bool {
        self.idioms.iter().any(|idiom| idiom == word)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::{SymbolKind, Visibility};

    #[test]
    fn words_are_those_of_the_json() {
        for kind in SymbolKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
        for visibility in Visibility::ALL {
            assert_eq!(serde_json::to_value(visibility).unwrap(), visibility.as_str());
        }
    }
}
