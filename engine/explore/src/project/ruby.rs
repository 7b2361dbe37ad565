//! Ruby: which modules belong to the project.

use super::Project;

/// Folders that Ruby's tools put on the load path, relative to the folder of a gem.
const LOAD_PATH: [&str; 4] = ["lib", "test", "spec", "."];

impl Project {
    /// Whether a required module is on the load path of the file's own gem or of an enclosing one.
    pub(crate) fn has_ruby(&self, file: &str, module: &str) -> bool {
        let Some(file) = self.relative(file) else { return false };
        let module = module.strip_suffix(".rb").unwrap_or(module);
        let mut folder = file.as_str();
        while let Some((above, _)) = folder.rsplit_once('/') {
            folder = above;
            if LOAD_PATH.iter().any(|part| self.has(&format!("{folder}/{part}/{module}.rb"))) {
                return true;
            }
        }
        LOAD_PATH.iter().any(|part| self.has(&format!("{part}/{module}.rb")))
    }
}
