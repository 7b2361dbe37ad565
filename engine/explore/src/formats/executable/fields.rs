//! The facts of an executable.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::masked::masked;

/// The contents of an executable, a library or an object file. Sizes and offsets are in bytes;
/// facts that the format does not give are absent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExecutableFields {
    /// One line that describes the file.
    pub file_type: String,
    /// `elf`, `pe`, `mach-o`, `coff`, `xcoff`, `wasm`, `archive`, `dos` or `unknown`.
    pub format: &'static str,
    /// `executable`, `shared library`, `object file`, `core dump` or the like.
    pub kind: &'static str,
    /// The processor that it is for.
    pub arch: Option<Machine>,
    /// The architectures, if it is for several processors.
    pub architectures: Vec<String>,
    /// Size of the file.
    pub size_bytes: u64,
    /// Whether its symbol table was removed.
    pub stripped: Option<bool>,
    /// Whether it needs no libraries.
    pub static_linked: Option<bool>,
    /// Whether it contains debug information.
    pub debug_info: Option<bool>,
    /// The address where execution starts.
    pub entry: Option<u64>,
    /// The program that loads it.
    pub interpreter: Option<String>,
    /// The name that a library gives itself.
    pub library_name: Option<String>,
    /// Its build id, in hexadecimal digits.
    pub build_id: Option<String>,
    /// Libraries that it needs.
    pub dependencies: Vec<String>,
    /// Folders in which it searches for them.
    pub search_paths: Vec<String>,
    /// Number of sections.
    pub section_count: u64,
    /// Number of segments of an ELF file.
    pub segment_count: Option<usize>,
    /// The first 200,000 sections in order.
    pub sections: Vec<Section>,
    /// Number of symbols that it exports.
    pub exported_symbol_count: u64,
    /// Number of symbols that it imports.
    pub imported_symbol_count: u64,
    /// The first 200,000 symbols that it exports; a symbol without a name is `#` and its number.
    pub exported_symbols: Vec<Linked>,
    /// The first 200,000 symbols that it imports; unnamed ones as above.
    pub imported_symbols: Vec<Linked>,
    /// Length of `members`.
    pub member_count: usize,
    /// Members of a static library.
    pub members: Vec<Member>,
    /// Informative texts in it, at most 30.
    pub strings: Vec<String>,
    /// Numbers of things that are only counted, such as `functions` of WebAssembly.
    pub counts: BTreeMap<&'static str, u64>,
    /// Tables that could not be read, and why.
    pub errors: Vec<String>,
    /// True if only the first 50 MiB were read.
    pub sampled: bool,
}

/// The processor that a file is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// The architecture, such as `x86_64` or `aarch64`.
    pub arch: String,
    /// Width of an address in bits: 32 or 64.
    pub bits: u8,
    /// Byte order: `little` or `big`.
    pub endian: &'static str,
}

/// A section and its place in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Its name.
    pub name: String,
    /// Its size.
    pub size: u64,
    /// Its offset; absent if it takes no space in the file.
    pub offset: Option<u64>,
}

/// A symbol that is imported or exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Linked {
    /// Its name, as the linker sees it.
    pub name: String,
    /// `function`, `object` or the like; absent if the table does not say.
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
    /// Offset of its contents.
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
