#ifndef STACK_H
#define STACK_H

typedef struct node *stack_top;
enum stack_error { STACK_FULL = 1, STACK_EMPTY };

int stack_push(stack_top *top, int value);

#endif
