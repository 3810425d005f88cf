// Bytes, zeros, addresses within objects, addresses of functions, strings.
struct entry {
  const char *name;
  int *where;
  int (*action)(void);
};

static int action(void) { return 1; }
static int numbers[6] = {[2] = 7};
static struct entry entries[2] = {{"first", &numbers[2], action}, {.name = "second" + 1}};
static char text[8] = "abc";
const double half = 0.5;
extern int elsewhere;

int main(void) { return *entries[0].where + entries[0].action() + text[0] + elsewhere; }
