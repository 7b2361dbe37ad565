//! Macros around a declaration of C or C++, such as `API_EXPORT`, `GUARDED_BY(mu)` or `_pure_`, which tell
//! linkers, checkers and compilers more about it. A grammar that does not expand them takes them for its
//! type or for the name of another declaration, or loses the declaration that they belong to.

use super::branches::{line_end, literal_end, with_spaces};

/// Longest arguments of a macro that are read, in bytes, so that a text is read in linear time.
const LONGEST: usize = 2048;

/// Words after the parameters of a function that belong to its declarator.
const QUALIFIERS: [&str; 5] = ["const", "final", "noexcept", "override", "volatile"];

/// Keywords that are types or end one, so that the next word is a name.
const TYPES: [&str; 11] = [
    "auto", "bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned", "void",
];

/// Other keywords: they are not names, or a type follows them.
const KEYWORDS: [&str; 33] = [
    "case",
    "class",
    "co_return",
    "co_yield",
    "const",
    "consteval",
    "constexpr",
    "constinit",
    "delete",
    "do",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "final",
    "friend",
    "goto",
    "inline",
    "mutable",
    "namespace",
    "new",
    "operator",
    "register",
    "return",
    "static",
    "struct",
    "throw",
    "typedef",
    "typename",
    "union",
    "using",
    "virtual",
];

/// Keywords that only a macro can stand before.
const OPENERS: [&str; 7] = ["class", "enum", "extern", "inline", "static", "struct", "union"];

/// Words before parentheses that hold no parameters.
const NO_FUNCTIONS: [&str; 12] = [
    "__attribute__",
    "__declspec",
    "alignas",
    "catch",
    "decltype",
    "for",
    "if",
    "requires",
    "sizeof",
    "switch",
    "typeof",
    "while",
];

/// The text with such macros replaced by spaces, so that lines and positions stay the same; `None`
/// if it has none. After the name of a variable they are recognised only in C++, where thread
/// annotations occur.
pub fn blanked(text: &str, cpp: bool) -> Option<String> {
    let mut reader = Reader { text, at: 0, line_start: true };
    let mut place = Place::default();
    let mut blank: Vec<(usize, usize)> = Vec::new();
    while let Some(token) = reader.next() {
        if let Token::Word(start, end) = token
            && place.depth == 0
            && let Some(end) = reader.annotation(start, end, place.before, cpp)
        {
            blank.push((start, end));
            reader.at = end;
            continue;
        }
        place.read(&reader, token);
    }
    if blank.is_empty() {
        return None;
    }
    with_spaces(text, blank)
}

/// A token: the range of a word, or one sign.
#[derive(Debug, Clone, Copy)]
enum Token {
    Word(usize, usize),
    Sign(u8),
}

/// What the previous tokens were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Before {
    /// Anything that no name can follow, such as the start of a declaration.
    #[default]
    Start,
    /// The end of a body.
    Body,
    /// A type, or the end of one: a name may follow.
    Type,
    /// A name in capitals, which may be a macro before a type.
    Shouted,
    /// A name after a type, perhaps a variable.
    Name,
    /// A function with its parameters, or an array.
    Declarator,
}

/// The position of the reader within a declaration.
#[derive(Debug, Default)]
struct Place {
    /// Number of open parentheses of parameters.
    depth: usize,
    before: Before,
    /// Whether the outermost open parentheses hold parameters.
    has_parameters: bool,
}

