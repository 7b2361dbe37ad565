//! Every capped section at its cap, one beyond it, and at ten times the cap: what is shown and
//! what the marker counts are the list behind it.

use engine::profile::Profile;
use explore::{Exploration, selector};

use super::look;

/// A section: its name in `truncated`, its cap, a file and what makes `n` entries in it.
struct Case {
    section: &'static str,
    cap: usize,
    file: &'static str,
    text: fn(usize) -> String,
    marker: &'static str,
}

fn each(count: usize, entry: impl Fn(usize) -> String) -> String {
    (0..count).map(entry).collect::<String>()
}

const CASES: &[Case] = &[
    Case {
        section: "Imports Third-party",
        cap: 10,
        file: "a.py",
        text: |n| each(n, |i| format!("import m{i}\nimport m{i}\n")),
        marker: ", ...",
    },
    Case {
        section: "Classes",
        cap: 20,
        file: "a.py",
        text: |n| each(n, |i| format!("class C{i}: pass\n")),
        marker: "... and {} more classes",
    },
    Case {
        section: "Functions",
        cap: 20,
        file: "a.py",
        text: |n| each(n, |i| format!("def f{i}(): pass\n")),
        marker: "... and {} more functions",
    },
    Case {
        section: "Constants",
        cap: 15,
        file: "a.py",
        text: |n| each(n, |i| format!("C{i} = 1\n")),
        marker: ", ...",
    },
    Case {
        section: "Global Variables",
        cap: 15,
        file: "a.py",
        text: |n| each(n, |i| format!("v{i} = 1\n")),
        marker: ", ...",
    },
    Case {
        section: "Exports (__all__)",
        cap: 20,
        file: "a.py",
        text: |n| format!("__all__ = [{}]\n", each(n, |i| format!("'e{i}', "))),
        marker: ", ...",
    },
    Case {
        section: "Local imports",
        cap: 15,
        file: "a.js",
        text: |n| each(n, |i| format!("import './m{i}';\n")),
        marker: "... and {} more",
    },
    Case {
        section: "Classes",
        cap: 15,
        file: "a.js",
        text: |n| each(n, |i| format!("class C{i} {{}}\n")),
        marker: "... and {} more",
    },
    Case {
        section: "Classes methods",
        cap: 5,
        file: "a.js",
        text: |n| format!("class C {{ {} }}\n", each(n, |i| format!("m{i}() {{}} "))),
        marker: ", ...",
    },
    Case {
        section: "Functions parameters",
        cap: 3,
        file: "a.js",
        text: |n| format!("function f({}) {{}}\n", each(n, |i| format!("p{i}, "))),
        marker: ", ...",
    },
    Case {
        section: "React components hooks",
        cap: 3,
        file: "a.js",
        text: |n| {
            let hooks = each(n, |i| format!("useH{i}(); "));
            format!("function App() {{ {hooks} return <p/>; }}\n")
        },
        marker: ", ...",
    },
    Case {
        section: "Exports",
        cap: 15,
        file: "a.js",
        text: |n| each(n, |i| format!("exports.e{i} = 1;\n")),
        marker: "... and {} more",
    },
    Case {
        section: "Global variables",
        cap: 15,
        file: "a.js",
        text: |n| each(n, |i| format!("let v{i};\n")),
        marker: "... and {} more",
    },
    Case {
        section: "Imports Local",
        cap: 10,
        file: "a.ts",
        text: |n| each(n, |i| format!("import './m{i}';\n")),
        marker: "(+{} more)",
    },
    Case {
        section: "Interfaces",
        cap: 15,
        file: "a.ts",
        text: |n| each(n, |i| format!("interface I{i} {{}}\n")),
        marker: "... and {} more interfaces",
    },
    Case {
        section: "Enums members",
        cap: 15,
        file: "a.ts",
        text: |n| format!("enum E {{ {} }}\n", each(n, |i| format!("A{i}, "))),
        marker: "(+{} more)",
    },
    Case {
        section: "Classes Properties",
        cap: 15,
        file: "a.ts",
        text: |n| format!("class C {{ {} }}\n", each(n, |i| format!("p{i}: string; "))),
        marker: "(+{} more)",
    },
    Case {
        section: "Exports named",
        cap: 20,
        file: "a.ts",
        text: |n| each(n, |i| format!("export type T{i} = string;\n")),
        marker: "(+{} more)",
    },
    Case {
        section: "Exports re-exports",
        cap: 5,
        file: "a.ts",
        text: |n| each(n, |i| format!("export * from './m{i}';\n")),
        marker: "... and {} more",
    },
    Case {
        section: "Imports Standard library",
        cap: 10,
        file: "a.go",
        text: |n| format!("package a\nimport (\n{})\n", "\"fmt\"\n".repeat(n)),
        marker: "... and {} more",
    },
    Case {
        section: "Types",
        cap: 20,
        file: "a.go",
        text: |n| format!("package a\n{}", each(n, |i| format!("type T{i} int\n"))),
        marker: "... and {} more",
    },
    Case {
        section: "Functions Standalone",
        cap: 15,
        file: "a.go",
        text: |n| format!("package a\n{}", each(n, |i| format!("func F{i}() {{}}\n"))),
        marker: "... and {} more",
    },
    Case {
        section: "Functions Methods",
        cap: 15,
        file: "a.go",
        text: |n| format!("package a\n{}", each(n, |i| format!("func (t T) F{i}() {{}}\n"))),
        marker: "... and {} more",
    },
    Case {
        section: "Globals Constants",
        cap: 10,
        file: "a.go",
        text: |n| format!("package a\n{}", each(n, |i| format!("const C{i} = 1\n"))),
        marker: "... and {} more",
    },
];

fn check(case: &Case, count: usize, found: &Exploration) {
    let at = format!("{} {} {count}\n{}", case.file, case.section, found.summary);
    let json = serde_json::to_value(found).unwrap();
    let cut = found.truncated.iter().find(|cut| cut.section == case.section);
    if count <= case.cap {
        assert!(cut.is_none(), "{at}");
        return;
    }
    let cut = cut.unwrap_or_else(|| panic!("no cut: {at}\n{:?}", found.truncated));
    assert_eq!((cut.shown, cut.total), (case.cap, count), "{at}");
    assert_eq!(selector::select(&json, &cut.list).map(|list| list.len()), Some(count), "{at}");
    let marker = case.marker.replace("{}", &(count - case.cap).to_string());
    assert!(found.summary.contains(&marker), "{at}");
}

#[test]
fn the_marker_and_the_list_agree_at_below_and_beyond_the_cap() {
    for case in CASES {
        for count in [case.cap, case.cap + 1, case.cap * 10] {
            check(case, count, &look(case.file, &(case.text)(count), Profile::Parity));
        }
    }
}

#[test]
fn the_enhancement_profile_has_one_marker() {
    for case in CASES {
        let found = look(case.file, &(case.text)(case.cap * 50), Profile::Enhancement);
        let json = serde_json::to_value(&found).unwrap();
        assert!(!found.summary.contains(", ...\n") && !found.summary.contains("(+"));
        for cut in &found.truncated {
            assert_eq!(selector::select(&json, &cut.list).map(|list| list.len()), Some(cut.total));
            assert!(found.summary.contains(&format!("... and {} more", cut.total - cut.shown)));
        }
    }
}
