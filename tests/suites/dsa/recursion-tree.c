// A recursive function over one tree does not reach another tree.
// regions: {a} {b}
struct tree { struct tree *left, *right; int value; };
static void fill(struct tree *t, int v) { if (t) { t->value = v; fill(t->left, v); fill(t->right, v); } }
static struct tree *grow(int n) {
  if (n <= 0) return 0;
  struct tree *t = __builtin_malloc(sizeof *t);
  t->left = grow(n - 1);
  t->right = grow(n - 2);
  t->value = 0;
  return t;
}
int main(void) {
  struct tree *p = grow(3), *q = grow(4);
  fill(p, 1);
  fill(q, 2);
  p->value = 1; // @a
  q->value = 2; // @b
  return 0;
}
