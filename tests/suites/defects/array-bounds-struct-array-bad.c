// The loop over an array of structs ends with <= of the element count.
// check:     undefined
// expect:    unsafe array-bounds @ line 16
// engines:   run bmc
// sanitizer: undefined

struct sensor {
  int id;
  int value;
};

static struct sensor sensors[4];

int main(void) {
  for (int i = 0; i <= 4; i++)
    sensors[i].id = i;
  return sensors[3].id != 3;
}
