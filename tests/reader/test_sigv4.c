/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256, HMAC and signatures beside published values. */
#include "reader/s3/sigv4.h"

#include "reader/s3/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static const struct sm_sigv4_key example = {.access = "AKIDEXAMPLE",
                                            .secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"};

static void assert_digest(const uint8_t digest[SM_SHA256_BYTES], const char *wanted)
{
    char hex[2 * SM_SHA256_BYTES + 1];
    sm_sha256_hex(digest, hex);
    assert_string_equal(hex, wanted);
}

/* FIPS 180-4, and lengths around a block. */
static void sha256_of_known_texts(void **state)
{
    (void)state;
    static const struct {
        size_t n; /* of 'a' */
        const char *digest;
    } rows[] = {{0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
                {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
                {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"}};
    char text[64];
    uint8_t digest[SM_SHA256_BYTES];
    memset(text, 'a', sizeof text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sm_sha256(text, rows[i].n, digest);
        assert_digest(digest, rows[i].digest);
    }
    sm_sha256("abc", 3, digest);
    assert_digest(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

/* RFC 4231, cases 2 and 6: a key longer than a block. */
static void hmac_of_known_keys(void **state)
{
    (void)state;
    static const char long_text[] = "Test Using Larger Than Block-Size Key - Hash Key First";
    uint8_t digest[SM_SHA256_BYTES], key[131];
    sm_hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, digest);
    assert_digest(digest, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xaa, sizeof key);
    sm_hmac_sha256(key, sizeof key, long_text, strlen(long_text), digest);
    assert_digest(digest, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

static void assert_signature(const struct sm_sigv4_request *r, const struct sm_sigv4_key *key,
                             const char *signature)
{
    struct sm_str headers = {0};
    sm_sigv4_sign(&headers, r, key);
    const char *at = strstr(sm_str_text(&headers), "Signature=");
    assert_non_null(at);
    assert_memory_equal(at + strlen("Signature="), signature, 64);
    sm_str_clear(&headers);
}

/* AWS's test suite: get-vanilla and get-vanilla-query-order-key-case. */
static void signatures_of_the_published_suite(void **state)
{
    (void)state;
    struct sm_sigv4_request r = {.method = "GET",
                                 .host = "example.amazonaws.com",
                                 .path = "/",
                                 .query = "",
                                 .region = "us-east-1",
                                 .service = "service",
                                 .time_s = 1440938160};
    assert_signature(&r, &example,
                     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
    struct sm_str query = {0};
    struct sm_sigv4_parameter p[] = {{"Param2", "value2"}, {"Param1", "value1"}};
    sm_sigv4_query(&query, p, 2);
    r.query = sm_str_text(&query);
    assert_string_equal(r.query, "Param1=value1&Param2=value2");
    assert_signature(&r, &example,
                     "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500");
    sm_str_clear(&query);
}

/* A request to STS; the value is computed by Python's hmac. */
static void signatures_of_a_body(void **state)
{
    (void)state;
    struct sm_sigv4_request r = {.method = "POST",
                                 .host = "sts.us-east-1.amazonaws.com",
                                 .path = "/",
                                 .query = "",
                                 .region = "us-east-1",
                                 .service = "sts",
                                 .body = "Action=AssumeRole&Version=2011-06-15",
                                 .time_s = 1440938160};
    assert_signature(&r, &example,
                     "1260551c087e8e272c8d123f09131f4151c7e4ed8030b76aa98188c3ad33aa99");
}

/* As botocore signs them: a listing, and a key of other letters with a session's token. */
static void signatures_of_s3(void **state)
{
    (void)state;
    struct sm_str query = {0}, path = {0};
    struct sm_sigv4_parameter p[] = {{"prefix", "run/"}, {"list-type", "2"}, {"delimiter", "/"}};
    sm_sigv4_query(&query, p, 3);
    sm_sigv4_encode(&path, "/run/a b", true);
    struct sm_sigv4_request r = {.method = "GET",
                                 .host = "bkt.s3.eu-west-1.amazonaws.com",
                                 .path = sm_str_text(&path),
                                 .query = sm_str_text(&query),
                                 .region = "eu-west-1",
                                 .service = "s3",
                                 .time_s = 1440938160};
    assert_signature(&r, &example,
                     "885899be6fa426cfc7699551d1cf73b6b519dbf21a089b8ce33494b8faccca8b");
    sm_str_clear(&path);
    sm_str_clear(&query);
    struct sm_sigv4_key session = example;
    session.token = "the/token+x=";
    sm_sigv4_encode(&path, "/bkt/日本/é", true);
    r = (struct sm_sigv4_request){.method = "HEAD",
                                  .host = "127.0.0.1:9101",
                                  .path = sm_str_text(&path),
                                  .query = "",
                                  .region = "us-east-1",
                                  .service = "s3",
                                  .time_s = 1440938160};
    assert_signature(&r, &session,
                     "4248bec662ea71b644e66e2e31079e12916ecf4e1d514b1426c9496ad9d68fce");
    sm_str_clear(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_of_known_texts),
        cmocka_unit_test(hmac_of_known_keys),
        cmocka_unit_test(signatures_of_the_published_suite),
        cmocka_unit_test(signatures_of_a_body),
        cmocka_unit_test(signatures_of_s3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
