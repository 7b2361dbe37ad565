//! The parser, with limits on depth and number of nodes: the standard's algorithm takes time
//! quadratic in the depth, and browsers limit it as well.

use std::cell::Cell;

use base::secrets::Secrets;
use html5ever::{
    buffer_queue::BufferQueue,
    interface::TokenizerResult,
    tendril::StrTendril,
    tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts},
    tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink},
};

use super::tree::{Builder, Handle, Node};

/// Maximum depth and maximum number of nodes; start tags beyond them are left out of the tree and
/// counted.
const MAX_DEPTH: usize = 512;
const MAX_NODES: usize = 2_000_000;

/// Passes tokens on to the tree builder as long as the limits are kept.
struct Bounded {
    tree: TreeBuilder<Handle, Builder>,
    dropped: Cell<u64>,
}

impl TokenSink for Bounded {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        let builder = &self.tree.sink;
        let blocked = builder.depth.get() >= MAX_DEPTH || builder.count() >= MAX_NODES;
        if !blocked {
            return self.tree.process_token(token, line);
        }
        match token {
            Token::TagToken(Tag { kind: TagKind::StartTag, .. }) => {
                self.dropped.set(self.dropped.get() + 1);
                TokenSinkResult::Continue
            }
            Token::TagToken(Tag { kind: TagKind::EndTag, .. }) => {
                let before = builder.depth.get();
                let result = self.tree.process_token(token, line);
                // The sink is not informed of the end of every element.
                if builder.depth.get() == before {
                    builder.depth.set(before.saturating_sub(1));
                }
                result
            }
            Token::CharacterTokens(_) if builder.count() >= MAX_NODES => TokenSinkResult::Continue,
            token => self.tree.process_token(token, line),
        }
    }

    fn end(&self) {
        self.tree.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.tree.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// The nodes of a text, the document first, and the number of start tags that were left out.
pub fn parse(text: &str, secrets: Secrets) -> (Vec<Node>, u64) {
    // Without scripting, the contents of `noscript` are part of the document.
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let tree = TreeBuilder::new(Builder::new(secrets), options);
    let sink = Bounded { tree, dropped: Cell::new(0) };
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(text));
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    let dropped = tokenizer.sink.dropped.get();
    (tokenizer.sink.tree.sink.finish(), dropped)
}
