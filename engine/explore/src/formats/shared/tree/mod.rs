//! The structure of a nested document: the values at each path, counted while a parser reads the
//! document once. JSON, YAML and TOML share it.
//!
//! Equal paths are one entry: all items of an array are at `path[]`. Paths are in the notation of
//! `jq`: `.dependencies["a b"].features[]`.

mod facts;
pub mod fields;
pub mod record;
mod schema;

use indexmap::{Equivalent, IndexMap};

use base::secrets::{Certainty, MASK, Secrets, certainty};

use super::distinct::{self, Distinct};
use crate::findings::cut;
use record::Record;

pub use facts::step;

/// Maximum number of distinct paths that are listed, and maximum size of all of them, in bytes.
pub const MAX_PATHS: usize = 100_000;
const MAX_PATH_BYTES: usize = 32 << 20;
/// Keys below this depth are counted but not listed.
pub const MAX_LISTED_DEPTH: usize = 64;
/// Longest name that is kept, in bytes.
const MAX_NAME: usize = 1024;
/// Longest sample value, in characters.
const SAMPLE: usize = 50;
/// Keys whose value names something, and keys whose value belongs to that name:
/// `{name: DB_PASSWORD, value: …}`.
const NAMES: &[&str] =
    &["name", "key", "setting", "variable", "option", "parameter", "parametername", "parameterkey"];
const VALUES: &[&str] = &["value", "val", "default_value", "defaultvalue", "parametervalue"];
/// Number of keys of an object that are searched for a value.
const MEMBERS: usize = 32;
/// Maximum number of different texts at one path that are counted, and their longest, in bytes.
const COUNTED: usize = 8;
const COUNTED_TEXT: usize = 40;
/// Maximum number of repeated keys that are listed.
const LISTED_DUPLICATES: usize = 1000;

/// The kind of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A mapping, object or table.
    Object,
    /// A sequence or array.
    Array,
    /// Text.
    String,
    /// A number of any kind.
    Number,
    /// True or false.
    Boolean,
    /// Nothing.
    Null,
    /// A date, a time or both (TOML).
    Datetime,
    /// A reference to an anchored value (YAML).
    Alias,
}

/// All kinds, in the order in which counts are kept.
const KINDS: [Kind; 8] = [
    Kind::Object,
    Kind::Array,
    Kind::String,
    Kind::Number,
    Kind::Boolean,
    Kind::Null,
    Kind::Datetime,
    Kind::Alias,
];

impl Kind {
    /// The word for the kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Array => "array",
            Self::String => "string",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Null => "null",
            Self::Datetime => "datetime",
            Self::Alias => "alias",
        }
    }
}

/// One path.
#[derive(Debug)]
struct Node {
    parent: Option<u32>,
    line: u64,
    counts: [u32; KINDS.len()],
    first: Option<Kind>,
    sample: Option<Box<str>>,
    /// How often each text stands here, in order of appearance; `None` if there are too many, or if one is long
    /// or a secret.
    texts: Option<Vec<(Box<str>, u32)>>,
    /// Nodes of its keys in order of appearance, and the node of its items.
    keys: Vec<u32>,
    items: Option<u32>,
    /// Number of its distinct keys that are not listed.
    more: u64,
    /// Minimum and maximum length of the arrays here.
    lengths: Option<(u64, u64)>,
    path_bytes: usize,
    /// Whether objects here are Kubernetes secrets or lists of them: then everything in their data
    /// is a secret.
    is_secret: bool,
    /// The last object with this key: it distinguishes a repeated key from a key in another object.
    seen_in: u64,
    /// The last object here that names a secret, and the object that the sample is from.
    names_in: u64,
    sample_in: u64,
}

/// The position of a node: below a node, under a name or, without a name, as its items.
type Place = (u32, Option<Box<str>>);

#[derive(Hash)]
struct Lookup<'a>(u32, Option<&'a str>);

impl Equivalent<Place> for Lookup<'_> {
    fn equivalent(&self, place: &Place) -> bool {
        self.0 == place.0 && self.1 == place.1.as_deref()
    }
}

/// The place of a value.
#[derive(Debug, Clone, Copy)]
enum Spot {
    /// At the path of a node.
    Listed(u32),
    /// At a path that is not listed; the number identifies it.
    Unlisted(u64),
}

/// An object or array that is open.
#[derive(Debug)]
struct Frame {
    spot: Spot,
    array: bool,
    items: u64,
    serial: u64,
}

