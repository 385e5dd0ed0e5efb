/* SPDX-License-Identifier: Apache-2.0 */
/* The program without libcurl and libexpat. */
#include "reader/s3/source_s3.h"

#ifndef SMDBG_S3
struct sm_source *sm_source_s3_new(const char *address, struct sm_err *err)
{
    sm_err_set(err, SM_ERR_USAGE,
               "%s: this program was built without libcurl and libexpat, which s3:// needs",
               address);
    return NULL;
}

struct sm_s3_counts sm_s3_counts(void)
{
    return (struct sm_s3_counts){0};
}

void sm_s3_keep_nothing(void)
{
}
#endif
