//! A symbol of a source file: the unit that gold labels and scores know.

use serde::{Deserialize, Serialize};

/// What a symbol is. The list is closed and shared with the gold labels; scoring compares
/// classes of kinds, so the finest fitting word is the right one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each kind is the word that the language itself uses")]
pub enum SymbolKind {
    // Types.
    Class,
    Struct,
    Union,
    Enum,
    Interface,
    Trait,
    Protocol,
    Record,
    Annotation,
    Object,
    Extension,
    Impl,
    Instance,
    Category,
    Data,
    Type,
    Alias,
    Typedef,
    TypeFamily,
    Exception,
    Contract,
    Library,
    Mixin,
    // Containers that are no types.
    Module,
    Namespace,
    Package,
    Program,
    Functor,
    Block,
    // Callables.
    Function,
    Method,
    Constructor,
    Destructor,
    Getter,
    Setter,
    Accessor,
    SingletonMethod,
    Subroutine,
    Macro,
    Modifier,
    Operator,
    Delegate,
    Signature,
    // Values.
    Property,
    Field,
    Variable,
    Constant,
    Static,
    EnumMember,
    Variant,
    Event,
    Error,
    Key,
    Intent,
    Slot,
    Rule,
}

impl SymbolKind {
    /// The word in JSON, such as `enum_member`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Union => "union",
            Self::Enum => "enum",
            Self::Interface => "interface",
            Self::Trait => "trait",
            Self::Protocol => "protocol",
            Self::Record => "record",
            Self::Annotation => "annotation",
            Self::Object => "object",
            Self::Extension => "extension",
            Self::Impl => "impl",
            Self::Instance => "instance",
            Self::Category => "category",
            Self::Data => "data",
            Self::Type => "type",
            Self::Alias => "alias",
            Self::Typedef => "typedef",
            Self::TypeFamily => "type_family",
            Self::Exception => "exception",
            Self::Contract => "contract",
            Self::Library => "library",
            Self::Mixin => "mixin",
            Self::Module => "module",
            Self::Namespace => "namespace",
            Self::Package => "package",
            Self::Program => "program",
            Self::Functor => "functor",
            Self::Block => "block",
            Self::Function => "function",
            Self::Method => "method",
            Self::Constructor => "constructor",
            Self::Destructor => "destructor",
            Self::Getter => "getter",
            Self::Setter => "setter",
            Self::Accessor => "accessor",
            Self::SingletonMethod => "singleton_method",
            Self::Subroutine => "subroutine",
            Self::Macro => "macro",
            Self::Modifier => "modifier",
            Self::Operator => "operator",
            Self::Delegate => "delegate",
            Self::Signature => "signature",
            Self::Property => "property",
            Self::Field => "field",
            Self::Variable => "variable",
            Self::Constant => "constant",
            Self::Static => "static",
            Self::EnumMember => "enum_member",
            Self::Variant => "variant",
            Self::Event => "event",
            Self::Error => "error",
            Self::Key => "key",
            Self::Intent => "intent",
            Self::Slot => "slot",
            Self::Rule => "rule",
        }
    }
}

/// Who may use a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everyone.
    Public,
    /// Everyone outside, by a call (Solidity).
    External,
    /// The type and those derived from it.
    Protected,
    /// The assembly, module or compilation unit (C#, Kotlin, Swift).
    Internal,
    /// The package (Java without a modifier).
    Package,
    /// A named part of the program (`pub(crate)`, `pub(in path)`).
    Restricted,
    /// Decided by what the member implements (a Rust trait's method in an `impl`).
    Inherited,
    /// The enclosing declaration or file alone.
    Private,
}

impl Visibility {
    /// The word in JSON, such as `public`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::External => "external",
            Self::Protected => "protected",
            Self::Internal => "internal",
            Self::Package => "package",
            Self::Restricted => "restricted",
            Self::Inherited => "inherited",
            Self::Private => "private",
        }
    }
}

/// One symbol. Lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// The name as it is written, without its scope.
    pub name: String,
    /// What it is.
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
    /// Interfaces that it implements, where the language tells them from what it extends.
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
    /// Words for what it is beyond its kind and modifiers: `dataclass`, `generator`, `arrow`…
    #[serde(default)]
    pub idioms: Vec<String>,
    /// Who may use it; absent where the language has no such notion.
    pub visibility: Option<Visibility>,
    /// Whether users of the file, module or package can name it; absent where that is unknowable.
    pub exported: Option<bool>,
    /// First paragraph of its documentation.
    pub doc: Option<String>,
}

impl Symbol {
    /// Whether it has a modifier.
    pub fn has_modifier(&self, word: &str) -> bool {
        self.modifiers.iter().any(|modifier| modifier == word)
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
        for kind in [SymbolKind::EnumMember, SymbolKind::SingletonMethod, SymbolKind::Class] {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
        assert_eq!(
            serde_json::to_value(Visibility::Package).unwrap(),
            Visibility::Package.as_str()
        );
    }
}
