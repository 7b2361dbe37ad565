//! Lists of the house format, in languages that the comparator has no layout for.

use super::{Case, each};

pub const CASES: &[Case] = &[
    ("a.kt", "Imports, Standard library", 30, "... and {} more", |n| {
        each(n, |i| format!("import kotlin.zq{i}\n"))
    }),
    ("a.php", "Imports, Third-party", 30, "... and {} more", |n| {
        format!("<?php\n{}", each(n, |i| format!("use Other\\zq{i};\n")))
    }),
    ("a.zig", "Imports, Local", 30, "... and {} more", |n| {
        each(n, |i| format!("const m{i} = @import(\"zq{i}.zig\");\n"))
    }),
    ("a.f90", "Imports, Unknown", 30, "... and {} more", |n| {
        format!("program p\n{}end program\n", each(n, |i| format!("use zq{i}\n")))
    }),
    ("a.lua", "Symbols", 200, "... and {} more", |n| {
        each(n, |i| format!("function zq{i}() end\n"))
    }),
];
