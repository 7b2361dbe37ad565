//! Elements by name and by path.

use base::secrets::Secrets;

use super::fields::{Attribute, Element, Place};
use crate::{
    disclosure::{List, Marker, Summary},
    findings::{cut, grouped},
    formats::shared::distinct::{self, Distinct},
    selector::escaped,
};
use indexmap::IndexMap;

/// Maximum number of element names, and of attributes of one element, that are listed; further ones
/// are counted.
const LISTED_NAMES: usize = 20_000;
const LISTED_ATTRIBUTES: usize = 1000;
/// Maximum number of paths in the hierarchy, and its deepest level (the root has level 0).
const LISTED_PATHS: usize = 20_000;
const LISTED_DEPTH: usize = 8;
/// Longest name that is kept, in bytes, and longest sample, in characters.
const NAME: usize = 500;
const SAMPLE: usize = 50;
/// Limits of the summary: levels, children of one element, attributes and lines.
const SHOWN_DEPTH: usize = 5;
const SHOWN_CHILDREN: usize = 10;
const SHOWN_ATTRIBUTES: usize = 3;
const SHOWN_LINES: usize = 400;

/// All elements with one name.
struct Named {
    count: u64,
    line: u64,
    attributes: IndexMap<Box<str>, u64>,
    /// Number of distinct attributes that are not listed.
    more: u64,
}

/// All elements at one path.
struct Node {
    name: usize,
    parent: Option<usize>,
    count: u64,
    /// The line of the first one.
    line: u64,
    sample: Option<String>,
    children: Vec<usize>,
    /// Number of distinct children that are not listed.
    more: u64,
}

/// The place of an open element.
#[derive(Clone, Copy)]
enum Spot {
    /// At the path of a node.
    Listed(usize),
    /// At a path that is not listed; the number identifies it.
    Unlisted(u64),
}

/// The next step in writing the hierarchy, with its level: marker lines wait on the stack until the
/// children before them are written.
enum Next {
    Element(usize, usize),
    Rest(usize, usize),
}

/// The elements of a document.
#[derive(Default)]
pub struct Elements {
    /// Number of elements, number of attributes without namespace declarations, and level of the
    /// deepest element.
    pub total: u64,
    pub attributes: u64,
    pub max_depth: usize,
    /// False if names or attributes were left out of the list.
    pub complete: bool,
    /// Whether samples show secrets.
    pub secrets: Secrets,
    names: IndexMap<Box<str>, Named>,
    nodes: Vec<Node>,
    paths: IndexMap<(Option<usize>, usize), usize>,
    /// Things that are not listed: names, attributes of one element, and paths.
    more_names: Distinct,
    more_attributes: Distinct,
    more_paths: Distinct,
    /// For each open element its name, if that is listed, and its place.
    open: Vec<(Option<usize>, Spot)>,
}

impl Elements {
    /// Number of open elements.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Begins an element.
    pub fn open(&mut self, name: &str, line: u64) {
        if self.total == 0 {
            self.complete = true;
        }
        self.total += 1;
        let depth = self.open.len();
        self.max_depth = self.max_depth.max(depth);
        let named = self.named(name, line);
        let above = self.open.last().map(|(_, spot)| *spot);
        let node = match (named, above) {
            (Some(name), None) => self.node(None, name, line),
            (Some(name), Some(Spot::Listed(parent))) if depth <= LISTED_DEPTH => {
                self.node(Some(parent), name, line)
            }
            _ => None,
        };
        let spot = node.map_or_else(|| self.unlisted(above, name), Spot::Listed);
        self.open.push((named, spot));
    }

    /// The place for a path that is not listed; the path is counted.
    fn unlisted(&mut self, above: Option<Spot>, name: &str) -> Spot {
        let (kind, number) = match above {
            None => (0, 0),
            Some(Spot::Listed(index)) => (1, index as u64),
            Some(Spot::Unlisted(number)) => (2, number),
        };
        let digest = distinct::digest((kind, number, name));
        if self.more_paths.add(digest)
            && let Some(Spot::Listed(parent)) = above
            && let Some(parent) = self.nodes.get_mut(parent)
        {
            parent.more += 1;
        }
        Spot::Unlisted(digest)
    }

