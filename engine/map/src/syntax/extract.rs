//! Tag extraction: the comparator's capture loop, then its lexical backfill.

use std::collections::{BTreeMap, BTreeSet};

use base::{guard, profile::Profile, watch};
use tree_sitter::{
    Node, Parser, Query, QueryCursor, QueryCursorOptions, QueryCursorState, StreamingIterator, Tree,
};

use super::{Outline, Tag, TagKind, walk};
use crate::language::{Language, PairedPatterns, QueryError, TagQuery};

/// Why a file yields no tags although its language is known.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ExtractError {
    /// The language's query or grammar is unusable.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The pinned grammar cannot parse the text safely.
    #[error("not parsed: {0}")]
    Refused(&'static str),
    /// The parser gave no tree.
    #[error("the parser gave no tree for {0}")]
    NoTree(String),
    /// The text is too large for 32-bit positions.
    #[error("the file is larger than 4 GiB")]
    TooLarge,
    /// The tree is so deep or wide that querying it would take too long.
    #[error("its syntax tree nests too deep for a tag query")]
    TooDeep,
    /// The file was given up, because it took too long.
    #[error("{}", watch::TIMED_OUT)]
    GivenUp,
}

impl ExtractError {
    /// Whether the reason lies in the text, so that it will be the same each time.
    pub const fn is_of_text(&self) -> bool {
        matches!(self, Self::Refused(_) | Self::TooLarge | Self::TooDeep)
    }
}

/// The result of extracting a text.
#[derive(Debug, Default)]
pub struct Extracted {
    /// Its tags, in the comparator's order of emission.
    pub tags: Vec<Tag>,
    /// Its syntax tree; `None` for an empty text.
    pub tree: Option<Tree>,
}

/// Extracts the tags of a text. The backfill chooses its lexer by `path`. The enhancement profile
/// adds the tags of paired captures, which the comparator does not read, and goes by the content where
/// two languages share an extension.
pub fn extract(
    language: &'static Language,
    path: &str,
    text: &str,
    profile: Profile,
) -> Result<Extracted, ExtractError> {
    if text.is_empty() {
        return Ok(Extracted::default());
    }
    let language = language.of_text(path, text, profile);
    let source = language.source(text);
    // Most pages have no script, and compiling a query takes tens of milliseconds.
    if language.embedded.is_some() && source.trim().is_empty() {
        return Ok(Extracted::default());
    }
    let query = language.tag_query()?;
    let tree = parse(language, query, &source)?;
    let text = &*source;
    let mut tags = captured_tags(query, &tree, text)?;
    if let (Some(paired), false) = (query.paired()?, profile.is_parity()) {
        add_paired_tags(paired, &tree, text, &mut tags)?;
    }
    if needs_backfill(&tags) {
        // No lexer has a name that the comparator does not know, so the language's first extension
        // decides.
        let known = language.extensions.first().filter(|_| language.is_further(path));
        tags.extend(backfill(known.map_or(path, |extension| *extension), text));
    }
    Ok(Extracted { tags, tree: Some(tree) })
}

/// The tags that a text's query gives on its own: those of the parity profile, without the lexical
/// backfill.
pub fn captured(language: &Language, text: &str) -> Result<Vec<Tag>, ExtractError> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    captured_by(language.tag_query()?, language, text)
}

/// As [`captured`], with a query other than the language's own.
pub fn captured_by(
    query: &TagQuery,
    language: &Language,
    text: &str,
) -> Result<Vec<Tag>, ExtractError> {
    let tree = parse(language, query, text)?;
    captured_tags(query, &tree, text)
}

/// Whether the comparator searches for references with a lexer: there are definitions but no
/// reference.
pub fn needs_backfill(tags: &[Tag]) -> bool {
    let has = |kind| tags.iter().any(|tag| tag.kind == kind);
    has(TagKind::Definition) && !has(TagKind::Reference)
}

/// The outline of a text as rendering sees it, which ends in a newline.
pub fn outline_of(language: &Language, text: &str) -> Result<Outline, ExtractError> {
    let query = language.tag_query()?;
    let tree = parse(language, query, &language.source(text))?;
    Ok(outline_from(&tree, text))
}

/// The outline of a text that ends in a newline, from its syntax tree.
pub fn outline_from(tree: &Tree, text: &str) -> Outline {
    Outline::of(tree, rows(text))
}

