//! The imports of a text, found line by line: no parser is needed, so they cost next to nothing and
//! are the same whether the tags come from the text or from the index.
//!
//! A line of a string or a comment may look like an import. It then names a file that defines what
//! the text refers to, or it changes nothing.

use explore::{Import, ImportCategory};

/// Longest statement that is read, in lines.
const MOST_LINES: usize = 200;
/// Deepest nesting of groups in a statement of Rust or PHP.
const MOST_GROUPS: usize = 8;

/// The imports of a text in a language with this key; none if the language is not known here.
pub fn imports(key: &str, text: &str) -> Vec<Import> {
    let read: fn(&mut Statements) -> Option<()> = match key {
        "python" => python,
        "javascript" | "typescript" | "tsx" | "vue" | "svelte" | "astro" => javascript,
        "arduino" | "c" | "cpp" | "cuda" | "objc" => c,
        "go" => go,
        "java" | "kotlin" | "scala" => java,
        "rust" => rust,
        "php" => php,
        "ruby" => ruby,
        _ => return Vec::new(),
    };
    let mut statements = Statements { lines: text.lines(), line: "", row: 0, found: Vec::new() };
    while statements.next() {
        // A line that imports nothing is passed over.
        let _ = read(&mut statements);
    }
    statements.found
}

/// The lines of a text, and the imports found so far.
struct Statements<'t> {
    lines: std::str::Lines<'t>,
    /// The present line, without spaces around it.
    line: &'t str,
    /// Its number, from 1.
    row: u32,
    found: Vec<Import>,
}

impl<'t> Statements<'t> {
    fn next(&mut self) -> bool {
        let Some(line) = self.lines.next() else { return false };
        self.line = line.trim();
        self.row += 1;
        true
    }

    /// The rest of the statement after `start`, up to `end`, in one line without comments.
    fn until(&mut self, start: &'t str, end: char, comment: &str) -> String {
        let code = |line: &'t str| line.split(comment).next().unwrap_or_default();
        let mut whole = code(start).to_owned();
        let mut lines = 0;
        while !whole.contains(end) && lines < MOST_LINES && self.next() {
            whole.push(' ');
            whole.push_str(code(self.line));
            lines += 1;
        }
        whole.split(end).next().unwrap_or_default().to_owned()
    }

    fn add(&mut self, path: &str, names: Vec<String>) {
        let (category, line) = (ImportCategory::Unknown, self.row);
        self.found.push(Import { path: path.to_owned(), names, category, line });
    }
}

/// The first word of a text, up to a space or one of `ends`.
fn word<'t>(text: &'t str, ends: &[char]) -> &'t str {
    let is_end = |c: char| c.is_whitespace() || ends.contains(&c);
    text.trim_start().split(is_end).next().unwrap_or_default()
}

/// The text between the first quotes.
fn quoted(text: &str) -> Option<&str> {
    let start = text.find(['"', '\''])?;
    let quote = text.get(start..=start)?;
    text.get(start + 1..)?.split(quote).next()
}

/// The names in a list, without what they are renamed to.
fn names(list: &str) -> Vec<String> {
    let names = list.split(',').map(|name| word(name, &[]));
    names.filter(|name| !name.is_empty() && *name != "*").map(str::to_owned).collect()
}

fn python(statements: &mut Statements) -> Option<()> {
    let line = statements.line;
    if let Some(modules) = line.strip_prefix("import ") {
        for module in modules.split([';', '#']).next()?.split(',') {
            statements.add(word(module, &[]), Vec::new());
        }
        return Some(());
    }
    let (module, list) = line.strip_prefix("from ")?.split_once(" import")?;
    let list = match list.trim_start().strip_prefix('(') {
        Some(list) => statements.until(list, ')', "#"),
        None => list.split([';', '#']).next()?.to_owned(),
    };
    statements.add(module.trim(), names(&list));
    Some(())
}

