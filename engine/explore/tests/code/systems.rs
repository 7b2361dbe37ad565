//! Ruby, PHP, Lua, Solidity, Zig and the C family: symbols, imports and facts of texts written for
//! this test, and what becomes of texts that are cut, empty or deeply nested.
use base::profile::Profile;
use explore::Exploration;

use super::fact;

fn look(name: &str, text: &str) -> Exploration {
    super::look(name, text, Profile::Enhancement)
}

fn parity(name: &str, text: &str) -> Exploration {
    super::look(name, text, Profile::Parity)
}

/// `kind parent name line visibility exported` of each symbol, with `-` for what is absent.
fn symbols(found: &Exploration) -> Vec<String> {
    found
        .symbols
        .iter()
        .map(|symbol| {
            format!(
                "{} {} {} {} {} {}",
                symbol.kind.as_str(),
                symbol.parent.as_deref().unwrap_or("-"),
                symbol.name,
                symbol.line,
                symbol.visibility.map_or("-", |visibility| visibility.as_str()),
                symbol.exported.map_or("-", |exported| if exported { "out" } else { "in" }),
            )
        })
        .collect()
}

fn imports(found: &Exploration) -> Vec<String> {
    found
        .imports
        .iter()
        .map(|import| format!("{} {} {}", import.path, import.category.as_str(), import.line))
        .collect()
}

const RUBY: &str = "\
# frozen_string_literal: true
require 'json'
require_relative 'other'
require 'nokogiri'

# Things.
module Shop
  LIMIT = [1, 2].freeze
  class Cart < Base
    include Countable
    attr_accessor :items
    def total(a, b: 1) = 0
    def self.build; require 'set'; end
    private
    def secret; end
    class << self
      def hidden; end
      private :hidden
    end
    def also; end
    public def shown; end
    INNER = 1
    private_constant :INNER
  end
end
def helper; def nested; end; end
";

#[test]
fn ruby() {
    let found = look("a.rb", RUBY);
    assert_eq!(
        symbols(&found),
        [
            "module - Shop 7 - out",
            "constant Shop LIMIT 8 - out",
            "class Shop Cart 9 - out",
            "accessor Shop::Cart items 11 public out",
            "method Shop::Cart total 12 public out",
            "singleton_method Shop::Cart build 13 public out",
            "method Shop::Cart secret 15 private in",
            "singleton_method Shop::Cart hidden 17 private in",
            "method Shop::Cart also 20 private in",
            "method Shop::Cart shown 21 public out",
            "constant Shop::Cart INNER 22 private in",
            "function - helper 26 public out",
        ]
    );
    assert_eq!(
        imports(&found),
        ["json stdlib 2", "other local 3", "nokogiri third_party 4", "set stdlib 13"]
    );
    assert_eq!(found.symbols[0].doc.as_deref(), Some("Things."));
    assert_eq!(found.symbols[2].bases, ["Base"]);
    assert_eq!(found.symbols[2].decorators, ["include Countable"]);
    assert_eq!(found.symbols[4].params, ["a", "b: 1"]);
    assert_eq!(fact(&found, "frozen_string_literal").unwrap(), true);
    let summary = parity("a.rb", RUBY).summary;
    for line in ["Format: Ruby", "  Gems (1):", "Methods (8 total):", "  - LIMIT: Array"] {
        assert!(summary.lines().any(|own| own == line), "{line} in\n{summary}");
    }
}

#[test]
fn php() {
    let text = "<?php\nnamespace Acme\\Shop;\nuse Acme\\Base, Other\\Tool as T;\n\
        use InvalidArgumentException;\nrequire_once __DIR__ . '/x.php';\n\
        /** A cart. */\nfinal class Cart extends Base {\n  const A = 1;\n\
        \x20 private ?int $n, $m;\n  public function __construct(private int $x) {}\n\
        \x20 protected static function make(): self { return new class { function no() {} }; }\n}\n\
        enum Kind: string { case One = '1'; }\nfunction f(int $a) { function g() {} }\n";
    let found = look("a.php", text);
    assert_eq!(
        symbols(&found),
        [
            "class - Cart 7 public out",
            "constant Cart A 8 public out",
            "property Cart n 9 private in",
            "property Cart m 9 private in",
            "constructor Cart __construct 10 public out",
            "method Cart make 11 protected in",
            "enum - Kind 13 public out",
            "enum_member Kind One 13 public out",
            "function - f 14 public out",
        ]
    );
    assert_eq!(
        imports(&found),
        [
            "Acme\\Base local 3",
            "Other\\Tool third_party 3",
            "InvalidArgumentException stdlib 4",
            "__DIR__ . '/x.php' local 5",
        ]
    );
    assert_eq!(found.symbols[0].doc.as_deref(), Some("A cart."));
}

