//! ELF, PE, Mach-O and COFF, read through the `object` crate.

use object::{
    Architecture, BinaryFormat, Endianness, File, FileKind, Object, ObjectKind, ObjectSection,
    ObjectSymbol, SymbolKind,
    elf::{DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_SONAME, PT_DYNAMIC, PT_INTERP},
    macho::{LC_ID_DYLIB, LC_RPATH, MH_BUNDLE, MH_DSYM, MH_DYLINKER, MH_KEXT_BUNDLE, MH_TWOLEVEL},
    read::{
        elf::{ElfFile, FileHeader, ProgramHeader},
        macho::{
            FatArch, LoadCommandVariant, MachHeader, MachOFatFile32, MachOFatFile64, MachOFile,
            Nlist,
        },
    },
};

use super::{
    Program, bytes,
    fields::{Linked, Machine, Section},
    name, pe,
};

/// Maximum number of entries of a dynamic table that are read.
const NAMES: usize = 200_000;

/// Reads one of the formats.
pub fn read(bytes: &[u8], program: &mut Program) {
    match FileKind::parse(bytes) {
        Ok(FileKind::MachOFat32) => match MachOFatFile32::parse(bytes) {
            Ok(fat) => fat_file(bytes, fat.arches(), program),
            Err(error) => program.errors.push(format!("the list of architectures: {error}")),
        },
        Ok(FileKind::MachOFat64) => match MachOFatFile64::parse(bytes) {
            Ok(fat) => fat_file(bytes, fat.arches(), program),
            Err(error) => program.errors.push(format!("the list of architectures: {error}")),
        },
        Ok(kind) => {
            (program.format, program.kind) = identity(bytes, kind);
            match File::parse(bytes) {
                Ok(file) => whole(&file, bytes, program),
                Err(error) => {
                    program.errors.push(format!("its tables cannot be read: {error}"));
                    program.arch = elf_arch(bytes);
                }
            }
        }
        Err(error) if bytes.starts_with(b"MZ") => {
            (program.format, program.kind) = ("dos", "executable");
            if bytes::le32(bytes, 0x3c).is_none() {
                program.errors.push(format!("its header is cut off: {error}"));
            }
        }
        Err(error) => program.errors.push(format!("no known kind of executable: {error}")),
    }
}

/// The format and kind, judged by the magic number alone.
fn identity(bytes: &[u8], kind: FileKind) -> (&'static str, &'static str) {
    match kind {
        FileKind::Elf32 | FileKind::Elf64 => {
            let big = bytes.get(5) == Some(&2);
            let kind = if big { bytes::be16(bytes, 16) } else { bytes::le16(bytes, 16) };
            let kind = match kind {
                Some(1) => "object file",
                Some(2) => "executable",
                Some(3) => "shared library",
                Some(4) => "core dump",
                _ => "file",
            };
            ("elf", kind)
        }
        FileKind::MachO32 | FileKind::MachO64 => ("mach-o", "file"),
        FileKind::Pe32 | FileKind::Pe64 => ("pe", "executable"),
        FileKind::Coff | FileKind::CoffBig | FileKind::CoffImport => ("coff", "object file"),
        FileKind::Xcoff32 | FileKind::Xcoff64 => ("xcoff", "file"),
        _ => ("unknown", "file"),
    }
}

/// The processor of an ELF file with broken tables.
fn elf_arch(bytes: &[u8]) -> Option<Machine> {
    if !bytes.starts_with(b"\x7fELF") {
        return None;
    }
    let big = bytes.get(5) == Some(&2);
    let machine = if big { bytes::be16(bytes, 18) } else { bytes::le16(bytes, 18) }?;
    let arch = match machine {
        3 => "i386".to_owned(),
        40 => "arm".to_owned(),
        62 => "x86_64".to_owned(),
        183 => "aarch64".to_owned(),
        243 => "riscv".to_owned(),
        other => format!("machine {other}"),
    };
    let bits = if bytes.get(4) == Some(&2) { 64 } else { 32 };
    Some(Machine { arch, bits, endian: if big { "big" } else { "little" } })
}

fn fat_file<Fat: FatArch>(bytes: &[u8], arches: &[Fat], program: &mut Program) {
    (program.format, program.kind) = ("mach-o", "universal binary");
    program.architectures = arches.iter().map(|arch| arch_name(arch.architecture())).collect();
    let Some(first) = arches.first() else { return };
    match first.data(bytes).and_then(|part| File::parse(part).map(|file| (file, part))) {
        Ok((file, part)) => {
            whole(&file, part, program);
            program.kind = "universal binary";
        }
        Err(error) => program.errors.push(format!("its first architecture: {error}")),
    }
}

