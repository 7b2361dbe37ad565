//! A directory of sources in which a place is marked by `‹` and `›` around a name.

use std::{borrow::Cow, fs, path::PathBuf};

use index::{
    Settings,
    nav::{NavError, Navigator, Query, answer::Resolution},
};
use tempfile::TempDir;

/// Path, line, column, kind and resolution of a definition.
pub type Row = (String, u32, u32, Cow<'static, str>, Resolution);

/// Sources in a temporary directory, and the place that is asked about.
pub struct Place {
    folder: TempDir,
    asked: Option<(PathBuf, u32, u32)>,
}

impl Place {
    /// Writes sources, given as path and text. At most one has a marked name.
    pub fn of(sources: &[(&str, &str)]) -> Self {
        let mut place = Self { folder: tempfile::tempdir().unwrap(), asked: None };
        fs::create_dir(place.root()).unwrap();
        for (path, text) in sources {
            if let Some(at) = text.find('‹') {
                let before = &text[..at];
                let line = before.matches('\n').count() as u32 + 1;
                let column = before.rsplit('\n').next().unwrap().chars().count() as u32 + 1;
                place.asked = Some(((*path).into(), line, column));
            }
            place.write(path, &text.replace(['‹', '›'], ""));
        }
        place
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("sources")
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn settings(&self) -> Settings {
        Settings::in_folder(self.folder.path().join("store"))
    }

    pub fn navigator(&self) -> Navigator {
        Navigator::open(&self.root(), self.settings()).unwrap()
    }

    /// The question about the marked name.
    pub fn query(&self) -> Query {
        let (file, line, column) = self.asked.clone().unwrap();
        Query::at(file, line, column)
    }

    fn short(&self, path: &str) -> String {
        path.strip_prefix(&format!("{}/", self.root().display())).unwrap().to_owned()
    }

    /// Path, line, column, kind and resolution of each definition.
    pub fn definitions(&self) -> Vec<Row> {
        let found = self.navigator().definition(&self.query()).unwrap();
        assert_eq!(found.total_count, found.definitions.len());
        let row = |one: index::nav::answer::Definition| {
            (self.short(&one.file_path), one.line, one.column, one.kind, one.resolution)
        };
        found.definitions.into_iter().map(row).collect()
    }

    /// Path, line, column and resolution of each reference.
    pub fn references(&self) -> Vec<(String, u32, u32, Resolution)> {
        let found = self.navigator().references(&self.query()).unwrap();
        let row = |one: index::nav::answer::Reference| {
            (self.short(&one.file_path), one.line, one.column, one.resolution)
        };
        found.references.into_iter().map(row).collect()
    }

    /// The code of the error that the question ends in.
    pub fn error(&self) -> NavError {
        self.navigator().definition(&self.query()).unwrap_err()
    }
}

/// One definition, as [`Place::definitions`] gives it.
pub fn one(
    path: &str,
    line: u32,
    column: u32,
    kind: &'static str,
    resolution: Resolution,
) -> Vec<Row> {
    vec![(path.to_owned(), line, column, kind.into(), resolution)]
}
