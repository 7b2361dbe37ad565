//! Syntax trees: which texts are parsed, and how.

use std::ops::Range;

use base::{guard, watch};
use tree_sitter::{Parser, Point, Tree};

use super::{
    defect::{self, Defect},
    pieces,
    walk::{Visitor, Walk},
};

/// Grammars whose scanners ask for the column of every token. Each answer takes time in proportion
/// to the length of the line: a megabyte of Elm on one line took minutes, and one of Scala almost a
/// minute.
const COLUMNAR: [&str; 3] = ["elm", "haskell", "scala"];
/// Longest line, in bytes, of a text that these grammars parse.
const LONGEST_LINE: usize = 64 * 1024;

/// Parses a text and walks it, piece by piece if it is long. Returns its first defect.
pub fn walked(
    walk: &mut Walk,
    visitor: &mut dyn Visitor,
    grammar: &str,
    text: &str,
) -> Result<Option<Defect>, String> {
    let pieces = pieces::split(text);
    if pieces.len() == 1 {
        let tree = read(visitor, grammar, text)?;
        walk.run(visitor, &tree);
        in_time()?;
        walk.finish(visitor, &tree);
        return Ok(defect::first(&tree));
    }
    let parsed = pieces.last().map_or(0, |last| last.end);
    let mut first_tree = None;
    let mut defect = None;
    let mut start = Point::new(0, 0);
    for piece in pieces {
        refuse(grammar, text.get(piece.clone()).unwrap_or_default())?;
        let end = place_behind(text, &piece, start);
        let tree = parse_piece(grammar, text, &piece, (start, end))?;
        walk.run(visitor, &tree);
        in_time()?;
        defect = defect.or_else(|| defect::first(&tree));
        // What a language looks for after the walk is at the top of a file.
        first_tree.get_or_insert(tree);
        start = end;
    }
    if let Some(tree) = first_tree {
        walk.finish(visitor, &tree);
    }
    if parsed < text.len() {
        return Err(format!("only its first {parsed} bytes are parsed: its lines are too long"));
    }
    Ok(defect)
}

/// Fails if the file was given up, in which case the walk has ended too early.
fn in_time() -> Result<(), String> {
    if watch::is_given_up() { Err(format!("not parsed: {}", watch::TIMED_OUT)) } else { Ok(()) }
}

/// Row and column of the end of a piece that begins at `start`.
fn place_behind(text: &str, piece: &Range<usize>, start: Point) -> Point {
    let bytes = text.as_bytes().get(piece.clone()).unwrap_or_default();
    let rows = memchr::memchr_iter(b'\n', bytes).count();
    match memchr::memrchr(b'\n', bytes) {
        Some(last) => Point::new(start.row + rows, bytes.len() - last - 1),
        None => Point::new(start.row, start.column + bytes.len()),
    }
}

/// Parses a text. The language may offer a rewritten text, which is used if it has no more defects,
/// or the grammar of a dialect, which is used if it finds fewer defects.
fn read(visitor: &dyn Visitor, grammar: &str, text: &str) -> Result<Tree, String> {
    let mut tree = parse(grammar, text)?;
    let other = visitor.reread(text, &tree).and_then(|other| parse(grammar, &other).ok());
    if let Some(other) = other
        && defect::count(&other) <= defect::count(&tree)
    {
        tree = other;
    }
    if tree.root_node().has_error()
        && let Some(other) = visitor.dialect().and_then(|dialect| parse(dialect, text).ok())
        && defect::count(&other) < defect::count(&tree)
    {
        tree = other;
    }
    Ok(tree)
}

/// Parses a text. The error says in words why there is no tree.
pub fn parse(grammar: &str, text: &str) -> Result<Tree, String> {
    refuse(grammar, text)?;
    parse_by(&mut parser(grammar)?, text)
}

/// Parses a text, or the part that the parser is set to. Fails if a walk of the tree would take too
/// long.
fn parse_by(parser: &mut Parser, text: &str) -> Result<Tree, String> {
    let tree = guard::parse(parser, text).map_err(|why| format!("not parsed: {why}"))?;
    if guard::is_excessive(&tree) {
        return Err("not parsed: it nests too deep".to_owned());
    }
    Ok(tree)
}

/// Parses one piece of a text at its place in the whole.
fn parse_piece(
    grammar: &str,
    text: &str,
    piece: &Range<usize>,
    (start, end): (Point, Point),
) -> Result<Tree, String> {
    let range = tree_sitter::Range {
        start_byte: piece.start,
        end_byte: piece.end,
        start_point: start,
        end_point: end,
    };
    let mut parser = parser(grammar)?;
    parser.set_included_ranges(&[range]).map_err(|error| error.to_string())?;
    parse_by(&mut parser, text)
}

/// A parser for a grammar.
fn parser(grammar: &str) -> Result<Parser, String> {
    let mut parser = Parser::new();
    grammars::language(grammar)
        .and_then(|language| parser.set_language(&tree_sitter::Language::new(language)).ok())
        .map(|()| parser)
        .ok_or_else(|| format!("there is no parser for {grammar}"))
}

/// Fails, with the reason, if a text may not be parsed.
fn refuse(grammar: &str, text: &str) -> Result<(), String> {
    if COLUMNAR.contains(&grammar) && text.split('\n').any(|line| line.len() > LONGEST_LINE) {
        return Err(format!("not parsed: a line is longer than {LONGEST_LINE} bytes"));
    }
    if u32::try_from(text.len()).is_err() {
        return Err("the file is larger than 4 GiB".to_owned());
    }
    if let Some(why) = guard::refuse(grammar, text) {
        return Err(format!("not parsed: {why}"));
    }
    let depth = guard::deepest(text);
    if depth > guard::DEEPEST {
        return Err(format!(
            "not parsed: {depth} brackets are open at one place, and the most is {}",
            guard::DEEPEST
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use base::watch;
    use tree_sitter::Node;

    use super::walked;
    use crate::{
        Project,
        code::walk::{Step, Visitor, Walk},
    };

    /// Gives up its own file at the first node that it visits.
    struct GivesUp {
        file: u64,
        entered: usize,
    }

    impl Visitor for GivesUp {
        fn enter(&mut self, _: &mut Walk, _: Node) -> Step {
            self.entered += 1;
            watch::give_up(
                watch::marks().position(|mark| mark.file == self.file).unwrap(),
                self.file,
            );
            Step::Into
        }
    }

    #[test]
    fn a_walk_ends_where_its_file_is_given_up() {
        let text = "x = 1\n".repeat(100);
        let mut visitor = GivesUp { file: watch::file_id("walked/given_up"), entered: 0 };
        let project = Project::default();
        let ended = watch::marked("walked/given_up", text.len(), || {
            walked(&mut Walk::new(&text, "a.py", &project), &mut visitor, "python", &text)
        });
        assert_eq!(ended.err().as_deref(), Some("not parsed: parser timed out"));
        assert_eq!(visitor.entered, 1);
    }
}
