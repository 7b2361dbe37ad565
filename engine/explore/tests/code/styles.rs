//! SCSS: nothing that the language allows is malformed, whatever the grammar knows of it; what does
//! not close is.

use base::profile::Profile;

use super::{fact, look};

/// What style sheets of today are made of, each piece valid by itself.
const VALID: &[&str] = &[
    "@use \"sass:math\" as m with ($scale: 2, $names: (a: 1, b: 2));",
    "@use 'base' as *;\n@forward \"list\" hide list-reset, $gap;\n@import 'a', 'b';",
    "%bar { color: red; }\n.a { @extend %bar !optional; }",
    "$map: (\"a\": 1px, b: (c: 2px, d: 3px),) !default;\n$x: map.get($map, \"a\") !global;",
    "@each $key, $value in (a: 1, b: 2) { .m-#{$key} { margin: $value * 4px; } }",
    "@for $i from 1 through 3 { .w-#{$i} { width: math.div(100%, $i); } }",
    "@while $i > 0 { .i#{$i} { top: $i; } $i: $i - 2; }",
    "@if $a == b { a { b: c } } @else if not $c and $d != e { f { g: h } } @else { i { j: k } }",
    "@mixin m($a, $b: 1px, $rest...) { @content($a, $b...); }\n.a { @include m(1, $b: 2) using ($x, $y) { top: $x; } }",
    "@function f($args...) { @return math.$pi * nth($args, 1); }",
    ".a { font: { family: serif; size: 12px; } &-b:not(&--c) { top: 0 } & > & { left: 0 } + .d { e: f } }",
    "@supports not (display: grid) { .a { float: left } }",
    "@media screen and (width >= 600px) and (max-width: #{$wide - 1px}) { .a { b: c } }",
    "@container card (inline-size > 30em) { .a { b: c } }\n@layer base, theme;\n@layer base { html { color: red } }",
    ".a { @at-root .b & { c: d } @debug \"x: #{$x}\"; @warn \"w\"; @error \"e #{f(\"g\")}\"; }",
    ".a { width: calc(100% - #{$gap} * 2); --b: #{$c}; --d: { e: f }; grid-template-areas: \"a b\" \"c d\"; }",
    ".a { background: url(data:image/png;base64,iVBORw0KGgo=), url('#{$path}/b.png'), url(//host/c.png); }",
    "@property --a { syntax: \"<length>\"; inherits: false; initial-value: 0px; }",
    "@font-face { font-family: \"F\"; src: url(a.woff2) format(\"woff2\"); unicode-range: U+0025-00FF, u+4?? }",
    "@keyframes k { from { top: 0 } 33.3% { top: 1px } to { top: 2px } }\n@page :first { margin: 1in }",
    ":is(.a, .b):where(:not([data-x=\"y\" i]))::after { content: \"\\201C\" }",
    "// it's a comment with { and \"\n/* and ' another } */\n.a { b: c } // the end",
    ".a { &:nth-child(2n + 1 of .b) { c: if($d, e, f); g: -$h; i: +$j; k: $l / 2; m: 10px*2 } }",
    ".grid { @include breakpoint($md) { display: none; } @include foo; @include bar.baz(1); }",
    "@charset \"utf-8\";\na{b:c;;d:e}",
];

const BROKEN: &[&str] = &[
    ".a { color: red;",
    ".a { color: red; } }",
    ".a { width: calc(100% - (2px); }",
    ".a { content: \"open\n; }",
    ".a { b: c } /* never closed",
    "@include m($a { b: c }",
];

#[test]
fn valid_scss_is_not_malformed() {
    let whole = VALID.join("\n");
    for text in VALID.iter().copied().chain([whole.as_str()]) {
        for profile in [Profile::Parity, Profile::Enhancement] {
            assert_eq!(look("a.scss", text, profile).malformed, None, "{text}");
        }
    }
}

#[test]
fn what_the_grammar_cannot_read_is_said_to_be_so() {
    let found = look("a.sass", "=mixin\n  top: 0\n.a\n  +mixin\n", Profile::Parity);
    assert_eq!(found.malformed, None);
    let line = fact(&found, "not_understood_line").unwrap().as_u64().unwrap();
    assert!(found.summary.contains(&format!("Not understood in part: from line {line} on")));
}

#[test]
fn scss_that_does_not_close_is_malformed() {
    for text in BROKEN {
        let found = look("a.scss", text, Profile::Parity);
        assert!(found.malformed.is_some(), "{text}");
    }
}

#[test]
fn symbols_are_found_around_what_the_grammar_cannot_read() {
    let text = "@mixin before { a: b }\n@container (width > 1px) { .odd { c: d } }\n@mixin after($x) { e: f }\n";
    let found = look("a.scss", text, Profile::Enhancement);
    let names: Vec<&str> = found.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    assert!(names.contains(&"before") && names.contains(&"after"), "{names:?}");
}
