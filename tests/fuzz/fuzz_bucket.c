/* SPDX-License-Identifier: Apache-2.0 */
/* What servers, files of AWS and users say: lists of objects, refusals, credentials as JSON,
 * ~/.aws, addresses. The first byte says which. */
#include "reader/base/mem.h"
#include "reader/s3/address.h"
#include "reader/s3/aws_files.h"
#ifdef SMDBG_S3
#include "reader/s3/bucket_parts.h"
#include "reader/s3/list_page.h"
#include "reader/s3/login_parts.h"
#endif

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

#ifdef SMDBG_S3
static bool take(void *ctx, const struct sm_object *o)
{
    size_t *left = ctx;
    return strlen(o->key) < SIZE_MAX && strlen(o->etag) < SIZE_MAX && (*left)-- > 1;
}

static void read_list(const char *text, size_t n)
{
    size_t left = 1000;
    struct sm_list_page page = {.each = take, .ctx = &left};
    struct sm_err err = {0};
    for (int i = 0; i < 2; i++)
        sm_list_page_read(&page, text, n, &err);
    sm_list_page_clear(&page);
}

/* An answer that says no. Nobody is asked for other credentials. */
static void read_refusal(const char *text, size_t n)
{
    static const int statuses[] = {400, 403, 404, 301, 503};
    struct sm_err err = {0};
    setenv("SMDBG_S3_UNSIGNED", "1", 1);
    struct sm_bucket *bucket = sm_bucket_new("bkt", &err);
    struct sm_http_answer answer = {.status = statuses[n % (sizeof statuses / sizeof *statuses)]};
    struct sm_bucket_ask ask = {.bucket = bucket, .path_key = n % 2 ? "key" : "", .query = ""};
    sm_str_addn(&answer.body, text, n);
    if (bucket)
        sm_bucket_refused(&ask, &answer, &err);
    sm_http_answer_clear(&answer);
    sm_bucket_free(bucket);
}

static void read_json(const char *text, size_t n)
{
    struct sm_login login = {0};
    struct sm_str value = {0};
    struct sm_err err = {0};
    sm_login_from_json(&login, text, n, &err);
    sm_login_json_text(text, n, "accessToken", &value);
    sm_login_time(sm_str_text(&value));
    sm_str_clear(&value);
    sm_login_clear(&login);
}
#endif

static void read_files(const char *text, size_t n)
{
    struct sm_aws_files files = {0};
    sm_aws_files_parse(&files, text, n);
    sm_aws_profile_get(&files, "default", "region");
    sm_aws_files_clear(&files);
}

static void read_address(const char *text)
{
    struct sm_str out = {0};
    struct sm_err err = {0};
    if (sm_s3_address(text, &out, &err) && sm_is_address(text) &&
        strncmp(sm_str_text(&out), "s3://", 5) != 0)
        abort();
    sm_str_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char *text = n ? sm_strndup((const char *)bytes + 1, n - 1) : NULL;
    size_t length = text ? strlen(text) : 0;
    if (text && bytes[0] == 'f')
        read_files(text, length);
    else if (text && bytes[0] == 'a')
        read_address(text);
#ifdef SMDBG_S3
    else if (text && bytes[0] == 'j')
        read_json(text, length);
    else if (text && bytes[0] == 'r')
        read_refusal(text, length);
    else if (text)
        read_list(text, length);
#endif
    sm_free(text);
    return 0;
}
