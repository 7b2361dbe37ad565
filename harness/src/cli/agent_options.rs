//! The options of all commands for agents: budget, refresh mode and the folder for maps.

use std::path::{Path, PathBuf};

use ::config::{Config, Value, name};
use agents::Refresh;
use clap::{Args, ValueEnum, value_parser};

use super::config::{self, ConfigOptions, Flags};

/// Options of hooks and the server. A flag comes before its variable, that before parity.toml.
#[derive(Debug, Args)]
pub struct AgentOptions {
    /// Token budget of a map [default: 1024] [env: REPO_MAP_MAX_TOKENS].
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=1_000_000))]
    map_tokens: Option<u32>,
    /// When a stored map is good enough. auto: question and files are the same; files: whatever is
    /// mentioned; manual: until it is refreshed; always: never. Variable: REPO_MAP_REFRESH_MODE.
    #[arg(long, value_enum)]
    refresh: Option<RefreshName>,
    /// Where maps are kept [default: the user's cache folder] [env: REPO_MAP_CACHE_DIR].
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    #[command(flatten)]
    config: ConfigOptions,
}

/// The refresh modes by name.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum RefreshName {
    Auto,
    Files,
    Manual,
    Always,
}

/// The settings of maps for agents.
#[derive(Debug)]
pub struct AgentConfig {
    /// The whole configuration.
    pub config: Config,
    /// The flag that makes another process ignore the same configuration files.
    pub without_files: Option<&'static str>,
    /// Where maps are kept, if the folder is known.
    pub cache: Option<PathBuf>,
}

impl AgentOptions {
    /// The settings for the work tree around a folder. A configuration file with an error is ignored,
    /// because it must not stop a client. `more` are further flags.
    pub fn load(&self, dir: &Path, more: Flags) -> AgentConfig {
        let tokens = self.map_tokens.map(|tokens| Value::Number(tokens.into()));
        let refresh = self.refresh.map(|refresh| Value::Word(refresh.word()));
        let folder = self.cache_dir.clone().map(Value::Folder);
        let own = [
            tokens.map(|value| (name::MAX_TOKENS, value)),
            refresh.map(|value| (name::REFRESH_MODE, value)),
            folder.map(|value| (name::CACHE_DIR, value)),
        ];
        let flags = own.into_iter().flatten().chain(more).collect();
        let (config, without_files) = self.config.load_what_is_right(dir, flags);
        let cache = config::cache(&config).ok();
        AgentConfig { config, without_files, cache }
    }
}

impl AgentConfig {
    /// When a stored map is good enough.
    pub fn refresh(&self) -> Refresh {
        match self.config.refresh_mode() {
            "files" => Refresh::Files,
            "manual" => Refresh::Manual,
            "always" => Refresh::Always,
            _ => Refresh::Auto,
        }
    }
}

impl RefreshName {
    const fn word(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Files => "files",
            Self::Manual => "manual",
            Self::Always => "always",
        }
    }
}
