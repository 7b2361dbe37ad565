//! Several maps of one repository in a row, as one chat asks for them.

use super::{
    chain::{self, MapError, RepoMap},
    pages::Pages,
    refresh::{MapCache, RefreshMode, Stopwatch},
    request::{MapRequest, MentionSource},
    sources::SourceCache,
    trace::TraceDetail,
};

/// What may differ from call to call; everything else stays as the session was opened.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Files in the chat, relative to the root.
    pub chat: Vec<String>,
    /// Read-only files, relative to the root.
    pub read_only: Vec<String>,
    /// Mentions of the current turn.
    pub mentions: MentionSource,
    /// True to compute the map even if a stored one could be served.
    pub force_refresh: bool,
}

/// What is kept from one map to the next.
#[derive(Debug)]
pub struct Memory {
    /// The maps.
    pub maps: MapCache,
    /// The tags of files, by modification time.
    pub sources: SourceCache,
    /// The pages of files that were rendered, by modification time; `None` for a single map, which
    /// is rendered from the texts that its tags were extracted from.
    pub pages: Option<Pages>,
}

/// The maps of one chat. Files are checked again in every call, and those with a new modification
/// time are read again.
#[derive(Debug)]
pub struct Session {
    request: MapRequest,
    memory: Memory,
}

impl Session {
    /// Opens a session. The chat files, read-only files and mentions of `request` are not used,
    /// because each turn brings its own.
    pub fn open(request: MapRequest, mode: RefreshMode, watch: Box<dyn Stopwatch>) -> Self {
        let memory = Memory {
            maps: MapCache::new(mode, watch),
            sources: SourceCache::default(),
            pages: Some(Pages::default()),
        };
        Self { request, memory }
    }

    /// The map of one turn. [`RepoMap::cached`] says whether it was made earlier.
    pub fn map(&mut self, turn: Turn, detail: TraceDetail) -> Result<RepoMap, MapError> {
        self.request.chat = turn.chat;
        self.request.read_only = turn.read_only;
        self.request.mentions = turn.mentions;
        chain::serve(&self.request, detail, turn.force_refresh, &mut self.memory, None)
    }
}
