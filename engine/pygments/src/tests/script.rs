//! JavaScript and TypeScript.

use super::check;

#[test]
fn typescript_types_and_decorators() {
    check(
        "a.ts",
        concat!(
            "@Component({a: 1})\n",
            "export class Foo<T> implements Bar {\n",
            "  #hidden?: string;\n",
            "  constructor(private readonly x: number, ...rest: any[]) { super(x) }\n",
            "}\n",
            "moduleName.run()\n",
        ),
        "typescript",
        &["a", "Foo", "T", "Bar", "#hidden", "?", "x", "...rest", "x", "Name.run"],
    );
    check(
        "a.ts",
        "const f = async (a?: string): Promise<void> => { for (const k in a) return k ? b.c : d }\n",
        "typescript",
        &["f", "a?", "Promise", "k", "a", "k", "b.c"],
    );
}

#[test]
fn typescript_templates_and_expressions() {
    check(
        "a.ts",
        concat!(
            "const t = `a ${b + `in ${c}`} d`; const r = /[/\"]x\\/y/g.test(s); const q = a / b / c;\n",
            "const bad = x\n",
            "/ unclosed regex swallows names\n",
            "let after\n",
        ),
        "typescript",
        &["t", "b", "c", "r", "test", "s", "q", "a", "b", "c", "bad", "x", "after"],
    );
}

#[test]
fn tsx_elements() {
    check(
        "a.tsx",
        concat!(
            "const el = <App.View data-id=\"x\" {...props} on={() => go(1)}>text {value}</App.View>;\n",
            "const f = <></>;\n",
        ),
        "tsx",
        &[
            "el", "App", "View", "data-id", "...props", "on", "go", "text", "value", "App", "View",
            "f",
        ],
    );
}

#[test]
fn javascript_words_and_strings() {
    check(
        "a.js",
        concat!(
            "#!/usr/bin/env node\n",
            "var a = 'it\\'s', b = 0x1F_FF; obj.method() {}\n",
            "function g() { return /re/i.exec(a) }\n",
            "Array.from(x).map(y => y.z) // c\n",
        ),
        "javascript",
        &["a", "b", "_FF", "obj.method", "g", "exec", "a", "Array", "x", "map", "y", "y", "z"],
    );
}

#[test]
fn javascript_that_looks_like_a_template() {
    check(
        "a.js",
        concat!("const a = `x ${b.c} y`;\n", "let $el = $this.next;\n", "#comment if x\n",),
        "js+genshitext",
        &["a", "b", "c", "$el", "$this.next", "x"],
    );
    check(
        "a.js",
        concat!("var a = \"{% if x %}\"; var b = \"{{ y|upper }}\";\n", "var c;\n",),
        "javascript+django",
        &["a", "x", "b", "y", "upper", "c"],
    );
    check(
        "a.js",
        concat!("var a = \"<%= name.size %>\";\n", "var b;\n",),
        "javascript+ruby",
        &["a", "name", "size", "b"],
    );
}
