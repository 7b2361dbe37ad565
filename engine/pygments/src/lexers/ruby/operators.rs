//! Extent of operators, method names and character literals of Ruby.

use crate::cursor::{Cursor, is_space, is_word};

/// End of the name of a method that is being defined.
pub(super) fn method_name_end(cursor: Cursor, at: usize) -> Option<usize> {
    let wide = |c: char| ('\u{80}'..='\u{ffff}').contains(&c);
    if cursor.is(at, |c| c.is_ascii_alphabetic() || wide(c)) {
        let end = cursor.run(at, |c| c.is_ascii_alphanumeric() || c == '_' || wide(c));
        return Some(end + usize::from(matches!(cursor.byte(end), b'!' | b'?' | b'=')));
    }
    // Longer operators come first, except that `!=` and similar ones take precedence over `!@`.
    let operators = [
        "!=", "!~", "=~", "**", "*", "-@", "+@", "!@", "~@", "-", "+", "!", "~", "/", "%", "&",
        "|", "^", "<=>", "<<", "<=", "<", ">>", ">=", ">", "===", "==", "[]=", "[]", "`",
    ];
    cursor.any(at, &operators)
}

/// End of an operator that can be a symbol or follow a dot.
pub(super) fn method_operator_end(cursor: Cursor, at: usize) -> Option<usize> {
    let operators = [
        "**", "+@", "-@", "<=>", "<<", "<>", "===", "==", ">=", ">>", "[]=", "[]", "%", "&", "*",
        "+", "-", "/", "<", ">", "^", "`", "|", "~",
    ];
    cursor.any(at, &operators)
}

/// End of an operator inside an expression, or of any other character.
pub(super) fn operator_end(cursor: Cursor, at: usize) -> usize {
    let operators = ["**", "<<", ">>", ">=", "=~", "===", "!~", "&&", "||"];
    if let Some(end) = cursor.any(at, &operators) {
        return end;
    }
    let byte = cursor.byte(at);
    let takes_equals = b"-+/*%=&!^|~".contains(&byte);
    cursor.after(at) + usize::from(takes_equals && cursor.byte(at + 1) == b'=')
}

/// End of a character literal such as `?a` or `?\C-x`.
pub(super) fn character_end(cursor: Cursor, at: usize) -> Option<usize> {
    let mut starts = vec![at + 1];
    let mut at = at + 1;
    while cursor.byte(at) == b'\\'
        && matches!(cursor.byte(at + 1), b'M' | b'C')
        && cursor.byte(at + 2) == b'-'
    {
        at += 3;
        starts.push(at);
    }
    let free = |end: usize| !cursor.is(end, is_word);
    starts.into_iter().rev().find_map(|at| {
        let code = at + 1;
        if cursor.byte(at) == b'\\' {
            let run = |from: usize, most: usize, test: fn(u8) -> bool| {
                from + (0..most).take_while(|offset| test(cursor.byte(from + offset))).count()
            };
            let mut ends = vec![];
            if b"\\abefnrstv#\"'".contains(&cursor.byte(code)) {
                ends.push(code + 1);
            }
            if cursor.byte(code) == b'x' {
                let last = run(code + 1, 2, |byte| byte.is_ascii_hexdigit());
                ends.extend((code + 2..=last).rev());
            }
            let last = run(code, 3, |byte| matches!(byte, b'0'..=b'7'));
            ends.extend((code + 1..=last).rev());
            if let Some(end) = ends.into_iter().find(|end| free(*end)) {
                return Some(end);
            }
        }
        let end = cursor.after(at);
        (cursor.is(at, |c| !is_space(c)) && free(end)).then_some(end)
    })
}
