//! What is asked of a repository, resolved before any file is read; and what is kept of the answer.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::{Arc, OnceLock},
};

use base::text::visible::visible;

use super::{
    chain::{MapError, RepoMap, free_later},
    enhancement::Factor,
    finished::{self, FinishedMap},
    mentions::{Mentionable, Mentioned},
    request::{MapRequest, MentionSource},
    skipped::Skipped,
    tag_cache::Stamps,
    trace::Attempt,
};
use crate::repo::{FileSource, GitError, Listing, RepoFile, Universe, UniverseError};

/// The repository, as all attempts see it.
pub struct Prepared {
    /// What git or the directory lists.
    pub universe: Universe,
    /// All files that may be ranked, by absolute path; a file's position is its id.
    pub files: BTreeMap<String, Arc<RepoFile>>,
    /// Ids of the chat files, read-only files of the universe included.
    pub chat: BTreeSet<usize>,
    /// Ids of all files of the universe.
    pub all: Vec<usize>,
    /// Files and words that the message or the caller names.
    pub mentioned: Mentioned,
    /// The text of the current turn, or its explicit mentions joined into one text.
    pub message: String,
    /// Files that the listing leaves out.
    pub skipped: Vec<Skipped>,
    /// The digest of the listed files, once it is needed.
    listing: OnceLock<[u8; 32]>,
}

impl Prepared {
    /// Looks up what git has listed, or else the directory, and resolves what the request names.
    ///
    /// # Errors
    /// The repository cannot be listed, or a file that the request names is not there.
    pub fn of(
        request: &MapRequest,
        listing: Result<Listing, UniverseError>,
    ) -> Result<Self, MapError> {
        let universe = universe(request, listing)?;
        let chat = existing(&universe, &request.chat, "chat")?;
        let read_only = existing(&universe, &request.read_only, "read-only")?;
        let chat = admitted(&universe, chat)?;

        let mut files = universe.files.clone();
        for file in &chat {
            files.entry(file.abs.clone()).or_insert_with(|| Arc::clone(file));
        }
        let known: Vec<&String> = files.keys().collect();
        let id = |file: &Arc<RepoFile>| known.binary_search(&&file.abs).ok();
        let chat_ids = chat
            .iter()
            .chain(&read_only)
            .filter(|file| chat.contains(file) || universe.files.contains_key(&file.abs));
        let chat_ids = chat_ids.filter_map(id).collect();
        // Both lists have the same order.
        let mut listed = universe.files.keys().peekable();
        let is_listed = |(_, abs): &(usize, &&String)| listed.next_if_eq(*abs).is_some();
        let all = known.iter().enumerate().filter(is_listed).map(|(id, _)| id).collect();

        let names = |files: &[Arc<RepoFile>]| files.iter().map(|file| file.rel.clone()).collect();
        let mentioned = match &request.mentions {
            MentionSource::Message(message) => Mentioned::in_message(
                message,
                &Mentionable {
                    all: &universe.listed,
                    chat: &names(&chat),
                    read_only: &names(&read_only),
                },
            ),
            MentionSource::Explicit { files, idents } => Mentioned {
                files: files.iter().cloned().collect(),
                idents: idents.iter().cloned().collect(),
            },
        };
        let message = match &request.mentions {
            MentionSource::Message(message) => message.clone(),
            MentionSource::Explicit { files, idents } => {
                [files.join(" "), idents.join(" ")].join(" ")
            }
        };
        let skipped = universe.skipped.clone();
        let listing = OnceLock::new();
        Ok(Self { universe, chat: chat_ids, all, mentioned, message, skipped, files, listing })
    }

    /// Removes git's scratch folder, and frees the memory of the files without waiting for it.
    pub fn end(self) {
        let Universe { files, listed, committed, .. } = self.universe;
        free_later((files, listed, committed, self.files));
    }

    /// The key under which a finished map is kept; `None` if none can be. The stamps have to be taken
    /// after git's listing and before any file is read, so that a file that is written later has
    /// another one.
    pub fn key(
        &self,
        request: &MapRequest,
        files: &[&RepoFile],
        stamps: &Stamps,
    ) -> Option<[u8; 32]> {
        let question = finished::question(request, &self.universe, self.listing(files), &self.chat);
        finished::key(question, files, stamps)
    }

    /// The key under which the graph is kept; `None` if the question has something that changes the
    /// graph, or shows files otherwise than by their signatures.
    pub fn graph_key(
        &self,
        request: &MapRequest,
        listed: &[&RepoFile],
        stamps: &Stamps,
    ) -> Option<[u8; 32]> {
        let Mentioned { files, idents } = &self.mentioned;
        let is_plain = self.chat.is_empty()
            && self.message.trim().is_empty()
            && files.is_empty()
            && idents.iter().all(String::is_empty)
            && !request.without.contains(&Factor::Signatures);
        is_plain.then(|| {
            finished::graph_key(finished::plain_question(request, self.listing(listed)), stamps)
        })
    }

