//! Each language: a local name, an import, a member, and a name from outside.

use index::nav::answer::Resolution::{External, Import, Member, NameMatch, Scope};

use crate::place::{Place, one};

const PYTHON: &str = "class Base:\n    def run(self):\n        pass\n\nclass Item(Base):\n    def \
                      __init__(self):\n        self.size = 1\n\ndef make():\n    return Item()\n";

#[test]
fn python() {
    let of = |text: &str| {
        Place::of(&[
            ("pkg/__init__.py", "from .item import make\n"),
            ("pkg/item.py", PYTHON),
            ("main.py", text),
        ])
    };
    let asked = of("def f(x):\n    y = x\n    return ‹y›\n");
    assert_eq!(asked.definitions(), one("main.py", 2, 5, "variable", Scope));
    let asked = of("from pkg.item import Item as It\n‹It›()\n");
    assert_eq!(asked.definitions(), one("pkg/item.py", 5, 7, "class", Import));
    let asked = of("from pkg import make\n‹make›()\n");
    assert_eq!(asked.definitions(), one("pkg/item.py", 9, 5, "function", Import), "a re-export");
    let asked = of("import pkg.item\npkg.item.‹Item›()\n");
    assert_eq!(asked.definitions(), one("pkg/item.py", 5, 7, "class", Import));
    let asked = of("from pkg import item\n\ni = item.Item()\ni.‹run›()\n");
    assert_eq!(asked.definitions(), one("pkg/item.py", 2, 9, "method", Member), "a base's");
    let asked = of("from pkg.item import Item\ndef f(i: Item):\n    return i.‹size›\n");
    assert_eq!(asked.definitions(), one("pkg/item.py", 7, 14, "field", Member));
    let asked = Place::of(&[(
        "main.py",
        "class A:\n    def run(self):\n        pass\n\nclass B:\n    def run(self):\n        pass\n\n\
         class C(A, B):\n    pass\n\nc = C()\nc.‹run›()\n",
    )]);
    assert_eq!(asked.definitions(), one("main.py", 2, 9, "method", Member), "the first base's");
    let asked = of(
        "from os import Thing\nimport pkg\n\nclass C(Thing, pkg):\n    pass\n\nc = C()\nc.‹walk›()\n",
    );
    let found = asked.navigator().definition(&asked.query()).unwrap();
    assert_eq!(found.resolution, External, "a base from outside may have it");
    let asked = of("import os\nos.‹run›()\n");
    assert_eq!(asked.definitions(), [], "a homonym is not invented");
    let found = asked.navigator().definition(&asked.query()).unwrap();
    assert_eq!(found.resolution, External);
    let asked = of("‹print›()\n");
    assert_eq!(asked.definitions(), []);
    let asked = of("match x:\n    case [one, *rest]:\n        ‹rest›\n");
    assert_eq!(asked.definitions(), one("main.py", 2, 17, "variable", Scope));
    let asked = of("if ‹__name__› == '__main__':\n    pass\n");
    assert_eq!(asked.definitions(), one("main.py", 1, 1, "module", Scope));
    let asked = of("class A:\n    def f(self):\n        self.a, self.b = 1, 2\n        self.‹b›\n");
    assert_eq!(asked.definitions(), one("main.py", 3, 22, "field", Member));
    let asked = of("def f(thing):\n    thing.‹run›()\n");
    assert_eq!(asked.definitions(), one("pkg/item.py", 2, 9, "method", NameMatch));
}

#[test]
fn python_arguments_calls_and_modules() {
    let item = "class Base:\n    def __init__(self, size):\n        self.size = size\n\n    def grow(self) -> \"Base\":\n        pass\n\n\
                class Item(Base):\n    def grow(self):\n        return super().grow()\n\n\
                def make(width, *, depth=1) -> Item | None:\n    pass\n";
    let of = |text: &str| {
        Place::of(&[("pkg/__init__.py", ""), ("pkg/item.py", item), ("main.py", text)])
    };
    let asked = of("from pkg.item import make\nmake(1, ‹depth›=2)\n");
    assert_eq!(asked.definitions(), one("pkg/item.py", 12, 20, "parameter", Member));
    let asked = of("from pkg.item import Item\nItem(‹size›=2)\n");
    assert_eq!(asked.definitions(), one("pkg/item.py", 2, 24, "parameter", Member), "a base's");
    let asked = of("import os\nos.open(‹depth›=2)\n");
    assert_eq!(asked.definitions(), [], "of a function from outside");
    let asked = of("from pkg.item import make\nmake(1).‹grow›()\n");
    assert_eq!(asked.definitions(), one("pkg/item.py", 9, 9, "method", Member));
    let asked = of("from pkg import item\nmade = item.make(1)\nmade.‹size›\n");
    assert_eq!(asked.definitions(), one("pkg/item.py", 3, 14, "field", Member));
    let asked = of("from pkg.‹item› import make\n");
    assert_eq!(asked.definitions(), one("pkg/item.py", 1, 1, "module", Import));
    let asked = of("from ‹json›.decoder import JSONDecoder\n");
    assert_eq!(asked.definitions(), []);
    let grow = item.replace("super().grow", "super().‹grow›");
    let asked = Place::of(&[("pkg/item.py", &grow)]);
    assert_eq!(asked.definitions(), one("pkg/item.py", 5, 9, "method", Member));
}

