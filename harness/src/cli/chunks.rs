//! `parity chunks`: the chunks of source files.

use std::{
    collections::BTreeMap,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use ::map::{
    language::Overrides,
    repo::{Present, present},
};
use agents::Configured;
use base::{profile::Profile, watch};
use clap::Args;
use record::{Digest, exit};
use semantic::{Chunk, File, NoParts};

use super::{config::ConfigOptions, supervise};
use crate::{
    Failure,
    console::{Output, talk},
};

/// Largest file that is read, in bytes.
const LARGEST: u64 = 10 << 20;

/// Print the chunks of source files: what `parity search` finds.
///
/// A chunk is a function, a method, a class or another symbol, or a block of lines between them. Exit code 4: no
/// file there is source code.
#[derive(Debug, Args)]
pub struct Chunks {
    /// Files, and folders of which every source file is taken that git does not ignore.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Print each chunk as a JSON object on a line of its own.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    config: ConfigOptions,
    #[command(flatten)]
    patience: supervise::Patience,
}

/// A file whose chunks are printed.
struct Asked {
    /// The root of its project.
    root: PathBuf,
    /// Its path below the root.
    relative: String,
    /// Whether the user named the file itself.
    is_named: bool,
}

impl Chunks {
    /// Prints the chunks. If a file cannot be read, or its parser crashes or hangs, only its own chunks
    /// are missing.
    pub fn run(self) -> Result<u8, Failure> {
        let avoided = supervise::supervise(supervise::CHUNKS, self.patience)?;
        let set = self.set()?;
        let asked = self.asked(&set)?;
        let marks: Vec<String> = asked
            .iter()
            .enumerate()
            .map(|(index, file)| format!("{index}/{}", file.relative))
            .collect();
        // An earlier start of this program printed everything before the file that made it start again.
        let printed = marks.iter().rposition(|mark| avoided.contains_key(&watch::file_id(mark)));
        let mut out = Output::of(Profile::Enhancement).paged();
        let (mut code, mut is_any_source) = (exit::PASS, printed.is_some());
        for (index, (file, mark)) in asked.iter().zip(&marks).enumerate() {
            if printed.is_some_and(|last| index < last) {
                continue;
            }
            match chunks(file, &set, mark, &avoided) {
                Ok(chunks) => {
                    is_any_source = true;
                    for chunk in &chunks {
                        if self.json {
                            out.json(chunk)?;
                        } else {
                            out.text(&line(chunk))?;
                        }
                    }
                }
                Err(NoParts::NotCode) if !file.is_named => {}
                Err(NoParts::NotCode) => {
                    talk(&format!("{}: no source code of a known language", file.relative));
                    code = exit::USAGE;
                }
                Err(NoParts::Unreadable(why)) => {
                    talk(&format!("skipped: {}: {why}", file.relative));
                    code = exit::IO;
                }
            }
            // A reader of the output gets each file before the next one is parsed.
            out.flush()?;
        }
        if code == exit::PASS && !is_any_source {
            talk("no file there is source code of a known language");
            code = exit::NOTHING_RAN;
        }
        Ok(code)
    }

    /// The languages that the configuration assigns to extensions, for the work tree around the first
    /// path.
    fn set(&self) -> Result<Overrides, Failure> {
        let first = self
            .paths
            .first()
            .map(|path| if path.is_dir() { path } else { path.parent().unwrap_or(path) });
        let dir = first.filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Configured::from(&self.config.load(dir, Vec::new())?).overrides())
    }

    /// The files in the order in which they were named; those of a folder sorted by path.
    fn asked(&self, set: &Overrides) -> Result<Vec<Asked>, Failure> {
        let mut asked = Vec::new();
        for path in &self.paths {
            let wrong =
                |why: String| Failure::new(exit::USAGE, format!("{}: {why}", path.display()));
            let found = fs::canonicalize(path).map_err(|error| wrong(error.to_string()))?;
            let is_named = !found.is_dir();
            let folder = if is_named { found.parent().unwrap_or(&found) } else { &found };
            let Present { root, files, .. } = present(folder, &[])
                .map_err(|error| Failure::new(exit::SETUP, error.to_string()))?;
            let below = found.strip_prefix(&root).map_err(|error| wrong(error.to_string()))?;
            if is_named {
                let relative = below.to_string_lossy().into_owned();
                asked.push(Asked { root, relative, is_named });
                continue;
            }
            let files = files.into_iter().filter(|file| {
                let may_be_code = set.end_of(&file.rel).is_some() || File::may_be_code(&file.rel);
                may_be_code && Path::new(&file.rel).starts_with(below)
            });
            asked.extend(files.map(|file| Asked {
                root: root.clone(),
                relative: file.rel,
                is_named,
            }));
        }
        Ok(asked)
    }
}

fn chunks(
    asked: &Asked,
    set: &Overrides,
    mark: &str,
    avoided: &BTreeMap<u64, String>,
) -> Result<Vec<Chunk>, NoParts> {
    if let Some(why) = avoided.get(&watch::file_id(mark)) {
        return Err(NoParts::Unreadable(why.clone()));
    }
    let unreadable = |error: &dyn std::fmt::Display| NoParts::Unreadable(error.to_string());
    let folder =
        base::text::folder::Folder::open(&asked.root).map_err(|error| unreadable(&error))?;
    let relative = Path::new(&asked.relative);
    let bytes = folder.exact_bytes(relative, LARGEST).map_err(|error| unreadable(&error))?;
    let language = set.end_of(&asked.relative).map(|language| language.key);
    let read = || File::read_as(&asked.relative, language, &bytes);
    let file = catch_unwind(AssertUnwindSafe(|| watch::marked(mark, bytes.len(), read)))
        .unwrap_or_else(|_| Err(NoParts::Unreadable("parser panicked".to_owned())))?;
    let path = asked.root.join(relative);
    let digest = Digest::of(&bytes).to_string();
    let modified = fs::metadata(&path).ok().and_then(|metadata| metadata.modified().ok());
    let modified = modified
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .and_then(|since| u64::try_from(since.as_millis()).ok());
    let mut chunks = file.chunks(&asked.relative);
    for chunk in &mut chunks {
        chunk.file_path = Some(path.to_string_lossy().into_owned());
        chunk.content_hash = Some(digest.clone());
        chunk.last_modified = modified;
    }
    Ok(chunks)
}

fn line(chunk: &Chunk) -> String {
    format!(
        "{}:{}-{}: {} {}\n",
        chunk.relative_path, chunk.start_line, chunk.end_line, chunk.node_kind, chunk.signature
    )
}