/// Exact counts over the whole document, listed or not.
#[derive(Debug, Default, Clone)]
pub struct Totals {
    /// Number of distinct keys in each object, summed over all objects.
    pub keys: u64,
    /// Number of items in all arrays.
    pub array_elements: u64,
    /// Number of values of each kind.
    pub kinds: [u64; KINDS.len()],
    /// Depth of the deepest value; a root that is not a container has depth 0.
    pub max_depth: usize,
    /// Number of keys that repeat a key of the same object.
    pub duplicates: u64,
}

/// The structure of a document.
#[derive(Debug)]
pub struct Tree {
    nodes: IndexMap<Place, Node>,
    frames: Vec<Frame>,
    pending: Option<Spot>,
    serial: u64,
    path_bytes: usize,
    /// Counts.
    pub totals: Totals,
    /// False if paths were left out of the list.
    pub complete: bool,
    /// Paths of keys that were left out.
    unlisted: Distinct,
    duplicates: Vec<(u32, u64)>,
    secrets: Secrets,
    /// The beginning of the document, value by value.
    pub record: Record,
}

impl Tree {
    /// An empty document; `secrets` says whether its samples show secrets.
    pub fn new(secrets: Secrets) -> Self {
        let mut nodes = IndexMap::new();
        nodes.insert((u32::MAX, None), Node::new(None, 1, 0));
        Self {
            nodes,
            frames: Vec::new(),
            pending: None,
            serial: 0,
            path_bytes: 0,
            totals: Totals::default(),
            complete: true,
            unlisted: Distinct::default(),
            duplicates: Vec::new(),
            secrets,
            record: Record::default(),
        }
    }
}

impl Node {
    const fn new(parent: Option<u32>, line: u64, path_bytes: usize) -> Self {
        Self {
            parent,
            line,
            counts: [0; KINDS.len()],
            first: None,
            sample: None,
            texts: Some(Vec::new()),
            keys: Vec::new(),
            items: None,
            more: 0,
            lengths: None,
            path_bytes,
            is_secret: false,
            seen_in: 0,
            names_in: 0,
            sample_in: 0,
        }
    }

    /// Counts a text that stands here.
    fn count(&mut self, text: &str, is_secret: bool) {
        let Some(texts) = &mut self.texts else { return };
        if let Some((_, count)) = texts.iter_mut().find(|(known, _)| **known == *text) {
            *count = count.saturating_add(1);
        } else if texts.len() < COUNTED && text.len() <= COUNTED_TEXT && !is_secret {
            texts.push((text.into(), 1));
        } else {
            self.texts = None;
        }
    }

    /// How often each text stands here, if they are fewer than their places: `"error" 7, "event" 4`.
    fn counted(&self) -> Option<String> {
        let texts = self.texts.as_ref()?;
        let places: u64 = texts.iter().map(|(_, count)| u64::from(*count)).sum();
        if texts.len() < 2 || places < 2 * texts.len() as u64 {
            return None;
        }
        let told = texts.iter().map(|(text, count)| format!("\"{text}\" {count}"));
        Some(told.collect::<Vec<_>>().join(", "))
    }

    /// Its kinds in a fixed order.
    fn kinds(&self) -> impl Iterator<Item = Kind> {
        KINDS.iter().zip(self.counts).filter(|(_, count)| *count > 0).map(|(kind, _)| *kind)
    }

    fn words(&self) -> Vec<&'static str> {
        self.kinds().map(Kind::as_str).collect()
    }
}

impl Tree {
    /// Number of open objects and arrays.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// True if the next value belongs to an object.
    pub fn in_object(&self) -> bool {
        self.frames.last().is_some_and(|frame| !frame.array)
    }

    /// Adds a key; its value follows.
    pub fn key(&mut self, name: &str, line: u64) {
        self.record.key(name, line);
        let Some(frame) = self.frames.last() else { return };
        let (above, serial) = (frame.spot, frame.serial);
        let spot = self.child(above, Some(name), line);
        self.pending = Some(spot);
        let node = self.at(spot);
        let repeated =
            node.is_some_and(|node| std::mem::replace(&mut node.seen_in, serial) == serial);
        if repeated {
            self.totals.duplicates += 1;
            if let Spot::Listed(id) = spot
                && self.duplicates.len() < LISTED_DUPLICATES
            {
                self.duplicates.push((id, line));
            }
        } else {
            self.totals.keys += 1;
        }
    }