fn whole(file: &File, bytes: &[u8], program: &mut Program) {
    program.format = match file.format() {
        BinaryFormat::Elf => "elf",
        BinaryFormat::Pe => "pe",
        BinaryFormat::MachO => "mach-o",
        BinaryFormat::Coff => "coff",
        BinaryFormat::Xcoff => "xcoff",
        _ => "unknown",
    };
    program.kind = match file.kind() {
        ObjectKind::Relocatable => "object file",
        ObjectKind::Executable => "executable",
        ObjectKind::Dynamic => "shared library",
        ObjectKind::Core => "core dump",
        _ => "file",
    };
    program.arch = Some(Machine {
        arch: arch_name(file.architecture()),
        bits: if file.is_64() { 64 } else { 32 },
        endian: if file.endianness() == Endianness::Little { "little" } else { "big" },
    });
    program.entry = (file.entry() != 0).then(|| file.entry());
    program.debug_info = Some(file.has_debug_symbols());
    if let Ok(Some(id)) = file.build_id() {
        program.build_id = Some(id.iter().take(64).map(|byte| format!("{byte:02x}")).collect());
    }
    let mut beyond = 0_usize;
    for section in file.sections() {
        let range = section.file_range();
        let end = range.map_or(0, |(start, size)| start.saturating_add(size));
        beyond += usize::from(end > bytes.len() as u64);
        program.sections.push(|| Section {
            name: section.name_bytes().map(name).unwrap_or_default(),
            size: section.size(),
            offset: range.map(|(start, _)| start),
        });
    }
    if beyond > 0 {
        program.errors.push(format!("{beyond} of its sections lie behind the end of the file"));
    }
    symbols(file, program);
    match file {
        File::Elf32(file) => elf(file, bytes, program),
        File::Elf64(file) => elf(file, bytes, program),
        File::MachO32(file) => mach_o(file, program),
        File::MachO64(file) => mach_o(file, program),
        File::Pe32(_) | File::Pe64(_) => {
            program.static_linked = Some(program.dependencies.is_empty());
            // The flag `IMAGE_FILE_DLL` in the header's characteristics.
            let characteristics = bytes::le32(bytes, 0x3c)
                .and_then(|start| bytes::le16(bytes, start as usize + 22))
                .unwrap_or(0);
            program.kind =
                if characteristics & 0x2000 == 0 { "executable" } else { "shared library" };
        }
        _ => {}
    }
}

fn symbols(file: &File, program: &mut Program) {
    let is_elf = file.format() == BinaryFormat::Elf;
    // An object file has no dynamic table: its imports and exports are in its only symbol table.
    let relocatable = file.kind() == ObjectKind::Relocatable;
    program.stripped = Some(file.symbols().next().is_none());
    if is_elf || relocatable {
        let table = if relocatable { file.symbols() } else { file.dynamic_symbols() };
        for symbol in table {
            if !symbol.is_global() && !symbol.is_weak() {
                continue;
            }
            let Ok(text) = symbol.name_bytes() else { continue };
            if text.is_empty() {
                continue;
            }
            let kind = match symbol.kind() {
                SymbolKind::Text => Some("function"),
                SymbolKind::Data => Some("object"),
                SymbolKind::Tls => Some("thread local"),
                _ => None,
            };
            let linked = || Linked { name: name(text), kind, from: None };
            if symbol.is_undefined() {
                program.imported.push(linked);
            } else {
                program.exported.push(linked);
            }
        }
        return;
    }
    let imports = match file {
        File::Pe32(file) => pe::imports(file, program),
        File::Pe64(file) => pe::imports(file, program),
        // The imports of Mach-O are read with its load commands, which name the libraries.
        File::MachO32(_) | File::MachO64(_) => Ok(()),
        _ => file.imports().map(|imports| {
            for import in imports {
                let library = name(import.library());
                program.depends_on(&library);
                let from = (!library.is_empty()).then_some(library);
                program.imported.push(|| Linked { name: name(import.name()), kind: None, from });
            }
        }),
    };
    if let Err(error) = imports {
        program.errors.push(format!("its imports: {error}"));
    }
    let exports = match file {
        File::Pe32(file) => pe::exports(file, program),
        File::Pe64(file) => pe::exports(file, program),
        _ => file.exports().map(|exports| {
            for export in exports {
                program.exported.push(|| Linked {
                    name: name(export.name()),
                    kind: None,
                    from: None,
                });
            }
        }),
    };
    if let Err(error) = exports {
        program.errors.push(format!("its exports: {error}"));
    }
}