/// There are more ways through these modules than could ever be taken one by one.
#[test]
fn modules_that_import_each_other_are_searched_once() {
    let names: Vec<String> = (0..12).map(|number| format!("m{number}.py")).collect();
    let imports: String = (0..12).map(|number| format!("from m{number} import *\n")).collect();
    let last = format!("def found():\n    pass\n\n{imports}");
    let of = |text: &str| {
        let mut files: Vec<(&str, &str)> =
            names.iter().map(|name| (name.as_str(), imports.as_str())).collect();
        files[11].1 = &last;
        files.push(("main.py", text));
        Place::of(&files)
    };
    let asked = of("from m0 import *\n‹found›()\n");
    assert_eq!(asked.definitions(), one("m11.py", 1, 5, "function", Import));
    let asked = of("from m0 import *\n‹lost›()\n");
    assert_eq!(asked.definitions(), []);
}

#[test]
fn typescript_types_of_modules_calls_and_namespaces() {
    let lib = "export interface Shape { side: number }\nexport function make(): Shape {}\n\
               export namespace util {\n  export function twice() {}\n}\n";
    let of = |text: &str| Place::of(&[("lib.ts", lib), ("main.ts", text)]);
    let asked = of("import * as lib from './lib';\nlet s: lib.‹Shape›;\n");
    assert_eq!(asked.definitions(), one("lib.ts", 1, 18, "interface", Import));
    let asked = of("import { Shape } from './lib';\nfunction f(s: Shape) { s.‹side›; }\n");
    assert_eq!(asked.definitions(), one("lib.ts", 1, 26, "property", Member));
    let asked = of("import { make } from './lib';\nconst s = make();\ns.‹side›;\n");
    assert_eq!(asked.definitions(), one("lib.ts", 1, 26, "property", Member));
    let asked = of("import { make } from './lib';\nmake().‹side›;\n");
    assert_eq!(asked.definitions(), one("lib.ts", 1, 26, "property", Member));
    let asked = of("import { util } from './lib';\nutil.‹twice›();\n");
    assert_eq!(asked.definitions(), one("lib.ts", 4, 19, "function", Member));
}

#[test]
fn exports_under_other_names_and_by_default() {
    let inner =
        "function twice() {}\nclass Shape {}\nexport { twice as double };\nexport default Shape;\n";
    let outer = "export { default as Shape, double as again } from './inner';\nexport * as all from './inner';\n";
    let of = |text: &str| Place::of(&[("inner.ts", inner), ("outer.ts", outer), ("main.ts", text)]);
    let asked = of("import { double } from './inner';\n‹double›();\n");
    assert_eq!(asked.definitions(), one("inner.ts", 1, 10, "function", Import));
    let asked = of("import { ‹double› as d } from './inner';\n");
    assert_eq!(asked.definitions(), one("inner.ts", 1, 10, "function", Import));
    let asked = of("import Any from './inner';\nnew ‹Any›();\n");
    assert_eq!(asked.definitions(), one("inner.ts", 2, 7, "class", Import));
    let asked = of("import { Shape } from './outer';\nnew ‹Shape›();\n");
    assert_eq!(asked.definitions(), one("inner.ts", 2, 7, "class", Import));
    let asked = of("import { all } from './outer';\nall.‹double›();\n");
    assert_eq!(asked.definitions(), one("inner.ts", 1, 10, "function", Import));
    let asked = of("double();\nfunction ‹double›() {}\nexport { double as twice };\n");
    assert_eq!(asked.definitions(), one("main.ts", 2, 10, "function", Scope));
}