    fn named(&mut self, name: &str, line: u64) -> Option<usize> {
        let name = name.get(..name.floor_char_boundary(NAME)).unwrap_or(name);
        if let Some((index, _, named)) = self.names.get_full_mut(name) {
            named.count += 1;
            return Some(index);
        }
        if self.names.len() >= LISTED_NAMES {
            self.complete = false;
            self.more_names.add(name);
            return None;
        }
        let named = Named { count: 1, line, attributes: IndexMap::new(), more: 0 };
        Some(self.names.insert_full(name.into(), named).0)
    }

    fn node(&mut self, parent: Option<usize>, name: usize, line: u64) -> Option<usize> {
        if let Some(index) = self.paths.get(&(parent, name)).copied() {
            self.nodes.get_mut(index)?.count += 1;
            return Some(index);
        }
        if self.nodes.len() >= LISTED_PATHS {
            return None;
        }
        let index = self.nodes.len();
        self.nodes.push(Node {
            name,
            parent,
            count: 1,
            line,
            sample: None,
            children: Vec::new(),
            more: 0,
        });
        self.paths.insert((parent, name), index);
        if let Some(parent) = parent.and_then(|parent| self.nodes.get_mut(parent)) {
            parent.children.push(index);
        }
        Some(index)
    }

    /// Adds an attribute to the innermost element.
    pub fn attribute(&mut self, name: &str) {
        self.attributes += 1;
        let Some(owner) = self.open.last().and_then(|(name, _)| *name) else { return };
        let Some((_, named)) = self.names.get_index_mut(owner) else { return };
        let name = name.get(..name.floor_char_boundary(NAME)).unwrap_or(name);
        if let Some(count) = named.attributes.get_mut(name) {
            *count += 1;
        } else if named.attributes.len() < LISTED_ATTRIBUTES {
            named.attributes.insert(name.into(), 1);
        } else {
            self.complete = false;
            named.more += u64::from(self.more_attributes.add((owner, name)));
        }
    }

    /// Adds text to the innermost element.
    pub fn text(&mut self, text: &str) {
        let Some((_, Spot::Listed(index))) = self.open.last().copied() else { return };
        if self.nodes.get(index).is_none_or(|node| node.sample.is_some()) {
            return;
        }
        let mut words = text.split_whitespace();
        if let Some(first) = words.next() {
            let mut sample = first.to_owned();
            for word in words {
                if sample.len() > SAMPLE * 4 {
                    break;
                }
                sample.push(' ');
                sample.push_str(word);
            }
            let masked = cut(&self.secrets.below(self.names_above(index), &sample), SAMPLE);
            if let Some(node) = self.nodes.get_mut(index) {
                node.sample = Some(masked);
            }
        }
    }

    /// The names of a node and of its ancestors, its own first; listed nodes have a maximum depth.
    fn names_above(&self, index: usize) -> impl Iterator<Item = &str> {
        std::iter::successors(self.nodes.get(index), |node| self.nodes.get(node.parent?))
            .map(|node| self.name(node.name))
    }

    /// Ends the innermost element.
    pub fn close(&mut self) {
        self.open.pop();
    }

    /// The name of the innermost open element.
    pub fn innermost(&self) -> Option<&str> {
        let (name, _) = self.open.last()?;
        Some(name.map_or("of an unlisted name", |name| self.name(name)))
    }

    fn name(&self, index: usize) -> &str {
        self.names.get_index(index).map_or("", |(name, _)| name)
    }

    /// The first element's name.
    pub fn root(&self) -> Option<&str> {
        self.names.first().map(|(name, _)| name.as_ref())
    }

    /// Number of distinct names, listed or not.
    pub fn name_count(&self) -> u64 {
        self.names.len() as u64 + self.more_names.count()
    }

    /// Records in a summary which lists are incomplete.
    pub fn limits(&self, summary: &mut Summary) {
        let at_least = self.more_names.at_least();
        for list in ["/fields/elements", "/fields/unique_elements"] {
            summary.capped(list, self.names.len(), self.name_count(), at_least);
        }
        for (index, named) in self.names.values().enumerate().filter(|(_, one)| one.more > 0) {
            let (listed, at_least) = (named.attributes.len(), self.more_attributes.at_least());
            let list = format!("/fields/elements/{index}/attributes");
            summary.capped(&list, listed, listed as u64 + named.more, at_least);
        }
        let (listed, at_least) = (self.nodes.len(), self.more_paths.at_least());
        let all = listed as u64 + self.more_paths.count();
        summary.capped("/fields/hierarchy", listed, all, at_least);
        if listed as u64 == all {
            return;
        }
        for (path, node) in self.written_paths().iter().zip(&self.nodes) {
            if node.more > 0 {
                let listed = node.children.len();
                summary.capped(&below(path), listed, listed as u64 + node.more, at_least);
            }
        }
    }

