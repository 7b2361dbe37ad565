//! `parity nav`: definitions, references, hover and the structure of a file.

mod batch;

use std::{env, path::PathBuf};

use ::config::{Config, Value, name};
use base::profile::Profile;
use clap::{Args, Subcommand, ValueEnum, value_parser};
use index::{
    Settings,
    nav::{self, DEFAULT_LIMIT, NavError, Navigator, Query, Target, Text},
};
use record::exit;
use serde::Serialize;

use super::{
    config::{ConfigOptions, in_index},
    index::settings,
    supervise,
};
use crate::{
    Failure,
    console::{Output, talk},
};

/// Patience in seconds beyond the time that a file's size explains. With the two seconds that any file
/// may take this makes the five of the tool's specification.
const PATIENCE: u32 = 3;

/// Find definitions and references, or look at the structure of a file.
#[derive(Debug, Args)]
pub struct Nav {
    #[command(subcommand)]
    operation: Operation,
}

#[derive(Debug, Subcommand)]
enum Operation {
    /// Where a symbol is defined.
    Definition(Asked),
    /// Where a symbol is used.
    References(Asked),
    /// Signature and documentation of a symbol.
    Hover(Asked),
    /// Definitions and errors of a file.
    Parse {
        /// The file.
        file: PathBuf,
        #[command(flatten)]
        limits: Limits,
    },
    /// Answer many questions, one JSON object a line
    ///
    /// A line such as {"operation": "definition", "file": "a.py", "line": 3, "column": 5} is a question; the answer is
    /// the line that --json prints. Members: operation (definition, references, hover, parse), file, line and column
    /// or symbol, scope, limit, cursor. Files are relative to the working directory.
    Batch {
        /// The file with the questions; - for standard input
        #[arg(default_value = "-")]
        file: PathBuf,
        #[command(flatten)]
        limits: Limits,
    },
}

/// A question about a symbol: a place in a file, or a name.
#[derive(Debug, Args)]
struct Asked {
    /// The file of the position, or the file that a name is looked up from.
    #[arg(required_unless_present = "symbol")]
    file: Option<PathBuf>,
    /// Line of the position, from 1.
    #[arg(long, value_name = "N", required_unless_present = "symbol")]
    line: Option<u32>,
    /// Column of the position in characters, from 1.
    #[arg(long, value_name = "N", required_unless_present = "symbol")]
    column: Option<u32>,
    /// Look up all symbols of this name, instead of the one at a line and column.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["line", "column"])]
    symbol: Option<String>,
    /// Which files to search [default: the whole project].
    #[arg(long, value_enum)]
    scope: Option<Scope>,
    /// Print at most this many entries; `total_count` counts all.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT)]
    limit: usize,
    /// Continue where an earlier answer was cut.
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
    #[command(flatten)]
    limits: Limits,
}

/// Where the project is, what one file may take, and how to print.
#[derive(Debug, Args)]
struct Limits {
    /// A directory inside the project.
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    /// Milliseconds that parsing one file may take [default: 5000].
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=600_000))]
    parse_timeout_ms: Option<u64>,
    /// Skip files larger than this many bytes [default: 10 MiB].
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..=1 << 30))]
    max_file_size: Option<u64>,
    /// Leave out the files of this language, by its key; may be repeated.
    #[arg(long, value_name = "KEY")]
    disable_language: Vec<String>,
    /// Print one JSON object, for an error too, instead of a line for each entry.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    config: ConfigOptions,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Scope {
    File,
    Directory,
    Project,
}

impl From<Scope> for nav::Scope {
    fn from(scope: Scope) -> Self {
        match scope {
            Scope::File => Self::File,
            Scope::Directory => Self::Directory,
            Scope::Project => Self::Project,
        }
    }
}