#[test]
fn typescript_patterns_and_type_parameters() {
    let of = |text: &str| Place::of(&[("main.ts", text)]);
    let asked = of("function f({ size: s = 1, ...rest }, [a = 2]) { return ‹s›; }\n");
    assert_eq!(asked.definitions(), one("main.ts", 1, 20, "variable", Scope));
    let asked = of("function f({ size: s = 1, ...rest }, [a = 2]) { return ‹rest›; }\n");
    assert_eq!(asked.definitions(), one("main.ts", 1, 30, "variable", Scope));
    let asked = of("type A<T> = T;\ntype B<T> = { [K in keyof ‹T›]: T[K] };\n");
    assert_eq!(asked.definitions(), one("main.ts", 2, 8, "type", Scope));
    let asked = of("type B<T> = { [K in keyof T]: T[‹K›] };\n");
    assert_eq!(asked.definitions(), one("main.ts", 1, 16, "type", Scope));
    let asked = of("class A { #size = 1; f() { return this.‹#size›; } }\n");
    assert_eq!(asked.definitions(), one("main.ts", 1, 11, "field", Member));
    let asked = of("class A { constructor(private size: number) {} f() { this.‹size›; } }\n");
    assert_eq!(asked.definitions(), one("main.ts", 1, 31, "parameter", Member));
    let asked = of("enum E { One, Two = ‹One› + 1 }\n");
    assert_eq!(asked.definitions(), one("main.ts", 1, 10, "field", Scope));
}

#[test]
fn declarations_of_one_name_are_answered_together() {
    let text = "export interface Shape {}\nexport const Shape = 1;\nlet s: ‹Shape›;\n";
    let asked = Place::of(&[("main.ts", text)]);
    let found: Vec<_> = asked.definitions().into_iter().map(|one| one.1).collect();
    assert_eq!(found.len(), 2);
    let asked = Place::of(&[
        ("lib.ts", "export function f(a: string): void;\nexport function f(a: number): void {}\n"),
        ("main.ts", "import { f } from './lib';\n‹f›(1);\n"),
    ]);
    assert_eq!(asked.definitions().len(), 2, "overloads");
}

#[test]
fn common_js_modules_and_objects_that_are_given_members() {
    let lib = "exports.twice = function (x) {};\nvar once = exports.once = function () {};\n\
               function View() { this.size = 1; this.draw(); }\n\
               View.prototype.draw = function draw() { return this.size; };\nexports.View = View;\n";
    let app = "var app = {};\nmodule.exports = app;\napp.set = function (x) {};\n\
               app.get = function () { return this.set(1); };\n";
    let of = |text: &str| Place::of(&[("lib.js", lib), ("app.js", app), ("main.js", text)]);
    let asked = of("var lib = require('./lib');\nlib.‹twice›(1);\n");
    assert_eq!(asked.definitions(), one("lib.js", 1, 9, "variable", Import));
    let asked = of("var twice = require('./lib').twice;\n‹twice›(1);\n");
    assert_eq!(asked.definitions(), one("lib.js", 1, 9, "variable", Import));
    let asked = of("const { View } = require('./lib');\nnew ‹View›();\n");
    assert_eq!(asked.definitions(), one("lib.js", 3, 10, "function", Import));
    let asked = of("const { View } = require('./lib');\nconst v = new View();\nv.‹draw›();\n");
    assert_eq!(asked.definitions(), one("lib.js", 4, 32, "method", Member));
    let asked = of("var app = require('./app');\napp.‹set›(1);\n");
    assert_eq!(asked.definitions(), one("app.js", 3, 5, "method", Member));
    let this = app.replace("this.set", "this.‹set›");
    let asked = Place::of(&[("app.js", &this)]);
    assert_eq!(asked.definitions(), one("app.js", 3, 5, "method", Member));
    let this = lib.replace("this.draw", "this.‹draw›");
    let asked = Place::of(&[("lib.js", &this)]);
    assert_eq!(asked.definitions(), one("lib.js", 4, 32, "method", Member));
    let asked = Place::of(&[("app.js", "var app = {};\napp.on = function () {};\n‹on›();\n")]);
    assert_eq!(asked.definitions(), [], "a member is no name of the file");
}

#[test]
fn go_packages_literals_and_results() {
    let store = "package store\n\ntype Base struct {\n\tID int\n}\n\ntype Store struct {\n\tBase\n\tName string\n}\n\n\
                 func (s *Store) Get() *Base { return nil }\n\nfunc New() *Store { return nil }\n";
    let of = |text: &str| {
        let text = format!("package main\n\nimport \"example.org/x/store\"\n\n{text}");
        Place::of(&[("store/store.go", store), ("main.go", &text)])
    };
    let asked = of("func main() { ‹store›.New() }\n");
    assert_eq!(asked.definitions(), one("store/store.go", 1, 1, "module", Import));
    let asked = of("var s = store.Store{‹Name›: \"a\"}\n");
    assert_eq!(asked.definitions(), one("store/store.go", 9, 2, "field", Member));
    let asked = of("var s = []*store.Store{{‹Name›: \"a\"}}\n");
    assert_eq!(asked.definitions(), one("store/store.go", 9, 2, "field", Member));
    let asked = of("func f(s *store.Store) { s.‹Name› = \"a\" }\n");
    assert_eq!(asked.definitions(), one("store/store.go", 9, 2, "field", Member));
    let asked = of("func f() {\n\ts := store.New()\n\ts.‹Get›()\n}\n");
    assert_eq!(asked.definitions(), one("store/store.go", 12, 17, "method", Member));
    let asked = of("func f() { store.New().Get().‹ID› = 1 }\n");
    assert_eq!(asked.definitions(), one("store/store.go", 4, 2, "field", Member));
    let asked = of("func f(s *store.Store) { s.‹ID› = 1 }\n");
    assert_eq!(asked.definitions(), one("store/store.go", 4, 2, "field", Member), "embedded");
}

