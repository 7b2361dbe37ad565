//! Tag extraction: the comparator's capture loop, then its lexical backfill.

use tree_sitter::{Node, Parser, QueryCursor, StreamingIterator, Tree};

use super::{Outline, Tag, TagKind, guard};
use crate::{
    language::{Language, QueryError, TagQuery},
    lexer,
};

/// Why a file yields no tags although its language is known.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ExtractError {
    /// The language's query or grammar is unusable.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The text would harm the pinned grammar.
    #[error("not parsed: {0}")]
    Refused(&'static str),
    /// The parser gave no tree.
    #[error("the parser gave no tree for {0}")]
    NoTree(String),
    /// The text is too large for 32-bit positions.
    #[error("the file is larger than 4 GiB")]
    TooLarge,
}

/// What a text yields.
#[derive(Debug, Default)]
pub struct Extracted {
    /// Its tags, in the comparator's order of emission.
    pub tags: Vec<Tag>,
    /// Its syntax tree; none for the empty text.
    pub tree: Option<Tree>,
}

/// Extracts the tags of a text. `path` is the file's path as the lexer choice of the backfill
/// sees it.
pub fn extract(language: &Language, path: &str, text: &str) -> Result<Extracted, ExtractError> {
    if text.is_empty() {
        return Ok(Extracted::default());
    }
    let query = language.tag_query()?;
    let tree = parse(language, query, text)?;
    let mut tags = captured_tags(query, &tree, text);
    let defines = tags.iter().any(|tag| tag.kind == TagKind::Definition);
    let refers = tags.iter().any(|tag| tag.kind == TagKind::Reference);
    if defines && !refers {
        tags.extend(backfill(path, text));
    }
    Ok(Extracted { tags, tree: Some(tree) })
}

/// The outline of a text as rendering sees it, which ends in a newline.
pub fn outline_of(language: &Language, text: &str) -> Result<Outline, ExtractError> {
    let query = language.tag_query()?;
    let tree = parse(language, query, text)?;
    Ok(outline_from(&tree, text))
}

/// The outline of a text that ends in a newline, from its syntax tree.
pub fn outline_from(tree: &Tree, text: &str) -> Outline {
    Outline::of(tree, rows(text))
}

/// Parses a text and runs its tag query, counting captures: the least that any map of the same
/// files has to do, which benchmarks measure a map against.
pub fn count_captures(language: &Language, text: &str) -> Result<usize, ExtractError> {
    let query = language.tag_query()?;
    let tree = parse(language, query, text)?;
    let mut cursor = QueryCursor::new();
    let mut captures = cursor.captures(&query.query, tree.root_node(), text.as_bytes());
    let mut count = 0;
    while captures.next().is_some() {
        count += 1;
    }
    Ok(count)
}

/// Rows of a text that ends in a newline, the empty one after it included.
fn rows(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count() + 1
}

fn parse(language: &Language, query: &TagQuery, text: &str) -> Result<Tree, ExtractError> {
    if u32::try_from(text.len()).is_err() {
        return Err(ExtractError::TooLarge);
    }
    if let Some(why) = guard::refuse(&language.grammar, text) {
        return Err(ExtractError::Refused(why));
    }
    let no_tree = || ExtractError::NoTree(language.key.clone());
    let mut parser = Parser::new();
    parser.set_language(&query.grammar).map_err(|_| no_tree())?;
    parser.parse(text, None).ok_or_else(no_tree)
}

/// The nodes captured under one capture name.
struct Captures<'tree> {
    index: u32,
    nodes: Vec<Node<'tree>>,
}

/// Tags by the comparator's capture loop: captures are grouped by name in the order in which
/// each name is first hit; within a group each node counts once, in byte order, and the last
/// node of a group is emitted a second time.
fn captured_tags(query: &TagQuery, tree: &Tree, text: &str) -> Vec<Tag> {
    let mut groups: Vec<Captures> = Vec::new();
    let mut cursor = QueryCursor::new();
    let mut captures = cursor.captures(&query.query, tree.root_node(), text.as_bytes());
    while let Some((found, at)) = captures.next() {
        let Some(capture) = found.captures.get(*at) else { continue };
        let group =
            if let Some(group) = groups.iter_mut().find(|group| group.index == capture.index) {
                group
            } else {
                groups.push(Captures { index: capture.index, nodes: Vec::new() });
                let last = groups.len() - 1;
                let Some(group) = groups.get_mut(last) else { continue };
                group
            };
        group.nodes.push(capture.node);
    }
    let mut tags = Vec::new();
    for group in &mut groups {
        let Some(Some(is_definition)) = query.is_definition.get(group.index as usize) else {
            continue;
        };
        let kind = if *is_definition { TagKind::Definition } else { TagKind::Reference };
        group.nodes.sort_by_key(|node| (node.start_byte(), node.end_byte(), node.id()));
        group.nodes.dedup_by_key(|node| node.id());
        let again = group.nodes.last().copied();
        tags.extend(group.nodes.iter().chain(&again).map(|node| Tag {
            start: node.start_byte() as u32,
            length: (node.end_byte() - node.start_byte()) as u32,
            line: i32::try_from(node.start_position().row).unwrap_or(i32::MAX),
            kind,
        }));
    }
    tags
}

/// References found lexically, for a file whose query found definitions but no reference.
fn backfill<'text>(path: &str, text: &'text str) -> impl Iterator<Item = Tag> + use<'text> {
    let base = text.as_ptr() as usize;
    lexer::names(path, text).names.into_iter().map(move |name| Tag {
        start: (name.as_ptr() as usize - base) as u32,
        length: name.len() as u32,
        line: -1,
        kind: TagKind::Reference,
    })
}