fn javascript(statements: &mut Statements) -> Option<()> {
    let line = statements.line;
    let start = if line.starts_with("import ") && !line.contains(" from ") {
        // The names may fill several lines, of which the last has the path.
        line.find(['"', '\''])?
    } else {
        let after = [" from ", "require(", "import("].iter().find_map(|sign| {
            line.find(sign).map(|at| at + sign.len()).or_else(|| {
                let sign = sign.trim_start();
                line.starts_with(sign).then_some(sign.len())
            })
        });
        after?
    };
    let rest = line.get(start..)?.trim_start();
    let path = rest.starts_with(['"', '\'']).then(|| quoted(rest)).flatten()?;
    statements.add(path, Vec::new());
    Some(())
}

fn c(statements: &mut Statements) -> Option<()> {
    let directive = statements.line.strip_prefix('#')?.trim_start();
    let rest = directive.strip_prefix("include").or_else(|| directive.strip_prefix("import"))?;
    let rest = rest.trim_start();
    let path = match rest.strip_prefix('<') {
        Some(rest) => rest.split('>').next()?,
        None => quoted(rest)?,
    };
    statements.add(path, Vec::new());
    Some(())
}

fn go(statements: &mut Statements) -> Option<()> {
    let rest = statements.line.strip_prefix("import")?.trim_start();
    let list = match rest.strip_prefix('(') {
        Some(list) => statements.until(list, ')', "//"),
        None => rest.to_owned(),
    };
    for path in list.split('"').skip(1).step_by(2) {
        statements.add(path, Vec::new());
    }
    Some(())
}

fn java(statements: &mut Statements) -> Option<()> {
    let rest = statements.line.strip_prefix("import ")?.trim_start();
    let path = word(rest.strip_prefix("static ").unwrap_or(rest), &[';', '{']);
    statements.add(path.trim_end_matches(['*', '_', '.']), Vec::new());
    Some(())
}

fn rust(statements: &mut Statements) -> Option<()> {
    let line = statements.line;
    let line = line.strip_prefix("pub").map_or(line, |rest| {
        let rest = rest.trim_start();
        rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest)
    });
    let line = line.trim_start();
    if let Some(module) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
        // Beside its own file, or in the folder of that name.
        statements.add(&format!("./{module}"), Vec::new());
        return Some(());
    }
    let list = statements.until(line.strip_prefix("use ")?, ';', "//");
    for path in expanded(&list) {
        statements.add(&path, Vec::new());
    }
    Some(())
}

fn php(statements: &mut Statements) -> Option<()> {
    let line = statements.line;
    if let Some(rest) = line.strip_prefix("use ") {
        let list = statements.until(rest, ';', "//");
        for path in expanded(&list) {
            let path = path.strip_prefix("function ").unwrap_or(&path).trim_start().to_owned();
            statements.add(&path, Vec::new());
        }
        return Some(());
    }
    let starts = ["require_once", "require", "include_once", "include"];
    let rest = starts.iter().find_map(|start| line.strip_prefix(start))?;
    let path = quoted(rest)?.trim_start_matches('/').to_owned();
    statements.add(&path, Vec::new());
    Some(())
}

fn ruby(statements: &mut Statements) -> Option<()> {
    let line = statements.line;
    if let Some(rest) = line.strip_prefix("require_relative") {
        let path = quoted(rest)?;
        let path = if path.starts_with('.') { path.to_owned() } else { format!("./{path}") };
        statements.add(&path, Vec::new());
        return Some(());
    }
    let path = quoted(line.strip_prefix("require")?)?;
    statements.add(path, Vec::new());
    Some(())
}

