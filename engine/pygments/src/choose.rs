//! Which lexer the comparator picks for a file.
//!
//! Pygments matches the file's base name against the patterns of all its
//! lexers. One match decides. Of several, a score of 1 wins at once, else the
//! highest score for the text, then a main pattern before a secondary one,
//! then the priority, then the greater class name.

use super::cursor::{Cursor, is_space};
use super::guesses;

/// A lexer that matches the file name.
struct Candidate {
    alias: &'static str,
    class: &'static str,
    score: f64,
    main: bool,
    priority: f64,
}

/// The main alias of the lexer for a file, or `None` if no lexer of a language
/// with definitions matches.
pub(super) fn lexer(path: &str, text: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let main = by_extension(name)?;
    let mut candidates = rivals(name, text);
    if candidates.is_empty() {
        return Some(main.alias);
    }
    candidates.push(Candidate { score: score(main.alias, text), ..main });
    let key = |candidate: &Candidate| {
        (candidate.score, candidate.main, candidate.priority, candidate.class)
    };
    let best = candidates
        .iter()
        .max_by(|a, b| key(a).partial_cmp(&key(b)).unwrap_or(std::cmp::Ordering::Equal));
    best.map(|candidate| candidate.alias)
}

/// The lexer whose main pattern is the extension.
fn by_extension(name: &str) -> Option<Candidate> {
    let (_, extension) = name.rsplit_once('.')?;
    let (alias, class, priority) = match extension {
        "c" | "h" => ("c", "CLexer", 0.1),
        "cc" | "cpp" | "cxx" | "hpp" | "hxx" | "c++" | "h++" => ("cpp", "CppLexer", 0.1),
        "d" => ("d", "DLexer", 0.0),
        "dart" => ("dart", "DartLexer", 0.0),
        "elm" => ("elm", "ElmLexer", 0.0),
        "gleam" => ("gleam", "GleamLexer", 0.0),
        "ino" => ("arduino", "ArduinoLexer", 0.1),
        "m" => ("matlab", "MatlabLexer", 0.0),
        "hcl" | "tf" => ("terraform", "TerraformLexer", 0.0),
        "pony" => ("pony", "PonyLexer", 0.0),
        "properties" => ("properties", "PropertiesLexer", 0.0),
        "sol" => ("solidity", "SolidityLexer", 0.0),
        "rs" => ("rust", "RustLexer", 0.0),
        "ts" => ("typescript", "TypeScriptLexer", 0.5),
        "tsx" => ("tsx", "TsxLexer", 0.5),
        "js" | "mjs" => ("javascript", "JavascriptLexer", 0.0),
        "jsx" => ("jsx", "JsxLexer", 0.0),
        "py" => ("python", "PythonLexer", 0.0),
        "go" => ("go", "GoLexer", 0.0),
        "java" => ("java", "JavaLexer", 0.0),
        "rb" => ("ruby", "RubyLexer", 0.0),
        "swift" => ("swift", "SwiftLexer", 0.0),
        "zig" => ("zig", "ZigLexer", 0.0),
        "el" => ("emacs-lisp", "EmacsLispLexer", 0.0),
        "ml" | "mli" => ("ocaml", "OcamlLexer", 0.0),
        "cs" => ("csharp", "CSharpLexer", 0.0),
        "hs" => ("haskell", "HaskellLexer", 0.0),
        "f" => ("fortranfixed", "FortranFixedLexer", 0.0),
        "f90" | "f03" => ("fortran", "FortranLexer", 0.0),
        "kt" | "kts" => ("kotlin", "KotlinLexer", 0.0),
        "php" => ("php", "PhpLexer", 0.0),
        "sc" => ("supercollider", "SuperColliderLexer", 0.0),
        "lisp" | "cl" => ("common-lisp", "CommonLispLexer", 0.0),
        "r" => ("rebol", "RebolLexer", 0.0),
        "R" => ("splus", "SLexer", 0.0),
        "scala" => ("scala", "ScalaLexer", 0.0),
        "lua" => ("lua", "LuaLexer", 0.0),
        _ => return None,
    };
    Some(Candidate { alias, class, score: 0.0, main: true, priority })
}

