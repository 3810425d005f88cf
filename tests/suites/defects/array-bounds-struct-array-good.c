// Repaired twin of: the loop over an array of structs ends with <= of the element count.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

struct sensor {
  int id;
  int value;
};

static struct sensor sensors[4];

int main(void) {
  for (int i = 0; i < 4; i++)
    sensors[i].id = i;
  return sensors[3].id != 3;
}
