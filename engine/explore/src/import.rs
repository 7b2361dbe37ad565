//! An import of a source file.

use base::secrets::Secrets;
use serde::{Deserialize, Serialize};

use crate::words::words;

words! {
    /// Where an imported module comes from.
    pub enum ImportCategory {
        /// The language's own library.
        Stdlib = "stdlib",
        /// A package that is installed.
        ThirdParty = "third_party",
        /// The project itself.
        Local = "local",
        /// Not decidable from the file and its project.
        Unknown = "unknown",
    }
}

/// One imported module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The module, header or file as written, without quotes or angle brackets: `os.path`, `./a`,
    /// and `stdio.h` for `<stdio.h>`.
    pub path: String,
    /// The imported names, as the module calls them; `*` for all.
    pub names: Vec<String>,
    /// Where it comes from.
    pub category: ImportCategory,
    /// 1-based line.
    pub line: u32,
}

impl Import {
    /// Masks the secrets in a URL; other modules cannot contain any.
    pub(crate) fn mask(&mut self, secrets: Secrets) {
        if self.path.contains("://") {
            self.path = secrets.code(&self.path).into_owned();
        }
    }
}
