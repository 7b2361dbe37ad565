//! The protocol's versions: making the next one, freezing it, and holding it against what was frozen
//! and against the version before.

mod bump;
mod floors;
mod freeze;
mod history;

use std::path::{Path, PathBuf};

use record::protocol::{FOLDER, NAME};

pub use bump::{Bumped, bump};
pub use floors::{COMPARED, lowered};
pub use freeze::freeze;
pub use history::{Change, HistoryError, Walk, walk};

/// The folders of the version before and of the one in force below `root`; `None` for a first version.
pub fn versions(root: &Path) -> Option<(PathBuf, PathBuf)> {
    let number: u32 = NAME.strip_prefix('v')?.parse().ok()?;
    let before = root.join("protocols").join(format!("v{}", number.checked_sub(1)?));
    (number > 1).then(|| (before, root.join(FOLDER)))
}
