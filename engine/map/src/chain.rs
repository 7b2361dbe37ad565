//! The fallback chain: a map with the chat, then a global one, then one without any hint.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use base::{
    text::visible::{path as shown, visible},
    tokens::{Tokenizer, TokenizerFamily, estimate},
};

use super::{
    enhancement::{
        BudgetCount, Drawing, Factor, Ordering, Relevance, Scopes, Sheet, edited, fill, seed_edits,
        seed_imports,
    },
    explain::{Made, explain},
    fit::fit,
    graph::{FileGraph, RankingInput},
    mentions::Mentioned,
    pages::Pages,
    prepared::Prepared,
    ranking::Ranking,
    refresh::{Kept, MapCache, RefreshMode, StoppedWatch},
    render::{RenderError, Renderer, visible_names},
    request::MapRequest,
    session::Memory,
    skipped::Skipped,
    sources::{ReadBefore, Reading, SourceCache, Sources},
    stages::assemble,
    stored::{Ahead, GraphCache},
    tag_cache::TagCache,
    trace::{self, Attempt, TagsByFile, Trace, TraceDetail},
};
use crate::repo::{FileSource, Listing, RepoFile, Universe, UniverseError};

/// Tokens of the context window that the multiplied budget leaves free.
const WINDOW_PADDING: f64 = 4096.0;

/// Why no map can be made.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// The repository cannot be listed.
    #[error(transparent)]
    Universe(#[from] UniverseError),
    /// The comparator counts the model with a tokenizer that is not built in.
    #[error(
        "the comparator counts {model} with the tokenizer {tokenizer}, which is not built in, so the parity profile has no map for it; name another --model, or use --profile enhancement"
    )]
    UnsupportedModel {
        /// The name of the model, as given.
        model: String,
        /// The tokenizer that the comparator uses for it.
        tokenizer: String,
    },
    /// There is neither a work tree nor a chat file.
    #[error(
        "{} is not inside a git work tree and no chat file is given; run git init and git add there, or name files with --chat",
        shown(.0)
    )]
    NothingToMap(std::path::PathBuf),
    /// A chat or read-only file does not exist.
    #[error(
        "the {role} file {} does not exist under {}; paths are relative to the root of the work tree",
        visible(path),
        shown(root)
    )]
    NoSuchFile {
        /// `chat` or `read-only`.
        role: &'static str,
        /// The path, as given.
        path: String,
        /// The root of the work tree.
        root: std::path::PathBuf,
    },
}

/// A map and what it was made from.
#[derive(Debug)]
pub struct RepoMap {
    /// The map, if there is one.
    pub text: Option<String>,
    /// Why there is none.
    pub reason: Option<String>,
    /// True if an earlier call of the session, or an earlier program, computed this answer, be it a
    /// map or that there is none.
    pub cached: bool,
    /// The comparator's estimate of the map, in tokens.
    pub token_count: f64,
    /// Every attempt of the chain; of a map from an earlier program only the budget of the last one.
    pub attempts: Vec<Attempt>,
    /// Number of files that may be ranked.
    pub files_considered: usize,
    /// Where the list of files came from.
    pub source: FileSource,
    /// Number of files with tags, by language key.
    pub languages: BTreeMap<String, usize>,
    /// Files that should have tags but have none.
    pub skipped: Vec<Skipped>,
    /// All listed files, if the whole graph was asked for.
    pub tracked: Option<Vec<String>>,
    /// All tags by file, if the whole graph was asked for.
    pub tags: Option<TagsByFile>,
    /// Names of files that cannot be printed as they are.
    pub(super) odd_names: Vec<String>,
}

impl RepoMap {
    /// A text of this map with every file name made visible, so that no name breaks its line.
    pub fn with_visible_names<'a>(&self, text: &'a str) -> Cow<'a, str> {
        visible_names(text, &self.odd_names)
    }
}

/// Makes a single map.
pub fn build(request: &MapRequest, detail: TraceDetail) -> Result<RepoMap, MapError> {
    build_with(request, detail, None)
}

