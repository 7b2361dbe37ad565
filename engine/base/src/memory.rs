//! How much memory there is, and therefore how large a file of code may be.
//!
//! The amount is the least of the machine's memory, the limits of the control groups that this
//! process is in, and the limit of its address space. These are limits, not what is free at the
//! moment, so the answer stays the same on one machine.

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use rustix::process::{Resource, getrlimit};

/// Bytes of memory assumed for each byte of code while it is parsed: the tree of the densest code
/// takes 120.
const PER_BYTE: u64 = 160;
/// One file may take this fraction of the memory: one part in `SHARE`.
const SHARE: u64 = 2;
/// Memory assumed where no limit can be read, in bytes.
const UNKNOWN: u64 = 5 << 30;
/// The largest file that is parsed, in bytes, however much memory there is: its offsets have 32
/// bits.
const MOST: u64 = 1 << 30;
/// Where control groups are mounted.
const GROUPS: &str = "/sys/fs/cgroup";

/// The limit that the user set, in bytes.
static ALLOWED: OnceLock<u64> = OnceLock::new();

/// Limits the memory that this process counts on, in bytes. Only the first call has an effect, and
/// only before the first call of [`most_code`].
pub fn allow(bytes: u64) {
    ALLOWED.set(bytes).ok();
}

/// Keeps the kernel from giving huge pages to this process and those that it starts. The syntax
/// trees of a repository are many small and short-lived blocks, which fill huge pages badly:
/// without huge pages the map of django takes a quarter less memory in the same time
/// (`docs/decisions/0004-allocator.md`). Does nothing on a system without huge pages.
pub fn no_huge_pages() {
    rustix::thread::disable_transparent_huge_pages(true).ok();
}

/// The largest file of code, in bytes, whose syntax tree fits into memory.
pub fn most_code() -> u64 {
    static FOUND: OnceLock<u64> = OnceLock::new();
    let memory = *FOUND.get_or_init(|| {
        let found = [machine(), address_space(), groups(), ALLOWED.get().copied()];
        found.into_iter().flatten().min().unwrap_or(UNKNOWN)
    });
    code_that_fits(memory)
}

const fn code_that_fits(memory: u64) -> u64 {
    let fits = memory / SHARE / PER_BYTE;
    if fits < MOST { fits } else { MOST }
}

/// The memory of the machine, in bytes.
fn machine() -> Option<u64> {
    total(&text(Path::new("/proc/meminfo"))?)
}

fn total(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// The limit of this process's address space, in bytes.
fn address_space() -> Option<u64> {
    getrlimit(Resource::As).current
}

/// The lowest limit, in bytes, of the control groups that this process is in and of their parents.
fn groups() -> Option<u64> {
    let groups = text(Path::new("/proc/self/cgroup"))?;
    let limits = limit_files(&groups).into_iter().filter_map(|file| {
        // Without a limit, version 2 says `max`, and version 1 a number larger than any memory.
        text(&file)?.trim().parse().ok()
    });
    limits.min()
}

/// The files that may hold a limit, given the lines of `/proc/self/cgroup`.
fn limit_files(groups: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, name) = match controllers {
            "" => (PathBuf::from(GROUPS), "memory.max"),
            all if all.split(',').any(|one| one == "memory") => {
                (Path::new(GROUPS).join("memory"), "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let group = Path::new(path.trim_start_matches('/'));
        files.extend(group.ancestors().map(|above| root.join(above).join(name)));
    }
    files
}

#[expect(clippy::disallowed_methods, reason = "a file of the kernel, whose name is ours")]
fn text(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{code_that_fits, limit_files, most_code, total};

    #[test]
    fn a_large_machine_reads_64_mebibytes_of_code_and_a_small_one_some() {
        assert!(code_that_fits(23 << 30) >= 64 << 20);
        assert_eq!(code_that_fits(320), 1);
        assert_eq!(code_that_fits(u64::MAX), 1 << 30);
        assert!(most_code() > 0);
    }

    #[test]
    fn the_machine_says_how_much_memory_it_has() {
        assert_eq!(total("MemTotal:       1024 kB\nMemFree: 1 kB\n"), Some(1 << 20));
        assert_eq!(total("MemFree: 1 kB\n"), None);
        assert_eq!(total("MemTotal: many\n"), None);
    }

    #[test]
    fn limits_of_both_versions_are_looked_for_up_to_the_root() {
        let files = limit_files("12:cpu,memory:/a/b\n1:cpu:/c\n0::/x\n\nnonsense\n");
        let expected = [
            "memory/a/b/memory.limit_in_bytes",
            "memory/a/memory.limit_in_bytes",
            "memory/memory.limit_in_bytes",
            "x/memory.max",
            "memory.max",
        ];
        let expected: Vec<_> =
            expected.iter().map(|file| Path::new("/sys/fs/cgroup").join(file)).collect();
        assert_eq!(files, expected);
    }
}