#[test]
fn go_generics_elements_and_aliases() {
    let types = "package p\n\ntype Pair[K any] struct {\n\tKey K\n\tInner\n}\n\ntype Inner struct {\n\tDeep int\n}\n\n\
                 type Other = Inner\n\nfunc New[K any](k K) (*Pair[K], error) { return nil, nil }\n";
    let of = |text: &str| {
        Place::of(&[("types.go", types), ("main.go", &format!("package p\n\n{text}"))])
    };
    let key = || one("types.go", 4, 2, "field", Member);
    let deep = || one("types.go", 9, 2, "field", Member);
    let asked = of("func (p *Pair[K]) Get() K { return p.‹Key› }\n");
    assert_eq!(asked.definitions(), key());
    let asked = of("func (p *Pair[K]) Get() ‹K› { return p.Key }\n");
    assert_eq!(asked.definitions(), one("main.go", 3, 15, "type", Scope));
    let asked = of("func f() {\n\tp, err := New(1)\n\tp.‹Deep› = 1\n}\n");
    assert_eq!(asked.definitions(), deep(), "of an embedded type, of a result");
    let asked = of("func f(all map[string][]*Other) { all[\"a\"][0].‹Deep› = 1 }\n");
    assert_eq!(asked.definitions(), deep(), "of an element, by an alias");
    let asked = of("func f(all []Inner) {\n\tfor _, x := range all { x.‹Deep› = 1 }\n}\n");
    assert_eq!(asked.definitions(), deep());
    let asked = of("var m = map[string]Inner{\"a\": {‹Deep›: 1}}\n");
    assert_eq!(asked.definitions(), deep());
    let asked = of("func f() {\nouter:\n\tfor {\n\t\tfor { break ‹outer› }\n\t}\n}\n");
    assert_eq!(asked.definitions(), one("main.go", 4, 1, "label", Scope));
    let asked = of("func f(a any) {\n\tswitch t := a.(type) {\n\tcase int: _ = ‹t›\n\t}\n}\n");
    assert_eq!(asked.definitions(), one("main.go", 4, 9, "variable", Scope));
    let asked = of("var a ‹string›\n");
    let found = asked.navigator().definition(&asked.query()).unwrap();
    assert_eq!(found.resolution, External);
}

#[test]
fn python_scopes_follow_the_language() {
    let asked = Place::of(&[(
        "a.py",
        "x = 1\nclass C:\n    x = 2\n    def f(self):\n        return ‹x›\n",
    )]);
    assert_eq!(asked.definitions(), one("a.py", 1, 1, "variable", Scope), "not that of the class");
    let asked = Place::of(&[("a.py", "v = 1\nw = [v for v in ‹v›]\n")]);
    assert_eq!(asked.definitions().len(), 1);
    let asked = Place::of(&[("a.py", "def f(n):\n    return lambda n: ‹n›\n")]);
    assert_eq!(asked.definitions(), one("a.py", 2, 19, "parameter", Scope));
}

#[test]
fn javascript_and_typescript() {
    let shape =
        "export class Shape {\n  area() {}\n}\nexport function make() {}\nexport default make;\n";
    let of = |text: &str| {
        Place::of(&[
            ("lib/shape.js", shape),
            ("lib/index.js", "export { make } from './shape';\n"),
            ("main.ts", text),
        ])
    };
    let asked = of("import { Shape as S } from './lib/shape';\nnew ‹S›();\n");
    assert_eq!(asked.definitions(), one("lib/shape.js", 1, 14, "class", Import));
    let asked = of("import { make } from './lib';\n‹make›();\n");
    assert_eq!(asked.definitions(), one("lib/shape.js", 4, 17, "function", Import), "a re-export");
    let asked = of("import { Shape } from './lib/shape';\nconst s = new Shape();\ns.‹area›();\n");
    assert_eq!(asked.definitions(), one("lib/shape.js", 2, 3, "method", Member));
    let asked = of("import * as lib from './lib/shape';\nlib.‹make›();\n");
    assert_eq!(asked.definitions(), one("lib/shape.js", 4, 17, "function", Import));
    let asked = of("import { make } from 'elsewhere';\n‹make›();\n");
    assert_eq!(asked.definitions(), []);
    let asked = of("interface I { n: number }\nfunction f(a: ‹I›) {}\n");
    assert_eq!(asked.definitions(), one("main.ts", 1, 11, "interface", Scope));
    let asked =
        of("const a = 1;\nfunction f() {\n  const a = 2;\n  { const a = 3; }\n  return ‹a›;\n}\n");
    assert_eq!(asked.definitions(), one("main.ts", 3, 9, "variable", Scope));
}

