//! Scanner for Zig.
//!
//! Identifiers that are not keywords are names; the name of a built-in function includes its `@`.
//! Strings end at the end of the line.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{Cursor, starts_identifier},
    scanner::Scanner,
    words::Words,
};

/// Keywords and types. `i8` and `c_void` are missing, as in the comparator.
static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "break return continue asm defer errdefer unreachable try catch async await suspend \
        resume cancel const var extern packed export pub noalias inline comptime nakedcc \
        stdcallcc volatile allowzero align linksection threadlocal struct enum union error while \
        for bool f16 f32 f64 f128 void noreturn type anyerror promise i0 u0 isize usize \
        comptime_int comptime_float c_short c_ushort c_int c_uint c_long c_ulong c_longlong \
        c_ulonglong c_longdouble u8 i16 u16 i32 u32 i64 u64 i128 u128 true false null undefined \
        if else switch and or orelse fn usingnamespace test";
    Words::new(&[((), words)])
});

/// The only state.
#[derive(Clone, Copy, Default)]
struct Code;

type Zig<'t, 'n> = Scanner<'t, 'n, Code>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Zig::new(text, names).run(Zig::step);
}

impl Zig<'_, '_> {
    #[inline]
    fn step(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        self.at = match cursor.byte(at) {
            b'/' if next == b'/' => cursor.next_line(at),
            b'0'..=b'9' => number_end(cursor, at),
            b'@' if starts_identifier(next) => return self.name(at..cursor.word_end(at + 1)),
            b'\'' => character_end(cursor, at).unwrap_or(at + 1),
            b'\\' if next == b'\\' => cursor.line_end(at),
            b'"' => string_end(cursor, at + 1),
            byte if starts_identifier(byte) => {
                let end = cursor.word_end(at);
                if !WORDS.has(cursor.slice(at..end)) {
                    return self.name(at..end);
                }
                end
            }
            _ => cursor.after(at),
        };
    }
}

/// End of the escape whose backslash is at `at`, if it is a known one.
fn escape_end(cursor: Cursor, at: usize) -> Option<usize> {
    let hex = |count: usize| cursor.hex_digits(at + 2, count).then_some(at + 2 + count);
    match cursor.byte(at + 1) {
        b'x' => hex(2),
        b'u' => hex(4),
        b'U' => hex(6),
        b'n' | b'r' | b'\\' | b't' | b'\'' | b'"' => Some(at + 2),
        _ => None,
    }
}

fn character_end(cursor: Cursor, at: usize) -> Option<usize> {
    let body = at + 1;
    let end = match cursor.byte(body) {
        b'\\' => escape_end(cursor, body)?,
        b'\'' => return None,
        _ if body >= cursor.len() => return None,
        _ => cursor.after(body),
    };
    (cursor.byte(end) == b'\'').then_some(end + 1)
}

/// Position after the string whose content starts at `at`.
fn string_end(cursor: Cursor, at: usize) -> usize {
    let mut at = at;
    loop {
        at = cursor.ascii_run(at, |byte| !matches!(byte, b'"' | b'\\' | b'\n'));
        match cursor.byte(at) {
            b'\\' => at = escape_end(cursor, at).unwrap_or(at + 1),
            _ => return at + 1,
        }
    }
}

fn number_end(cursor: Cursor, at: usize) -> usize {
    let run = |from: usize, test: fn(u8) -> bool| {
        let end = cursor.ascii_run(from, test);
        (end > from).then_some(end)
    };
    let hex = |byte: u8| byte.is_ascii_hexdigit();
    let digit = |byte: u8| byte.is_ascii_digit();
    let exponent = |at: usize, letters: &[u8], test: fn(u8) -> bool| {
        cursor.exponent_end(at, letters, |at| cursor.ascii_run(at, test))
    };
    let float = |start: usize, letters: &[u8], test: fn(u8) -> bool| {
        let whole = run(start, test)?;
        let has_dot = cursor.byte(whole) == b'.';
        match run(whole + 1, test) {
            Some(end) if has_dot => exponent(end, letters, test).or(Some(end)),
            _ => exponent(whole + usize::from(has_dot), letters, test),
        }
    };
    if cursor.byte(at) == b'0' {
        let based = match cursor.byte(at + 1) {
            b'x' => float(at + 2, b"pP", hex).or_else(|| run(at + 2, hex)),
            b'b' => run(at + 2, |byte| matches!(byte, b'0' | b'1')),
            b'o' => run(at + 2, |byte| matches!(byte, b'0'..=b'7')),
            _ => None,
        };
        if let Some(end) = based {
            return end;
        }
    }
    float(at, b"eE", digit).or_else(|| run(at, digit)).unwrap_or(at + 1)
}
