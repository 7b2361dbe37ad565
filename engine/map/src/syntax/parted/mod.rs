//! Tags of files that no tag query covers: the names in the entries of their explorations.

mod dockerfile;
mod make;
mod openapi;
mod sql;

use explore::{Entry, Input, Options, Part, Profile, Project, Secrets, explore};

use super::{Tag, TagKind};
use crate::language::Parted;

/// Number of lines after an entry's first line in which its names are searched: a statement may
/// take several lines, and a long one has its name near the start.
const LINES: usize = 12;
/// Number of bytes in which a name is searched: one line can be a whole file.
const REACH: usize = 64 << 10;

/// A name that an entry defines or refers to, as written in the text.
type Named<'a> = (&'a str, TagKind);

/// Returns the names of an entry under a title of the exploration, in their order in the entry.
type Reader = for<'a> fn(&str, &'a Entry) -> Vec<Named<'a>>;

/// The tags of a file, in the order of the entries of its exploration. `path` decides which
/// explorer reads it.
pub fn tags(parted: &Parted, path: &str, text: &str) -> Vec<Tag> {
    let read: Reader = match parted.key {
        "dockerfile" => dockerfile::names,
        "make" => make::names,
        "openapi" => openapi::names,
        "sql" => sql::names,
        _ => return Vec::new(),
    };
    let input = Input::memory(path, text.as_bytes());
    // Only the names are used, and a map masks what it shows by itself.
    let options = Options {
        profile: Profile::Enhancement,
        budget: None,
        secrets: Secrets::Shown,
        short: false,
    };
    let found = explore(&input, &Project::default(), options);
    let places = Places::of(text);
    let mut tags: Vec<Tag> =
        found.parts.iter().flat_map(|part| of_part(part, read, &places)).collect();
    if parted.key == "dockerfile" {
        dockerfile::keep_stages(&mut tags, text);
    }
    tags
}

fn of_part(part: &Part, read: Reader, places: &Places) -> Vec<Tag> {
    let mut tags = Vec::new();
    // Several entries may be in one line, one after the other.
    let (mut line, mut at) = (0, 0);
    for entry in &part.entries {
        if entry.line != line {
            (line, at) = (entry.line, places.start(entry.line));
        }
        for (name, kind) in read(&part.title, entry) {
            let Some(tag) = places.find(name, kind, entry.line, &mut at) else { continue };
            tags.push(tag);
        }
    }
    tags
}

/// A text, and the offsets of its lines.
struct Places<'text> {
    text: &'text str,
    starts: Vec<usize>,
}

impl<'text> Places<'text> {
    fn of(text: &'text str) -> Self {
        let behind = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, starts: [0].into_iter().chain(behind).collect() }
    }

    /// The offset of a line, counted from 1; the end of the text if there is no such line.
    fn start(&self, line: u64) -> usize {
        let index = usize::try_from(line.saturating_sub(1)).unwrap_or(usize::MAX);
        self.starts.get(index).copied().unwrap_or(self.text.len())
    }

    /// The tag of a name that occurs as a whole word after `at`, in the lines from `line` on. Moves
    /// `at` to its end.
    fn find(&self, name: &str, kind: TagKind, line: u64, at: &mut usize) -> Option<Tag> {
        let mut from = *at;
        let mut end = self.start(line.saturating_add(LINES as u64)).min(from + REACH);
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        while !name.is_empty() && from < end {
            let start = from + self.text.get(from..end)?.find(name)?;
            from = start + name.len();
            let before = self.text.get(..start)?.chars().next_back();
            let behind = self.text.get(from..)?.chars().next();
            if ![before, behind].into_iter().flatten().any(is_of_name) {
                *at = from;
                let row = self.starts.partition_point(|begin| *begin <= start) - 1;
                return Some(Tag {
                    start: u32::try_from(start).ok()?,
                    length: u32::try_from(name.len()).ok()?,
                    line: i32::try_from(row).ok()?,
                    kind,
                });
            }
        }
        None
    }
}

