//! Lua: which modules are files of the project itself.

use super::Project;

/// Folders that packages keep their modules in, seen from the package's root.
const FOLDERS: [&str; 4] = [".", "lib", "src", "lua"];

impl Project {
    /// Whether a module that a file requires lies in one of the usual folders of the file's own
    /// package or of one around it.
    pub(crate) fn has_lua(&self, file: &str, module: &str) -> bool {
        let Some(file) = self.relative(file) else { return false };
        let name = module.replace('.', "/");
        let below = |folder: &str| {
            FOLDERS.iter().any(|part| {
                self.has(&format!("{folder}{part}/{name}.lua"))
                    || self.has(&format!("{folder}{part}/{name}/init.lua"))
            })
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
