//! What all commands for agents take: budget, refresh mode and where maps are kept.

use std::path::PathBuf;

use agents::Refresh;
use clap::{Args, ValueEnum, value_parser};

use crate::cache_dir;

/// Options of hooks and the server. A flag comes before its variable.
#[derive(Debug, Args)]
pub struct AgentOptions {
    /// Most tokens of a map.
    #[arg(long, value_name = "N", env = "REPO_MAP_MAX_TOKENS",
        default_value_t = agents::DEFAULT_TOKENS, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub map_tokens: u32,
    /// When a stored map is good enough. auto: question and files are the same; files: whatever is
    /// mentioned; manual: until it is refreshed; always: never.
    #[arg(long, value_enum, env = "REPO_MAP_REFRESH_MODE", default_value_t = RefreshName::Auto)]
    refresh: RefreshName,
    /// Where maps are kept; the user's cache folder if left out.
    #[arg(long, value_name = "DIR", env = "REPO_MAP_CACHE_DIR")]
    cache_dir: Option<PathBuf>,
}

/// The refresh modes by name.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum RefreshName {
    Auto,
    Files,
    Manual,
    Always,
}

impl AgentOptions {
    /// When a stored map is good enough.
    pub const fn refresh(&self) -> Refresh {
        match self.refresh {
            RefreshName::Auto => Refresh::Auto,
            RefreshName::Files => Refresh::Files,
            RefreshName::Manual => Refresh::Manual,
            RefreshName::Always => Refresh::Always,
        }
    }

    /// Where maps are kept, if there is such a place.
    pub fn cache(&self) -> Option<PathBuf> {
        self.cache_dir.clone().or_else(|| cache_dir().ok())
    }
}