#[test]
fn go() {
    let store = "package store\n\ntype Store struct {\n\tName string\n}\n\nfunc (s *Store) Get() {}\n\nfunc New() *Store { return nil }\n";
    let of = |text: &str| {
        Place::of(&[
            ("store/store.go", store),
            ("help.go", "package main\n\nfunc help() {}\n"),
            ("main.go", text),
        ])
    };
    let asked =
        of("package main\n\nimport \"example.org/x/store\"\n\nfunc main() { store.‹New›() }\n");
    assert_eq!(asked.definitions(), one("store/store.go", 9, 6, "function", Import));
    let asked = of("package main\n\nfunc main() { ‹help›() }\n");
    assert_eq!(asked.definitions(), one("help.go", 3, 6, "function", Scope), "the same package");
    let asked = of(
        "package main\n\nimport st \"example.org/x/store\"\n\nfunc f(s *st.Store) { s.‹Get›() }\n",
    );
    assert_eq!(asked.definitions()[0].1, 7);
    let asked = of("package main\n\nimport \"fmt\"\n\nfunc main() { fmt.‹New›() }\n");
    assert_eq!(asked.definitions(), [], "from outside");
    let asked = of("package main\n\nimport \"net/store\"\n\nfunc main() { store.‹New›() }\n");
    assert_eq!(asked.definitions(), [], "the standard library's");
    let of_module = |text: &str| {
        Place::of(&[
            ("go.mod", "module example.org/x\n\ngo 1.22\n"),
            ("root.go", "package x\n\nfunc New() {}\n"),
            ("store/store.go", store),
            ("cmd/main.go", text),
        ])
    };
    let asked =
        of_module("package main\n\nimport x \"example.org/x\"\n\nfunc main() { x.‹New›() }\n");
    assert_eq!(asked.definitions(), one("root.go", 3, 6, "function", Import), "the module's root");
    let of_version = |text: &str| {
        Place::of(&[
            ("go.mod", "module example.org/go-x/v2\n\ngo 1.22\n"),
            ("root.go", "// Package x.\npackage x\n\nfunc New() {}\n"),
            ("root_test.go", "package x_test\n\nfunc New() {}\n"),
            ("cmd/main.go", text),
        ])
    };
    let asked =
        of_version("package main\n\nimport \"example.org/go-x/v2\"\n\nfunc main() { x.‹New›() }\n");
    assert_eq!(asked.definitions(), one("root.go", 4, 6, "function", Import), "by its clause");
    for module in ["example.org/y/v3", "gopkg.in/y.v3", "y"] {
        let asked = of_version(&format!(
            "package main\n\nimport \"{module}\"\n\nfunc main() {{ y.‹New›() }}\n"
        ));
        assert_eq!(asked.definitions(), [], "from outside: {module}");
    }
    let asked = of_module(
        "package main\n\nimport \"example.org/other/store\"\n\nfunc main() { store.‹New›() }\n",
    );
    assert_eq!(asked.definitions(), [], "another module's");
    let asked = of("package main\n\nfunc f(a int) int {\n\tb := a\n\treturn ‹b›\n}\n");
    assert_eq!(asked.definitions(), one("main.go", 4, 2, "variable", Scope));
}

#[test]
fn rust() {
    let shape = "pub struct Shape {\n    pub side: u32,\n}\n\nimpl Shape {\n    pub fn area(&self) -> u32 {\n        self.side\n    }\n}\n\npub fn make() -> Shape {\n    todo!()\n}\n";
    let of = |text: &str| Place::of(&[("src/shape.rs", shape), ("src/lib.rs", text)]);
    let asked = of("mod shape;\nuse crate::shape::make;\nfn f() {\n    ‹make›();\n}\n");
    assert_eq!(asked.definitions(), one("src/shape.rs", 11, 8, "function", Import));
    let asked = of("mod shape;\nuse shape::{Shape, make};\nfn f(s: &‹Shape›) {}\n");
    assert_eq!(asked.definitions(), one("src/shape.rs", 1, 12, "struct", Import));
    let asked = of("mod shape;\nuse shape::Shape;\nfn f(s: &Shape) { s.‹area›(); }\n");
    assert_eq!(asked.definitions(), one("src/shape.rs", 6, 12, "method", Member));
    let asked = of("mod shape;\nfn f() { shape::‹make›(); }\n");
    assert_eq!(asked.definitions(), one("src/shape.rs", 11, 8, "function", Import));
    let asked = of("use std::fs::make;\nfn f() { ‹make›(); }\nmod shape;\n");
    assert_eq!(asked.definitions(), [], "from outside");
    let asked = of("fn f(a: u32) {\n    let a = a + 1;\n    let b = ‹a›;\n}\n");
    assert_eq!(asked.definitions(), one("src/lib.rs", 2, 9, "variable", Scope));
}

