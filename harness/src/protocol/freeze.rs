//! Freezes the protocol in force.

use std::{collections::BTreeMap, path::Path};

use record::{exit, protocol::FREEZE, write_atomically};
use verdict::freeze::{Freeze, FreezeError};

use crate::Failure;

/// Writes the digests of all files of the protocol in force, of its gold and of the rules of runtime paths; returns
/// the number of files that were not frozen before. Digests that are frozen already stay.
///
/// # Errors
/// A frozen file changed or is missing, or a file cannot be read or written.
pub fn freeze(root: &Path) -> Result<usize, Failure> {
    let found = Freeze::of(root)?;
    let frozen = match Freeze::open(root) {
        Ok(frozen) => frozen.files,
        Err(FreezeError::Missing) => BTreeMap::new(),
        Err(error) => return Err(error.into()),
    };
    for (file, digest) in &frozen {
        match found.files.get(file) {
            Some(other) if other == digest => {}
            Some(_) => return Err(FreezeError::Changed(file.clone()).into()),
            None => return Err(FreezeError::Gone(file.clone()).into()),
        }
    }
    let text = found.to_toml().map_err(|error| Failure::internal(error.to_string()))?;
    write_atomically(&root.join(FREEZE), text.as_bytes())
        .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
    Ok(found.files.len() - frozen.len())
}
