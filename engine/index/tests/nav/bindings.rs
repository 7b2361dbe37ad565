//! What a name is bound to: patterns, values that see an older name, paths, packages and types of one
//! name.

use index::nav::answer::Resolution::{External, Import, Member, Scope};

use crate::place::{Place, one};

#[test]
fn a_value_does_not_see_the_name_that_it_is_given() {
    let rust = |text: &str| Place::of(&[("src/lib.rs", text)]).definitions();
    let found = rust("fn f(a: u32) {\n    let a = ‹a› + 1;\n}\n");
    assert_eq!(found, one("src/lib.rs", 1, 6, "parameter", Scope));
    let found = rust("fn f(a: Option<u32>) {\n    if let Some(a) = ‹a› {}\n}\n");
    assert_eq!(found, one("src/lib.rs", 1, 6, "parameter", Scope));
    let found = rust("fn f(a: Option<u32>) {\n    if let Some(a) = a { ‹a›; }\n}\n");
    assert_eq!(found, one("src/lib.rs", 2, 17, "variable", Scope));
    let found = rust("fn f(a: Vec<u32>) {\n    for a in ‹a› {}\n}\n");
    assert_eq!(found, one("src/lib.rs", 1, 6, "parameter", Scope));
    let found = rust("fn f() {\n    ‹g›();\n    let g = 1;\n}\nfn g() {}\n");
    assert_eq!(found, one("src/lib.rs", 5, 4, "function", Scope), "a variable is not seen before");
    let go = |text: &str| Place::of(&[("a.go", &format!("package a\n{text}"))]).definitions();
    let found = go("func f(a int) {\n    if a := ‹a› + 1; a > 0 {\n    }\n}\n");
    assert_eq!(found, one("a.go", 2, 8, "parameter", Scope));
    let found = go("func f() (a int, err error) {\n    ‹a›, b := g()\n}\n");
    assert_eq!(found, one("a.go", 2, 11, "parameter", Scope), "an assignment to the result");
    let found = go("func f(a int) {\n    {\n        a := 1\n        ‹a›++\n    }\n}\n");
    assert_eq!(found, one("a.go", 4, 9, "variable", Scope));
    let text = "def f(a):\n    b = a\n    b = ‹b›[0]\n";
    let found = Place::of(&[("a.py", text)]).definitions();
    assert_eq!(found, one("a.py", 2, 5, "variable", Scope));
    let found = Place::of(&[("a.py", "f = lambda: ‹f›()\n")]).definitions();
    assert_eq!(found, one("a.py", 1, 1, "variable", Scope), "or else that very name");
}

#[test]
fn the_beginning_of_a_path_is_no_variable_and_a_constant_in_a_pattern_is_none() {
    let text = "mod theme { pub const A: u32 = 1; }\nfn f(theme: u32) { theme::‹A›; }\n";
    let found = Place::of(&[("src/lib.rs", text)]).definitions();
    assert_eq!(found, one("src/lib.rs", 1, 23, "constant", Member));
    let text = "const A: u32 = 1;\nfn f(x: (u32, u32)) { match x { (‹A›, _) => {} } }\n";
    let found = Place::of(&[("src/lib.rs", text)]).definitions();
    assert_eq!(found, one("src/lib.rs", 1, 7, "constant", Scope));
}

#[test]
fn rust_crates_by_name_and_types_of_one_name() {
    let of = |text: &str| {
        Place::of(&[
            ("Cargo.toml", "[package]\nname = \"my-crate\"\n"),
            ("src/lib.rs", "pub mod shape;\n"),
            ("src/shape.rs", "pub fn run() {}\n"),
            ("tests/one.rs", "struct Case;\nimpl Case { fn go(&self) {} }\n"),
            ("tests/two.rs", text),
        ])
    };
    let found = of("fn f() { my_crate::‹shape›::run(); }\n").definitions();
    assert_eq!(found, one("src/lib.rs", 1, 9, "module", Import));
    let found =
        of("use my_crate::{shape::{self as other}};\nfn f() { ‹other›::run(); }\n").definitions();
    assert_eq!(found, one("src/shape.rs", 1, 1, "module", Import));
    let found = of("struct Case;\nimpl Case { fn go(&self) {} }\nfn f(c: Case) { c.‹go›(); }\n");
    assert_eq!(found.definitions(), one("tests/two.rs", 2, 16, "method", Member));
    let asked = of("use my_crate::shape::*;\nfn f() { ‹Vec›::new(); }\n");
    let found = asked.navigator().definition(&asked.query()).unwrap();
    assert_eq!(found.resolution, External, "all names of a module of the root are known");
}