/// The paths of a list in which braces group those with the same beginning: `a::{b, c::{d, e}}` has
/// `a::b`, `a::c::d` and `a::c::e`. What a path is renamed to is left out.
fn expanded(list: &str) -> Vec<String> {
    let mut paths = Vec::new();
    // The beginnings of the open groups, each with those around it.
    let mut groups = vec![String::new()];
    let mut start = 0;
    for (at, sign) in list.char_indices().chain([(list.len(), ',')]) {
        if !matches!(sign, '{' | '}' | ',') {
            continue;
        }
        let own = list.get(start..at).unwrap_or_default().trim();
        start = at + sign.len_utf8();
        let group = groups.last().cloned().unwrap_or_default();
        if sign == '{' {
            if groups.len() > MOST_GROUPS {
                return paths;
            }
            groups.push(group + own);
            continue;
        }
        let own = own.split(" as ").next().unwrap_or_default().trim();
        if !own.is_empty() {
            paths.push(group + own.trim_end_matches("::*"));
        }
        if sign == '}' && groups.len() > 1 {
            groups.pop();
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::imports;

    fn found(key: &str, text: &str) -> Vec<String> {
        let shown = |import: explore::Import| match import.names.as_slice() {
            [] => import.path,
            names => format!("{}: {}", import.path, names.join(" ")),
        };
        imports(key, text).into_iter().map(shown).collect()
    }

    #[test]
    fn imports_are_found_in_every_form() {
        let python = "import a.b as c, d  # e\nif x:\n    from ..f import g, h as i\nfrom . import (\n    j,  # k\n    l as m,\n)\nfrom n import *\nimportant = 1\n";
        assert_eq!(found("python", python), ["a.b", "d", "..f: g h", ".: j l", "n"]);
        let javascript = "import a, { b } from './c';\nimport 'd.css'\nimport {\n  e,\n} from \"../f\"\nexport * from './g'\nconst h = require('./i')\nconst j = await import('./k')\nfrom here\n";
        let paths = ["./c", "d.css", "../f", "./g", "./i", "./k"];
        assert_eq!(found("tsx", javascript), paths);
        let c = "#include \"a/b.h\"\n  # include <c.h>\n#import \"d.h\"\n#define include \"e.h\"\n";
        assert_eq!(found("c", c), ["a/b.h", "c.h", "d.h"]);
        let go = "import \"a/b\"\nimport (\n\tc \"d/e\"\n\t// f\n\t\"g\"\n)\n";
        assert_eq!(found("go", go), ["a/b", "d/e", "g"]);
        let java = "import a.b.C;\nimport static a.b.D.e;\nimport a.f.*;\n";
        assert_eq!(found("java", java), ["a.b.C", "a.b.D.e", "a.f"]);
        let rust = "use a::{b::C as D, e::{self, F}};\npub(crate) use crate::g::*;\nmod h;\nmod i {\npub mod j;\n";
        let paths = ["a::b::C", "a::e::self", "a::e::F", "crate::g", "./h", "./j"];
        assert_eq!(found("rust", rust), paths);
        let php = "use A\\B;\nuse A\\C as D, E\\{F,\n G};\nuse function H\\i;\nrequire_once __DIR__ . '/j.php';\n";
        assert_eq!(found("php", php), ["A\\B", "A\\C", "E\\F", "E\\G", "H\\i", "j.php"]);
        assert_eq!(found("ruby", "require 'a/b'\nrequire_relative 'c'\n"), ["a/b", "./c"]);
        assert!(found("css", "import 'a'\n").is_empty());
    }

    #[test]
    fn statements_that_do_not_end_are_no_trouble() {
        for key in ["python", "javascript", "c", "go", "java", "rust", "php", "ruby"] {
            for text in [
                "from a import (",
                "import (",
                "import {",
                "use a::{{{{",
                "use ",
                "#include",
                "#include \"",
                "import",
                "require",
                "require('",
            ] {
                let _ = imports(key, text);
                let _ = imports(key, &format!("{text}{}", "é\n".repeat(500)));
            }
        }
        let deep = format!("use {}a;\n", "b::{".repeat(100_000));
        assert!(imports("rust", &deep).is_empty());
    }
}
