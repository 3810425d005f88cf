/* The verifier's own functions on a real machine: what must not happen ends the program with a
 * stack, and an assumption that does not hold ends it with a message, since it is not this run.
 * A definition in the program wins over these. */
#define FOGHORN_WEAK __attribute__((weak))

void __sanitizer_print_stack_trace(void) FOGHORN_WEAK;
void *__asan_region_is_poisoned(void *begin, size_t size) FOGHORN_WEAK;
const char *__asan_locate_address(void *p, char *name, size_t name_size, void **start,
                                  size_t *size) FOGHORN_WEAK;

__attribute__((noreturn)) static void foghorn_fail(const char *what) {
  fprintf(stderr, "foghorn: %s\n", what);
  if (__sanitizer_print_stack_trace)
    __sanitizer_print_stack_trace();
  abort();
}

__attribute__((noreturn)) static void foghorn_other_run(const char *why) {
  fprintf(stderr, "foghorn: this is not the run that was found: %s\n", why);
  _Exit(98);
}

static void foghorn_assume(int condition) {
  if (!condition)
    foghorn_other_run("an assumption does not hold");
}

static void foghorn_assert(int condition) {
  if (!condition)
    foghorn_fail("assertion failed");
}

#define ERROR(name) FOGHORN_WEAK void name(void) { foghorn_fail("an error function was called"); }
#define ASSUME(name) FOGHORN_WEAK void name(int condition) { foghorn_assume(condition); }
#define ASSERT(name) FOGHORN_WEAK void name(int condition) { foghorn_assert(condition); }
#define NOTHING(name) FOGHORN_WEAK void name(void) {}
/* Questions that only the verifier's memory model can answer. */
#define UNANSWERED(name) FOGHORN_WEAK long name(void) { foghorn_other_run(#name " has no native meaning"); }

ERROR(reach_error)
ERROR(__VERIFIER_error)
ERROR(ldv_error)
ERROR(__blast_assert)
ERROR(blast_error)
ERROR(__SEAHORN_error)
ERROR(__SEAHORN_fail)
ERROR(klee_abort)
ERROR(klee_report_error)
void foghorn_verifier_error(void) __asm__("verifier.error");
void foghorn_seahorn_error(void) __asm__("seahorn.error");
void foghorn_seahorn_fail(void) __asm__("seahorn.fail");
ERROR(foghorn_verifier_error)
ERROR(foghorn_seahorn_error)
ERROR(foghorn_seahorn_fail)

ASSUME(__VERIFIER_assume)
ASSUME(__SEA_assume)
ASSUME(assume)
ASSUME(assume_abort_if_not)
ASSUME(ldv_assume)
ASSUME(__CPROVER_assume)
ASSUME(__ESBMC_assume)
ASSUME(__llbmc_assume)
ASSUME(__SMACK_assume)
ASSUME(__CRAB_assume)
ASSUME(klee_assume)

ASSERT(__VERIFIER_assert)
ASSERT(__CPROVER_assert)
ASSERT(__CPROVER_precondition)
ASSERT(__CPROVER_postcondition)
ASSERT(__ESBMC_assert)
ASSERT(__llbmc_assert)
ASSERT(__SMACK_assert)
ASSERT(__CRAB_assert)
ASSERT(klee_assert)
ASSERT(sassert)
ASSERT(assert)
FOGHORN_WEAK void __VERIFIER_assert_not(int condition) { foghorn_assert(!condition); }
FOGHORN_WEAK void __VERIFIER_assert_if(int given, int claim) { foghorn_assert(!given || claim); }
FOGHORN_WEAK void sea_assert_if(int given, int claim) { foghorn_assert(!given || claim); }

NOTHING(__VERIFIER_atomic_begin)
NOTHING(__VERIFIER_atomic_end)
NOTHING(__CPROVER_atomic_begin)
NOTHING(__CPROVER_atomic_end)
NOTHING(__CPROVER_input)
NOTHING(__CPROVER_output)
NOTHING(__CPROVER_printf)
NOTHING(__CPROVER_cover)
NOTHING(__ESBMC_atomic_begin)
NOTHING(__ESBMC_atomic_end)
NOTHING(__ESBMC_yield)
NOTHING(sea_dsa_alias)
NOTHING(sea_dsa_set_read)
NOTHING(sea_dsa_set_modified)
NOTHING(sea_printf)
NOTHING(sea_tracking_on)
NOTHING(sea_tracking_off)
NOTHING(sea_reset_modified)
NOTHING(sea_reset_read)
NOTHING(__SMACK_code)
NOTHING(__CRAB_intrinsic_print_invariants)
NOTHING(__CRAB_intrinsic_value_partition_start)
NOTHING(__CRAB_intrinsic_value_partition_end)
NOTHING(klee_warning)
NOTHING(klee_warning_once)
NOTHING(klee_print_expr)
NOTHING(klee_open_merge)
NOTHING(klee_close_merge)
NOTHING(klee_mark_global)
NOTHING(klee_prefer_cex)
NOTHING(klee_posix_prefer_cex)
NOTHING(klee_stack_trace)
NOTHING(klee_set_forking)
NOTHING(klee_alias_function)
FOGHORN_WEAK unsigned klee_is_symbolic(void) { return 0; }
FOGHORN_WEAK unsigned klee_is_replay(void) { return 0; }
FOGHORN_WEAK void klee_silent_exit(int status) { _Exit(status); }