#[test]
fn lua_solidity_and_zig() {
    let found = look(
        "a.lua",
        "local M = {}\nlocal ffi = require('ffi')\nfunction M.a.b:c(x) local function d() end end\n\
         M.e = function() end\nM['f'] = function() end\nm[a .. b] = function() end\n\
         getmetatable(u).__gc = function() end\n",
    );
    assert_eq!(
        symbols(&found),
        [
            "method M.a.b c 3 - out",
            "function - d 3 - in",
            "function M e 4 - out",
            "function M ['f'] 5 - out",
            "function m [a..b] 6 - out",
            "function getmetatable(u) __gc 7 - out",
        ]
    );
    assert_eq!(imports(&found), ["ffi stdlib 2"]);

    let found = look(
        "a.sol",
        "import {A} from './a.sol';\nimport '@oz/b.sol';\nabstract contract C is A {\n  uint x;\n\
         \x20 struct S { uint q; }\n  modifier m() { _; }\n  constructor() {}\n\
         \x20 function f(uint a) external view returns (uint) {}\n  receive() external payable {}\n}\n",
    );
    assert_eq!(
        symbols(&found),
        [
            "contract - C 3 public out",
            "variable C x 4 internal in",
            "struct C S 5 public out",
            "field C.S q 5 public out",
            "modifier C m 6 internal in",
            "constructor C constructor 7 public out",
            "method C f 8 external out",
            "method C receive 9 external out",
        ]
    );
    assert_eq!(imports(&found), ["./a.sol local 1", "@oz/b.sol third_party 2"]);

    let found = look(
        "a.zig",
        "const std = @import(\"std\");\npub const P = struct {\n    x: u32,\n    const E = enum { a, b };\n\
         \x20   pub fn init() P { return @import(\"p.zig\").p; }\n};\nfn f() void {}\nvar g: u8 = 0;\n",
    );
    assert_eq!(
        symbols(&found),
        [
            "constant - std 1 - in",
            "struct - P 2 - out",
            "field P x 3 - out",
            "enum P E 4 - in",
            "method P init 5 - out",
            "function - f 7 - in",
            "variable - g 8 - in",
        ]
    );
    assert_eq!(imports(&found), ["std stdlib 1", "p.zig local 5"]);
}

const C: &str = "\
#ifndef A_H
#define A_H
#include <stdio.h>
#include \"own.h\"
#ifdef __cplusplus
extern \"C\" {
#endif
#define ADD(a, b) ((a) + (b))
typedef struct node { int a : 3, *b; struct { int deep; } in; } node_t;
typedef struct { int k; } anon_t;
typedef int (*callback)(int);
enum { ONE, TWO };
struct later;
static int hidden(struct later *l) { return 0; }
extern char *name(void);
int (*pointer)(int), count;
#ifdef _WIN32
int windows(void);
#endif
#ifdef __cplusplus
}
#endif
#endif
";

#[test]
fn c() {
    let found = look("a.h", C);
    assert_eq!(found.malformed, None);
    assert_eq!(
        symbols(&found),
        [
            "macro - A_H 2 - in",
            "macro - ADD 8 - in",
            "typedef - node_t 9 - out",
            "struct - node 9 - out",
            "field node a 9 - in",
            "field node b 9 - in",
            "field node in 9 - in",
            "field node deep 9 - in",
            "typedef - anon_t 10 - out",
            "struct - anon_t 10 - out",
            "field anon_t k 10 - in",
            "typedef - callback 11 - out",
            "enum_member - ONE 12 - in",
            "enum_member - TWO 12 - in",
            "struct - later 13 - out",
            "function - hidden 14 - in",
            "function - name 15 - out",
            "variable - pointer 16 - out",
            "variable - count 16 - out",
        ]
    );
    assert_eq!(imports(&found), ["stdio.h stdlib 3", "own.h local 4"]);
    assert_eq!(fact(&found, "header_guard").unwrap(), "A_H");
    assert_eq!(fact(&found, "branches_left_out").unwrap(), 1);
    let summary = parity("a.h", C).summary;
    for line in ["Format: C Header File", "- Header guard: A_H", "  ADD(a, b) -> ((a) + (b))"] {
        assert!(summary.lines().any(|own| own == line), "{line} in\n{summary}");
    }
}

