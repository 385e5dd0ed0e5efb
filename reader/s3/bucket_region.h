/* SPDX-License-Identifier: Apache-2.0 */
/* The regions of buckets that are known from an address or from a server: for the process, at most
 * 64, then the ones that were noted first are forgotten. For several threads. */
#ifndef SM_BUCKET_REGION_H
#define SM_BUCKET_REGION_H

#include "reader/base/str.h"

/* Notes the region of a bucket; a text that has not the form of a region ("eu-west-1") and a name
 * that is too long have no effect. */
void sm_bucket_region_note(struct sm_text bucket, struct sm_text region);
/* Appends the region that was noted last. False: none is known. */
bool sm_bucket_region_find(const char *bucket, struct sm_str *out);

#endif