#[test]
fn a_module_and_a_function_of_one_name_are_told_apart() {
    let lookup = ("src/lookup/mod.rs", "mod resolve;\n\npub use resolve::resolve;\n");
    let resolve = ("src/lookup/resolve.rs", "pub fn resolve() {}\npub fn other() {}\n");
    let found = |main: &str| Place::of(&[("src/lib.rs", main), lookup, resolve]).definitions();
    let function = one("src/lookup/resolve.rs", 1, 8, "function", Import);
    assert_eq!(found("mod lookup;\nuse lookup::resolve;\nfn f() { ‹resolve›(); }\n"), function);
    let function = one("src/lookup/resolve.rs", 1, 8, "function", Member);
    let called = found("mod lookup;\nfn f() { lookup::‹resolve›(); }\n");
    assert_eq!(called.len(), 1);
    assert_eq!((&called[0].0, called[0].1), (&function[0].0, function[0].1));
    let other = found("mod lookup;\nuse lookup::resolve::‹other›;\n");
    assert_eq!((other[0].0.as_str(), other[0].1), ("src/lookup/resolve.rs", 2));
}

#[test]
fn python_packages_are_imported_from_the_folder_around_them() {
    let of = |text: &str| {
        Place::of(&[
            ("src/pkg/__init__.py", ""),
            ("src/pkg/typing.py", "Optional = 1\n"),
            ("src/pkg/main.py", text),
        ])
    };
    let asked = of("from typing import ‹Optional›\n");
    let found = asked.navigator().definition(&asked.query()).unwrap();
    assert_eq!(found.resolution, External, "a module of the package has the name of another");
    let found = of("from pkg.typing import ‹Optional›\n").definitions();
    assert_eq!(found, one("src/pkg/typing.py", 1, 1, "variable", Import));
}

#[test]
fn an_attribute_is_defined_where_it_is_assigned_first() {
    let base = "class A:\n    def __init__(self):\n        self.size = 1\n\n";
    let more = "class B(A):\n    def grow(self):\n        self.‹size› = 2\n";
    let found = Place::of(&[("a.py", &format!("{base}{more}"))]).definitions();
    assert_eq!(found, one("a.py", 3, 14, "field", Member), "by the base");
    let text = "class A {\n  constructor() { this.size = 1; }\n  grow() { this.‹size› = 2; }\n}\n";
    let found = Place::of(&[("a.js", text)]).definitions();
    assert_eq!(found, one("a.js", 2, 24, "field", Member));
}

#[test]
fn patterns_take_members_of_a_value() {
    let of = |text: &str| {
        Place::of(&[(
            "a.ts",
            &format!("interface A {{ size: B }}\ninterface B {{ more: number }}\n{text}"),
        )])
    };
    let found = of("function f({ ‹size› }: A) {}\n").definitions();
    assert_eq!(found, one("a.ts", 1, 15, "property", Member));
    let found = of("function f({ size }: A) { return size.‹more›; }\n").definitions();
    assert_eq!(found, one("a.ts", 2, 15, "property", Member), "with its type");
    let found = of("function f({ size }: A) { return ‹size›; }\n").definitions();
    assert_eq!(found, one("a.ts", 3, 14, "variable", Scope));
    let found = of("function f(a: A) { const { ‹size›: other } = a; }\n").definitions();
    assert_eq!(found, one("a.ts", 1, 15, "property", Member));
    let text = "function f({ size, more = 1 }) {}\nf({ ‹more›: 2 });\n";
    let found = Place::of(&[("a.js", text)]).definitions();
    assert_eq!(found, one("a.js", 1, 20, "parameter", Member), "an object as the argument");
}

#[test]
fn npm_packages_are_imported_by_their_names() {
    let of = |text: &str| {
        Place::of(&[
            ("package.json", r##"{"name": "@a/b", "exports": {"./*": "./src/*.js"}, "imports": {"#own": "./src/own.js"}}"##),
            ("src/one.js", "export const one = 1;\n"),
            ("src/own.js", "export const own = 1;\n"),
            ("main.js", text),
        ])
        .definitions()
    };
    assert_eq!(
        of("import { ‹one› } from '@a/b/one';\n"),
        one("src/one.js", 1, 14, "variable", Import)
    );
    assert_eq!(of("import { ‹own› } from '#own';\n"), one("src/own.js", 1, 14, "variable", Import));
    assert_eq!(of("import { ‹one› } from '@a/c/one';\n"), []);
    let typed = Place::of(&[
        ("a.js", "export function f() {}\n"),
        ("a.d.ts", "export declare function f(): void;\n"),
        ("main.ts", "import { ‹f› } from './a.js';\n"),
    ]);
    assert_eq!(typed.definitions(), one("a.d.ts", 1, 25, "function", Import));
    let again = Place::of(&[
        ("a.ts", "export default function a() {}\n"),
        ("b.ts", "export default function b() {}\n"),
        ("main.ts", "export { default as a } from './a';\nexport { ‹default› as b } from './b';\n"),
    ]);
    assert_eq!(again.definitions(), one("b.ts", 1, 25, "function", Import));
}
