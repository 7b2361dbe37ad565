//! C and C++: which headers are files of the project itself.

use super::Project;

/// Folders that builds put on the search path, seen from the folder of a library.
const SEARCH_PATH: [&str; 5] = [".", "include", "src", "lib", "inc"];

impl Project {
    /// Whether a header that a file includes lies next to it, or in one of the usual folders of
    /// its own library or of one around it.
    pub fn has_header(&self, file: &str, header: &str) -> bool {
        let Some(file) = self.relative(file) else { return false };
        let below = |folder: &str| {
            SEARCH_PATH.iter().any(|part| self.has(&format!("{folder}{part}/{header}")))
        };
        let mut folder = file.as_str();
        while let Some((above, _)) = folder.rsplit_once('/') {
            folder = above;
            if below(&format!("{folder}/")) {
                return true;
            }
        }
        below("")
    }
}