#[test]
fn rust_modules_paths_and_types() {
    let shape = "pub struct Shape {\n    pub side: u32,\n}\n\nimpl Shape {\n    pub fn side(&self) -> u32 { 1 }\n    \
                 pub fn new() -> Self { todo!() }\n}\n\npub enum Kind {\n    Round { size: u32 },\n    Flat,\n}\n\n\
                 impl Default for Kind {\n    fn default() -> Kind { Kind::Flat }\n}\n";
    let of = |text: &str| {
        Place::of(&[
            ("Cargo.toml", "[package]\nname = \"my-crate\"\n"),
            ("src/shape/mod.rs", shape),
            ("src/lib.rs", &format!("pub mod shape;\n{text}")),
            ("tests/all.rs", "mod util;\nmod one;\n"),
            ("tests/util.rs", "pub struct Dir;\n"),
        ])
    };
    let asked = of("use crate::{shape::{Kind, Shape}, other};\nfn f(s: ‹Shape›) {}\n");
    assert_eq!(asked.definitions(), one("src/shape/mod.rs", 1, 12, "struct", Import), "a group");
    let asked = of("fn f() { crate::‹shape›::Shape::new(); }\n");
    assert_eq!(asked.definitions(), one("src/lib.rs", 1, 9, "module", Import));
    let asked = of("use shape::Shape;\nfn f() { let s = Shape::new(); s.‹side›(); }\n");
    assert_eq!(asked.definitions(), one("src/shape/mod.rs", 6, 12, "method", Member), "a call");
    let asked = of("use shape::Shape;\nfn f() { let s = Shape::new(); s.‹side›; }\n");
    assert_eq!(asked.definitions(), one("src/shape/mod.rs", 2, 9, "field", Member), "no call");
    let asked = of("use shape::Shape;\nfn f() { Shape { ‹side›: 1 }; }\n");
    assert_eq!(asked.definitions(), one("src/shape/mod.rs", 2, 9, "field", Member));
    let asked = of("use shape::Kind;\nfn f() { Kind::Round { ‹size›: 1 }; }\n");
    assert_eq!(asked.definitions(), one("src/shape/mod.rs", 11, 13, "field", Member));
    let asked = of("use shape::Kind;\nfn f() { Kind::‹default›(); }\n");
    assert_eq!(asked.definitions(), one("src/shape/mod.rs", 16, 8, "method", Member));
    let asked = of("struct A;\nimpl ‹A› {}\n");
    assert_eq!(asked.definitions(), one("src/lib.rs", 2, 8, "struct", Scope));
    let asked = of("struct A<W>(W);\nimpl<W: Write> A<W> { fn f(w: ‹W›) {} }\n");
    assert_eq!(asked.definitions(), one("src/lib.rs", 3, 6, "type", Scope));
    let asked = of(
        "fn f() {}\nmod tests {\n    mod inner {\n        use super::super::f;\n        fn g() { ‹f›(); }\n    }\n}\n",
    );
    assert_eq!(asked.definitions(), one("src/lib.rs", 2, 4, "function", Import));
    let tests = |text: &str| {
        Place::of(&[
            ("Cargo.toml", "[package]\nname = \"my-crate\"\n"),
            ("src/lib.rs", "pub fn run() {}\n"),
            ("tests/all.rs", "mod util;\nmod one;\n"),
            ("tests/util.rs", "pub struct Dir;\n"),
            ("tests/one.rs", text),
        ])
    };
    let asked = tests("use crate::util::Dir;\nfn f(d: ‹Dir›) {}\n");
    assert_eq!(asked.definitions(), one("tests/util.rs", 1, 12, "struct", Import), "its own crate");
    let asked = tests("use my_crate::run;\nfn f() { ‹run›(); }\n");
    assert_eq!(asked.definitions(), one("src/lib.rs", 1, 8, "function", Import), "the library");
}