/* The results are int and not _Bool: programs use these functions without a declaration. */
static int foghorn_is_dereferenceable(void *p, size_t size) {
  return size == 0 || (p && !(__asan_region_is_poisoned && __asan_region_is_poisoned(p, size)));
}
FOGHORN_WEAK int sea_is_dereferenceable(void *p, size_t n) { return foghorn_is_dereferenceable(p, n); }
FOGHORN_WEAK int sea_is_deref(void *p, size_t n) { return foghorn_is_dereferenceable(p, n); }
FOGHORN_WEAK int __CPROVER_r_ok(void *p, size_t n) { return foghorn_is_dereferenceable(p, n); }
FOGHORN_WEAK int __CPROVER_w_ok(void *p, size_t n) { return foghorn_is_dereferenceable(p, n); }
FOGHORN_WEAK int __CPROVER_rw_ok(void *p, size_t n) { return foghorn_is_dereferenceable(p, n); }
FOGHORN_WEAK void klee_check_memory_access(void *p, size_t n) { foghorn_assert(foghorn_is_dereferenceable(p, n)); }
FOGHORN_WEAK void sea_free(char *p) { free(p); }

/* A function of CBMC that may be declared otherwise in front of this file. */
#define CPROVER(type, name, parameters)                                                            \
  type foghorn_cprover_##name parameters __asm__("__CPROVER_" #name);                              \
  FOGHORN_WEAK type foghorn_cprover_##name parameters

/* The object of a pointer, as AddressSanitizer knows it. */
static char *foghorn_object(void *p, size_t *size) {
  char name[64];
  void *start = 0;
  *size = 0;
  if (p && __asan_locate_address)
    __asan_locate_address(p, name, sizeof name, &start, size);
  if (p && !start)
    foghorn_other_run("the object of a pointer is not known here");
  return start;
}
CPROVER(int, same_object, (void *p, void *q)) {
  size_t size;
  char *of_p = foghorn_object(p, &size);
  return of_p == foghorn_object(q, &size);
}
CPROVER(size_t, OBJECT_SIZE, (void *p)) {
  size_t size;
  foghorn_object(p, &size);
  return size;
}
CPROVER(size_t, POINTER_OFFSET, (void *p)) {
  size_t size;
  return (size_t)((char *)p - foghorn_object(p, &size));
}
CPROVER(size_t, POINTER_OBJECT, (void *p)) {
  size_t size;
  return (size_t)foghorn_object(p, &size);
}
CPROVER(int, DYNAMIC_OBJECT, (void *p)) {
  char name[64];
  void *start = 0;
  size_t size;
  return p && __asan_locate_address &&
         strcmp(__asan_locate_address(p, name, sizeof name, &start, &size), "heap") == 0;
}
CPROVER(int, LIVE_OBJECT, (void *p)) { return foghorn_is_dereferenceable(p, 1); }
CPROVER(void *, allocate, (size_t size, int zero)) { return zero ? calloc(1, size) : malloc(size); }
/* Bytes from a pointer to the end of its object. */
static size_t foghorn_rest(void *p) {
  size_t size;
  char *start = foghorn_object(p, &size);
  return size - (size_t)((char *)p - start);
}
CPROVER(void, array_copy, (void *to, void *from)) { memmove(to, from, foghorn_rest(to)); }
CPROVER(void, array_replace, (void *to, void *from)) { memmove(to, from, foghorn_rest(from)); }
FOGHORN_WEAK size_t klee_get_obj_size(void *p) { return foghorn_cprover_OBJECT_SIZE(p); }
UNANSWERED(sea_is_alloc)
UNANSWERED(sea_is_modified)
UNANSWERED(sea_is_read)
UNANSWERED(sea_set_shadowmem)
UNANSWERED(sea_get_shadowmem)

/* The contents that memory got each time it was havocked, in order. */
static void foghorn_havoc(void *p, size_t size) {
  if (foghorn_next_havoc >= foghorn_havoc_count) {
    /* The run that was found ends here if these bytes cannot be written. */
    memset(p, 0, size);
    foghorn_other_run("memory is havocked once more");
  }
  struct foghorn_bytes bytes = foghorn_havocs[foghorn_next_havoc++];
  if (size != bytes.size)
    foghorn_other_run("another amount of memory is havocked");
  memcpy(p, bytes.start, size);
}
FOGHORN_WEAK void __VERIFIER_nondet_memory(void *p, size_t n) { foghorn_havoc(p, n); }
FOGHORN_WEAK void memhavoc(void *p, size_t n) { foghorn_havoc(p, n); }
FOGHORN_WEAK void sea_memhavoc(void *p, size_t n) { foghorn_havoc(p, n); }
FOGHORN_WEAK void __CPROVER_havoc_slice(void *p, size_t n) { foghorn_havoc(p, n); }
FOGHORN_WEAK void klee_make_symbolic(void *p, size_t n, const char *name) { (void)name, foghorn_havoc(p, n); }
FOGHORN_WEAK void __CPROVER_havoc_object(void *p) {
  if (foghorn_next_havoc < foghorn_havoc_count)
    foghorn_havoc(p, foghorn_havocs[foghorn_next_havoc].size);
}

/* What the sanitizers are to look for; no variables of the environment are needed. */
const char *__asan_default_options(void) {
  return "handle_abort=1:detect_leaks=1:detect_stack_use_after_return=1:"
         "detect_invalid_pointer_pairs=2:strict_string_checks=1:allocator_may_return_null=1";
}
const char *__ubsan_default_options(void) { return "print_stacktrace=1"; }
