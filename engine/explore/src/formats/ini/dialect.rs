//! The dialect of a file, judged by its name.

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Sections, `=` or `:`, values that continue in lines with deeper indentation.
    Ini,
    /// Sections, `=` only, values that continue after a backslash.
    Unit,
    /// Java: no sections; escapes; white space is a separator, too.
    Properties,
    /// `NAME=value`, with quotes that may span lines.
    Environment,
}

impl Dialect {
    /// The dialect of a file name.
    pub fn of(name: &str) -> Self {
        let name = name.to_lowercase();
        match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "properties" => Self::Properties,
            "service" | "socket" | "timer" | "mount" | "automount" | "target" | "path"
            | "slice" | "scope" | "swap" | "network" | "netdev" | "link" | "nspawn" | "desktop" => {
                Self::Unit
            }
            "env" => Self::Environment,
            _ if name.starts_with(".env") => Self::Environment,
            _ => Self::Ini,
        }
    }

    /// Its key in the fields.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ini => "ini",
            Self::Unit => "unit",
            Self::Properties => "properties",
            Self::Environment => "env",
        }
    }

    /// Its name as people write it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Ini => "INI",
            Self::Unit => "INI (unit file)",
            Self::Properties => "INI (Java properties)",
            Self::Environment => "INI (environment)",
        }
    }
}
