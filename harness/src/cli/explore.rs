//! `parity explore`: structural summaries of files.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use engine::profile::Profile;
use explore::{Exploration, Input, Project, explore, unreadable};

use super::{Failure, Format, ProfileName, exit};

/// Print what is in files: symbols, imports, structure.
#[derive(Debug, Args)]
pub struct Explore {
    /// The files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The folder of the project, which decides what is local; the nearest work tree if left out.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Behave as the comparator does, or better than it.
    #[arg(long, value_enum, default_value_t = ProfileName::Parity)]
    profile: ProfileName,
    /// text: the summaries; json: one object per file, one a line.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Short for --format json.
    #[arg(long)]
    json: bool,
}

impl Explore {
    /// Explores and prints every file; a file that cannot be read costs only itself.
    pub fn run(self) -> Result<u8, Failure> {
        if let Some(root) = self.root.as_ref().filter(|root| !root.is_dir()) {
            return Err(Failure::new(
                exit::USAGE,
                format!("--root {} is not a directory", root.display()),
            ));
        }
        let json = self.json || self.format == Format::Json;
        let project = self.root.as_deref().map(Project::at);
        let mut out = io::BufWriter::new(io::stdout().lock());
        let mut code = exit::PASS;
        for (index, file) in self.files.iter().enumerate() {
            let found = self.explore(file, project.as_ref());
            if let Some(error) = &found.error {
                super::talk(&format!("error: {error}"));
                code = exit::IO;
            }
            if json {
                serde_json::to_writer(&mut out, &found).map_err(io::Error::from)?;
                out.write_all(b"\n")?;
                // Whoever reads along has every file before the next is looked at.
                out.flush()?;
            } else {
                if index > 0 {
                    out.write_all(b"\n")?;
                }
                writeln!(out, "{}", found.summary)?;
            }
        }
        out.flush()?;
        Ok(code)
    }

    /// Explores one file in the project that all files share, or in the one around it.
    fn explore(&self, file: &Path, project: Option<&Project>) -> Exploration {
        let name = shown(file);
        let profile: Profile = self.profile.into();
        match (Input::open(&name, file), project) {
            (Ok(input), Some(project)) => explore(&input, project, profile),
            (Ok(input), None) => explore(&input, &Project::around(file), profile),
            (Err(error), _) => unreadable(&name, &error),
        }
    }
}

/// The name of a file as it is shown: a byte that is no UTF-8 stands there as `\xNN`, so that files
/// whose names differ in such bytes alone can be told apart.
fn shown(file: &Path) -> String {
    let mut name = String::new();
    for chunk in file.as_os_str().as_encoded_bytes().utf8_chunks() {
        name.push_str(chunk.valid());
        for byte in chunk.invalid() {
            name.push_str(&format!("\\x{byte:02X}"));
        }
    }
    if cfg!(windows) { name.replace('\\', "/") } else { name }
}
