//! Lua: which modules belong to the project.

use super::Project;

/// Folders in which packages keep their modules, relative to the package's root.
const FOLDERS: [&str; 4] = [".", "lib", "src", "lua"];

impl Project {
    /// Whether a required module is in one of the usual folders of the file's own package or of an
    /// enclosing one.
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
