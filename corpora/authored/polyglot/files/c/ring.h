#ifndef RING_H
#define RING_H
#include <stddef.h>

typedef struct ring_buffer {
    size_t head;
    size_t tail;
    char *bytes;
} ring_buffer;

int ring_push(ring_buffer *ring, char byte);
int ring_pop(ring_buffer *ring, char *byte);

#endif
