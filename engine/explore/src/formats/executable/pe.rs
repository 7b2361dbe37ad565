//! Imports and exports of PE files, including those without a name.

use object::{
    LittleEndian,
    read::{
        Result,
        pe::{ExportTable, ExportTarget, ImageNtHeaders, ImageThunkData, PeFile},
    },
};

use super::{Program, fields::Linked, name};

/// Maximum size of the names and entries of imports that are read, in bytes: tables may overlap,
/// and could then name any number of things.
const READ: usize = 64 << 20;
/// What a library and an entry add to that size besides their names, in bytes.
const LIBRARY: usize = 4 << 10;
const ENTRY: usize = 16;

/// Reads the imports. An import by number has no name and is shown as `#` and its number.
///
/// # Errors
/// A table is not inside the file; what was read before is kept.
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
            program.errors.push("too many libraries: not read on".to_owned());
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
                program.errors.push("too many imports: not read on".to_owned());
                return Ok(());
            }
            let text = bytes.map_or_else(|| format!("#{}", thunk.ordinal()), name);
            let from = (!from.is_empty()).then(|| from.clone());
            program.imported.push(|| Linked { name: text, kind: None, from });
        }
    }
    Ok(())
}

/// Reads the exports, including those that are forwarded to other libraries. Unused numbers are
/// left out.
///
/// # Errors
/// The table is not inside the file; what was read before is kept.
pub fn exports<Pe: ImageNtHeaders>(file: &PeFile<'_, Pe>, program: &mut Program) -> Result<()> {
    match file.export_table()? {
        Some(table) => offered(&table, program),
        None => Ok(()),
    }
}

fn offered(table: &ExportTable, program: &mut Program) -> Result<()> {
    // A name belongs to one of the first 65,536 addresses; if an address has several names, the
    // last one counts.
    let mut names: Vec<Option<u32>> = Vec::new();
    for (pointer, index) in table.name_iter() {
        let index = usize::from(index);
        if names.len() <= index {
            names.resize(index + 1, None);
        }
        if let Some(name) = names.get_mut(index) {
            *name = Some(pointer);
        }
    }
    let mut left = READ;
    for (index, address) in table.addresses().iter().enumerate() {
        let address = address.get(LittleEndian);
        let forward = table.forward_string(address)?;
        if forward.is_none() && address == 0 {
            continue;
        }
        let named = names.get(index).copied().flatten();
        let named = named.map(|pointer| table.name_from_pointer(pointer)).transpose()?;
        left = left.saturating_sub(forward.map_or(0, <[u8]>::len) + named.map_or(0, <[u8]>::len));
        if left == 0 {
            program.errors.push("its exports are too many: not read on".to_owned());
            return Ok(());
        }
        let from = match forward.map(|_| table.target_from_address(address)).transpose()? {
            Some(
                ExportTarget::ForwardByName(library, _)
                | ExportTarget::ForwardByOrdinal(library, _),
            ) => Some(name(library)),
            Some(ExportTarget::Address(_)) | None => None,
        };
        let ordinal = table.ordinal_base().wrapping_add(u32::try_from(index).unwrap_or(u32::MAX));
        let text = named.map_or_else(|| format!("#{ordinal}"), name);
        program.exported.push(|| Linked { name: text, kind: None, from });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use object::read::pe::ExportTable;

    use super::{Program, READ, offered};

    const BASE: u32 = 0x1000;

    /// An export table: addresses, then pointers to names, their indices, and the names.
    fn table(addresses: &[u32], names: &[(u32, u16)], texts: &[u8]) -> Vec<u8> {
        let (functions, pointers) = (40, 40 + 4 * addresses.len());
        let ordinals = pointers + 4 * names.len();
        let texts_at = ordinals + 2 * names.len();
        let place = |at: usize| BASE + u32::try_from(at).unwrap();
        let mut bytes = vec![0; 16];
        for number in [5, addresses.len() as u32, names.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        for at in [functions, pointers, ordinals] {
            bytes.extend(place(at).to_le_bytes());
        }
        bytes.extend(addresses.iter().flat_map(|address| address.to_le_bytes()));
        bytes.extend(names.iter().flat_map(|(at, _)| (place(texts_at) + at).to_le_bytes()));
        bytes.extend(names.iter().flat_map(|(_, index)| index.to_le_bytes()));
        bytes.extend(texts);
        bytes
    }

    fn read(bytes: &[u8]) -> Program {
        let mut program = Program::default();
        offered(&ExportTable::parse(bytes, BASE).unwrap(), &mut program).unwrap();
        program
    }

    #[test]
    fn exports_have_names_or_numbers() {
        let bytes = table(&[7, 0, 9, 11], &[(0, 2), (4, 0)], b"one\0two\0");
        let program = read(&bytes);
        let names: Vec<&str> = program.exported.kept.iter().map(|one| one.name.as_str()).collect();
        assert_eq!((names, program.exported.count), (vec!["two", "one", "#8"], 3));
    }

    #[test]
    fn names_that_overlap_do_not_keep_it_busy() {
        // Sixty thousand names that are suffixes of one long text, a gigabyte in total.
        let mut text = vec![b'a'; 1 << 16];
        text.push(0);
        let names: Vec<(u32, u16)> =
            (0..60_000).map(|index| (u32::from(index) / 2, index)).collect();
        let program = read(&table(&vec![7; 60_000], &names, &text));
        assert!(program.errors.iter().any(|error| error.contains("too many")));
        assert!(program.exported.count < (READ / (1 << 15)) as u64);
    }
}
