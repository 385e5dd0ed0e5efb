/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that come while a directory is followed, and what runs that are called alike are called. */
#include "tests/commands/driver.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include "commands/session/incident.h"
#include "commands/session/opened_path.h"
#include "commands/session/trial_list.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BEAT_US = 61 * 1000000 }; /* more than any pause */

struct state {
    struct driver d;
    char dir[64];
};

static void copy_run(const struct state *s, const char *to)
{
    char line[512];
    snprintf(line, sizeof line,
             "mkdir -p %s/%s && cp tests/trials/tensorboard/EVAL/*tfevents %s/%s", s->dir, to,
             s->dir, to);
    assert_int_equal(system(line), 0);
}

static int begin(void **state)
{
    static struct state s;
    struct sm_err err;
    *state = &s;
    if (!make_scratch(s.dir, sizeof s.dir))
        return -1;
    sm_clock_freeze(1000000, 1700000000000000);
    driver_open(&s.d, NULL, false);
    s.d.session->open_options.follow = true;
    return sm_session_open(s.d.session, s.dir, NULL, false, &err) ? 0 : -1;
}

static int end(void **state)
{
    struct state *s = *state;
    driver_close(&s->d);
    sm_clock_thaw();
    return remove_tree(s->dir);
}

static void settle(struct state *s)
{
    sm_clock_advance(BEAT_US);
    for (int i = 0;
         i < 1000 && (sm_session_pump(s->d.session) || sm_pool_pending(s->d.pool) || i < 9); i++)
        ;
}

static void a_run_takes_the_place_of_what_waited(void **state)
{
    struct state *s = *state;
    settle(s);
    assert_int_equal(s->d.session->n_trials, 1);
    assert_int_equal(sm_trial_state(sm_session_trial(s->d.session)), SM_TRIAL_WAITING);
    copy_run(s, "first");
    settle(s);
    assert_int_equal(s->d.session->n_trials, 1);
    assert_string_equal(sm_trials_name(s->d.session, 0), "first");
    assert_string_equal(sm_trial_traits(sm_session_trial(s->d.session))->name, "tensorboard");
    copy_run(s, "second");
    settle(s);
    settle(s);
    assert_int_equal(s->d.session->n_trials, 2);
    assert_string_equal(sm_trials_name(s->d.session, 1), "second");
    assert_int_equal(s->d.session->current, 0);
}

static void a_run_that_was_closed_stays_so(void **state)
{
    struct state *s = *state;
    copy_run(s, "first");
    copy_run(s, "second");
    settle(s);
    assert_int_equal(s->d.session->n_trials, 2);
    sm_session_close(s->d.session, 1);
    settle(s);
    assert_int_equal(s->d.session->n_trials, 1);
}

/* Keras makes the folder of validation after the first epoch. */
static void validation_that_comes_is_read_for_training(void **state)
{
    static const char name[] = "validation/CrossEntropyLoss_output_0";
    struct state *s = *state;
    copy_run(s, "train");
    settle(s);
    const struct sm_trial *train = s->d.session->trials[0].trial;
    assert_null(sm_trial_find(train, name, sizeof name - 1));
    copy_run(s, "validation");
    settle(s);
    settle(s);
    assert_int_equal(s->d.session->n_trials, 2);
    assert_ptr_equal(s->d.session->trials[0].trial, train);
    const struct sm_trial_tensor *x = sm_trial_find(train, name, sizeof name - 1);
    assert_non_null(x);
    assert_true(x->steps > 1);
    assert_true(sm_trial_is_validation(train, name));
    const struct sm_trial *validation = s->d.session->trials[1].trial;
    assert_null(sm_trial_find(validation, name, sizeof name - 1));
}

static void run_line(const struct state *s, const char *line)
{
    char text[512];
    snprintf(text, sizeof text, "cd tests/samples && D=%s && %s", s->dir, line);
    assert_int_equal(system(text), 0);
}

/* Checkpoints are read for the run that is logged, in its place, when they come. */
static void checkpoints_that_come_are_read_for_their_run(void **state)
{
    struct state *s = *state;
    run_line(s, "mkdir -p $D/a $D/b && cp lightning/version_0/*.csv $D/a && "
                "cp lightning/version_0/*.csv $D/b");
    settle(s);
    assert_int_equal(s->d.session->n_trials, 2);
    sm_trials_select(s->d.session, 0);
    size_t before = sm_trial_tensor_count(s->d.session->trials[0].trial);
    assert_true(before > 0);
    run_line(s, "mkdir $D/a/checkpoints && "
                "cp checkpoints/types/model.safetensors $D/a/checkpoints/step=4.safetensors");
    settle(s);
    settle(s);
    assert_int_equal(s->d.session->n_trials, 2);
    assert_int_equal(s->d.session->current, 0);
    assert_string_equal(sm_trials_name(s->d.session, 0), "a");
    assert_string_equal(sm_trials_name(s->d.session, 1), "b");
    assert_true(sm_trial_tensor_count(s->d.session->trials[0].trial) > before);
}

