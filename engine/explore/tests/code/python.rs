use base::profile::Profile;
use serde_json::json;

use super::{fact, imports, look, symbols};

const TEXT: &str = r#"#!/usr/bin/env python3.11
"""What it is.

More."""
from __future__ import annotations
import os.path as p, numpy
from . import sibling
from .pkg.mod import (one as two,
                      three)

LIMIT: int = 3
a, (b, *c) = d = 1, (2, 3)
x.attribute = 1
_hidden = 0

@dataclass(frozen=True)
class Point(Base, metaclass=ABCMeta):
    """A point."""
    x: int
    if LIMIT:
        y = 2
        def conditional(self): pass
    @property
    def norm(self) -> float:
        def inner():
            yield 1
        return 0.0

    class Inner:
        z = 1

async def fetch(url: str, *,
                retries: int = f(1)) -> list[str]:
    """Fetch it."""
    import json
    yield url
    # trailing

if __name__ == "__main__":
    later = 1
"#;

#[test]
fn symbols_are_those_of_the_module_and_its_classes() {
    let found = look("a.py", TEXT, Profile::Enhancement);
    assert_eq!(found.malformed, None);
    assert_eq!(
        symbols(&found),
        [
            "variable LIMIT 11 exported",
            "variable a 12 exported",
            "variable b 12 exported",
            "variable c 12 exported",
            "variable d 12 exported",
            "variable _hidden 14",
            "class Point 17 exported",
            "variable Point.x 19 exported",
            "function Point.conditional 22 exported",
            "method Point.norm 24 exported",
            "function Point.norm.inner 25",
            "class Point.Inner 29 exported",
            "variable Point.Inner.z 30 exported",
            "function fetch 32 exported",
        ]
    );
    assert_eq!(
        imports(&found),
        [
            "stdlib __future__",
            "stdlib os.path",
            "third_party numpy",
            "local .",
            "local .pkg.mod",
            "stdlib json",
        ]
    );
    let point = &found.symbols[6];
    assert_eq!((point.decl_line, point.end_line), (16, 30));
    assert_eq!(point.decorators, ["dataclass(frozen=True)"]);
    assert_eq!(point.bases, ["Base", "metaclass=ABCMeta"]);
    assert_eq!(point.idioms, ["dataclass", "abstract"]);
    assert_eq!(point.doc.as_deref(), Some("A point."));
    let fetch = &found.symbols[13];
    assert_eq!(fetch.params, ["url: str", "*", "retries: int = f(1)"]);
    assert_eq!(fetch.return_type.as_deref(), Some("list[str]"));
    assert_eq!(
        (fetch.modifiers.as_slice(), fetch.idioms.as_slice()),
        (&["async".to_owned()][..], &["generator".to_owned()][..])
    );
    assert_eq!((fetch.decl_line, fetch.end_line), (32, 36));
}

#[test]
fn facts_are_those_of_the_file() {
    let found = look("a.py", TEXT, Profile::Parity);
    let fact = |name: &str| fact(&found, name).unwrap_or_default();
    assert_eq!(fact("python_version"), "3.11");
    assert_eq!(fact("module_docstring"), "What it is.\n\nMore.");
    assert_eq!(fact("has_main"), true);
    assert_eq!(fact("uses_typing"), true);
    assert_eq!(fact("is_stub_file"), false);
    assert_eq!(fact("classes")[0]["method_count"], 1);
    assert_eq!(fact("classes")[0]["is_dataclass"], true);
    assert_eq!(fact("functions")[2]["name"], "fetch");
    assert_eq!(fact("functions")[2]["parameters"], json!(["url", "retries"]));
    assert_eq!(fact("imports")["local"], json!([".", ".pkg.mod"]));
    let shown = "  async fetch(url, retries) -> list[str] (generator)\n    \"Fetch it.\"";
    assert!(found.summary.contains(shown), "{}", found.summary);
    let shown = "  @dataclass Point(Base, metaclass=ABCMeta) [dataclass, abstract] - 1 methods";
    assert!(found.summary.contains(shown), "{}", found.summary);
    assert!(found.summary.contains("Features: has main block, uses type hints"));
}

#[test]
fn a_literal_all_decides_what_is_exported() {
    for list in ["[\"b\", '_c']", "(\"b\", \"_c\")", "\"b\", \"_c\""] {
        let text = format!("__all__ = {list}\ndef a(): pass\ndef b(): pass\n_c = 1\n");
        let found = look("a.py", &text, Profile::Enhancement);
        assert_eq!(
            symbols(&found),
            [
                "variable __all__ 1",
                "function a 2",
                "function b 3 exported",
                "variable _c 4 exported"
            ]
        );
    }
    let found = look("a.py", "__all__ = [*other]\ndef a(): pass\n", Profile::Enhancement);
    assert_eq!(symbols(&found)[1], "function a 2 exported");
}

#[test]
fn names_below_an_if_or_try_of_the_module_are_its_names() {
    let text = "if a:\n    X = 1\nelif b:\n    X = 2\n    if c:\n        Y = 3\ntry:\n    import d\n    HAS_D = True\nexcept ImportError:\n    \
                HAS_D = False\nfor i in a:\n    LOOP = 1\nwith a:\n    WITH = 1\nclass C:\n    if a:\n        Z = 1\nif __name__ == '__main__':\n    \
                MAIN = 1\ndef f():\n    if a:\n        W = 1\n";
    let found = look("a.py", text, Profile::Enhancement);
    assert_eq!(
        symbols(&found),
        [
            "variable X 2 exported",
            "variable X 4 exported",
            "variable Y 6 exported",
            "variable HAS_D 9 exported",
            "variable HAS_D 11 exported",
            "class C 16 exported",
            "function f 21 exported"
        ]
    );
}