impl Place {
    fn read(&mut self, reader: &Reader, token: Token) {
        match token {
            Token::Sign(b'(') => {
                if self.depth == 0 {
                    self.has_parameters = !matches!(self.before, Before::Start | Before::Body);
                }
                self.depth += 1;
            }
            Token::Sign(b')') => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    let ends = self.has_parameters;
                    self.before = if ends { Before::Declarator } else { Before::Start };
                }
            }
            // Parentheses that were never closed end at the end of a declaration.
            Token::Sign(b'}') => *self = Self { before: Before::Body, ..Self::default() },
            Token::Sign(b';' | b'{') => *self = Self::default(),
            _ if self.depth > 0 => {}
            Token::Sign(b']') => self.before = Before::Declarator,
            Token::Sign(b'*' | b'&' | b'>') => self.before = Before::Type,
            // A qualified name continues here.
            Token::Sign(b':' | b'~') => self.before = Before::Shouted,
            Token::Sign(_) => self.before = Before::Start,
            Token::Word(start, end) => self.word(reader.word(start, end)),
        }
    }

    fn word(&mut self, word: &str) {
        self.before = match self.before {
            Before::Declarator if QUALIFIERS.contains(&word) => Before::Declarator,
            _ if TYPES.contains(&word) => Before::Type,
            _ if KEYWORDS.contains(&word) || NO_FUNCTIONS.contains(&word) => Before::Start,
            Before::Type | Before::Name => Before::Name,
            _ if is_shouted(word) => match self.before {
                // If the first word of a declaration looks like a call, its parentheses hold no
                // parameters.
                Before::Start | Before::Body => Before::Start,
                _ => Before::Shouted,
            },
            // The type of a declaration, or a constructor; after a macro it may be either.
            Before::Shouted => Before::Shouted,
            Before::Start | Before::Body | Before::Declarator => Before::Type,
        };
    }
}

/// Reads tokens outside of comments, literals and directives.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    line_start: bool,
}

impl Reader<'_> {
    fn word(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn next(&mut self) -> Option<Token> {
        let bytes = self.text.as_bytes();
        loop {
            let start = self.at;
            let byte = *bytes.get(start)?;
            let rest = bytes.get(start..).unwrap_or_default();
            self.at += 1;
            match byte {
                b'\n' => self.line_start = true,
                _ if byte.is_ascii_whitespace() => {}
                b'#' if self.line_start => self.at = line_end(bytes, start),
                b'/' if rest.starts_with(b"//") => self.at = line_end(bytes, start),
                b'/' if rest.starts_with(b"/*") => {
                    let end = memchr::memmem::find(rest.get(2..).unwrap_or_default(), b"*/");
                    self.at = end.map_or(bytes.len(), |end| start + end + 4);
                }
                b'"' | b'\'' => {
                    self.line_start = false;
                    self.at = literal_end(bytes, self.at, byte);
                    return Some(Token::Sign(byte));
                }
                _ if is_word(byte) => {
                    self.line_start = false;
                    let length = rest.iter().take_while(|byte| is_word(**byte)).count();
                    self.at = start + length;
                    return Some(Token::Word(start, self.at));
                }
                _ => {
                    self.line_start = false;
                    return Some(Token::Sign(byte));
                }
            }
        }
    }

    /// The end of the macro whose name stands here, if it says more about the declaration around it.
    fn annotation(&self, start: usize, end: usize, before: Before, cpp: bool) -> Option<usize> {
        let word = self.word(start, end);
        // `@property` is a keyword of Objective-C.
        let is_keyword =
            start.checked_sub(1).is_some_and(|at| self.text.as_bytes().get(at) == Some(&b'@'));
        match before {
            _ if is_keyword => None,
            Before::Declarator => self.behind(word, end, true),
            Before::Name if cpp => self.behind(word, end, false),
            Before::Start => self.ahead(word, end),
            Before::Body => self.behind_body(word, end).or_else(|| self.ahead(word, end)),
            Before::Type | Before::Shouted => self.between(word, end),
            Before::Name => None,
        }
    }

    /// The end of a macro after a declarator; `None` if what follows can neither end nor continue it.
    /// Only after a `function` may member initializers follow.
    fn behind(&self, word: &str, end: usize, function: bool) -> Option<usize> {
        if !is_annotation(word) {
            return None;
        }
        let (end, mut rest) = self.arguments(end)?;
        let goes_on = match rest.next()? {
            Token::Sign(b';' | b'{') => true,
            Token::Sign(b'=') => !matches!(self.text.as_bytes().get(rest.at), Some(b'=')),
            Token::Sign(b':') => {
                function && !matches!(self.text.as_bytes().get(rest.at), Some(b':'))
            }
            Token::Sign(_) => false,
            Token::Word(start, end) => {
                let word = self.word(start, end);
                QUALIFIERS.contains(&word) || is_annotation(word)
            }
        };
        goes_on.then_some(end)
    }

    /// The end of `_packed_` in `} _packed_;`.
    fn behind_body(&self, word: &str, end: usize) -> Option<usize> {
        let is_last = matches!(self.reader_at(end).next(), Some(Token::Sign(b';')));
        (is_underscored(word) && is_last).then_some(end)
    }

    /// The end of a macro that a declaration begins with, or its storage class: a type or another
    /// keyword follows, or a type and a name.
    fn ahead(&self, word: &str, end: usize) -> Option<usize> {
        if is_underscored(word) {
            let (end, mut rest) = self.arguments(end)?;
            return matches!(rest.next(), Some(Token::Word(..))).then_some(end);
        }
        let mut rest = self.reader_at(end);
        let Token::Word(first, last) = rest.next()? else { return None };
        let mut next = self.word(first, last);
        // `API_EXPORT const type_t *name(`, but not `TYPE const *name(`.
        if next == "const" {
            let Some(Token::Word(first, last)) = rest.next() else { return None };
            next = self.word(first, last);
        }
        // Names that begin with an underscore belong to compilers, such as `_Noreturn`.
        if TYPES.contains(&next) {
            return (!is_known(word) && !word.starts_with('_')).then_some(end);
        }
        if !is_shouted(word) || is_known(next) || is_shouted(next) {
            return (is_shouted(word) && OPENERS.contains(&next)).then_some(end);
        }
        // `API_EXPORT type_t *name(`
        let mut next = rest.next()?;
        while let Token::Sign(b'*') = next {
            next = rest.next()?;
        }
        let Token::Word(start, finish) = next else { return None };
        let is_name = !is_known(self.word(start, finish));
        let goes_on = matches!(rest.next()?, Token::Sign(b'(' | b';' | b'=' | b'['));
        (is_name && goes_on).then_some(end)
    }

    /// The end of a macro with arguments between a type and a function: `int DEPRECATED(1, "") f(void);`.
    fn between(&self, word: &str, end: usize) -> Option<usize> {
        if !is_annotation(word) || !matches!(self.reader_at(end).next(), Some(Token::Sign(b'('))) {
            return None;
        }
        let (end, mut rest) = self.arguments(end)?;
        let Token::Word(start, last) = rest.next()? else { return None };
        let is_name = !is_known(self.word(start, last));
        (is_name && matches!(rest.next()?, Token::Sign(b'('))).then_some(end)
    }

    /// The end of the arguments of a macro, or of its name if it has none, and a reader behind it; `None` if
    /// the arguments do not end soon.
    fn arguments(&self, end: usize) -> Option<(usize, Self)> {
        let mut rest = self.reader_at(end);
        if !matches!(rest.next(), Some(Token::Sign(b'('))) {
            return Some((end, self.reader_at(end)));
        }
        let mut depth = 1;
        while depth > 0 {
            match rest.next()? {
                Token::Sign(b'(') => depth += 1,
                Token::Sign(b')') => depth -= 1,
                Token::Sign(b';' | b'{' | b'}') => return None,
                _ if rest.at - end > LONGEST => return None,
                _ => {}
            }
        }
        Some((rest.at, rest))
    }

    const fn reader_at(&self, at: usize) -> Self {
        Self { text: self.text, at, line_start: false }
    }
}