/// Parses a text, runs its tag query and counts the captures: the least work that any map of the
/// same files needs. Benchmarks compare a map with it.
pub fn count_captures(language: &Language, text: &str) -> Result<usize, ExtractError> {
    let query = language.tag_query()?;
    let tree = parse(language, query, text)?;
    let mut cursor = QueryCursor::new();
    let mut captures = cursor.captures(&query.compiled()?.query, tree.root_node(), text.as_bytes());
    let mut count = 0;
    while captures.next().is_some() {
        count += 1;
    }
    Ok(count)
}

/// Number of rows of a text that ends in a newline, including the empty row after it.
fn rows(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count() + 1
}

pub(super) fn parse(
    language: &Language,
    query: &TagQuery,
    text: &str,
) -> Result<Tree, ExtractError> {
    if u32::try_from(text.len()).is_err() {
        return Err(ExtractError::TooLarge);
    }
    if let Some(why) = guard::refuse(language.grammar, text) {
        return Err(ExtractError::Refused(why));
    }
    let no_tree = || ExtractError::NoTree(language.key.to_owned());
    let mut parser = Parser::new();
    parser.set_language(&query.grammar).map_err(|_| no_tree())?;
    let _alone = guard::alone(language.grammar);
    guard::parse(&mut parser, text).map_err(|why| {
        if why == watch::TIMED_OUT { ExtractError::GivenUp } else { ExtractError::Refused(why) }
    })
}

/// Fails if the file was given up, in which case a query has ended too early.
fn in_time() -> Result<(), ExtractError> {
    if watch::is_given_up() { Err(ExtractError::GivenUp) } else { Ok(()) }
}

/// The nodes captured under one capture name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Captures<'tree> {
    /// The index of the capture in its query.
    pub index: u32,
    /// Its nodes as they are found; a node can occur several times.
    pub nodes: Vec<Node<'tree>>,
}

/// Tags by the comparator's capture loop: captures are grouped by name in the order in which
/// each name is first hit; within a group each node counts once, in byte order, and the last
/// node of a group is emitted a second time.
fn captured_tags(query: &TagQuery, tree: &Tree, text: &str) -> Result<Vec<Tag>, ExtractError> {
    if guard::is_excessive(tree) {
        return Err(ExtractError::TooDeep);
    }
    let walked = query.paths.as_ref().and_then(|paths| walk::captures(paths, tree));
    let mut groups = match walked {
        Some(groups) => groups,
        None => queried(&query.compiled()?.query, tree, text),
    };
    in_time()?;
    let mut tags = Vec::new();
    for group in &mut groups {
        let kind = query.tag_kinds.get(group.index as usize).copied().flatten();
        let Some(kind) = kind else { continue };
        settle(&mut group.nodes);
        let again = group.nodes.last().copied();
        tags.extend(group.nodes.iter().chain(&again).map(|node| tag_of(node, kind)));
    }
    Ok(tags)
}

/// Sorts nodes into byte order, and removes duplicates.
pub(super) fn settle(nodes: &mut Vec<Node>) {
    nodes.sort_by_key(|node| (node.start_byte(), node.end_byte(), node.id()));
    nodes.dedup_by_key(|node| node.id());
}

/// The captures of a query, in the order in which the query engine returns them.
pub(super) fn queried<'tree>(query: &Query, tree: &'tree Tree, text: &str) -> Vec<Captures<'tree>> {
    let mut groups: Vec<Captures<'tree>> = Vec::new();
    let mut cursor = QueryCursor::new();
    let mut stop = |_: &QueryCursorState| watch::is_given_up();
    let options = QueryCursorOptions::new().progress_callback(&mut stop);
    let (root, bytes) = (tree.root_node(), text.as_bytes());
    let mut captures = cursor.captures_with_options(query, root, bytes, options);
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
    groups
}

/// Adds a tag for each name of a paired match, in byte order, unless a modern capture of the same
/// kind already covers it.
fn add_paired_tags(
    paired: &PairedPatterns,
    tree: &Tree,
    text: &str,
    tags: &mut Vec<Tag>,
) -> Result<(), ExtractError> {
    let mut found = BTreeMap::new();
    let mut cursor = QueryCursor::new();
    let mut stop = |_: &QueryCursorState| watch::is_given_up();
    let options = QueryCursorOptions::new().progress_callback(&mut stop);
    let (root, bytes) = (tree.root_node(), text.as_bytes());
    let mut matches = cursor.matches_with_options(&paired.query, root, bytes, options);
    while let Some(one) = matches.next() {
        let kinds = one
            .captures
            .iter()
            .filter_map(|capture| paired.tag_kinds.get(capture.index as usize).copied().flatten());
        let names = || one.captures.iter().filter(|capture| capture.index == paired.name);
        for kind in kinds {
            found.extend(names().map(|name| {
                let tag = tag_of(&name.node, kind);
                ((tag.start, tag.length, tag.kind), tag)
            }));
        }
    }
    in_time()?;
    let known: BTreeSet<_> = tags.iter().map(|tag| (tag.start, tag.length, tag.kind)).collect();
    tags.extend(found.into_iter().filter(|(key, _)| !known.contains(key)).map(|(_, tag)| tag));
    Ok(())
}

