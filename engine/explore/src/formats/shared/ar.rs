//! `ar` archives: static libraries and Debian packages. A list of headers of 60 bytes, each
//! before its member; long names stand in a member of their own.

const MAGIC: &[u8] = b"!<arch>\n";
const HEADER: usize = 60;

/// One member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub size: u64,
    /// Where its bytes begin.
    pub offset: u64,
}

/// Whether bytes begin as an archive does.
pub fn is(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The members without the tables of symbols and names, and what is wrong, if something is.
pub fn members(bytes: &[u8]) -> (Vec<Member>, Option<String>) {
    let mut members = Vec::new();
    let mut names: &[u8] = &[];
    let mut at = MAGIC.len();
    while at < bytes.len() {
        let Some(header) = bytes.get(at..at + HEADER).filter(|header| header.ends_with(b"`\n"))
        else {
            return (members, Some(format!("no header of a member at byte {at}")));
        };
        let text = |start: usize, end: usize| {
            String::from_utf8_lossy(header.get(start..end).unwrap_or_default())
                .trim_end()
                .to_owned()
        };
        let Ok(size) = text(48, 58).parse::<u64>() else {
            return (members, Some(format!("no size of the member at byte {at}")));
        };
        let start = at + HEADER;
        let end = (start as u64).saturating_add(size);
        let content = usize::try_from(end).ok().and_then(|end| bytes.get(start..end));
        let raw = text(0, 16);
        match raw.as_str() {
            "//" => names = content.unwrap_or_default(),
            "/" | "/SYM64/" | "__.SYMDEF" | "__.SYMDEF SORTED" => {}
            _ => {
                let (name, skip) = full_name(&raw, names, bytes, start);
                members.push(Member {
                    name,
                    size: size.saturating_sub(skip),
                    offset: start as u64 + skip,
                });
            }
        }
        if content.is_none() {
            return (members, Some(format!("the member at byte {at} is longer than the file")));
        }
        at = start + size as usize + size as usize % 2;
    }
    (members, None)
}

/// A name in one of three dialects: in place, in the table of names, or before the content.
fn full_name(raw: &str, names: &[u8], bytes: &[u8], start: usize) -> (String, u64) {
    if let Some(length) = raw.strip_prefix("#1/").and_then(|length| length.parse::<usize>().ok()) {
        let name = start.checked_add(length).and_then(|end| bytes.get(start..end));
        let name = String::from_utf8_lossy(name.unwrap_or_default());
        return (name.trim_end_matches('\0').to_owned(), length as u64);
    }
    if let Some(offset) = raw.strip_prefix('/').and_then(|offset| offset.parse::<usize>().ok()) {
        let rest = names.get(offset..).unwrap_or_default();
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | 0)).unwrap_or(rest.len());
        let name = String::from_utf8_lossy(rest.get(..end).unwrap_or_default()).into_owned();
        return (name.trim_end_matches('/').to_owned(), 0);
    }
    (raw.trim_end_matches('/').to_owned(), 0)
}

/// Whether an archive is a Debian package.
pub fn is_debian(members: &[Member]) -> bool {
    members.first().is_some_and(|member| member.name == "debian-binary")
}
