#include "ring.h"

#define CAPACITY 64 /* a power of two */

static size_t ring_next(size_t at) {
    return (at + 1) & (CAPACITY - 1);
}

int ring_push(ring_buffer *ring, char byte) {
    size_t next = ring_next(ring->head);
    if (next == ring->tail) {
        return -1; // full
    }
    ring->bytes[ring->head] = byte;
    ring->head = next;
    return 0;
}

int ring_pop(ring_buffer *ring, char *byte) {
    if (ring->head == ring->tail)
        return -1;
    *byte = ring->bytes[ring->tail];
    ring->tail = ring_next(ring->tail);
    return 0;
}

enum colour { RED, GREEN, BLUE };

#if 0
int never_compiled(void) { return 'x'; }
#endif
