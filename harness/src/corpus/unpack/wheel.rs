//! Zip archives, as Python wheels are.

use std::{
    cell::Cell,
    fs::File,
    io::{BufReader, Read},
    rc::Rc,
};

use zip::{ZipArchive, result::ZipError};

use super::{Head, Sort, UnpackError, Unpacking, stream::Limited};
use crate::corpus::disk::At;

/// Longest target of a link that is read, in bytes; a longer one is refused as a path anyway.
const LONGEST_TARGET: u64 = 4096;

/// Hands every entry of the archive to `unpacking`, in the order of its directory.
pub(super) fn read(unpacking: &mut Unpacking<'_>) -> Result<(), UnpackError> {
    let file = File::open(unpacking.archive).at("open", unpacking.archive)?;
    let mut archive =
        ZipArchive::new(BufReader::new(file)).map_err(|error| zip_error(unpacking, error))?;
    // Entries that share bytes would be unpacked twice, and of two entries with one name only one would
    // be.
    if archive.has_duplicate_names() {
        return Err(unpacking.damaged("an entry comes twice".to_owned()));
    }
    if archive.has_overlapping_files().map_err(|error| zip_error(unpacking, error))? {
        return Err(unpacking.damaged("its entries overlap".to_owned()));
    }
    let packed = Rc::new(Cell::new(0));
    let unpacked = Rc::new(Cell::new(0));
    for index in 0..archive.len() {
        unpacking.count()?;
        let entry = archive.by_index(index).map_err(|error| zip_error(unpacking, error))?;
        let (path, size) = (entry.name_raw().to_vec(), entry.size());
        let executable = entry.unix_mode().unwrap_or(0) & 0o100 != 0;
        let (is_folder, is_link) = (entry.is_dir(), entry.is_symlink());
        packed.set(packed.get() + entry.compressed_size());
        let mut content = Limited {
            inner: entry,
            packed: Rc::clone(&packed),
            unpacked: Rc::clone(&unpacked),
            caps: unpacking.caps,
            reached: Rc::clone(&unpacking.reached),
        };
        let sort = if is_folder {
            Sort::Folder
        } else if is_link {
            let mut target = Vec::new();
            (&mut content)
                .take(LONGEST_TARGET)
                .read_to_end(&mut target)
                .map_err(|error| unpacking.stream_error(error))?;
            Sort::Link { target }
        } else {
            Sort::File
        };
        unpacking.take(&Head { path, sort, size, executable }, &mut content)?;
    }
    Ok(())
}

fn zip_error(unpacking: &Unpacking<'_>, error: ZipError) -> UnpackError {
    match error {
        ZipError::Io(error) => unpacking.stream_error(error),
        other => unpacking.damaged(other.to_string()),
    }
}
