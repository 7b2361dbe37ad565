//! A folder of plain files as one file: a tar archive, the same bytes for the same files.
//!
//! It is not compressed: what is stored this way (wheels) is compressed already, and another version of a compressor
//! would give the same files another digest.

use std::{
    fs::{self, File},
    io::{self, Read, Seek},
    os::unix::fs::PermissionsExt,
    path::{Component, Path},
};

use tar::{Archive, Builder, EntryType, Header};

use crate::Error;

/// The most files of a folder.
const MOST_FILES: usize = 10_000;
/// The most bytes of all files of a folder.
const MOST_BYTES: u64 = 2 << 30;

/// Writes the files of a folder, in the order of their names, into an archive. They have no time and no owner there.
///
/// # Errors
/// There is something else than plain files, there is too much, or a file cannot be read.
pub fn pack(folder: &Path, archive: &mut File) -> Result<(), Error> {
    let unread = |path: &Path| {
        let path = path.to_owned();
        move |error| Error::File { action: "read", path, error }
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(unread(folder))? {
        let entry = entry.map_err(unread(folder))?;
        let name = entry.file_name().into_string().ok().filter(|name| is_plain(Path::new(name)));
        let is_file = entry.file_type().map_err(unread(&entry.path()))?.is_file();
        let (Some(name), true) = (name, is_file) else {
            let path = entry.path();
            return Err(Error::Archive(format!("{} is no plain file", path.display())));
        };
        names.push(name);
    }
    names.sort();
    let mut builder = Builder::new(archive);
    let (mut files, mut bytes) = (0, 0);
    for name in names {
        let path = folder.join(&name);
        let mut file = File::open(&path).map_err(unread(&path))?;
        let about = file.metadata().map_err(unread(&path))?;
        within(&mut files, &mut bytes, about.len())?;
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(if about.permissions().mode() & 0o100 == 0 { 0o644 } else { 0o755 });
        header.set_size(about.len());
        let mut content = (&mut file).take(about.len());
        builder.append_data(&mut header, &name, &mut content).map_err(unread(&path))?;
        if content.limit() > 0 {
            return Err(Error::Archive(format!("{} was changed meanwhile", path.display())));
        }
    }
    let archive = builder.into_inner().map_err(unread(folder))?;
    archive.sync_all().map_err(unread(folder))
}

/// Writes the files of an archive into an empty folder. Only plain files directly in it are taken.
///
/// # Errors
/// The archive is damaged, has something else than plain files or a name twice, or has too much.
pub fn unpack(archive: &mut File, folder: &Path) -> Result<(), Error> {
    let damaged = |error: io::Error| Error::Archive(error.to_string());
    archive.rewind().map_err(damaged)?;
    let (mut files, mut bytes) = (0, 0);
    let mut archive = Archive::new(archive);
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        let name = entry.path().map_err(damaged)?.into_owned();
        let shown = name.display().to_string().escape_debug().to_string();
        if entry.header().entry_type() != EntryType::Regular || !is_plain(&name) {
            return Err(Error::Archive(format!("`{shown}` is no plain file in the folder")));
        }
        let size = entry.size();
        within(&mut files, &mut bytes, size)?;
        let path = folder.join(&name);
        let unwritten = |error| Error::File { action: "written", path: path.clone(), error };
        // Fails if something is there, so that nothing is written through a link.
        let mut file = File::create_new(&path).map_err(unwritten)?;
        if io::copy(&mut entry, &mut file).map_err(damaged)? != size {
            return Err(Error::Archive(format!("`{shown}` ends too early")));
        }
        let is_executable = entry.header().mode().map_err(damaged)? & 0o100 != 0;
        let mode = fs::Permissions::from_mode(if is_executable { 0o755 } else { 0o644 });
        file.set_permissions(mode).and_then(|()| file.sync_all()).map_err(unwritten)?;
    }
    Ok(())
}

/// Counts one more file.
fn within(files: &mut usize, bytes: &mut u64, size: u64) -> Result<(), Error> {
    *files += 1;
    *bytes = bytes.saturating_add(size);
    if *files > MOST_FILES || *bytes > MOST_BYTES {
        let what = format!("{MOST_FILES} files and {MOST_BYTES} bytes");
        return Err(Error::Archive(format!("it has more than {what}")));
    }
    Ok(())
}

/// Whether a path is one name.
fn is_plain(path: &Path) -> bool {
    let mut parts = path.components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(name)), None) if name == path)
}
