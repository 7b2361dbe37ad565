//! The configuration of a command: the user's file, the repository's, variables and flags.

use std::path::{Path, PathBuf};

use ::config::{Asked, Config, ConfigError, Known, Source, Value, name};
use ::map::{
    MapRequest,
    language::registry,
    repo::{expect_pattern, root_of},
};
use agents::Configured;
use clap::{Args, ValueEnum};
use index::Settings;
use record::exit;

use super::ProfileName;
use crate::{Failure, cache_dir, console::talk, folders::config_file};

/// Why flags about the configuration are refused.
const NOT_READ: &str = "--no-config and --verbose need --profile enhancement: the parity profile reads no configuration";

/// The settings that a command makes by its flags, by the name of the key.
pub type Flags = Vec<(&'static str, Value)>;

/// Which files of configuration are read.
#[derive(Debug, Default, Args)]
pub struct ConfigOptions {
    /// Ignore parity.toml: every one, or only the repository's.
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true,
        default_missing_value = "all")]
    no_config: Option<LeftOut>,
    /// Say on standard error what is set and where; the variable REPO_MAP_VERBOSE does the same.
    #[arg(long)]
    verbose: bool,
}

/// Configuration files that are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LeftOut {
    All,
    Repository,
}

impl ConfigOptions {
    /// Whether neither flag was given, so that a command without configuration may go on.
    const fn is_silent(&self) -> bool {
        self.no_config.is_none() && !self.verbose
    }

    /// The configuration for the work tree around a folder.
    ///
    /// # Errors
    /// A file, a variable or a flag is wrong.
    pub fn load(&self, dir: &Path, flags: Flags) -> Result<Config, Failure> {
        let flags = self.with_own(flags);
        let config = read(dir, &flags, self.no_config, true).map_err(|error| failure(&error))?;
        tell(&config);
        Ok(config)
    }

    /// The configuration for maps of a profile. It is empty in the parity profile, whose maps must
    /// equal the comparator's.
    ///
    /// # Errors
    /// As for [`ConfigOptions::load`]; also flags that would have no effect.
    pub fn of_profile(&self, profile: ProfileName, dir: &Path) -> Result<Config, Failure> {
        match profile {
            ProfileName::Parity if self.is_silent() => Ok(Config::default()),
            ProfileName::Parity => Err(Failure::new(exit::USAGE, NOT_READ.to_owned())),
            ProfileName::Enhancement => self.load(dir, Vec::new()),
        }
    }

    /// The configuration for commands that are not about one repository.
    ///
    /// # Errors
    /// As for [`ConfigOptions::load`].
    pub fn load_of_user(&self) -> Result<Config, Failure> {
        let left_out = self.no_config.or(Some(LeftOut::Repository));
        Self { no_config: left_out, ..*self }.load(Path::new("."), Vec::new())
    }

    /// Like [`ConfigOptions::load`], for a program that must not fail: a file with an error is ignored,
    /// and all variables are if one of them has an error. Also returns the flag that makes other
    /// processes ignore the same files.
    pub fn load_what_is_right(&self, dir: &Path, flags: Flags) -> (Config, Option<&'static str>) {
        let flags = self.with_own(flags);
        let mut errors: Vec<ConfigError> = Vec::new();
        for with_variables in [true, false] {
            for left_out in [self.no_config, Some(LeftOut::Repository), Some(LeftOut::All)] {
                match read(dir, &flags, left_out, with_variables) {
                    Ok(config) => {
                        if config.is_verbose() {
                            for error in &errors {
                                talk(&error.to_string());
                            }
                        }
                        tell(&config);
                        return (config, left_out.map(LeftOut::flag));
                    }
                    Err(error) if errors.contains(&error) => {}
                    Err(error) => errors.push(error),
                }
            }
        }
        (Config::default(), Some(LeftOut::All.flag()))
    }

    fn with_own(&self, mut flags: Flags) -> Flags {
        flags.extend(self.verbose.then_some((name::VERBOSE, Value::Switch(true))));
        flags
    }
}

/// The configuration without some files, or without all variables.
fn read(
    dir: &Path,
    flags: &Flags,
    left_out: Option<LeftOut>,
    with_variables: bool,
) -> Result<Config, ConfigError> {
    let languages: Vec<&str> = registry().languages().iter().map(|language| language.key).collect();
    let pattern =
        |text: &str| expect_pattern(text).map_err(|_| format!("a pattern in the place of {text}"));
    let (user, home) = (config_file(), etcetera::home_dir().ok());
    // A missing folder is reported later.
    let root = root_of(dir).ok();
    ::config::load(&Asked {
        user: user.as_deref().filter(|_| left_out != Some(LeftOut::All)),
        root: root.as_deref().filter(|_| left_out.is_none()),
        home: home.as_deref(),
        variable: &|name| std::env::var_os(name).filter(|_| with_variables),
        flags: flags.clone(),
        known: Known { languages: &languages, pattern: &pattern },
    })
}

impl LeftOut {
    const fn flag(self) -> &'static str {
        match self {
            Self::All => "--no-config=all",
            Self::Repository => "--no-config=repository",
        }
    }
}

/// Prints what is set, if verbose.
fn tell(config: &Config) {
    if !config.is_verbose() {
        return;
    }
    for (key, set) in config.all().filter(|(_, set)| set.sources != [Source::Default]) {
        talk(&said(key.name, set));
    }
}

/// One setting in words.
pub fn said(name: &str, set: &::config::Set) -> String {
    let sources: Vec<String> = set.sources.iter().map(Source::to_string).collect();
    let refused = set.refused.map_or(String::new(), |asked| format!("; {asked} was asked for"));
    format!("{name} = {} ({}{refused})", set.value, sources.join(", "))
}

/// The folder for maps and the index.
///
/// # Errors
/// Neither the configuration nor the environment names a folder.
pub fn cache(config: &Config) -> Result<PathBuf, Failure> {
    match config.cache_dir() {
        Some(folder) => Ok(std::path::absolute(folder)?),
        None => cache_dir(),
    }
}

/// Applies the configuration to a map of the enhancement profile. A budget that the request has from a
/// flag stays; otherwise a configured budget is used.
pub fn shape(request: &mut MapRequest, config: &Config) {
    let configured = Configured::from(config);
    request.scope.excluded.clone_from(&configured.excluded);
    request.languages = configured.overrides();
    if config.is_set(name::MAX_TOKENS) && request.map_tokens.is_none() {
        request.map_tokens = Some(f64::from(config.max_tokens()));
    }
}

/// The settings of an index with those that the configuration makes for navigation.
pub fn in_index(config: &Config, settings: Settings) -> Settings {
    let settings = Settings {
        max_file_size: config.max_file_size(),
        parse_timeout_ms: config.parse_timeout_ms(),
        disabled_languages: config.disabled_languages(),
        ..settings
    };
    Configured::from(config).in_index(settings)
}

fn failure(error: &ConfigError) -> Failure {
    Failure::new(exit::USAGE, error.to_string())
}
