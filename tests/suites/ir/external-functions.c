// Functions and variables that are defined nowhere.
extern int lookup(const char *name, int *result);
extern long limit;

int main(void) {
  int result;
  return lookup("key", &result) ? result : (int)limit;
}
