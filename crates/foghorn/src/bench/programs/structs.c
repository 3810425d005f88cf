// A linked list on the heap, reversed and summed: pointers and fields.
#include <stdio.h>
#include <stdlib.h>
struct node {
    int key;
    short weight;
    struct node *next;
};
int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 2000; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n) return 1;
        n->key = i * 7;
        n->weight = (short)(i % 13);
        n->next = list;
        list = n;
    }
    unsigned total = 0;
    for (int round = 0; round < 6000; round++) {
        struct node *reversed = NULL;
        while (list) {
            struct node *next = list->next;
            total += (unsigned)list->key * (unsigned)list->weight;
            list->next = reversed;
            reversed = list;
            list = next;
        }
        list = reversed;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    printf("%u\n", total);
    return 0;
}
