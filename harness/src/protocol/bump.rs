//! Makes the next version of the protocol: a copy of the hand-written files with the next number.

use std::{fs, path::Path};

use record::{exit, protocol::CURRENT, write_atomically};

use crate::Failure;

/// Files that are generated for each version instead of copied.
const GENERATED: [&str; 2] = ["composition.toml", "freeze.toml"];
/// The keys that hold a version.
const VERSIONS: [&str; 2] = ["protocol_version", "version"];

/// A new version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bumped {
    /// Name of the version it was copied from.
    pub from: String,
    /// Its own name.
    pub to: String,
    /// The files that were copied, sorted, relative to its folder.
    pub copied: Vec<String>,
    /// The version fields that were raised, one in each text: file, key, both values.
    pub raised: Vec<String>,
}

/// Copies the hand-written files of the protocol in force to the next version, raises their version
/// fields and puts that version in force. Nothing else is moved or removed, including gold.
///
/// # Errors
/// The next version exists already, or a file cannot be read or written.
pub fn bump(root: &Path) -> Result<Bumped, Failure> {
    let current = root.join(CURRENT);
    let from = fs::read_to_string(&current)?.trim().to_owned();
    let number: Option<u32> = from.strip_prefix('v').and_then(|number| number.parse().ok());
    let number = number.ok_or_else(|| {
        Failure::new(
            exit::SETUP,
            format!("{} does not name a version: {from:?}", current.display()),
        )
    })?;
    let to = format!("v{}", number + 1);
    let (old, new) = (root.join("protocols").join(&from), root.join("protocols").join(&to));
    if new.exists() {
        let why = format!("{} is there already; remove it and try again", new.display());
        return Err(Failure::new(exit::SETUP, why));
    }
    let mut bumped = Bumped { from, to, copied: Vec::new(), raised: Vec::new() };
    let mut pending = vec![old.clone()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.strip_prefix(&old).unwrap_or(&path).to_string_lossy().into_owned();
            if path.is_dir() {
                pending.push(path);
            } else if !GENERATED.contains(&name.as_str()) {
                let text = fs::read_to_string(&path)?;
                write(&new.join(&name), &raised(&name, &text, &mut bumped.raised))?;
                bumped.copied.push(name);
            }
        }
    }
    bumped.copied.sort();
    bumped.raised.sort();
    // This comes last, so that an interrupted bump leaves no version in force that is incomplete.
    write(&current, &format!("{}\n", bumped.to))?;
    Ok(bumped)
}

/// A file of the next version. In TOML, the file's own version fields are raised by one.
fn raised(name: &str, text: &str, raised: &mut Vec<String>) -> String {
    if !name.ends_with(".toml") {
        return text.to_owned();
    }
    let mut in_table = false;
    let mut lines = String::new();
    for line in text.split_inclusive('\n') {
        in_table |= line.starts_with('[');
        let field = line.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
        let number = field
            .filter(|(key, _)| !in_table && VERSIONS.contains(key))
            .and_then(|(key, value)| Some((key, value.parse::<u32>().ok()?)));
        match number {
            Some((key, value)) => {
                lines.push_str(&format!("{key} = {}\n", value + 1));
                raised.push(format!("{name}: {key} {value} -> {}", value + 1));
            }
            None => lines.push_str(line),
        }
    }
    lines
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    write_atomically(path, text.as_bytes())
        .map_err(|error| Failure::new(exit::IO, error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::bump;

    fn put(root: &Path, name: &str, text: &str) {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), text).unwrap();
    }

    #[test]
    fn the_next_version_is_a_copy_with_raised_numbers_and_nothing_generated() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        put(root, "protocols/current", "v9\n");
        put(root, "protocols/v9/gates.toml", "# one\nprotocol_version = 9\n[a1]\nversion = 1\n");
        put(root, "protocols/v9/formats.toml", "version = 3\nsalt = \"x v3\"\n");
        put(root, "protocols/v9/matrix.v1.json", "{\"version\": 1}\n");
        put(root, "protocols/v9/schemas/c.json", "{}");
        put(root, "protocols/v9/composition.toml", "generated");
        put(root, "protocols/v9/freeze.toml", "generated");
        put(root, "gold/v9/c.jsonl.gz", "labels");

        let bumped = bump(root).unwrap();

        assert_eq!((bumped.from.as_str(), bumped.to.as_str()), ("v9", "v10"));
        let copied = ["formats.toml", "gates.toml", "matrix.v1.json", "schemas/c.json"];
        assert_eq!(bumped.copied, copied);
        let raised = ["formats.toml: version 3 -> 4", "gates.toml: protocol_version 9 -> 10"];
        assert_eq!(bumped.raised, raised);
        let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
        assert_eq!(read("protocols/current"), "v10\n");
        let gates = "# one\nprotocol_version = 10\n[a1]\nversion = 1\n";
        assert_eq!(read("protocols/v10/gates.toml"), gates);
        assert_eq!(read("protocols/v10/formats.toml"), "version = 4\nsalt = \"x v3\"\n");
        assert_eq!(read("protocols/v10/matrix.v1.json"), "{\"version\": 1}\n");
        assert_eq!(read("protocols/v9/freeze.toml"), "generated");
        assert!(!root.join("protocols/v10/freeze.toml").exists());
        assert!(!root.join("gold/v10").exists());
    }

    #[test]
    fn a_version_that_is_there_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        put(root, "protocols/current", "v1\n");
        put(root, "protocols/v1/gates.toml", "protocol_version = 1\n");
        put(root, "protocols/v2/gates.toml", "mine");
        assert!(bump(root).is_err());
        assert_eq!(fs::read_to_string(root.join("protocols/v2/gates.toml")).unwrap(), "mine");
        assert_eq!(fs::read_to_string(root.join("protocols/current")).unwrap(), "v1\n");
    }
}