/// Makes a single map. In the enhancement profile, a whole map is taken from a tag cache if nothing has
/// changed since, else the graph if it still fits, else the tags that it has; the map is the same as
/// without it. A map with a trace or an explanation is always made.
pub fn build_with(
    request: &MapRequest,
    detail: TraceDetail,
    tag_cache: Option<&dyn TagCache>,
) -> Result<RepoMap, MapError> {
    require_tokenizer(request)?;
    let memory = |sources| Memory {
        maps: MapCache::new(RefreshMode::Always, Box::new(StoppedWatch)),
        sources,
        pages: None,
    };
    let tag_cache = tag_cache.filter(|_| !request.profile.is_parity());
    // A program that avoids a file has just seen its parser fail, which may be different the next time.
    let is_plain = detail == TraceDetail::None && !request.explain && request.avoided.is_empty();
    // Git keeps two processors busy, and the look-up of the files one.
    let listing = Listing::of(&request.repo);
    let (prepared, ahead) = rayon::join(
        || Prepared::of(request, listing),
        || tag_cache.filter(|_| is_plain && request.asks_nothing()).and_then(Ahead::of),
    );
    let prepared = prepared?;
    let files: Vec<&RepoFile> = prepared.files.values().map(Arc::as_ref).collect();
    let stamps =
        tag_cache.filter(|_| is_plain).and_then(|cache| Some((cache, cache.stamps(&files)?)));
    let kept_under = stamps
        .as_ref()
        .and_then(|(cache, stamps)| Some((*cache, prepared.key(request, &files, stamps)?)));
    if let Some((cache, key)) = kept_under
        && let Some(found) = cache.finished(key)
    {
        let map = prepared.served(found);
        prepared.end();
        return Ok(map);
    }
    let graph_under = stamps.and_then(|(cache, stamps)| {
        Some((cache, prepared.graph_key(request, &files, &stamps)?, stamps))
    });
    let mut late = memory(SourceCache::for_one_map_read_late());
    let graph_cache = graph_under.map(|(cache, key, stamps)| {
        // Files that the request names may turn out not to count.
        GraphCache::of(cache, key, stamps, ahead.or_else(|| Ahead::of(cache)))
    });
    let caches = Caches { tags: tag_cache, graph: graph_cache.as_ref() };
    let mut map = chain(request, detail, false, &prepared, &mut late, caches);
    if late.sources.is_stale() {
        let mut at_once = memory(SourceCache::for_one_map());
        let caches = Caches { tags: tag_cache, graph: None };
        map = chain(request, detail, false, &prepared, &mut at_once, caches);
    } else if let Some(graph_cache) = graph_cache {
        graph_cache.save();
    }
    if let Some((cache, key)) = kept_under
        && let Some(finished) = prepared.finished(&map)
    {
        cache.keep_finished(key, &finished);
    }
    prepared.end();
    Ok(map)
}

/// Frees memory beside what follows, which need not wait for it. The program may end first, so nothing
/// may come here whose drop does anything else.
pub(super) fn free_later(memory: impl Send + 'static) {
    rayon::spawn(|| drop(memory));
}

/// Answers one call of a session. Files are read only if something must be computed.
pub fn serve(
    request: &MapRequest,
    detail: TraceDetail,
    force_refresh: bool,
    memory: &mut Memory,
    tag_cache: Option<&dyn TagCache>,
) -> Result<RepoMap, MapError> {
    require_tokenizer(request)?;
    let prepared = Prepared::of(request, Listing::of(&request.repo))?;
    let tag_cache = tag_cache.filter(|_| !request.profile.is_parity());
    let caches = Caches { tags: tag_cache, graph: None };
    Ok(chain(request, detail, force_refresh, &prepared, memory, caches))
}

