//! Files that only the enhancement profile tags: what is read of each, and that the parity profile shows them by
//! their names as before.

use std::{fs, path::Path};

use base::profile::Profile;
use map::{
    Factor, MapRequest, TraceDetail, build,
    language::{Detected, registry},
    syntax::{
        TagKind::{self, Definition as D, Reference as R},
        extract,
    },
};

/// Row, name and kind of the tags of a file, sorted and each once.
fn tags(path: &str, text: &str) -> Vec<(i32, String, TagKind)> {
    let Detected::Tagged(language) = registry().detect(path, Profile::Enhancement) else {
        panic!("{path} has no language")
    };
    let tags = extract(language, path, text, Profile::Enhancement).unwrap().tags;
    let mut tags: Vec<_> =
        tags.iter().map(|tag| (tag.line, tag.name(text).to_owned(), tag.kind)).collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}

fn expect(path: &str, text: &str, expected: &[(i32, &str, TagKind)]) {
    let found = tags(path, text);
    let found: Vec<_> =
        found.iter().map(|(row, name, kind)| (*row, name.as_str(), *kind)).collect();
    assert_eq!(found, expected, "{path}");
}

#[test]
fn stubs_and_module_files_are_read_as_their_language() {
    expect(
        "a.pyi",
        "class Reader:\n    def read(self): ...\nopen_it()\n",
        &[(0, "Reader", D), (1, "read", D), (2, "open_it", R)],
    );
    expect(
        "a.mts",
        "export function load(): Store { return new Store() }\n",
        &[(0, "Store", R), (0, "load", D)],
    );
    expect("a.cjs", "function load() {}\nsave()\n", &[(0, "load", D), (1, "save", R)]);
    // It refers to nothing by its query, so the lexer of its language names what it refers to.
    assert!(tags("a.cts", "function load() { return save }\n").contains(&(
        -1,
        "save".to_owned(),
        R
    )));
    assert!(tags("a.pyw", "def load():\n    return save\n").contains(&(-1, "save".to_owned(), R)));
}

#[test]
fn shell_functions_and_commands_are_tags() {
    let text = "#!/bin/sh\nbuild_all() {\n  echo \"$1\"\n  run_tests -v\n}\nfunction deploy { build_all; }\n";
    expect(
        "a.sh",
        text,
        &[(1, "build_all", D), (3, "run_tests", R), (5, "build_all", R), (5, "deploy", D)],
    );
    expect("b.sh", "# nothing\necho hello\nexit 1\n", &[]);
}

#[test]
fn the_scripts_of_pages_and_components_are_tags_where_they_stand() {
    expect(
        "a.html",
        "<p>function no() {}</p>\n<script>\nfunction toggle(x) { hide(x) }\n</script>\n",
        &[(2, "hide", R), (2, "toggle", D)],
    );
    let vue = "<template>\n  <Chart @click=\"draw\"/>\n</template>\n<script setup lang=\"ts\">\nimport Chart from './Chart.vue'\nconst draw = (at: Point) => paint(at)\n</script>\n<style>.draw {}</style>\n";
    expect("A.vue", vue, &[(4, "Chart", R), (5, "Point", R), (5, "draw", D), (5, "paint", R)]);
    let options = "<script>\nexport default { methods: { save() { this.send() } } }\n</script>\n";
    expect("B.vue", options, &[(1, "save", D), (1, "send", R)]);
    let svelte = "<script context=\"module\">\nexport class Store {}\n</script>\n<h1>{name}</h1>\n";
    expect("a.svelte", svelte, &[(1, "Store", D)]);
    let astro = "---\nimport { fetchPosts } from '../posts'\ninterface Props { title: string }\n---\n<h1>function no() {}</h1>\n<script>start()</script>\n";
    expect("a.astro", astro, &[(1, "fetchPosts", R), (2, "Props", D), (5, "start", R)]);
    for page in
        ["<p>function no() {}</p>\n", "<script type=\"application/ld+json\">{}</script>\n", ""]
    {
        expect("b.html", page, &[]);
    }
}

#[test]
fn style_sheets_define_classes_variables_and_animations() {
    let text = ":root { --main: red }\n.button, #top > a { color: var(--main) }\n@media (x) { .small { animation: fade 1s } }\n@keyframes fade { from { top: 0 } }\n";
    expect(
        "a.css",
        text,
        &[
            (0, "--main", D),
            (1, "--main", R),
            (1, "button", D),
            (2, "fade", R),
            (2, "small", D),
            (3, "fade", D),
        ],
    );
    let text = "$gap: 1px;\n%base { top: 0 }\n@mixin round($r) { top: $r }\n@function twice($n) { @return $n }\n.card { @include round(1); width: twice($gap) }\n";
    expect(
        "a.scss",
        text,
        &[
            (0, "$gap", D),
            (1, "base", D),
            (2, "$r", R),
            (2, "round", D),
            (3, "$n", R),
            (3, "twice", D),
            (4, "$gap", R),
            (4, "card", D),
            (4, "round", R),
            (4, "twice", R),
        ],
    );
}

