//! Words with a special meaning in JavaScript and TypeScript.

use std::sync::LazyLock;

use crate::words::Words;

/// The meaning of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// A keyword after which a slash opens a regular expression.
    Operator,
    /// Any other keyword or constant.
    Plain,
    /// A keyword only if no word character precedes it.
    Whole,
    /// A global that is a name everywhere.
    Builtin,
}

/// Words of JavaScript.
pub(super) static JAVASCRIPT: LazyLock<Words<Word>> = LazyLock::new(|| {
    let operators = "typeof instanceof in void delete new for while do break return continue \
        switch case default if else throw try catch finally yield await async this of static \
        export import debugger extends super var let const with function class";
    let plain = "abstract boolean byte char double enum final float goto implements int interface \
        long native package private protected public short synchronized throws transient volatile \
        true false null NaN Infinity undefined";
    let builtins = "Array Boolean Date BigInt Function Math ArrayBuffer Number Object RegExp String \
        Promise Proxy decodeURI decodeURIComponent encodeURI encodeURIComponent eval isFinite \
        isNaN parseFloat parseInt DataView document window globalThis global Symbol Intl WeakSet \
        WeakMap Set Map Reflect JSON Atomics Int8Array Int16Array Int32Array BigInt64Array \
        Float32Array Float64Array Uint8ClampedArray Uint8Array Uint16Array Uint32Array \
        BigUint64Array Error EvalError InternalError RangeError ReferenceError SyntaxError \
        TypeError URIError";
    Words::new(&[
        (Word::Operator, operators),
        (Word::Whole, "constructor from as"),
        (Word::Plain, plain),
        (Word::Builtin, builtins),
    ])
});

/// Words of TypeScript, which take precedence over those of JavaScript.
pub(super) static TYPESCRIPT: LazyLock<Words<Word>> = LazyLock::new(|| {
    let operators = "abstract implements private protected public readonly enum interface override";
    Words::new(&[(Word::Operator, operators), (Word::Whole, "declare type string boolean number")])
});
