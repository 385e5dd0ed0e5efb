/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/address.h"

#include "reader/s3/bucket_region.h"

#include <string.h>
#include <strings.h>

static const char *const schemes[] = {"s3://", "s3a://", "s3n://", NULL};
static const char *const web_schemes[] = {"https://", "http://", NULL};

/* What is behind one of the schemes; NULL: it begins with none. */
static const char *behind(const char *text, const char *const *of)
{
    for (; *of; of++)
        if (strncasecmp(text, *of, strlen(*of)) == 0)
            return text + strlen(*of);
    return NULL;
}

/* What is behind "arn:PARTITION:s3:REGION:ACCOUNT:", if it is a name of S3. */
static const char *behind_arn(const char *text)
{
    const char *p = strncasecmp(text, "arn:aws", 7) == 0 ? strchr(text + 4, ':') : NULL;
    if (!p || strncmp(p, ":s3:", 4) != 0)
        return NULL;
    p = strchr(p + 4, ':');
    p = p ? strchr(p + 1, ':') : NULL;
    return p ? p + 1 : "";
}

bool sm_is_address(const char *text)
{
    return behind(text, schemes) || behind(text, web_schemes) || behind_arn(text);
}

static bool refuse(const char *text, const char *why, struct sm_err *err)
{
    return sm_err_set(
        err, SM_ERR_USAGE,
        "%.160s: %s; an address is s3://BUCKET/PREFIX (of another server than Amazon, "
        "with AWS_ENDPOINT_URL_S3=https://HOST)",
        text, why);
}

/* "s3://" and BUCKET[/PREFIX] of n bytes, without '/' at its end. */
static bool give(const char *text, const char *place, size_t n, struct sm_str *out,
                 struct sm_err *err)
{
    if (!n || *place == '/')
        return refuse(text, "there is no name of a bucket", err);
    while (place[n - 1] == '/')
        n--;
    sm_str_add(out, "s3://");
    sm_str_addn(out, place, n);
    return !out->failed || sm_err_set(err, SM_ERR_MEMORY, "out of memory");
}

/* ---- addresses of the web ---- */

/* As they are in paths and queries: %XX, and + for a blank. */
static void add_decoded(struct sm_str *out, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int high = p[i] == '%' && i + 2 < n ? sm_hex_digit(p[i + 1]) : -1;
        int low = high >= 0 ? sm_hex_digit(p[i + 2]) : -1;
        if (low >= 0 && (high || low)) {
            sm_str_addc(out, (char)(high << 4 | low));
            i += 2;
        } else {
            sm_str_addc(out, p[i] == '+' ? ' ' : p[i]);
        }
    }
}

/* The length of a host's name without Amazon's domain; 0: it is another host. */
static size_t without_domain(const char *host, size_t n)
{
    static const char *const domains[] = {".amazonaws.com", ".amazonaws.com.cn"};
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++) {
        size_t d = strlen(domains[i]);
        if (n > d && strncasecmp(host + n - d, domains[i], d) == 0)
            return n - d;
    }
    return 0;
}

/* The part "s3" or "s3-REGION" of a host's name, the last one. NULL: there is none. */
static const char *service_of(const char *host, size_t n)
{
    for (const char *p = host + n; p-- > host;) {
        bool begins = p == host || p[-1] == '.';
        size_t left = (size_t)(host + n - p);
        if (begins && left >= 2 && strncasecmp(p, "s3", 2) == 0 &&
            (left == 2 || p[2] == '.' || p[2] == '-'))
            return p;
    }
    return NULL;
}

/* The region in the parts of a host's name from "s3" on: "s3.REGION", "s3-REGION",
 * "s3.dualstack.REGION", "s3-fips.REGION", "s3-website-REGION". */
static struct sm_text region_of(const char *service, size_t n)
{
    static const char *const before[] = {"s3-website-", "s3-", NULL};
    struct sm_text t = {service, n};
    for (size_t i = 0; i < n; i++)
        if (service[i] == '.')
            t = (struct sm_text){service + i + 1, n - i - 1};
    const char *rest = behind(t.p, before);
    return rest && t.p == service ? (struct sm_text){rest, (size_t)(t.p + t.n - rest)} : t;
}