    /// The digest of the listed files, which are the same each time.
    fn listing(&self, files: &[&RepoFile]) -> [u8; 32] {
        *self.listing.get_or_init(|| finished::listing(files))
    }

    /// What is kept of a map; `None` if the next try may give another one.
    pub fn finished(&self, map: &RepoMap) -> Option<FinishedMap> {
        let may_differ = map.skipped.iter().any(|skipped| skipped.may_pass)
            || map.attempts.iter().any(|attempt| attempt.exception.is_some());
        if may_differ {
            return None;
        }
        let of_sources = map.skipped.get(self.skipped.len()..)?;
        let target = map.attempts.last().and_then(|attempt| attempt.target_tokens);
        Some(FinishedMap {
            text: map.text.clone(),
            reason: map.reason.clone(),
            token_bits: map.token_count.to_bits(),
            target_bits: target.map(f64::to_bits),
            languages: map.languages.clone(),
            skipped: of_sources.iter().map(|one| (one.clone(), one.is_unparsed)).collect(),
        })
    }

    /// The map that was made earlier of the same question and the same files.
    pub fn served(&self, found: FinishedMap) -> RepoMap {
        let of_sources = found.skipped.into_iter();
        let of_sources =
            of_sources.map(|(skipped, is_unparsed)| Skipped { is_unparsed, ..skipped });
        let attempt = Attempt {
            chat_files: Vec::new(),
            other_files_count: 0,
            mentioned_fnames: Vec::new(),
            mentioned_idents: Vec::new(),
            target_tokens: found.target_bits.map(f64::from_bits),
            search: Vec::new(),
            listing: found.text.clone(),
            cached: true,
            exception: None,
            postfit: None,
            explanation: None,
            ranking: None,
        };
        RepoMap {
            text: found.text,
            reason: found.reason,
            cached: true,
            token_count: f64::from_bits(found.token_bits),
            attempts: vec![attempt],
            files_considered: self.files.len(),
            source: self.universe.source,
            languages: found.languages,
            tracked: None,
            tags: None,
            odd_names: self.odd_names(),
            skipped: self.skipped.iter().cloned().chain(of_sources).collect(),
        }
    }

    /// Names with characters that would control a terminal.
    pub fn odd_names(&self) -> Vec<String> {
        let names = self.files.values().map(|file| &file.rel);
        names.filter(|name| visible(name) != name.as_str()).cloned().collect()
    }
}

fn universe(
    request: &MapRequest,
    listing: Result<Listing, UniverseError>,
) -> Result<Universe, MapError> {
    match listing {
        Ok(listing) => Ok(Universe::of_listing(listing, &request.scope)?),
        Err(UniverseError::Git(GitError::NotARepository(_))) if !request.profile.is_parity() => {
            Ok(Universe::of_directory(&request.repo, &request.scope)?)
        }
        Err(UniverseError::Git(GitError::NotARepository(path))) => {
            if request.chat.is_empty() {
                return Err(MapError::NothingToMap(path));
            }
            existing_in(&request.repo, &request.chat)?;
            Ok(Universe::of_chat_files(&request.repo, &request.chat)?)
        }
        Err(error) => Err(error.into()),
    }
}

fn existing_in(root: &Path, paths: &[String]) -> Result<(), MapError> {
    for path in paths {
        if !root.join(path).exists() {
            return Err(MapError::NoSuchFile {
                role: "chat",
                path: path.clone(),
                root: root.to_owned(),
            });
        }
    }
    Ok(())
}

/// Resolves the files that the user names. A missing file is an error; none is created.
fn existing(
    universe: &Universe,
    paths: &[String],
    role: &'static str,
) -> Result<Vec<Arc<RepoFile>>, MapError> {
    // Without git, the chat files themselves are the universe.
    if universe.source == FileSource::InchatFallback && role == "chat" {
        return Ok(universe.files.values().cloned().collect());
    }
    paths
        .iter()
        .map(|path| {
            let file = universe.resolve(path);
            // A chat file is read, so it must lie below the root.
            let may_be_read = role != "chat" || !file.is_outside();
            if may_be_read && Path::new(&file.abs).exists() {
                Ok(file.into())
            } else {
                Err(MapError::NoSuchFile { role, path: path.clone(), root: universe.root.clone() })
            }
        })
        .collect()
}

/// The chat files that the comparator accepts: regular files that neither git nor the ignore file
/// excludes.
fn admitted(universe: &Universe, chat: Vec<Arc<RepoFile>>) -> Result<Vec<Arc<RepoFile>>, MapError> {
    let names: Vec<String> = chat.iter().map(|file| file.rel.clone()).collect();
    let ignored = universe.git_ignored(&names).map_err(UniverseError::from)?;
    let admitted = chat
        .into_iter()
        .filter(|file| file.is_file && universe.counts(&file.rel) && !ignored.contains(&file.rel));
    Ok(admitted.collect())
}
