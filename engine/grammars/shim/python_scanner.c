// The Python scanner, whose state is bounded.
//
// It keeps two bytes for each level of indentation and one for each open string in a buffer of fixed
// size, and does not see that the last two bytes may not fit both: with an odd number of strings open
// and more than 510 levels, it writes one byte behind the buffer, over a pointer of the parser. Here
// it writes into a buffer with room for that byte, which is then left out. Up to there, and wherever an
// even number of strings is open, nothing differs.

#include <string.h>

#define tree_sitter_python_external_scanner_serialize unbounded_serialize
#include "scanner.c"
#undef tree_sitter_python_external_scanner_serialize

unsigned tree_sitter_python_external_scanner_serialize(void *payload, char *buffer) {
    char roomy[TREE_SITTER_SERIALIZATION_BUFFER_SIZE + 1];
    unsigned length = unbounded_serialize(payload, roomy);
    if (length > TREE_SITTER_SERIALIZATION_BUFFER_SIZE) {
        length = TREE_SITTER_SERIALIZATION_BUFFER_SIZE;
    }
    memcpy(buffer, roomy, length);
    return length;
}
