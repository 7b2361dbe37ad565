//! Words with a special meaning in Python.

use std::sync::LazyLock;

use crate::words::Words;

/// The meaning of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// A keyword everywhere, also in replacement fields.
    Always,
    /// A keyword in statements only.
    Statement,
}

/// The keywords of Python.
pub(super) static KEYWORDS: LazyLock<Words<Word>> = LazyLock::new(|| {
    let statement = "assert async break continue del elif except finally global pass raise nonlocal \
        return try while as with";
    Words::new(&[
        (Word::Always, "await else for if lambda yield True False None in is and or not"),
        (Word::Statement, statement),
    ])
});

/// Keywords that, after `match` or `case`, show that it is a plain name.
pub(super) static HARD: LazyLock<Words<()>> = LazyLock::new(|| {
    let words = "and as assert async await break class continue def del elif else except finally \
        for from global if import in is lambda nonlocal not or pass raise return try while with \
        yield";
    Words::new(&[((), words)])
});

/// Built-in names, and whether they are built in even after a dot.
pub(super) static BUILTINS: LazyLock<Words<bool>> =
    LazyLock::new(|| Words::new(&[(false, PLAIN), (true, MAGIC)]));

const PLAIN: &str = "ArithmeticError AssertionError AttributeError BaseException BlockingIOError \
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError \
    ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError \
    Ellipsis EncodingWarning EnvironmentError Exception FileExistsError FileNotFoundError \
    FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning \
    IndentationError IndexError InterruptedError IsADirectoryError KeyError \
    KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError \
    NotADirectoryError NotImplemented NotImplementedError OSError OverflowError \
    PendingDeprecationWarning PermissionError ProcessLookupError RecursionError \
    ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration \
    StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError \
    TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError \
    UnicodeTranslateError UnicodeWarning UserWarning VMSError ValueError Warning \
    WindowsError ZeroDivisionError __import__ abs aiter all any bin bool breakpoint \
    bytearray bytes callable chr classmethod cls compile complex delattr dict dir divmod \
    enumerate eval filter float format frozenset getattr globals hasattr hash hex id input \
    int isinstance issubclass iter len list locals map max memoryview min next object oct \
    open ord pow print property range repr reversed round self set setattr slice sorted \
    staticmethod str sum super tuple type vars zip";

const MAGIC: &str = "__abs__ __add__ __aenter__ __aexit__ __aiter__ __and__ __anext__ __annotations__ \
    __await__ __bases__ __bool__ __bytes__ __call__ __class__ __closure__ __code__ \
    __complex__ __contains__ __defaults__ __del__ __delattr__ __delete__ __delitem__ \
    __dict__ __dir__ __divmod__ __doc__ __enter__ __eq__ __exit__ __file__ __float__ \
    __floordiv__ __format__ __func__ __ge__ __get__ __getattr__ __getattribute__ __getitem__ \
    __globals__ __gt__ __hash__ __iadd__ __iand__ __ifloordiv__ __ilshift__ __imatmul__ \
    __imod__ __imul__ __index__ __init__ __instancecheck__ __int__ __invert__ __ior__ \
    __ipow__ __irshift__ __isub__ __iter__ __itruediv__ __ixor__ __kwdefaults__ __le__ \
    __len__ __length_hint__ __lshift__ __lt__ __matmul__ __missing__ __mod__ __module__ \
    __mro__ __mul__ __name__ __ne__ __neg__ __new__ __next__ __objclass__ __or__ __pos__ \
    __pow__ __prepare__ __qualname__ __radd__ __rand__ __rdivmod__ __repr__ __reversed__ \
    __rfloordiv__ __rlshift__ __rmatmul__ __rmod__ __rmul__ __ror__ __round__ __rpow__ \
    __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __self__ __set__ __setattr__ \
    __setitem__ __slots__ __str__ __sub__ __subclasscheck__ __truediv__ __weakref__ __xor__";
