//! A checkout of Volt, which explores files. Volt cannot be installed from a package registry: a user
//! who has a checkout names it, and one who has none is told so.

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
    time::Duration,
};

use record::{Capture, Places, Plan, VoltDefinition, volt::ADAPTER, volt::DEFINITION};
use serde::Serialize;
use serde_json::{Value, json};
use verdict::{explorations::Scoring, protocol::read_toml};

use crate::{
    corpus::git,
    process::{self, Invocation, ProcessError},
};

/// The variable that names a checkout.
pub const VARIABLE: &str = "PARITY_VOLT_DIR";
/// Longest time for the exploration of a batch.
const DEADLINE: Duration = Duration::from_mins(5);
/// Most bytes that the adapter may print.
const OUTPUT: usize = 1 << 30;

/// How Volt's behaviour is known.
#[derive(Debug, Clone)]
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

impl Volt {
    /// Looks for a checkout: the one that the user names, else the folder `volt` beside `root`, the
    /// checkout of this project.
    ///
    /// # Errors
    /// `volt.toml` is wrong, or a checkout that the user has named is.
    pub fn find(root: &Path) -> Result<Self, String> {
        Self::find_where(root, |_| Ok(()))
    }

    /// Like [`Self::find`], but the checkout must have no changed files, because a run records its
    /// commit.
    ///
    /// # Errors
    /// As for [`Self::find`]; also if a named checkout has changed files.
    pub fn find_unchanged(root: &Path) -> Result<Self, String> {
        Self::find_where(root, |checkout| {
            let shown = checkout.folder.display();
            let why = || {
                format!(
                    "{shown} has tracked files that differ from its commit; commit or restore them"
                )
            };
            if checkout.clean { Ok(()) } else { Err(why()) }
        })
    }

    fn find_where(
        root: &Path,
        fits: impl Fn(&Checkout) -> Result<(), String>,
    ) -> Result<Self, String> {
        let named = env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = match (&named, root.parent()) {
            (Some(folder), _) => folder.clone(),
            (None, Some(parent)) => parent.join("volt"),
            (None, None) => return Ok(Self::contracts("there is no folder beside this checkout")),
        };
        let found = Checkout::at(&folder, root);
        match found.and_then(|checkout| fits(&checkout).map(|()| checkout)) {
            Ok(checkout) => Ok(Self::Live(checkout)),
            // A user who names a checkout wants it to be used, so its error is reported.
            Err(why) if named.is_some() => Err(format!("{VARIABLE}: {why}")),
            Err(why) => Ok(Self::contracts(&format!("{why}; {VARIABLE} names a checkout"))),
        }
    }

    fn contracts(why: &str) -> Self {
        Self::Contracts { why: why.to_owned() }
    }

    /// What a plan says of the checkout; `None` without one.
    pub fn planned(&self) -> Option<record::Volt> {
        match self {
            Self::Live(checkout) => Some(checkout.planned()),
            Self::Contracts { .. } => None,
        }
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
        let definition: VoltDefinition =
            read_toml(&root.join(DEFINITION)).map_err(|error| error.to_string())?;
        let shown = folder.display();
        if !folder.is_dir() {
            return Err(format!("{shown} is not a folder"));
        }
        let module = definition.modules.iter().find(|module| folder.join(module).is_file());
        let module =
            module.ok_or_else(|| format!("{shown} has no dispatcher of explorers"))?.clone();
        let end = Path::new(&module).extension().and_then(|end| end.to_str()).unwrap_or_default();
        let reads =
            |runner: &&record::volt::VoltRunner| runner.extensions.iter().any(|known| known == end);
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
            adapter: root.join(ADAPTER),
            export: definition.export,
            module,
        })
    }

    /// What a plan says of the checkout.
    pub fn planned(&self) -> record::Volt {
        record::Volt {
            commit: self.commit.clone(),
            tree: self.tree.clone(),
            module: self.module.clone(),
            export: self.export.clone(),
            runner: self.runner.clone(),
        }
    }

    /// The folders of this machine that a recording of the adapter may mention.
    pub fn places(&self) -> Places {
        let path = env::var("PATH").unwrap_or_default();
        let folder = self.adapter.parent().unwrap_or(&self.adapter);
        Places::default()
            .with("$PATH", Path::new(&path))
            .with("$VOLT", &self.folder)
            .with("$ROOM", folder)
    }

    /// Checks that the checkout is still what its commit says.
    ///
    /// # Errors
    /// It was changed, or cannot be examined.
    pub fn check(&self) -> Result<(), String> {
        let shown = self.folder.display();
        let git = |arguments: &[&str]| {
            git::run(&self.folder, arguments).map_err(|error| format!("{shown}: {error}"))
        };
        let head = git(&["rev-parse", "HEAD"])?;
        let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
        if head.trim() == self.commit && changed.trim().is_empty() {
            return Ok(());
        }
        Err(format!("{shown} was changed while it was asked; run again"))
    }

    /// Lets Volt's dispatcher explore files below a folder. The capture holds its output, verbatim.
    ///
    /// # Errors
    /// The adapter cannot be started.
    pub fn explore(&self, folder: &Path, files: &[String]) -> Result<Capture, ProcessError> {
        self.ask(&json!({ "root": folder, "files": files }))
    }

    /// Sends a request to the adapter.
    ///
    /// # Errors
    /// The adapter cannot be started.
    pub fn ask(&self, request: &Value) -> Result<Capture, ProcessError> {
        let module = self.folder.join(&self.module);
        let words =
            self.planned().arguments(&self.adapter.to_string_lossy(), &module.to_string_lossy());
        process::run(&Invocation {
            env: BTreeMap::from([("PATH".to_owned(), env::var("PATH").unwrap_or_default())]),
            stdin: request.to_string().into_bytes(),
            deadline: DEADLINE,
            max_stdout: OUTPUT,
            ..Invocation::new(&self.runner, &self.folder).args(words)
        })
    }
}

/// How the behaviour of Volt is known in a run: from what the protocol says, or from the checkout that
/// was run.
pub fn known(plan: &Plan, scoring: &Scoring) -> Value {
    let mut known = json!(scoring.comparator);
    if let Some(volt) = &plan.volt {
        known["volt"] = "live".into();
        known["commits"] = json!([volt.commit]);
        known["tree"] = json!(volt.tree);
        known["module"] = json!(volt.module);
        known["runner"] = json!(volt.runner);
    }
    known
}

/// The same in a few words.
pub fn in_words(plan: &Plan) -> String {
    match &plan.volt {
        Some(volt) => format!("live, commit {}, tree {}", volt.commit, volt.tree),
        None => "contracts".to_owned(),
    }
}

/// Whether a program is installed.
fn starts(program: &str) -> bool {
    let invocation = Invocation::new(program, "/").inherit_env().args(["--version"]);
    process::run(&invocation).is_ok_and(|capture| capture.succeeded())
}