#[test]
fn cpp() {
    let text = "#include <vector>\nnamespace a::b {\nnamespace { int hidden() { return 1; } }\n\
        template <class T> class API_EXPORT V : public Base<T> {\n  int x_;\n public:\n  V();\n\
        \x20 ~V();\n  static int count;\n  bool operator==(const V&) const;\n  operator int() const;\n\
        \x20 enum class E { One };\n};\nconst int limit = 3;\nusing Al = int;\n}\n\
        int a::b::V::get() { return 0; }\n";
    let found = look("a.cpp", text);
    assert_eq!(
        symbols(&found),
        [
            "namespace - a 2 - in",
            "namespace a b 2 - in",
            "function a::b hidden 3 - in",
            "class a::b V 4 - out",
            "field a::b::V x_ 5 private in",
            "constructor a::b::V V 7 public out",
            "destructor a::b::V ~V 8 public out",
            "variable a::b::V count 9 public out",
            "method a::b::V operator== 10 public out",
            "method a::b::V operator int 11 public out",
            "enum a::b::V E 12 public out",
            "enum_member a::b::V::E One 12 public in",
            "variable a::b limit 14 - in",
            "alias a::b Al 15 - out",
            "method a::b::V get 17 public out",
        ]
    );
    assert!(parity("a.cpp", text).summary.contains("  class V<class T> : Base<T>\n"));
}

