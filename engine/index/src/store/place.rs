//! The folder of the store, which only its owner can enter.

use std::{
    fs::{self, DirBuilder, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::Path,
};

/// Permission bits of the folder: access for its owner only.
const OWN: u32 = 0o700;

/// Creates the folder, or makes sure that it is ours and that nobody else can enter it.
pub fn prepare(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(OWN).create(folder)?;
    let found = fs::symlink_metadata(folder)?;
    if !found.is_dir() || found.uid() != rustix::process::geteuid().as_raw() {
        return Err(io::Error::other("is not a folder of this user"));
    }
    if found.mode() & 0o077 != 0 {
        fs::set_permissions(folder, Permissions::from_mode(OWN))?;
    }
    Ok(())
}
