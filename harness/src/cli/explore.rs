//! `parity explore`: structural summaries of files.

use std::{
    collections::BTreeMap,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};

use agents::Configured;
use base::{
    profile::Profile,
    text::{folder::Folder, visible},
    watch,
};
use clap::Args;
use explore::{Exploration, Input, Options, Project, Secrets, explore, unreadable};
use map::language::Overrides;
use record::exit;

use super::{Format, ProfileName, config::ConfigOptions, supervise};
use crate::{
    Failure,
    console::{Output, talk},
};

/// Print what is in files: symbols, imports, structure.
#[derive(Debug, Args)]
pub struct Explore {
    /// The files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The project's root, which decides which imports are local [default: the nearest work tree].
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
    #[command(flatten)]
    patience: supervise::Patience,
    /// Limit each summary to this many tokens (cl100k_base).
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..))]
    budget: Option<u32>,
    #[command(flatten)]
    config: ConfigOptions,
    /// Show secrets such as passwords and keys, which are printed as **** otherwise.
    #[arg(long)]
    show_secrets: bool,
}

impl Explore {
    /// Explores and prints every file. If a file cannot be read, or its parser crashes or hangs, only
    /// its own exploration is missing.
    pub fn run(self) -> Result<u8, Failure> {
        if let Some(root) = self.root.as_ref().filter(|root| !root.is_dir()) {
            return Err(Failure::new(
                exit::USAGE,
                format!("--root {} is not a directory", root.display()),
            ));
        }
        let json = self.json || self.format == Format::Json;
        let overrides = self.overrides()?;
        let project = self.root.as_deref().map(Project::at);
        let avoided = supervise::supervise(supervise::EXPLORE, self.patience)?;
        // An earlier start of this program printed everything before the file that made it start again.
        let marks: Vec<String> = self.files.iter().enumerate().map(mark).collect();
        let printed = marks.iter().rposition(|mark| avoided.contains_key(&watch::file_id(mark)));
        let mut out = Output::of(self.profile.into()).paged();
        let mut code = exit::PASS;
        for (index, (file, mark)) in self.files.iter().zip(&marks).enumerate() {
            if printed.is_some_and(|last| index < last) {
                if open("", file, project.as_ref().unwrap_or(&Project::around(file))).is_err() {
                    code = exit::IO;
                }
                continue;
            }
            let found = self.explore(file, project.as_ref(), &overrides, mark, &avoided);
            if let Some(error) = &found.error {
                talk(&format!("error: {error}"));
                code = exit::IO;
            }
            if json {
                out.json(&found)?;
            } else {
                if index > 0 {
                    out.text("\n")?;
                }
                out.text(&found.summary)?;
                out.text("\n")?;
            }
            // A reader of the output gets each file before the next one is parsed.
            out.flush()?;
        }
        out.flush()?;
        Ok(code)
    }

    /// The languages that the configuration assigns to extensions, for the project or the work tree
    /// around the first file. The parity profile reads no configuration.
    fn overrides(&self) -> Result<Overrides, Failure> {
        let around = self
            .files
            .first()
            .and_then(|file| Some(std::path::absolute(file).ok()?.parent()?.to_owned()));
        let dir = self.root.clone().or(around).unwrap_or_else(|| ".".into());
        Ok(Configured::from(&self.config.of_profile(self.profile, &dir)?).overrides())
    }

    /// Explores one file in the project that all files share, or in the project around it.
    fn explore(
        &self,
        file: &Path,
        project: Option<&Project>,
        overrides: &Overrides,
        mark: &str,
        avoided: &BTreeMap<u64, String>,
    ) -> Exploration {
        let name = shown(file);
        let options = Options {
            budget: self.budget.map(|budget| budget as usize),
            secrets: if self.show_secrets { Secrets::Shown } else { Secrets::Masked },
            ..Options::from(Profile::from(self.profile))
        };
        let around;
        let project = if let Some(project) = project {
            project
        } else {
            around = Project::around(file);
            &around
        };
        let input = match open(&name, file, project) {
            Ok(input) => match overrides.end_of(&name) {
                Some(language) => input.taken_for(language.key),
                None => input,
            },
            Err(error) => return unreadable(&name, &error),
        };
        if let Some(why) = avoided.get(&watch::file_id(mark)) {
            return explore(&input.unparsed(why), project, options);
        }
        let size = usize::try_from(input.size()).unwrap_or(usize::MAX);
        let found = catch_unwind(AssertUnwindSafe(|| {
            watch::marked(mark, size, || explore(&input, project, options))
        }));
        found.unwrap_or_else(|_| explore(&input.unparsed("parser panicked"), project, options))
    }
}

/// Opens a file that is named on the command line. No link may lead out of the project's root, or
/// without a project out of the file's own folder: links come from the repository, and the user who
/// names one may not know where it leads. A file outside the project may be anywhere.
fn open<'a>(name: &str, file: &Path, project: &Project) -> io::Result<Input<'a>> {
    let file = std::path::absolute(file)?;
    let Some(root) = project.root().map_or_else(
        || file.parent().map(Path::to_owned),
        |root| std::path::absolute(root).ok().filter(|root| file.starts_with(root)),
    ) else {
        return Input::open(name, &file);
    };
    Input::open_in(&Folder::open(&root)?, name, &file)
}

/// The name of a file, as explorations print it.
fn shown(file: &Path) -> String {
    let name = visible::name(file);
    if cfg!(windows) { name.replace('\\', "/") } else { name }
}

/// The mark of a file, with its number because a file may be named twice.
fn mark((index, file): (usize, &PathBuf)) -> String {
    format!("{index}/{}", file.to_string_lossy())
}
