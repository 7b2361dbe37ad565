//! Imports and exports of PE files, those without a name among them.

use object::{
    LittleEndian,
    read::{
        Result,
        pe::{ExportTarget, ImageNtHeaders, ImageThunkData, PeFile},
    },
};

use super::{Program, fields::Linked, name};

/// Reads what it takes from libraries. What is taken by its number has no name: `#` stands before it.
///
/// # Errors
/// A table does not lie in the file; what was read before is kept.
pub fn imports<Pe: ImageNtHeaders>(file: &PeFile<'_, Pe>, program: &mut Program) -> Result<()> {
    let Some(table) = file.import_table()? else { return Ok(()) };
    let mut libraries = table.descriptors()?;
    while let Some(library) = libraries.next()? {
        let from = name(table.name(library.name.get(LittleEndian))?);
        program.depends_on(&from);
        let bound = library.first_thunk.get(LittleEndian);
        let unbound = library.original_first_thunk.get(LittleEndian);
        let mut thunks = table.thunks(if unbound == 0 { bound } else { unbound })?;
        while let Some(thunk) = thunks.next::<Pe>()? {
            let text = if thunk.is_ordinal() {
                format!("#{}", thunk.ordinal())
            } else {
                name(table.hint_name(thunk.address())?.1)
            };
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
