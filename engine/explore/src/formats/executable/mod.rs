//! Executables and what they are made of: ELF, PE, Mach-O, COFF, WebAssembly and `ar` libraries.
//!
//! Nothing is run, and no other program is called: everything is read from the file's own tables.
//! If a table claims more than the file holds, reading that table ends, and the exploration
//! continues.

pub mod fields;
mod native;
mod outline;
mod pe;
mod strings;
mod wasm;

use std::{collections::BTreeMap, io};

use super::{
    binary,
    shared::{ar, bytes},
};
use crate::{Findings, Task, input::WHOLE_LIMIT};
use fields::{ExecutableFields, Linked, Machine, Member, Section};

/// The contents of an executable.
#[derive(Debug, Default)]
struct Program {
    /// `elf`, `pe`, `mach-o`, `coff`, `xcoff`, `wasm`, `archive` or `unknown`.
    format: &'static str,
    /// `executable`, `shared library`, `object file`, `core dump` or the like.
    kind: &'static str,
    arch: Option<Machine>,
    /// The architectures, if it is for several processors.
    architectures: Vec<String>,
    stripped: Option<bool>,
    static_linked: Option<bool>,
    debug_info: Option<bool>,
    entry: Option<u64>,
    interpreter: Option<String>,
    name: Option<String>,
    build_id: Option<String>,
    dependencies: Vec<String>,
    search_paths: Vec<String>,
    sections: Table<Section>,
    segment_count: Option<usize>,
    imported: Table<Linked>,
    exported: Table<Linked>,
    members: Vec<Member>,
    strings: Vec<String>,
    /// Numbers of things that are only counted, such as functions of WebAssembly.
    counts: BTreeMap<&'static str, u64>,
    errors: Vec<String>,
}

impl Program {
    /// Adds a library that it needs, once.
    fn depends_on(&mut self, library: &str) {
        if !library.is_empty() && !self.dependencies.iter().any(|known| known == library) {
            self.dependencies.push(library.to_owned());
        }
    }
}

/// The entries of a table: all are counted, and the first are kept.
#[derive(Debug)]
struct Table<T> {
    kept: Vec<T>,
    count: u64,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { kept: Vec::new(), count: 0 }
    }
}

impl<T> Table<T> {
    /// Maximum number of entries that are kept of one table; a table that claims more is damaged,
    /// or of no use to a reader.
    const KEPT: usize = 200_000;

    fn push(&mut self, entry: impl FnOnce() -> T) {
        self.count += 1;
        if self.kept.len() < Self::KEPT {
            self.kept.push(entry());
        }
    }
}

/// Explores an executable. If it is larger than 50 MiB, only the first 50 MiB are read, and the
/// summary says so.
pub fn explore(task: &Task) -> io::Result<Findings> {
    let bytes = task.input.piece(0, WHOLE_LIMIT)?;
    let size = task.input.size();
    let sampled = size > bytes.len() as u64;
    let mut findings = Findings::new(task);
    let mut program = Program { format: "unknown", kind: "file", ..Program::default() };
    if bytes.starts_with(b"\0asm") {
        wasm::read(&bytes, &mut program);
    } else if ar::is(&bytes) {
        program.format = "archive";
        program.kind = "static library";
        let (members, error) = ar::members(&bytes);
        let member = |ar::Member { name, size, offset }| Member { name, size, offset };
        program.members = members.into_iter().map(member).collect();
        program.errors.extend(error.filter(|_| !sampled));
    } else {
        native::read(&bytes, &mut program);
    }
    program.strings = strings::interesting(&bytes);
    if !sampled || program.sections.kept.is_empty() && program.members.is_empty() {
        for error in &program.errors {
            findings.malformed(error.clone(), None, None);
        }
    }
    outline::write(&mut findings, &program, size, sampled);
    if program.format == "unknown" {
        binary::rows(&mut findings, &bytes);
    }
    findings.facts = facts(program, size, sampled).into();
    Ok(findings)
}

fn facts(program: Program, size_bytes: u64, sampled: bool) -> ExecutableFields {
    ExecutableFields {
        file_type: outline::file_type(&program),
        format: program.format,
        kind: program.kind,
        arch: program.arch,
        architectures: program.architectures,
        size_bytes,
        stripped: program.stripped,
        static_linked: program.static_linked,
        debug_info: program.debug_info,
        entry: program.entry,
        interpreter: program.interpreter,
        library_name: program.name,
        build_id: program.build_id,
        dependencies: program.dependencies,
        search_paths: program.search_paths,
        section_count: program.sections.count,
        segment_count: program.segment_count,
        sections: program.sections.kept,
        exported_symbol_count: program.exported.count,
        imported_symbol_count: program.imported.count,
        exported_symbols: program.exported.kept,
        imported_symbols: program.imported.kept,
        member_count: program.members.len(),
        members: program.members,
        strings: program.strings,
        counts: program.counts,
        errors: program.errors,
        sampled,
    }
}

/// A name in a table, as text of limited length.
fn name(bytes: &[u8]) -> String {
    let short = bytes.get(..bytes.len().min(1_000)).unwrap_or_default();
    String::from_utf8_lossy(short).into_owned()
}

#[cfg(test)]
mod tests;
