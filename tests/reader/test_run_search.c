/* SPDX-License-Identifier: Apache-2.0 */
/* Looking for runs: depth, links, folders that belong to a run, names that are alike. */
#include "reader/runs/run_search.h"

#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[64];

static const char *at(const char *name)
{
    static char path[4][512];
    static unsigned next;
    char *p = path[next++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", root, name);
    return p;
}

static void make_dirs(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *p = path + strlen(root) + 1; *p; p++)
        if (*p == '/') {
            *p = 0;
            mkdir(path, 0700);
            *p = '/';
        }
    mkdir(path, 0700);
}

static void make_event_file(const char *dir)
{
    char path[512];
    make_dirs(dir);
    snprintf(path, sizeof path, "%s/%s/events.out.tfevents.1", root, dir);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
}

static int begin(void **state)
{
    (void)state;
    return make_scratch(root, sizeof root) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    remove_tree(root);
    return 0;
}

static struct sm_run_list search(const char *path)
{
    struct sm_run_list list = {0};
    struct sm_err err = {0};
    assert_true(sm_run_search(path, 0, NULL, &list, &err));
    return list;
}

static void folders_are_runs(void **state)
{
    (void)state;
    make_event_file("b");
    make_event_file("b/inner");
    make_event_file("a10");
    make_event_file("a9");
    struct sm_run_list list = search(root);
    assert_int_equal(list.n, 4);
    assert_string_equal(list.items[0].path, "a9"); /* natural order */
    assert_string_equal(list.items[1].path, "a10");
    assert_string_equal(list.items[2].path, "b");
    assert_string_equal(list.items[3].path, "b/inner");
    assert_string_equal(list.items[3].name, "inner");
    assert_string_equal(list.items[3].folder, at("b/inner"));
    sm_run_list_clear(&list);
}

static void a_link_is_no_second_run(void **state)
{
    (void)state;
    make_event_file("z-run");
    assert_int_equal(symlink("z-run", at("latest-run")), 0);
    assert_int_equal(symlink(".", at("loop")), 0);
    assert_int_equal(symlink("/tmp", at("outside")), 0);
    struct sm_run_list list = search(root);
    assert_int_equal(list.n, 1);
    assert_string_equal(list.items[0].path, "z-run");
    sm_run_list_clear(&list);
}

static void what_is_too_deep_is_not_looked_at(void **state)
{
    (void)state;
    make_event_file("1/2/3/4/5/6");
    make_event_file("1/2/3/4/5/x/7");
    struct sm_run_list list = search(root);
    assert_int_equal(list.n, 1);
    assert_string_equal(list.items[0].path, "1/2/3/4/5/6");
    assert_true(list.deep);
    sm_run_list_clear(&list);
}

static void a_trial_is_one_run(void **state)
{
    (void)state;
    make_event_file("trial/events/000000000");
    make_event_file("trial/tensorboard/train");
    make_event_file(".hidden/run");
    make_event_file("index"); /* a folder of that name is not a trial's */
    struct sm_run_list list = search(root);
    assert_int_equal(list.n, 2);
    assert_string_equal(list.items[0].path, "index");
    assert_string_equal(list.items[0].kind->traits->name, "tensorboard");
    assert_string_equal(list.items[1].path, "trial");
    assert_null(list.items[1].kind->detect);
    sm_run_list_clear(&list);
}

static void what_is_no_run_is_said(void **state)
{
    (void)state;
    struct sm_err err = {0};
    struct sm_run_list list = search(root);
    assert_int_equal(list.n, 0);
    assert_true(sm_run_may_come(root, &list, &err)); /* an empty directory waits */
    sm_run_list_clear(&list);
    make_dirs("src");
    FILE *f = fopen(at("src/main.py"), "w");
    fclose(f);
    list = search(root);
    assert_int_equal(list.n, 0);
    assert_false(sm_run_may_come(root, &list, &err));
    assert_non_null(strstr(err.msg, "src/"));
    sm_run_list_clear(&list);
    list = search(at("missing"));
    assert_false(list.exists);
    assert_true(sm_run_may_come(at("missing"), &list, &err));
    sm_run_list_clear(&list);
}

/* What a training validates is found beside what it trains, by what the folders are called. */
static void runs_of_one_training(void **state)
{
    static const struct {
        const char *training, *validation, *name; /* validation NULL: there is none */
    } rows[] = {
        {"keras/train", "keras/validation", "validation"},
        {"both/x_train", "both/x_valid", "valid"},
        {"both/y_train", NULL, NULL},
        {"estimator", "estimator/eval", "eval"},
        {"tests/train", "tests/val", "val"}, /* before test, which is there, too */
        {"by/Train/exp1", "by/Test/exp1", "Test"},
        {"by/Train/exp2", NULL, NULL},
        {"alone/train", NULL, NULL},
        {"sweep/lr_1", NULL, NULL},
        {"sweep/lr_2", NULL, NULL},
        {"runs", NULL, NULL}, /* but for runs/test, which somebody tried */
    };
    (void)state;
    make_event_file("tests/test");
    make_event_file("sweep/val");
    make_event_file("runs/test");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make_event_file(rows[i].training);
        if (rows[i].validation)
            make_event_file(rows[i].validation);
    }
    struct sm_run_list list = search(root);
    size_t pairs = 0;
    for (size_t k = 0; k < list.n; k++)
        pairs += list.items[k].validation != NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < list.n; k++) {
            const struct sm_run_ref *x = &list.items[k];
            if (strcmp(x->path, rows[i].training) != 0)
                continue;
            assert_int_equal(x->validation != NULL, rows[i].validation != NULL);
            if (!x->validation)
                continue;
            assert_string_equal(x->validation, at(rows[i].validation));
            assert_string_equal(x->validation_name, rows[i].name);
        }
    assert_int_equal(pairs, 5);
    sm_run_list_clear(&list);
}

