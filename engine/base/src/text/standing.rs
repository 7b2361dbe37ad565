//! The role of a file in its project, judged by its path.

use std::borrow::Cow;

use super::{paths, words};

/// The role of a file in its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Code of the project itself.
    Source,
    /// Tests and what they need.
    Test,
    /// Examples, demonstrations, benchmarks.
    Example,
    /// Documentation and its tools.
    Documentation,
    /// Written by a program.
    Generated,
    /// A copy of another project.
    Vendored,
}

/// The names of folders, in lower case, with the standing of the files in them; sorted by name.
const FOLDERS: &[(&str, Standing)] = &[
    ("__mocks__", Standing::Test),
    ("__tests__", Standing::Test),
    ("bench", Standing::Example),
    ("benches", Standing::Example),
    ("benchmark", Standing::Example),
    ("benchmarks", Standing::Example),
    ("demo", Standing::Example),
    ("demos", Standing::Example),
    ("dist", Standing::Generated),
    ("doc", Standing::Documentation),
    ("docs", Standing::Documentation),
    ("documentation", Standing::Documentation),
    ("e2e", Standing::Test),
    ("example", Standing::Example),
    ("examples", Standing::Example),
    ("fixtures", Standing::Test),
    ("fuzz", Standing::Test),
    ("generated", Standing::Generated),
    ("node_modules", Standing::Vendored),
    ("sample", Standing::Example),
    ("samples", Standing::Example),
    ("spec", Standing::Test),
    ("specs", Standing::Test),
    ("test", Standing::Test),
    ("testdata", Standing::Test),
    ("testing", Standing::Test),
    ("tests", Standing::Test),
    ("third-party", Standing::Vendored),
    ("third_party", Standing::Vendored),
    ("thirdparty", Standing::Vendored),
    ("vendor", Standing::Vendored),
    ("vendored", Standing::Vendored),
];
/// Endings of the names of files that programs write.
const GENERATED_ENDS: &[&str] =
    &[".min.js", ".min.css", ".pb.go", ".pb.cc", ".pb.h", "_pb2.py", "_pb2_grpc.py", ".g.dart"];

impl Standing {
    /// All of them, in order.
    pub const ALL: [Self; 6] = [
        Self::Source,
        Self::Test,
        Self::Example,
        Self::Documentation,
        Self::Generated,
        Self::Vendored,
    ];

    /// The standing of a file by its path: its name decides first, then the innermost folder that
    /// is known.
    pub fn of(rel: &str) -> Self {
        let basename = paths::basename(rel);
        if GENERATED_ENDS.iter().any(|end| basename.ends_with(end))
            || basename.contains(".generated.")
        {
            return Self::Generated;
        }
        if is_test(paths::stem(rel)) {
            return Self::Test;
        }
        let folders = rel.rsplit('/').skip(1);
        let at = |folder: &str| FOLDERS.binary_search_by(|(name, _)| (*name).cmp(folder));
        let mut known = folders.filter_map(|folder| {
            let at = at(&lowercase(folder)).ok()?;
            FOLDERS.get(at).map(|(_, standing)| *standing)
        });
        known.next().unwrap_or(Self::Source)
    }

    /// The standing's name, such as `source`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Test => "test",
            Self::Example => "example",
            Self::Documentation => "documentation",
            Self::Generated => "generated",
            Self::Vendored => "vendored",
        }
    }

    /// The factor by which a file's importance is multiplied, from 0 to 1. It is 1 if the message
    /// asks for files of this kind.
    pub fn weight(self, message: &str) -> f64 {
        let (weight, asked_by): (f64, &[&str]) = match self {
            Self::Source => return 1.0,
            Self::Test => (0.3, &["test", "spec", "mock", "fixtur", "fuzz"]),
            Self::Example => (0.4, &["exampl", "demo", "sampl", "benchmark", "bench"]),
            Self::Documentation => (0.4, &["doc", "documentation", "manual", "readm"]),
            Self::Generated => (0.2, &["generat", "dist"]),
            Self::Vendored => (0.2, &["vendor", "bundl", "upstream"]),
        };
        let asks = words::names(message)
            .flat_map(words::parts)
            .any(|part| asked_by.contains(&words::stem(&part.to_lowercase())));
        if asks { 1.0 } else { weight }
    }
}

/// A name in lower case, which most names are in.
fn lowercase(name: &str) -> Cow<'_, str> {
    let is_lower = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { name.into() } else { name.to_lowercase().into() }
}

/// Whether a file name without its extension is the name of a test.
fn is_test(stem: &str) -> bool {
    let lower = lowercase(stem);
    lower.starts_with("test_")
        || ["_test", "_tests", "_spec", ".test", ".spec", "-test"]
            .iter()
            .any(|end| lower.ends_with(end))
        || (stem.ends_with("Test") || stem.ends_with("Tests"))
        || lower == "conftest"
}

#[cfg(test)]
mod tests {
    use super::{FOLDERS, Standing};

    #[test]
    fn names_and_folders_tell() {
        assert!(FOLDERS.is_sorted_by_key(|(folder, _)| *folder));
        for (path, standing) in [
            ("src/http.c", Standing::Source),
            ("src/latest.c", Standing::Source),
            ("tests/unit/unit1300.c", Standing::Test),
            ("app/Models/UserTest.php", Standing::Test),
            ("pkg/server_test.go", Standing::Test),
            ("src/button.spec.ts", Standing::Test),
            ("docs/examples/a.c", Standing::Example),
            ("docs/conf.py", Standing::Documentation),
            ("api/v1/service.pb.go", Standing::Generated),
            ("api/schema.generated.ts", Standing::Generated),
            ("api/schema.generated", Standing::Source),
            ("generated.ts", Standing::Source),
            ("vendor/zlib/inflate.c", Standing::Vendored),
        ] {
            assert_eq!(Standing::of(path), standing, "{path}");
        }
    }

    #[test]
    fn what_is_asked_for_weighs_full() {
        assert!(Standing::Test.weight("fix the leak") < 0.5);
        assert_eq!(Standing::Test.weight("add missing tests of the leak"), 1.0);
        assert_eq!(Standing::Source.weight(""), 1.0);
    }
}
