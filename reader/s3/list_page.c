/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/list_page.h"

#include "reader/s3/xml_text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static int64_t time_of(const char *text)
{
    struct tm tm = {0};
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
    if (!rest)
        return 0;
    int64_t us = (int64_t)timegm(&tm) * 1000000;
    return *rest == '.' ? us + (int64_t)(strtod(rest, NULL) * 1e6) : us;
}

/* A name of a list. %00 stays as it is: no key has that byte. */
static void add_name(const struct sm_list_page *p, const char *text, struct sm_str *out)
{
    for (; *text; text++) {
        int high = p->encoded && *text == '%' ? sm_hex_digit(text[1]) : -1;
        int low = high >= 0 ? sm_hex_digit(text[2]) : -1;
        if (low >= 0 && (high || low)) {
            sm_str_addc(out, (char)(high << 4 | low));
            text += 2;
        } else {
            sm_str_addc(out, p->encoded && *text == '+' ? ' ' : *text);
        }
    }
}

static bool end_object(struct sm_list_page *p, const char *key, bool is_prefix)
{
    struct sm_object o = {.key = key,
                          .is_prefix = is_prefix,
                          .size_bytes = p->size_bytes,
                          .modified_us = p->modified_us,
                          .etag = sm_str_text(&p->etag)};
    p->stopped = !p->each(p->ctx, &o);
    sm_str_truncate(&p->key, 0);
    sm_str_truncate(&p->etag, 0);
    p->size_bytes = 0;
    p->modified_us = 0;
    return !p->stopped;
}

static bool take_object(void *ctx, const char *path, const char *text, struct sm_err *err)
{
    struct sm_list_page *p = ctx;
    const char *name = strncmp(path, "ListBucketResult/", 17) == 0 ? path + 17 : "";
    (void)err;
    if (strcmp(name, "Contents/Key") == 0)
        add_name(p, text, &p->key);
    else if (strcmp(name, "Contents/Size") == 0)
        p->size_bytes = strtoull(text, NULL, 10);
    else if (strcmp(name, "Contents/ETag") == 0)
        sm_str_add(&p->etag, text);
    else if (strcmp(name, "Contents/LastModified") == 0)
        p->modified_us = time_of(text);
    else if (strcmp(name, "Contents") == 0)
        return end_object(p, sm_str_text(&p->key), false);
    else if (strcmp(name, "CommonPrefixes/Prefix") == 0)
        add_name(p, text, &p->key);
    else if (strcmp(name, "CommonPrefixes") == 0)
        return end_object(p, sm_str_text(&p->key), true);
    else if (strcmp(name, "NextContinuationToken") == 0)
        sm_str_add(&p->token, text);
    return true;
}

bool sm_list_page_read(struct sm_list_page *p, const char *xml, size_t n, struct sm_err *err)
{
    sm_str_truncate(&p->token, 0);
    p->encoded = strstr(xml, "<EncodingType>url</EncodingType>");
    return sm_xml_read(xml, n, take_object, p, err) || p->stopped;
}

void sm_list_page_clear(struct sm_list_page *p)
{
    sm_str_clear(&p->key);
    sm_str_clear(&p->etag);
    sm_str_clear(&p->token);
}
