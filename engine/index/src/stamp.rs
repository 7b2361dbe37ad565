//! What the file system says of a file: enough to tell that its bytes have not changed.
//!
//! Size and both times can be the same for other bytes if the file was written twice within one
//! tick of the file system's clock. A stamp that recent is not kept, and the bytes are hashed
//! again.

use std::{
    fs::Metadata,
    os::unix::fs::MetadataExt,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Minimum age of a change. The clocks of the coarsest file systems tick every two seconds.
const SETTLED: Duration = Duration::from_secs(2);

/// A stamp as it is stored: size, modification and change time in nanoseconds, and inode.
pub type Stamp = [u8; 32];

/// The stamp of a file.
pub fn of(metadata: &Metadata) -> Stamp {
    let nanoseconds = |seconds: i64, rest: i64| seconds.wrapping_mul(1_000_000_000) + rest;
    let parts = [
        metadata.size(),
        nanoseconds(metadata.mtime(), metadata.mtime_nsec()).cast_unsigned(),
        nanoseconds(metadata.ctime(), metadata.ctime_nsec()).cast_unsigned(),
        metadata.ino(),
    ];
    let mut stamp = [0; 32];
    for (place, part) in stamp.chunks_exact_mut(8).zip(parts) {
        place.copy_from_slice(&part.to_le_bytes());
    }
    stamp
}

/// The stamp of a file that was taken before reading it; `None` if other bytes could have the same
/// stamp.
pub fn settled(metadata: &Metadata) -> Option<Stamp> {
    #[expect(clippy::disallowed_methods, reason = "only decides whether bytes are hashed again")]
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    let seconds = metadata.mtime().max(metadata.ctime());
    let changed = Duration::from_secs(u64::try_from(seconds).ok()?) + Duration::from_secs(1);
    (changed + SETTLED <= now).then(|| of(metadata))
}