fn tag_of(node: &Node, kind: TagKind) -> Tag {
    Tag {
        start: node.start_byte() as u32,
        length: (node.end_byte() - node.start_byte()) as u32,
        line: i32::try_from(node.start_position().row).unwrap_or(i32::MAX),
        kind,
    }
}

/// References found with a lexer, for a file whose query found definitions but no reference.
fn backfill<'text>(path: &str, text: &'text str) -> impl Iterator<Item = Tag> + use<'text> {
    let base = text.as_ptr() as usize;
    pygments::names(path, text).names.into_iter().map(move |name| Tag {
        start: (name.as_ptr() as usize - base) as u32,
        length: name.len() as u32,
        line: -1,
        kind: TagKind::Reference,
    })
}

#[cfg(test)]
mod tests {
    use super::{ExtractError, add_paired_tags, captured_tags, extract};
    use crate::{
        language::{Language, TagQuery, registry},
        syntax::TagKind::{self, Definition, Reference},
    };
    use base::{profile::Profile, watch};

    const TEXT: &str = "def outer(): pass\nouter()\n";
    const MODERN: &str = "(function_definition name: (identifier) @name.definition.function)";
    const PAIRED: &str = "(call function: (identifier) @name) @reference.call
(function_definition name: (identifier) @name) @definition.function";

