//! Lua, R, REBOL, Common Lisp, Visual Prolog and SuperCollider: cases whose
//! expected names Pygments gave.

use super::check;

#[test]
fn lua_names() {
    check(
        "a.lua",
        concat!(
            "#!/usr/bin/lua\n",
            "-- comment --[[ not long\n",
            "local M = {} --[==[ long ]] ]==] local x <const> = 0x1Fp2 + 1.5e3\n",
            "function M.sub.f(a, ...) return a.end_, string.format(\"%d\\\"\", math.abs) end\n",
            "function M:method() goto done ::done:: self.x = [[ long ]] end\n",
            "local t = { key = print, [\"k\"] = a --[[c]] . b .. c, d:e() }\n",
            "while true do x = x and not y end\n",
            "if été then a . end b\n",
        ),
        "lua",
        &[
            "M",
            "x",
            "const",
            "M",
            "sub",
            "f",
            "a",
            "a",
            "end_",
            "string.format",
            "math.abs",
            "M",
            "method",
            "done",
            "done",
            "self",
            "x",
            "t",
            "key",
            "print",
            "a",
            "b",
            "c",
            "d",
            "e",
            "x",
            "x",
            "y",
            "té",
            "a",
            "end",
            "b",
        ],
    );
}

#[test]
fn lua_members_behind_comments() {
    check(
        "b.lua",
        concat!("a --[[ ]] x ]] .end\n", "b -- c\n", ".end\n", "c --[=[ ]] .end\n", "d :\n",),
        "lua",
        &["a", "x", "b", "end", "c", "d"],
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
fn common_lisp_names() {
    check(
        "a.lisp",
        concat!(
            "; comment\n",
            "#| block #| nested |# |#\n",
            "(defun my-fn (a &optional (b *c*)) \"doc \\\" x\" (let ((d 'e) (:f `(,@g ,h)))\n",
            "  (LET (if t NIL #'car #\\( #\\Space 1.5e3 1+ -5 1/2 |odd name| p:q ::r #:s)))\n",
            "#nil (removed (form)) #+sbcl #(1 2) #p\"x\\\"y\" #1=z #1# #x1F #3r12 \\a\\ b . c)\n",
        ),
        "common-lisp",
        &[
            "defun",
            "my-fn",
            "a",
            "b",
            "*c*",
            "d",
            "g",
            "h",
            "LET",
            "t",
            "NIL",
            "#'",
            "car",
            "1+",
            "|odd name|",
            "p:q",
            "sbcl",
            "z",
            "\\a\\ b",
            "c",
        ],
    );
}

#[test]
fn visual_prolog_is_the_guess_for_most_cl_files() {
    check(
        "a.cl",
        concat!(
            "; (defun f (x) nil)\n",
            "(defmethod foo ((a class) &key) \"s\" 'q' @v @\"w\"\"x\" 0x1F 1.5e3 endless end if\n",
            "% comment\n",
            "/* block /* nested */ */ #include \"y\" #other Upper _anon\n",
        ),
        "visualprolog",
        &[
            "defun",
            "f",
            "x",
            "nil",
            "defmethod",
            "foo",
            "a",
            "key",
            "@v",
            "less",
            "other",
            "Upper",
            "_anon",
        ],
    );
    check(
        "b.cl",
        concat!("\n", "(defun foo () \"x\" nil)\n",),
        "common-lisp",
        &["defun", "foo", "nil"],
    );
    check("c.cl", "clauses\n", "visualprolog", &[]);
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
