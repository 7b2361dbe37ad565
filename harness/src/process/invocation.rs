//! What to run: program, arguments, environment, input and limits.

use std::{collections::BTreeMap, fs::File, path::PathBuf, sync::Arc, time::Duration};

/// A command with everything that can influence it, and the limits it must keep.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// The program: a path, or a name that is looked up in the `PATH` of [`Self::env`].
    pub program: PathBuf,
    /// The arguments, without the program's own name.
    pub args: Vec<String>,
    /// The whole environment; nothing is inherited.
    pub env: BTreeMap<String, String>,
    /// The working directory.
    pub cwd: PathBuf,
    /// The bytes of standard input, followed by its end.
    pub stdin: Vec<u8>,
    /// A file that is standard input instead of `stdin`. The child keeps it open, and with it any lock
    /// on it, even if this process is killed.
    pub held_file: Option<Arc<File>>,
    /// How long the child may run before its whole group is stopped.
    pub deadline: Duration,
    /// How long the group may take to end after SIGTERM.
    pub grace: Duration,
    /// The most bytes of standard output that are kept; more stops the child.
    pub max_stdout: usize,
    /// The most bytes of standard error that are kept; more stops the child.
    pub max_stderr: usize,
}

impl Invocation {
    /// A command with an empty environment, no input, a deadline of one minute and 1 MiB for each
    /// output stream.
    pub fn new(program: impl Into<PathBuf>, cwd: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: cwd.into(),
            stdin: Vec::new(),
            held_file: None,
            deadline: Duration::from_mins(1),
            grace: Duration::from_secs(2),
            max_stdout: 1 << 20,
            max_stderr: 1 << 20,
        }
    }

    /// Appends arguments.
    #[must_use]
    pub fn args<S: Into<String>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Adds the variables of this process, for tools that need the user's configuration (a package
    /// client behind a mirror). Names and values that are not Unicode are left out.
    #[must_use]
    pub fn inherit_env(mut self) -> Self {
        let unicode = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        self.env.extend(unicode);
        self
    }

    /// The program and its arguments as one list, as it is recorded.
    pub fn argv(&self) -> Vec<String> {
        let program = self.program.to_string_lossy().into_owned();
        std::iter::once(program).chain(self.args.iter().cloned()).collect()
    }
}
