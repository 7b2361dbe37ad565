//! The languages of the code family: one row each.

use super::{
    arduino, bash, c, chatito, csharp, css, cuda, d, dart, ecmascript, elixir, elm, fortran, gleam,
    go, haskell, hcl, java, julia, kotlin, lisp, lua, matlab, objc, ocaml, php, pony, python, ql,
    r, ruby, rust, scala, solidity, swift, tcl, udev, walk::Visitor, zig,
};

/// A language.
#[derive(Debug)]
pub struct Language {
    /// Its key, as `dispatch/explorers.toml` has it.
    pub key: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The key of its grammar.
    pub grammar: &'static str,
    /// Makes the visitor of one file.
    pub visitor: fn() -> Box<dyn Visitor>,
}

/// The language of a key, or nothing if no language here has it.
pub fn language(key: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.key == key)
}

const fn row(
    key: &'static str,
    title: &'static str,
    grammar: &'static str,
    visitor: fn() -> Box<dyn Visitor>,
) -> Language {
    Language { key, title, grammar, visitor }
}

/// By key.
static LANGUAGES: &[Language] = &[
    row("arduino", "Arduino", "arduino", || Box::new(arduino::Arduino::default())),
    row("bash", "Shell", "bash", || Box::new(bash::Bash)),
    row("c", "C", "c", || Box::new(c::C::new(false))),
    row("chatito", "Chatito", "chatito", || Box::new(&chatito::CHATITO)),
    row("clojure", "Clojure", "clojure", || Box::new(lisp::Clojure)),
    row("commonlisp", "Common Lisp", "commonlisp", || Box::new(lisp::CommonLisp)),
    row("cpp", "C++", "cpp", || Box::new(c::C::new(true))),
    row("csharp", "C#", "csharp", || Box::new(csharp::CSharp::default())),
    row("css", "CSS", "css", || Box::new(css::Css::default())),
    row("cuda", "CUDA", "cuda", || Box::new(cuda::Cuda::default())),
    row("d", "D", "d", || Box::new(&d::D)),
    row("dart", "Dart", "dart", || Box::new(&dart::DART)),
    row("elisp", "Emacs Lisp", "elisp", || Box::new(lisp::Elisp)),
    row("elixir", "Elixir", "elixir", || Box::new(elixir::Elixir)),
    row("elm", "Elm", "elm", || Box::new(elm::Elm)),
    row("fortran", "Fortran", "fortran", || Box::new(fortran::Fortran::default())),
    row("gleam", "Gleam", "gleam", || Box::new(&gleam::GLEAM)),
    row("go", "Go", "go", || Box::new(go::Go::default())),
    row("haskell", "Haskell", "haskell", || Box::new(haskell::Haskell)),
    row("hcl", "HCL", "hcl", || Box::new(hcl::Hcl)),
    row("java", "Java", "java", || Box::new(java::Java::default())),
    row("javascript", "JavaScript", "javascript", || Box::new(ecmascript::JavaScript::default())),
    row("julia", "Julia", "julia", || Box::new(julia::Julia::default())),
    row("kotlin", "Kotlin", "kotlin", || Box::new(kotlin::Kotlin::default())),
    row("lua", "Lua", "lua", || Box::new(lua::Lua)),
    row("matlab", "MATLAB", "matlab", || Box::new(matlab::Matlab)),
    row("objc", "Objective-C", "objc", || Box::new(objc::ObjectiveC::default())),
    row("ocaml", "OCaml", "ocaml", || Box::new(ocaml::OCaml)),
    row("ocaml_interface", "OCaml interface", "ocaml_interface", || {
        Box::new(ocaml::OCamlInterface)
    }),
    row("php", "PHP", "php", || Box::new(php::Php::default())),
    row("pony", "Pony", "pony", || Box::new(&pony::PONY)),
    row("python", "Python", "python", || Box::new(python::Python::default())),
    row("ql", "QL", "ql", || Box::new(&ql::QL)),
    row("r", "R", "r", || Box::new(r::R)),
    row("racket", "Racket", "racket", || Box::new(lisp::Racket)),
    row("ruby", "Ruby", "ruby", || Box::new(ruby::Ruby::default())),
    row("rust", "Rust", "rust", || Box::new(rust::Rust::default())),
    row("scala", "Scala", "scala", || Box::new(scala::Scala::default())),
    row("scss", "SCSS", "scss", || Box::new(css::Scss::default())),
    row("solidity", "Solidity", "solidity", || Box::new(solidity::Solidity)),
    row("swift", "Swift", "swift", || Box::new(swift::Swift)),
    row("tcl", "Tcl", "tcl", || Box::new(tcl::Tcl::default())),
    row("tsx", "TypeScript", "tsx", || Box::new(ecmascript::TypeScript::new(true))),
    row("typescript", "TypeScript", "typescript", || Box::new(ecmascript::TypeScript::new(false))),
    row("udev", "udev rules", "udev", || Box::new(udev::Udev)),
    row("zig", "Zig", "zig", || Box::new(zig::Zig)),
];

#[cfg(test)]
mod tests {
    use super::LANGUAGES;

    #[test]
    fn languages_have_grammars_and_stand_in_order() {
        assert!(LANGUAGES.is_sorted_by_key(|language| language.key));
        for language in LANGUAGES {
            assert!(grammars::language(language.grammar).is_some(), "{}", language.grammar);
        }
    }
}
