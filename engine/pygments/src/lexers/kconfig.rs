//! Scanner for Kconfig, for files such as `webConfig.index.js`.
//!
//! Only the words for types and a few others are names, at the beginning of a run without white
//! space.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{Cursor, is_space, is_word},
    scanner::Scanner,
    words::Words,
};

/// The words of Kconfig, and whether they are names.
static WORDS: LazyLock<Words<bool>> = LazyLock::new(|| {
    let keywords = "mainmenu config menuconfig choice endchoice comment menu endmenu if endif \
        source prompt select default range option";
    let names = "bool tristate string hex int defconfig_list modules env";
    Words::new(&[(false, keywords), (true, names)])
});

/// The only state.
#[derive(Clone, Copy, Default)]
struct Code;

type Kconfig<'t, 'n> = Scanner<'t, 'n, Code>;

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Kconfig::new(text, names).run(Kconfig::step);
}

impl Kconfig<'_, '_> {
    #[inline]
    fn step(&mut self) {
        if self.space() {
            return;
        }
        let (cursor, at, byte) = (self.cursor, self.at, self.byte());
        let end = cursor.ascii_run(at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let whole = !cursor.is(end, is_word);
        let help = ["---help---", "help"].iter().find_map(|word| help_end(cursor, at, word));
        let known = WORDS.get(cursor.slice(at..end)).filter(|_| whole);
        self.at = match (byte, known) {
            (b'#', _) => cursor.next_line(at),
            (b'!' | b'=' | b'&' | b'|' | b'(' | b')', _) => at + 1,
            (b'0'..=b'9', _) => cursor.digits_end(at),
            (_, Some(true)) => return self.name(at..end),
            (_, Some(false)) => end,
            _ if help.is_some() => help.unwrap_or(end),
            _ => {
                let quoted = matches!(byte, b'"' | b'\'');
                let string = if quoted { cursor.doubled_end(at, byte) } else { None };
                // Two keywords of two words, whose first words alone are not keywords.
                let pair = cursor.any(at, &["visible if", "depends on"]);
                let pair = pair.filter(|end| !cursor.is(*end, is_word));
                string.or(pair).unwrap_or_else(|| cursor.run(at, |c| !is_space(c)))
            }
        };
    }
}

/// Position after the help text that `word` announces at `at`: the lines that are indented at least
/// as deep as the first one, and empty lines.
fn help_end(cursor: Cursor, at: usize, word: &str) -> Option<usize> {
    let end = at + word.len();
    let line_end = cursor.ascii_run(end, |byte| matches!(byte, b' ' | b'\t'));
    if !cursor.starts(at, word) || cursor.byte(line_end) != b'\n' {
        return None;
    }
    let mut line = last_line(cursor, line_end);
    let deepest = depth(cursor, line, 7);
    while deepest > 0 && line < cursor.len() && depth(cursor, line, deepest) == deepest {
        line = cursor.next_line(line);
        let blank = last_line(cursor, line);
        // More text may follow empty lines.
        line = usize::max(line, blank);
    }
    Some(line)
}

/// Start of the last line that the white space from `at` on reaches.
fn last_line(cursor: Cursor, at: usize) -> usize {
    let blank = cursor.slice(at..cursor.space_end(at));
    blank.rfind('\n').map_or(at, |offset| at + offset + 1)
}

/// The indentation of a line, up to `most`, in tabs, which may follow spaces, and in groups of
/// eight spaces.
fn depth(cursor: Cursor, at: usize, most: usize) -> usize {
    let mut at = at;
    for depth in 0..most {
        let spaces = cursor.ascii_run(at, |byte| byte == b' ') - at;
        at += match spaces {
            8.. => 8,
            _ if cursor.byte(at + spaces) == b'\t' => spaces + 1,
            _ => return depth,
        };
    }
    most
}
