//! Does a job: finds the stored map of a repository, or makes it.

use std::{
    collections::BTreeMap,
    thread,
    time::{Duration, Instant},
};

use index::{Settings, TagCache};
use map::{MapError, TraceDetail, build_with, repo::Universe};
use record::Digest;
use rustix::process::getppid;
use serde_json::json;

use crate::{
    Artifact, Code, Job, Problem, Refresh, files,
    store::{Kept, Store, Turn},
};

/// Pause between two checks whether it is this process's turn.
const PAUSE: Duration = Duration::from_millis(10);

/// Does a job, and publishes the answer if the job asks for that. `avoided` are the files that must
/// not be parsed ([`map::MapRequest::avoided`]).
pub fn answer(job: &Job, avoided: BTreeMap<u64, String>) -> Artifact {
    let started = Instant::now();
    let made = made_or_stored(job, avoided);
    let milliseconds = started.elapsed().as_millis() as u64;
    let mut artifact =
        made.unwrap_or_else(|problem| Artifact::of_failure(job, &problem, Some(milliseconds)));
    artifact.provenance.session_id.clone_from(&job.session_id);
    artifact.provenance.timeout_ms = job.timeout_ms;
    artifact.provenance.duration_ms = Some(milliseconds);
    match job.publish.as_deref().map(|folder| artifact.publish(folder)) {
        Some(Err(problem)) => Artifact::of_failure(job, &problem, Some(milliseconds)),
        _ => artifact,
    }
}

fn made_or_stored(job: &Job, avoided: BTreeMap<u64, String>) -> Result<Artifact, Problem> {
    let universe = files::list(&job.root, &job.configured.scope())?;
    let chat = files::within(&universe, &job.chat);
    // Without a folder to keep maps in, each map is made again.
    let store = job.cache.as_deref().and_then(|cache| Store::open(cache, &job.root).ok());
    let Some(store) = store else { return made(job, &universe, chat, avoided) };
    let key = key(job, &universe, &chat);
    // Taken before the first file is read, so that a change while the map is made marks the map as
    // stale.
    let stamp = files::stamp(&universe, &chat);
    if let Some(kept) = served(job, &store, &key, &stamp) {
        return Ok(kept.artifact);
    }
    let _turn = wait_for_turn(job, &store)?;
    if let Some(kept) = served(job, &store, &key, &stamp) {
        return Ok(kept.artifact);
    }
    let artifact = made(job, &universe, chat, avoided)?;
    let kept = Kept { stamp, artifact };
    // The map can be used even if it cannot be stored.
    let _ = store.keep(&key, &kept);
    Ok(kept.artifact)
}

/// The stored map, if the refresh mode allows it to be served.
fn served(job: &Job, store: &Store, key: &Digest, stamp: &Digest) -> Option<Kept> {
    match job.refresh {
        Refresh::Always => None,
        Refresh::Manual => store.find(key).or_else(|| store.last()),
        Refresh::Auto | Refresh::Files => store.find(key).filter(|kept| kept.stamp == *stamp),
    }
}

/// Makes the map.
fn made(
    job: &Job,
    universe: &Universe,
    chat: Vec<String>,
    avoided: BTreeMap<u64, String>,
) -> Result<Artifact, Problem> {
    let mut request = job.request(chat);
    request.avoided = avoided;
    let tag_cache = tag_cache(job, universe);
    let cached = tag_cache.as_ref().map(|tag_cache| tag_cache as _);
    let map = build_with(&request, TraceDetail::Graph, cached).map_err(|error| match &error {
        MapError::Universe(error) => files::problem(error),
        // A chat file was removed in the meantime.
        MapError::NoSuchFile { .. } | MapError::NothingToMap(_) => {
            Problem::new(Code::ScanFailed, error.to_string())
        }
        MapError::UnsupportedModel { .. } => Problem::new(Code::InternalError, error.to_string()),
    })?;
    // What is not written now is extracted again later.
    let _ = tag_cache.map(TagCache::save);
    Artifact::of_map(job, &universe.root.to_string_lossy(), &map)
}

/// The tags that were extracted earlier from the files of the root: the index that maps and
/// navigation share. `None` in the parity profile.
fn tag_cache(job: &Job, universe: &Universe) -> Option<TagCache> {
    let cache = job.cache.as_deref().filter(|_| !job.profile.is_parity())?;
    let settings = job.configured.in_index(Settings::in_folder(cache.join("index")));
    Some(TagCache::open(&settings, &universe.root))
}

/// The digest that identifies a question: everything that the map depends on besides the files,
/// including the program that makes it.
fn key(job: &Job, universe: &Universe, chat: &[String]) -> Digest {
    let looks_at_mentions = job.refresh != Refresh::Files;
    let mentions =
        looks_at_mentions.then_some((&job.message, &job.mentioned_files, &job.mentioned_idents));
    let question = json!({
        "program": program(),
        "root": universe.root.to_string_lossy(),
        "chat": chat,
        "mentions": mentions,
        "max_tokens": job.max_tokens,
        "profile": job.profile,
        "excluded": job.configured.excluded,
        "languages": job.configured.languages,
    });
    Digest::of(question.to_string())
}

/// Identifies this program by version, size and modification time, so that a new build makes new
/// maps.
fn program() -> String {
    use std::os::unix::fs::MetadataExt;
    let found = std::env::current_exe().and_then(|path| path.metadata());
    let file =
        found.map(|found| format!("{} {}.{}", found.size(), found.mtime(), found.mtime_nsec()));
    format!("{} {}", env!("CARGO_PKG_VERSION"), file.unwrap_or_default())
}

/// Waits until no other process makes a map of this repository. If the lock cannot be used, two
/// processes may do the same work.
fn wait_for_turn(job: &Job, store: &Store) -> Result<Option<Turn>, Problem> {
    let asker = getppid();
    loop {
        match store.turn() {
            Ok(None) => {}
            Ok(turn) => return Ok(turn),
            Err(_) => return Ok(None),
        }
        if !job.is_attended && getppid() != asker {
            return Err(Problem::new(Code::Timeout, "nobody waits for this map any more"));
        }
        thread::sleep(PAUSE);
    }
}