/* The current run of a directory is the first that has scalars, if the user has not chosen. */
static void the_first_run_with_scalars_is_current(void **state)
{
    struct state *s = *state;
    struct sm_err err;
    run_line(s, "mkdir -p $D/a $D/b $D/c $D/d && cp checkpoints/types/model.safetensors $D/a && "
                "touch $D/b/run-1.wandb && cp lightning/version_0/*.csv $D/c && "
                "cp lightning/version_0/*.csv $D/d");
    assert_true(sm_session_open(s->d.session, s->dir, NULL, false, &err));
    assert_int_equal(s->d.session->current, 0);
    settle(s);
    assert_int_equal(s->d.session->n_trials, 4);
    assert_int_equal(s->d.session->current, 2);
    assert_true(sm_session_open(s->d.session, s->dir, NULL, false, &err));
    sm_trials_select(s->d.session, s->d.session->current);
    size_t chosen = s->d.session->current;
    settle(s);
    assert_int_equal(s->d.session->current, chosen);
}

/* Nothing but files of tensors: the first that has any. */
static void the_first_run_with_values_is_current(void **state)
{
    struct state *s = *state;
    struct sm_err err;
    run_line(s, "mkdir -p $D/a $D/b $D/c && touch $D/a/run-1.wandb && "
                "cp checkpoints/types/model.safetensors $D/b && "
                "cp checkpoints/types/model.safetensors $D/c");
    assert_true(sm_session_open(s->d.session, s->dir, NULL, false, &err));
    settle(s);
    assert_int_equal(s->d.session->n_trials, 3);
    assert_int_equal(s->d.session->current, 1);
}

/* Hugging Face's Trainer: its checkpoint comes after the files of TensorBoard. */
static void a_run_that_is_a_part_of_another_one_goes(void **state)
{
    struct state *s = *state;
    char line[512];
    copy_run(s, "out/runs/first");
    copy_run(s, "other");
    settle(s);
    assert_int_equal(s->d.session->n_trials, 2);
    sm_trials_select(s->d.session, 1);
    assert_string_equal(sm_trials_name(s->d.session, 1), "first");
    snprintf(line, sizeof line, "cp -r tests/samples/hf_trainer/checkpoint-20 %s/out", s->dir);
    assert_int_equal(system(line), 0);
    settle(s);
    settle(s);
    assert_int_equal(s->d.session->n_trials, 2);
    assert_string_equal(sm_trials_name(s->d.session, 0), "other");
    assert_string_equal(sm_trials_name(s->d.session, 1), "out");
    assert_int_equal(s->d.session->current, 1);
}

/* add_hparams makes the folder of a session and its file before it writes. */
static void a_session_that_was_met_empty_goes(void **state)
{
    struct state *s = *state;
    char line[512];
    snprintf(line, sizeof line,
             "cp -r tests/samples/hparams_runs/torch %s && cd %s/torch && rm -r pair_* trial-7 && "
             "mkdir hp && : >hp/events.out.tfevents.1",
             s->dir, s->dir);
    assert_int_equal(system(line), 0);
    settle(s);
    assert_int_equal(s->d.session->n_trials, 2);
    snprintf(line, sizeof line, "cp tests/samples/hparams_runs/torch/trial-7/* %s/torch/hp",
             s->dir);
    assert_int_equal(system(line), 0);
    settle(s);
    settle(s);
    const struct sm_trial *run = s->d.session->trials[0].trial;
    assert_string_equal(sm_trials_name(s->d.session, 0), "torch");
    assert_non_null(sm_trial_find(run, "hparam/accuracy", 15));
    for (size_t i = 0; i < s->d.session->n_trials; i++)
        assert_string_not_equal(s->d.session->trials[i].run, "torch/hp");
}

static void a_directory_that_was_left_is_not_searched(void **state)
{
    struct state *s = *state;
    struct sm_err err;
    copy_run(s, "first");
    settle(s);
    assert_string_equal(sm_trials_name(s->d.session, 0), "first");
    assert_true(sm_session_open(s->d.session, "tests/trials/cnn_healthy", NULL, false, &err));
    copy_run(s, "second");
    settle(s);
    settle(s);
    assert_int_equal(s->d.session->n_trials, 1);
    assert_string_equal(sm_trials_name(s->d.session, 0), "cnn_healthy");
}

