//! The document tree as the HTML standard builds it, with the data that the explorer needs: names,
//! a few attributes, texts and lines. Nodes are indices into a list, so nothing recurses.

use std::{borrow::Cow, cell::Cell, cell::RefCell, rc::Rc};

use base::secrets::Secrets;
use html5ever::{
    Attribute, ExpandedName, LocalName, QualName,
    interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink},
    ns,
    tendril::StrTendril,
};

use crate::masked::near;

/// Attributes that are kept, and longest value in characters.
const ATTRIBUTES: &[&str] = &[
    "action",
    "alt",
    "charset",
    "content",
    "href",
    "http-equiv",
    "lang",
    "method",
    "name",
    "property",
    "rel",
    "src",
    "type",
];
pub const VALUE: usize = 1000;
/// Longest text of one node, in bytes.
const TEXT: usize = 4096;

/// The first characters of a text. A longer text is masked before it is cut, because a piece of a
/// secret would not be recognised.
pub fn bounded(secrets: Secrets, text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    secrets.code(near(text, limit)).chars().take(limit).collect()
}

/// One node.
pub struct Node {
    /// The element's name in HTML's namespace; `None` for texts and for elements of other
    /// namespaces.
    pub name: Option<LocalName>,
    /// True for an element of any namespace.
    pub element: bool,
    /// Kept attributes in source order.
    pub attributes: Vec<(&'static str, String)>,
    /// The text of a text node.
    pub text: String,
    /// Children in order.
    pub children: Vec<u32>,
    /// 1-based line on which its tag ends.
    pub line: u64,
    parent: Option<u32>,
    depth: usize,
}

/// A node as the tree builder holds it.
#[derive(Clone)]
pub struct Handle(Rc<Held>);

struct Held {
    index: u32,
    name: Option<QualName>,
}

/// The tree that is being built.
pub struct Builder {
    nodes: RefCell<Vec<Node>>,
    line: Cell<u64>,
    /// Number of open elements.
    pub depth: Cell<usize>,
    document: Handle,
    secrets: Secrets,
}

impl Builder {
    /// A tree with nothing but the document node.
    pub fn new(secrets: Secrets) -> Self {
        let document = Handle(Rc::new(Held { index: 0, name: None }));
        let nodes = RefCell::new(vec![Node::new(1)]);
        Self { nodes, line: Cell::new(1), depth: Cell::new(0), document, secrets }
    }

    /// Number of nodes so far.
    pub fn count(&self) -> usize {
        self.nodes.borrow().len()
    }

    fn add(&self, node: Node, name: Option<QualName>) -> Handle {
        let mut nodes = self.nodes.borrow_mut();
        let index = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
        nodes.push(node);
        Handle(Rc::new(Held { index, name }))
    }

    /// Adds a node or a text to the children of a parent, before the child at position `at`.
    fn insert(&self, parent: u32, at: Option<usize>, child: NodeOrText<Handle>) {
        let mut nodes = self.nodes.borrow_mut();
        let depth = nodes.get(parent as usize).map_or(0, |parent| parent.depth + 1);
        let index = match child {
            NodeOrText::AppendNode(child) => {
                let index = child.0.index;
                detach(&mut nodes, index);
                index
            }
            NodeOrText::AppendText(text) => {
                let before = nodes.get(parent as usize).and_then(|parent| {
                    let at = at.unwrap_or(parent.children.len());
                    parent.children.get(at.checked_sub(1)?).copied()
                });
                let before = before.and_then(|before| nodes.get_mut(before as usize));
                if let Some(before) = before.filter(|before| before.is_text()) {
                    before.push(&text);
                    return;
                }
                let mut node = Node::new(self.line.get());
                node.push(&text);
                nodes.push(node);
                u32::try_from(nodes.len() - 1).unwrap_or(u32::MAX)
            }
        };
        if let Some(node) = nodes.get_mut(index as usize) {
            node.parent = Some(parent);
            node.depth = depth;
            if node.element {
                self.depth.set(depth);
            }
        }
        if let Some(parent) = nodes.get_mut(parent as usize) {
            let at = at.unwrap_or(parent.children.len()).min(parent.children.len());
            parent.children.insert(at, index);
        }
    }