#[test]
fn macros_around_a_declaration_are_not_its_name() {
    let text = "\
extern LIB_API opts_t* opts_new(void);
LIB_API const struct opt *first(int a);
LIB_API Code LIB_OLD(7.1, \"use f\")
  old(int a);
libexport void raise(int a) { }
_pure_ static struct opt *find(int a) { }
int ask(char *to, ...) _printf_(2, 3);
struct packet { int a; } _packed_;
enum kind {
  ONE = 1,
#define ONE ONE
};
#define MAKE(name) \\
  int name(void); /* of one */ \\
  int other(void)
HANDLE open_it(void);
";
    assert_eq!(
        symbols(&look("a.h", text)),
        [
            "function - opts_new 1 - out",
            "function - first 2 - out",
            "function - old 4 - out",
            "function - raise 5 - out",
            "function - find 6 - in",
            "function - ask 7 - out",
            "struct - packet 8 - out",
            "field packet a 8 - in",
            "enum - kind 9 - out",
            "enum_member kind ONE 10 - in",
            "macro - ONE 11 - in",
            "macro - MAKE 13 - in",
            "function - open_it 16 - out",
        ]
    );
}

#[test]
fn macros_are_no_declarations() {
    let text = "\
class LOCKED Queue {
 public:
  Queue(int n) NO_CHECK : n_(n) {}
  void Push(int v) LOCKS_EXCLUDED(mu_);
  int size() const EXCLUSIVE(mu_) { return 1; }
 private:
  int count_ GUARDED_BY(mu_) = 0;
  DISALLOW_COPY(Queue);
};
TEST(QueueTest, Pushes) { Queue q; }
TYPED_TEST_P(QueueTest, Typed) {}
BOOST_AUTO_TEST_CASE(empties) {}
REGISTER_ALL(Queue);
Status Write(int a) MUST_USE;
";
    let found = look("a.cc", text);
    assert_eq!(
        symbols(&found),
        [
            "class - Queue 1 - out",
            "constructor Queue Queue 3 public out",
            "method Queue Push 4 public out",
            "method Queue size 5 public out",
            "field Queue count_ 7 private in",
            "function - QueueTest.Pushes 10 - in",
            "function - QueueTest.Typed 11 - in",
            "function - empties 12 - in",
            "function - Write 14 - out",
        ]
    );
    assert_eq!(found.malformed, None);
    let text = "\
FIRST(bar)
TREE_HEAD(a, b)
MODULE_LICENSE(\"GPL\");
int f(int a) NONNULL(1);
static DEVICE_ATTR(name, 0444, show, store);
struct __packed pair { int a; };
TEST(joins) { f(1); }
";
    assert_eq!(
        symbols(&look("a.c", text)),
        [
            "function - f 4 - out",
            "struct - pair 6 - out",
            "field pair a 6 - in",
            "function - joins 7 - in",
        ]
    );
}

#[test]
fn branches_that_do_not_nest_lose_nothing() {
    let text = "int f(void) {\n#ifdef A\n  if (x) {\n#else\n  if (y) {\n#endif\n  }\n  return 0;\n}\n\
        int g(void) { return 1; }\n";
    let found = look("a.c", text);
    assert_eq!(found.malformed, None);
    assert_eq!(symbols(&found), ["function - f 1 - out", "function - g 10 - out"]);
}

#[test]
fn cuda_objective_c_and_arduino() {
    let found = look(
        "a.cu",
        "#include <cuda_runtime.h>\n__constant__ float k[4];\n\
         __global__ void add(const float *a, int n) { __shared__ float tile[8]; }\n\
         __host__ __device__ float both(float x) { return x; }\n\
         int main() { add<<<1, 256>>>(0, 3); cudaFree(0); cudaFree(0); }\n",
    );
    let of = |idiom: &str| -> Vec<&str> {
        let has = |symbol: &&explore::Symbol| symbol.has_idiom(idiom);
        found.symbols.iter().filter(has).map(|symbol| symbol.name.as_str()).collect()
    };
    assert_eq!(of("kernel"), ["add"]);
    assert_eq!(of("host"), ["both", "main"]);
    assert_eq!(of("constant_memory"), ["k"]);
    assert_eq!(fact(&found, "kernel_launches").unwrap()[0]["grid_config"], "1, 256");
    assert_eq!(fact(&found, "shared_memory").unwrap()[0]["name"], "tile");
    assert_eq!(fact(&found, "cuda_api_calls").unwrap()[0]["count"], 2);

    let found = look(
        "a.m",
        "#import <UIKit/UIKit.h>\n#import \"b.h\"\n@protocol P <Q>\n- (void)run;\n@end\n\
         @interface A : B <P> {\n  int v;\n}\n@property (copy) NSString *name;\n\
         + (instancetype)make;\n@end\n@interface A (More)\n@end\n@implementation A\n\
         @synthesize name = _name;\n- (int)add:(int)x to:(int)y { return x; }\n@end\n",
    );
    assert_eq!(
        symbols(&found),
        [
            "protocol - P 3 - out",
            "method P run 4 public out",
            "class - A 6 - out",
            "field A v 7 - in",
            "property A name 9 - out",
            "singleton_method A make 10 public out",
            "category - More 12 - out",
            "impl - A 14 - in",
            "method A add:to: 16 public out",
        ]
    );
    assert_eq!(imports(&found), ["UIKit/UIKit.h stdlib 1", "b.h local 2"]);
    assert_eq!(fact(&found, "synthesize_directives").unwrap()[0]["properties"][0], "name");

    let found =
        look("a.ino", "#include <Wire.h>\nint led = 13;\nvoid setup() {}\nvoid loop() {}\n");
    assert_eq!(
        symbols(&found),
        ["variable - led 2 - out", "function - setup 3 - out", "function - loop 4 - out"]
    );
    assert_eq!(fact(&found, "has_setup").unwrap(), true);
}

#[test]
fn an_enumerator_that_a_macro_declares_is_its_first_argument() {
    let text = "enum option {\n  OPTION(WRITE, TYPE_CB, 1),\n  OLDER(POST, 24,\n        7.56, \"x\"),\n  \
                LAST = GREATEST(1, 2)\n};\n";
    for name in ["a.c", "a.h"] {
        assert_eq!(
            symbols(&look(name, text)),
            [
                "enum - option 1 - out",
                "enum_member option WRITE 2 - in",
                "enum_member option POST 3 - in",
                "enum_member option LAST 5 - in",
            ]
        );
    }
}

#[test]
fn broken_texts_are_explored_as_far_as_they_can_be_read() {
    let deep = "{".repeat(20_000);
    let blocks = "if x\n".repeat(5_000);
    for extension in ["rb", "php", "lua", "sol", "zig", "c", "h", "cpp", "m", "mm", "cu", "ino"] {
        let name = format!("a.{extension}");
        for text in
            ["", "\r\n\r\n", "class A\r\n  def", "struct A { int", "<?php class", &deep, &blocks]
        {
            for found in [look(&name, text), parity(&name, text)] {
                assert!(found.success, "{name}");
                assert!(!found.summary.is_empty(), "{name}");
            }
        }
    }
    for (name, text) in [("a.rb", RUBY), ("a.h", C)] {
        let crlf = look(name, &text.replace('\n', "\r\n"));
        assert_eq!(symbols(&crlf), symbols(&look(name, text)));
    }
}

#[test]
fn a_comment_behind_a_macro_is_no_part_of_it() {
    let text = "#define K 2 /* tell\n   other */\n#define L(a) \\\n  a '\\'' // b\n#define M /* one\n two */ 3\n\
                #define N\nenum e {\n  A OUTDATED(7.5, \"x\")\n    = D + 7,\n  B\n};\n";
    let found = look("a.c", text);
    let ends: Vec<_> = found
        .symbols
        .iter()
        .map(|one| format!("{} {}-{}", one.name, one.line, one.end_line))
        .collect();
    assert_eq!(ends, ["K 1-1", "L 3-4", "M 5-6", "N 7-7", "e 8-12", "A 9-10", "B 11-11"]);
}
