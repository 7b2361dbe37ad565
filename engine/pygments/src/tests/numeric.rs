//! Fortran, MATLAB and R, and REBOL and SuperCollider, which share extensions
//! with R and Scala.

use super::check;

#[test]
fn fortran_names() {
    check(
        "a.f90",
        concat!(
            "program main ! c\n",
            "  use iso_c_binding, only: c_int\n",
            "  real(dp) :: x = 1.0_dp, y = 1d0\n",
            "  x = max (y, sin(x)) + 12.5\n",
            "  if (.not. done) go to 10\n",
            "  print *, \"a'b\", 'c'\n",
            "end program\n",
        ),
        "fortran",
        &[
            "main",
            "iso_c_binding",
            "dp",
            "x",
            "y",
            "d0",
            "x",
            "max",
            "y",
            "sin",
            "x",
            "not",
            "done",
        ],
    );
}

#[test]
fn fortran_fixed_names() {
    check(
        "a.f",
        concat!(
            "C     comment\n",
            "      PROGRAM MAIN\n",
            "  10  X = MAX (A,\n",
            "     $         B)\n",
            "      CALL SUB(X)                                                       ignored\n",
            "!     other\n",
            "x\n",
        ),
        "fortranfixed",
        &["     ", "MAIN", "  10 ", "X", "MAX", "A", "     ", "B", "     ", "SUB", "X", "x"],
    );
}

#[test]
fn r_names() {
    check(
        "a.R",
        concat!(
            "# comment\n",
            "f <- function(x, ...) { x$y@z <- `odd name` (1L); NULL }\n",
            "g = if (TRUE) T else F.x; h <<-.5; i <- -.5; j %in% k; .l; ..1; m .n\n",
            "o::p(q = \"r\\\"s\", 't\\'u'); NA_integer_; 0x1F; 1e5; NA_other; .\n",
        ),
        "splus",
        &[
            "f",
            "x",
            "x",
            "y",
            "z",
            "`odd name` ",
            "g",
            "T",
            "F",
            ".x",
            "h",
            ".",
            "i",
            "j",
            "k",
            ".l",
            "m",
            ".n",
            "o",
            "p",
            "q",
            "NA_other",
            ".",
        ],
    );
}

#[test]
fn r_texts_that_do_not_close() {
    check(
        "b.R",
        concat!("a <- \"b \\\n", "c\" d\n", "e <- 'f \\' g\n", "h `i \\\n", " j` k \"l\n", "m",),
        "splus",
        &["a", "d", "e", "g", "h", "i", "j", "k", "m"],
    );
}

#[test]
fn rebol_names() {
    check(
        "a.r",
        concat!(
            "f <- function(x, y) x$z + y[1] # comment\n",
            "REBOL [title: \"t^\"u\" version: 1.2.3]\n",
            "either a? [print {b {c} d}] [to-integer e! copy* first+] ; comment\n",
            "http://x.y/z me@home %file \"%s\" %\"a b\" /refine obj/path: 'lit #issue 10-jan-2000/10:30\n",
            "comment [ \"x\" {y} [z] ] comment {w} comment v <tag> <a)b \"c>\n",
            "firstt 1x2 $1.50 64#{aGk=} #{0f} 2#{01} #\"^(0a)\" g)h k:l)\n",
        ),
        "rebol",
        &[
            "f",
            "<-",
            "x,",
            "x$z",
            "y",
            "#",
            "either",
            "print",
            "copy*",
            "first+",
            "http://x.y/z",
            "me@home",
            "%file",
            "%\"",
            "a b",
            "\"",
            "/refine",
            "obj",
            "/path:",
            "'lit",
            "#issue",
            "<tag>",
            "<a",
            "b ",
            "\"",
            "c>\nfirstt 1x2 $1.50 64#{aGk=} #{0f} 2#{01} #",
            "\"",
            "^(0a)",
            "\"",
            " g",
            ")",
            "h k:l",
            ")",
            "\n",
        ],
    );
}

#[test]
fn supercollider_is_the_guess_for_most_scala_scripts() {
    check(
        "a.sc",
        concat!(
            "#!/usr/bin/env amm\n",
            "val x = y / z // comment\n",
            "/a[/]b/.foo\n",
            "  /lost (\n",
            "object Main { def f(a: Int) = \"s\\\"\" + 'c' + \\sym + $d + this + super + 1.5e3 }\n",
            "var e = /re/g; return /x\n",
        ),
        "supercollider",
        &[
            "val", "x", "y", "z", "foo", "lost", "object", "Main", "def", "f", "a", "Int", "$d",
            "this", "e",
        ],
    );
    check(
        "b.sc",
        concat!("import a.b\n", "object C { def f = g }\n",),
        "python",
        &["a", ".", "b", "object", "C", "f", "g"],
    );
}

#[test]
fn matlab_functions() {
    check(
        "a.m",
        concat!(
            "function [a, b] = both(x)\n",
            "a = x.end + 1.5e3; b = 'it';\n",
            "end\n",
            "function y=one(x) % c\n",
            "y = [1 2]'; 'open\n",
            "z = x;\n"
        ),
        "matlab",
        &["[a, b] = both", "a", "x", "end", "b", "one", "y", "z", "x"],
    );
    check(
        "a.m",
        concat!(
            "% a class\n",
            "classdef A < matlab.unittest.TestCase\n",
            "  properties (Access = private, Hidden)\n",
            "    x\n",
            "    y = 2\n",
            "  end\n",
            "end\n",
            "%{\n",
            "hidden\n",
            "%}\n",
            "hold on\n",
            "unknown words here = z\n",
            "w = x ...\n",
            " no\n"
        ),
        "matlab",
        &[
            "A",
            "matlab.unittest.TestCase",
            "Access",
            "x",
            "y",
            "hold",
            "on",
            "unknown",
            "z",
            "w",
            "x",
            "no",
        ],
    );
    check(
        "a.m",
        concat!("function\n", "name\n", "x = \"a\"\"b\";\n", "!rm file\n"),
        "matlab",
        &["name", "x"],
    );
}