/// Runs the chain: the first attempt that gives a map ends it. Only the first one may be forced to
/// compute.
fn chain(
    request: &MapRequest,
    detail: TraceDetail,
    force_refresh: bool,
    prepared: &Prepared,
    memory: &mut Memory,
    caches: Caches,
) -> RepoMap {
    let budget = request.map_tokens.unwrap_or_else(|| request.model.default_map_tokens());
    let included = Vec::new();
    let sources = None;
    let mut chain = Chain { request, prepared, budget, detail, sources, included, memory, caches };
    let mut attempts = Vec::new();
    let mut found = None;
    for plan in [Plan::Chat, Plan::Global, Plan::Unhinted] {
        let (attempt, kept) = chain.attempt(plan, force_refresh && plan == Plan::Chat);
        attempts.push(attempt);
        if kept.is_some() {
            found = kept;
            break;
        }
    }
    let reason = found.is_none().then(|| chain.reason(&attempts));
    let (text, token_count) = found.map_or((None, 0.0), |(text, tokens)| (Some(text), tokens));
    let graph_wanted = detail >= TraceDetail::Graph;
    let mut skipped = prepared.skipped.clone();
    skipped.extend(chain.sources.iter().flat_map(|sources| sources.skipped.iter().cloned()));
    let map = RepoMap {
        text,
        reason,
        cached: attempts.last().is_some_and(|attempt| attempt.cached),
        token_count,
        attempts,
        files_considered: prepared.files.len(),
        source: prepared.universe.source,
        languages: chain.sources.as_ref().map(Sources::languages).unwrap_or_default(),
        tags: chain
            .sources
            .as_ref()
            .filter(|_| graph_wanted)
            .map(|sources| trace::tags(sources, &chain.included)),
        tracked: graph_wanted.then(|| prepared.universe.listed.clone()),
        odd_names: prepared.odd_names(),
        skipped,
    };
    free_later(chain.sources);
    map
}

/// In the parity profile no other tokenizer may replace the comparator's.
fn require_tokenizer(request: &MapRequest) -> Result<(), MapError> {
    if !request.profile.is_parity() || Tokenizer::of(&request.model.name).is_some() {
        return Ok(());
    }
    let family = TokenizerFamily::of(&request.model.name);
    Err(MapError::UnsupportedModel {
        model: request.model.name.clone(),
        tokenizer: family.map_or("unknown", |family| &family.tokenizer_id).to_owned(),
    })
}

/// The attempts of the chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Plan {
    Chat,
    Global,
    Unhinted,
}

struct Chain<'a> {
    request: &'a MapRequest,
    prepared: &'a Prepared,
    /// The budget in tokens.
    budget: f64,
    detail: TraceDetail,
    /// All files with their tags, once an attempt has needed them.
    sources: Option<Sources>,
    /// Ids of the files in the last attempt: those of the universe and of its chat.
    included: Vec<usize>,
    memory: &'a mut Memory,
    caches: Caches<'a>,
}

/// What is kept from one run of a program to the next.
#[derive(Clone, Copy)]
struct Caches<'a> {
    /// Tags.
    tags: Option<&'a dyn TagCache>,
    /// The graph, if the question leaves it as it is kept.
    graph: Option<&'a GraphCache<'a>>,
}

