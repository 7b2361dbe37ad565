//! Haskell, OCaml, Elm, Gleam, the Lisps and Visual Prolog.

use super::check;

#[test]
fn haskell_names() {
    check(
        "A.hs",
        concat!(
            "{-# LANGUAGE X #-}\n",
            "module Data.A (f, T(..), (<+>)) where\n",
            "import qualified Data.Map as M\n",
            "import Data.List (sort, nub) -- c\n",
            "f, g' :: Int -> ()\n",
            "f x = \\y -> M.map ('a' :) \"s\\n\\SOH\" ++ 0x1F --| no comment\n",
        ),
        "haskell",
        &[
            "Data.A",
            "f",
            "Data.Map",
            "M",
            "Data.List",
            "sort",
            "nub",
            "f",
            "g'",
            "()",
            "f",
            "x",
            "\\",
            "y",
            "map",
            "no",
            "comment",
        ],
    );
}

#[test]
fn hspec_names() {
    check(
        "ASpec.hs",
        "spec = describe \"A\" $ it \"works\" $ shouldBe a b\n",
        "hspec",
        &["spec", "shouldBe", "a", "b"],
    );
}

#[test]
fn elisp_names() {
    check(
        "a.el",
        concat!(
            ";; c\n",
            "(defun my-fn (a &optional b)\n",
            "  \"Doc `x' \\\"q\\\".\"\n",
            "  (let* ((c 'quoted) (d :key) (*e* ?\\n)) (if (eq a nil) #'car `(,@b ,c 1+ -5 1.5))))\n",
        ),
        "emacs-lisp",
        &[
            "defun", "my-fn", "a", "b", "c", "d", ":key", "*e*", "eq", "a", "nil", "#'", "car",
            "b", "c", "1+",
        ],
    );
}

#[test]
fn ocaml_names() {
    check(
        "a.mli",
        concat!(
            "(* c (* nested *) *)\n",
            "open Foo.Bar\n",
            "val map : ('a -> 'b) -> 'a list -> 'b t\n",
            "module M : sig type t = A | B of int end\n",
            "external _f : unit -> string = \"x\\\"y\"\n",
            "let x = Stdlib.( + ) 0xFFl ()\n",
        ),
        "ocaml",
        &[
            "Foo", "Bar", "map", "a", "b", "a", "b", "t", "M", "t", "A", "B", "f", "x", "Stdlib",
            "l", "()",
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
fn elm_modules_and_operators() {
    check(
        "A.elm",
        concat!(
            "module Main.Sub exposing (..)\n",
            "import Html as H\n",
            "{- out {- in -} -}\n",
            "view model = (+) 1.5 <| model.x |> toString -- c\n",
            "type alias T = Int\n"
        ),
        "elm",
        &[
            "Main.Sub", "exposing", "(..)", "Html", "view", "model", "=", "(+)", "<|", "model",
            ".", "x", "|>", "toString", "=",
        ],
    );
    check(
        "A.elm",
        concat!(
            "s = \"a \\\" b\" ++ 'c'\n",
            "shader = [glsl| void main\n",
            "  more\n",
            "|]\n",
            "_1x = main\n",
            "main = x\n"
        ),
        "elm",
        &[
            "s",
            "=",
            "++",
            "'",
            "c'",
            "shader",
            "=",
            "[glsl| void main",
            "  more",
            "|]",
            "x",
            "=",
            "main",
            "=",
            "x",
        ],
    );
}

#[test]
fn gleam_words_and_dots() {
    check(
        "a.gleam",
        concat!(
            "import gleam/io\n",
            "/// doc\n",
            "pub fn main(name: String) -> Int {\n",
            "  let total = 1_000 + 0x1F\n",
            "  list.map(total, fn(x) { x +. 1.5e3 })\n",
            "}\n"
        ),
        "gleam",
        &["gleam", "io", "main", "name", "String", "Int", "total", "map", "total", "x", "x"],
    );
    check(
        "a.gleam",
        concat!(
            "const text = \"a \\\" b\"\n",
            "const open = \"never \\\" closed\n",
            "type Kind { One(Int) Two }\n"
        ),
        "gleam",
        &["text", "open", "closed", "Kind", "One", "Int", "Two"],
    );
}