    fn parent(&self, index: u32) -> Option<u32> {
        self.nodes.borrow().get(index as usize).and_then(|node| node.parent)
    }
}

impl Node {
    const fn new(line: u64) -> Self {
        Self {
            name: None,
            element: false,
            attributes: Vec::new(),
            text: String::new(),
            children: Vec::new(),
            line,
            parent: None,
            depth: 0,
        }
    }

    fn is_text(&self) -> bool {
        !self.element && self.parent.is_some()
    }

    fn push(&mut self, text: &str) {
        let room = TEXT.saturating_sub(self.text.len());
        let text = text.get(..text.floor_char_boundary(room)).unwrap_or_default();
        self.text.push_str(text);
    }

    fn keep(&mut self, attributes: &[Attribute], secrets: Secrets) {
        for attribute in attributes {
            let known = ATTRIBUTES.iter().find(|name| **name == &*attribute.name.local);
            if let Some(name) = known.filter(|name| self.attribute(name).is_none())
                && attribute.name.ns == ns!()
            {
                self.attributes.push((name, bounded(secrets, &attribute.value, VALUE)));
            }
        }
    }

    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }
}

/// Removes a node from its parent.
fn detach(nodes: &mut [Node], index: u32) {
    let parent = nodes.get_mut(index as usize).and_then(|node| node.parent.take());
    if let Some(parent) = parent.and_then(|parent| nodes.get_mut(parent as usize))
        && let Some(at) = parent.children.iter().rposition(|child| *child == index)
    {
        parent.children.remove(at);
    }
}

impl TreeSink for Builder {
    type Handle = Handle;
    type Output = Vec<Node>;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Vec<Node> {
        self.nodes.into_inner()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        self.document.clone()
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        // The tree builder asks only for the names of elements.
        static NONE: std::sync::LazyLock<QualName> =
            std::sync::LazyLock::new(|| QualName::new(None, ns!(), LocalName::from("")));
        target.0.name.as_ref().unwrap_or(&NONE).expanded()
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _: ElementFlags) -> Handle {
        let mut node = Node::new(self.line.get());
        node.element = true;
        node.name = (name.ns == ns!(html)).then(|| name.local.clone());
        node.keep(&attrs, self.secrets);
        self.add(node, Some(name))
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        self.add(Node::new(self.line.get()), None)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        self.add(Node::new(self.line.get()), None)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        // Comments are left out, because they would split texts.
        let comment = matches!(&child, NodeOrText::AppendNode(node) if node.0.name.is_none());
        if !comment {
            self.insert(parent.0.index, None, child);
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        previous: &Handle,
        child: NodeOrText<Handle>,
    ) {
        if self.parent(element.0.index).is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn pop(&self, node: &Handle) {
        let nodes = self.nodes.borrow();
        let depth = nodes.get(node.0.index as usize).map_or(0, |node| node.depth);
        self.depth.set(depth.saturating_sub(1));
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        target.clone()
    }

    fn same_node(&self, one: &Handle, other: &Handle) -> bool {
        one.0.index == other.0.index
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let Some(parent) = self.parent(sibling.0.index) else { return };
        if let NodeOrText::AppendNode(node) = &child {
            detach(&mut self.nodes.borrow_mut(), node.0.index);
        }
        let at =
            self.nodes.borrow().get(parent as usize).and_then(|parent| {
                parent.children.iter().rposition(|child| *child == sibling.0.index)
            });
        self.insert(parent, at, child);
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        if let Some(node) = self.nodes.borrow_mut().get_mut(target.0.index as usize) {
            node.keep(&attrs, self.secrets);
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        detach(&mut self.nodes.borrow_mut(), target.0.index);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let mut nodes = self.nodes.borrow_mut();
        let moved =
            nodes.get_mut(node.0.index as usize).map(|node| std::mem::take(&mut node.children));
        let moved = moved.unwrap_or_default();
        let depth = nodes.get(new_parent.0.index as usize).map_or(0, |node| node.depth + 1);
        for child in &moved {
            if let Some(child) = nodes.get_mut(*child as usize) {
                child.parent = Some(new_parent.0.index);
                child.depth = depth;
            }
        }
        if let Some(parent) = nodes.get_mut(new_parent.0.index as usize) {
            parent.children.extend(moved);
        }
    }

    fn set_current_line(&self, line: u64) {
        self.line.set(line);
    }
}
