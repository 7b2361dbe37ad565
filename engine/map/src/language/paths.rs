//! Tag queries that can be answered by a plain walk of the tree.
//!
//! Most patterns of tag queries are paths: a node, below it a child, and so on, with a capture on
//! the last node. A node on the way may need one more child in a field. Whether such a pattern
//! matches at a node depends only on the node, its ancestors and their children, so one walk finds
//! all matches, in a fraction of the query engine's time.
//! [`Paths::of`] reads a query and returns its paths, or `None` if any of its patterns is more than
//! a path.

use std::collections::BTreeMap;

use tree_sitter::Language;

/// The paths of a query by the kind of their last node.
#[derive(Debug, Default)]
pub struct Paths {
    /// Names of its captures in the order in which they first occur, which is how the query engine
    /// numbers them.
    pub captures: Vec<String>,
    /// Number of its patterns.
    pub patterns: usize,
    by_kind: BTreeMap<u16, Vec<Path>>,
    /// For each kind of node, what a walk has to know about it.
    pub kinds: Vec<Needed>,
}

/// What has to be known about nodes of a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Needed {
    /// Some path ends here.
    pub is_last: bool,
    /// Some path depends on the field of the parent that such a node is in.
    pub field: bool,
}

/// A pattern, or one alternative of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// The index of its pattern in the query.
    pub pattern: usize,
    /// The index of the capture on its last node.
    pub capture: u32,
    /// The nodes, from the captured one upwards.
    pub steps: Vec<Step>,
}

/// A node of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its kind, always a named one; `None` for a supertype, whose nodes only the query engine can
    /// recognise.
    pub kind: Option<u16>,
    /// The field of its parent that it has to be in.
    pub field: Option<u16>,
    /// Fields that it must not have.
    pub without: Vec<u16>,
    /// Another child that it must have.
    pub beside: Option<Beside>,
}

/// A child that a node of a path must have beside the child on the path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beside {
    /// The field that it is in.
    pub field: u16,
    /// The kinds that it may have; `None` for any named one.
    pub kinds: Option<Vec<u16>>,
    /// Whether it stands before the child on the path; else it stands after it.
    pub is_before: bool,
}

impl Paths {
    /// The paths of a query. `None` if a pattern is more than a path: if it has siblings other than
    /// one in a field, predicates, anchors, repetitions, wildcards on the path or anonymous nodes,
    /// or captures a node other than its last one.
    pub fn of(source: &str, grammar: &Language) -> Option<Self> {
        let mut reader = Reader { rest: source, captures: Vec::new(), grammar };
        let mut found = Self {
            captures: Vec::new(),
            patterns: 0,
            by_kind: BTreeMap::new(),
            kinds: vec![Needed::default(); grammar.node_kind_count()],
        };
        for pattern in 0.. {
            if reader.peek().is_none() {
                found.captures = reader.captures;
                found.patterns = pattern;
                return Some(found);
            }
            for (mut steps, capture) in reader.item()? {
                steps.reverse();
                for step in &steps {
                    if let Some(kind) = step.kind {
                        found.kinds.get_mut(usize::from(kind))?.field |= step.field.is_some();
                    }
                }
                let last = steps.first()?.kind?;
                found.kinds.get_mut(usize::from(last))?.is_last = true;
                found.by_kind.entry(last).or_default().push(Path { pattern, capture, steps });
            }
        }
        None
    }

    /// The paths that end in a node of this kind, in the order of their patterns.
    pub fn to(&self, kind: u16) -> &[Path] {
        self.by_kind.get(&kind).map_or(&[], Vec::as_slice)
    }
}

/// The nodes of an alternative from the top, and the capture on the last one.
type Alternative = (Vec<Step>, u32);

/// A node of a query that has neither children nor captures.
enum Plain {
    /// Any named node.
    Any,
    /// One of a kind.
    Kind(u16),
}

/// Reads the text of a query. What does not compile may be read as paths all the same.
struct Reader<'a> {
    rest: &'a str,
    /// Names of the captures read so far.
    captures: Vec<String>,
    grammar: &'a Language,
}

