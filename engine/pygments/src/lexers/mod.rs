//! The lexers, one file or folder per language or family, and their table.

mod bash;
mod c;
mod csharp;
mod d;
mod dart;
mod elm;
mod fortran;
mod gleam;
mod go;
mod haskell;
mod java;
mod kconfig;
mod kotlin;
mod lisp;
mod lua;
mod make;
mod markup;
mod mason;
mod matlab;
mod ocaml;
mod perl;
mod php;
mod pony;
mod properties;
mod python;
mod r;
mod rebol;
mod ruby;
mod rust;
mod scala;
mod script;
mod solidity;
mod supercollider;
mod swift;
mod templates;
mod terraform;
mod visual_prolog;
mod zig;

use std::ops::Range;

use self::Pattern::{Contains, Ending, Extension, Start};
use crate::guesses;

/// Appends the byte range of each name in a text that ends in a line break.
pub(crate) type Scan = fn(&str, &mut Vec<Range<usize>>);

/// How well a text fits a lexer, from 0 to 1.
pub(crate) type Score = fn(&str) -> f64;

/// One of Pygments' lexers.
pub(crate) struct Lexer {
    /// Its main alias.
    pub alias: &'static str,
    /// The name of its class, which decides between lexers that are otherwise equal.
    pub class: &'static str,
    /// The patterns that a file's name has to match. Only those of Pygments' patterns are listed
    /// that can match a file of a language with definitions.
    pub patterns: &'static [Pattern],
    /// Whether these are its main patterns, not secondary ones.
    pub main: bool,
    /// Pygments' priority.
    pub priority: f64,
    pub score: Score,
    pub scan: Scan,
}

