// A function that copies one element of an array, known by its number, copies the part of it that
// others access.
// in: first
// regions: {a}
union either { unsigned short low; int whole; };
static union either table[10];
static int first(void) {
  union either copy = table[1]; // @a
  return 0;
}
int main(void) {
  int sum = first();
  for (int i = 0; i < 10; i++) sum += table[i].low;
  return sum;
}