    /// All names in order of appearance.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(AsRef::as_ref)
    }

    /// All names with counts and attributes.
    pub fn listed(&self) -> Vec<Element> {
        self.names
            .iter()
            .map(|(name, named)| Element {
                name: name.to_string(),
                count: named.count,
                line: named.line,
                attributes: named
                    .attributes
                    .iter()
                    .map(|(name, count)| Attribute { name: name.to_string(), count: *count })
                    .collect(),
            })
            .collect()
    }

    /// All listed paths.
    pub fn hierarchy(&self) -> Vec<Place> {
        let paths = self.written_paths();
        let path = |index: usize| paths.get(index).cloned().unwrap_or_default();
        let place = |(index, node): (usize, &Node)| Place {
            path: path(index),
            parent: node.parent.map(path).filter(|parent| !parent.is_empty()),
            count: node.count,
            sample: node.sample.clone(),
        };
        self.nodes.iter().enumerate().map(place).collect()
    }

    fn written_paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let above = node.parent.and_then(|parent| paths.get(parent)).cloned();
            paths.push(format!("{}/{}", above.unwrap_or_default(), self.name(node.name)));
        }
        paths
    }

    /// Writes the hierarchy.
    pub fn write(&self, summary: &mut Summary) {
        let paths = self.written_paths();
        let mut left = SHOWN_LINES;
        let mut stack = vec![];
        let roots = self.nodes.iter().enumerate().filter(|(_, node)| node.parent.is_none());
        stack.extend(roots.map(|(index, _)| Next::Element(index, 0)));
        stack.reverse();
        while let Some(next) = stack.pop() {
            let (index, depth, rest) = match next {
                Next::Element(index, depth) => (index, depth, false),
                Next::Rest(index, depth) => (index, depth, true),
            };
            let Some(node) = self.nodes.get(index) else { continue };
            let indent = "  ".repeat(depth + 1);
            let open = depth + 1 >= SHOWN_DEPTH || left <= 1;
            let source = below(paths.get(index).map(String::as_str).unwrap_or_default());
            let list = List {
                section: "Element hierarchy",
                source: &source,
                cap: if rest { SHOWN_CHILDREN } else { 0 },
                marker: Marker::CountedNoun("element types"),
            };
            if rest {
                summary.mark(&list, &indent, node.children.len());
                continue;
            }
            left = left.saturating_sub(1);
            let attributes = self.attribute_names(summary, node.name);
            let mut line = format!("{indent}{}{attributes}", self.name(node.name));
            if let Some(sample) = &node.sample {
                line.push_str(": ");
                line.push_str(sample);
            }
            if node.count > 1 {
                line.extend([" (x", &grouped(node.count), ")"]);
            }
            if !summary.profile().is_parity() {
                line.extend([" [", &grouped(node.line), "]"]);
            }
            if open && !node.children.is_empty() {
                let children: u64 = node
                    .children
                    .iter()
                    .filter_map(|child| self.nodes.get(*child))
                    .map(|child| child.count)
                    .sum();
                line.extend([" (", &grouped(children), " child elements)"]);
                summary.line(&line);
                summary.mark(&list, &format!("{indent}  "), node.children.len());
                continue;
            }
            summary.line(&line);
            stack.push(Next::Rest(index, depth + 1));
            let children = node.children.iter().take(SHOWN_CHILDREN).rev();
            stack.extend(children.map(|child| Next::Element(*child, depth + 1)));
        }
    }

    fn attribute_names(&self, summary: &mut Summary, name: usize) -> String {
        let Some((_, named)) =
            self.names.get_index(name).filter(|(_, named)| !named.attributes.is_empty())
        else {
            return String::new();
        };
        let source = format!("/fields/elements/{name}/attributes");
        let list = List {
            section: "Attributes",
            source: &source,
            cap: SHOWN_ATTRIBUTES,
            marker: Marker::Comma,
        };
        let names: Vec<String> = named.attributes.keys().map(|name| cut(name, SAMPLE)).collect();
        format!(" [{}]", summary.inline(&list, &names))
    }
}

/// The selector of the paths below a path.
fn below(path: &str) -> String {
    format!("/fields/hierarchy?parent={}", escaped(path))
}
