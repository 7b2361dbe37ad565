//! Executables and what they are made of: ELF, PE, Mach-O, COFF, WebAssembly and `ar` libraries.
//!
//! Nothing is run, and no other program is asked: everything here is read from the file's own
//! tables. A table that promises more than the file holds ends that table, not the exploration.

mod native;
mod outline;
mod strings;
mod wasm;

use std::{collections::BTreeMap, io};

use serde::Serialize;

use super::{ar, bytes};
use crate::{Findings, Task, input::WHOLE_LIMIT};

/// A section, with where it lies in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Section {
    name: String,
    size: u64,
    offset: Option<u64>,
}

/// A symbol that is taken from elsewhere or offered to others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Linked {
    name: String,
    /// `function`, `object` and the like; absent where the table does not say.
    #[serde(rename = "type")]
    kind: Option<&'static str>,
    /// The library or module that it comes from.
    from: Option<String>,
}

/// For which processor a file is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Machine {
    arch: String,
    bits: u8,
    endian: &'static str,
}

/// What an executable holds.
#[derive(Debug, Default)]
struct Program {
    /// `elf`, `pe`, `mach-o`, `coff`, `xcoff`, `wasm`, `archive` or `unknown`.
    format: &'static str,
    /// `executable`, `shared library`, `object file`, `core dump` and the like.
    kind: &'static str,
    arch: Option<Machine>,
    /// Architectures of a file for several processors.
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
    sections: Vec<Section>,
    segment_count: Option<usize>,
    imported: Vec<Linked>,
    exported: Vec<Linked>,
    members: Vec<ar::Member>,
    strings: Vec<String>,
    /// Counts of what is only counted, such as functions of WebAssembly.
    counts: BTreeMap<&'static str, u64>,
    errors: Vec<String>,
}

/// Explores an executable. Of a file above 50 MiB the first 50 MiB are looked at, and it says so.
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
        program.members = members;
        program.errors.extend(error.filter(|_| !sampled));
    } else {
        native::read(&bytes, &mut program);
    }
    program.strings = strings::interesting(&bytes);
    if !sampled || program.sections.is_empty() && program.members.is_empty() {
        for error in &program.errors {
            findings.malformed(error.clone(), None, None);
        }
    }
    facts(&mut findings, &program, size, sampled);
    outline::write(&mut findings, &program, size, sampled);
    if program.format == "unknown" {
        super::dump::rows(&mut findings, &bytes);
    }
    Ok(findings)
}

fn facts(findings: &mut Findings, program: &Program, size: u64, sampled: bool) {
    findings.set("file_type", outline::file_type(program));
    findings.set("format", program.format);
    findings.set("kind", program.kind);
    findings.put("arch", &program.arch);
    findings.put("architectures", &program.architectures);
    findings.set("size_bytes", size);
    findings.put("stripped", &program.stripped);
    findings.put("static_linked", &program.static_linked);
    findings.put("debug_info", &program.debug_info);
    findings.put("entry", &program.entry);
    findings.put("interpreter", &program.interpreter);
    findings.put("library_name", &program.name);
    findings.put("build_id", &program.build_id);
    findings.put("dependencies", &program.dependencies);
    findings.put("search_paths", &program.search_paths);
    findings.set("section_count", program.sections.len());
    findings.put("segment_count", &program.segment_count);
    findings.put("sections", &program.sections);
    findings.set("exported_symbol_count", program.exported.len());
    findings.set("imported_symbol_count", program.imported.len());
    findings.put("exported_symbols", &program.exported);
    findings.put("imported_symbols", &program.imported);
    findings.set("member_count", program.members.len());
    findings.put("members", &program.members);
    findings.put("strings", &program.strings);
    findings.put("counts", &program.counts);
    findings.put("errors", &program.errors);
    findings.set("sampled", sampled);
}

/// A name of a table as text of bounded length.
fn name(bytes: &[u8]) -> String {
    let short = bytes.get(..bytes.len().min(1_000)).unwrap_or_default();
    String::from_utf8_lossy(short).into_owned()
}

#[cfg(test)]
mod tests;
