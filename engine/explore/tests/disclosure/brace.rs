//! Lists of C#, Go, Java, Rust and Swift.

use super::{Case, each};

pub const CASES: &[Case] = &[
    ("a.cs", "Using statements System", 5, "(+{} more)", |n| {
        each(n, |i| format!("using System.Zq{i};\n"))
    }),
    ("a.cs", "Using statements Microsoft", 5, "(+{} more)", |n| {
        each(n, |i| format!("using Microsoft.Zq{i};\n"))
    }),
    ("a.cs", "Using statements Third-party", 5, "(+{} more)", |n| {
        each(n, |i| format!("using Zq{i};\n"))
    }),
    ("a.cs", "Using statements Project", 5, "(+{} more)", |n| {
        format!("{}namespace Own {{}}\n", each(n, |i| format!("using Own.Zq{i};\n")))
    }),
    ("a.cs", "Classes", 20, "... and {} more", |n| each(n, |i| format!("class Zq{i} {{}}\n"))),
    ("a.cs", "Interfaces", 20, "... and {} more", |n| {
        each(n, |i| format!("interface Zq{i} {{}}\n"))
    }),
    ("a.cs", "Structs", 20, "... and {} more", |n| each(n, |i| format!("struct Zq{i} {{}}\n"))),
    ("a.cs", "Enums", 20, "... and {} more", |n| each(n, |i| format!("enum Zq{i} {{ A }}\n"))),
    ("a.cs", "Methods", 15, "... and {} more methods", |n| {
        format!("class C {{ {}}}\n", each(n, |i| format!("void Zq{i}() {{}} ")))
    }),
    ("a.cs", "Properties", 15, "... and {} more properties", |n| {
        format!("class C {{ {}}}\n", each(n, |i| format!("int Zq{i} {{ get; }} ")))
    }),
    ("a.cs", "Attributes", 20, ", ...", |n| {
        format!("{}class C {{}}\n", each(n, |i| format!("[Zq{i}] ")))
    }),
    ("a.cs", "Interfaces, methods", 10, ", ...)", |n| {
        format!("interface I {{ {}}}\n", each(n, |i| format!("void Zq{i}(); ")))
    }),
    ("a.cs", "Structs, fields", 10, ", ...)", |n| {
        format!("struct S {{ {}}}\n", each(n, |i| format!("int zq{i}; ")))
    }),
    ("a.cs", "Enums, values", 5, ", ... }", |n| {
        format!("enum E {{ {}}}\n", each(n, |i| format!("Zq{i}, ")))
    }),
    ("a.go", "Imports Standard library", 10, "... and {} more", |n| {
        format!("package a\n{}", "import \"fmt\"\n".repeat(n))
    }),
    ("a.go", "Imports Third-party", 10, "... and {} more", |n| {
        format!("package a\n{}", each(n, |i| format!("import \"other.org/zq{i}\"\n")))
    }),
    ("a.go", "Imports Local", 10, "... and {} more", |n| {
        format!("package a\n{}", each(n, |i| format!("import \"./zq{i}\"\n")))
    }),
    ("a.go", "Types", 20, "... and {} more", |n| {
        format!("package a\n{}", each(n, |i| format!("type Zq{i} int\n")))
    }),
    ("a.go", "Functions Standalone", 15, "... and {} more", |n| {
        format!("package a\n{}", each(n, |i| format!("func zq{i}() {{}}\n")))
    }),
    ("a.go", "Functions Methods", 15, "... and {} more", |n| {
        format!("package a\n{}", each(n, |i| format!("func (t T) zq{i}() {{}}\n")))
    }),
    ("a.go", "Globals Constants", 10, "... and {} more", |n| {
        format!("package a\n{}", each(n, |i| format!("const zq{i} = 1\n")))
    }),
    ("a.go", "Globals Variables", 10, "... and {} more", |n| {
        format!("package a\n{}", each(n, |i| format!("var zq{i} = 1\n")))
    }),
    ("a.java", "Imports java.*", 3, ", ...", |n| each(n, |i| format!("import java.util.Zq{i};\n"))),
    ("a.java", "Imports javax.*", 3, ", ...", |n| {
        each(n, |i| format!("import javax.swing.Zq{i};\n"))
    }),
    ("a.java", "Imports Third-party", 3, ", ...", |n| {
        each(n, |i| format!("import org.other.Zq{i};\n"))
    }),
    ("a.java", "Imports Project", 3, ", ...", |n| {
        format!("package com.own.a;\n{}", each(n, |i| format!("import com.own.Zq{i};\n")))
    }),
    ("a.java", "Classes", 10, "... and {} more classes", |n| {
        each(n, |i| format!("class Zq{i} {{}}\n"))
    }),
    ("a.java", "Interfaces", 5, "... and {} more interfaces", |n| {
        each(n, |i| format!("interface Zq{i} {{}}\n"))
    }),
    ("a.java", "Enums", 5, "... and {} more enums", |n| {
        each(n, |i| format!("enum Zq{i} {{ A }}\n"))
    }),
    ("a.java", "Constructors", 5, "... and {} more constructors", |n| {
        format!("class C {{ {}}}\n", each(n, |i| format!("C(Zq{i} a) {{}} ")))
    }),
    ("a.java", "Methods", 20, "... and {} more methods", |n| {
        format!("class C {{ {}}}\n", each(n, |i| format!("void zq{i}() {{}} ")))
    }),
    ("a.java", "Fields", 15, "... and {} more fields", |n| {
        format!("class C {{ {}}}\n", each(n, |i| format!("int zq{i}; ")))
    }),
    ("a.java", "Annotations used", 10, "... and {} more annotation types", |n| {
        format!("class C {{ {}}}\n", each(n, |i| format!("@Zq{i} int a{i}; ")))
    }),
    ("a.java", "Interfaces, methods", 10, ", ... }", |n| {
        format!("interface I {{ {}}}\n", each(n, |i| format!("void zq{i}(); ")))
    }),
    ("a.java", "Enums, values", 5, ", ... }", |n| {
        format!("enum E {{ {}}}\n", each(n, |i| format!("ZQ{i}, ")))
    }),
    ("a.java", "Methods, parameters", 3, ", ...)", |n| {
        format!(
            "class C {{ void m({}int zq0) {{}} }}\n",
            each(n - 1, |i| format!("int zq{}, ", i + 1))
        )
    }),
    ("a.rs", "Imports std", 3, ", ...", |n| each(n, |i| format!("use std::zq{i};\n"))),
    ("a.rs", "Imports external", 3, ", ...", |n| each(n, |i| format!("use other::zq{i};\n"))),
    ("a.rs", "Imports local", 3, ", ...", |n| each(n, |i| format!("use crate::zq{i};\n"))),
    ("a.rs", "Modules", 10, "... and {} more", |n| each(n, |i| format!("mod zq{i};\n"))),
    ("a.rs", "Structs", 10, "... and {} more", |n| each(n, |i| format!("struct Zq{i};\n"))),
    ("a.rs", "Enums", 10, "... and {} more", |n| each(n, |i| format!("enum Zq{i} {{ A }}\n"))),
    ("a.rs", "Traits", 10, "... and {} more", |n| each(n, |i| format!("trait Zq{i} {{}}\n"))),
    ("a.rs", "Impl blocks", 10, "... and {} more", |n| each(n, |i| format!("impl Zq{i} {{}}\n"))),
    ("a.rs", "Functions", 15, "... and {} more", |n| each(n, |i| format!("fn zq{i}() {{}}\n"))),
    ("a.rs", "Macros", 10, "... and {} more", |n| {
        each(n, |i| format!("macro_rules! zq{i} {{ () => {{}} }}\n"))
    }),
    ("a.swift", "Imports Apple", 10, "(+{} more)", |n| {
        each(n, |i| format!("import Foundation.Zq{i}\n"))
    }),
    ("a.swift", "Imports Third-party", 10, "(+{} more)", |n| {
        each(n, |i| format!("import Zq{i}\n"))
    }),
    ("a.swift", "Imports Local", 10, "(+{} more)", |n| each(n, |i| format!("import Own.Zq{i}\n"))),
    ("a.swift", "Classes", 15, "... and {} more", |n| each(n, |i| format!("class Zq{i} {{}}\n"))),
    ("a.swift", "Structs", 15, "... and {} more", |n| each(n, |i| format!("struct Zq{i} {{}}\n"))),
    ("a.swift", "Enums", 10, "... and {} more", |n| {
        each(n, |i| format!("enum Zq{i} {{ case a }}\n"))
    }),
    ("a.swift", "Protocols", 10, "... and {} more", |n| {
        each(n, |i| format!("protocol Zq{i} {{}}\n"))
    }),
    ("a.swift", "Actors", 10, "... and {} more", |n| each(n, |i| format!("actor Zq{i} {{}}\n"))),
    ("a.swift", "Extensions", 10, "... and {} more", |n| {
        each(n, |i| format!("extension Zq{i} {{}}\n"))
    }),
    ("a.swift", "Functions", 15, "... and {} more", |n| {
        each(n, |i| format!("func zq{i}() {{}}\n"))
    }),
    ("a.swift", "Properties", 15, "... and {} more", |n| each(n, |i| format!("var zq{i} = 1\n"))),
    ("a.swift", "Enums, cases", 10, ", ...", |n| {
        format!("enum E {{\n{}}}\n", each(n, |i| format!("case zq{i}\n")))
    }),
    ("a.swift", "Protocols, requirements", 5, ", ...", |n| {
        format!("protocol P {{\n{}}}\n", each(n, |i| format!("func zq{i}()\n")))
    }),
];
