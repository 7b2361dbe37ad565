//! Imports and exports of PE files, those without a name among them.

use object::{
    LittleEndian,
    read::{
        Result,
        pe::{ExportTarget, ImageNtHeaders, ImageThunkData, PeFile},
    },
};

use super::{Program, fields::Linked, name};

/// Bytes of names and entries of imports that are read: tables may overlap, and then there is no end to what
/// they name.
const READ: usize = 64 << 20;
/// What a library and an entry count for besides their names.
const LIBRARY: usize = 4 << 10;
const ENTRY: usize = 16;

/// Reads what it takes from libraries. What is taken by its number has no name: `#` stands before it.
///
/// # Errors
/// A table does not lie in the file; what was read before is kept.
pub fn imports<Pe: ImageNtHeaders>(file: &PeFile<'_, Pe>, program: &mut Program) -> Result<()> {
    let Some(table) = file.import_table()? else { return Ok(()) };
    let mut libraries = table.descriptors()?;
    let mut left = READ;
    while let Some(library) = libraries.next()? {
        let library_name = table.name(library.name.get(LittleEndian))?;
        left = left.saturating_sub(LIBRARY + library_name.len());
        let from = name(library_name);
        program.depends_on(&from);
        if left == 0 {
            program.errors.push("its libraries are too many: not read on".to_owned());
            return Ok(());
        }
        let bound = library.first_thunk.get(LittleEndian);
        let unbound = library.original_first_thunk.get(LittleEndian);
        let mut thunks = table.thunks(if unbound == 0 { bound } else { unbound })?;
        while let Some(thunk) = thunks.next::<Pe>()? {
            let bytes =
                if thunk.is_ordinal() { None } else { Some(table.hint_name(thunk.address())?.1) };
            left = left.saturating_sub(ENTRY + bytes.map_or(0, <[u8]>::len));
            if left == 0 {
                program.errors.push("its imports are too many: not read on".to_owned());
                return Ok(());
            }
            let text = bytes.map_or_else(|| format!("#{}", thunk.ordinal()), name);
            let from = (!from.is_empty()).then(|| from.clone());
            program.imported.push(|| Linked { name: text, kind: None, from });
        }
    }
    Ok(())
}

/// Reads what it offers, what it hands on to other libraries as well; numbers that stand for
/// nothing are left out.
///
/// # Errors
/// The table does not lie in the file.
pub fn exports<Pe: ImageNtHeaders>(file: &PeFile<'_, Pe>, program: &mut Program) -> Result<()> {
    let Some(table) = file.export_table()? else { return Ok(()) };
    for export in table.exports()? {
        let from = match export.target {
            ExportTarget::Address(0) => continue,
            ExportTarget::Address(_) => None,
            ExportTarget::ForwardByName(library, _)
            | ExportTarget::ForwardByOrdinal(library, _) => Some(name(library)),
        };
        let text = export.name.map_or_else(|| format!("#{}", export.ordinal), name);
        program.exported.push(|| Linked { name: text, kind: None, from });
    }
    Ok(())
}
