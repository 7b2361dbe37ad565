//! Scanner for REBOL, as which the comparator reads files with the extension `.r`.
//!
//! Every word before a colon, a bracket, a quote, a slash or white space is a name, unless the
//! language gives it another meaning. Tags, paths, URLs and files are names, too.

mod literals;

use std::{ops::Range, sync::LazyLock};

use self::literals::{date_end, escape_end, number_end};
use crate::{
    cursor::{Cursor, Searched, is_digit, is_space, is_word},
    scanner::Scanner,
    words::Words,
};

/// System functions that are not names, and operators.
static WORDS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "error source input license help install echo Usage with func throw-on-error function \
        does has context probe ?? as-pair mod modulo round repend about set-net append join rejoin \
        reform remold charset array replace move extract forskip forall alter also take for forever \
        dispatch attempt what-dir change-dir clean-path list-dir dirize rename split-path delete \
        make-dir delete-dir in-dir confirm dump-obj upgrade what build-tag process-source \
        build-markup decode-cgi read-cgi write-user save-user set-user-name protect-system \
        parse-xml cvs-date cvs-version do-boot get-net-info desktop layout scroll-para get-face \
        alert set-face uninstall unfocus request-dir center-face do-events net-error decode-url \
        parse-header parse-header-date parse-email-addrs import-email send build-attach-body resend \
        show-popup hide-popup open-events find-key-face do-face viewtop confine find-window \
        insert-event-func remove-event-func inform dump-pane dump-face flag-face deflag-face \
        clear-fields read-net vbug path-thru read-thru load-thru do-thru launch-thru load-image \
        request-download do-face-alt set-font set-para get-style set-style make-face stylize choose \
        hilight-text hilight-all unlight-text focus scroll-drag clear-face reset-face scroll-face \
        resize-face load-stock load-stock-block notify request flash request-color request-pass \
        request-text request-list request-date request-file dbug editor link-relative-path emailer \
        parse-error REBOL + - * / // ** and or xor =? = == <> < > <= >=";
    Words::new(&[((), words)])
});

/// Words that are names although they end in a question mark or start with
/// `to-`.
static BUILTINS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "bound? new-line? script? type? value? input? connected? bind? crypt-strength? to-hex \
        to-local-file to-rebol-file";
    Words::new(&[((), words)])
});

/// The construct that the scanner is in.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Code,
    /// A quoted string, in code or as a comment.
    Text,
    /// A string in braces, which nest.
    Braces,
    File,
    Character,
    Tag,
    TagText,
    Binary,
    /// A comment in brackets, which nest.
    Block,
}

type Rebol<'t, 'n> = Scanner<'t, 'n, State, Memory>;

#[derive(Default)]
struct Memory {
    scheme: Searched,
    address: Searched,
    word: Searched,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    Rebol::new(text, names).run(Rebol::step);
}

/// Characters that end most tokens.
fn ends(character: char) -> bool {
    matches!(character, '(' | '^' | '{' | '"') || is_space(character)
}

fn ends_word(character: char) -> bool {
    ends(character) || matches!(character, ')' | '/' | '[' | ']')
}

impl Rebol<'_, '_> {
    #[inline]
    fn step(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let (state, byte) = (self.state, self.byte());
        let hides = byte == b'^' && at + 1 < cursor.len() && cursor.byte(at + 1) != b'\n';
        match (state, byte) {
            (State::Code, _) => self.code(),
            (State::Character, _) => self.character(),
            (State::Text | State::Braces, _) if hides => self.at = cursor.after(at + 1),
            (State::Text, b'"') | (State::Braces | State::Binary, b'}') | (State::Block, b']') => {
                self.leave(at + 1);
            }
            (State::Braces | State::Block, b'{') => self.enter(at + 1, State::Braces),
            (State::Block, b'[') => self.enter(at + 1, State::Block),
            (State::Block, b'"') => self.enter(at + 1, State::Text),
            (State::File | State::Tag | State::TagText, b'^') => match escape_end(cursor, at) {
                Some(end) => self.name_to(end),
                None if state == State::Tag => self.plain(state),
                None if hides => self.name_to(cursor.after(at + 1)),
                None => self.skip(),
            },
            (State::File | State::TagText, b'"') | (State::Tag, b'>') => {
                self.name_to(at + 1);
                self.leave(at + 1);
            }
            (State::Tag, b'"') => {
                self.name_to(at + 1);
                self.enter(at + 1, State::TagText);
            }
            (State::TagText, b'(' | b')') => {
                self.name_to(cursor.ascii_run(at, |byte| matches!(byte, b'(' | b'|' | b')')));
            }
            (State::File | State::Tag | State::TagText, _) => self.plain(state),
            _ => self.at = cursor.after(at),
        }
    }

    /// A stretch without special characters, which counts as a name here.
    fn plain(&mut self, state: State) {
        let special = |byte| match state {
            State::Tag => b"(<>\r\n\")".contains(&byte),
            _ => b"(^\")".contains(&byte),
        };
        let end = self.cursor.ascii_run(self.at, |byte| !special(byte));
        if end > self.at { self.name_to(end) } else { self.skip() }
    }

    /// A single character, up to its closing quote.
    fn character(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        let quote = |end: usize| cursor.byte(end) == b'"' && end < cursor.len();
        let plain = |at: usize| cursor.byte(at) != b'\n' && quote(cursor.after(at));
        let code = if cursor.byte(at) == b'^' { escape_end(cursor, at) } else { None };
        let brackets = |end: usize| cursor.ascii_run(end, |byte| byte == b')');
        if let Some(end) = code.map(brackets)
            && quote(end)
        {
            self.leave(end + 1);
        } else if cursor.byte(at) == b'^' && plain(at + 1) {
            self.leave(cursor.after(at + 1) + 1);
        } else if plain(at) {
            self.leave(cursor.after(at) + 1);
        } else {
            self.skip();
        }
    }