    fn language(key: &str) -> &'static Language {
        registry().languages().iter().find(|found| found.key == key).unwrap()
    }

    /// Line, name and kind of each tag: first of the modern captures, then of both styles.
    fn tags(source: &str) -> [Vec<(i32, &'static str, TagKind)>; 2] {
        let query = TagQuery::compile(language("python"), source).unwrap();
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&query.grammar).unwrap();
        let tree = parser.parse(TEXT, None).unwrap();
        let modern = captured_tags(&query, &tree, TEXT).unwrap();
        let mut both = modern.clone();
        if let Some(paired) = query.paired().unwrap() {
            add_paired_tags(paired, &tree, TEXT, &mut both).unwrap();
        }
        [modern, both]
            .map(|tags| tags.iter().map(|tag| (tag.line, tag.name(TEXT), tag.kind)).collect())
    }

    #[test]
    fn paired_captures_come_behind_the_modern_ones_and_add_no_tag_twice() {
        let [modern, both] = tags(&format!("{MODERN}\n{PAIRED}"));
        assert_eq!(modern, [(0, "outer", Definition), (0, "outer", Definition)]);
        assert_eq!(both[..2], modern);
        assert_eq!(both[2..], [(1, "outer", Reference)]);
    }

    #[test]
    fn modern_captures_alone_give_no_tag_for_a_paired_pattern() {
        let [modern, both] = tags(PAIRED);
        assert!(modern.is_empty());
        assert_eq!(both, [(0, "outer", Definition), (1, "outer", Reference)]);
    }

    #[test]
    fn only_the_enhancement_profile_reads_paired_captures() {
        let language = language("ocaml_interface");
        let text = "module M : sig\n  val f : t -> M.u\nend\n";
        let kinds = |profile| -> Vec<(TagKind, i32, &str)> {
            let tags = extract(language, "m.mli", text, profile).unwrap().tags;
            tags.iter().map(|tag| (tag.kind, tag.line, tag.name(text))).collect()
        };
        let captured = |profile| {
            kinds(profile).into_iter().filter(|(_, line, _)| *line >= 0).collect::<Vec<_>>()
        };
        assert_eq!(captured(Profile::Parity), [(Definition, 1, "f"), (Definition, 1, "f")]);
        let enhanced = captured(Profile::Enhancement);
        assert_eq!(enhanced[..2], captured(Profile::Parity));
        for extra in [(Definition, 0, "M"), (Reference, 1, "M"), (Reference, 1, "u")] {
            assert!(enhanced.contains(&extra), "{extra:?} is not in {enhanced:?}");
        }
    }

    #[test]
    fn depth_and_runs_of_nameless_siblings_are_refused_and_length_is_not() {
        let tags = |key: &str, text: &str| {
            extract(language(key), "a", text, Profile::Parity).map(|found| found.tags.len())
        };
        let nested = |levels: usize| "mod a {".repeat(levels) + &"}".repeat(levels);
        assert_eq!(tags("rust", &nested(1_000)).unwrap(), 1_001);
        assert!(tags("rust", &nested(20_000)).is_err());
        assert!(tags("c", &"(*".repeat(20_000)).is_err());
        let code = "fn f(a: u8) -> u8 { if a > 1 { g(a, [1, 2]) } else { a + (b * c) } }\n";
        assert_eq!(tags("rust", &code.repeat(20_000)).unwrap(), 40_002);
    }

    #[test]
    fn a_line_that_a_scanner_reads_again_and_again_is_refused_and_a_long_name_is_not() {
        let tags = |text: &str| {
            extract(language("elm"), "a.elm", text, Profile::Parity).map(|found| found.tags.len())
        };
        assert!(tags(&format!("x = {}\n", "[".repeat(200_000))).is_err());
        assert!(tags(&format!("x = \"{}\"\n", "a".repeat(1 << 20))).is_ok());
        assert!(tags(&"x = [1, 2]\n".repeat(20_000)).is_ok());
    }

    #[test]
    fn a_file_that_is_given_up_has_no_tags_whatever_was_found_until_then() {
        let query = TagQuery::compile(language("python"), &format!("{MODERN}\n{PAIRED}")).unwrap();
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&query.grammar).unwrap();
        let tree = parser.parse(TEXT, None).unwrap();
        let paired = query.paired().unwrap().unwrap();
        watch::marked("extract/given_up", TEXT.len(), || {
            let file = watch::file_id("extract/given_up");
            watch::give_up(watch::marks().position(|mark| mark.file == file).unwrap(), file);
            let captured = captured_tags(&query, &tree, TEXT);
            assert!(matches!(captured, Err(ExtractError::GivenUp)), "{captured:?}");
            let added = add_paired_tags(paired, &tree, TEXT, &mut Vec::new());
            assert!(matches!(added, Err(ExtractError::GivenUp)), "{added:?}");
        });
        assert!(captured_tags(&query, &tree, TEXT).is_ok());
    }

    /// The expected tags are the comparator's. It has none for the last text, on which it crashes.
    #[test]
    fn deep_indentation_is_read_as_deep_as_the_comparator_reads_it() {
        let tags = |text: &str| -> Vec<(i32, String, TagKind)> {
            let found = extract(language("python"), "a.py", text, Profile::Parity).unwrap().tags;
            found.iter().map(|tag| (tag.line, tag.name(text).to_owned(), tag.kind)).collect()
        };
        let stairs = |levels: usize, last: &str| {
            let steps: String = (0..levels).map(|n| format!("{}if x:\n", " ".repeat(n))).collect();
            let deepest = " ".repeat(levels);
            format!(
                "def top():\n    return 1\n{steps}{deepest}{last}\n\ndef bottom():\n    return top()\n"
            )
        };
        let row = |line: i32, name: &str, kind: TagKind| (line, name.to_owned(), kind);
        let defined = |line: i32| {
            [(0, "top"), (line, "bottom"), (line, "bottom")].map(|(l, n)| row(l, n, Definition))
        };
        let called = |lines: [i32; 3]| lines.map(|line| row(line, "top", Reference));
        let plain = [defined(604), called([602, 605, 605])].concat();
        assert_eq!(tags(&stairs(600, "y = top()")), plain);
        let quoted = [&defined(513)[..], &called([514, 514, 0])[..2]].concat();
        assert_eq!(tags(&stairs(509, "y = 'abc'")), quoted);
        assert_eq!(tags(&stairs(600, "y = 'abc'")).first(), Some(&row(0, "top", Definition)));
        // Indentation within brackets does not count as levels.
        let items: String = (0..600).map(|n| format!("{}{n},\n", " ".repeat(n))).collect();
        let list = format!("x = [\n{items}]\ndef f():\n    return f()\n");
        let named = [(602, Definition), (602, Definition), (603, Reference), (603, Reference)];
        assert_eq!(tags(&list), named.map(|(line, kind)| row(line, "f", kind)));
    }

    /// Without a guard, one of several parses at once soon allocates memory without end.
    #[test]
    fn properties_files_may_be_parsed_by_many_threads() {
        let language = language("properties");
        let text = "a = b\nc.d : e \\\n  f\n# g".repeat(20);
        let parse = || extract(language, "a.properties", &text, Profile::Parity).unwrap().tags;
        let alone = parse();
        assert!(!alone.is_empty());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..200).for_each(|_| assert_eq!(parse(), alone)));
            }
        });
    }
}
