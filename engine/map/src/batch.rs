//! Several maps of one repository, each as a fresh process would make it.

use super::{
    chain::{self, MapError, RepoMap},
    pages::Pages,
    refresh::{MapCache, RefreshMode, StoppedWatch},
    request::MapRequest,
    session::Memory,
    sources::SourceCache,
    tag_cache::TagCache,
    trace::TraceDetail,
};

/// What the maps of a batch share: the files, each of which is read and parsed once as long as its
/// modification time stays the same. Unlike in a session, no map depends on an earlier one.
#[derive(Debug)]
pub struct Batch {
    memory: Memory,
}

impl Default for Batch {
    fn default() -> Self {
        let (sources, pages) = (SourceCache::default(), Some(Pages::default()));
        Self { memory: Memory { maps: no_maps(), sources, pages } }
    }
}

impl Batch {
    /// Makes one map; see [`super::build_with`].
    pub fn map(
        &mut self,
        request: &MapRequest,
        detail: TraceDetail,
        tag_cache: Option<&dyn TagCache>,
    ) -> Result<RepoMap, MapError> {
        self.memory.maps = no_maps();
        chain::serve(request, detail, false, &mut self.memory, tag_cache)
    }
}

fn no_maps() -> MapCache {
    MapCache::new(RefreshMode::Always, Box::new(StoppedWatch))
}
