/* Character classes and case mappings of the C.UTF-8 locale, independent of the
 * locale of the process. See wide_char.h for why. */
#include "wide_char.h"

enum character_class {
  ALNUM = 1 << 0,
  ALPHA = 1 << 1,
  BLANK = 1 << 2,
  CNTRL = 1 << 3,
  DIGIT = 1 << 4,
  LOWER = 1 << 5,
  PUNCT = 1 << 6,
  SPACE = 1 << 7,
  UPPER = 1 << 8,
  XDIGIT = 1 << 9,
};

/* Characters first to last, both included. */
struct range {
  uint32_t first;
  uint32_t last;
};

/* Every stride-th character from first to last maps to itself plus delta. */
struct mapping {
  uint32_t first;
  uint32_t last;
  uint32_t stride;
  int32_t delta;
};

#include "wide_char_tables.inc"

#define LENGTH(table) (sizeof(table) / sizeof((table)[0]))
#define ASCII_LENGTH 128

static int in_ranges(const struct range *ranges, size_t length, uint32_t character) {
  size_t low = 0, high = length;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (character < ranges[middle].first) {
      high = middle;
    } else if (character > ranges[middle].last) {
      low = middle + 1;
    } else {
      return 1;
    }
  }
  return 0;
}

static uint32_t mapped(const struct mapping *mappings, size_t length, uint32_t character) {
  size_t low = 0, high = length;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct mapping *run = &mappings[middle];
    if (character < run->first) {
      high = middle;
    } else if (character > run->last) {
      low = middle + 1;
    } else if ((character - run->first) % run->stride == 0) {
      return (uint32_t)((int32_t)character + run->delta);
    } else {
      return character;
    }
  }
  return character;
}

/* Source text is mostly ASCII, so one look at a bit set answers most questions. */
static int is_class(enum character_class class, const struct range *ranges, size_t length,
                    uint32_t character) {
  if (character < ASCII_LENGTH) {
    return (ascii_classes[character] & class) != 0;
  }
  return in_ranges(ranges, length, character);
}

#define DEFINE_CLASS(name, class, ranges)                        \
  int name(uint32_t character) {                                 \
    return is_class(class, ranges, LENGTH(ranges), character);   \
  }

DEFINE_CLASS(parity_iswalpha, ALPHA, alpha_ranges)
DEFINE_CLASS(parity_iswblank, BLANK, blank_ranges)
DEFINE_CLASS(parity_iswcntrl, CNTRL, cntrl_ranges)
DEFINE_CLASS(parity_iswlower, LOWER, lower_ranges)
DEFINE_CLASS(parity_iswpunct, PUNCT, punct_ranges)
DEFINE_CLASS(parity_iswspace, SPACE, space_ranges)
DEFINE_CLASS(parity_iswupper, UPPER, upper_ranges)

/* Outside ASCII this locale counts its other digits as letters, so that these
 * three need no ranges of their own. The generator checks it. */
DEFINE_CLASS(parity_iswalnum, ALNUM, alpha_ranges)

int parity_iswdigit(uint32_t character) {
  return character < ASCII_LENGTH && (ascii_classes[character] & DIGIT) != 0;
}

int parity_iswxdigit(uint32_t character) {
  return character < ASCII_LENGTH && (ascii_classes[character] & XDIGIT) != 0;
}

uint32_t parity_towlower(uint32_t character) {
  return mapped(lower_mappings, LENGTH(lower_mappings), character);
}

uint32_t parity_towupper(uint32_t character) {
  return mapped(upper_mappings, LENGTH(upper_mappings), character);
}
