//! Python, Ruby and Lua.

use super::check;

#[test]
fn python_strings() {
    check(
        "a.py",
        concat!(
            "\"\"\"Doc.\"\"\"\n",
            "x = f\"{a!r:>{width}} {b['k']}\" + rb\"raw\\\" + '%s {0[' % y\n",
            "'''line\n",
            "string'''\n",
            "z = u\"q\"\n",
            "broken = \"open\n",
            "next_line = 1j + 1.5j\n",
        ),
        "python",
        &["x", "a", "width", "b", "z", "broken", "next_line", "j", "j"],
    );
}

#[test]
fn python_statements() {
    check(
        "a.py",
        concat!(
            "from . import pkg.mod as m\n",
            "import os.path, sys\n",
            "@app.route(\"/\")\n",
            "async def handler(self, *, k: int = 0) -> None:\n",
            "    yield from other()\n",
            "    match value:\n",
            "        case Point(x=0) | _:\n",
            "            print(match, case)\n",
            "class Foo(Base): pass\n",
            "raise Err from None\n",
        ),
        "python",
        &[
            ".", "pkg", "mod", "m", "os", ".", "path", "sys", "@app", "route", "handler", "self",
            "k", "int", "other", "value", "Point", "x", "print", "match", "case", "Foo", "Base",
            "Err",
        ],
    );
}

#[test]
fn ruby_strings_and_heredocs() {
    check(
        "a.rb",
        concat!(
            "x = <<~ONE + <<-\"TWO\"\n",
            "  body #{hidden}\n",
            "  ONE\n",
            "  two\n",
            "  TWO\n",
            "y = \"a #{b.c(:sym)} d\" + 'e #{f}' + %w[g h] + %q!i! + %Q|j #{k}| + %r{l/#{m}}i\n",
            "z = `ls #{dir}`\n",
        ),
        "ruby",
        &["x", "y", "b", "c", "f", "k", "m", "z", "dir"],
    );
    check(
        "a.rb",
        concat!("missing = <<NEVER\n", "this is code\n",),
        "ruby",
        &["missing", "this", "is", "code"],
    );
}

#[test]
fn ruby_words() {
    check(
        "a.rb",
        concat!(
            "require \"set\"\n",
            "module A::B\n",
            "  class C < D::E\n",
            "    attr_reader :name, key: 1\n",
            "    def self.make!(v = @x) = @@all[$stdout] ||= v\n",
            "    def ==(o); o.nil? && !defined?(o) ; end\n",
            "    def run(name:) ; name.each { |n| puts n =~ /re #{n}/ ? 1 : 0 } ; end\n",
            "  end\n",
            "end\n",
            "=begin\n",
            "not\n",
            "=end\n",
            "__END__\n",
            "not either\n",
        ),
        "ruby",
        &[
            "require", "A::B", "C", "D", "E", "self", "make!", "v", "@x", "@@all", "$stdout", "v",
            "==", "o", "o", "nil?", "defined?", "o", "run", "name", "name", "each", "n", "puts",
            "n", "n",
        ],
    );
}

#[test]
fn lua_names() {
    check(
        "a.lua",
        concat!(
            "#!/usr/bin/lua\n",
            "-- comment --[[ not long\n",
            "local M = {} --[==[ long ]] ]==] local x <const> = 0x1Fp2 + 1.5e3\n",
            "function M.sub.f(a, ...) return a.end_, string.format(\"%d\\\"\", math.abs) end\n",
            "function M:method() goto done ::done:: self.x = [[ long ]] end\n",
            "local t = { key = print, [\"k\"] = a --[[c]] . b .. c, d:e() }\n",
            "while true do x = x and not y end\n",
            "if été then a . end b\n",
        ),
        "lua",
        &[
            "M",
            "x",
            "const",
            "M",
            "sub",
            "f",
            "a",
            "a",
            "end_",
            "string.format",
            "math.abs",
            "M",
            "method",
            "done",
            "done",
            "self",
            "x",
            "t",
            "key",
            "print",
            "a",
            "b",
            "c",
            "d",
            "e",
            "x",
            "x",
            "y",
            "té",
            "a",
            "end",
            "b",
        ],
    );
}

#[test]
fn lua_members_behind_comments() {
    check(
        "b.lua",
        concat!("a --[[ ]] x ]] .end\n", "b -- c\n", ".end\n", "c --[=[ ]] .end\n", "d :\n",),
        "lua",
        &["a", "x", "b", "end", "c", "d"],
    );
}
