#include "stack.h"

#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int stack_push(stack_top *top, int value) {
    struct node *node = malloc(sizeof *node);
    if (!node) return -1;
    node->value = value;
    node->next = *top;
    *top = node;
    return 0;
}