#[test]
fn kernels_and_their_launches_are_tags() {
    let text = "struct Node { int v; };\n__device__ int help(Node n) { return n.v; }\ntemplate <typename T> __global__ void add(T *a) { help(1); }\nvoid run() { add<<<1, 2>>>(a); }\n";
    expect(
        "a.cu",
        text,
        &[
            (0, "Node", D),
            (1, "Node", R),
            (1, "help", D),
            (2, "T", R),
            (2, "add", D),
            (2, "help", R),
            (3, "add", R),
            (3, "run", D),
        ],
    );
}

#[test]
fn classes_and_messages_of_objective_c_are_tags_whatever_the_extension() {
    let text = "#import <A.h>\n@interface Car : Vehicle\n- (void)drive:(int)far to:(int)there;\n@end\n@implementation Car\n- (void)drive:(int)far to:(int)there { [Road find:1 from:2]; }\n@end\n";
    let expected = [
        (1, "Car", D),
        (1, "Vehicle", R),
        (2, "drive", D),
        (4, "Car", D),
        (5, "Road", R),
        (5, "drive", D),
        (5, "find", R),
    ];
    for path in ["a.mm", "a.m", "a.h"] {
        expect(path, text, &expected);
    }
    expect("b.m", "function y = f(x)\n  y = g(x);\nend\n", &[(0, "f", D), (1, "g", R)]);
}

#[test]
fn procedures_namespaces_and_classes_of_tcl_are_tags() {
    let text = "proc add {a} { help $a }\nnamespace eval shop {\n  proc sell {x} { shop::buy $x }\n}\noo::class create Car {\n  method drive {x} { my stop }\n}\n";
    let found = tags("a.tcl", text);
    for (row, name, kind) in [
        (0, "add", D),
        (0, "help", R),
        (1, "shop", D),
        (2, "sell", D),
        (2, "shop::buy", R),
        (4, "Car", D),
        (5, "drive", D),
        (5, "stop", R),
    ] {
        assert!(found.contains(&(row, name.to_owned(), kind)), "{name}: {found:?}");
    }
}

/// Files, what their entries show, and a repository of them.
const FILES: [(&str, &str, &str); 19] = [
    ("a.css", ".button { top: 0 }\n", ".button"),
    ("a.scss", "@mixin round($r) { top: 0 }\n", "@mixin round($r)"),
    ("a.cu", "__global__ void add(int *a) {}\n", "__global__ void add(int *a)"),
    ("a.mm", "@interface Car : NSObject\n@end\n", "@interface Car : NSObject"),
    ("a.tcl", "proc add {a} {}\n", "proc add {a}"),
    ("Rakefile", "def compile_all\nend\n", "def compile_all"),
    ("a.hh", "int read_header(int a);\n", "int read_header(int a);"),
    ("a.pyi", "def read_header(self): ...\n", "def read_header(self): ..."),
    ("a.mts", "export function loadAll(): void {}\n", "export function loadAll(): void {}"),
    ("run.sh", "build_everything() {\n  true\n}\n", "build_everything()"),
    ("Makefile", "release: all\n\ttrue\n", "release: all"),
    ("Dockerfile", "FROM debian AS builder\nRUN true\n", "FROM debian AS builder"),
    ("p.html", "<p/>\n<script>function toggleMenu() {}</script>\n", "function toggleMenu() {}"),
    ("Chart.vue", "<script>\nfunction drawChart() {}\n</script>\n", "function drawChart() {}"),
    ("Nav.svelte", "<script>\nfunction openNav() {}\n</script>\n", "function openNav() {}"),
    ("Post.astro", "---\nfunction readPost() {}\n---\n", "function readPost() {}"),
    ("schema.sql", "CREATE TABLE orders (\n  id int\n);\n", "CREATE TABLE orders ("),
    ("a.proto", "syntax = \"proto3\";\nmessage Order {}\n", "message Order"),
    (
        "openapi.json",
        "{\"openapi\": \"3.1.0\", \"paths\": {\"/a\": {\"get\": {\n\"operationId\": \"listOrders\"}}}}\n",
        "\"operationId\": \"listOrders\"",
    ),
];

fn repository() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for (name, text, _) in FILES {
        fs::write(place.path().join(name), text).unwrap();
    }
    for arguments in [&["init", "-q"][..], &["add", "-A"]] {
        let git =
            std::process::Command::new("git").arg("-C").arg(place.path()).args(arguments).status();
        assert!(git.unwrap().success());
    }
    place
}

fn map(root: &Path, profile: Profile, without: &[Factor]) -> String {
    let mut request = MapRequest::new(root);
    request.profile = profile;
    request.map_tokens = Some(4000.0);
    request.without = without.iter().copied().collect();
    build(&request, TraceDetail::None).unwrap().text.unwrap()
}

#[test]
fn a_map_shows_what_they_define_and_the_parity_profile_their_names() {
    let place = repository();
    let ours = map(place.path(), Profile::Enhancement, &[]);
    let outlined = map(place.path(), Profile::Enhancement, &[Factor::Signatures]);
    let parity = map(place.path(), Profile::Parity, &[]);
    for (name, _, shown) in FILES {
        assert!(ours.contains(&format!("\n{name}:\n")) && ours.contains(shown), "{name}: {ours}");
        assert!(outlined.contains(&format!("\n{name}:\n")), "{name}: {outlined}");
        assert!(parity.contains(&format!("\n{name}\n")), "{name}: {parity}");
        assert!(!parity.contains(shown), "{name}: {parity}");
    }
}