impl Reader<'_> {
    /// The next character that is neither white space nor part of a comment.
    fn peek(&mut self) -> Option<char> {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with(';') {
                return self.rest.chars().next();
            }
            self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
    }

    /// Reads this character if it is the next one.
    fn take(&mut self, wanted: char) -> Option<()> {
        (self.peek()? == wanted).then(|| self.rest = &self.rest[wanted.len_utf8()..])
    }

    /// Reads a name; `None` if there is none here.
    fn name(&mut self) -> Option<&str> {
        self.peek()?;
        let is_end = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
        let (name, rest) = self.rest.split_at(self.rest.find(is_end).unwrap_or(self.rest.len()));
        self.rest = rest;
        (!name.is_empty()).then_some(name)
    }

    /// Reads a capture.
    fn capture(&mut self) -> Option<u32> {
        self.take('@')?;
        let name = self.name()?.to_owned();
        let known = self.captures.iter().position(|known| *known == name);
        let index = known.unwrap_or_else(|| {
            self.captures.push(name);
            self.captures.len() - 1
        });
        u32::try_from(index).ok()
    }

    /// Reads an item with its alternatives, including the captures after it.
    fn item(&mut self) -> Option<Vec<Alternative>> {
        if self.peek()? == '[' {
            if let Some(alternatives) = self.captured_kinds() {
                return Some(alternatives);
            }
            self.take('[')?;
            let mut alternatives = Vec::new();
            while self.peek()? != ']' {
                alternatives.extend(self.item()?);
            }
            self.take(']')?;
            return self.is_plain_end().then_some(alternatives);
        }
        self.take('(')?;
        let mut step = self.step()?;
        let mut below = None;
        while self.peek()? != ')' {
            if self.peek()? == '!' {
                self.take('!')?;
                let grammar = self.grammar;
                step.without.push(grammar.field_id_for_name(self.name()?)?.get());
                continue;
            }
            if let Some(beside) = self.beside(below.is_none()) {
                if step.beside.replace(beside).is_some() {
                    return None;
                }
                continue;
            }
            if below.is_some() {
                return None;
            }
            below = Some(self.child()?);
        }
        self.take(')')?;
        let capture = if self.peek() == Some('@') { Some(self.capture()?) } else { None };
        // Without a path below it, a node has no child that the other one could stand beside.
        if !self.is_plain_end() || (below.is_none() && step.beside.is_some()) {
            return None;
        }
        match (below, capture) {
            (None, Some(capture)) => Some(vec![(vec![step], capture)]),
            (Some(mut alternatives), None) => {
                for (steps, _) in &mut alternatives {
                    steps.insert(0, step.clone());
                }
                Some(alternatives)
            }
            _ => None,
        }
    }

    /// Reads the kind at the start of a node.
    fn step(&mut self) -> Option<Step> {
        let grammar = self.grammar;
        let kind = grammar.id_for_node_kind(self.name()?, true);
        let is_plain = kind != 0 && self.rest.starts_with([' ', '\n', ')']);
        let kind = (!grammar.node_kind_is_supertype(kind)).then_some(kind);
        is_plain.then_some(Step { kind, field: None, without: Vec::new(), beside: None })
    }

    /// Reads a node below another, with its field if there is one.
    fn child(&mut self) -> Option<Vec<Alternative>> {
        if matches!(self.peek()?, '(' | '[') {
            return self.item();
        }
        let grammar = self.grammar;
        let field = grammar.field_id_for_name(self.name()?)?.get();
        self.take(':')?;
        let mut alternatives = self.item()?;
        for (steps, _) in &mut alternatives {
            steps.first_mut()?.field = Some(field);
        }
        Some(alternatives)
    }

    /// Reads a child in a field that has neither children nor captures. If something else is here,
    /// nothing is read.
    fn beside(&mut self, is_before: bool) -> Option<Beside> {
        let start = self.rest;
        let found = self.plain_child(is_before);
        if found.is_none() {
            self.rest = start;
        }
        found
    }

    fn plain_child(&mut self, is_before: bool) -> Option<Beside> {
        let grammar = self.grammar;
        let field = grammar.field_id_for_name(self.name()?)?.get();
        self.take(':')?;
        let kinds = if self.peek()? == '[' {
            Some(self.plain_kinds()?)
        } else {
            match self.plain_node()? {
                Plain::Any => None,
                Plain::Kind(kind) => Some(vec![kind]),
            }
        };
        self.is_plain_end().then_some(Beside { field, kinds, is_before })
    }

    /// Reads nodes without children in square brackets, and a capture that all of them have. If no
    /// capture follows them, nothing is read.
    fn captured_kinds(&mut self) -> Option<Vec<Alternative>> {
        let start = self.rest;
        let kinds = self.plain_kinds();
        if kinds.is_none() || self.peek() != Some('@') {
            self.rest = start;
            return None;
        }
        let capture = self.capture()?;
        let alternative = |kind| {
            let step = Step { kind: Some(kind), field: None, without: Vec::new(), beside: None };
            (vec![step], capture)
        };
        // After anything else there is no path, whatever was read.
        self.is_plain_end().then(|| kinds.into_iter().flatten().map(alternative).collect())
    }

    /// Reads nodes without children in square brackets.
    fn plain_kinds(&mut self) -> Option<Vec<u16>> {
        self.take('[')?;
        let mut kinds = Vec::new();
        while self.peek()? != ']' {
            match self.plain_node()? {
                Plain::Any => return None,
                Plain::Kind(kind) => kinds.push(kind),
            }
        }
        self.take(']')?;
        Some(kinds)
    }

    /// Reads a node without children and captures.
    fn plain_node(&mut self) -> Option<Plain> {
        self.take('(')?;
        let grammar = self.grammar;
        let node = match self.name()? {
            "_" => Plain::Any,
            name => Plain::Kind(grammar.id_for_node_kind(name, true)),
        };
        let is_plain = match node {
            Plain::Any => true,
            Plain::Kind(kind) => kind != 0 && !grammar.node_kind_is_supertype(kind),
        };
        self.take(')')?;
        (is_plain && self.is_plain_end()).then_some(node)
    }

    /// Whether nothing follows that would change the meaning of an item.
    fn is_plain_end(&mut self) -> bool {
        !matches!(self.peek(), Some('@' | '?' | '*' | '+' | '.' | '#' | ':' | '/'))
    }
}
