/* SPDX-License-Identifier: Apache-2.0 */
/* One answer to a list of objects (ListObjectsV2), which is XML from a server. */
#ifndef SM_LIST_PAGE_H
#define SM_LIST_PAGE_H

#include "reader/s3/bucket.h"

/* Begin with each and ctx; clear. May be used for one page after the other. */
struct sm_list_page {
    sm_object_each *each;
    void *ctx;
    struct sm_str token; /* of the next page; empty: this is the last one */
    bool stopped;        /* each returned false */
    /* of the object that is being read */
    struct sm_str key, etag;
    uint64_t size_bytes;
    int64_t modified_us;
    bool encoded; /* names are as in addresses: those that XML cannot have, too */
};
/* Calls each for the objects and prefixes of an answer, which ends with a 0 byte. True also if each
 * stopped it. */
bool sm_list_page_read(struct sm_list_page *p, const char *xml, size_t n, struct sm_err *err);
void sm_list_page_clear(struct sm_list_page *p);

#endif