    /// Adds a value that is not a container. `sample` is called only if it is needed.
    pub fn scalar(&mut self, kind: Kind, line: u64, sample: impl FnOnce() -> String) {
        let spot = self.value(kind, line);
        let no_text = matches!(kind, Kind::Null | Kind::Alias);
        let listed = if let Spot::Listed(id) = spot { Some(id) } else { None };
        let wanted = listed.and_then(|id| self.node(id)).is_some_and(|node| node.sample.is_none());
        let is_kind = listed.is_some_and(|id| self.name(id) == Some("kind"));
        let is_name = listed.is_some_and(|id| self.is_one_of(NAMES, id));
        // The value that belongs to a name may be a secret, which only a name after it may tell.
        let is_counted = kind == Kind::String
            && listed.is_some_and(|id| !self.is_one_of(VALUES, id))
            && listed.and_then(|id| self.node(id)).is_some_and(|node| node.texts.is_some());
        let is_read = wanted || is_kind || is_name || is_counted || !self.record.is_full();
        let text = if is_read && !no_text { sample() } else { String::new() };
        self.record.scalar(kind, line, &text);
        let Some(id) = listed else { return };
        if is_kind
            && matches!(text.as_str(), "Secret" | "SecretList")
            && let Some(above) = self.node(id).and_then(|node| node.parent)
            && let Some(node) = self.node_mut(above)
        {
            node.is_secret = true;
        }
        let serial = self.frames.last().map_or(0, |frame| frame.serial);
        if is_name && self.secrets == Secrets::Masked && certainty(&text) >= Certainty::Certain {
            self.names_secret(id, serial);
        }
        if is_counted {
            let is_secret = self.secrets.below(self.names_above(id), &text) != text;
            if let Some(node) = self.node_mut(id) {
                node.count(&text, is_secret);
            }
        }
        if wanted && !no_text {
            let text = match kind {
                Kind::Boolean => text,
                _ if self.is_value_of_secret(id, serial) => MASK.to_owned(),
                _ => self.secrets.below(self.names_above(id), &text).into_owned(),
            };
            if let Some(node) = self.node_mut(id) {
                node.sample = Some(cut(&text, SAMPLE).into());
                node.sample_in = serial;
            }
        }
    }

    /// Notes that an object names a secret, and masks its value if that came before the name.
    fn names_secret(&mut self, id: u32, serial: u64) {
        let Some(above) = self.node(id).and_then(|node| node.parent) else { return };
        let Some(object) = self.node_mut(above) else { return };
        object.names_in = serial;
        let values: Vec<u32> = object.keys.iter().copied().take(MEMBERS).collect();
        for value in values {
            if self.is_one_of(VALUES, value)
                && let Some(node) = self.node_mut(value)
                && node.sample_in == serial
                && node.sample.is_some()
            {
                node.sample = Some(MASK.into());
            }
        }
    }

    /// Whether a node is the value of an object whose name is a secret's: of the object with this serial number.
    fn is_value_of_secret(&self, id: u32, serial: u64) -> bool {
        let above = self.node(id).and_then(|node| node.parent);
        let named = above.and_then(|above| self.node(above)).map_or(0, |node| node.names_in);
        named == serial && serial > 0 && self.is_one_of(VALUES, id)
    }

    /// Whether a node has one of these names, which are in small letters.
    fn is_one_of(&self, names: &[&str], id: u32) -> bool {
        self.name(id).is_some_and(|name| names.iter().any(|one| one.eq_ignore_ascii_case(name)))
    }

    /// The first value at a node, as it may be shown. Its surroundings are examined only now,
    /// because the last key of an object may tell that it is a secret.
    fn sample(&self, id: u32) -> Option<&str> {
        let node = self.node(id)?;
        let sample = node.sample.as_deref()?;
        if self.secrets == Secrets::Shown {
            return Some(sample);
        }
        // The walk is bounded, because listed nodes have a maximum depth.
        let above = |id: u32| std::iter::successors(Some(id), move |id| self.node(*id)?.parent);
        // The items of a list of secrets may lack a kind of their own.
        let is_secret = |id: u32| self.node(id).is_some_and(|node| node.is_secret);
        let in_secret = |id: u32| {
            matches!(self.name(id), Some("data" | "stringData")) && above(id).skip(1).any(is_secret)
        };
        // The annotation of the last applied configuration contains the whole object again.
        let is_copy =
            self.name(id).is_some_and(|name| name.ends_with("/last-applied-configuration"));
        let is_hidden = is_copy || above(id).any(in_secret);
        Some(if is_hidden { MASK } else { sample })
    }

    /// The keys above a node, its own first; listed nodes have a maximum depth.
    fn names_above(&self, id: u32) -> impl Iterator<Item = &str> {
        let place = |id: u32| self.nodes.get_index(id as usize).map(|(place, _)| place);
        std::iter::successors(place(id), move |(parent, _)| place(*parent))
            .filter_map(|(_, name)| name.as_deref())
    }