    fn code(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if self.space() {
            return;
        }
        let next = cursor.byte(at + 1);
        match cursor.byte(at) {
            b'#' if next == b'"' => return self.enter(at + 2, State::Character),
            b'#' if next == b'{' => {
                let end = cursor.ascii_run(at + 2, |byte| byte.is_ascii_hexdigit());
                if cursor.byte(end) == b'}' {
                    self.at = end + 1;
                    return;
                }
            }
            b'2' if cursor.starts(at, "2#{") => return self.enter(at + 3, State::Binary),
            b'6' if cursor.starts(at, "64#{") => {
                let end = cursor.run(at + 4, |c| {
                    literals::is_letter(c) || c.is_ascii_digit() || "+/=".contains(c) || is_space(c)
                });
                if cursor.byte(end) == b'}' {
                    self.at = end + 1;
                    return;
                }
            }
            b'"' => return self.enter(at + 1, State::Text),
            b'{' => return self.enter(at + 1, State::Braces),
            b';' => {
                self.at = cursor.next_line(at);
                return;
            }
            b'%' if next == b'"' => {
                self.name_to(at + 2);
                return self.enter(at + 2, State::File);
            }
            b'%' => {
                let end = cursor.run(at + 1, |c| !ends(c) && !matches!(c, ')' | '[' | ']'));
                if end > at + 1 {
                    return self.name_to(end);
                }
            }
            b'[' | b']' | b'(' | b')' => {
                self.at += 1;
                return;
            }
            _ => {}
        }
        if let Some(end) = date_end(cursor, at).or_else(|| number_end(cursor, at)) {
            self.at = end;
        } else if !self.address() && !self.comment() {
            self.word();
        }
    }

    /// A URL or an email address.
    fn address(&mut self) -> bool {
        let (cursor, at) = (self.cursor, self.at);
        let part = |c: char| !ends(c) && !matches!(c, ':' | ')');
        let colon = self.memory.scheme.search(at, || cursor.run(at, part));
        if cursor.is(at, literals::is_letter) && cursor.starts(colon, "://") {
            self.name_to(cursor.run(colon + 3, |c| !ends(c) && c != ')'));
            return true;
        }
        let part = |from: usize| cursor.run(from, |c| !ends(c) && !matches!(c, '@' | ')'));
        let sign = self.memory.address.search(at, || part(at));
        let end = part(sign + 1);
        let found = cursor.byte(sign) == b'@' && sign > at && end > sign + 1;
        if found {
            self.name_to(end);
        }
        found
    }

    /// `comment` with the value that it comments out.
    fn comment(&mut self) -> bool {
        let cursor = self.cursor;
        let word = self.at + "comment".len();
        if !cursor.slice(self.at..word).eq_ignore_ascii_case("comment")
            || !cursor.is(word, is_space)
        {
            return false;
        }
        let start = cursor.after(word);
        match cursor.byte(start) {
            b'"' => self.enter(start + 1, State::Text),
            b'{' => self.enter(start + 1, State::Braces),
            b'[' => self.enter(start + 1, State::Block),
            _ => {
                let stop = |c: char| is_space(c) || matches!(c, '(' | '{' | '"' | '[');
                let end = cursor.run(start, |c| !stop(c));
                if end == start {
                    return false;
                }
                self.at = end;
            }
        }
        true
    }

    fn word(&mut self) {
        let (cursor, at) = (self.cursor, self.at);
        if cursor.byte(at) == b'/' {
            return self.name_to(cursor.run(at + 1, |c| !ends_word(c)));
        }
        let end = self.memory.word.search(at, || cursor.run(at, |c| !ends_word(c)));
        let follows = end < cursor.len() && !matches!(cursor.byte(end), b'^' | b')');
        let first = cursor.after(at).min(end);
        let colon = || cursor.slice(first..end).rfind(':').map(|offset| first + offset);
        let word = if follows && end > at { Some(end) } else { colon() };
        if let Some(end) = word {
            if is_name(cursor.slice(at..end)) {
                self.name_to(end);
            }
            self.at = end;
            return;
        }
        if cursor.byte(at) == b'<' {
            let part = |c: char| matches!(c, ':' | '.' | '-') || is_word(c);
            let close = cursor.run(at + 1, part);
            if cursor.byte(close) == b'>' {
                return self.name_to(close + 1);
            }
            let stop = |c: char| matches!(c, '(' | '^' | '<' | '>' | '"' | ')') || is_space(c);
            let open = cursor.run(at + 1, |c| !stop(c) || c == '^');
            if open > at + 1 {
                self.name_to(open);
                return self.enter(open, State::Tag);
            }
        }
        let rest = cursor.run(at, |c| !ends(c) && c != ')');
        self.at = rest.max(cursor.after(at));
    }
}

/// Whether a word is a name, and not an operator, a type or the like.
fn is_name(word: &str) -> bool {
    if word.ends_with(':') {
        return false;
    }
    if BUILTINS.has(word) {
        return true;
    }
    let firsts =
        word.strip_prefix("firstt").is_some_and(|rest| rest.bytes().all(|byte| byte == b't'));
    !(WORDS.has(word) || firsts || word.starts_with("to-") || word.ends_with(['?', '!']))
}
