//! The meaning of words in PHP, where case does not matter.

use std::{borrow::Cow, sync::LazyLock};

use crate::words::Words;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// A keyword, which is not a name.
    Plain,
    /// A constant that ends at the end of the word, even before a backslash.
    Magic,
}

pub(super) static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let plain = "and e_parse old_function e_error or as e_warning parent eval php_os break exit case \
        extends php_version cfunction false print for require continue foreach require_once \
        declare return default static do switch die stdclass echo else true elseif var empty if \
        xor enddeclare include virtual endfor include_once while endforeach global endif list \
        endswitch new endwhile not array e_all null final php_user_filter interface implements \
        public private protected abstract clone try catch throw this use namespace trait yield \
        finally match";
    let magic =
        "__line__ __file__ __dir__ __function__ __class__ __trait__ __method__ __namespace__";
    Words::new(&[(Word::Plain, plain), (Word::Magic, magic)])
});

/// Methods that the language calls itself. After one of them, the name of the function is still
/// expected.
pub(super) static METHODS: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "__construct __destruct __call __callstatic __get __set __isset __unset __sleep \
        __wakeup __tostring __invoke __set_state __clone __debuginfo";
    Words::new(&[((), words)])
});

/// A word in the case in which Python compares it: four non-ASCII characters equal ASCII letters.
pub(super) fn fold(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte < 0x80 && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(word);
    }
    let letter = |character: char| match character {
        '\u{130}' | '\u{131}' => 'i',
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        _ => character.to_ascii_lowercase(),
    };
    Cow::Owned(word.chars().map(letter).collect())
}
