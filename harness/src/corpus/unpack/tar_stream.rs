//! Tar archives: plain ones under a compression, and the file tree inside a Debian package.

use std::{
    cell::Cell,
    fs::{self, File},
    io::{self, BufReader, Read},
    rc::Rc,
};

use duct::cmd;
use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;

use super::{
    Head, Sort, UnpackError, Unpacking,
    stream::{Counted, Limited},
};
use crate::corpus::{disk::At, lock::Packing};

/// Hands every entry of the archive to `unpacking`.
pub(super) fn read(unpacking: &mut Unpacking<'_>, packing: Packing) -> Result<(), UnpackError> {
    let packed = Rc::new(Cell::new(0));
    let limited = Limited {
        inner: open(unpacking, packing, &packed)?,
        packed,
        unpacked: Rc::new(Cell::new(0)),
        caps: unpacking.caps,
        reached: Rc::clone(&unpacking.reached),
    };
    let mut reader = tar::Archive::new(limited);
    for entry in reader.entries().map_err(|error| unpacking.stream_error(error))? {
        let mut entry = entry.map_err(|error| unpacking.stream_error(error))?;
        unpacking.count()?;
        let kind = entry.header().entry_type();
        if kind.is_pax_global_extensions() {
            continue;
        }
        let mut path = entry.path_bytes().into_owned();
        if packing == Packing::Deb {
            // Its paths all start with `./`, which is itself an entry.
            match path.strip_prefix(b"./") {
                Some(b"") => continue,
                Some(rest) => path = rest.to_vec(),
                None => {}
            }
        }
        let sort = if kind.is_dir() {
            Sort::Folder
        } else if kind.is_file() {
            Sort::File
        } else if kind.is_symlink() {
            Sort::Link { target: entry.link_name_bytes().unwrap_or_default().into_owned() }
        } else {
            Sort::Other
        };
        let executable = entry.header().mode().unwrap_or(0) & 0o100 != 0;
        let head = Head { path, sort, size: entry.size(), executable };
        unpacking.take(&head, &mut entry)?;
    }
    // The checksum of a compressed stream comes after the end of the tar archive.
    io::copy(&mut reader.into_inner(), &mut io::sink())
        .map_err(|error| unpacking.stream_error(error))?;
    Ok(())
}

/// The bytes of the tar archive. If the program that decodes it fails, an error follows the last byte;
/// if the reader is dropped early, the program is stopped.
fn open(
    unpacking: &Unpacking<'_>,
    packing: Packing,
    packed: &Rc<Cell<u64>>,
) -> Result<Box<dyn Read>, UnpackError> {
    let archive = unpacking.archive;
    let (program, command) = match packing {
        Packing::XzTar => ("xz", cmd!("xz", "--decompress", "--stdout", "--", archive)),
        Packing::Deb => ("dpkg-deb", cmd!("dpkg-deb", "--fsys-tarfile", archive)),
        Packing::GzipTar | Packing::ZstdTar | Packing::Zip => {
            let file = File::open(archive).at("open", archive)?;
            let counted = Counted { inner: BufReader::new(file), total: Rc::clone(packed) };
            if packing != Packing::ZstdTar {
                return Ok(Box::new(MultiGzDecoder::new(counted)));
            }
            let decoder = StreamingDecoder::new(counted)
                .map_err(|error| unpacking.damaged(error.to_string()))?;
            return Ok(Box::new(decoder));
        }
    };
    // How far the program has read is unknown, so the ratio is taken against the whole archive.
    packed.set(fs::metadata(archive).at("inspect", archive)?.len());
    match command.stdin_null().stderr_null().reader() {
        Ok(reader) => Ok(Box::new(reader)),
        Err(error) => Err(unpacking.no_program(program, &error)),
    }
}
