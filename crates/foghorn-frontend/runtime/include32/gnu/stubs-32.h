/* The list of functions that a 32-bit glibc has only as stubs. Machines without the 32-bit C library
 * lack this file, and then no program that includes a system header compiles with -m32. Foghorn
 * links no 32-bit library, so the list is empty. */