#[test]
fn rust_within_macros() {
    let of = |text: &str| Place::of(&[("src/lib.rs", text)]);
    let asked = of("check!(name, |dir: u32| { let x = ‹dir›; });\n");
    assert_eq!(asked.definitions(), one("src/lib.rs", 1, 15, "parameter", Scope));
    let text = "struct A { size: u32 }\nfn f(a: A) { assert_eq!(1, vec![a.‹size›][0]); }\n";
    assert_eq!(
        of(text).definitions(),
        one("src/lib.rs", 1, 12, "field", Member),
        "a call in a call"
    );
    let asked = of("cfg! {\n    pub fn f() {}\n}\nfn g() { ‹f›(); }\n");
    assert_eq!(asked.definitions(), one("src/lib.rs", 2, 12, "function", Scope), "items");
    let files = [
        ("src/lib.rs", "#[macro_use]\nmod macros;\nmod a;\n"),
        ("src/macros.rs", "macro_rules! twice {\n    () => {};\n}\n"),
        ("src/a.rs", "fn f() { ‹twice›!(); }\n"),
    ];
    assert_eq!(
        Place::of(&files).definitions(),
        one("src/macros.rs", 1, 14, "macro", Import),
        "a macro of another file"
    );
}

#[test]
fn java() {
    let shape = "package a;\n\npublic class Shape extends Base {\n    int side;\n    int area() { return side; }\n}\n";
    let base = "package a;\n\nclass Base {\n    void draw() {}\n}\n";
    let of = |text: &str| {
        Place::of(&[
            ("src/a/Shape.java", shape),
            ("src/a/Base.java", base),
            ("src/b/Main.java", text),
        ])
    };
    let asked = of("package b;\nimport a.Shape;\nclass Main {\n    ‹Shape› s;\n}\n");
    assert_eq!(asked.definitions(), one("src/a/Shape.java", 3, 14, "class", Import));
    let asked = of(
        "package b;\nimport a.Shape;\nclass Main {\n    Shape s;\n    void f() { s.‹area›(); }\n}\n",
    );
    assert_eq!(asked.definitions(), one("src/a/Shape.java", 5, 9, "method", Member));
    let asked =
        of("package b;\nimport a.Shape;\nclass Main {\n    void f(Shape s) { s.‹draw›(); }\n}\n");
    assert_eq!(asked.definitions(), one("src/a/Base.java", 4, 10, "method", Member), "a base's");
    let asked = of("package b;\nclass Main {\n    int n;\n    int f() { return ‹n›; }\n}\n");
    assert_eq!(asked.definitions(), one("src/b/Main.java", 3, 9, "field", Scope));
}

#[test]
fn java_inheritance_overloads_and_packages() {
    let base = "package a.b;\n\npublic class Base<T> implements Named {\n    int size;\n    int size() { return ‹size›; }\n    \
                void put(int a) {}\n    void put(int a, int b) {}\n    class Part {}\n    static Base make() { return null; }\n}\n";
    let plain = base.replace(['‹', '›'], "");
    let named = "package a.b;\n\ninterface Named {\n    int length();\n}\n";
    let of = |text: &str| {
        Place::of(&[
            ("src/main/a/b/Base.java", &plain),
            ("src/main/a/b/Named.java", named),
            ("src/test/a/b/Item.java", text),
        ])
    };
    let asked = Place::of(&[("Base.java", base)]);
    assert_eq!(asked.definitions(), one("Base.java", 4, 9, "field", Scope), "not the method");
    let head = "package a.b;\n\nclass Item extends Base<String> {\n";
    let base = "src/main/a/b/Base.java";
    let asked = of("package a.b;\n\nclass Item extends ‹Base›<String> {}\n");
    assert_eq!(asked.definitions(), one(base, 3, 14, "class", Scope), "of the package elsewhere");
    let asked = of(&format!("{head}    int f() {{ return ‹size›(); }}\n}}\n"));
    assert_eq!(asked.definitions(), one(base, 5, 9, "method", Member), "inherited");
    let asked = of(&format!("{head}    void f() {{ ‹put›(g(1, 2), 3); }}\n}}\n"));
    assert_eq!(asked.definitions(), one(base, 7, 10, "method", Member), "an overload");
    let asked = of(&format!("{head}    ‹Part› part;\n}}\n"));
    assert_eq!(asked.definitions(), one(base, 8, 11, "class", Member), "a type of the base");
    let asked = of(&format!("{head}    int f() {{ return make().‹length›(); }}\n}}\n"));
    let named = "src/main/a/b/Named.java";
    assert_eq!(asked.definitions(), one(named, 4, 9, "method", Member), "of a call's type");
    let asked = of("package c;\nimport static a.b.Base.make;\nclass C { Object o = ‹make›(); }\n");
    assert_eq!(asked.definitions(), one(base, 9, 17, "method", Import));
    let asked = of("package c;\nimport a.b.*;\nclass C { ‹Base› o; }\n");
    assert_eq!(asked.definitions(), one(base, 3, 14, "class", Import));
    let asked = of(&format!("{head}    int f(byte[] all) {{ return all.‹length›; }}\n}}\n"));
    assert_eq!(asked.definitions(), [], "the length of an array");
    let asked = of(&format!("{head}    ‹String› name;\n}}\n"));
    let found = asked.navigator().definition(&asked.query()).unwrap();
    assert_eq!(found.resolution, External);
}