impl Nav {
    /// Answers the question. With `--json`, an error is also an object on standard output.
    pub fn run(self) -> Result<u8, Failure> {
        match self.operation {
            Operation::Definition(asked) => answer(asked, Navigator::definition),
            Operation::References(asked) => answer(asked, Navigator::references),
            Operation::Hover(asked) => answer(asked, Navigator::hover),
            Operation::Parse { file, limits } => {
                let file = std::path::absolute(file)?;
                let config = limits.load()?;
                print(&limits, &config, |navigator| navigator.parse(&file))
            }
            Operation::Batch { file, limits } => batch::run(&file, &limits),
        }
    }
}

fn answer<T: Serialize + Text>(
    asked: Asked,
    ask: impl FnOnce(&mut Navigator, &Query) -> Result<T, NavError>,
) -> Result<u8, Failure> {
    let config = asked.limits.load()?;
    let target = match (asked.symbol, asked.line, asked.column) {
        (Some(name), ..) => Target::Symbol(name),
        (None, line, column) => {
            Target::At { line: line.unwrap_or_default(), column: column.unwrap_or_default() }
        }
    };
    // Files are relative to the working directory, as everywhere on a command line.
    let query = Query {
        file: asked.file.map(std::path::absolute).transpose()?,
        target,
        scope: asked.scope.map_or_else(|| scope(&config), Into::into),
        limit: asked.limit,
        cursor: asked.cursor,
    };
    print(&asked.limits, &config, |navigator| ask(navigator, &query))
}

/// The configured scope.
fn scope(config: &Config) -> nav::Scope {
    match config.default_scope() {
        "file" => nav::Scope::File,
        "directory" => nav::Scope::Directory,
        _ => nav::Scope::Project,
    }
}

impl Limits {
    fn load(&self) -> Result<Config, Failure> {
        let number = |name, value: Option<u64>| value.map(|value| (name, Value::Number(value)));
        let flags = [
            number(name::PARSE_TIMEOUT_MS, self.parse_timeout_ms),
            number(name::MAX_FILE_SIZE, self.max_file_size),
        ];
        self.config.load(&self.root, flags.into_iter().flatten().collect())
    }

    /// The settings of the index, without the files whose parsers failed in an earlier start of this process.
    fn settings(&self, config: &Config) -> Result<Settings, Failure> {
        let avoided = supervise::supervise(supervise::NAV, supervise::Patience::of(PATIENCE))?;
        let settings =
            settings(config).unwrap_or_else(|| in_index(config, Settings::in_folder("")));
        let mut disabled_languages = settings.disabled_languages.clone();
        disabled_languages.extend(self.disable_language.iter().cloned());
        Ok(Settings { disabled_languages, avoided, ..settings })
    }
}

/// The navigator of the project that the limits name.
fn open(limits: &Limits, settings: Settings) -> Result<Navigator, Failure> {
    Navigator::open(&limits.root, settings)
        .map_err(|error| Failure::new(code_of(&error), error.to_string()))
}

fn print<T: Serialize + Text>(
    limits: &Limits,
    config: &Config,
    ask: impl FnOnce(&mut Navigator) -> Result<T, NavError>,
) -> Result<u8, Failure> {
    let settings = limits.settings(config)?;
    let mut out = Output::of(Profile::Enhancement).paged();
    let answered = Navigator::open(&limits.root, settings).and_then(|mut navigator| {
        let answer = ask(&mut navigator);
        navigator.notice().into_iter().for_each(talk);
        answer
    });
    let code = match answered {
        Ok(answer) if limits.json => {
            out.json(&answer)?;
            exit::PASS
        }
        Ok(answer) => {
            out.text(&answer.text(&env::current_dir()?.canonicalize()?))?;
            exit::PASS
        }
        Err(error) if limits.json => {
            out.json(&error.json())?;
            code_of(&error)
        }
        Err(error) => return Err(Failure::new(code_of(&error), error.to_string())),
    };
    out.flush()?;
    Ok(code)
}

/// The exit code of an error.
const fn code_of(error: &NavError) -> u8 {
    match error {
        NavError::Unreadable { .. } | NavError::ParseTimeout { .. } => exit::IO,
        NavError::Root(_) => exit::SETUP,
        _ => exit::USAGE,
    }
}
