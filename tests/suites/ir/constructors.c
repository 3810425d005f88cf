// Functions that run before and after main.
static int ready;

__attribute__((constructor)) static void prepare(void) { ready = 1; }
__attribute__((destructor)) static void finish(void) { ready = 0; }

int main(void) { return ready; }