/* add_scalars writes into folders below, and nothing but the version into the folder itself. */
static void runs_without_events(void **state)
{
    (void)state;
    make_event_file("a");
    make_event_file("a/loss_train");
    make_event_file("b");
    make_event_file("c");
    make_event_file("c/loss_train");
    FILE *f = fopen(at("c/events.out.tfevents.1.more"), "w");
    assert_non_null(f);
    fprintf(f, "%200s", "");
    fclose(f);
    struct sm_run_list list = search(root);
    assert_int_equal(list.n, 5);
    for (size_t i = 0; i < list.n; i++)
        assert_int_equal(list.items[i].bare, strcmp(list.items[i].path, "a") == 0);
    sm_run_list_clear(&list);
}

static const struct sm_run_ref *find_run(const struct sm_run_list *list, const char *path)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->items[i].path, path) == 0)
            return &list->items[i];
    return NULL;
}

static bool is_joined(const struct sm_run_list *list, const char *path)
{
    return list->joined && sm_names_find(list->joined, path, strlen(path)) != SM_NAME_NONE;
}

static void copy_sample(const char *from, const char *to)
{
    char line[600];
    snprintf(line, sizeof line, "cp -r tests/samples/hparams_runs/%s %s", from, at(to));
    assert_int_equal(system(line), 0);
}

/* add_hparams writes a session below the run: a part of it if there is one, or if all have the same
 * hyperparameters, and the run has events itself. */
static void sessions_of_hyperparameters(void **state)
{
    (void)state;
    struct sm_run_list list = search("tests/samples/hparams_runs");
    assert_int_equal(list.n, 9);
    assert_true(is_joined(&list, "torch/trial-7") && is_joined(&list, "tbx/final"));
    assert_true(is_joined(&list, "epochs/1790000002.25"));
    assert_false(is_joined(&list, "torch/pair_a"));
    assert_true(find_run(&list, "sweep")->bare);
    for (size_t i = 0; i < list.n; i++) /* those of a sweep come last */
        assert_int_equal(list.items[i].session, i >= 6);
    sm_run_list_clear(&list);
}

static void sessions_that_differ_are_runs(void **state)
{
    (void)state;
    copy_sample("torch", "run");
    copy_sample("sweep/try0", "run/second");
    copy_sample("tbx/final", "final");
    struct sm_run_list list = search(root);
    assert_int_equal(list.n, 6);
    assert_null(list.joined);
    assert_true(find_run(&list, "run/trial-7")->session);
    assert_true(find_run(&list, "run/second")->session);
    assert_false(find_run(&list, "final")->session); /* no run above it */
    sm_run_list_clear(&list);
}

/* More than the experiment's metrics: a run that has its hyperparameters in its own file. */
static void a_run_with_hyperparameters_is_no_session(void **state)
{
    (void)state;
    char line[1200];
    copy_sample("torch", "run");
    snprintf(line, sizeof line, "cp %s/events* %s/events.out.tfevents.2", at("run/pair_a"),
             at("run/trial-7"));
    assert_int_equal(system(line), 0);
    make_event_file("run/empty");
    struct sm_run_list list = search(root);
    assert_int_equal(list.n, 5);
    assert_null(list.joined);
    for (size_t i = 0; i < list.n; i++)
        assert_false(list.items[i].session);
    sm_run_list_clear(&list);
}

/* The directory itself may be the run of training. */
static void validation_in_the_directory_itself(void **state)
{
    (void)state;
    make_event_file("eval");
    make_event_file(".");
    struct sm_run_list list = search(root);
    assert_int_equal(list.n, 2);
    assert_string_equal(list.items[0].path, ".");
    assert_string_equal(list.items[0].validation, at("eval"));
    struct sm_run_ref *copy = sm_run_ref_copy(&list.items[0]);
    assert_string_equal(copy->validation, at("eval"));
    assert_string_equal(copy->validation_name, "eval");
    sm_run_ref_free(copy);
    sm_run_list_clear(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(folders_are_runs, begin, end),
        cmocka_unit_test_setup_teardown(a_link_is_no_second_run, begin, end),
        cmocka_unit_test_setup_teardown(what_is_too_deep_is_not_looked_at, begin, end),
        cmocka_unit_test_setup_teardown(a_trial_is_one_run, begin, end),
        cmocka_unit_test_setup_teardown(runs_of_one_training, begin, end),
        cmocka_unit_test_setup_teardown(validation_in_the_directory_itself, begin, end),
        cmocka_unit_test_setup_teardown(runs_without_events, begin, end),
        cmocka_unit_test_setup_teardown(sessions_of_hyperparameters, begin, end),
        cmocka_unit_test_setup_teardown(sessions_that_differ_are_runs, begin, end),
        cmocka_unit_test_setup_teardown(a_run_with_hyperparameters_is_no_session, begin, end),
        cmocka_unit_test_setup_teardown(what_is_no_run_is_said, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
