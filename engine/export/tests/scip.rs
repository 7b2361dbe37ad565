//! Exports of small repositories, read back with the published library. What is expected is read off
//! the sources by hand.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test reads its own files")]

use std::{collections::BTreeSet, fs, path::Path};

use export::{Exported, Settings, scip};
use index::nav::Navigator;
use protobuf::Message as _;
use scip::{
    symbol::{is_local_symbol, parse_symbol},
    types::{
        Document, Index, Occurrence, SymbolInformation, SymbolRole,
        occurrence::{Typed_enclosing_range, Typed_range},
        symbol_information::Kind,
    },
};

const SHAPES: &str = "\"\"\"Shapes.\"\"\"


class Shape:
    \"\"\"Any shape.\"\"\"

    def area(self):
        return 0


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        side = self.side
        return side * side
";
const MAIN: &str = "import json

from shapes import Square


def total(sides):
    é = [Square(side).area() for side in sides]
    return json.dumps(sum(é))
";

fn exported(sources: &[(&str, &str)]) -> (Index, Exported, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("sources");
    for (path, text) in sources {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let store = index::Settings::in_folder(folder.path().join("store"));
    let mut navigator = Navigator::open(&root, store).unwrap();
    let settings = Settings { project_root: "file:///project".to_owned(), version: "1".to_owned() };
    let mut bytes = Vec::new();
    let exported = scip(&mut navigator, &settings, &mut bytes, &|_, _| {}).unwrap();
    (Index::parse_from_bytes(&bytes).unwrap(), exported, bytes)
}

fn document<'a>(index: &'a Index, path: &str) -> &'a Document {
    index.documents.iter().find(|one| one.relative_path == path).unwrap()
}

fn information<'a>(document: &'a Document, symbol: &str) -> &'a SymbolInformation {
    document.symbols.iter().find(|one| one.symbol == symbol).unwrap()
}

/// Line, first and last column, symbol and roles.
fn row(one: &Occurrence) -> (i32, i32, i32, &str, i32) {
    let Some(Typed_range::SingleLineRange(range)) = &one.typed_range else { panic!("{one:?}") };
    let older = [range.line, range.start_character, range.end_character];
    assert_eq!(one.range, older);
    (range.line, range.start_character, range.end_character, &one.symbol, one.symbol_roles)
}

#[test]
fn every_occurrence_names_the_symbol_that_it_means() {
    let (index, exported, _) = exported(&[("shapes.py", SHAPES), ("main.py", MAIN)]);
    assert_eq!(index.metadata.project_root, "file:///project");
    assert_eq!(index.metadata.tool_info.name, "parity");
    let main = document(&index, "main.py");
    assert_eq!(main.language, "Python");
    let (defines, imports, reads) = (1, 2, 8);
    let rows: Vec<_> = main.occurrences.iter().map(row).collect();
    let class = "parity . . . `shapes.py`/Square#";
    let area = "parity . . . `shapes.py`/Square#area().";
    let total = "parity . . . `main.py`/total().";
    let local = |name: &str| {
        let found = main.symbols.iter().find(|one| one.display_name == name).unwrap();
        assert!(is_local_symbol(&found.symbol), "{found}");
        found.symbol.as_str()
    };
    let expected = [
        (0, 0, 0, "parity . . . `main.py`/", defines),
        (2, 5, 11, "parity . . . `shapes.py`/", imports),
        (2, 19, 25, class, imports),
        (5, 4, 9, total, defines),
        (5, 10, 15, local("sides"), defines),
        (6, 4, 5, local("é"), defines),
        (6, 9, 15, class, reads),
        (6, 16, 20, local("side"), reads),
        (6, 22, 26, area, reads),
        (6, 33, 37, local("side"), defines),
        (6, 41, 46, local("sides"), reads),
        (7, 26, 27, local("é"), reads),
    ];
    assert_eq!(rows, expected);
    // `json` twice, `dumps` and `sum`.
    assert_eq!((exported.external, exported.unresolved), (4, 0));
    assert_eq!((exported.documents, exported.left_out), (2, 0));
}

#[test]
fn symbols_are_described() {
    let (index, exported, _) = exported(&[("shapes.py", SHAPES), ("main.py", MAIN)]);
    let shapes = document(&index, "shapes.py");
    let base = information(shapes, "parity . . . `shapes.py`/Shape#");
    assert_eq!(base.documentation, ["Any shape."]);
    assert_eq!(base.signature_documentation.text, "class Shape");
    let class = information(shapes, "parity . . . `shapes.py`/Square#");
    assert_eq!(class.kind, Kind::Class.into());
    let bases: Vec<_> = class
        .relationships
        .iter()
        .map(|one| (one.symbol.as_str(), one.is_implementation))
        .collect();
    assert_eq!(bases, [(base.symbol.as_str(), true)]);
    // An attribute belongs to the class, not to the method that assigns it.
    let side = information(shapes, "parity . . . `shapes.py`/Square#side.");
    assert_eq!((side.kind, side.display_name.as_str()), (Kind::Field.into(), "side"));
    let method = "parity . . . `shapes.py`/Square#area().";
    assert_eq!(information(shapes, method).kind, Kind::Method.into());
    let local = shapes
        .symbols
        .iter()
        .find(|one| one.display_name == "side" && one.kind == Kind::Variable.into());
    assert_eq!(local.unwrap().enclosing_symbol, method);
    let whole = shapes.occurrences.iter().find(|one| one.symbol == base.symbol).unwrap();
    let Some(Typed_enclosing_range::MultiLineEnclosingRange(range)) = &whole.typed_enclosing_range
    else {
        panic!("{whole:?}")
    };
    assert_eq!(
        (range.start_line, range.start_character, range.end_line, range.end_character),
        (3, 0, 7, 16)
    );
    assert_eq!(whole.enclosing_range, [3, 0, 7, 16]);
    let all: usize = index.documents.iter().map(|one| one.symbols.len()).sum();
    assert_eq!(exported.symbols, all);
}

