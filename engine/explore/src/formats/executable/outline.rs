//! The summary of an executable.

use base::secrets::Secrets;

use super::{Program, fields::Linked};
use crate::{Findings, disclosure::List, findings::grouped, masked::shortened};

/// Longest name in the summary, in characters.
const NAME: usize = 100;

/// One line that describes the file.
pub fn file_type(program: &Program) -> String {
    let title = match program.format {
        "elf" => "ELF",
        "pe" => "PE",
        "mach-o" => "Mach-O",
        "coff" => "COFF",
        "xcoff" => "XCOFF",
        "wasm" => "WebAssembly",
        "archive" => "ar archive",
        "dos" => "DOS",
        _ => "unknown",
    };
    let mut text = match &program.arch {
        Some(arch) => format!("{title} {}-bit {}, {}", arch.bits, program.kind, arch.arch),
        None => format!("{title} {}", program.kind),
    };
    if let Some(alone) = program.static_linked {
        text.push_str(if alone { ", statically linked" } else { ", dynamically linked" });
    }
    if let Some(stripped) = program.stripped {
        text.push_str(if stripped { ", stripped" } else { ", not stripped" });
    }
    text
}

/// Writes the summary: the comparator's sections in its order. The enhancement profile shows more
/// of each.
pub fn write(findings: &mut Findings, program: &Program, size: u64, sampled: bool) {
    let parity = findings.summary.profile().is_parity();
    let summary = &mut findings.summary;
    summary.line(&format!("Type: {}", file_type(program)));
    summary.line(&format!("Format: {}", program.format));
    summary.line(&format!("Size: {} bytes", grouped(size)));
    if sampled {
        summary.line("[SAMPLED - Large Executable File: the first 50 MiB]");
    }
    if let Some(arch) = &program.arch {
        summary.line(&format!(
            "Architecture: {} ({}-bit, {} endian)",
            arch.arch, arch.bits, arch.endian
        ));
    }
    if !program.architectures.is_empty() {
        let list = List::counted("Architectures", "/fields/architectures", 20);
        let names = summary.inline(&list, &program.architectures);
        summary.line(&format!("Architectures: {names}"));
    }
    if let Some(stripped) = program.stripped {
        summary.line(&format!("Stripped: {}", if stripped { "yes" } else { "no" }));
    }
    if let Some(alone) = program.static_linked {
        summary.line(&format!("Linking: {}", if alone { "static" } else { "dynamic" }));
    }
    if !parity {
        for (title, value) in [
            ("Interpreter", &program.interpreter),
            ("Library name", &program.name),
            ("Build id", &program.build_id),
        ] {
            if let Some(value) = value {
                summary.line(&format!("{title}: {}", summary.short(value, NAME)));
            }
        }
        for (what, count) in &program.counts {
            summary.line(&format!("Number of {what}: {}", grouped(*count)));
        }
    }
    for (list, listed, count) in [
        ("sections", program.sections.kept.len(), program.sections.count),
        ("exported_symbols", program.exported.kept.len(), program.exported.count),
        ("imported_symbols", program.imported.kept.len(), program.imported.count),
    ] {
        summary.capped(&format!("/fields/{list}"), listed, count, false);
    }
    let sections: Vec<String> = program
        .sections
        .kept
        .iter()
        .map(|section| {
            format!("{} ({} bytes)", summary.short(&section.name, NAME), grouped(section.size))
        })
        .collect();
    let count = program.sections.count;
    section(findings, "Sections", "sections", if parity { 20 } else { 60 }, count, &sections);
    let members: Vec<String> = program
        .members
        .iter()
        .map(|member| {
            format!(
                "{} ({} bytes)",
                findings.summary.short(&member.name, NAME),
                grouped(member.size)
            )
        })
        .collect();
    let count = members.len() as u64;
    section(findings, "Members", "members", if parity { 20 } else { 100 }, count, &members);
    section(
        findings,
        "Dependencies",
        "dependencies",
        if parity { 15 } else { 60 },
        program.dependencies.len() as u64,
        &program.dependencies,
    );
    let secrets = findings.summary.secrets();
    let cap = if parity { 20 } else { 60 };
    for (title, field, table) in [
        ("Exported Symbols", "exported_symbols", &program.exported),
        ("Imported Symbols", "imported_symbols", &program.imported),
    ] {
        section(findings, title, field, cap, table.count, &names(secrets, &table.kept));
    }
    let strings = &program.strings;
    section(findings, "Interesting Strings", "strings", 30, strings.len() as u64, strings);
}

fn section(
    findings: &mut Findings,
    title: &str,
    field: &str,
    cap: usize,
    count: u64,
    entries: &[String],
) {
    let source = format!("/fields/{field}");
    let list = List::counted(title, &source, cap);
    findings.summary.section(&format!("{title} ({}):", grouped(count)), &list, entries);
}

fn names(secrets: Secrets, linked: &[Linked]) -> Vec<String> {
    linked
        .iter()
        .map(|one| {
            let mut text = shortened(secrets, &one.name, NAME);
            if let Some(kind) = one.kind {
                text.push_str(&format!(" [{kind}]"));
            }
            if let Some(from) = &one.from {
                text.push_str(&format!(" from {}", shortened(secrets, from, NAME)));
            }
            text
        })
        .collect()
}