/// The pattern of a file name without folders.
pub(crate) enum Pattern {
    /// The text after the last dot.
    Extension(&'static str),
    Start(&'static str),
    Ending(&'static str),
    Contains(&'static str),
}

impl Lexer {
    /// A lexer with main patterns, no priority and no scoring function.
    const fn new(
        alias: &'static str,
        class: &'static str,
        patterns: &'static [Pattern],
        scan: Scan,
    ) -> Self {
        Self { alias, class, patterns, main: true, priority: 0.0, score: |_| 0.0, scan }
    }

    const fn score(self, score: Score) -> Self {
        Self { score, ..self }
    }

    const fn priority(self, priority: f64) -> Self {
        Self { priority, ..self }
    }

    /// A lexer whose patterns are secondary ones.
    const fn secondary(self) -> Self {
        Self { main: false, ..self }
    }
}

/// The table of lexers. If two of them have a score of 1 for a text, the earlier row wins.
///
/// Elixir needs no lexer: each of its definitions is a call, and so also a reference. Pygments
/// itself has no lexer for Chatito, udev rules and `.tfvars`.
pub(crate) static LEXERS: &[Lexer] = &[
    Lexer::new("c", "CLexer", &[Extension("c"), Extension("h")], c::scan_c)
        .score(guesses::c)
        .priority(0.1),
    Lexer::new("cpp", "CppLexer", CPP, c::scan_cpp).score(guesses::cpp).priority(0.1),
    Lexer::new("arduino", "ArduinoLexer", &[Extension("ino")], c::scan_arduino).priority(0.1),
    // It shares one extension with C and the other with MATLAB.
    Lexer::new("matlab", "MatlabLexer", &[Extension("m")], matlab::scan).score(guesses::matlab),
    Lexer::new("objective-c", "ObjectiveCLexer", OBJECTIVE_C, c::scan_objective)
        .score(guesses::objective_c)
        .priority(0.05),
    Lexer::new("mason", "MasonLexer", &[Extension("m")], mason::scan).score(guesses::mason),
    Lexer::new("csharp", "CSharpLexer", &[Extension("cs")], csharp::scan),
    Lexer::new("d", "DLexer", &[Extension("d")], d::scan),
    Lexer::new("dart", "DartLexer", &[Extension("dart")], dart::scan),
    Lexer::new("elm", "ElmLexer", &[Extension("elm")], elm::scan),
    Lexer::new("fortran", "FortranLexer", FORTRAN, fortran::scan_free),
    Lexer::new("fortranfixed", "FortranFixedLexer", &[Extension("f")], fortran::scan_fixed),
    Lexer::new("gleam", "GleamLexer", &[Extension("gleam")], gleam::scan),
    Lexer::new("go", "GoLexer", &[Extension("go")], go::scan),
    Lexer::new("haskell", "HaskellLexer", &[Extension("hs")], haskell::scan),
    Lexer::new("hspec", "HspecLexer", &[Ending("Spec.hs")], haskell::scan_hspec),
    Lexer::new("java", "JavaLexer", &[Extension("java")], java::scan),
    Lexer::new("kotlin", "KotlinLexer", &[Extension("kt"), Extension("kts")], kotlin::scan),
    Lexer::new("scala", "ScalaLexer", &[Extension("scala")], scala::scan),
    // JavaScript, and the templates that may contain it.
    Lexer::new("javascript", "JavascriptLexer", JAVASCRIPT, script::scan_javascript),
    Lexer::new("js+genshitext", "JavascriptGenshiLexer", JS, templates::genshi)
        .score(guesses::genshi)
        .secondary(),
    Lexer::new("javascript+django", "JavascriptDjangoLexer", JS, templates::django)
        .score(guesses::django)
        .secondary(),
    Lexer::new("javascript+ruby", "JavascriptErbLexer", JS, templates::erb)
        .score(guesses::erb)
        .secondary(),
    Lexer::new("javascript+php", "JavascriptPhpLexer", JS, templates::javascript_php)
        .score(guesses::php)
        .secondary(),
    Lexer::new("javascript+smarty", "JavascriptSmartyLexer", JS, templates::smarty)
        .score(guesses::smarty)
        .secondary(),
    Lexer::new("javascript+lasso", "LassoJavascriptLexer", JS, templates::lasso)
        .score(guesses::lasso)
        .secondary(),
    Lexer::new("jsx", "JsxLexer", &[Extension("jsx")], script::scan_jsx),
    Lexer::new("typescript", "TypeScriptLexer", &[Extension("ts")], script::scan_typescript)
        .priority(0.5),
    Lexer::new("tsx", "TsxLexer", &[Extension("tsx")], script::scan_tsx).priority(0.5),
    Lexer::new("lua", "LuaLexer", &[Extension("lua")], lua::scan),
    Lexer::new("ocaml", "OcamlLexer", &[Extension("ml"), Extension("mli")], ocaml::scan),
    Lexer::new("php", "PhpLexer", PHP, php::scan).score(guesses::php),
    Lexer::new("html+php", "HtmlPhpLexer", PHP, templates::html_php)
        .score(guesses::html_php)
        .secondary(),
    Lexer::new("xml+php", "XmlPhpLexer", PHP, templates::xml_php)
        .score(guesses::xml_php)
        .secondary(),
    Lexer::new("pony", "PonyLexer", &[Extension("pony")], pony::scan),
    Lexer::new("properties", "PropertiesLexer", &[Extension("properties")], properties::scan),
    // The second extension is that of SCons files, which Scala scripts share.
    Lexer::new("python", "PythonLexer", &[Extension("py"), Extension("sc")], python::scan)
        .score(guesses::python),
    Lexer::new("supercollider", "SuperColliderLexer", &[Extension("sc")], supercollider::scan)
        .score(guesses::supercollider),
    Lexer::new("ruby", "RubyLexer", &[Extension("rb")], ruby::scan).score(guesses::ruby),
    Lexer::new("rust", "RustLexer", &[Extension("rs")], rust::scan),
    Lexer::new("solidity", "SolidityLexer", &[Extension("sol")], solidity::scan),
    Lexer::new("swift", "SwiftLexer", &[Extension("swift")], swift::scan),
    Lexer::new(
        "terraform",
        "TerraformLexer",
        &[Extension("hcl"), Extension("tf")],
        terraform::scan,
    ),
    Lexer::new("zig", "ZigLexer", &[Extension("zig")], zig::scan),
    // R and the Lisps, and the lexers that the comparator chooses for some of their files.
    Lexer::new("splus", "SLexer", &[Extension("R")], r::scan),
    Lexer::new("rebol", "RebolLexer", &[Extension("r")], rebol::scan),
    Lexer::new("emacs-lisp", "EmacsLispLexer", &[Extension("el")], lisp::scan_emacs),
    Lexer::new("common-lisp", "CommonLispLexer", COMMON_LISP, lisp::scan_common)
        .score(guesses::common_lisp),
    Lexer::new("visualprolog", "VisualPrologLexer", &[Extension("cl")], visual_prolog::scan)
        .score(guesses::visual_prolog),
    // The lexers that the comparator chooses for files of any language by the beginning of their
    // names.
    Lexer::new("kconfig", "KconfigLexer", KCONFIG, kconfig::scan),
    Lexer::new("make", "MakefileLexer", &[Start("Makefile.")], make::scan).score(guesses::make),
    Lexer::new("bash", "BashLexer", &[Start("bash_"), Start(".bash_")], bash::scan)
        .score(guesses::bash),
];

const CPP: &[Pattern] = &[
    Extension("cc"),
    Extension("cpp"),
    Extension("cxx"),
    Extension("hpp"),
    Extension("hxx"),
    Extension("c++"),
    Extension("h++"),
];
const OBJECTIVE_C: &[Pattern] = &[Extension("h"), Extension("m")];
const FORTRAN: &[Pattern] = &[Extension("f90"), Extension("f03")];
const JAVASCRIPT: &[Pattern] = &[Extension("js"), Extension("mjs")];
const JS: &[Pattern] = &[Extension("js")];
const PHP: &[Pattern] = &[Extension("php")];
const COMMON_LISP: &[Pattern] = &[Extension("lisp"), Extension("cl")];
const KCONFIG: &[Pattern] = &[Start("Kconfig"), Contains("Config.in"), Start("external.in")];
