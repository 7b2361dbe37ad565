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
    pub fn as_str(self) -> String {
        serde_json::to_value(self)
            .ok()
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default()
    }
}

/// Who may use a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Everyone.
    Public,
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
    /// Parameters as written, one each.
    pub params: Vec<String>,
    /// The return type, or the type of a value, as written.
    pub return_type: Option<String>,
    /// Keywords such as `static`, `async`, `const`, in source order; visibility words included.
    pub modifiers: Vec<String>,
    /// Decorators, annotations or attributes as written, without `@` or brackets.
    pub decorators: Vec<String>,
    /// Who may use it; absent where the language has no such notion.
    pub visibility: Option<Visibility>,
    /// Whether users of the file, module or package can name it; absent where that is unknowable.
    pub exported: Option<bool>,
    /// First paragraph of its documentation.
    pub doc: Option<String>,
}
