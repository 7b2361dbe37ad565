//! Files in which many symbols have one name: each has its own members, however the file is laid
//! out.

use base::profile::Profile;
use serde_json::{Value, json};

use super::{fact, look};

/// What a list of the fields says of each owner under a key.
fn members(name: &str, text: &str, list: &str, key: &str) -> Value {
    let found = look(name, text, Profile::Parity);
    assert_eq!(found.malformed, None, "{name} {text}");
    let owners = fact(&found, list).unwrap();
    let owners = owners.as_array().unwrap();
    owners.iter().map(|owner| owner.get(key).cloned().unwrap_or_default()).collect()
}

/// The file, its text with `@` where lines may end, the list, its key, and the members of each.
type Case = (&'static str, &'static str, &'static str, &'static str, Value);

fn cases() -> [Case; 9] {
    [
        (
            "a.js",
            "class A { f() {}@ g() {}@ }@class A { h() {}@ }",
            "classes",
            "methods",
            json!([["f", "g"], ["h"]]),
        ),
        (
            "a.ts",
            "interface A { x: string;@ y: number;@ }@interface A { z: string;@ }",
            "interfaces",
            "properties",
            json!([["x", "y"], ["z"]]),
        ),
        (
            "a.ts",
            "class A { f() {}@ g: string;@ }@class A { h() {}@ }",
            "classes",
            "methods",
            json!([["f"], ["h"]]),
        ),
        ("a.ts", "enum A { P,@ Q }@enum A { R }", "enums", "members", json!([["P", "Q"], ["R"]])),
        (
            "A.java",
            "interface A { void f();@ void g();@ }@interface A { void h();@ }",
            "interfaces",
            "methods",
            json!([["f", "g"], ["h"]]),
        ),
        (
            "a.cs",
            "interface A { void F();@ void G();@ }@interface A { void H();@ }",
            "interfaces",
            "methods",
            json!([["F", "G"], ["H"]]),
        ),
        (
            "a.rs",
            "mod a { pub struct S { S: u8,@ x: u8,@ }@ }@mod b { pub struct S { y: u8,@ }@ }",
            "structs",
            "fields",
            json!([["S", "x"], ["y"]]),
        ),
        (
            "a.swift",
            "enum A { case p@ case q@ }@enum A { case r@ }",
            "enums",
            "cases",
            json!([["p", "q"], ["r"]]),
        ),
        (
            "a.go",
            "package a\ntype A struct { x int;@ y int;@ };@type A struct { z int }",
            "types",
            "member_count",
            json!([2, 1]),
        ),
    ]
}

#[test]
fn each_has_its_own_members_on_lines_of_their_own_and_on_one_line() {
    for (name, text, list, key, expected) in cases() {
        for end in ["\n", " "] {
            // A case of Swift ends with its line.
            let end = if name == "a.swift" && end == " " { ";" } else { end };
            let text = text.replace('@', end);
            assert_eq!(members(name, &text, list, key), expected, "{name} {text}");
        }
    }
}

#[test]
fn components_on_one_line_have_their_own_hooks() {
    let text = "function A() { const [a] = useState(1); function f() { useRef(); } return <a/>; }@\
                function B() { const b = useMemo(a); return <b/>; }@useEffect();";
    for end in ["\n", " "] {
        let hooks = members("a.jsx", &text.replace('@', end), "react_components", "used_hooks");
        let last = if end == "\n" { json!(["useMemo"]) } else { json!(["useMemo", "useEffect"]) };
        assert_eq!(hooks, json!([["useState", "useRef"], last]));
    }
}