impl Chain<'_> {
    fn attempt(&mut self, plan: Plan, force_refresh: bool) -> (Attempt, Kept) {
        let prepared = self.prepared;
        let chat = if plan == Plan::Chat { prepared.chat.clone() } else { BTreeSet::new() };
        let mentioned =
            if plan == Plan::Unhinted { Mentioned::default() } else { prepared.mentioned.clone() };
        let mut included: Vec<usize> =
            prepared.all.iter().copied().chain(chat.iter().copied()).collect();
        included.sort_unstable();
        included.dedup();
        self.included.clone_from(&included);
        let files: Vec<&Arc<RepoFile>> = prepared.files.values().collect();
        let mut chat_files: Vec<String> =
            chat.iter().map(|file| files[*file].rel.clone()).collect();
        chat_files.sort_unstable();
        let mut attempt = Attempt {
            chat_files,
            other_files_count: included.len() - chat.len(),
            mentioned_fnames: mentioned.files.iter().cloned().collect(),
            mentioned_idents: mentioned.idents.iter().cloned().collect(),
            target_tokens: None,
            search: Vec::new(),
            listing: None,
            cached: false,
            exception: None,
            postfit: None,
            explanation: None,
            ranking: None,
        };
        if self.is_disabled() || attempt.other_files_count == 0 {
            return (attempt, None);
        }
        let target = self.target(chat.is_empty());
        attempt.target_tokens = Some(target);
        let path = |file: &usize| files[*file].abs.clone();
        let key = self.memory.maps.key(
            chat.iter().map(path).collect(),
            included.iter().filter(|file| !chat.contains(file)).map(path).collect(),
            target,
            &mentioned,
        );
        if !force_refresh && let Some(kept) = self.memory.maps.served(&key) {
            attempt.cached = true;
            attempt.listing = kept.as_ref().map(|(text, _)| text.clone());
            return (attempt, kept);
        }
        self.memory.maps.start();
        let memory = &mut *self.memory;
        let reading = Reading {
            profile: self.request.profile,
            folder: &prepared.universe.folder,
            overrides: &self.request.languages,
            avoided: &self.request.avoided,
            tag_cache: self.caches.tags,
        };
        let sources = self.sources.get_or_insert_with(|| {
            let (kept, mut read) = (self.caches.graph, ReadBefore::new());
            kept.and_then(|graph| graph.sources(&files, &reading, &memory.sources, &mut read))
                .unwrap_or_else(|| memory.sources.extract(&prepared.files, &reading, &read))
        });
        let input = RankingInput {
            sources,
            included,
            chat,
            mentioned_files: mentioned.files,
            mentioned_idents: mentioned.idents,
        };
        let search = Search {
            target,
            tokenizer: self.request.tokenizer(),
            detail: self.detail,
            explain: self.request.explain,
            pages: memory.pages.as_ref(),
        };
        let made = if self.request.profile.is_parity() {
            search.run(&input, &mut attempt)
        } else {
            let enhanced = Enhanced {
                message: if plan == Plan::Unhinted { "" } else { &prepared.message },
                count: self.request.count.for_model(&self.request.model),
                without: &self.request.without,
                universe: &prepared.universe,
            };
            search.run_enhanced(&input, &enhanced, self.caches.graph, &mut attempt)
        };
        match made {
            Ok(kept) => {
                memory.maps.store(key, &kept);
                (attempt, kept)
            }
            Err(error) => {
                if matches!(error, RenderError::TooDeep { .. }) {
                    memory.maps.disable();
                }
                attempt.exception = Some(error.to_string());
                (attempt, None)
            }
        }
    }

    /// True if no map is wanted, or this session cannot make maps any more.
    fn is_disabled(&self) -> bool {
        self.budget <= 0.0 || self.memory.maps.is_disabled()
    }

    /// The budget of a search. If no file is in the chat and the window is known, the budget is
    /// multiplied, as far as the window allows. In the enhancement profile the budget is never
    /// multiplied.
    fn target(&self, no_chat: bool) -> f64 {
        if !self.request.profile.is_parity() {
            return self.budget;
        }
        let Some(window) = self.request.model.max_input_tokens else { return self.budget };
        let wide =
            (self.budget * self.request.multiplier).trunc().min(window as f64 - WINDOW_PADDING);
        if no_chat && wide > 0.0 { wide } else { self.budget }
    }

    /// Why the chain found no map.
    fn reason(&self, attempts: &[Attempt]) -> String {
        if let Some(exception) = attempts.iter().find_map(|attempt| attempt.exception.as_ref()) {
            return format!("the repo map is disabled: {exception}");
        }
        if self.budget <= 0.0 {
            return "the repo map is disabled: the token budget is 0".to_owned();
        }
        if self.memory.maps.is_disabled() {
            return "the repo map is disabled for this session: an earlier call came upon a file \
                    that is too deep to render"
                .to_owned();
        }
        if self.prepared.all.is_empty() {
            return "the repository has no tracked file; git add some first".to_owned();
        }
        format!("nothing fits into a budget of {} tokens; raise --map-tokens", self.budget)
    }
}

/// The computation of one attempt: ranking, assembling, fitting.
struct Search<'a> {
    /// The budget of the search in tokens.
    target: f64,
    tokenizer: Tokenizer,
    detail: TraceDetail,
    explain: bool,
    pages: Option<&'a Pages>,
}

/// The additional input of a search in the enhancement profile.
struct Enhanced<'a> {
    message: &'a str,
    count: BudgetCount,
    without: &'a BTreeSet<Factor>,
    universe: &'a Universe,
}