    /// Begins an object or array.
    pub fn open(&mut self, kind: Kind, line: u64) {
        let spot = self.value(kind, line);
        self.record.open(kind, line);
        self.serial += 1;
        self.frames.push(Frame { spot, array: kind == Kind::Array, items: 0, serial: self.serial });
    }

    /// Ends the innermost object or array.
    pub fn close(&mut self) {
        self.record.close();
        let Some(frame) = self.frames.pop() else { return };
        if let Some(node) = self.at(frame.spot)
            && frame.array
        {
            let (fewest, most) = node.lengths.unwrap_or((u64::MAX, 0));
            node.lengths = Some((fewest.min(frame.items), most.max(frame.items)));
        }
    }

    /// Ends all open containers, as at the end of a document.
    pub fn close_all(&mut self) {
        while !self.frames.is_empty() {
            self.close();
        }
        self.pending = None;
    }

    /// Begins a value: counts it and returns its place.
    fn value(&mut self, kind: Kind, line: u64) -> Spot {
        self.totals.max_depth = self.totals.max_depth.max(self.frames.len());
        self.totals.kinds[kind as usize] += 1;
        let spot = match self.frames.last_mut() {
            None => Spot::Listed(0),
            Some(frame) if frame.array => {
                frame.items += 1;
                let above = frame.spot;
                self.totals.array_elements += 1;
                self.child(above, None, line)
            }
            // A value without a key has no place.
            Some(_) => self.pending.take().unwrap_or(Spot::Unlisted(0)),
        };
        if let Some(node) = self.at(spot) {
            node.first.get_or_insert(kind);
            let count = &mut node.counts[kind as usize];
            *count = count.saturating_add(1);
        }
        spot
    }

    /// The place below another one: a node, which is created if it is new and may be listed.
    fn child(&mut self, above: Spot, name: Option<&str>, line: u64) -> Spot {
        let name = name.map(|name| name.get(..name.floor_char_boundary(MAX_NAME)).unwrap_or(name));
        let listed = match above {
            Spot::Listed(parent) => self.listed(parent, name, line),
            Spot::Unlisted(_) => None,
        };
        listed.map_or_else(|| self.unlisted(above, name), Spot::Listed)
    }

    /// A place that is not listed; the path of a key is counted.
    fn unlisted(&mut self, above: Spot, name: Option<&str>) -> Spot {
        self.complete = false;
        let (listed, number) = match above {
            Spot::Listed(id) => (true, u64::from(id)),
            Spot::Unlisted(number) => (false, number),
        };
        let digest = distinct::digest((listed, number, name));
        if name.is_some()
            && self.unlisted.add(digest)
            && let Some(node) = self.at(above)
        {
            node.more += 1;
        }
        Spot::Unlisted(digest)
    }

    /// The node below another one, created if it is new and may be listed.
    fn listed(&mut self, parent: u32, name: Option<&str>, line: u64) -> Option<u32> {
        if let Some(index) = self.nodes.get_index_of(&Lookup(parent, name)) {
            return u32::try_from(index).ok();
        }
        let above = self.nodes.get_index(parent as usize)?.1.path_bytes;
        let bytes = above + name.map_or(2, |name| name.len() + 1);
        if self.nodes.len() >= MAX_PATHS
            || self.path_bytes + bytes > MAX_PATH_BYTES
            || self.frames.len() > MAX_LISTED_DEPTH
        {
            return None;
        }
        self.path_bytes += bytes;
        let id = u32::try_from(self.nodes.len()).ok()?;
        self.nodes.insert((parent, name.map(Into::into)), Node::new(Some(parent), line, bytes));
        let above = self.node_mut(parent)?;
        match name {
            Some(_) => above.keys.push(id),
            None => above.items = Some(id),
        }
        Some(id)
    }

    /// The node at a place, if it is listed.
    fn at(&mut self, spot: Spot) -> Option<&mut Node> {
        match spot {
            Spot::Listed(id) => self.node_mut(id),
            Spot::Unlisted(_) => None,
        }
    }

    fn node_mut(&mut self, id: u32) -> Option<&mut Node> {
        self.nodes.get_index_mut(id as usize).map(|(_, node)| node)
    }

    fn node(&self, id: u32) -> Option<&Node> {
        self.nodes.get_index(id as usize).map(|(_, node)| node)
    }

    fn name(&self, id: u32) -> Option<&str> {
        self.nodes.get_index(id as usize).and_then(|(place, _)| place.1.as_deref())
    }

    /// The kind of the root; `None` for an empty document.
    pub fn root(&self) -> Option<Kind> {
        self.node(0).and_then(|node| node.first)
    }
}