fn elf<Elf: FileHeader<Endian = Endianness>>(
    file: &ElfFile<'_, Elf>,
    bytes: &[u8],
    program: &mut Program,
) {
    let segments = file.elf_program_headers();
    program.segment_count = Some(segments.len());
    let mut dynamic = false;
    for segment in segments {
        let kind = segment.p_type(file.endian());
        dynamic |= kind == PT_DYNAMIC;
        if kind == PT_INTERP
            && let Ok(Some(path)) = segment.interpreter(file.endian(), bytes)
        {
            program.interpreter = Some(name(path));
        }
    }
    if program.kind == "object file" {
        return;
    }
    program.static_linked = Some(!dynamic);
    if program.interpreter.is_some() {
        program.kind = "executable";
    }
    let table = match file.elf_dynamic_table() {
        Ok(table) => table,
        Err(error) => {
            program.errors.push(format!("its dynamic table: {error}"));
            return;
        }
    };
    for entry in table.iter().take(NAMES) {
        let Ok(text) = table.string(entry) else { continue };
        match entry.tag {
            tag if tag == DT_NEEDED => program.dependencies.push(name(text)),
            tag if tag == DT_SONAME => program.name = Some(name(text)),
            tag if tag == DT_RPATH || tag == DT_RUNPATH => {
                program.search_paths.extend(name(text).split(':').map(str::to_owned));
            }
            _ => {}
        }
    }
    program.static_linked = Some(program.interpreter.is_none() && program.dependencies.is_empty());
}

fn mach_o<Mach: MachHeader<Endian = Endianness>>(
    file: &MachOFile<'_, Mach>,
    program: &mut Program,
) {
    let Ok(mut commands) = file.macho_load_commands() else { return };
    let endian = file.endian();
    program.dependencies.clear();
    let mut segments = 0;
    while let Ok(Some(command)) = commands.next() {
        let text = |text| command.string(endian, text).map(name).unwrap_or_default();
        match command.variant() {
            Ok(LoadCommandVariant::Dylib(dylib)) => {
                program.dependencies.push(text(dylib.dylib.name));
            }
            Ok(LoadCommandVariant::IdDylib(dylib)) if command.cmd() == LC_ID_DYLIB => {
                program.name = Some(text(dylib.dylib.name));
            }
            Ok(LoadCommandVariant::LoadDylinker(linker)) => {
                program.interpreter = Some(text(linker.name));
            }
            Ok(LoadCommandVariant::Rpath(path)) if command.cmd() == LC_RPATH => {
                program.search_paths.push(text(path.path));
            }
            Ok(LoadCommandVariant::Segment32(..) | LoadCommandVariant::Segment64(..)) => {
                segments += 1;
            }
            _ => {}
        }
    }
    program.segment_count = Some(segments);
    program.kind = match file.macho_header().filetype(endian) {
        MH_BUNDLE => "bundle",
        MH_DYLINKER => "dynamic linker",
        MH_DSYM => "debug symbols",
        MH_KEXT_BUNDLE => "kernel extension",
        _ => program.kind,
    };
    if program.kind != "object file" {
        mach_o_imports(file, program);
    }
    program.static_linked = Some(program.dependencies.is_empty());
}

/// The imports of a linked Mach-O file. If the library is searched at run time, as is usual for
/// bundles, the import names no library.
fn mach_o_imports<Mach: MachHeader<Endian = Endianness>>(
    file: &MachOFile<'_, Mach>,
    program: &mut Program,
) {
    let endian = file.endian();
    let two_level = file.macho_header().flags(endian) & MH_TWOLEVEL != 0;
    for symbol in file.symbols().filter(ObjectSymbol::is_undefined) {
        let Ok(text) = symbol.name_bytes() else { continue };
        let library = usize::from(symbol.macho_symbol().library_ordinal(endian));
        let from = library
            .checked_sub(1)
            .filter(|_| two_level)
            .and_then(|index| program.dependencies.get(index).cloned());
        program.imported.push(|| Linked { name: name(text), kind: None, from });
    }
}

fn arch_name(architecture: Architecture) -> String {
    match architecture {
        Architecture::I386 => "i386".to_owned(),
        Architecture::X86_64 => "x86_64".to_owned(),
        Architecture::X86_64_X32 => "x86_64 (32-bit pointers)".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    }
}