static void runs_that_are_called_alike_have_their_paths(void **state)
{
    struct state *s = *state;
    copy_run(s, "x/train");
    copy_run(s, "y/train");
    copy_run(s, "y/other");
    settle(s);
    assert_int_equal(s->d.session->n_trials, 3);
    assert_string_equal(sm_trials_name(s->d.session, 0), "x/train");
    assert_string_equal(sm_trials_name(s->d.session, 1), "other");
    assert_string_equal(sm_trials_name(s->d.session, 2), "y/train");
    sm_session_close(s->d.session, 0);
    settle(s);
    assert_string_equal(sm_trials_name(s->d.session, 1), "train");
}

/* Pumps until nothing is left to do within two seconds, less than any pause between searches. */
static void pass_two_seconds(struct state *s)
{
    for (int i = 0; i < 20; i++) {
        sm_clock_advance(100000);
        while (sm_session_pump(s->d.session) || sm_pool_pending(s->d.pool))
            ;
    }
}

/* By its events: the next search by time is far away. */
static void a_run_is_found_at_once(void **state)
{
    struct state *s = *state;
    copy_run(s, "group/first");
    for (int i = 0; i < 12; i++)
        settle(s);
    assert_int_equal(s->d.session->n_trials, 1);
    copy_run(s, "group/second");
    pass_two_seconds(s);
    assert_int_equal(s->d.session->n_trials, 2);
    copy_run(s, "new/deep/third");
    pass_two_seconds(s);
    assert_int_equal(s->d.session->n_trials, 3);
}

