//! Scanner for Lua.
//!
//! Identifiers that are not keywords are names; the name of a function of the standard library
//! includes its module. After a dot or a colon, and after `function` and `goto`, keywords are
//! names, too.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::LazyLock,
};

use crate::{
    cursor::{Cursor, is_digit, is_space, is_word},
    scanner::Scanner,
    words::Words,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Plain,
    Goto,
    Function,
    /// A builtin, at which a chain of members never starts.
    Builtin,
}

static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let plain = "and or not break do else elseif end for if in repeat return then until while local \
        true false nil";
    let builtin = "_G _VERSION assert collectgarbage dofile error getmetatable ipairs load loadfile \
        next pairs pcall print rawequal rawget rawlen rawset select setmetatable tonumber tostring \
        type warn xpcall require \
        bit32.arshift bit32.band bit32.bnot bit32.bor bit32.btest bit32.bxor bit32.extract \
        bit32.lrotate bit32.lshift bit32.replace bit32.rrotate bit32.rshift \
        coroutine.close coroutine.create coroutine.isyieldable coroutine.resume coroutine.running \
        coroutine.status coroutine.wrap coroutine.yield \
        debug.debug debug.gethook debug.getinfo debug.getlocal debug.getmetatable \
        debug.getregistry debug.getupvalue debug.getuservalue debug.sethook debug.setlocal \
        debug.setmetatable debug.setupvalue debug.setuservalue debug.traceback debug.upvalueid \
        debug.upvaluejoin \
        io.close io.flush io.input io.lines io.open io.output io.popen io.read io.stderr io.stdin \
        io.stdout io.tmpfile io.type io.write \
        math.abs math.acos math.asin math.atan math.atan2 math.ceil math.cos math.cosh math.deg \
        math.exp math.floor math.fmod math.frexp math.huge math.ldexp math.log math.max \
        math.maxinteger math.min math.mininteger math.modf math.pi math.pow math.rad math.random \
        math.randomseed math.sin math.sinh math.sqrt math.tan math.tanh math.tointeger math.type \
        math.ult \
        package.config package.cpath package.loaded package.loadlib package.path package.preload \
        package.searchers package.searchpath \
        os.clock os.date os.difftime os.execute os.exit os.getenv os.remove os.rename os.setlocale \
        os.time os.tmpname \
        string.byte string.char string.dump string.find string.format string.gmatch string.gsub \
        string.len string.lower string.match string.pack string.packsize string.rep string.reverse \
        string.sub string.unpack string.upper \
        table.concat table.insert table.move table.pack table.remove table.sort table.unpack \
        utf8.char utf8.charpattern utf8.codepoint utf8.codes utf8.len utf8.offset";
    Words::new(&[
        (Word::Plain, plain),
        (Word::Goto, "goto"),
        (Word::Function, "function"),
        (Word::Builtin, builtin),
    ])
});

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    /// After a name that a dot or a colon follows.
    Members,
    /// After `function`.
    Function,
    Goto,
    Label,
    Text(u8),
}

type Lua<'t, 'n> = Scanner<'t, 'n, State, Memory>;

#[derive(Default)]
struct Memory {
    /// The ends of long brackets by their level.
    closers: Option<BTreeMap<usize, Vec<usize>>>,
    /// For each `--`, whether a dot or a colon comes after the comment.
    followed: Option<BTreeMap<usize, bool>>,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    let mut lua = Lua::new(text, names);
    if lua.cursor.starts(0, "#!") {
        lua.at = lua.cursor.line_end(0);
    }
    lua.run(Lua::step);
}

impl Lua<'_, '_> {
    #[inline]
    fn step(&mut self) {
        match self.state {
            State::Code => self.code(),
            State::Text(quote) => self.text(quote),
            _ => self.named(),
        }
    }

    /// Moves to `at` in another state; states do not nest in Lua.
    fn go(&mut self, at: usize, state: State) {
        self.at = at;
        self.state = state;
    }

    /// Skips white space or a comment.
    fn blank(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if self.space() {
            return true;
        }
        if cursor.starts(at, "--") {
            self.at = self.long_end(at + 2).unwrap_or_else(|| cursor.line_end(at));
        }
        self.at > at
    }

    /// End of the long bracket that opens at `at`.
    fn long_end(&mut self, at: usize) -> Option<usize> {
        let (level, open) = long_open(self.cursor, at)?;
        let cursor = self.cursor;
        let closers = self.memory.closers.get_or_insert_with(|| closers(cursor));
        let same = closers.get(&level)?;
        let index = same.partition_point(|end| *end < open + level + 2);
        same.get(index).copied()
    }

    /// Whether a dot or a colon follows after white space and comments.
    ///
    /// A comment may be read to any of its possible ends, as long as a dot or a colon follows
    /// there.
    fn has_member(&mut self, at: usize) -> bool {
        let cursor = self.cursor;
        let at = cursor.space_end(at);
        if !cursor.starts(at, "--") {
            return matches!(cursor.byte(at), b'.' | b':');
        }
        let followed = self.memory.followed.get_or_insert_with(|| followed(cursor));
        followed.get(&at).copied().unwrap_or(false)
    }

