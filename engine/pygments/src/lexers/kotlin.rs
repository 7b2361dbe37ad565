//! Scanner for Kotlin.
//!
//! Identifiers that are not keywords are names, with a `?` and the character after it. Modifiers
//! are names unless a declaration follows them. A digit is a token of its own, so that `0x1F` and
//! `1_000` contain a name.

use std::{ops::Range, sync::LazyLock};

use crate::{
    cursor::{Cursor, Searched, is_digit, is_space, is_word},
    identifiers::{continues_cased_name, starts_cased_name},
    scanner::Scanner,
    words::Words,
};

/// Keywords, built-in types and constants, which are not names.
static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "as break by catch constructor continue do dynamic else finally get for if init in \
        is out reified return set super this throw try typealias typeof vararg when where while \
        Boolean Byte Char Double Float Int Long Short String Any Unit true false null";
    Words::new(&[((), words)])
});

/// Built-in types that end at a `?`: no name continues after it.
const TYPES: [&str; 11] =
    ["Boolean", "Byte", "Char", "Double", "Float", "Int", "Long", "Short", "String", "Any", "Unit"];

static MODIFIERS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "actual abstract annotation companion const crossinline data enum expect external \
        final infix inline inner internal lateinit noinline open operator override private \
        protected public sealed suspend tailrec value";
    Words::new(&[((), words)])
});

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    /// A string, with triple or single quotes.
    Text(bool),
    /// Interpolated code in a string.
    Insert,
    /// Braces in such code.
    Scope,
    /// After `class`, `val` or a similar keyword, up to the name.
    Named,
    /// After `fun`: up to the name, which may have a receiver.
    Function,
    Generic,
    Destructuring,
}

type Kotlin<'t, 'n> = Scanner<'t, 'n, State, Memory>;

#[derive(Default)]
struct Memory {
    word: Searched,
    /// Runs of word characters and dots without an `@` after them.
    no_label: Searched,
    /// Runs of modifiers, with and without `fun`.
    modifiers: [Searched; 2],
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Kotlin::new(text, names).run(Kotlin::step);
}

