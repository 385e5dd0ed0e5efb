/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/build_info.h"

#include "commands/session/version.h"
#include "reader/s3/source_s3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void names_the_version_first_and_every_library(void **state)
{
    (void)state;
    static const char *const parts[] = {"built with ", "ncurses ",  "readline ",  "zstd ",
                                        "protobuf-c ", "yajl 2",    "libyaml 0.", "pcre2 10.",
                                        "sqlite 3.",   "libpng 1.", "zlib 1.",    "GPL-3.0",
                                        "Apache-2.0"};
    struct sm_str text = {0};
    sm_build_info(&text);
    const char *t = sm_str_text(&text);
    assert_memory_equal(t, "smdbg-tui " SMDBG_VERSION "\n", strlen("smdbg-tui " SMDBG_VERSION) + 1);
    assert_null(strstr(t, " ,")); /* clang ends its version with a space */
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *at = strstr(t, parts[i]);
        assert_non_null(at);
        assert_false(at[strlen(parts[i])] == ',');
    }
    sm_str_clear(&text);
}

/* s3:// needs two libraries that a program can be built without. */
static void says_whether_it_opens_buckets(void **state)
{
    (void)state;
    struct sm_str text = {0};
    sm_build_info(&text);
    const char *t = sm_str_text(&text);
    bool with = strstr(t, ", curl ") && strstr(t, ", expat ");
    assert_true(with != (strstr(t, "; without s3://") != NULL));
    assert_true(with == (sm_s3_libraries() != NULL));
    sm_str_clear(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_version_first_and_every_library),
        cmocka_unit_test(says_whether_it_opens_buckets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