/* BUCKET.s3.REGION.amazonaws.com/PREFIX or s3.REGION.amazonaws.com/BUCKET/PREFIX. */
static bool of_host(const char *host, size_t n, const char *path, size_t path_n, struct sm_str *out,
                    struct sm_text *region)
{
    size_t inner = without_domain(host, n);
    const char *service = inner ? service_of(host, inner) : NULL;
    if (!service)
        return false;
    if (service > host) {
        sm_str_addn(out, host, (size_t)(service - host) - 1);
        sm_str_add(out, path_n ? "/" : "");
    }
    add_decoded(out, path, path_n);
    *region = region_of(service, (size_t)(host + inner - service));
    return true;
}

/* The value of a parameter of a query; p NULL: there is none. */
static struct sm_text parameter(const char *query, const char *name)
{
    size_t length = strlen(name);
    while (*query && *query != '#') {
        size_t n = strcspn(query, "&#");
        if (n > length && strncmp(query, name, length) == 0 && query[length] == '=')
            return (struct sm_text){query + length + 1, n - length - 1};
        query += n + (query[n] == '&');
    }
    return (struct sm_text){0};
}

static size_t without_console(const char *host, size_t n)
{
    static const char *const ends[] = {"console.aws.amazon.com", "console.amazonaws.cn",
                                       "console.amazonaws-us-gov.com"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t e = strlen(ends[i]);
        if (n >= e && strncasecmp(host + n - e, ends[i], e) == 0)
            return n - e;
    }
    return n;
}

/* A page of the console: .../s3/buckets/BUCKET?prefix=PREFIX. Its region is a parameter, or the
 * first part of the host's name. */
static bool of_console(const char *host, size_t n, const char *path, const char *query,
                       struct sm_str *out, struct sm_text *region)
{
    static const char *const pages[] = {"s3/buckets/", "s3/object/", NULL};
    size_t left = without_console(host, n);
    const char *bucket = behind(path, pages);
    if (left == n || !bucket)
        return false;
    add_decoded(out, bucket, strcspn(bucket, "/?#"));
    struct sm_text prefix = parameter(query, "prefix");
    sm_str_add(out, prefix.p ? "/" : "");
    add_decoded(out, prefix.p, prefix.n);
    *region = parameter(query, "region");
    if (!region->n && left)
        *region = (struct sm_text){host, left - 1};
    return true;
}

static bool of_web(const char *text, const char *host, struct sm_str *out, struct sm_err *err)
{
    size_t n = strcspn(host, "/?#");
    const char *path = host + n + (host[n] == '/');
    size_t path_n = strcspn(path, "?#");
    const char *query = path[path_n] == '?' ? path + path_n + 1 : "";
    struct sm_str place = {0};
    struct sm_text region = {0};
    bool ok = of_host(host, n, path, path_n, &place, &region) ||
              of_console(host, n, path, query, &place, &region);
    if (!ok)
        refuse(text, "no bucket of Amazon's", err);
    else
        ok = give(text, sm_str_text(&place), place.len, out, err);
    if (ok)
        sm_bucket_region_note(
            (struct sm_text){sm_str_text(&place), strcspn(sm_str_text(&place), "/")}, region);
    sm_str_clear(&place);
    return ok;
}

bool sm_s3_address(const char *text, struct sm_str *out, struct sm_err *err)
{
    const char *place = behind(text, schemes), *host = behind(text, web_schemes);
    if (place)
        return give(text, place, strlen(place), out, err);
    if (host)
        return of_web(text, host, out, err);
    if ((place = behind_arn(text)))
        return strncmp(place, "accesspoint", 11) == 0
                   ? refuse(text, "access points are not supported", err)
                   : give(text, place, strlen(place), out, err);
    sm_str_add(out, text);
    return !out->failed || sm_err_set(err, SM_ERR_MEMORY, "out of memory");
}

static bool is_alphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool sm_s3_is_bucket_name(const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < n; i++)
        if (!is_alphanumeric(name[i]) && name[i] != '.' && name[i] != '-')
            return false;
    return n >= 3 && n <= 63 && is_alphanumeric(name[0]) && is_alphanumeric(name[n - 1]) &&
           !strstr(name, "..");
}
