// The string functions, each with an answer that can be read.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: foghorn-sig 11 5
// stdout: horn-sig sig rn-sig
// stdout: 1 0 0 1
// stdout: 4 2 ,b;c
// stdout: <one><two><three>
// stdout: fofogho
// stdout: xxxyz 0
// stdout: ef

#include <stdio.h>
#include <string.h>
#include <strings.h>

int main(void) {
  char buffer[32] = "fog";
  strcat(buffer, "horn");
  strncat(buffer, "-signal", 4);
  printf("%s %zu %zu\n", buffer, strlen(buffer), strnlen(buffer, 5));
  printf("%s %s %s\n", strchr(buffer, 'h'), strrchr(buffer, 's'), strstr(buffer, "rn"));
  printf("%d %d %d %d\n", strcmp("a", "b") < 0, strncmp("abc", "abd", 2), strcasecmp("FoG", "fOg"),
         memcmp("\x80", "\x7f", 1) > 0);
  printf("%zu %zu %s\n", strspn("aabbc", "ab"), strcspn("hello", "l"), strpbrk("a,b;c", ";,"));
  char list[] = "one, two,,three";
  for (char *t = strtok(list, ", "); t; t = strtok(NULL, ", "))
    printf("<%s>", t);
  printf("\n");
  memmove(buffer + 2, buffer, 5);
  buffer[7] = 0;
  printf("%s\n", buffer);
  memset(buffer, 'x', 3);
  strncpy(buffer + 3, "yz", 4);
  printf("%s %d\n", buffer, buffer[6]);
  char *found = memchr("abc\0def", 'e', 8);
  printf("%s\n", found);
  return 0;
}
