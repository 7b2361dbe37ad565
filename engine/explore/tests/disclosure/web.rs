//! Lists of JavaScript, TypeScript, CSS and SCSS.

use super::{Case, each};

pub const CASES: &[Case] = &[
    ("a.js", "Built-in imports", 15, "... and {} more", |n| {
        each(n, |i| format!("import 'node:zq{i}';\n"))
    }),
    ("a.js", "Third-party imports", 15, "... and {} more", |n| {
        each(n, |i| format!("import 'zq{i}';\n"))
    }),
    ("a.js", "Local imports", 15, "... and {} more", |n| {
        each(n, |i| format!("import './zq{i}';\n"))
    }),
    ("a.js", "React components", 15, "... and {} more", |n| {
        each(n, |i| format!("function Zq{i}() {{ return <p/>; }}\n"))
    }),
    ("a.js", "Classes", 15, "... and {} more", |n| each(n, |i| format!("class Zq{i} {{}}\n"))),
    ("a.js", "Functions", 15, "... and {} more", |n| {
        each(n, |i| format!("function zq{i}() {{}}\n"))
    }),
    ("a.js", "Exports", 15, "... and {} more", |n| each(n, |i| format!("exports.zq{i} = 1;\n"))),
    ("a.js", "Global variables", 15, "... and {} more", |n| each(n, |i| format!("let zq{i};\n"))),
    ("a.js", "React components, hooks", 3, ", ...]", |n| {
        format!("function App() {{ {}return <p/>; }}\n", each(n, |i| format!("useZq{i}(); ")))
    }),
    ("a.js", "Classes, methods", 5, ", ...", |n| {
        format!("class C {{ {}}}\n", each(n, |i| format!("zq{i}() {{}} ")))
    }),
    ("a.js", "Functions, parameters", 3, ", ...)", |n| {
        format!("function f({}) {{}}\n", each(n, |i| format!("zq{i}, ")))
    }),
    ("a.ts a.tsx", "Imports Built-in", 10, "(+{} more)", |n| {
        each(n, |i| format!("import 'node:zq{i}';\n"))
    }),
    ("a.ts a.tsx", "Imports Third-party", 10, "(+{} more)", |n| {
        each(n, |i| format!("import 'zq{i}';\n"))
    }),
    ("a.ts a.tsx", "Imports Local", 10, "(+{} more)", |n| {
        each(n, |i| format!("import './zq{i}';\n"))
    }),
    ("a.ts a.tsx", "Interfaces", 15, "... and {} more interfaces", |n| {
        each(n, |i| format!("interface Zq{i} {{}}\n"))
    }),
    ("a.ts a.tsx", "Type Aliases", 15, "... and {} more types", |n| {
        each(n, |i| format!("type Zq{i} = string;\n"))
    }),
    ("a.ts a.tsx", "Enums", 15, "... and {} more enums", |n| {
        each(n, |i| format!("enum Zq{i} {{}}\n"))
    }),
    ("a.ts a.tsx", "Classes", 15, "... and {} more classes", |n| {
        each(n, |i| format!("class Zq{i} {{}}\n"))
    }),
    ("a.ts a.tsx", "Functions", 15, "... and {} more functions", |n| {
        each(n, |i| format!("function zq{i}() {{}}\n"))
    }),
    ("a.ts a.tsx", "Namespaces", 15, "... and {} more namespaces", |n| {
        each(n, |i| format!("namespace Zq{i} {{}}\n"))
    }),
    ("a.tsx", "React Components", 15, "... and {} more components", |n| {
        each(n, |i| format!("function Zq{i}() {{ return <p/>; }}\n"))
    }),
    ("a.ts a.tsx", "Exports named", 20, "(+{} more)", |n| {
        each(n, |i| format!("export type Zq{i} = string;\n"))
    }),
    ("a.ts a.tsx", "Exports re-exports", 5, "... and {} more", |n| {
        each(n, |i| format!("export * from './zq{i}';\n"))
    }),
    ("a.ts a.tsx", "Enums, members", 15, "(+{} more) }", |n| {
        format!("enum E {{ {}}}\n", each(n, |i| format!("Zq{i}, ")))
    }),
    ("a.ts a.tsx", "Classes, methods", 15, "(+{} more)", |n| {
        format!("class C {{ {}}}\n", each(n, |i| format!("zq{i}() {{}} ")))
    }),
    ("a.ts a.tsx", "Classes, properties", 15, "(+{} more)", |n| {
        format!("class C {{ {}}}\n", each(n, |i| format!("zq{i}: string; ")))
    }),
    ("a.ts a.tsx", "Namespaces, members", 15, "(+{} more)", |n| {
        format!("namespace N {{ {}}}\n", each(n, |i| format!("export function zq{i}() {{}} ")))
    }),
    ("a.css a.scss", "Imports", 10, "... and {} more imports", |n| {
        each(n, |i| format!("@import \"zq{i}.css\";\n"))
    }),
    ("a.css a.scss", "CSS Variables (sample)", 10, "... and {} more variables", |n| {
        format!(":root {{ {}}}\n", each(n, |i| format!("--zq{i}: 1px; ")))
    }),
    ("a.css a.scss", "Media Queries", 10, "... and {} more media queries", |n| {
        each(n, |i| format!("@media zq{i} {{ a {{ color: red; }} }}\n"))
    }),
    ("a.css a.scss", "Keyframe Animations", 10, "... and {} more animations", |n| {
        each(n, |i| format!("@keyframes zq{i} {{ from {{ top: 0; }} }}\n"))
    }),
    ("a.css a.scss", "Font Faces", 10, "... and {} more font faces", |n| {
        each(n, |i| format!("@font-face {{ font-family: Zq{i}; src: url(a); }}\n"))
    }),
    ("a.scss", "Mixins/Functions", 10, "... and {} more mixins/functions", |n| {
        each(n, |i| format!("@mixin zq{i} {{ top: 0; }}\n"))
    }),
];