    fn code(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.blank() {
            return;
        }
        let byte = cursor.byte(at);
        match byte {
            b'0'..=b'9' => self.at = number_end(cursor, at),
            b'.' if cursor.is(at + 1, is_digit) => self.at = number_end(cursor, at),
            b'[' if let Some(end) = self.long_end(at) => self.at = end,
            b':' if cursor.byte(at + 1) == b':' => self.go(at + 2, State::Label),
            b'.' if cursor.byte(at + 1) == b'.' => {
                self.at += if cursor.byte(at + 2) == b'.' { 3 } else { 2 };
            }
            b'\'' | b'"' => self.go(at + 1, State::Text(byte)),
            b'_' => self.word(),
            _ if byte.is_ascii_alphabetic() => self.word(),
            _ if is_operator(byte) => self.at = cursor.ascii_run(at, is_operator),
            _ if is_punctuation(byte) => self.at = cursor.ascii_run(at, is_punctuation),
            _ if cursor.is(at, is_digit) => self.at = number_end(cursor, at),
            _ => self.at = cursor.after(at),
        }
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = cursor.word_end(at);
        let dotted = if cursor.byte(end) == b'.' { cursor.word_end(end + 1) } else { end };
        match WORDS.get(cursor.slice(at..end)) {
            Some(Word::Plain) => self.at = end,
            Some(Word::Goto) => self.go(end, State::Goto),
            Some(Word::Function) => self.go(end, State::Function),
            Some(Word::Builtin) => self.name(at..end),
            None if dotted > end && WORDS.has(cursor.slice(at..dotted)) => self.name(at..dotted),
            None => {
                self.name(at..end);
                if self.has_member(end) {
                    self.state = State::Members;
                }
            }
        }
    }

    /// One step in a place where keywords are names.
    fn named(&mut self) {
        let (cursor, at, state) = (self.cursor, self.at, self.state);
        if self.blank() {
            return;
        }
        if cursor.is(at, |c| is_word(c) && !is_digit(c)) {
            let end = cursor.word_end(at);
            self.name(at..end);
            let stays = match state {
                State::Label => true,
                State::Goto => false,
                _ => self.has_member(end),
            };
            if !stays {
                self.state = State::Code;
            }
            return;
        }
        match (state, cursor.byte(at)) {
            (State::Members, b'.') if cursor.byte(at + 1) == b'.' => {
                self.go(at + 2, State::Code);
            }
            (State::Label, b':') if cursor.byte(at + 1) == b':' => self.go(at + 2, State::Code),
            (State::Function, b'(') => self.go(at + 1, State::Code),
            _ => self.at = cursor.after(at),
        }
    }

    fn text(&mut self, quote: u8) {
        let (cursor, at) = (self.cursor, self.at);
        match cursor.byte(at) {
            b'\\' => {
                let hidden = matches!(cursor.byte(at + 1), b'\\' | b'\'' | b'"');
                self.at += 1 + usize::from(hidden);
            }
            byte if byte == quote => self.go(at + 1, State::Code),
            _ => self.at = cursor.ascii_run(at, |byte| byte != b'\\' && byte != quote),
        }
    }
}

fn is_operator(byte: u8) -> bool {
    b"=<>|~&+-*/%#^".contains(&byte)
}

fn is_punctuation(byte: u8) -> bool {
    b"[]{}().,:;".contains(&byte)
}

/// The level of the long bracket at `at` and the position after it.
fn long_open(cursor: Cursor, at: usize) -> Option<(usize, usize)> {
    let end = cursor.ascii_run(at + 1, |byte| byte == b'=');
    let opens = cursor.byte(at) == b'[' && cursor.byte(end) == b'[';
    opens.then(|| (end - at - 1, end + 1))
}

/// The level of the long bracket that closes at `at` and the position after
/// it.
fn long_close(cursor: Cursor, at: usize) -> Option<(usize, usize)> {
    let end = cursor.ascii_run(at + 1, |byte| byte == b'=');
    let closes = cursor.byte(at) == b']' && cursor.byte(end) == b']';
    closes.then(|| (end - at - 1, end + 1))
}

/// The ends of all long brackets by level.
fn closers(cursor: Cursor) -> BTreeMap<usize, Vec<usize>> {
    let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in memchr::memchr_iter(b']', cursor.text.as_bytes()) {
        if let Some((level, end)) = long_close(cursor, at) {
            found.entry(level).or_default().push(end);
        }
    }
    found
}

/// For each `--`, whether a dot or a colon follows after white space and comments that start there.
/// It is computed from the end of the text backwards.
fn followed(cursor: Cursor) -> BTreeMap<usize, bool> {
    let mut found = BTreeMap::new();
    // The levels of long brackets that close farther on and are followed by a member. And whether a
    // member follows here, and after the rest of the line.
    let mut open = BTreeSet::new();
    let mut here = false;
    let mut behind_line = false;
    for (at, character) in cursor.text.char_indices().rev() {
        if character == '\n' {
            behind_line = here;
        }
        if is_space(character) {
            continue;
        }
        here = matches!(character, '.' | ':');
        if let Some((level, end)) = long_close(cursor, at) {
            let next = cursor.space_end(end);
            let member = matches!(cursor.byte(next), b'.' | b':');
            if member || found.get(&next).copied().unwrap_or(false) {
                open.insert(level);
            }
        } else if cursor.starts(at, "--") {
            let long = long_open(cursor, at + 2);
            here = behind_line || long.is_some_and(|(level, _)| open.contains(&level));
            found.insert(at, here);
        }
    }
    found
}

fn number_end(cursor: Cursor, at: usize) -> usize {
    let digits = |from: usize| cursor.run(from, is_digit);
    let exponent =
        |from: usize, letters: &[u8]| cursor.exponent_end(from, letters, digits).unwrap_or(from);
    if cursor.byte(at) == b'0' && matches!(cursor.byte(at + 1), b'x' | b'X') {
        let hex = |from| cursor.run(from, |c| is_digit(c) || c.is_ascii_hexdigit());
        let whole = hex(at + 2);
        let end = if cursor.byte(whole) == b'.' { hex(whole + 1) } else { whole };
        return exponent(end, b"pP");
    }
    let whole = digits(at);
    let end = if cursor.byte(whole) == b'.' { digits(whole + 1) } else { whole };
    exponent(end, b"eE")
}
