//! C and C++: which headers belong to the project.

use std::collections::BTreeMap;

use super::Project;

/// Maximum number of directory entries that are searched for headers; a larger project is only
/// partly known.
const ENTRIES: usize = 100_000;

impl Project {
    /// Whether an included header is next to the including file, or anywhere in the project under
    /// the written path: builds put all kinds of folders on the search path.
    pub(crate) fn has_header(&self, file: &str, header: &str) -> bool {
        let Some(file) = self.relative(file) else { return false };
        let next_to = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        if self.has(format!("{next_to}/{header}").trim_start_matches('/')) {
            return true;
        }
        let header = header.trim_start_matches("./").trim_start_matches("../");
        let name = header.rsplit('/').next().unwrap_or(header);
        let ending = format!("/{header}");
        self.headers
            .get_or_init(|| self.find_headers())
            .get(name)
            .is_some_and(|paths| paths.iter().any(|path| path.ends_with(&ending)))
    }

    /// The project's headers by name, each path with a leading `/`. Hidden folders are left out.
    fn find_headers(&self) -> BTreeMap<String, Vec<String>> {
        let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let Some(root) = self.root() else { return found };
        let mut waiting = vec![String::new()];
        let mut left = ENTRIES;
        while let Some(folder) = waiting.pop() {
            let Ok(entries) = std::fs::read_dir(root.join(folder.trim_start_matches('/'))) else {
                continue;
            };
            for entry in entries.flatten() {
                left = left.saturating_sub(1);
                if left == 0 {
                    return found;
                }
                let name = entry.file_name().to_string_lossy().into_owned();
                let Ok(kind) = entry.file_type() else { continue };
                let path = format!("{folder}/{name}");
                if kind.is_dir() && !name.starts_with('.') {
                    waiting.push(path);
                } else if kind.is_file() && is_header(&name) {
                    found.entry(name).or_default().push(path);
                }
            }
        }
        found
    }
}

fn is_header(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    matches!(
        extension,
        "h" | "hpp" | "hh" | "hxx" | "h++" | "inl" | "ipp" | "tpp" | "inc" | "def" | "cuh"
    )
}
