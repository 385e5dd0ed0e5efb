/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/sigv4.h"

#include "reader/s3/sha256.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void sm_sigv4_encode(struct sm_str *out, const char *text, bool keep_slash)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
    for (; *text; text++) {
        if (strchr(plain, *text) || (keep_slash && *text == '/'))
            sm_str_addc(out, *text);
        else
            sm_str_printf(out, "%%%02X", (unsigned char)*text);
    }
}

static int compare_parameters(const void *a, const void *b)
{
    const struct sm_sigv4_parameter *p = a, *q = b;
    int by_name = strcmp(p->name, q->name);
    return by_name ? by_name : strcmp(p->value, q->value);
}

/* Sorted by name before they are encoded: the names of S3's parameters are plain. */
void sm_sigv4_query(struct sm_str *out, struct sm_sigv4_parameter *p, size_t n)
{
    qsort(p, n, sizeof *p, compare_parameters);
    for (size_t i = 0; i < n; i++) {
        sm_str_add(out, i ? "&" : "");
        sm_sigv4_encode(out, p[i].name, false);
        sm_str_addc(out, '=');
        sm_sigv4_encode(out, p[i].value, false);
    }
}

static void hash_hex(const char *text, size_t n, char out[2 * SM_SHA256_BYTES + 1])
{
    uint8_t digest[SM_SHA256_BYTES];
    sm_sha256(text, n, digest);
    sm_sha256_hex(digest, out);
}

static void hash_body(const struct sm_sigv4_request *r, char out[2 * SM_SHA256_BYTES + 1])
{
    const char *body = r->body ? r->body : "";
    hash_hex(body, strlen(body), out);
}

/* S3 wants the hash of the body as a header; other services do without. */
static bool has_hash(const struct sm_sigv4_request *r)
{
    return strcmp(r->service, "s3") == 0;
}

static const char *signed_names(const struct sm_sigv4_request *r, const struct sm_sigv4_key *key)
{
    if (has_hash(r))
        return key->token ? "host;x-amz-content-sha256;x-amz-date;x-amz-security-token"
                          : "host;x-amz-content-sha256;x-amz-date";
    return key->token ? "host;x-amz-date;x-amz-security-token" : "host;x-amz-date";
}

static void canonical(struct sm_str *out, const struct sm_sigv4_request *r,
                      const struct sm_sigv4_key *key, const char *when, const char *body_hash)
{
    sm_str_printf(out, "%s\n%s\n%s\nhost:%s\n", r->method, r->path, r->query, r->host);
    if (has_hash(r))
        sm_str_printf(out, "x-amz-content-sha256:%s\n", body_hash);
    sm_str_printf(out, "x-amz-date:%s\n", when);
    if (key->token)
        sm_str_printf(out, "x-amz-security-token:%s\n", key->token);
    sm_str_printf(out, "\n%s\n%s", signed_names(r, key), body_hash);
}

/* HMACs chained over the parts of the scope, and then over text. */
static void sign_text(const struct sm_sigv4_request *r, const struct sm_sigv4_key *key,
                      const char *day, const struct sm_str *text, uint8_t out[SM_SHA256_BYTES])
{
    struct sm_str secret = {0};
    sm_str_printf(&secret, "AWS4%s", key->secret);
    const char *const parts[] = {day, r->region, r->service, "aws4_request"};
    uint8_t k[SM_SHA256_BYTES];
    sm_hmac_sha256(sm_str_text(&secret), secret.len, parts[0], strlen(parts[0]), k);
    for (size_t i = 1; i < sizeof parts / sizeof *parts; i++)
        sm_hmac_sha256(k, sizeof k, parts[i], strlen(parts[i]), k);
    sm_hmac_sha256(k, sizeof k, text->data, text->len, out);
    explicit_bzero(secret.data, secret.len);
    sm_str_clear(&secret);
}

void sm_sigv4_sign(struct sm_str *out, const struct sm_sigv4_request *r,
                   const struct sm_sigv4_key *key)
{
    char when[32], day[16], hex[2 * SM_SHA256_BYTES + 1], body_hash[2 * SM_SHA256_BYTES + 1];
    struct tm tm;
    time_t t = (time_t)r->time_s;
    gmtime_r(&t, &tm);
    strftime(when, sizeof when, "%Y%m%dT%H%M%SZ", &tm);
    strftime(day, sizeof day, "%Y%m%d", &tm);
    struct sm_str request = {0}, text = {0};
    hash_body(r, body_hash);
    canonical(&request, r, key, when, body_hash);
    hash_hex(sm_str_text(&request), request.len, hex);
    sm_str_printf(&text, "AWS4-HMAC-SHA256\n%s\n%s/%s/%s/aws4_request\n%s", when, day, r->region,
                  r->service, hex);
    uint8_t signature[SM_SHA256_BYTES];
    sign_text(r, key, day, &text, signature);
    sm_sha256_hex(signature, hex);
    sm_str_printf(out, "x-amz-date: %s\n", when);
    if (has_hash(r))
        sm_str_printf(out, "x-amz-content-sha256: %s\n", body_hash);
    if (key->token)
        sm_str_printf(out, "x-amz-security-token: %s\n", key->token);
    sm_str_printf(out,
                  "Authorization: AWS4-HMAC-SHA256 Credential=%s/%s/%s/%s/aws4_request, "
                  "SignedHeaders=%s, Signature=%s\n",
                  key->access, day, r->region, r->service, signed_names(r, key), hex);
    sm_str_clear(&request);
    sm_str_clear(&text);
}
