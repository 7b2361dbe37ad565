//! A checkout of Volt, which explores files. It cannot be installed from a package registry: who has
//! one names it, and who has none is told so.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    time::Duration,
};

use record::{Capture, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    corpus::git,
    process::{self, Invocation, ProcessError},
};

/// The variable that names a checkout.
pub const VARIABLE: &str = "PARITY_VOLT_DIR";
/// The folder of the adapter in a checkout of this project.
const FOLDER: &str = "comparators/volt";
/// Longest time for the exploration of a batch.
const DEADLINE: Duration = Duration::from_mins(5);
/// Most bytes that the adapter may print.
const OUTPUT: usize = 1 << 30;

/// How Volt's behaviour is known.
#[derive(Debug)]
pub enum Volt {
    /// From a checkout that is run.
    Live(Checkout),
    /// From what was written down, because there is no checkout that can be run.
    Contracts {
        /// Why there is none.
        why: String,
    },
}

/// A checkout that can be run.
#[derive(Debug, Clone, Serialize)]
pub struct Checkout {
    /// HEAD's commit.
    pub commit: String,
    /// Tree id of that commit.
    pub tree: String,
    /// True if no tracked file differs from the commit.
    pub clean: bool,
    /// The dispatcher, relative to the checkout.
    pub module: String,
    /// The program that runs the adapter.
    pub runner: String,
    #[serde(skip)]
    folder: PathBuf,
    #[serde(skip)]
    adapter: PathBuf,
    #[serde(skip)]
    export: String,
}

/// What Volt says of one file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Said {
    /// The file, as it was asked for.
    pub file: String,
    /// What its dispatcher returned.
    pub result: Option<Value>,
    /// What it threw instead.
    pub error: Option<String>,
}

/// `volt.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    #[serde(rename = "schema_version")]
    _schema_version: Schema<1>,
    modules: Vec<String>,
    export: String,
    runners: Vec<Runner>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Runner {
    program: String,
    extensions: Vec<String>,
}

impl Volt {
    /// Looks for a checkout: the one that the user names, else the folder `volt` beside `root`, the
    /// checkout of this project.
    ///
    /// # Errors
    /// What is wrong with `volt.toml`, or with a checkout that the user has named.
    pub fn find(root: &Path) -> Result<Self, String> {
        let named = env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = match (&named, root.parent()) {
            (Some(folder), _) => folder.clone(),
            (None, Some(parent)) => parent.join("volt"),
            (None, None) => return Ok(Self::contracts("there is no folder beside this checkout")),
        };
        match Checkout::at(&folder, root) {
            Ok(checkout) => Ok(Self::Live(checkout)),
            // Who names a checkout wants it.
            Err(why) if named.is_some() => Err(format!("{VARIABLE}: {why}")),
            Err(why) => Ok(Self::contracts(&format!("{why}; {VARIABLE} names a checkout"))),
        }
    }

    fn contracts(why: &str) -> Self {
        Self::Contracts { why: why.to_owned() }
    }

    /// The word for it in artifacts.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Live(_) => "live",
            Self::Contracts { .. } => "contracts",
        }
    }
}

impl Checkout {
    fn at(folder: &Path, root: &Path) -> Result<Self, String> {
        let room = root.join(FOLDER);
        let file = room.join("volt.toml");
        let text =
            fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let definition: Definition =
            toml::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        let shown = folder.display();
        if !folder.is_dir() {
            return Err(format!("{shown} is no folder"));
        }
        let module = definition.modules.iter().find(|module| folder.join(module).is_file());
        let module =
            module.ok_or_else(|| format!("{shown} has no dispatcher of explorers"))?.clone();
        let end = Path::new(&module).extension().and_then(|end| end.to_str()).unwrap_or_default();
        let reads = |runner: &&Runner| runner.extensions.iter().any(|known| known == end);
        let mut runners = definition.runners.iter().filter(reads);
        let runner = runners.find(|runner| starts(&runner.program));
        let runner = runner
            .ok_or_else(|| format!("nothing that is installed runs {module}; install bun"))?;
        let git = |arguments: &[&str]| {
            git::run(folder, arguments).map_err(|error| format!("{shown}: {error}"))
        };
        Ok(Self {
            commit: git(&["rev-parse", "HEAD"])?.trim().to_owned(),
            tree: git(&["rev-parse", "HEAD^{tree}"])?.trim().to_owned(),
            clean: git(&["status", "--porcelain", "--untracked-files=no"])?.trim().is_empty(),
            runner: runner.program.clone(),
            folder: folder.to_owned(),
            adapter: room.join("adapter.mjs"),
            export: definition.export,
            module,
        })
    }

    /// Lets the dispatcher explore files below a folder. What it printed is in the capture, verbatim.
    ///
    /// # Errors
    /// The adapter cannot be started.
    pub fn explore(&self, folder: &Path, files: &[String]) -> Result<Capture, ProcessError> {
        let words = [
            self.adapter.to_string_lossy().into_owned(),
            self.folder.join(&self.module).to_string_lossy().into_owned(),
            self.export.clone(),
        ];
        let request = json!({ "root": folder, "files": files });
        process::run(&Invocation {
            env: BTreeMap::from([("PATH".to_owned(), env::var("PATH").unwrap_or_default())]),
            stdin: request.to_string().into_bytes(),
            deadline: DEADLINE,
            max_stdout: OUTPUT,
            ..Invocation::new(&self.runner, &self.folder).args(words)
        })
    }
}

/// The answers in what the adapter printed; a line that is none is left out.
pub fn answers(stdout: &[u8]) -> Vec<Said> {
    let lines = stdout.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// Whether a program is installed.
fn starts(program: &str) -> bool {
    let invocation = Invocation::new(program, "/").inherit_env().args(["--version"]);
    process::run(&invocation).is_ok_and(|capture| capture.succeeded())
}
