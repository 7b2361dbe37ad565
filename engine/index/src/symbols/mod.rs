//! The symbols of a file: every identifier with its place and role, the definition that it is bound
//! to within the file, and the imports.

mod bind;
mod by_name;
mod declarator;
mod dialect;
mod extract;
mod found;
mod identifier;
mod listed;
mod macros;
mod matches;
mod named_by;
mod query;
mod row;

use by_name::ByName;

pub use bind::can_mean;
pub use extract::{ExtractError, Extracted, extract, tree};
pub use identifier::DEFAULT;
pub use listed::listed;
pub use query::{maker, supported};
pub use row::{decode, encode};

/// The role of an identifier where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// It defines its name.
    Definition,
    /// It is the name of what is called.
    Call,
    /// It names a type.
    Type,
    /// It is part of an import.
    Import,
    /// Its value is read.
    Read,
    /// Its value is written.
    Write,
}

impl Role {
    /// All roles; a row holds a role as its position in this list.
    pub const ALL: [Self; 6] =
        [Self::Definition, Self::Call, Self::Type, Self::Import, Self::Read, Self::Write];

    /// The name in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Call => "call",
            Self::Type => "type",
            Self::Import => "import",
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// What a definition can define. The names are the ends of the captures `@definition.KIND`; a row
/// holds a kind as its position in this list. An `extension` adds members to the type that it
/// names, and defines no type. An `export` is seen from other files alone; it stands for what its
/// `typed_by` means.
pub const KINDS: [&str; 24] = [
    "class",
    "constant",
    "constructor",
    "enum",
    "export",
    "extension",
    "field",
    "function",
    "import",
    "interface",
    "label",
    "macro",
    "member",
    "method",
    "module",
    "object",
    "parameter",
    "property",
    "struct",
    "trait",
    "type",
    "union",
    "variable",
    "other",
];

/// An identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// Position of its name in [`Symbols::names`].
    pub name: u32,
    /// First byte.
    pub start: u32,
    /// 0-based row.
    pub row: u32,
    /// 0-based column in code points.
    pub column: u32,
    /// Its role.
    pub role: Role,
    /// The definition in this file that scopes bind it to; for a definition, that definition
    /// itself.
    pub bound: Option<u32>,
    /// True if it follows a dot: its name belongs to the value before the dot.
    pub is_member: bool,
    /// True if it names an argument: its name belongs to the function that is called.
    pub is_argument: bool,
    /// For a member, the occurrence before the dot, or the function whose call stands before the
    /// dot. For an argument, the function that is called. Only if that is an identifier or ends in
    /// one.
    pub receiver: Option<u32>,
}

/// What a definition adds to its occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// Its occurrence.
    pub occurrence: u32,
    /// Its kind, as a position in the list of kinds; [`Definition::kind`] names it.
    pub kind: u8,
    /// The enclosing definition.
    pub parent: Option<u32>,
    /// True if it is visible in a part of the file only.
    pub is_local: bool,
    /// The occurrence that names its type, or the class or function that it is initialised from.
    pub typed_by: Option<u32>,
    /// First byte of the whole definition.
    pub start: u32,
    /// Byte after the last one of the whole definition.
    pub end: u32,
}

impl Definition {
    /// The name of its kind.
    pub fn kind(&self) -> &'static str {
        KINDS.get(usize::from(self.kind)).copied().unwrap_or("other")
    }
}

/// A name that an import brings into a scope, or a wildcard import of a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Import {
    /// The definition that binds it; `None` for a wildcard import.
    pub definition: Option<u32>,
    /// The module as it is written, as a position in [`Symbols::names`].
    pub module: u32,
    /// The name in the module, as a position in [`Symbols::names`]; `None` for the module itself.
    pub name: Option<u32>,
}

/// All symbols of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Symbols {
    /// Names and module paths, each once.
    pub names: Vec<String>,
    /// The identifiers, sorted by first byte.
    pub occurrences: Vec<Occurrence>,
    /// The definitions, sorted by the first byte of their names.
    pub definitions: Vec<Definition>,
    /// The imports.
    pub imports: Vec<Import>,
    /// Pairs of a class and the occurrence of a base class; in Go, pairs of a method and its
    /// receiver's type; in ECMAScript, also of a member and the object that is given it.
    pub bases: Vec<(u32, u32)>,
    /// Identifiers within the module path of an import, each with the module path up to it as a
    /// position in [`Symbols::names`].
    pub modules: Vec<(u32, u32)>,
    /// What [`Symbols::named`] looks in.
    by_name: ByName,
}

impl Symbols {
    /// The name of an occurrence.
    pub fn name(&self, occurrence: &Occurrence) -> &str {
        self.text(occurrence.name)
    }

    /// A name by its position.
    pub fn text(&self, name: u32) -> &str {
        self.names.get(name as usize).map_or("", String::as_str)
    }

    /// An occurrence by its position.
    pub fn occurrence(&self, at: u32) -> Option<&Occurrence> {
        self.occurrences.get(at as usize)
    }

    /// A definition by its position.
    pub fn definition(&self, at: u32) -> Option<&Definition> {
        self.definitions.get(at as usize)
    }

    /// The name of a definition.
    pub fn defined(&self, definition: &Definition) -> &str {
        self.occurrence(definition.occurrence).map_or("", |found| self.name(found))
    }

    /// The module path up to an identifier within the module path of an import.
    pub fn module_at(&self, occurrence: u32) -> Option<&str> {
        let at = self.modules.binary_search_by_key(&occurrence, |(at, _)| *at).ok()?;
        self.modules.get(at).map(|(_, module)| self.text(*module))
    }

    /// The first base of a definition, or the type or object that it is written apart from.
    pub fn base_of(&self, definition: u32) -> Option<u32> {
        let at = self.bases.partition_point(|(of, _)| *of < definition);
        self.bases.get(at).filter(|(of, _)| *of == definition).map(|(_, base)| *base)
    }

    /// The definition that an imported name makes under another name: that of the statement around
    /// it, or else of any that imports the name.
    pub fn imported_at(&self, name: &Occurrence) -> Option<u32> {
        let named = || self.imports.iter().filter(|import| import.name == Some(name.name));
        let is_around = |import: &&Import| {
            import
                .definition
                .and_then(|number| self.definition(number))
                .is_some_and(|found| found.start <= name.start && name.start < found.end)
        };
        named().rfind(is_around).or_else(|| named().next())?.definition
    }

    /// The import that made a definition.
    pub fn import_of(&self, definition: u32) -> Option<&Import> {
        self.imports.iter().find(|import| import.definition == Some(definition))
    }
}
