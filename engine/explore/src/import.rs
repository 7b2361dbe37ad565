//! An import of a source file.

use serde::{Deserialize, Serialize};

/// Where an imported module comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportCategory {
    /// The language's own library.
    Stdlib,
    /// Something that is installed.
    ThirdParty,
    /// The project itself.
    Local,
    /// Not decidable from the file and its project.
    Unknown,
}

impl ImportCategory {
    /// The word in JSON, such as `third_party`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stdlib => "stdlib",
            Self::ThirdParty => "third_party",
            Self::Local => "local",
            Self::Unknown => "unknown",
        }
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