impl Search<'_> {
    /// Makes a map of the parity profile, and records in `attempt` how it was made.
    fn run(&self, input: &RankingInput, attempt: &mut Attempt) -> Result<Kept, RenderError> {
        let graph = FileGraph::build(input, false, None);
        let ranking = Ranking::of(&graph, input);
        let entries = assemble(&graph, &ranking, input);
        attempt.ranking = Trace::record(&graph, &ranking, &entries, input, self.detail);
        let renderer = Renderer::new(input.sources, input.chat.iter().copied(), true, self.pages);
        let fit = fit(&entries, self.target, &renderer, self.tokenizer)?;
        attempt.search = fit.probes;
        attempt.postfit =
            (self.detail > TraceDetail::None).then(|| trace::rows(fit.cut, &graph, input));
        attempt.explanation = self.explain.then(|| {
            let (graph, ranking) = (&graph, &ranking);
            let made = Made {
                graph,
                ranking,
                input,
                candidates: &entries,
                order: None,
                edited: &BTreeSet::new(),
            };
            explain(fit.cut, &made)
        });
        attempt.listing = fit.kept.as_ref().map(|(text, _)| text.clone());
        // An empty listing does not count as a map.
        Ok(fit.kept.filter(|(text, _)| !text.is_empty()))
    }

    /// As [`Search::run`], for the enhancement profile.
    fn run_enhanced(
        &self,
        input: &RankingInput,
        enhanced: &Enhanced,
        cache: Option<&GraphCache>,
        attempt: &mut Attempt,
    ) -> Result<Kept, RenderError> {
        let by_family = !enhanced.without.contains(&Factor::Families);
        let is_scoped = !enhanced.without.contains(&Factor::Scopes);
        let mut edits = BTreeSet::new();
        let mut graph = rayon::in_place_scope(|scope| {
            if !enhanced.without.contains(&Factor::Edits) {
                scope.spawn(|_| edits = edited(input, enhanced.universe));
            }
            if let Some(cache) = cache {
                return cache.graph(input, by_family, is_scoped);
            }
            let scopes = is_scoped.then(|| Scopes::of(input));
            FileGraph::build(input, by_family, scopes.as_ref())
        });
        let relevance = Some(enhanced.message)
            .filter(|_| !enhanced.without.contains(&Factor::Relevance))
            .and_then(|message| Relevance::of(message, &graph, input));
        if let Some(relevance) = &relevance {
            relevance.seed(&mut graph.personalization);
        }
        if !enhanced.without.contains(&Factor::Imports) {
            seed_imports(input, &mut graph.personalization);
        }
        seed_edits(&edits, input, &mut graph.personalization);
        let ranking = Ranking::of(&graph, input);
        let ordering = Ordering {
            graph: &graph,
            ranking: &ranking,
            input,
            relevance: relevance.as_ref(),
            message: enhanced.message,
            without: enhanced.without,
        };
        let mut order = ordering.order();
        // All of them are put in order only for those who look at all.
        let is_told = self.explain || self.detail > TraceDetail::None;
        let count = if is_told { order.candidates.len() } else { 0 };
        let entries = order.candidates.first_entries(count);
        attempt.ranking = Trace::record(&graph, &ranking, &entries, input, self.detail);
        let drawing = if enhanced.without.contains(&Factor::Signatures) {
            let chat = input.chat.iter().copied();
            Drawing::Outline(Renderer::new(input.sources, chat, false, self.pages))
        } else {
            let known = cache.map(|cache| cache.lines(input.sources)).unwrap_or_default();
            Drawing::Signatures(Sheet::new(input.sources, &graph, known))
        };
        let documents = !enhanced.without.contains(&Factor::Documentation);
        let candidates = &mut order.candidates;
        let filled = fill(candidates, &drawing, enhanced.count, self.target, documents)?;
        attempt.search = filled.probes;
        attempt.postfit =
            (self.detail > TraceDetail::None).then(|| trace::rows(&filled.entries, &graph, input));
        attempt.explanation = self.explain.then(|| {
            let (graph, ranking) = (&graph, &ranking);
            let (candidates, order, edited) = (&entries, Some(&order), &edits);
            let made = Made { graph, ranking, input, candidates, order, edited };
            explain(&filled.entries, &made)
        });
        if let (Some(cache), Drawing::Signatures(sheet)) = (cache, drawing) {
            cache.take_lines(&sheet.known(), input.sources);
        }
        attempt.listing.clone_from(&filled.text);
        Ok(filled.text.map(|text| {
            let tokens = estimate(self.tokenizer, &text);
            (text, tokens)
        }))
    }
}
