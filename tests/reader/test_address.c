/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of buckets as people paste them. */
#include "reader/s3/address.h"

#include "reader/s3/bucket_region.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void assert_address(const char *text, const char *wanted)
{
    struct sm_str out = {0};
    struct sm_err err = {0};
    assert_true(sm_s3_address(text, &out, &err));
    assert_string_equal(sm_str_text(&out), wanted);
    sm_str_clear(&out);
}

static void assert_refused(const char *text, const char *why)
{
    struct sm_str out = {0};
    struct sm_err err = {0};
    assert_true(sm_is_address(text));
    assert_false(sm_s3_address(text, &out, &err));
    assert_non_null(strstr(err.msg, why));
    assert_non_null(strstr(err.msg, "s3://BUCKET/PREFIX"));
    sm_str_clear(&out);
}

static void test_schemes(void **state)
{
    (void)state;
    assert_address("s3://bkt/a//b//", "s3://bkt/a//b");
    assert_address("S3://Bkt/A", "s3://Bkt/A");
    assert_address("s3a://bkt/a+b%20c", "s3://bkt/a+b%20c");
    assert_address("s3n://bkt", "s3://bkt");
    assert_address("s3://bkt/", "s3://bkt");
    assert_address("arn:aws:s3:::bkt/a/b", "s3://bkt/a/b");
    assert_address("arn:aws-cn:s3:::bkt", "s3://bkt");
    assert_refused("s3://", "no name of a bucket");
    assert_refused("S3:///a", "no name of a bucket");
    assert_refused("arn:aws:s3:::", "no name of a bucket");
    assert_refused("arn:aws:s3:eu-west-1:123456789012:accesspoint/x", "access points");
}

static void test_the_web(void **state)
{
    (void)state;
    assert_address("https://bkt.s3.eu-west-1.amazonaws.com/a/b", "s3://bkt/a/b");
    assert_address("HTTPS://bkt.s3.amazonaws.com", "s3://bkt");
    assert_address("https://bkt.s3.amazonaws.com/", "s3://bkt");
    assert_address("https://my.bkt.s3.dualstack.us-east-1.amazonaws.com/a", "s3://my.bkt/a");
    assert_address("https://bkt.s3-us-west-2.amazonaws.com/a?versionId=7#x", "s3://bkt/a");
    assert_address("https://s3.cn-north-1.amazonaws.com.cn/bkt/a", "s3://bkt/a");
    assert_address("https://s3.amazonaws.com/bkt", "s3://bkt");
    assert_address("http://s3-bkt.s3.eu-west-1.amazonaws.com/a+b%2Bc%C3%A9%",
                   "s3://s3-bkt/a b+c\xc3\xa9%");
    assert_address("https://eu-west-1.console.aws.amazon.com/s3/buckets/"
                   "bkt?region=eu-west-1&prefix=a%2Fb/&x=1",
                   "s3://bkt/a/b");
    assert_address("https://s3.console.aws.amazon.com/s3/object/bkt?prefix=a/b.zst",
                   "s3://bkt/a/b.zst");
    assert_address("https://s3.console.aws.amazon.com/s3/buckets/bkt/?tab=objects", "s3://bkt");
    assert_refused("https://example.com/bkt/a", "no bucket of Amazon's");
    assert_refused("https://ec2.eu-west-1.amazonaws.com/bkt", "no bucket of Amazon's");
    assert_refused("https://s3.amazonaws.com/", "no name of a bucket");
    assert_refused("https://s3.console.aws.amazon.com/s3/get-started", "no bucket of Amazon's");
    assert_refused("https://", "no bucket of Amazon's");
}

/* wanted NULL: no region is known. */
static void assert_region(const char *text, const char *bucket, const char *wanted)
{
    struct sm_str out = {0}, region = {0};
    struct sm_err err = {0};
    assert_true(sm_s3_address(text, &out, &err));
    assert_int_equal(sm_bucket_region_find(bucket, &region), wanted != NULL);
    assert_string_equal(sm_str_text(&region), wanted ? wanted : "");
    sm_str_clear(&out);
    sm_str_clear(&region);
}

