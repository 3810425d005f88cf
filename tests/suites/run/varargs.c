// Variadic functions with mixed types, many arguments, structs, and lists handed on.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 3000000008.50
// stdout: 55.00
// stdout: 5.50
// stdout: 47.00
// stdout: 606

#include <stdarg.h>
#include <stdio.h>

struct pair {
  int a, b;
};
struct big {
  long v[4];
};

static double sum(const char *types, ...) {
  va_list list;
  double total = 0;
  va_start(list, types);
  for (; *types; types++)
    switch (*types) {
    case 'i': total += va_arg(list, int); break;
    case 'l': total += va_arg(list, long long); break;
    case 'd': total += va_arg(list, double); break;
    case 'p': total += *va_arg(list, int *); break;
    case 's': {
      struct pair p = va_arg(list, struct pair);
      total += p.a * p.b;
      break;
    }
    case 'b': {
      struct big b = va_arg(list, struct big);
      total += b.v[0] + b.v[3];
      break;
    }
    }
  va_end(list);
  return total;
}

static int count_from(int n, va_list list) {
  int total = 0;
  while (n-- > 0)
    total += va_arg(list, int);
  return total;
}

static int twice(int n, ...) {
  va_list first, second;
  va_start(first, n);
  va_copy(second, first);
  int total = count_from(n, first) * 100 + count_from(n, second);
  va_end(first);
  va_end(second);
  return total;
}

int main(void) {
  int five = 5;
  printf("%.2f\n", sum("idlp", 1, 2.5, 3000000000LL, &five));
  printf("%.2f\n", sum("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  printf("%.2f\n", sum("dddddddddd", .1, .2, .3, .4, .5, .6, .7, .8, .9, 1.0));
  printf("%.2f\n", sum("sib", (struct pair){3, 4}, 5, (struct big){{10, 0, 0, 20}}));
  printf("%d\n", twice(3, 1, 2, 3));
  return 0;
}
