//! An import of a source file.

use base::secrets::Secrets;
use serde::{Deserialize, Serialize};

use crate::words::words;

words! {
    /// Where an imported module comes from.
    pub enum ImportCategory {
        /// The language's own library.
        Stdlib = "stdlib",
        /// Something that is installed.
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
    /// The module, header or file as written, without quotes: `os.path`, `./a`, `<stdio.h>` as
    /// `stdio.h`.
    pub path: String,
    /// Names taken from it, as they are called there; `*` for all.
    pub names: Vec<String>,
    /// Where it comes from.
    pub category: ImportCategory,
    /// 1-based line.
    pub line: u32,
}

impl Import {
    /// Replaces the secrets in an address: no other module has room for one.
    pub(crate) fn mask(&mut self, secrets: Secrets) {
        if self.path.contains("://") {
            self.path = secrets.code(&self.path).into_owned();
        }
    }
}