static void test_regions_are_noted(void **state)
{
    (void)state;
    assert_region("s3://r0/a", "r0", NULL);
    assert_region("https://r0.s3.amazonaws.com/a", "r0", NULL);
    assert_region("https://r0.s3-accelerate.amazonaws.com/a", "r0", NULL);
    assert_region("https://r0.s3-external-1.amazonaws.com/a", "r0", NULL);
    assert_region("https://r0.s3.EVIL-host-1.amazonaws.com/a", "r0", NULL);
    assert_region("https://r1.s3.eu-west-1.amazonaws.com/a/b", "r1", "eu-west-1");
    assert_region("s3://r1/other", "r1", "eu-west-1");
    assert_region("https://s3.eu-west-2.amazonaws.com/r1/b", "r1", "eu-west-2");
    assert_region("https://r2.s3-us-west-2.amazonaws.com/a", "r2", "us-west-2");
    assert_region("https://r2.s3.dualstack.us-east-2.amazonaws.com/", "r2", "us-east-2");
    assert_region("https://r2.s3-fips.us-gov-west-1.amazonaws.com/", "r2", "us-gov-west-1");
    assert_region("https://r2.s3-website-eu-west-3.amazonaws.com/", "r2", "eu-west-3");
    assert_region("https://s3.cn-north-1.amazonaws.com.cn/r3/a", "r3", "cn-north-1");
    assert_region("https://eu-west-1.console.aws.amazon.com/s3/buckets/r4?prefix=a", "r4",
                  "eu-west-1");
    assert_region("https://us-east-1.console.aws.amazon.com/s3/buckets/r4?region=eu-north-1&prefix="
                  "a",
                  "r4", "eu-north-1");
    assert_region("https://cn-north-1.console.amazonaws.cn/s3/buckets/r5", "r5", "cn-north-1");
    assert_region("https://s3.console.aws.amazon.com/s3/buckets/r6", "r6", NULL);
}

static void test_the_first_regions_are_forgotten(void **state)
{
    (void)state;
    struct sm_str first = {0};
    for (int i = 0; i < 65; i++) {
        char name[8];
        int n = snprintf(name, sizeof name, "many%d", i);
        sm_bucket_region_note((struct sm_text){name, (size_t)n}, SM_TEXT("eu-west-1"));
    }
    assert_false(sm_bucket_region_find("many0", &first));
    assert_true(sm_bucket_region_find("many1", &first));
    sm_str_clear(&first);
}

static void test_other_texts_stay(void **state)
{
    static const char *const texts[] = {"",          "debug-output",          "./s3:/x",
                                        "s3:/bkt/a", "arn:aws:iam::1:role/x", "a/https://x"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_false(sm_is_address(texts[i]));
        assert_address(texts[i], texts[i]);
    }
}

static void test_names_of_buckets(void **state)
{
    static const char *const good[] = {"abc", "my.bucket-1", "0a0"}, *const bad[] = {
                                                                         "",           "ab",
                                                                         "Bad_Bucket", "abC",
                                                                         "a_b",        "-abc",
                                                                         "abc-",       ".abc",
                                                                         "a..b"};
    char longest[65] = "";
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(sm_s3_is_bucket_name(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(sm_s3_is_bucket_name(bad[i]));
    memset(longest, 'a', 64);
    assert_false(sm_s3_is_bucket_name(longest));
    assert_true(sm_s3_is_bucket_name(longest + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schemes),
        cmocka_unit_test(test_the_web),
        cmocka_unit_test(test_regions_are_noted),
        cmocka_unit_test(test_the_first_regions_are_forgotten),
        cmocka_unit_test(test_names_of_buckets),
        cmocka_unit_test(test_other_texts_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
