//! The matches of a language's query in a tree.

use tree_sitter::{
    Node, QueryCursor, QueryCursorOptions, QueryCursorState, StreamingIterator as _, Tree,
};

use super::{
    bind::{Initializer, Scope},
    extract::ExtractError,
    query::{Capture, Locals},
};

/// One match: its captures in order.
pub type Match<'tree> = Vec<(Capture, Node<'tree>)>;

/// The matches of a query.
#[derive(Debug)]
pub struct Matches<'tree> {
    /// Matches about names.
    pub named: Vec<Match<'tree>>,
    /// The scopes, outer ones first.
    pub scopes: Vec<Scope>,
    /// The initializers, by first byte.
    pub initializers: Vec<Initializer>,
}

/// Runs the query on the trees of a text until all matches are found or `is_over` stops it.
pub fn matches<'tree>(
    locals: &Locals,
    trees: impl IntoIterator<Item = &'tree Tree>,
    text: &str,
    is_over: &dyn Fn() -> bool,
) -> Result<Matches<'tree>, ExtractError> {
    let (mut named, mut scopes, mut initializers) = (Vec::new(), Vec::new(), Vec::new());
    let mut cursor = QueryCursor::new();
    for tree in trees {
        let mut stop = |_: &QueryCursorState| is_over();
        let options = QueryCursorOptions::new().progress_callback(&mut stop);
        let root = tree.root_node();
        let mut all = cursor.matches_with_options(&locals.query, root, text.as_bytes(), options);
        while let Some(one) = all.next() {
            let mut captures = Match::new();
            for capture in one.captures {
                let says = locals.captures.get(capture.index as usize).copied();
                match says.unwrap_or(Capture::Helper) {
                    says @ (Capture::Scope | Capture::Members | Capture::Class) => {
                        let range = capture.node.byte_range();
                        scopes.push(Scope {
                            start: range.start as u32,
                            end: range.end as u32,
                            is_class: says != Capture::Scope,
                            is_seen_inside: says != Capture::Members,
                        });
                    }
                    Capture::Initializer => initializers.push(Initializer::of(&capture.node)),
                    Capture::Helper => {}
                    says => captures.push((says, capture.node)),
                }
            }
            if !captures.is_empty() {
                named.push(captures);
            }
        }
    }
    if is_over() {
        return Err(ExtractError::TimedOut);
    }
    scopes.sort_unstable_by_key(|scope| (scope.start, std::cmp::Reverse(scope.end)));
    scopes.dedup_by_key(|scope| (scope.start, scope.end));
    initializers.sort_unstable_by_key(|one| one.start);
    Ok(Matches { named, scopes, initializers })
}
