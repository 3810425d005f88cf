/* A set of small numbers, one bit each. The defect: `1 << n` is an int, too narrow for bit 31 and
 * above. */
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);

struct bit_set {
  unsigned long long bits;
};

static void insert(struct bit_set *set, unsigned n) { set->bits |= 1 << n; }

static void erase(struct bit_set *set, unsigned n) { set->bits &= ~(1ull << n); }

static int contains(const struct bit_set *set, unsigned n) { return set->bits >> n & 1; }

int main(void) {
  struct bit_set set = {0};
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  __VERIFIER_assume(a < 64 && b < 64 && a != b);
  insert(&set, a);
  __VERIFIER_assert(contains(&set, a));
  __VERIFIER_assert(!contains(&set, b));
  insert(&set, b);
  erase(&set, a);
  __VERIFIER_assert(contains(&set, b) && !contains(&set, a));
  return 0;
}
