/* SPDX-License-Identifier: Apache-2.0 */
/* What servers and files of AWS say: lists of objects, credentials as JSON, ~/.aws. The first byte
 * says which. */
#include "reader/base/mem.h"
#include "reader/s3/aws_files.h"
#ifdef SMDBG_S3
#include "reader/s3/list_page.h"
#include "reader/s3/login_parts.h"
#endif

#include <stdint.h>
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char *text = n ? sm_strndup((const char *)bytes + 1, n - 1) : NULL;
    size_t length = text ? strlen(text) : 0;
    if (text && bytes[0] == 'f')
        read_files(text, length);
#ifdef SMDBG_S3
    else if (text && bytes[0] == 'j')
        read_json(text, length);
    else if (text)
        read_list(text, length);
#endif
    sm_free(text);
    return 0;
}
