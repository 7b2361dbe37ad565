/* Forced into every scanner before its first line.
 *
 * Scanners ask the C library whether a character is a letter, a space and so
 * on. The answer depends on the process's locale: CPython selects a UTF-8 one
 * at start, a Rust program stays in the "C" locale, where no character outside
 * ASCII is a letter. The names below give every scanner the UTF-8 answers,
 * with no global state and on every platform alike.
 */
#ifndef PARITY_WIDE_CHAR_H
#define PARITY_WIDE_CHAR_H

/* The system headers come first, so that they declare their own names before
 * the replacements take effect. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

/* Each predicate returns 1 or 0; each mapping returns its argument when the
 * character has no counterpart. Values past U+10FFFF, which include tree-sitter's
 * -1 for undecodable bytes, belong to no class. */
int parity_iswalnum(uint32_t character);
int parity_iswalpha(uint32_t character);
int parity_iswblank(uint32_t character);
int parity_iswcntrl(uint32_t character);
int parity_iswdigit(uint32_t character);
int parity_iswlower(uint32_t character);
int parity_iswpunct(uint32_t character);
int parity_iswspace(uint32_t character);
int parity_iswupper(uint32_t character);
int parity_iswxdigit(uint32_t character);
uint32_t parity_towlower(uint32_t character);
uint32_t parity_towupper(uint32_t character);

#undef iswalnum
#undef iswalpha
#undef iswblank
#undef iswcntrl
#undef iswdigit
#undef iswlower
#undef iswpunct
#undef iswspace
#undef iswupper
#undef iswxdigit
#undef towlower
#undef towupper

/* Without parameters, so that a use as a function pointer is replaced too. */
#define iswalnum parity_iswalnum
#define iswalpha parity_iswalpha
#define iswblank parity_iswblank
#define iswcntrl parity_iswcntrl
#define iswdigit parity_iswdigit
#define iswlower parity_iswlower
#define iswpunct parity_iswpunct
#define iswspace parity_iswspace
#define iswupper parity_iswupper
#define iswxdigit parity_iswxdigit
#define towlower parity_towlower
#define towupper parity_towupper

#ifdef PARITY_GUARDED_CALLOC
/* A scanner that asks for no bytes and then writes four of them corrupts the
 * heap on every file. Sixteen zeroed bytes hold what it writes and change no
 * result. */
static inline void *parity_calloc(size_t count, size_t size) {
  enum { LEAST = 16 };
  if (size != 0 && count > SIZE_MAX / size) {
    return NULL;
  }
  size_t total = count * size;
  return calloc(1, total < LEAST ? LEAST : total);
}
#undef calloc
#define calloc parity_calloc
#endif

#endif
