//! Macros after a declarator of C or C++, such as `GUARDED_BY(mu)` or `NONNULL(1)`, which tell
//! checkers and compilers more about the declaration. A grammar that does not expand them takes
//! them for the name of another declaration, or loses the declaration that they belong to.

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
            && place.ends_declarator(cpp)
            && is_shouted(reader.word(start, end))
            && let Some(end) = reader.annotation(end, place.before == Before::Declarator)
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
    const fn ends_declarator(&self, cpp: bool) -> bool {
        matches!(self.before, Before::Declarator) || cpp && matches!(self.before, Before::Name)
    }

    fn read(&mut self, reader: &Reader, token: Token) {
        match token {
            Token::Sign(b'(') => {
                if self.depth == 0 {
                    self.has_parameters = self.before != Before::Start;
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
            Token::Sign(b';' | b'{' | b'}') => *self = Self::default(),
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
                Before::Start => Before::Start,
                _ => Before::Shouted,
            },
            // The type of a declaration, or a constructor; after a macro it may be either.
            Before::Shouted => Before::Shouted,
            Before::Start | Before::Declarator => Before::Type,
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

    /// The end of an annotation whose name ends at `end`; `None` if what follows can neither end
    /// nor continue a declarator. Only after a `function` may member initializers follow.
    fn annotation(&self, end: usize, function: bool) -> Option<usize> {
        let mut ahead = Reader { text: self.text, at: end, line_start: false };
        let mut end = end;
        let mut next = ahead.next()?;
        if let Token::Sign(b'(') = next {
            let mut depth = 1;
            while depth > 0 {
                match ahead.next()? {
                    Token::Sign(b'(') => depth += 1,
                    Token::Sign(b')') => depth -= 1,
                    Token::Sign(b';' | b'{' | b'}') => return None,
                    _ if ahead.at - end > LONGEST => return None,
                    _ => {}
                }
            }
            end = ahead.at;
            next = ahead.next()?;
        }
        let goes_on = match next {
            Token::Sign(b';' | b'{') => true,
            Token::Sign(b'=') => !matches!(self.text.as_bytes().get(ahead.at), Some(b'=')),
            Token::Sign(b':') => {
                function && !matches!(self.text.as_bytes().get(ahead.at), Some(b':'))
            }
            Token::Sign(_) => false,
            Token::Word(start, end) => {
                let word = ahead.word(start, end);
                QUALIFIERS.contains(&word) || is_shouted(word)
            }
        };
        goes_on.then_some(end)
    }
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
    fn names_of_declarations_stay() {
        for text in [
            "int FOUR(int a);",
            "static Foo FOUR(int a);",
            "Foo FOUR(int a);",
            "const Foo FOUR = 3;",
            "struct foo FOUR(int a) { }",
            "ns::Type FOUR(int a);",
            "Foo *FOUR(int a);",
            "EXPORT_API Foo FOUR(int a);",
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
