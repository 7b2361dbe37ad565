//! Conditional compilation: which branches of `#if` can be decided from the text alone.
//!
//! A summary shows a file as one program. So code for systems other than the assumed one, Linux
//! with a common compiler, is left out if its condition says so directly; `fields` holds the number
//! of such branches. Code that depends on the configuration of a project stays.

use tree_sitter::Node;

use crate::code::walk::Walk;

/// Macros that compilers for other systems, and other compilers, define themselves.
const FOREIGN: &[&str] = &[
    "_WIN32",
    "WIN32",
    "__WIN32__",
    "_WIN64",
    "WIN64",
    "_WINDOWS",
    "_MSC_VER",
    "__MINGW32__",
    "__MINGW64__",
    "__CYGWIN__",
    "__BORLANDC__",
    "__WATCOMC__",
    "_WIN32_WCE",
    "UNDER_CE",
    "__APPLE__",
    "__MACH__",
    "macintosh",
    "TARGET_OS_MAC",
    "TARGET_OS_IPHONE",
    "TARGET_OS_OSX",
    "__FreeBSD__",
    "__OpenBSD__",
    "__NetBSD__",
    "__DragonFly__",
    "__sun",
    "__sun__",
    "sun",
    "__hpux",
    "_AIX",
    "__sgi",
    "__osf__",
    "__QNX__",
    "__HAIKU__",
    "__BEOS__",
    "AMIGA",
    "__AMIGA__",
    "__amigaos4__",
    "__MORPHOS__",
    "MSDOS",
    "__MSDOS__",
    "__DJGPP__",
    "DJGPP",
    "__OS2__",
    "__OS400__",
    "VMS",
    "__VMS",
    "NETWARE",
    "__SYMBIAN32__",
    "__TANDEM",
    "__MVS__",
    "__ANDROID__",
    "ANDROID",
    "__EMSCRIPTEN__",
    "__wasm__",
    "__riscos__",
    "__NOVELL_LIBC__",
    "__INTEL_COMPILER",
    "__SUNPRO_C",
    "__SUNPRO_CC",
    "__IBMC__",
    "__IBMCPP__",
    "__xlC__",
    "__TINYC__",
    "__CUDACC__",
    "__OBJC__",
    "__COVERITY__",
];

/// Maximum depth of the brackets in a condition that is evaluated.
const DEPTH: usize = 4;

/// Whether a branch's condition holds; `None` if that depends on how the program is built.
pub fn truth(walk: &Walk, branch: Node, cpp: bool) -> Option<bool> {
    match branch.kind() {
        "preproc_if" | "preproc_elif" => {
            either(walk.field_text(branch, "condition")?.trim(), cpp, DEPTH)
        }
        "preproc_ifdef" | "preproc_elifdef" => {
            let known = defined(walk.field_text(branch, "name")?, cpp)?;
            let negated =
                branch.child(0).is_some_and(|word| walk.node_text(word).ends_with("ndef"));
            Some(known != negated)
        }
        _ => None,
    }
}

/// `a || b`: true if one side is true, false if all are false.
fn either(condition: &str, cpp: bool, depth: usize) -> Option<bool> {
    let mut all = Some(false);
    for part in split(condition, "||") {
        match both(part, cpp, depth) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => all = None,
        }
    }
    all
}

/// `a && b`: false if one side is false, true if all are true.
fn both(condition: &str, cpp: bool, depth: usize) -> Option<bool> {
    let mut all = Some(true);
    for part in split(condition, "&&") {
        match one(part.trim(), cpp, depth) {
            Some(false) => return Some(false),
            Some(true) => {}
            None => all = None,
        }
    }
    all
}

fn one(condition: &str, cpp: bool, depth: usize) -> Option<bool> {
    let mut rest = condition;
    let mut negated = false;
    while let Some(inner) = rest.strip_prefix('!') {
        (rest, negated) = (inner.trim_start(), !negated);
    }
    let truth = match rest {
        "0" => Some(false),
        "1" => Some(true),
        _ => match rest.strip_prefix("defined") {
            Some(name) => defined(name.trim_matches(['(', ')', ' ', '\t']), cpp),
            None => match rest.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
                Some(inner) if depth > 0 => either(inner, cpp, depth - 1),
                _ => defined(rest, cpp).filter(|known| !known),
            },
        },
    };
    truth.map(|truth| truth != negated)
}

/// The parts of a text between occurrences of an operator outside brackets.
fn split<'a>(text: &'a str, operator: &str) -> Vec<&'a str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut open = 0_i32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => open += 1,
            b')' => open -= 1,
            _ => {}
        }
        if open == 0 && at >= start && text.get(at..).is_some_and(|rest| rest.starts_with(operator))
        {
            parts.push(text.get(start..at).unwrap_or_default());
            start = at + operator.len();
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

/// Whether a macro is defined, if the language or the system decides that.
fn defined(name: &str, cpp: bool) -> Option<bool> {
    match name {
        "__cplusplus" => Some(cpp),
        "__linux__" | "__GNUC__" | "__unix__" => Some(true),
        _ => FOREIGN.contains(&name).then_some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::{DEPTH, either};

    #[test]
    fn what_the_text_says_is_known_and_nothing_else() {
        for (condition, truth) in [
            ("0", Some(false)),
            ("defined(_WIN32) || defined(MSDOS)", Some(false)),
            ("defined(_WIN32) && defined(USE_SSL)", Some(false)),
            ("!defined(_WIN32) && !(defined(__APPLE__))", Some(true)),
            ("defined(USE_SSL)", None),
            ("!defined _WIN32 || defined(USE_SSL)", Some(true)),
            ("_MSC_VER", Some(false)),
            ("_MSC_VER >= 1900", None),
            ("__GNUC__ >= 4", None),
            ("defined(__cplusplus)", Some(false)),
        ] {
            assert_eq!(either(condition, false, DEPTH), truth, "{condition}");
        }
    }
}
