/* A hash table with open addressing. The defect: the remainder of a negative number is negative,
 * and so is the slot. */
#include <stdbool.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);

#define SLOTS 4

struct entry {
  bool used;
  int key, value;
};

struct table {
  int count;
  struct entry entries[SLOTS];
};

static int slot_of(int key) { return key % SLOTS; }

/* The entry of the key, or the free one where it belongs; null if the table is full. */
static struct entry *find(struct table *table, int key) {
  int slot = slot_of(key);
  for (int i = 0; i < SLOTS; i++) {
    struct entry *entry = &table->entries[(slot + i) % SLOTS];
    if (!entry->used || entry->key == key)
      return entry;
  }
  return 0;
}

static bool set(struct table *table, int key, int value) {
  struct entry *entry = find(table, key);
  if (!entry)
    return false;
  if (!entry->used)
    table->count++;
  entry->used = true;
  entry->key = key;
  entry->value = value;
  return true;
}

static bool get(struct table *table, int key, int *value) {
  struct entry *entry = find(table, key);
  if (!entry || !entry->used)
    return false;
  *value = entry->value;
  return true;
}

int main(void) {
  struct table table = {0};
  int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
  __VERIFIER_assert(set(&table, first, 1));
  __VERIFIER_assert(set(&table, second, 2));
  int value = 0;
  __VERIFIER_assert(get(&table, first, &value));
  __VERIFIER_assert(value == (first == second ? 2 : 1));
  __VERIFIER_assert(get(&table, second, &value) && value == 2);
  __VERIFIER_assert(table.count == 1 + (first != second));
  return 0;
}
