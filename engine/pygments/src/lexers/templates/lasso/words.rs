//! Words of Lasso; case does not matter.

use std::{borrow::Cow, sync::LazyLock};

use crate::words::Words;

/// The meaning of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// A number written as a word.
    Number,
    /// A word for the context of a method, which is a name.
    Pseudo,
    /// An error, which is a name.
    Error,
    /// `define`, before a type or a method.
    Define,
    /// The access level of the member that follows.
    Access,
    /// A constant, a declaration, or a type.
    Plain,
    /// A declaration only before white space.
    Data,
    /// A keyword before a variable.
    Binding,
    /// `require`, before a list of members.
    Require,
    /// Any other keyword, also after a slash.
    Keyword,
    /// An operator written as a word.
    Operator,
}

impl Word {
    /// Whether the word is also a keyword after a slash.
    pub fn closes(self) -> bool {
        matches!(self, Self::Keyword | Self::Define | Self::Access | Self::Binding | Self::Require)
    }
}

/// The words, in lower case.
static WORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let errors = "error_adderror error_columnrestriction error_databaseconnectionunavailable \
        error_databasetimeout error_deleteerror error_fieldrestriction error_filenotfound \
        error_invaliddatabase error_invalidpassword error_invalidusername error_modulenotfound \
        error_noerror error_nopermission error_outofmemory error_reqcolumnmissing \
        error_reqfieldmissing error_requiredcolumnmissing error_requiredfieldmissing \
        error_updateerror";
    let plain = "true false none minimal full all void local var variable global array date decimal \
        duration integer map pair string tag xml null boolean bytes keyword list locale queue set \
        stack staticarray";
    // Tags of earlier versions, then those of the language itself.
    let keywords = "namespace_using cache database_names database_schemanames database_tablenames \
        define_tag define_type email_batch encode_set html_comment handle handle_error header if \
        inline iterate ljax_target link link_currentaction link_currentgroup link_currentrecord \
        link_detail link_firstgroup link_firstrecord link_lastgroup link_lastrecord link_nextgroup \
        link_nextrecord link_prevgroup link_prevrecord log loop output_none portal protect records \
        referer referrer repeating resultset rows search_args search_arguments select sort_args \
        sort_arguments thread_atomic value_list while abort case else fail_if fail_ifnot fail \
        if_empty if_false if_null if_true loop_abort loop_continue loop_count params params_up \
        return return_value run_children soap_definetag soap_lastrequest soap_lastresponse \
        tag_name ascending average by descending do equals frozen group handle_failure import in \
        join match max min on order parent returnhome skip split_thread sum take thread to trait \
        type where with yield yieldhome";
    Words::new(&[
        (Word::Number, "infinity nan"),
        (Word::Pseudo, "self inherited currentcapture givenblock"),
        (Word::Error, errors),
        (Word::Define, "define"),
        (Word::Access, "public protected private provide"),
        (Word::Plain, plain),
        (Word::Data, "data"),
        (Word::Binding, "let into"),
        (Word::Require, "require"),
        (Word::Keyword, keywords),
        (Word::Operator, "and or not"),
    ])
});

/// Comparisons after an equals sign.
static COMPARISONS: LazyLock<Words<()>> =
    LazyLock::new(|| Words::new(&[((), "bw nbw ew new cn ncn lt lte gt gte eq neq rx nrx ft")]));

/// The meaning of a word, if it has one.
pub(super) fn meaning(word: &str) -> Option<Word> {
    let word = folded(word);
    let error = || ["error_code_", "error_msg_"].iter().any(|start| begins(&word, start));
    WORDS.get(&word).or_else(|| error().then_some(Word::Error))
}

/// Whether a word is a comparison after an equals sign.
pub(super) fn compares(word: &str) -> bool {
    COMPARISONS.has(&folded(word))
}

/// Whether a word begins with `start` and is longer.
fn begins(word: &str, start: &str) -> bool {
    word.len() > start.len() && word.starts_with(start)
}

/// A word in the case in which Python's regular expressions compare it: four non-ASCII letters
/// equal an ASCII letter.
pub(super) fn folded(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(word.chars().map(fold).collect())
}

fn fold(character: char) -> char {
    match character {
        '\u{130}' | '\u{131}' => 'i',
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        _ => character.to_ascii_lowercase(),
    }
}

/// A letter that can start a name.
pub(super) fn starts_name(character: char) -> bool {
    character == '_' || fold(character).is_ascii_lowercase()
}
