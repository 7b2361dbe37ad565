use super::{Dialect, read};
use crate::formats::shared::tree::Tree;

#[test]
fn dialects_and_defects_are_told_with_their_place() {
    let check = |text: &str, dialect: Dialect, place: Option<(u64, u64)>| {
        let mut tree = Tree::new(base::secrets::Secrets::Masked);
        let out = read(text.as_bytes(), &mut tree, Dialect::Json5, false);
        let found = out.malformed.map(|bad| (bad.line.unwrap_or(0), bad.column.unwrap_or(0)));
        assert_eq!((out.dialect, found), (dialect, place), "{text}");
    };
    check("{\"a\": [1, 2]}", Dialect::Json, None);
    check("{\"a\": 1, // c\n}", Dialect::Jsonc, None);
    check("[/* c */ 1,]", Dialect::Jsonc, None);
    check("{a: 'b', c: +1}", Dialect::Json5, None);
    check("{\"a\": 1,\n  \"b\" 2}", Dialect::Json, Some((2, 7)));
    check("[1,, 2]", Dialect::Json, Some((1, 4)));
    check("{\"\u{e4}\" 1}", Dialect::Json, Some((1, 6)));
    check("[\"a\nb\"]", Dialect::Json, Some((1, 4)));
    check("[\"\\u12g4\"]", Dialect::Json, Some((1, 7)));
    check("[1] [2]", Dialect::Json, Some((1, 5)));
    check("", Dialect::Json, Some((1, 1)));
    check("[tru]", Dialect::Json, Some((1, 2)));
    check("[,]", Dialect::Json, Some((1, 2)));
    check("{,}", Dialect::Json, Some((1, 2)));
    check("[", Dialect::Json, Some((1, 2)));
}

#[test]
fn a_million_levels_are_bounded() {
    let mut tree = Tree::new(base::secrets::Secrets::Masked);
    let text = "[".repeat(3_000_000);
    let out = read(text.as_bytes(), &mut tree, Dialect::Json, false);
    assert_eq!(out.malformed.and_then(|bad| bad.column), Some(1_000_001));
    assert_eq!(tree.totals.max_depth, 999_999);
}
