//! Scanner for SuperCollider, which the comparator takes Scala scripts for.
//!
//! Every identifier that is no keyword is a name. As in JavaScript a slash
//! opens a regular expression behind operators, opening brackets and most
//! keywords and at a line start, and if none can be read there, the rest of the
//! line is lost.

use std::ops::Range;
use std::sync::LazyLock;

use super::cursor::{Cursor, Once, is_space};
use super::script::Expressions;
use super::words::Words;

/// Keywords, and whether a slash behind one opens a regular expression.
static WORDS: LazyLock<Words<bool>> = LazyLock::new(|| {
    let operand = "for in while do break return continue switch case default if else throw try catch \
        finally new delete typeof instanceof void var let with function arg";
    let plain = "boolean byte char class const debugger double enum export extends final float goto \
        implements import int interface long native package private protected public short static \
        super synchronized throws transient volatile true false nil inf";
    Words::new(&[(true, operand), (false, plain)])
});

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    let cursor = Cursor::new(text);
    let mut expressions = Expressions::default();
    let (mut comment, mut double, mut single) = (Once::default(), Once::default(), Once::default());
    let mut operand = false;
    let mut at = 0;
    while at < cursor.len() {
        let next = cursor.byte(at + 1);
        let byte = cursor.byte(at);
        let space = cursor.space_end(at);
        let starts_line = byte == b'/' || cursor.starts(at, "<!--") || cursor.is(at, is_space);
        operand |= cursor.at_line_start(at) && starts_line;
        let blank = match byte {
            _ if space > at => Some(space),
            b'<' if cursor.starts(at, "<!--") => Some(at + 4),
            b'/' if next == b'/' => Some(cursor.next_line(at)),
            b'/' if next == b'*' => {
                comment.search(|| cursor.find_text(at + 2, "*/")).map(|close| close + 2)
            }
            _ => None,
        };
        if let Some(end) = blank {
            at = end;
            continue;
        }
        if operand && byte == b'/' {
            let end = expressions.end(cursor, at, b"gim");
            at = end.unwrap_or_else(|| cursor.next_line(at));
            operand = false;
            continue;
        }
        operand = false;
        at = match byte {
            b'{' | b'(' | b'[' | b';' | b',' | b'~' | b'?' | b':' | b'<' | b'>' | b'=' | b'!'
            | b'-' | b'+' | b'*' | b'%' | b'&' | b'|' | b'^' | b'/' => {
                operand = true;
                at + 1
            }
            b'\\' if next == b'\n' => {
                operand = true;
                at + 1
            }
            b'\\' if starts_name(next) => cursor.word_end(at + 2),
            b'0'..=b'9' => number_end(cursor, at),
            b'"' => double.search(|| cursor.quoted_end(at, b'"')).unwrap_or(at + 1),
            b'\'' => single.search(|| cursor.quoted_end(at, b'\'')).unwrap_or(at + 1),
            _ if starts_name(byte) => {
                let end = cursor.word_end(at + 1);
                match WORDS.get(cursor.slice(at..end)) {
                    Some(opens) => operand = opens,
                    None => names.push(at..end),
                }
                end
            }
            _ => cursor.after(at),
        };
    }
}

fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'$' | b'_')
}

fn number_end(cursor: Cursor, at: usize) -> usize {
    let digits = |from: usize| cursor.ascii_run(from, |byte| byte.is_ascii_digit());
    let whole = digits(at);
    let fraction = digits(whole + 1);
    if cursor.byte(whole) == b'.' && fraction > whole + 1 {
        let power = digits(fraction + 1);
        let fits = matches!(cursor.byte(fraction), b'e' | b'E') && power > fraction + 1;
        let end = if fits { power } else { fraction };
        return end + usize::from(matches!(cursor.byte(end), b'f' | b'd'));
    }
    let hex = cursor.ascii_run(at + 2, |byte| byte.is_ascii_hexdigit());
    if cursor.starts(at, "0x") && hex > at + 2 { hex } else { whole }
}
