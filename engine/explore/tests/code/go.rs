use base::profile::Profile;
use explore::{Input, Project, explore};
use serde_json::json;

use super::{fact, imports, look, symbols};

const TEXT: &str = r#"//go:build linux

// Package main does it.
package main

import (
	"fmt"
	str "strings"
	"example.org/lib"
)
import "C"

// Pair holds two.
type Pair[K any] struct {
	First, second K `json:"f"`
	fmt.Stringer
}

type (
	Reader interface {
		Read(p []byte) (n int, err error)
		~int | string
	}
	ID = int
)

const (
	A, b = iota, 1
	_ = 2
)

var x = errors.New("x")

func (p *Pair[K]) Swap(a, b string, f func(int) bool) (K, error) { var local int; return nil, nil }

func main() {}
func init() {}
"#;

#[test]
fn symbols_are_what_the_file_declares() {
    let found = look("a.go", TEXT, Profile::Enhancement);
    assert_eq!(found.malformed, None);
    assert_eq!(
        symbols(&found),
        [
            "struct Pair 14 exported",
            "field Pair.First 15 exported",
            "field Pair.second 15",
            "interface Reader 20 exported",
            "method Reader.Read 21 exported",
            "type ID 24 exported",
            "constant A 28 exported",
            "constant b 28",
            "variable x 32",
            "method Pair.Swap 34 exported",
            "function main 36",
            "function init 37",
        ]
    );
    assert_eq!(
        imports(&found),
        ["stdlib fmt", "stdlib strings", "third_party example.org/lib", "stdlib C"]
    );
    let pair = &found.symbols[0];
    assert_eq!(
        (pair.doc.as_deref(), pair.bases.as_slice()),
        (Some("Pair holds two."), &["fmt.Stringer".to_owned()][..])
    );
    assert_eq!((pair.decl_line, pair.end_line), (14, 17));
    assert_eq!(found.symbols[5].idioms, ["alias"]);
}

#[test]
fn facts_and_sections_are_those_of_the_file() {
    let found = look("a.go", TEXT, Profile::Parity);
    let fact = |name: &str| fact(&found, name).unwrap_or_default();
    assert_eq!(fact("package_name"), "main");
    assert_eq!(fact("has_main"), true);
    assert_eq!(fact("init_count"), 1);
    assert_eq!(fact("build_constraints"), json!(["//go:build linux"]));
    assert_eq!(fact("exports"), json!(["Pair", "Reader", "ID", "A", "Swap"]));
    assert_eq!(fact("functions")[0]["receiver"], "*Pair");
    assert_eq!(fact("functions")[0]["params"], json!(["string", "string", "func(int) bool"]));
    assert_eq!(fact("functions")[0]["returns"], json!(["K", "error"]));
    for shown in [
        "Format: Go\nPackage: main\nLines: 38\n\nBuild Constraints:\n  //go:build linux\n",
        "  Standard library (3):\n    - fmt\n    - strings\n    - C\n",
        "  - Pair: struct [3 members] (exported)\n  - Reader: interface [2 members] (exported)\n  - ID: alias (exported)\n",
        "  Methods:\n    - (*Pair) Swap(string, string, func(int) bool) -> K, error (exported)\n",
        "  Constants (2):\n    - A (exported)\n    - b\n  Variables (1):\n    - x\n",
        "Special: main(), 1 init(), 5 exports",
    ] {
        assert!(found.summary.contains(shown), "{shown}\n{}", found.summary);
    }
}

#[test]
fn the_nearest_manifest_decides_what_is_local() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("sub/deep")).unwrap();
    std::fs::write(folder.path().join("go.mod"), "module example.org/outer\n").unwrap();
    std::fs::write(folder.path().join("sub/go.mod"), "// x\nmodule example.org/inner // y\n")
        .unwrap();
    let text = "package a\nimport (\n\"example.org/inner/x\"\n\"example.org/innermost\"\n\"example.org/outer\"\n)\n";
    let project = Project::at(folder.path());
    let local = |file: &str| {
        let found = explore(&Input::memory(file, text.as_bytes()), &project, Profile::Parity);
        imports(&found)
    };
    let path = folder.path().join("sub/deep/a.go");
    let inner = [
        "local example.org/inner/x",
        "third_party example.org/innermost",
        "third_party example.org/outer",
    ];
    assert_eq!(local("sub/deep/a.go"), inner);
    assert_eq!(local(path.to_str().unwrap()), inner);
    assert_eq!(local("b.go")[2], "local example.org/outer");
}
