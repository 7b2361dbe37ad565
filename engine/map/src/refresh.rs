//! When an earlier map is served again: the comparator's four refresh modes.

use std::collections::BTreeMap;

use super::mentions::Mentioned;

/// Minimum duration in seconds of the last computation for `auto` to serve a stored map.
const SLOW_SECONDS: f64 = 1.0;

/// When a stored map may be served again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefreshMode {
    /// If the last computation was slow, and files, target and mentions are the same.
    Auto,
    /// If files and target are the same, whatever is mentioned.
    Files,
    /// The last map, whatever is asked for, as long as there is one.
    Manual,
    /// Never.
    Always,
}

impl RefreshMode {
    /// The mode's name on the command line and in artifacts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Files => "files",
            Self::Manual => "manual",
            Self::Always => "always",
        }
    }
}

/// Measures how long computations take. The engine reads no clock itself: its caller passes one in,
/// which is monotonic in a program and scripted in a contract test.
pub trait Stopwatch: std::fmt::Debug {
    /// A computation starts.
    fn start(&mut self);
    /// Seconds since the last start.
    fn seconds(&self) -> f64;
}

/// A stopwatch that always stands at zero: for a single map, which is never served again.
#[derive(Debug, Clone, Copy, Default)]
pub struct StoppedWatch;

impl Stopwatch for StoppedWatch {
    fn start(&mut self) {}

    fn seconds(&self) -> f64 {
        0.0
    }
}

/// What a stored map is stored under, as far as its mode takes it into account.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MapKey {
    /// Absolute paths of the chat files, sorted.
    pub chat: Vec<String>,
    /// Absolute paths of all other files, sorted.
    pub others: Vec<String>,
    /// The bits of the target in tokens.
    pub target: u64,
    /// Mentioned files and identifiers; absent in a mode that ignores them.
    mentions: Option<(Vec<String>, Vec<String>)>,
}

/// A map and its estimated tokens; `None` if there was no map.
pub type Kept = Option<(String, f64)>;

/// The maps of a session, and the state that decides whether one is served again.
#[derive(Debug)]
pub struct MapCache {
    mode: RefreshMode,
    watch: Box<dyn Stopwatch>,
    /// Duration of the last completed computation, in seconds.
    seconds: f64,
    maps: BTreeMap<MapKey, Kept>,
    last: Kept,
    disabled: bool,
}

impl MapCache {
    /// An empty cache.
    pub fn new(mode: RefreshMode, watch: Box<dyn Stopwatch>) -> Self {
        let maps = BTreeMap::new();
        Self { mode, watch, seconds: 0.0, maps, last: None, disabled: false }
    }

    /// The key of an attempt under this cache's mode.
    pub fn key(
        &self,
        chat: Vec<String>,
        others: Vec<String>,
        target: f64,
        mentioned: &Mentioned,
    ) -> MapKey {
        let mentions = (self.mode == RefreshMode::Auto).then(|| {
            let list = |names: &std::collections::BTreeSet<String>| names.iter().cloned().collect();
            (list(&mentioned.files), list(&mentioned.idents))
        });
        MapKey { chat, others, target: target.to_bits(), mentions }
    }

    /// The stored answer, if the mode allows it to be served. That there was no map is an answer,
    /// too, except in `manual` mode, which tries again until there is a map.
    pub fn served(&self, key: &MapKey) -> Option<Kept> {
        match self.mode {
            RefreshMode::Manual => self.last.is_some().then(|| self.last.clone()),
            RefreshMode::Always => None,
            RefreshMode::Auto if self.seconds <= SLOW_SECONDS => None,
            RefreshMode::Auto | RefreshMode::Files => self.maps.get(key).cloned(),
        }
    }

    /// Starts timing a computation.
    pub fn start(&mut self) {
        self.watch.start();
    }

    /// Stores the result of a completed computation, and how long it took.
    pub fn store(&mut self, key: MapKey, map: &Kept) {
        self.seconds = self.watch.seconds();
        self.maps.insert(key, map.clone());
        self.last.clone_from(map);
    }

    /// Disables maps for the rest of the session, because a file was nested too deeply to render.
    pub const fn disable(&mut self) {
        self.disabled = true;
    }

    /// True after [`Self::disable`].
    pub const fn is_disabled(&self) -> bool {
        self.disabled
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, rc::Rc};

    use super::{MapCache, MapKey, RefreshMode, Stopwatch};
    use crate::Mentioned;

    /// Shows the time that the test sets.
    #[derive(Debug, Clone)]
    struct Scripted(Rc<Cell<f64>>);

    impl Stopwatch for Scripted {
        fn start(&mut self) {}

        fn seconds(&self) -> f64 {
            self.0.get()
        }
    }

    fn cache(mode: RefreshMode) -> (MapCache, Rc<Cell<f64>>) {
        let seconds = Rc::new(Cell::new(0.0));
        (MapCache::new(mode, Box::new(Scripted(Rc::clone(&seconds)))), seconds)
    }

    fn key(cache: &MapCache, chat: &str, ident: &str) -> MapKey {
        let mut mentioned = Mentioned::default();
        mentioned.idents.insert(ident.to_owned());
        cache.key(vec![chat.to_owned()], vec!["/r/b".to_owned()], 1024.0, &mentioned)
    }

    fn map(text: &str) -> (String, f64) {
        (text.to_owned(), 1.0)
    }

    #[test]
    fn auto_serves_equal_mentions_only_after_more_than_one_second() {
        let (mut cache, seconds) = cache(RefreshMode::Auto);
        let (one, other) = (key(&cache, "/r/a", "x"), key(&cache, "/r/a", "y"));
        for (took, served) in [(1.0, None), (1.000_001, Some(Some(map("m"))))] {
            seconds.set(took);
            cache.store(one.clone(), &Some(map("m")));
            assert_eq!(cache.served(&one), served, "{took} s");
            assert_eq!(cache.served(&other), None);
        }
        seconds.set(0.1);
        cache.store(other, &Some(map("n")));
        assert_eq!(cache.served(&one), None, "the last computation was fast");
    }

    #[test]
    fn files_ignores_mentions_and_remembers_that_there_was_no_map() {
        let (mut cache, _) = cache(RefreshMode::Files);
        let one = key(&cache, "/r/a", "x");
        cache.store(one, &None);
        assert_eq!(cache.served(&key(&cache, "/r/a", "y")), Some(None));
        assert_eq!(cache.served(&key(&cache, "/r/c", "x")), None);
    }

    #[test]
    fn manual_serves_the_last_map_whatever_is_asked_for() {
        let (mut cache, _) = cache(RefreshMode::Manual);
        let one = key(&cache, "/r/a", "x");
        cache.store(one.clone(), &None);
        assert_eq!(cache.served(&one), None, "no map is tried again");
        cache.store(one.clone(), &Some(map("m")));
        assert_eq!(cache.served(&key(&cache, "/r/c", "y")), Some(Some(map("m"))));
        cache.store(one.clone(), &None);
        assert_eq!(cache.served(&one), None, "the last computation gave none");
    }

    #[test]
    fn always_never_serves() {
        let (mut cache, _) = cache(RefreshMode::Always);
        let one = key(&cache, "/r/a", "x");
        cache.store(one.clone(), &Some(map("m")));
        assert_eq!(cache.served(&one), None);
    }
}
