// Repaired twin of: hashes into a table that has no buckets yet.
// check:     undefined
// expect:    safe
// engines:   run bmc
// sanitizer: none

struct table {
  unsigned buckets;
};

static unsigned bucket(const struct table *t, unsigned hash) {
  if (t->buckets == 0)
    return 0;
  return hash % t->buckets;
}

static struct table empty;

int main(void) { return (int)bucket(&empty, 77); }
