//! The Rust table of what was compiled, included by `src/lib.rs`.

use std::fmt::Write as _;

use crate::unpack::Unpacked;

/// Renders the foreign functions and one row per key, sorted by key.
pub fn render(grammars: &[Unpacked]) -> String {
    let mut functions = String::new();
    let mut rows = Vec::new();
    for Unpacked { key, grammar, parser_sha256, .. } in grammars {
        let symbol = &grammar.symbol;
        push(&mut functions, format_args!("    fn {symbol}() -> *const ();\n"));
        for name in grammar.aliases.iter().chain([key]) {
            let row = format!(
                "    Grammar {{\n        provenance: Provenance {{ key: {name:?}, upstream: {:?}, revision: {:?}, parser_sha256: {parser_sha256:?} }},\n        // SAFETY: the symbol is a generated parser's entry point.\n        function: unsafe {{ LanguageFn::from_raw({symbol}) }},\n    }},\n",
                grammar.upstream, grammar.revision
            );
            rows.push((name.clone(), row));
        }
    }
    rows.sort();
    let mut table =
        format!("unsafe extern \"C\" {{\n{functions}}}\n\nstatic GRAMMARS: &[Grammar] = &[\n");
    for (_, row) in rows {
        table.push_str(&row);
    }
    table.push_str("];\n");
    table
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(line); // Writing to a string cannot fail.
}
