// Hashes into a table that has no buckets yet.
// check:     undefined
// expect:    unsafe division @ line 12
// engines:   run bmc
// sanitizer: undefined

struct table {
  unsigned buckets;
};

static unsigned bucket(const struct table *t, unsigned hash) {
  return hash % t->buckets;
}

static struct table empty;

int main(void) { return (int)bucket(&empty, 77); }