#[test]
fn c_macros_types_and_labels() {
    let lib = "typedef enum { ONE, TWO } number;\nstruct node { int size; };\ntypedef struct node node_t;\n\
               #if A\n#define LIMIT 1\n#else\n#define LIMIT 2\n#endif\n";
    let of = |text: &str| Place::of(&[("include/lib.h", lib), ("src/main.c", text)]);
    let asked = of("#include <lib.h>\nint f() { return ‹ONE›; }\n");
    assert_eq!(asked.definitions(), one("include/lib.h", 1, 16, "constant", Import));
    let asked = of("#include \"lib.h\"\nint f(node_t *n) { return n->‹size›; }\n");
    assert_eq!(asked.definitions(), one("include/lib.h", 2, 19, "field", Member));
    let asked = of("#include \"lib.h\"\nint f() { return ‹LIMIT›; }\n");
    assert_eq!(asked.definitions().len(), 2, "both sides of a condition");
    let asked = of("int f() { if (1) { goto ‹fail›; }\nfail: return 1; }\n");
    assert_eq!(asked.definitions(), one("src/main.c", 2, 1, "label", Scope));
}

#[test]
fn c_and_cpp() {
    let header = "struct item { int size; };\nint measure(struct item *i);\n#define LIMIT 3\n";
    let of = |name: &str, text: &str| Place::of(&[("include/item.h", header), (name, text)]);
    let asked = of("main.c", "#include \"include/item.h\"\nint main(void) { return ‹LIMIT›; }\n");
    assert_eq!(asked.definitions(), one("include/item.h", 3, 9, "macro", Import));
    let asked = of("main.c", "#include \"item.h\"\nint f(struct item *i) { return i->‹size›; }\n");
    assert_eq!(asked.definitions(), one("include/item.h", 1, 19, "field", Member));
    let asked = of("main.c", "int f(int a) {\n    int b = a;\n    return ‹b›;\n}\n");
    assert_eq!(asked.definitions(), one("main.c", 2, 9, "variable", Scope));
    let asked = of("main.cpp", "class Box {\n  int n;\n  int get() { return ‹n›; }\n};\n");
    assert_eq!(asked.definitions(), one("main.cpp", 2, 7, "field", Scope));
    let asked = of(
        "main.cpp",
        "class Box {\npublic:\n  int get();\n};\nint f(Box b) { return b.‹get›(); }\n",
    );
    assert_eq!(asked.definitions(), one("main.cpp", 3, 7, "method", Member));
}

#[test]
fn cpp_classes_namespaces_and_headers() {
    let base = "namespace lib {\ntemplate <class T>\nclass Base {\n public:\n  int size(int a);\n  int size(int a, int b);\n  T* item_;\n};\n}\n";
    let item = "#include \"base.h\"\nclass Item : public lib::Base<int> {\n public:\n  Item(int n);\n  int run() const;\n};\n";
    let of = |text: &str| {
        Place::of(&[
            ("include/base.h", base),
            ("include/item.h", item),
            ("src/item.cc", &format!("#include \"item.h\"\n{text}")),
        ])
    };
    let asked = of("int Item::run() const { return ‹size›(1, 2); }\n");
    assert_eq!(asked.definitions(), one("include/base.h", 6, 7, "method", Member), "an overload");
    let asked = of("int Item::run() const { return ‹item_› != 0; }\n");
    assert_eq!(asked.definitions(), one("include/base.h", 7, 6, "field", Member), "inherited");
    let asked = of("void f(std::shared_ptr<Item>& i) { i->‹run›(); }\n");
    assert_eq!(
        asked.definitions(),
        one("include/item.h", 5, 7, "method", Member),
        "of a reference"
    );
    let asked = of("void f(lib::‹Base›<int> b) {}\n");
    assert_eq!(asked.definitions(), one("include/base.h", 3, 7, "class", Import), "of a namespace");
    let asked = of("int ‹Item›::run() const { return 1; }\n");
    assert_eq!(asked.definitions(), one("include/item.h", 2, 7, "class", Import), "no constructor");
    let asked = of("int Item::‹run›() const { return 1; }\n");
    assert_eq!(asked.definitions().len(), 2, "declared and defined");
    let asked = of("void f() { std::‹size›(1); }\n");
    assert_eq!(asked.definitions(), [], "from outside");
    let asked = of("template <class T> T f(const T& t) { return ‹t›; }\n");
    assert_eq!(asked.definitions(), one("src/item.cc", 2, 33, "parameter", Scope));
}

#[test]
fn a_language_without_scopes_is_matched_by_name() {
    let asked = Place::of(&[("a.rb", "def helper\nend\n"), ("b.rb", "‹helper›()\n")]);
    assert_eq!(asked.definitions(), one("a.rb", 1, 5, "method", NameMatch));
}
