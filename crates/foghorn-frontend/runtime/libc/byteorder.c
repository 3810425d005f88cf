/* <arpa/inet.h>: numbers in the byte order of networks. */
#include "foghorn_intrinsics.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define SWAPPED_16(value) __builtin_bswap16(value)
#define SWAPPED_32(value) __builtin_bswap32(value)
#else
#define SWAPPED_16(value) (value)
#define SWAPPED_32(value) (value)
#endif

unsigned short htons(unsigned short value) { return SWAPPED_16(value); }

unsigned short ntohs(unsigned short value) { return SWAPPED_16(value); }

unsigned htonl(unsigned value) { return SWAPPED_32(value); }

unsigned ntohl(unsigned value) { return SWAPPED_32(value); }
