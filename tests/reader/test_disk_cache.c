/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of buckets on disk: its limit, damage, what other processes leave. */
#include "reader/s3/disk_cache.h"

#include "reader/base/mem.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { BLOCK = 60000, LIMIT = 4 << 20 };

struct place {
    char root[200], folder[240];
};

static int set_up(void **state)
{
    static struct place p;
    assert_non_null(make_scratch(p.root, sizeof p.root));
    snprintf(p.folder, sizeof p.folder, "%s/smdbg/s3", p.root);
    setenv("XDG_CACHE_HOME", p.root, 1);
    setenv("SMDBG_S3_CACHE_MIB", "4", 1);
    *state = &p;
    return 0;
}

static int tear_down(void **state)
{
    const struct place *p = *state;
    remove_tree(p->root);
    return 0;
}

static void put(struct sm_disk_cache *c, int i)
{
    static uint8_t bytes[BLOCK];
    char name[32];
    memset(bytes, i, sizeof bytes);
    snprintf(name, sizeof name, "block%d", i);
    sm_disk_cache_put(c, name, bytes, sizeof bytes);
}

/* Whether block i is there; it has the right bytes then. */
static bool get(struct sm_disk_cache *c, int i)
{
    char name[32];
    uint8_t *bytes = NULL;
    snprintf(name, sizeof name, "block%d", i);
    bool found = sm_disk_cache_get(c, name, BLOCK, &bytes);
    for (size_t k = 0; found && k < BLOCK; k++)
        assert_int_equal(bytes[k], (uint8_t)i);
    sm_free(bytes);
    return found;
}

static size_t kept_bytes(const struct place *p)
{
    size_t all = 0;
    DIR *d = opendir(p->folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        struct stat st;
        if (e->d_name[0] != '.' && fstatat(dirfd(d), e->d_name, &st, 0) == 0)
            all += (size_t)st.st_size;
    }
    closedir(d);
    return all;
}

/* What is used while others come stays, and those that come are kept: a full cache takes new ones.
 */
static void test_limit(void **state)
{
    struct sm_disk_cache *c = sm_disk_cache_new();
    for (int i = 0; i < 200; i++) {
        put(c, i);
        assert_true(kept_bytes(*state) <= LIMIT);
        assert_true(get(c, i));
        assert_true(get(c, 0));
    }
    assert_false(get(c, 1));
    assert_true(kept_bytes(*state) > LIMIT / 2);
    sm_disk_cache_free(c);
}

static void test_two_processes_share_the_limit(void **state)
{
    struct sm_disk_cache *a = sm_disk_cache_new(), *b = sm_disk_cache_new();
    for (int i = 0; i < 400; i++) {
        put(i % 3 ? a : b, i);
        assert_true(kept_bytes(*state) <= LIMIT);
    }
    assert_true(get(a, 399) && get(b, 398));
    sm_disk_cache_free(a);
    sm_disk_cache_free(b);
}

static void test_a_damaged_block_is_none(void **state)
{
    struct place *p = *state;
    char path[300];
    struct sm_disk_cache *c = sm_disk_cache_new();
    for (int i = 0; i < 3; i++)
        put(c, i);
    for (int i = 0; i < 2; i++) { /* one byte changed, and a short file */
        snprintf(path, sizeof path, "%s/block%d", p->folder, i);
        int fd = open(path, O_WRONLY);
        assert_true(fd >= 0);
        assert_true(i ? ftruncate(fd, BLOCK) == 0 : pwrite(fd, "x", 1, BLOCK / 2) == 1);
        close(fd);
        assert_false(get(c, i));
        put(c, i);
        assert_true(get(c, i));
    }
    assert_true(get(c, 2));
    sm_disk_cache_free(c);
}

static void test_parts_of_killed_processes_go(void **state)
{
    struct place *p = *state;
    static const char *const names[] = {".block1.77", ".block2.78"};
    char path[300];
    sm_disk_cache_free(sm_disk_cache_new());
    for (size_t i = 0; i < 2; i++) {
        struct timespec times[2] = {{.tv_sec = i ? 0 : 1000000}, {.tv_sec = i ? 0 : 1000000}};
        snprintf(path, sizeof path, "%s/%s", p->folder, names[i]);
        close(open(path, O_WRONLY | O_CREAT, 0600));
        if (i == 0)
            assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    sm_disk_cache_free(sm_disk_cache_new());
    snprintf(path, sizeof path, "%s/%s", p->folder, names[0]);
    assert_int_not_equal(access(path, F_OK), 0);
    snprintf(path, sizeof path, "%s/%s", p->folder, names[1]);
    assert_int_equal(access(path, F_OK), 0);
}

static void test_no_folder_is_no_cache(void **state)
{
    (void)state;
    setenv("XDG_CACHE_HOME", "/dev/null/no", 1);
    struct sm_disk_cache *c = sm_disk_cache_new();
    assert_null(c);
    put(c, 1);
    assert_false(get(c, 1));
    sm_disk_cache_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_two_processes_share_the_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_damaged_block_is_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parts_of_killed_processes_go, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_folder_is_no_cache, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