impl Kotlin<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        match (self.state, cursor.byte(at)) {
            (State::Text(triple), _) => self.text(triple),
            (State::Insert, b'"') => self.at += 1,
            (State::Insert, b'$') if cursor.byte(at + 1) == b'{' => {
                self.enter(at + 2, State::Insert);
            }
            (State::Insert | State::Scope, b'{') => self.enter(at + 1, State::Scope),
            (State::Insert | State::Scope, b'}') => self.leave(at + 1),
            (State::Named | State::Function | State::Generic | State::Destructuring, _) => {
                self.declaration();
            }
            _ => self.code(),
        }
    }

    fn code(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.space() {
            return;
        }
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'/' if next == b'/' => self.at = cursor.next_line(at),
            b'/' if next == b'*' => {
                self.at = self.ending(at + 2, "*/").unwrap_or(at + 1);
            }
            b'#' if cursor.starts(at, "#!/") && cursor.at_line_start(at) => {
                self.at = cursor.next_line(cursor.after(at + 3));
            }
            b'.' if cursor.is(at + 1, starts_member) => {
                let end = cursor.run(at + 1, |c| c == '$' || is_word(c));
                self.name(at + 1..end);
            }
            b'@' if cursor.is(at + 1, starts_word) => {
                self.name(at..cursor.run(at + 1, |c| c == '.' || is_word(c)));
            }
            b'"' if cursor.starts(at, "\"\"\"") => self.enter(at + 3, State::Text(true)),
            b'"' => self.enter(at + 1, State::Text(false)),
            b'\'' => self.at = character_end(cursor, at),
            b'0'..=b'9' => self.at = number_end(cursor, at),
            b'`' => self.identifier(),
            _ if cursor.is(at, starts_word) => self.word(),
            _ => self.at = cursor.after(at),
        }
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let end = self.memory.word.search(at, || cursor.word_end(at));
        let word = cursor.slice(at..end);
        if cursor.starts(at, "as?") {
            self.at = end + 1;
        } else if WORDS.has(word) {
            // A type includes its question mark.
            let is_type = cursor.byte(end) == b'?' && TYPES.contains(&word);
            self.at = end + usize::from(is_type);
        } else if word == "it" {
            self.name(at..end);
        } else if matches!(word, "package" | "import") && self.path(end)
            || self.label()
            || self.introduces(word)
        {
        } else {
            self.identifier();
        }
    }

    /// The path after `package` or `import`: everything up to white space.
    fn path(&mut self, at: usize) -> bool {
        let start = self.cursor.space_end(at);
        let end = self.cursor.run(start, |c| !is_space(c));
        if start == at || end == start {
            return false;
        }
        self.name(start..end);
        true
    }

    /// A label: a word, which may contain dots, and an `@`.
    fn label(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        if self.memory.no_label.end(at).is_some() {
            return false;
        }
        let end = cursor.run(at, |c| c == '.' || is_word(c));
        if cursor.byte(end) != b'@' || cursor.after(at) == end {
            self.memory.no_label.set(at, end);
            return false;
        }
        self.name(at..end + 1);
        true
    }

    /// The words, after modifiers, that introduce a declaration.
    fn introduces(&mut self, word: &str) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let can = matches!(word, "fun" | "class" | "interface" | "object" | "var" | "val");
        if !can && !MODIFIERS.has(word) {
            return false;
        }
        let spaced = |start: usize, word: &str| {
            if cursor.starts(start, word) { cursor.spaced(start + word.len()) } else { None }
        };
        let first =
            |start: usize, words: &[&str]| words.iter().find_map(|word| spaced(start, word));
        if let Some(colon) = spaced(at, "object")
            && let Some(next) = spaced(colon, ":")
        {
            self.enter(next, State::Named);
            return true;
        }
        let [with_function, plain] = [true, false].map(|function| {
            let memory = &mut self.memory.modifiers[usize::from(function)];
            memory.search(at, || {
                let mut end = at;
                loop {
                    let word = cursor.slice(end..cursor.word_end(end));
                    let fits = MODIFIERS.has(word) || function && word == "fun";
                    match spaced(end, word) {
                        Some(next) if fits => end = next,
                        _ => return end,
                    }
                }
            })
        });
        let found = if let Some(next) = first(with_function, &["class", "interface", "object"]) {
            Some((next, State::Named))
        } else if let Some(next) = first(at, &["var", "val"])
            && cursor.byte(next) == b'('
        {
            Some((next + 1, State::Destructuring))
        } else if let Some(next) = first(plain, &["var", "val"]) {
            Some((next, State::Named))
        } else {
            spaced(plain, "fun").map(|next| (next, State::Function))
        };
        if let Some((next, state)) = found {
            self.enter(next, state);
        }
        found.is_some()
    }

    /// An identifier in code, with a `?` and the character after it.
    fn identifier(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let Some(end) = identifier_end(cursor, at) else {
            self.at = cursor.after(at);
            return;
        };
        let follows = cursor.byte(end) == b'?' && end + 1 < cursor.len();
        let nullable = follows && cursor.byte(end + 1) != b'.';
        self.name(at..if nullable { cursor.after(end + 1) } else { end });
    }

    /// One step between the introduction of a declaration and its name.
    fn declaration(&mut self) {
        let (cursor, at, state) = (self.cursor, self.at, self.state);
        let lists = matches!(state, State::Generic | State::Destructuring);
        let space = cursor.space_end(at);
        match cursor.byte(at) {
            _ if lists && space > at => self.at = space,
            b'>' if state == State::Generic => self.leave(cursor.space_end(at + 1)),
            b')' if state == State::Destructuring => self.leave(at + 1),
            b'<' if matches!(state, State::Function | State::Destructuring) => {
                self.enter(at + 1, State::Generic);
            }
            _ if state == State::Generic
                && matches!(cursor.slice(at..cursor.word_end(at)), "reified" | "out" | "in") =>
            {
                self.at = cursor.word_end(at);
            }
            _ => match identifier_end(cursor, at) {
                Some(end) => {
                    self.name(at..end);
                    if state == State::Function
                        && cursor.byte(end) == b'.'
                        && let Some(method) = identifier_end(cursor, end + 1)
                    {
                        self.name(end + 1..method);
                    }
                    if !lists {
                        self.leave(self.at);
                    }
                }
                None => self.skip(),
            },
        }
    }

    fn text(&mut self, triple: bool) {
        let (cursor, at) = (self.cursor, self.at);
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'"' if !triple => self.leave(at + 1),
            b'"' if cursor.starts(at, "\"\"\"") => self.leave(at + 3),
            b'\\' => self.at += 1 + usize::from(matches!(next, b'\\' | b'"')),
            b'$' if next == b'{' => self.enter(at + 2, State::Insert),
            b'$' if cursor.is(at + 1, is_word) => self.name(at + 1..cursor.word_end(at + 1)),
            b'"' | b'$' => self.at += 1,
            _ => self.at = cursor.ascii_run(at, |byte| !matches!(byte, b'"' | b'\\' | b'$')),
        }
    }
}

fn starts_word(character: char) -> bool {
    is_word(character) && !is_digit(character)
}

fn starts_member(character: char) -> bool {
    character == '$' || starts_word(character)
}

/// End of an identifier, which may have an `@` before it or be in backticks.
fn identifier_end(cursor: Cursor, at: usize) -> Option<usize> {
    let quoted = cursor.byte(at) == b'`';
    let mark = at + usize::from(quoted);
    let start = mark + usize::from(cursor.byte(mark) == b'@');
    if !cursor.is(start, starts_cased_name) {
        return None;
    }
    if !quoted {
        return Some(cursor.word_run(start, continues_cased_name));
    }
    let end = cursor.run(start, |c| {
        let blank = matches!(c, ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}')
            || matches!(c, '\u{205f}' | '\u{3000}');
        continues_cased_name(c) || blank || "'~!%^&*()+=|[]:;,.<>/?-".contains(c)
    });
    (cursor.byte(end) == b'`').then_some(end + 1)
}

fn character_end(cursor: Cursor, at: usize) -> usize {
    let body = at + 1 + usize::from(cursor.byte(at + 1) == b'\\');
    let end = cursor.after(body);
    if cursor.byte(end) == b'\'' { end + 1 } else { at + 1 }
}

fn number_end(cursor: Cursor, at: usize) -> usize {
    let mut end = at + 1;
    if cursor.byte(end) == b'.' {
        end = cursor.digits_end(end + 1);
    }
    let signed = matches!(cursor.byte(end + 1), b'+' | b'-');
    let power = cursor.exponent_end(end, b"eE", |from| cursor.digits_end(from));
    cursor.optional(power.filter(|_| signed).unwrap_or(end), b"flFL")
}
