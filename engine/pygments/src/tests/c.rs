//! C, C++, Objective-C, Arduino and C#.

use super::check;

#[test]
fn c_strings_comments_and_numbers() {
    check(
        "c.c",
        concat!(
            "int x = 10LL + -10LL + 0x1p3 + 1.5e3f; char c = '\\n', *s = L\"a \\\" b\" \"no\";\n",
            "/* not */ // not \\\n",
            " this\n",
            "int y = NULL;\n",
        ),
        "c",
        &["x", "L", "c", "s", "y", "NULL"],
    );
    check(
        "c.c",
        concat!("unclosed = \"text\n", "int after(void) {\n", "}\n",),
        "c",
        &["unclosed", "after"],
    );
}

#[test]
fn c_preprocessor() {
    check(
        "c.c",
        concat!(
            "#define ADD(a, b) \\\n",
            "  ((a) + (b))\n",
            "#include \"own.h\"\n",
            "  /* c */ #ifdef X\n",
            "#if 0\n",
            "hidden\n",
            "#if 1\n",
            "hidden too\n",
            "#endif\n",
            "#else\n",
            "int shown;\n",
            "#endif\n",
        ),
        "c",
        &["shown"],
    );
}

#[test]
fn c_function_headers_and_labels() {
    check(
        "c.c",
        concat!(
            "static struct node *\n",
            "find(struct list *l, size_t n) /* c */ {\n",
            "  switch (n) { case LIMIT + 1: goto done; default: break; }\n",
            "done:\n",
            "  return l->head;\n",
            "}\n",
            "uint8_t declared(FILE *f);\n",
        ),
        "c",
        &[
            "node", "find", "list", "l", "n", "n", "LIMIT", "done", "done", "l", "head",
            "declared", "f",
        ],
    );
}

#[test]
fn cpp_namespaces_and_raw_strings() {
    check(
        "a.cc",
        concat!(
            "namespace one::two {\n",
            "class Foo : public Bar<T> {};\n",
            "enum class Kind : int { A, B };\n",
            "auto s = R\"x(no \" )\" names)x\";\n",
            "using namespace std;\n",
            "}\n",
        ),
        "cpp",
        &["one", "two", "Foo", "Bar", "T", "Kind", "A", "B", "s", "std"],
    );
    check(
        "a.cc",
        concat!(
            "std::string Foo::bar(int a) const { return std::to_string(a); }\n",
            "Foo::Foo() : a_(1), b_{2} {}\n",
            "const char *p = R\"(unclosed;\n",
        ),
        "cpp",
        &[
            "std",
            "string",
            "Foo::bar",
            "a",
            "std",
            "to_string",
            "a",
            "Foo",
            "Foo",
            "a_",
            "b_",
            "p",
            "R",
        ],
    );
}

#[test]
fn objective_c_headers() {
    check(
        "a.h",
        concat!(
            "@interface Foo : NSObject <Bar>\n",
            "@property (nonatomic) int x;\n",
            "- (void)setName:(NSString *)name other:(int)o;\n",
            "@end\n",
            "@class A, B;\n",
        ),
        "objective-c",
        &["Foo", "NSObject", "Bar", "x", "setName:", "NSString", "name", "other:", "o", "A", "B"],
    );
    check(
        "a.h",
        concat!("/* [an option] in a comment */\n", "int plain(void);\n",),
        "objective-c",
        &["plain"],
    );
}

#[test]
fn csharp_methods_and_keywords() {
    check(
        "c.cs",
        concat!(
            "namespace Own.Part\n{\n",
            "    using static System.Math; using (var held = Open()) { }\n",
            "    public async Task Load(int id) => await Fetch(id);\n",
            "    else if (ready) return Take(file);\n",
            "    string[] All ()\n",
            "    record class Pair(int Left);\n",
            "    file sealed struct where { global::Own.Kind @class; var global = 1; }\n",
            "}\n",
        ),
        "csharp",
        &[
            "Own.Part", "static", "System", "Math", "held", "Open", "Task", "Load", "id", "Fetch",
            "id", "if", "ready", "Take", "file", "All", "Pair", "Left", "where", "Own", "Kind",
            "@class", "global",
        ],
    );
}

#[test]
fn csharp_texts_numbers_and_directives() {
    check(
        "c.cs",
        concat!(
            "#if DEBUG hidden\n",
            "#nullable enable\n",
            "    [Obsolete(\"no\"),\n     Serializable] int a = 1_000 + 0x1Ful + 1.5e3f.b + .5m + 2eX;\n",
            "var s = $\"{a} \\\" still\" + @\"two \"\" quotes\n\" + \"open\n",
            "after 'x' '\\n' '' /* c\n*/ shown // hidden\n",
            "@\"never \"\" closed\n",
        ),
        "csharp",
        &[
            "nullable",
            "enable",
            "[Obsolete(\"no\"),\n     Serializable]",
            "a",
            "_000",
            "b",
            "eX",
            "s",
            "after",
            "shown",
        ],
    );
}

#[test]
fn csharp_broken() {
    check(
        "c.cs",
        "using , 5 x;\nusing\n(resource) class , struct\n\\ \u{4e2d}ref \u{e9}t\u{e9}\u{4e2d} /* open\n",
        "csharp",
        &["x", "resource", "\u{e9}t\u{e9}", "open"],
    );
}

#[test]
fn arduino_words_and_pieces() {
    check(
        "a.ino",
        concat!(
            "#include <Servo.h>\n",
            "Servo motor;\n",
            "const byte pin = LED_BUILTIN;\n",
            "void setup() { pinMode(pin, OUTPUT); }\n"
        ),
        "arduino",
        &["Servo", "motor", "pin", "setup", "pinMode", "pin"],
    );
    check(
        "a.ino",
        concat!(
            "template <typename T> T twice(T x) { return using_it(x); }\n",
            "String s = \"print\";\n",
            "auto r = R\"end(x)end\";\n",
            "char *t = \"\\x41loop\";\n"
        ),
        "arduino",
        &[
            "template", "typename", "T", "T", "twice", "T", "x", "using_it", "x", "s", "print",
            "r", "end", "t", "loop",
        ],
    );
}

#[test]
fn matlab_or_objective_c() {
    check("a.m", "x = [left right];\n", "objective-c", &["x", "left", "right"]);
    check("a.m", "int y;\n", "objective-c", &["y"]);
    check("a.m", concat!("% c\n", "x = y;\n"), "matlab", &["x", "y"]);
    check("a.m", concat!("% c\n", "x = [a b];\n"), "objective-c", &["c", "x", "a", "b"]);
    check("a.m", concat!("\n", "function f\n"), "objective-c", &["function", "f"]);
    check("a.m", "x = 1; % c\n", "objective-c", &["x", "c"]);
    check("a.m", concat!("!ls\n", "x = @y;\n"), "matlab", &["x", "y"]);
    check("a.m", concat!("%{ function\n", "%}\n", " f = @1;\n"), "objective-c", &["function", "f"]);
}
