/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of buckets as people have them: s3://BUCKET/PREFIX, also in capital letters and as
 * s3a:// and s3n:// (Hadoop, Spark), arn:aws:s3:::BUCKET/PREFIX, and what browsers show: the
 * address of an object, with the bucket in the host's name or in the path, and that of a page of
 * Amazon's console. */
#ifndef SM_S3_ADDRESS_H
#define SM_S3_ADDRESS_H

#include "reader/base/err.h"
#include "reader/base/str.h"

/* Whether a text is to be such an address: it begins with one of these schemes, or http. */
bool sm_is_address(const char *text);
/* Appends the address as s3://BUCKET[/PREFIX], without '/' at its end; any other text as it is.
 * The region that it names is noted for the bucket (bucket_region.h).
 * False: it begins like an address, but has no bucket (SM_ERR_USAGE, with what is accepted). */
bool sm_s3_address(const char *text, struct sm_str *out, struct sm_err *err);
/* Whether a name is one that Amazon's buckets may have: 3 to 63 of a-z, 0-9, '.' and '-', with a
 * letter or a number at both ends, and no two dots one after the other. */
bool sm_s3_is_bucket_name(const char *name);

#endif
