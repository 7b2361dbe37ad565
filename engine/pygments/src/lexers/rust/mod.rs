//! Scanner for Rust.
//!
//! Every identifier that is not a keyword is a name, including lifetimes without their quote and
//! known macros with their `!`. After `:`, `->`, `fn`, `mod`, `struct` and similar tokens, even a
//! keyword counts as a name. Attributes, comments and literals contain no names.

mod literals;

use std::{ops::Range, sync::LazyLock};

use crate::{scanner::Scanner, words::Words};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    /// A keyword or primitive type.
    Plain,
    /// A keyword whose next word is a name: `fn`, `mod`.
    Named,
    /// A keyword that a type follows.
    Typed,
    /// `break` and `continue`, which may have a label.
    Jump,
    /// `default`, a keyword only before `fn` or `type`.
    Default,
    /// A macro of the standard library, including its `!`.
    Macro,
    /// A primitive type, which is skipped even where a type name is expected.
    Primitive,
    /// A name of the prelude; one more type name may follow it.
    Prelude,
}

static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let plain = "as async await box const crate dyn else extern for if impl in loop match move mut \
        pub ref return static super trait unsafe use where while abstract become do final macro \
        override priv typeof try unsized virtual yield true false let";
    let primitive = "u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 usize isize f32 f64 char str bool";
    let prelude = "Copy Send Sized Sync Unpin Drop Fn FnMut FnOnce drop Box ToOwned Clone PartialEq \
        PartialOrd Eq Ord AsRef AsMut Into From Default Iterator Extend IntoIterator \
        DoubleEndedIterator ExactSizeIterator Option Some None Result Ok Err String ToString Vec";
    let macros = "asm assert assert_eq assert_ne cfg column compile_error concat concat_idents dbg \
        debug_assert debug_assert_eq debug_assert_ne env eprint eprintln file format format_args \
        format_args_nl global_asm include include_bytes include_str is_aarch64_feature_detected \
        is_arm_feature_detected is_mips64_feature_detected is_mips_feature_detected \
        is_powerpc64_feature_detected is_powerpc_feature_detected is_x86_feature_detected line \
        llvm_asm log_syntax macro_rules matches module_path option_env panic print println \
        stringify thread_local todo trace_macros unimplemented unreachable vec write writeln";
    Words::new(&[
        (Word::Plain, plain),
        (Word::Named, "fn mod"),
        (Word::Typed, "struct enum type union"),
        (Word::Jump, "break continue"),
        (Word::Default, "default"),
        (Word::Primitive, primitive),
        (Word::Prelude, prelude),
        (Word::Macro, macros),
    ])
});

type Rust<'t, 'n> = Scanner<'t, 'n, (), Memory>;

#[derive(Default)]
struct Memory {
    /// Raw strings with at least this many hashes are known not to be closed.
    open_raw: Option<usize>,
}

/// Appends the names of `text`, in order of appearance.
pub(super) fn scan(text: &str, names: &mut Vec<Range<usize>>) {
    let mut rust = Rust::new(text, names);
    // A first line `#!...` is skipped, unless it starts an attribute.
    if rust.cursor.starts(0, "#!") && !matches!(rust.cursor.byte(2), b'[' | b'\r' | b'\n') {
        rust.at = rust.cursor.line_end(0);
    }
    rust.run(Rust::step);
}

impl Rust<'_, '_> {
    #[inline]
    fn step(&mut self) {
        if self.space() {
            return;
        }
        let next = self.cursor.byte(self.at + 1);
        match self.byte() {
            b'/' if next == b'/' => self.at = self.cursor.next_line(self.at),
            b'/' if next == b'*' => self.at = self.cursor.nested_end(self.at, *b"/*", *b"*/"),
            b'$' => self.at = self.cursor.identifier_end(self.at + 1).unwrap_or(self.at + 1),
            b':' if next == b':' && !self.cursor.inside_word(self.at + 2) => self.at += 2,
            b':' => self.typed(self.at + 1),
            b'-' if next == b'>' => self.typed(self.at + 2),
            b'\'' => self.quote(),
            b'"' => self.text(),
            b'0'..=b'9' => self.number(),
            b'#' if next == b'[' => self.attribute(self.at + 2),
            b'#' if self.cursor.starts(self.at, "#![") => self.attribute(self.at + 3),
            _ => match self.cursor.identifier_end(self.at) {
                Some(end) => self.word(end),
                None => self.at = self.cursor.after(self.at),
            },
        }
    }

    fn word(&mut self, end: usize) {
        let word = self.cursor.slice(self.at..end);
        match WORDS.get(word) {
            Some(Word::Plain | Word::Primitive) => self.at = end,
            Some(Word::Named) => {
                self.at = self.cursor.space_end(end);
                if let Some(end) = self.cursor.identifier_end(self.at) {
                    self.name_to(end);
                }
            }
            Some(Word::Typed) => self.typed(end),
            Some(Word::Jump) => {
                self.at = self.cursor.space_end(end);
                if self.cursor.byte(self.at) == b'\''
                    && let Some(end) = self.cursor.identifier_end(self.at + 1)
                {
                    self.name_to(end);
                }
            }
            Some(Word::Default) => {
                let space = self.cursor.space_end(end);
                let next = self.cursor.word_end(space);
                if space > end && matches!(self.cursor.slice(space..next), "fn" | "type") {
                    self.at = next;
                } else {
                    self.name_to(end);
                }
            }
            Some(Word::Macro) if self.cursor.byte(end) == b'!' => self.name_to(end + 1),
            _ if matches!(word, "b" | "r" | "br") && self.prefixed(end) => {}
            _ => self.name_to(end),
        }
    }

    /// A place where a type is expected: names of the prelude, primitives and lifetimes are read up
    /// to the first other word, which is always a name.
    fn typed(&mut self, from: usize) {
        self.at = from;
        loop {
            self.at = self.cursor.space_end(self.at);
            match self.byte() {
                b'&' => self.at += 1,
                b'\'' => self.lifetime(),
                _ => {
                    let Some(end) = self.cursor.identifier_end(self.at) else {
                        return;
                    };
                    match WORDS.get(self.cursor.slice(self.at..end)) {
                        Some(Word::Prelude) => self.name_to(end),
                        Some(Word::Primitive) => self.at = end,
                        _ => return self.name_to(end),
                    }
                }
            }
        }
    }

    /// A character literal or a lifetime.
    fn quote(&mut self) {
        match self.character_end(self.at, false) {
            Some(end) => self.at = end,
            None => self.lifetime(),
        }
    }

    /// The words directly after a quote; a leading `static` or `_` is cut off.
    fn lifetime(&mut self) {
        self.at += 1;
        while let Some(end) = self.cursor.identifier_end(self.at) {
            let end = match self.byte() {
                b'_' => self.at + 1,
                _ if self.cursor.starts(self.at, "static") => self.at + 6,
                _ => end,
            };
            self.name_to(end);
        }
    }

    /// An attribute with all its inner brackets and strings.
    fn attribute(&mut self, from: usize) {
        self.at = from;
        let mut depth = 1usize;
        while depth > 0 && self.at < self.cursor.len() {
            match self.byte() {
                b'"' => self.text(),
                byte => {
                    depth += usize::from(byte == b'[');
                    depth -= usize::from(byte == b']');
                    self.at += 1;
                }
            }
            if depth > 0 {
                let plain = |byte| !matches!(byte, b'"' | b'[' | b']');
                self.at = self.cursor.ascii_run(self.at, plain);
            }
        }
    }
}
