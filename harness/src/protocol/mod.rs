//! The versions of the protocol: makes and freezes the next one, compares versions, and checks which results are
//! of an older one.

mod bump;
mod diff;
mod files;
mod floors;
mod freeze;
mod git;
mod history;
mod status;
mod values;
mod version;

use std::{
    fs,
    path::{Path, PathBuf},
};

use record::{
    exit,
    protocol::{CURRENT, FOLDER, NAME},
};

use crate::Failure;

pub use bump::{Bumped, bump};
pub use diff::Diff;
pub use floors::{COMPARED, lowered};
pub use freeze::freeze;
pub use history::{Change, HistoryError, Walk, walk};
pub use status::{Made, Results, Standing, Status};
pub use version::{Version, before};

/// The folders of the version before and of the one in force below `root`; `None` for a first version.
pub fn versions(root: &Path) -> Option<(PathBuf, PathBuf)> {
    let number: u32 = NAME.strip_prefix('v')?.parse().ok()?;
    let before = root.join("protocols").join(format!("v{}", number.checked_sub(1)?));
    (number > 1).then(|| (before, root.join(FOLDER)))
}

/// Fails if the checkout has another protocol in force than this program was built with. After a bump, an old program
/// would make results of the version before.
///
/// # Errors
/// The versions differ, or the file that names the version in force cannot be read.
pub fn in_force(root: &Path) -> Result<(), Failure> {
    let path = root.join(CURRENT);
    let found = fs::read_to_string(&path)
        .map_err(|error| Failure::new(exit::SETUP, format!("{}: {error}", path.display())))?;
    if found.trim_end() == NAME {
        return Ok(());
    }
    let why = format!(
        "{} says that protocol {:?} is in force, and this program was built with {NAME}; build it again: `cargo build`",
        path.display(),
        found.trim_end()
    );
    Err(Failure::new(exit::SETUP, why))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use record::protocol::NAME;

    use super::in_force;

    #[test]
    fn a_program_of_another_protocol_is_refused() {
        let place = tempfile::tempdir().unwrap();
        assert!(in_force(place.path()).is_err());
        fs::create_dir(place.path().join("protocols")).unwrap();
        let current = place.path().join("protocols/current");
        fs::write(&current, format!("{NAME}\n")).unwrap();
        assert!(in_force(place.path()).is_ok());
        fs::write(&current, "v999\n").unwrap();
        let said = in_force(place.path()).unwrap_err().to_string();
        assert!(said.contains("\"v999\"") && said.contains("cargo build"), "{said}");
    }
}
