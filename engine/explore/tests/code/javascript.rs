use base::profile::Profile;
use serde_json::json;

use super::{fact, imports, look, symbols};

const TEXT: &str = r"'use strict';
import React, { useState as s } from 'react';
import * as fs from 'node:fs';
import './side.css';
export * from '../lib/x';
const { join } = require('path');
const limit = 3, twice = (n, m = f(1)) => n * 2;
let counter;

/** Shows.
 * @param a b */
export default function App({ title }) {
  const [x] = useState(0);
  function inner() {}
  return <p>{x}</p>;
}

class Store extends Base.Kind {
  #secret = 1;
  static size = 0;
  constructor() { super(); }
  get value() { return 1; }
  async *items() {}
}

const api = { run() { return import('./lazy.js'); }, stop: () => 0 };
if (limit) { var hidden = function () {}; }
export { Store as Shop, twice };
(function () { counter = 1; })();
";

#[test]
fn symbols_are_declarations_members_and_own_variables() {
    let found = look("a.jsx", TEXT, Profile::Enhancement);
    assert_eq!(found.malformed, None);
    assert_eq!(
        symbols(&found),
        [
            "variable limit 7",
            "function twice 7 exported",
            "variable counter 8",
            "function App 12 exported",
            "function App.inner 14 exported",
            "class Store 18 exported",
            "property Store.#secret 19",
            "property Store.size 20 exported",
            "constructor Store.constructor 21 exported",
            "getter Store.value 22 exported",
            "method Store.items 23 exported",
            "variable api 26",
            "method api.run 26",
        ]
    );
    assert_eq!(
        imports(&found),
        [
            "third_party react",
            "stdlib node:fs",
            "local ./side.css",
            "local ../lib/x",
            "stdlib path",
            "local ./lazy.js",
        ]
    );
    assert_eq!(found.imports[0].names, ["default", "useState"]);
    let app = &found.symbols[3];
    assert_eq!(app.doc.as_deref(), Some("Shows."));
    assert_eq!(app.modifiers, ["export", "default"]);
    assert_eq!(found.symbols[5].bases, ["Base.Kind"]);
    assert_eq!(found.symbols[1].params, ["n", "m = f(1)"]);
}

#[test]
fn facts_are_those_of_the_file() {
    let found = look("a.jsx", TEXT, Profile::Parity);
    let fact = |name: &str| fact(&found, name).unwrap_or_default();
    assert_eq!(fact("module_system"), "mixed");
    for flag in ["has_use_strict", "has_jsx", "is_react", "has_iife"] {
        assert_eq!(fact(flag), true, "{flag}");
    }
    assert_eq!(fact("import_count"), 6);
    assert_eq!(fact("react_components")[0]["name"], "App");
    assert_eq!(fact("react_components")[0]["used_hooks"], json!(["useState"]));
    assert_eq!(fact("functions")[0]["is_arrow"], true);
    assert_eq!(fact("exports").as_array().unwrap().len(), 4);
    assert!(found.summary.contains("Framework: React\n\nStructure:\n- Lines: 30"));
    assert!(found.summary.contains("  - App (function) [hooks: useState]"), "{}", found.summary);
}

#[test]
fn commonjs_exports_by_name() {
    let text = "function a() {}\nfunction b() {}\nfunction c() {}\nfunction d() {}\n\
                exports = module.exports = a;\nexports.x = b;\nmodule.exports = { c, d: 1 };\n";
    let found = look("a.cjs", text, Profile::Enhancement);
    assert_eq!(
        symbols(&found),
        ["function a 1 exported", "function b 2 exported", "function c 3 exported", "function d 4"]
    );
    assert_eq!(fact(&found, "module_system").unwrap(), "commonjs");
}

#[test]
fn the_types_of_flow_are_read_by_the_grammar_of_typescript() {
    let text = "/**\n * @flow strict\n */\n'use strict';\n\
                import type { A } from './a';\n\
                export type Props = $ReadOnly<{ size: number, run?: ?string }>;\n\
                function area(a: number, b: ?string, ...rest: Array<number>): number { return a; }\n\
                class Box<T> extends Base<T> {\n  size: number;\n  _x: ?T = null;\n\
                get(key: string): T { return this._x; }\n}\n\
                module.exports = { area, Box };\n";
    let found = look("a.js", text, Profile::Enhancement);
    assert_eq!(
        (found.language.as_deref(), found.explorer_used.as_str()),
        (Some("javascript"), "javascript")
    );
    let names = symbols(&found);
    for name in ["type Props 6 exported", "function area 7 exported", "class Box 8 exported"] {
        assert!(names.iter().any(|one| one == name), "{name}: {names:?}");
    }
    assert!(names.iter().any(|one| one == "method Box.get 11 exported"), "{names:?}");
    assert_eq!(imports(&found), ["local ./a"]);
}
