//! The facts of an executable.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::masked::masked;

/// What is in an executable, a library or an object file. Sizes and offsets are bytes; what the
/// format does not say is absent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExecutableFields {
    /// One line that says what the file is.
    pub file_type: String,
    /// `elf`, `pe`, `mach-o`, `coff`, `xcoff`, `wasm`, `archive`, `dos` or `unknown`.
    pub format: &'static str,
    /// `executable`, `shared library`, `object file`, `core dump` and the like.
    pub kind: &'static str,
    /// For which processor it is.
    pub arch: Option<Machine>,
    /// Architectures of a file for several processors.
    pub architectures: Vec<String>,
    /// Size of the file.
    pub size_bytes: u64,
    /// Whether its table of symbols was taken out.
    pub stripped: Option<bool>,
    /// Whether it needs no libraries.
    pub static_linked: Option<bool>,
    /// Whether it holds information for debuggers.
    pub debug_info: Option<bool>,
    /// The address at which it starts.
    pub entry: Option<u64>,
    /// The program that loads it.
    pub interpreter: Option<String>,
    /// The name that a library calls itself.
    pub library_name: Option<String>,
    /// The identifier of its build, in hexadecimal digits.
    pub build_id: Option<String>,
    /// Libraries that it needs.
    pub dependencies: Vec<String>,
    /// Folders in which it looks for them.
    pub search_paths: Vec<String>,
    /// Sections.
    pub section_count: u64,
    /// Segments of an ELF file.
    pub segment_count: Option<usize>,
    /// The first 200,000 sections in order.
    pub sections: Vec<Section>,
    /// Symbols that it offers to others.
    pub exported_symbol_count: u64,
    /// Symbols that it takes from elsewhere.
    pub imported_symbol_count: u64,
    /// Symbols that it offers to others, the first 200,000; one without a name is `#` and its number.
    pub exported_symbols: Vec<Linked>,
    /// Symbols that it takes from elsewhere, the first 200,000; `#` and its number as above.
    pub imported_symbols: Vec<Linked>,
    /// Length of `members`.
    pub member_count: usize,
    /// Members of a static library.
    pub members: Vec<Member>,
    /// Texts inside of it that tell something, at most 30.
    pub strings: Vec<String>,
    /// What is only counted, such as `functions` of WebAssembly.
    pub counts: BTreeMap<&'static str, u64>,
    /// Tables that could not be read, and why.
    pub errors: Vec<String>,
    /// True if only the first 50 MiB were looked at.
    pub sampled: bool,
}

/// For which processor a file is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// Such as `x86_64` or `aarch64`.
    pub arch: String,
    /// Width of an address: 32 or 64.
    pub bits: u8,
    /// `little` or `big`.
    pub endian: &'static str,
}

/// A section, with where it lies in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// Its size.
    pub size: u64,
    /// Where it begins; absent if it takes no room in the file.
    pub offset: Option<u64>,
}

/// A symbol that is taken from elsewhere or offered to others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Linked {
    /// Its name, as the linker sees it.
    pub name: String,
    /// `function`, `object` and the like; absent where the table does not say.
    #[serde(rename = "type")]
    pub kind: Option<&'static str>,
    /// The library or module that it comes from.
    pub from: Option<String>,
}

/// A member of a static library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its size.
    pub size: u64,
    /// Where its bytes begin.
    pub offset: u64,
}

masked! {
    ExecutableFields {
        file_type, format, kind, arch, architectures, size_bytes, stripped, static_linked,
        debug_info, entry, interpreter, library_name, build_id, dependencies, search_paths,
        section_count, segment_count, sections, exported_symbol_count, imported_symbol_count,
        exported_symbols, imported_symbols, member_count, members, strings, counts, errors, sampled,
    }
    Machine { arch, bits, endian }
    Section { name, size, offset }
    Linked { name, kind, from }
    Member { name, size, offset }
}