/// Other lexers that match the name.
fn rivals(name: &str, text: &str) -> Vec<Candidate> {
    let mut found = vec![];
    let mut add = |alias, class, score, main, priority| {
        found.push(Candidate { alias, class, score, main, priority });
    };
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if extension == "h" {
        add("objective-c", "ObjectiveCLexer", objective_c(text), true, 0.05);
    }
    // With two scores of 1 the comparator's choice differs from run to run.
    if extension == "m" && guesses::matlab(text) < 1.0 {
        add("objective-c", "ObjectiveCLexer", objective_c(text), true, 0.05);
        add("mason", "MasonLexer", guesses::mason(text), true, 0.0);
    }
    if name.ends_with("Spec.hs") {
        add("hspec", "HspecLexer", 0.0, true, 0.0);
    }
    if extension == "js" {
        add("javascript+django", "JavascriptDjangoLexer", guesses::django(text), false, 0.0);
        add("javascript+ruby", "JavascriptErbLexer", guesses::erb(text), false, 0.0);
        add("js+genshitext", "JavascriptGenshiLexer", guesses::genshi(text), false, 0.0);
        add("javascript+php", "JavascriptPhpLexer", guesses::php(text), false, 0.0);
        add("javascript+smarty", "JavascriptSmartyLexer", guesses::smarty(text), false, 0.0);
        add("javascript+lasso", "LassoJavascriptLexer", guesses::lasso(text), false, 0.0);
    }
    if extension == "sc" {
        let score = if guesses::python(text) { 1.0 } else { 0.0 };
        add("python", "PythonLexer", score, true, 0.0);
    }
    if extension == "cl" {
        add("visualprolog", "VisualPrologLexer", guesses::visual_prolog(text), true, 0.0);
    }
    if extension == "php" {
        add("html+php", "HtmlPhpLexer", guesses::html_php(text), false, 0.0);
        add("xml+php", "XmlPhpLexer", guesses::xml_php(text), false, 0.0);
    }
    if name.starts_with("Makefile.") {
        add("make", "MakefileLexer", guesses::make(text), true, 0.0);
    }
    if name.starts_with("Kconfig") || name.contains("Config.in") || name.starts_with("external.in")
    {
        add("kconfig", "KconfigLexer", 0.0, true, 0.0);
    }
    if name.starts_with("bash_") || name.starts_with(".bash_") {
        add("bash", "BashLexer", guesses::bash(text), true, 0.0);
    }
    found
}

/// How well a text fits the lexer of its own extension.
fn score(alias: &str, text: &str) -> f64 {
    match alias {
        "c" if guesses::line_starts(
            text,
            &["#include <", "#include \"", "#ifdef ", "#ifndef "],
        ) =>
        {
            0.1
        }
        "matlab" => guesses::matlab(text),
        "cpp" if guesses::includes_library(text) => 0.2,
        "cpp" if text.contains("using namespace ") => 0.4,
        "python" if guesses::python(text) => 1.0,
        "php" => guesses::php(text),
        "supercollider" => guesses::supercollider(text),
        "common-lisp" => guesses::common_lisp(text),
        "ruby"
            if guesses::shebang(text, |program| {
                matches!(program, "ruby" | "ruby1.8" | "ruby1.9")
            }) =>
        {
            1.0
        }
        _ => 0.0,
    }
}

/// Objective-C: any sign of it outweighs an `#include`.
fn objective_c(text: &str) -> f64 {
    let boxed = |(at, _): (usize, &str)| Cursor::new(text).byte(at + 1).is_ascii_digit();
    if ["@end", "@implementation", "@protocol"].iter().any(|word| text.contains(word)) {
        1.0
    } else if text.contains("@\"") {
        0.8
    } else if text.match_indices('@').any(boxed) {
        0.7
    } else if has_message(text) {
        0.8
    } else {
        0.0
    }
}

/// Whether the text holds what looks like `[receiver message]` or
/// `[receiver message:`.
fn has_message(text: &str) -> bool {
    let cursor = Cursor::new(text);
    let identifier = |at: usize| {
        let first = cursor.byte(at);
        let starts = first.is_ascii_alphabetic() || first == b'_';
        starts.then(|| cursor.word_end(at))
    };
    text.match_indices('[').any(|(open, _)| {
        let receiver = cursor.run(open + 1, is_space);
        let Some(end) = identifier(receiver) else {
            return false;
        };
        let message = cursor.run(end, is_space);
        if message == end {
            return false;
        }
        let Some(end) = identifier(message) else {
            return cursor.byte(message) == b':';
        };
        cursor.byte(end) == b':' || cursor.byte(cursor.space_end(end)) == b']'
    })
}