/* A run of trackio in a database of the directory. */
static void write_run(const struct state *s, const char *file, const char *run)
{
    char path[128], line[512];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/%s", s->dir, file);
    snprintf(line, sizeof line,
             "CREATE TABLE IF NOT EXISTS metrics (id INTEGER PRIMARY KEY, timestamp TEXT, "
             "run_name TEXT, step INTEGER, metrics TEXT);"
             "INSERT INTO metrics (timestamp, run_name, step, metrics) "
             "VALUES ('2026-01-01T00:00:00', '%s', 0, '{\"loss\": 1}');",
             run);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, line, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* A database grows: no file comes. */
static void a_run_in_a_database_is_found(void **state)
{
    struct state *s = *state;
    write_run(s, "project.db", "first");
    for (int i = 0; i < 12; i++)
        settle(s);
    assert_int_equal(s->d.session->n_trials, 1);
    write_run(s, "project.db", "second");
    pass_two_seconds(s);
    pass_two_seconds(s);
    assert_int_equal(s->d.session->n_trials, 2);
    assert_string_equal(sm_trials_name(s->d.session, 1), "second");
}

static void a_run_in_a_database_that_was_opened_is_found(void **state)
{
    struct state *s = *state;
    struct sm_err err;
    char path[128];
    snprintf(path, sizeof path, "%s/project.db", s->dir);
    write_run(s, "project.db", "first");
    write_run(s, "project.db", "second");
    assert_true(sm_session_open(s->d.session, path, NULL, false, &err));
    for (int i = 0; i < 12; i++)
        settle(s);
    assert_int_equal(s->d.session->n_trials, 2);
    write_run(s, "project.db", "third");
    pass_two_seconds(s);
    pass_two_seconds(s);
    assert_int_equal(s->d.session->n_trials, 3);
    assert_string_equal(sm_trials_name(s->d.session, 2), "third");
}

/* Its id has the letters of the name, but is not the name. */
static void runs_of_one_name_in_databases_keep_it(void **state)
{
    struct state *s = *state;
    write_run(s, "a.db", "b");
    write_run(s, "b.db", "b");
    settle(s);
    assert_int_equal(s->d.session->n_trials, 2);
    assert_string_equal(sm_trials_name(s->d.session, 0), "b (a.db#b)");
    assert_string_equal(sm_trials_name(s->d.session, 1), "b.db#b");
}

/* A file that is named may have any name. */
static void a_database_of_any_name_opens(void **state)
{
    struct state *s = *state;
    struct sm_err err;
    char path[128];
    snprintf(path, sizeof path, "%s/tracking", s->dir);
    write_run(s, "tracking", "first");
    write_run(s, "tracking", "second#2");
    assert_true(sm_session_open(s->d.session, path, NULL, false, &err));
    settle(s);
    assert_int_equal(s->d.session->n_trials, 2);
    assert_string_equal(sm_trials_name(s->d.session, 1), "second#2");
    assert_int_equal(sm_trial_range(s->d.session->trials[1].trial).steps, 1);
}

static void append(const struct state *s, const char *file, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", s->dir, file);
    FILE *f = fopen(path, "a");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* The log of a program that takes a while to start; a file of the same name is one already. */
static void a_file_that_becomes_a_run_is_found(void **state)
{
    struct state *s = *state;
    char path[128];
    snprintf(path, sizeof path, "%s/first", s->dir);
    assert_int_equal(mkdir(path, 0777), 0);
    append(s, "first/train.log", "step 1 loss 3\nstep 2 loss 2\nstep 3 loss 1\n");
    append(s, "train.log", "loading the model\n");
    for (int i = 0; i < 12; i++)
        settle(s);
    assert_int_equal(s->d.session->n_trials, 1);
    append(s, "train.log", "step 1 loss 3\nstep 2 loss 2\nstep 3 loss 1\n");
    pass_two_seconds(s);
    pass_two_seconds(s);
    assert_int_equal(s->d.session->n_trials, 2);
}

/* However long nothing was there: programs take a while to start. */
static void a_directory_that_comes_is_searched(void **state)
{
    struct state *s = *state;
    struct sm_err err;
    char path[128];
    snprintf(path, sizeof path, "%s/later", s->dir);
    assert_true(sm_session_open(s->d.session, path, NULL, false, &err));
    settle(s);
    settle(s);
    copy_run(s, "later/deep/down/run");
    pass_two_seconds(s);
    assert_int_equal(s->d.session->n_trials, 1);
    assert_string_equal(sm_trials_name(s->d.session, 0), "run");
}

static size_t incidents_with(const struct state *s, const char *part)
{
    const struct sm_incidents *l = s->d.session->incidents;
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += strstr(l->items[i].text, part) != NULL;
    return n;
}

/* What kept a search from seeing all is an event, with the path; its bytes are harmless. */
static void a_folder_that_cannot_be_searched_is_told(void **state)
{
    struct state *s = *state;
    struct sm_run_list runs = {.cut = true};
    struct sm_err err;
    sm_err_set(&err, SM_ERR_IO, "Input/output error");
    sm_problems_add(&runs.problems, "a\033[1mb", -1, &err);
    sm_opened_add(s->d.session, s->dir, &runs, s->d.session->n_trials, NULL);
    assert_int_equal(incidents_with(s, "/a\\033[1mb: Input/output error") +
                         incidents_with(s, "/a\\x1b[1mb: Input/output error"),
                     1);
    assert_int_equal(incidents_with(s, "left out: folders after the first 50000"), 1);
    assert_int_equal(incidents_with(s, "\033"), 0);
    sm_run_list_clear(&runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(checkpoints_that_come_are_read_for_their_run, begin, end),
        cmocka_unit_test_setup_teardown(the_first_run_with_scalars_is_current, begin, end),
        cmocka_unit_test_setup_teardown(the_first_run_with_values_is_current, begin, end),
        cmocka_unit_test_setup_teardown(a_run_takes_the_place_of_what_waited, begin, end),
        cmocka_unit_test_setup_teardown(a_run_that_was_closed_stays_so, begin, end),
        cmocka_unit_test_setup_teardown(validation_that_comes_is_read_for_training, begin, end),
        cmocka_unit_test_setup_teardown(a_run_that_is_a_part_of_another_one_goes, begin, end),
        cmocka_unit_test_setup_teardown(a_session_that_was_met_empty_goes, begin, end),
        cmocka_unit_test_setup_teardown(a_directory_that_was_left_is_not_searched, begin, end),
        cmocka_unit_test_setup_teardown(a_run_is_found_at_once, begin, end),
        cmocka_unit_test_setup_teardown(a_run_in_a_database_is_found, begin, end),
        cmocka_unit_test_setup_teardown(a_run_in_a_database_that_was_opened_is_found, begin, end),
        cmocka_unit_test_setup_teardown(runs_of_one_name_in_databases_keep_it, begin, end),
        cmocka_unit_test_setup_teardown(a_database_of_any_name_opens, begin, end),
        cmocka_unit_test_setup_teardown(a_file_that_becomes_a_run_is_found, begin, end),
        cmocka_unit_test_setup_teardown(a_directory_that_comes_is_searched, begin, end),
        cmocka_unit_test_setup_teardown(a_folder_that_cannot_be_searched_is_told, begin, end),
        cmocka_unit_test_setup_teardown(runs_that_are_called_alike_have_their_paths, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
