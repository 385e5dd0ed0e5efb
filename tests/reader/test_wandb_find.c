/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/runs/run_search.h"

#include "tests/reader/wandb_file.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder {
    char dir[64];
    struct sm_run_list list;
    struct sm_str seen;
};

static int setup(void **state)
{
    struct folder *t = calloc(1, sizeof *t);
    *state = t;
    return make_scratch(t->dir, sizeof t->dir) ? 0 : -1;
}

static int teardown(void **state)
{
    struct folder *t = *state;
    sm_run_list_clear(&t->list);
    sm_str_clear(&t->seen);
    remove_tree(t->dir);
    free(t);
    return 0;
}

/* Makes the folders of a path, then the file. */
static void put(struct folder *t, const char *path, const char *bytes, size_t n)
{
    char name[256];
    snprintf(name, sizeof name, "%s/%s", t->dir, path);
    for (char *p = name + strlen(t->dir) + 1; (p = strchr(p, '/')); *p++ = '/') {
        *p = 0;
        mkdir(name, 0777);
    }
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static void put_run(struct folder *t, const char *path)
{
    struct sm_str file = {0};
    wandb_begin(&file);
    put(t, path, file.data, file.len);
    sm_str_clear(&file);
}

/* "kind path member", one a line. */
static const char *find(struct folder *t, const char *below)
{
    char path[256];
    struct sm_err err;
    snprintf(path, sizeof path, "%s%s", t->dir, below);
    sm_run_list_clear(&t->list);
    sm_str_truncate(&t->seen, 0);
    sm_str_add(&t->seen, "");
    assert_true(sm_run_search(path, 0, NULL, &t->list, &err));
    for (size_t i = 0; i < t->list.n; i++)
        sm_str_printf(&t->seen, "%s %s %s\n", t->list.items[i].kind->traits->name,
                      t->list.items[i].path,
                      t->list.items[i].member ? t->list.items[i].member : "-");
    return sm_str_text(&t->seen);
}

static void test_folder_of_runs(void **state)
{
    struct folder *t = *state;
    char link[128];
    put_run(t, "wandb/offline-run-20260301_101500-a/run-a.wandb");
    put(t, "wandb/offline-run-20260301_101500-a/files/media/table/t.csv", "step,x\n1,2\n", 11);
    put(t, "wandb/offline-run-20260301_101500-a/logs/debug.log", "step 1 loss 2\n", 14);
    put_run(t, "wandb/run-20260301_101501-b/run-b.wandb");
    put(t, "wandb/run-20260301_101501-b/run-b.wandb.synced", "", 0);
    put(t, "wandb/run-20260301_101502-c/run-c.wandb", "", 0);
    put(t, "wandb/debug.log", "step 1 loss 2\n", 14);
    put(t, "wandb/settings", "step,loss\n1,2\n", 14);
    snprintf(link, sizeof link, "%s/wandb/latest-run", t->dir);
    assert_int_equal(symlink("run-20260301_101501-b", link), 0);
    const char *three =
        "wandb wandb/offline-run-20260301_101500-a -\n"
        "wandb wandb/run-20260301_101501-b -\nwandb wandb/run-20260301_101502-c -\n";
    assert_string_equal(find(t, ""), three);
    assert_int_equal(strlen(find(t, "/wandb")), strlen(three) - 3 * strlen("wandb/"));
    assert_string_equal(find(t, "/wandb/latest-run"), "wandb . -\n");
    assert_string_equal(find(t, "/wandb/run-20260301_101501-b"), "wandb . -\n");
    assert_string_equal(find(t, "/wandb/run-20260301_101501-b/run-b.wandb"), "wandb . -\n");
}

/* The name that the run gives itself; behind a large configuration, too. */
static void test_names(void **state)
{
    struct folder *t = *state;
    struct sm_str file = {0}, m = {0}, big = {0};
    sm_str_fill(&big, 'x', 500000);
    for (int i = 0; i < 2; i++) {
        sm_str_truncate(&file, 0);
        wandb_begin(&file);
        if (i) {
            struct sm_str config = {0}, item = pb_item("big", big.data);
            pb_message(&config, 1, &item);
            pb_message(&m, 4, &config);
        }
        pb_text(&m, 8, i ? "second" : "first");
        wandb_message(&file, 17, &m);
        put(t, i ? "run-2_b/run-b.wandb" : "run-1_a/run-a.wandb", file.data, file.len);
    }
    put_run(t, "run-3_c/run-c.wandb");
    assert_int_equal(strlen(find(t, "")), 3 * strlen("wandb run-1_a -\n"));
    assert_true(t->list.items[0].kind->traits->runs); /* no rule waits for other workers */
    assert_string_equal(t->list.items[0].name, "first");
    assert_string_equal(t->list.items[1].name, "second");
    assert_string_equal(t->list.items[2].name, "run-3_c");
    sm_str_clear(&file);
    sm_str_clear(&big);
}

/* Files that were copied to one place; others with such a name are not W&B's. */
static void test_loose_files(void **state)
{
    struct folder *t = *state;
    put_run(t, "x.wandb");
    put_run(t, "run-y.wandb");
    put(t, "z.wandb", "text", 4);
    const char *two = find(t, "");
    assert_non_null(strstr(two, "wandb run-y.wandb run-y.wandb\n"));
    assert_non_null(strstr(two, "wandb x.wandb x.wandb\n"));
    assert_int_equal(t->list.n, 2);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_folder_of_runs), TEST(test_names),
                                       TEST(test_loose_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