#[test]
fn functions_of_one_name_are_told_apart() {
    let text = "struct A;\nstruct B;\nimpl A {\n    fn new() -> A { A }\n}\nimpl B {\n    fn new() -> B { A::new(); B }\n}\n";
    let twice = "def f():\n    pass\n\n\ndef f():\n    pass\n";
    let (index, ..) = exported(&[("src/lib.rs", text), ("twice.py", twice)]);
    let names = |path| {
        let symbols = &document(&index, path).symbols;
        symbols.iter().map(|one| one.symbol.as_str()).collect::<Vec<_>>()
    };
    let rust = [
        "parity . . . src/`lib.rs`/A#",
        "parity . . . src/`lib.rs`/A#new().",
        "parity . . . src/`lib.rs`/B#",
        "parity . . . src/`lib.rs`/B#new().",
    ];
    assert_eq!(names("src/lib.rs"), rust);
    let python = ["parity . . . `twice.py`/f().", "parity . . . `twice.py`/f(+1)."];
    assert_eq!(names("twice.py"), python.map(str::to_owned));
    let call = document(&index, "src/lib.rs")
        .occurrences
        .iter()
        .map(row)
        .find(|row| row.0 == 6 && row.1 == 23);
    assert_eq!(call.unwrap().3, "parity . . . src/`lib.rs`/A#new().");
}

#[test]
fn every_symbol_is_valid_and_defined_once_in_its_document() {
    let sources = [
        ("shapes.py", SHAPES),
        ("main.py", MAIN),
        ("a b/`odd` näme.js", "export class A { #x = 1; get y() { return this.#x; } }\n"),
        (
            "lib.c",
            "typedef struct { int side; } square;\nint area(square *s) { return s->side; }\n",
        ),
        ("m.go", "package m\n\ntype T struct{ n int }\n\nfunc (t *T) Get() int { return t.n }\n"),
        ("empty.py", ""),
    ];
    let (index, exported, bytes) = exported(&sources);
    assert_eq!(exported.documents, sources.len());
    let of_documents = index.documents.iter().flat_map(|one| &one.occurrences);
    let defined: BTreeSet<&str> = of_documents
        .filter(|one| one.symbol_roles & SymbolRole::Definition as i32 != 0)
        .map(|one| one.symbol.as_str())
        .collect();
    for document in &index.documents {
        let described: Vec<&str> = document.symbols.iter().map(|one| one.symbol.as_str()).collect();
        assert!(described.is_sorted_by(|a, b| a < b), "{described:?}");
        for one in &document.occurrences {
            parse_symbol(&one.symbol).unwrap_or_else(|error| panic!("{}: {error:?}", one.symbol));
            let is_module = one.symbol.ends_with('/');
            let is_described = described.contains(&one.symbol.as_str());
            assert!(!is_local_symbol(&one.symbol) || is_described, "{}", one.symbol);
            assert!(
                is_module || is_described || defined.contains(one.symbol.as_str()),
                "{}",
                one.symbol
            );
        }
    }
    assert_eq!(
        information(document(&index, "lib.c"), "parity . . . `lib.c`/square#side.").display_name,
        "side"
    );
    assert_eq!(
        information(document(&index, "m.go"), "parity . . . `m.go`/T#Get().").display_name,
        "Get"
    );
    // The same sources elsewhere give the same bytes.
    assert_eq!(self::exported(&sources).2, bytes);
}

#[test]
fn secrets_are_masked() {
    let text = "def login(password=\"hunter2hunter2\"):\n    \"\"\"Logs in with password=hunter2hunter2.\"\"\"\n";
    let (index, _, bytes) = exported(&[("login.py", text)]);
    let login = information(document(&index, "login.py"), "parity . . . `login.py`/login().");
    assert!(login.signature_documentation.text.starts_with("def login(password="));
    assert!(!bytes.windows(7).any(|part| part == b"hunter2"), "{login}");
}

#[test]
fn an_output_that_fails_is_an_error() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("no space"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.py"), "x = 1\n").unwrap();
    let store = index::Settings::in_folder(folder.path().join("store"));
    let mut navigator = Navigator::open(Path::new(folder.path()), store).unwrap();
    let settings = Settings { project_root: String::new(), version: String::new() };
    let failed = scip(&mut navigator, &settings, &mut Full, &|_, _| {}).unwrap_err();
    assert_eq!(failed.to_string(), "the export cannot be written: no space");
}