/// Whether a word is a keyword, and so no name of a macro, type or function.
fn is_known(word: &str) -> bool {
    TYPES.contains(&word)
        || KEYWORDS.contains(&word)
        || NO_FUNCTIONS.contains(&word)
        || QUALIFIERS.contains(&word)
}

/// Whether a word looks like the name of a macro that annotates: in capitals, or as systemd writes them.
fn is_annotation(word: &str) -> bool {
    is_shouted(word) || is_underscored(word)
}

/// Whether a word stands between single underscores, such as `_pure_`.
fn is_underscored(word: &str) -> bool {
    let inner = word.strip_prefix('_').and_then(|rest| rest.strip_suffix('_'));
    inner.is_some_and(|inner| !inner.is_empty() && !inner.starts_with('_') && !inner.ends_with('_'))
}

/// Whether a word consists of capital letters, digits and underscores, begins with a letter, and is
/// longer than three characters.
pub fn is_shouted(word: &str) -> bool {
    let shouted = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    word.len() > 3
        && word.bytes().all(shouted)
        && word.bytes().any(|byte| byte.is_ascii_uppercase())
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::blanked;

    #[track_caller]
    fn check(text: &str, macros: &[&str]) {
        let mut expected = text.to_owned();
        for each in macros {
            expected = expected.replacen(each, &" ".repeat(each.len()), 1);
        }
        assert_eq!(blanked(text, true).as_deref().unwrap_or(text), expected);
    }

    #[test]
    fn what_stands_behind_a_declarator_is_blanked_in_place() {
        check("void f(int v) LOCKS_EXCLUDED(mu_);", &["LOCKS_EXCLUDED(mu_)"]);
        check("int size() const GUARDED(a, (b)) { return 1; }", &["GUARDED(a, (b))"]);
        check("int count_ GUARDED_BY(mu_) = 0;", &["GUARDED_BY(mu_)"]);
        check("std::vector<int> a_ PT_GUARDED_BY(mu_);", &["PT_GUARDED_BY(mu_)"]);
        check("T *p GUARDED_BY(mu);", &["GUARDED_BY(mu)"]);
        check("Code f(struct d *d) NONNULL(1) NONNULL(2);", &["NONNULL(1)", "NONNULL(2)"]);
        check("Queue(int n) NO_CHECK : n_(n) {}", &["NO_CHECK"]);
        check("int a[3] ALIGNED;", &["ALIGNED"]);
    }

    #[test]
    fn what_stands_before_a_declaration_is_blanked_in_place() {
        check("EXPORT_API Foo FOUR(int a);", &["EXPORT_API"]);
        check("extern LIB_API opts_t* opts_new(void);", &["LIB_API"]);
        check("LIB_API opts_t **all(void);\nLIB_API Ref last;", &["LIB_API", "LIB_API"]);
        check("X_EXTERN Code X_OLD(7.1, \"a(\")\nf(int a);", &["X_EXTERN", "X_OLD(7.1, \"a(\")"]);
        check("libexport void f(int a) { }", &["libexport"]);
        check("_pure_ static struct a* f(Q *q) { }", &["_pure_"]);
        check("_alloc_(1, 2) inline void *f(int a) _pure_;", &["_alloc_(1, 2)", "_pure_"]);
        check("struct a { int b; } _packed_;", &["_packed_"]);
        check("LIB_API struct a *f(void);", &["LIB_API"]);
        check("LIB_API const opts_t *f(void);", &["LIB_API"]);
        check("LIB_API const struct a *f(void);", &["LIB_API"]);
    }

    #[test]
    fn names_of_declarations_stay() {
        for text in [
            "int FOUR(int a);",
            "static Foo FOUR(int a);",
            "Foo FOUR(int a);",
            "const Foo FOUR = 3;",
            "struct foo FOUR(int a) { }",
            "ns::Type FOUR(int a);",
            "Foo *FOUR(int a);",
            "EXPORTED(int) FOUR(int a) { }",
            "static EXPORTED(int) FOUR(int a);",
            "typedef struct foo FOUR;",
            "typedef ns_foo FOUR;",
            "unsigned long FOUR = 1;",
            "TEST(Suite, Name) { }",
            "FIRST(a) SECOND(b);",
            "__attribute__((unused)) FOUR_T f(void);",
            "int x = call(a) * FOUR;",
            "enum e { FOUR, FIVE_ };",
            "FOUR *f(void);",
            "FOUR const *f(void);",
            "FOUR const f(void);",
            "FOUR CALLED f(int a);",
            "struct a { int b; } FOUR;",
            "typedef struct { int b; } FOUR;",
            "_Noreturn void f(void);",
            "__inline int f(void);",
            "size_t f(int a);",
            "const FOUR a;",
            "@property int a;",
            "_(text) + a;",
            "// int f() FOUR;\n#define X int f() FOUR;\n\"int f() FOUR;\"",
        ] {
            check(text, &[]);
        }
        assert_eq!(blanked("foo bar GUARDED_BY(mu);", false), None);
    }

    #[test]
    fn brackets_that_do_not_close_are_no_macro() {
        for text in ["f() ", "void f() "] {
            let open = format!("{text}{}", "FOUR(".repeat(200_000));
            assert_eq!(blanked(&open, true), None);
        }
        assert_eq!(blanked(&"void f() FOUR(".repeat(100_000), true), None);
    }
}
