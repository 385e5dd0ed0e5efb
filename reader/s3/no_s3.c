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

bool sm_s3_look(const char *address, enum sm_s3_place *what, struct sm_err *err)
{
    *what = SM_S3_NOTHING;
    return sm_source_s3_new(address, err);
}

void sm_s3_expire(const char *address)
{
    (void)address;
}

bool sm_s3_is_object(const char *address)
{
    (void)address;
    return false;
}

void sm_s3_cancel_by(const atomic_bool *flag)
{
    (void)flag;
}

struct sm_s3_counts sm_s3_counts(void)
{
    return (struct sm_s3_counts){0};
}

void sm_s3_set_follow_rate(double lists_per_s)
{
    (void)lists_per_s;
}

struct sm_s3_followed sm_s3_followed(void)
{
    return (struct sm_s3_followed){0};
}

const char *sm_s3_libraries(void)
{
    return NULL;
}

void sm_s3_keep_nothing(void)
{
}
#endif
