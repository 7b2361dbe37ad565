//! Words with a special meaning in the C family.

use std::sync::LazyLock;

use crate::words::Words;

/// The meaning of a word in a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// A keyword, which is not a name.
    Plain,
    /// A keyword whose next word names a type: `struct`, `class`.
    Named,
    /// The `enum` of C++, which may be followed by `class` or `struct`.
    Enum,
    /// The `namespace` of C++.
    Namespace,
    /// `case`: any word of its value counts as a name.
    Case,
    /// A type keyword: not a name, but a function header may start with it.
    Type,
    /// A constant that counts as a name, such as `NULL`.
    Builtin,
    /// A type of the standard library, which is not a name where a plain name could be.
    Library,
}

const PLAIN: &str = "asm auto break const continue default do else enum extern for goto if \
    register restricted return sizeof static switch typedef volatile while thread_local alignas \
    alignof static_assert _Pragma inline _inline __inline naked restrict thread \
    __m128i __m128d __m128 __m64 __asm __based __except __stdcall __cdecl __fastcall __declspec \
    __finally __try __leave __w64 __unaligned __raise __noop __identifier __forceinline __assume";
const TYPES: &str = "bool int long float short double char unsigned signed void _BitInt __int128 \
    __int8 __int16 __int32 __int64 __wchar_t";
const LIBRARY: &str = "size_t ssize_t off_t wchar_t ptrdiff_t sig_atomic_t fpos_t clock_t time_t \
    va_list jmp_buf FILE DIR div_t ldiv_t mbstate_t wctrans_t wint_t wctype_t \
    clockid_t cpu_set_t cpumask_t dev_t gid_t id_t ino_t key_t mode_t nfds_t pid_t rlim_t sig_t \
    sighandler_t siginfo_t sigset_t sigval_t socklen_t timer_t uid_t \
    int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t \
    int_least8_t int_least16_t int_least32_t int_least64_t \
    uint_least8_t uint_least16_t uint_least32_t uint_least64_t \
    int_fast8_t int_fast16_t int_fast32_t int_fast64_t \
    uint_fast8_t uint_fast16_t uint_fast32_t uint_fast64_t intptr_t uintptr_t intmax_t uintmax_t \
    atomic_bool atomic_char atomic_schar atomic_uchar atomic_short atomic_ushort atomic_int \
    atomic_uint atomic_long atomic_ulong atomic_llong atomic_ullong atomic_char16_t \
    atomic_char32_t atomic_wchar_t atomic_intptr_t atomic_uintptr_t atomic_size_t \
    atomic_ptrdiff_t atomic_intmax_t atomic_uintmax_t \
    atomic_int_least8_t atomic_int_least16_t atomic_int_least32_t atomic_int_least64_t \
    atomic_uint_least8_t atomic_uint_least16_t atomic_uint_least32_t atomic_uint_least64_t \
    atomic_int_fast8_t atomic_int_fast16_t atomic_int_fast32_t atomic_int_fast64_t \
    atomic_uint_fast8_t atomic_uint_fast16_t atomic_uint_fast32_t atomic_uint_fast64_t";
const PLAIN_C: &str = "_Alignas _Alignof _Noreturn _Generic _Thread_local _Static_assert \
    _Imaginary noreturn imaginary complex";
const PLAIN_CPP: &str = "catch const_cast delete dynamic_cast explicit export friend mutable new \
    operator private protected public reinterpret_cast __restrict static_cast template this throw \
    throws try typeid using virtual constexpr nullptr decltype noexcept override final constinit \
    consteval co_await co_return co_yield requires import module and and_eq bitand bitor compl \
    not not_eq or or_eq xor xor_eq";

/// Words of C, also used for Objective-C.
pub(super) static C: LazyLock<Words<Word>> = LazyLock::new(|| {
    Words::new(&[
        (Word::Named, "struct union"),
        (Word::Case, "case"),
        (Word::Plain, PLAIN),
        (Word::Plain, PLAIN_C),
        (Word::Type, "_Bool _Complex _Atomic"),
        (Word::Type, TYPES),
        (Word::Builtin, "true false NULL"),
        (Word::Library, LIBRARY),
    ])
});

/// Words of C++.
pub(super) static CPP: LazyLock<Words<Word>> = LazyLock::new(|| {
    Words::new(&[
        (Word::Named, "class concept typename struct union"),
        (Word::Enum, "enum"),
        (Word::Namespace, "namespace"),
        (Word::Case, "case"),
        (Word::Plain, PLAIN),
        (Word::Plain, PLAIN_CPP),
        (Word::Type, "char16_t char32_t char8_t"),
        (Word::Type, TYPES),
        (Word::Builtin, "true false NULL"),
        (Word::Library, LIBRARY),
    ])
});
