/* SeaDSA's questions to the pointer analysis. They have no effect on an execution. */
#ifndef FOGHORN_SEADSA_SEA_DSA_H
#define FOGHORN_SEADSA_SEA_DSA_H

#ifdef __cplusplus
extern "C" {
#endif

void sea_dsa_alias(const void *first, ...);
void sea_dsa_collapse(const void *p);
void sea_dsa_mk(const void *p);
void sea_dsa_link(const void *p, unsigned offset, const void *q);
void sea_dsa_access(const void *p, unsigned offset);
void sea_dsa_set_read(const void *p);
void sea_dsa_set_modified(const void *p);
void sea_dsa_set_heap(const void *p);
void sea_dsa_set_external(const void *p);

#ifdef __cplusplus
}
#endif

#endif
