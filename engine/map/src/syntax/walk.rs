//! The captures of a query whose patterns are all paths, found by one walk of the tree.

use base::watch;
use tree_sitter::{Node, Tree};

use super::extract::Captures;
use crate::language::{Beside, Path, Paths};

/// Number of nodes between two checks whether the file has been given up.
const LOOK: u32 = 4096;

/// A node on the path from the root to the current node.
struct Level<'tree> {
    node: Node<'tree>,
    kind: u16,
    /// The field of the parent that it is in, if some path depends on it.
    field: Option<u16>,
}

/// The captures in the order in which the query engine returns them: by the start of their nodes,
/// and for one node by pattern. `None` if only the engine knows the order: if a path through a
/// supertype may end here, or if two capture names are first used at different nodes with the same
/// start, or by one pattern at one node.
pub fn captures<'tree>(paths: &Paths, tree: &'tree Tree) -> Option<Vec<Captures<'tree>>> {
    let mut groups: Vec<Captures<'tree>> = Vec::new();
    let mut first: Option<(Node<'tree>, usize)> = None;
    let mut cursor = tree.walk();
    let mut levels: Vec<Level<'tree>> = Vec::new();
    let mut looked = 0;
    loop {
        looked += 1;
        if looked % LOOK == 0 && watch::is_given_up() {
            return Some(groups);
        }
        let node = cursor.node();
        let kind = node.kind_id();
        let needed = paths.kinds.get(usize::from(kind)).copied().unwrap_or_default();
        let field = if needed.field { cursor.field_id().map(Into::into) } else { None };
        levels.push(Level { node, kind, field });
        if needed.is_last {
            for path in paths.to(kind).iter().filter(|path| is_end_of(path, &levels)) {
                if path.steps.iter().any(|step| step.kind.is_none()) {
                    return None;
                }
                if let Some(group) = groups.iter_mut().find(|group| group.index == path.capture) {
                    group.nodes.push(node);
                    continue;
                }
                if first.is_some_and(|(other, pattern)| {
                    other.start_byte() == node.start_byte()
                        && (other != node || pattern == path.pattern)
                }) {
                    return None;
                }
                first = Some((node, path.pattern));
                groups.push(Captures { index: path.capture, nodes: vec![node] });
            }
        }
        if cursor.goto_first_child() {
            continue;
        }
        loop {
            levels.pop();
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return Some(groups);
            }
        }
    }
}

/// Whether the innermost of these nodes ends a path.
fn is_end_of(path: &Path, levels: &[Level]) -> bool {
    let mut above = levels.iter().rev();
    let mut below: Option<Node> = None;
    path.steps.iter().all(|step| {
        above.next().is_some_and(|level| {
            let child = below.replace(level.node);
            step.kind.is_none_or(|kind| {
                level.kind == kind && (step.field.is_none() || level.field == step.field)
            }) && step.without.iter().all(|f| level.node.child_by_field_id(*f).is_none())
                && step.beside.as_ref().is_none_or(|beside| {
                    child.is_some_and(|child| has_beside(beside, level.node, child))
                })
        })
    })
}

/// Whether a node has the other child that a step asks for, before or after the child on the path.
fn has_beside(beside: &Beside, node: Node, child: Node) -> bool {
    let mut cursor = node.walk();
    let mut is_before = true;
    let mut more = cursor.goto_first_child();
    while more {
        let found = cursor.node();
        if found == child {
            is_before = false;
        } else if is_before == beside.is_before
            && cursor.field_id().is_some_and(|field| field.get() == beside.field)
            && match &beside.kinds {
                Some(kinds) => kinds.contains(&found.kind_id()),
                None => found.is_named() && !found.is_error(),
            }
        {
            return true;
        }
        more = cursor.goto_next_sibling();
    }
    false
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "a test reads its own files")]

    use std::path::{Path, PathBuf};

    use base::profile::Profile;

    use super::Captures;
    use crate::{
        language::{Detected, Language, TagQuery, registry},
        syntax::{extract, walk},
    };

    /// Files below a folder, by name.
    fn files(folder: &Path) -> Vec<PathBuf> {
        let mut open = vec![folder.to_owned()];
        let mut files = Vec::new();
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let kind = entry.file_type().unwrap();
                if kind.is_dir() {
                    open.push(entry.path());
                } else if kind.is_file() {
                    files.push(entry.path());
                }
            }
        }
        files.sort();
        files
    }

    /// The groups of captures found in both ways; `None` if the walk leaves the order open.
    fn both(language: &Language, query: &TagQuery, text: &str) -> Option<(String, String)> {
        let tree = extract::parse(language, query, text).ok()?;
        let queried = extract::queried(&query.compiled().unwrap().query, &tree, text);
        let walked = walk::captures(query.paths.as_ref()?, &tree)?;
        let distinct = |mut groups: Vec<Captures>| {
            for group in &mut groups {
                extract::settle(&mut group.nodes);
            }
            format!("{groups:?}")
        };
        Some((distinct(walked), distinct(queried)))
    }

    /// The query engine defines what is right: it is what the comparator runs.
    #[test]
    fn a_walk_finds_what_the_query_engine_finds_and_in_its_order() {
        let authored = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora/authored");
        let mut counts = std::collections::BTreeMap::new();
        for file in files(&authored) {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let name = file.to_string_lossy();
            let Detected::Tagged(language) = registry().detect(&name, Profile::Enhancement) else {
                continue;
            };
            let query = language.tag_query().unwrap();
            // The halves of a text have errors in their trees.
            let middle = (0..=text.len() / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            for text in [&text, &text[..middle], &text[middle..]] {
                let counted: &mut [u32; 2] = counts.entry(language.key).or_default();
                match both(language, query, text) {
                    Some((walked, queried)) => {
                        assert_eq!(walked, queried, "{name}");
                        counted[0] += 1;
                    }
                    None => counted[1] += 1,
                }
            }
        }
        // Both cases occurred: texts answered by the walk, and texts left to the engine.
        // JavaScript's query has predicates.
        for key in ["python", "rust", "typescript", "kotlin", "scala", "c", "cpp", "java"] {
            let [walked, left] = counts.get(key).copied().unwrap_or_default();
            assert!(walked > left, "{key}: {walked} of {}", walked + left);
        }
        let [walked, left] = counts["javascript"];
        assert!(walked == 0 && left > 0, "{walked} of {}", walked + left);
    }

    #[test]
    fn a_child_beside_the_path_is_asked_for_in_its_field_kind_and_place() {
        let same = |key: &str, text: &str, names: &[&str]| {
            let language = registry().languages().iter().find(|found| found.key == key).unwrap();
            let (walked, queried) = both(language, language.tag_query().unwrap(), text).unwrap();
            assert_eq!(walked, queried, "{text}");
            let tags = extract::captured(language, text).unwrap();
            let mut found: Vec<&str> = tags.iter().map(|tag| tag.name(text)).collect();
            found.dedup();
            assert_eq!(found, names, "{text}");
        };
        same("vue", "const a = () => 1, b = 2, c = /* x */ function () {}, d\n", &["a", "c"]);
        same("vue", "let e = (() => 1), f: F = async () => {}\n", &["f", "F"]);
        same("c", "struct a { int x; };\nstruct b;\nstruct /* c */ c /* d */ {};\n", &["a", "c"]);
        same("cpp", "void a::b() {}\nvoid ::c() {}\nvoid t<int>::d() {}\n", &["b"]);
        same("java", "class A { void m() { f(); g(1; h; } }\n", &["A", "m", "f", "g"]);
    }
}
