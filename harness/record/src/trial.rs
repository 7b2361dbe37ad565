//! The trials of gate A5: one case is mapped many times, each time under other circumstances that must
//! not matter.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Refresh;

/// Number of calls in a session that makes every map again.
const CALLS: usize = 10;

/// One process that makes the case's map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Trial {
    /// A fresh session with empty caches in `files` mode; the second call comes from its cache.
    Files {
        /// Number of the trial.
        number: u64,
    },
    /// The same in `manual` mode.
    Manual {
        /// Number of the trial.
        number: u64,
    },
    /// Many calls in one process, none of them from a cache.
    Calls,
    /// Another number of threads.
    Threads {
        /// How many.
        count: usize,
    },
    /// A copy whose files were created in another order, so that folders list them in another order.
    Order,
    /// A copy at another absolute path.
    Path,
    /// Another locale.
    Locale {
        /// Value of `LC_ALL`.
        name: String,
    },
}

impl Trial {
    /// The part of its key that distinguishes it from the other trials of its corpus.
    pub fn key(&self) -> String {
        match self {
            Self::Files { number } => format!("files/{number}"),
            Self::Manual { number } => format!("manual/{number}"),
            Self::Calls => "calls".to_owned(),
            Self::Threads { count } => format!("threads/{count}"),
            Self::Order => "order".to_owned(),
            Self::Path => "path".to_owned(),
            Self::Locale { name } => format!("locale/{name}"),
        }
    }

    /// The refresh mode and number of calls of a trial that is a session.
    pub const fn session(&self) -> Option<(Refresh, usize)> {
        match self {
            Self::Files { .. } => Some((Refresh::Files, 2)),
            Self::Manual { .. } => Some((Refresh::Manual, 2)),
            Self::Calls => Some((Refresh::Always, CALLS)),
            _ => None,
        }
    }

    /// Sets the environment variables that are special to a trial.
    pub fn environment(&self, env: &mut BTreeMap<String, String>) {
        match self {
            Self::Threads { count } => {
                env.insert("RAYON_NUM_THREADS".to_owned(), count.to_string());
            }
            Self::Locale { name } => {
                env.insert("LC_ALL".to_owned(), name.clone());
                env.insert("LANG".to_owned(), name.clone());
            }
            _ => {}
        }
    }
}
