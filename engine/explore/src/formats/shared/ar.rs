//! `ar` archives: static libraries and Debian packages, in the dialects of GNU, BSD and Windows.

use object::read::archive::ArchiveFile;

const MAGIC: &[u8] = b"!<arch>\n";

/// One member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub size: u64,
    /// Offset of its contents.
    pub offset: u64,
}

/// Whether bytes begin as an `ar` archive does.
pub fn is(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The members, without the tables of symbols and names, and what is wrong, if anything.
pub fn members(bytes: &[u8]) -> (Vec<Member>, Option<String>) {
    let mut members = Vec::new();
    let archive = match ArchiveFile::parse(bytes) {
        Ok(archive) => archive,
        Err(error) => return (members, Some(format!("its tables cannot be read: {error}"))),
    };
    for member in archive.members() {
        let member = match member {
            Ok(member) => member,
            Err(error) => {
                let count = members.len();
                return (members, Some(format!("behind member {count}: {error}")));
            }
        };
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let (offset, size) = member.file_range();
        let error = (offset.saturating_add(size) > bytes.len() as u64)
            .then(|| format!("the member {name} is longer than the file"));
        members.push(Member { name, size, offset });
        if error.is_some() {
            return (members, error);
        }
    }
    (members, None)
}

/// Whether an archive is a Debian package.
pub fn is_debian(members: &[Member]) -> bool {
    members.first().is_some_and(|member| member.name == "debian-binary")
}