/// Whether a character beside a name would be part of it.
fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::tags;
    use crate::{
        language::registry,
        syntax::TagKind::{self, Definition as D, Reference as R},
    };

    /// Row, name and kind of each tag of a file.
    pub(super) fn read(path: &str, text: &str) -> Vec<(i32, String, TagKind)> {
        let parted = registry().parted(path).unwrap();
        let tags = tags(parted, path, text);
        tags.iter().map(|tag| (tag.line, tag.name(text).to_owned(), tag.kind)).collect()
    }

    fn expect(path: &str, text: &str, expected: &[(i32, &str, TagKind)]) {
        let found = read(path, text);
        let found: Vec<_> =
            found.iter().map(|(row, name, kind)| (*row, name.as_str(), *kind)).collect();
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn a_makefile_defines_its_targets_and_refers_to_what_they_need() {
        let text = "CC = gcc\n.PHONY: all\nall: build test\n\nbuild: $(OBJECTS) main.o\n\t$(CC) -o all\n%.o: %.c\n\ttouch x\n";
        let expected =
            [(2, "all", D), (2, "build", R), (2, "test", R), (4, "build", D), (4, "main.o", R)];
        expect("Makefile", text, &expected);
        expect("rules.mk", "# all: nothing\n\tbuild: x\n", &[]);
    }

    #[test]
    fn a_dockerfile_defines_its_stages_and_refers_to_those_before() {
        let text = "FROM rust:1 AS build\nRUN cargo build\nFROM build as test\nFROM debian\nCOPY --from=build /a /b\nCOPY --from=nginx:1 /c /d\n";
        let expected = [(0, "build", D), (2, "build", R), (2, "test", D), (4, "build", R)];
        expect("Dockerfile", text, &expected);
        expect("Dockerfile.dev", "FROM debian\nRUN echo FROM x AS y\n", &[]);
    }

    #[test]
    fn sql_defines_what_it_makes_and_refers_to_what_it_changes() {
        let text = "-- CREATE TABLE no (a int);\nCREATE TABLE IF NOT EXISTS shop.\"orders\" (\n  id int,\n  buyer int\n);\nCREATE UNIQUE INDEX by_buyer ON shop.orders (buyer);\ncreate view open_orders as select 1;\nALTER TABLE shop.orders ADD x int;\nDROP VIEW IF EXISTS open_orders;\nINSERT INTO orders (id) VALUES (1);\n";
        let expected = [
            (1, "orders", D),
            (5, "by_buyer", D),
            (6, "open_orders", D),
            (7, "orders", R),
            (8, "open_orders", R),
            (9, "orders", R),
        ];
        expect("schema.sql", text, &expected);
        expect("empty.sql", "SELECT 1;\n", &[]);
    }

    #[test]
    fn an_interface_defines_its_operations_and_schemas() {
        let text = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /pets:\n    get:\n      operationId: listPets\n      responses: {}\n    post:\n      summary: Make a pet\n      responses: {}\ncomponents:\n  schemas:\n    Pet:\n      type: object\n";
        expect("openapi.yaml", text, &[(5, "listPets", D), (12, "Pet", D)]);
        expect("openapi.yaml", "a: 1\npaths: {}\n", &[]);
        expect("swagger.json", "not json", &[]);
        let line = "{\"openapi\": \"3\", \"paths\": {\"/a\": {\"get\": {\"operationId\": \"b\"}, \"put\": {\"operationId\": \"c\"}}}}";
        expect("openapi.json", line, &[(0, "b", D), (0, "c", D)]);
    }

    #[test]
    fn a_name_is_found_whole_or_not_at_all() {
        // The name of the target also occurs inside a word before it.
        expect("Makefile", "x-all all: y\n", &[(0, "x-all", D), (0, "all", D), (0, "y", R)]);
        expect("Makefile", "\u{e9}all: y\n", &[(0, "\u{e9}all", D), (0, "y", R)]);
    }
}
