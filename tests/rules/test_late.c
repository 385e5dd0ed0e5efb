/* SPDX-License-Identifier: Apache-2.0 */
/* What is judged while a job is followed equals what is judged at rest, in whatever order the files
 * arrive: workers that lag, steps that overtake others, files that are copied, touched or renamed.
 */
#include "tests/rules/judge.h"

#include <math.h>
#include <utime.h>

enum { RUNS = 40, FILES_MAX = 400, RULES_MAX = 16 };

/* ---- pseudo random numbers, the same on every machine ---- */

static uint64_t seed;
static unsigned draw(unsigned below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

/* ---- a run, written aside ---- */

struct copies {
    char aside[300];
    char *files[FILES_MAX]; /* relative to the trial */
    size_t n;
};

static void add_copy(struct copies *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add_copy(struct copies *c, const char *fmt, ...)
{
    char text[200];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    assert_true(c->n < FILES_MAX);
    c->files[c->n++] = strdup(text);
}

static float loss_at(unsigned step, unsigned worker)
{
    float noise = (float)draw(100) / 400.0f;
    return draw(23) == 0 ? NAN : 1.0f / (float)(step + 1) + noise + 0.1f * (float)worker;
}

static void write_worker_step(struct live *l, const char *worker, unsigned w, unsigned step)
{
    static const uint64_t dims[] = {20};
    float gradient[20], labels[20];
    struct sm_writer *out = writer(l, worker);
    struct sm_err err;
    int mode = step % 4 == 3 ? SM_MODE_EVAL : SM_MODE_TRAIN;
    for (int k = 0; k < 20; k++) {
        gradient[k] = draw(9) ? (float)draw(1000) * 1e-9f : 0.3f;
        labels[k] = draw(15) == 0 ? 1.0f : 0.0f;
    }
    assert_true(sm_writer_begin_step(out, step, mode, step / 2, &err));
    float loss = loss_at(step, w);
    put_values(out, "loss_0", &loss, 0, NULL);
    put_values(out, "gradient/w", gradient, 1, dims);
    if (draw(3))
        put_values(out, "labels", labels, 1, dims);
    assert_true(sm_writer_end_step(out, &err));
    sm_writer_close(out);
}

static struct copies write_run(struct live *l)
{
    struct copies c = {0};
    char name[32];
    unsigned workers = 1 + draw(3), steps = 6 + draw(12), last[3];
    for (unsigned w = 0; w < workers; w++) {
        snprintf(name, sizeof name, "worker_%u", w);
        write_collections(l, name, (int)workers);
        add_copy(&c, "collections/000000000/%s_collections.json", name);
        last[w] = draw(4) ? steps : draw(steps) + 1; /* one may be lost */
    }
    for (unsigned k = 0; k < workers * steps; k++) {
        unsigned w = k % workers, s = k / workers;
        snprintf(name, sizeof name, "worker_%u", w);
        if (s >= last[w] || draw(12) == 0)
            continue;
        write_worker_step(l, name, w, s);
        add_copy(&c, "events/%012u/%012u_%s.tfevents", s, s, name);
        add_copy(&c, "index/%09u/%012u_%s.json", s / 1000, s, name);
    }
    snprintf(c.aside, sizeof c.aside, "%s/aside", l->dir);
    assert_int_equal(rename(l->path, c.aside), 0);
    return c;
}

/* ---- copying it ---- */

static void make_folders(const struct live *l, const char *file)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", l->path, file);
    for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
        *p = 0;
        mkdir(path, 0777);
        *p = '/';
    }
}

static void set_some_time(const char *path)
{
    time_t at = draw(3) ? 1600000000 + (time_t)draw(1000) : 2000000000;
    struct utimbuf t = {at, at};
    if (draw(2))
        utime(path, &t);
}

static void copy_file(const struct live *l, const struct copies *c, const char *file)
{
    char from[600], to[600], made[610];
    size_t n;
    snprintf(from, sizeof from, "%s/%s", c->aside, file);
    snprintf(to, sizeof to, "%s/%s", l->path, file);
    snprintf(made, sizeof made, "%s.tmp", to);
    make_folders(l, file);
    char *bytes = get_file(from, &n);
    put_file(made, bytes, n);
    free(bytes);
    if (draw(2))
        set_some_time(made);
    assert_int_equal(rename(made, to), 0);
    set_some_time(to);
}

/* Nearly in order, or in any order. */
static void shuffle(struct copies *c)
{
    size_t reach = draw(2) ? c->n : 1 + draw(8);
    for (size_t i = 0; i + 1 < c->n; i++) {
        size_t left = c->n - i, far = i + draw((unsigned)(left < reach ? left : reach));
        char *held = c->files[i];
        c->files[i] = c->files[far];
        c->files[far] = held;
    }
}

/* ---- the rules ---- */

static const char *const judged[][5] = {
    {"exploding_tensor", "workers=all", "policy=continue"},
    {"exploding_tensor", NULL},
    {"vanishing_gradient", "workers=all", NULL},
    {"vanishing_gradient", "policy=continue", NULL},
    {"loss_not_decreasing", "use_losses_collection=false", "tensor_regex=loss", "num_steps=2"},
    {"loss_not_decreasing", "policy=continue", "tensor_regex=loss", "workers=all", "num_steps=1"},
    {"overfit", "tensor_regex=loss", "patience=0", "policy=continue"},
    {"class_imbalance", "samples=30", "policy=continue", NULL},
    {"unchanged_tensor", "tensor_regex=labels", "policy=continue", NULL},
    {"expr", "expr=loss_0 > 0.5", "policy=continue", NULL},
    {"expr", "expr=x > 0.25 * prev(x)", "tensor_regex=loss", "policy=continue", "mode=train"},
};
enum { N_JUDGED = sizeof judged / sizeof *judged };

static void attach_all(struct sm_rules *r)
{
    struct sm_err err;
    for (size_t k = 0; k < N_JUDGED; k++) {
        size_t n = 0;
        while (n < 4 && judged[k][n + 1])
            n++;
        sm_rules_add(r, sm_rule_find(judged[k][0]), NULL, &judged[k][1], n, &err);
    }
}

struct reports {
    struct {
        const struct sm_rule_instance *i;
        int64_t step;
    } items[4000];
    size_t n;
};

static void on_fire(void *ctx, const struct sm_rule_instance *i, const struct sm_finding *f)
{
    struct reports *r = ctx;
    for (size_t k = 0; k < r->n; k++) /* nothing is reported twice */
        assert_false(r->items[k].i == i && r->items[k].step == f->step);
    assert_true(r->n < sizeof r->items / sizeof *r->items);
    r->items[r->n].i = i;
    r->items[r->n++].step = f->step;
}

static bool was_reported(const struct reports *r, const struct sm_rule_instance *i, int64_t step)
{
    for (size_t k = 0; k < r->n; k++)
        if (r->items[k].i == i && (r->items[k].step == step || !i->continues))
            return true;
    return false;
}

static void assert_same(const struct sm_rule_instance *a, const struct sm_rule_instance *b)
{
    if (a->status != b->status || a->datapoints != b->datapoints || a->violations != b->violations)
        print_message("%s %s: %s/%s, %llu/%llu of %llu/%llu\n", a->name,
                      a->n_args ? a->args[0] : "", sm_rule_status_name(a->status),
                      sm_rule_status_name(b->status), (unsigned long long)a->violations,
                      (unsigned long long)b->violations, (unsigned long long)a->datapoints,
                      (unsigned long long)b->datapoints);
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->datapoints, b->datapoints);
    assert_int_equal(a->violations, b->violations);
    assert_int_equal(a->triggered, b->triggered);
    assert_int_equal(a->first_fired, b->first_fired);
    assert_int_equal(a->last_fired, b->last_fired);
    assert_int_equal(a->n_findings, b->n_findings);
    for (size_t k = 0; k < a->n_findings; k++) {
        assert_int_equal(a->findings[k].step, b->findings[k].step);
        assert_string_equal(a->findings[k].text, b->findings[k].text);
        assert_string_equal(a->findings[k].worker ? a->findings[k].worker : "",
                            b->findings[k].worker ? b->findings[k].worker : "");
    }
    for (size_t k = 0; k < SM_RULE_SKIPS && a->skips[k].why; k++)
        assert_int_equal(a->skips[k].count, b->skips[k].count);
}

/* ---- the property ---- */

static void follow(struct live *l, const struct copies *c, struct sm_rules *r)
{
    for (size_t i = 0; i < c->n; i++) {
        copy_file(l, c, c->files[i]);
        if (draw(3) == 0)
            copy_file(l, c, c->files[draw((unsigned)i + 1)]); /* again */
        if (draw(3) == 0)
            sm_clock_advance(HEARTBEAT_US); /* where nothing reports new files */
        live_settle(l);
        if (draw(2))
            settle_rules(l, r);
    }
    live_give_time(l);
    settle_rules(l, r);
    write_end(l);
    live_give_time(l);
    settle_rules(l, r);
}

static void compare_with_rest(struct live *l, struct sm_rules *followed,
                              const struct reports *reports)
{
    struct live rest = *l;
    rest.trial = NULL;
    rest.source = NULL;
    live_open_path(&rest, l->path, (struct sm_trial_options){0});
    struct sm_rules *r = new_rules(&rest);
    attach_all(r);
    settle_rules(&rest, r);
    assert_int_equal(sm_trial_session_count(l->trial), 1);
    assert_int_equal(sm_trial_step_count(l->trial), sm_trial_step_count(rest.trial));
    assert_true(sm_rules_finished(followed) && sm_rules_finished(r));
    for (size_t k = 0; k < N_JUDGED; k++) {
        const struct sm_rule_instance *i = sm_rules_item(followed, k);
        assert_same(i, sm_rules_item(r, k));
        for (size_t f = 0; f < i->n_findings; f++)
            assert_true(was_reported(reports, i, i->findings[f].step));
    }
    close_rules(&rest, r);
    live_close(&rest);
}

static void test_any_order_gives_the_same(void **state)
{
    struct live *l = *state;
    for (unsigned run = 0; run < RUNS; run++) {
        struct reports *reports = calloc(1, sizeof *reports);
        seed = run * 7919 + 1;
        struct copies c = write_run(l);
        shuffle(&c);
        live_open(l);
        struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
        sm_rules_on_fire(r, on_fire, reports);
        attach_all(r);
        follow(l, &c, r);
        compare_with_rest(l, r, reports);
        close_rules(l, r);
        live_close(l);
        for (size_t i = 0; i < c.n; i++)
            free(c.files[i]);
        remove_tree(l->path);
        remove_tree(c.aside);
        free(reports);
    }
}

/* ---- the end ---- */

static void write_loss_of(struct live *l, const char *worker, int64_t step, float loss)
{
    struct sm_writer *w = writer(l, worker);
    struct sm_err err;
    assert_true(sm_writer_begin_step(w, step, SM_MODE_TRAIN, step, &err));
    put_tensor(w, "loss_0", loss, 1);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

static struct sm_rules *follow_two_workers(struct live *l)
{
    for (int w = 0; w < 2; w++) {
        write_collections(l, w ? "worker_1" : "worker_0", 2);
        write_loss_of(l, w ? "worker_1" : "worker_0", 0, 1);
    }
    live_open(l);
    struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
    attach(r, "exploding_tensor", "workers=all", NULL);
    settle_rules(l, r);
    write_loss_of(l, "worker_0", 20, 1);
    write_end(l); /* by the first worker that ends */
    settle_rules(l, r);
    assert_false(sm_rules_finished(r));
    return r;
}

/* Moves to the next time at which something is due, until the rules have ended. */
static void wait_for_end(struct live *l, struct sm_rules *r)
{
    for (int i = 0; i < 20 && !sm_rules_finished(r); i++) {
        sm_clock_advance(100000);
        settle_rules(l, r);
    }
    assert_true(sm_rules_finished(r));
}

static void test_what_others_write_after_the_end_is_judged(void **state)
{
    struct live *l = *state;
    struct sm_rules *r = follow_two_workers(l);
    sm_clock_advance(600000);
    write_loss_of(l, "worker_1", 20, NAN);
    wait_for_end(l, r);
    assert_int_equal(sm_rules_item(r, 0)->status, SM_RULE_ISSUES);
    assert_int_equal(sm_rules_item(r, 0)->first_fired, 20);
    close_rules(l, r);
}

static void test_an_incomplete_last_step_counts_at_the_end(void **state)
{
    struct live *l = *state;
    struct sm_rules *r = follow_two_workers(l);
    wait_for_end(l, r);
    assert_int_equal(sm_rules_item(r, 0)->datapoints, 3);
    assert_int_equal(sm_rules_item(r, 0)->status, SM_RULE_NO_ISSUES);
    sm_clock_advance(60 * 1000000); /* far too late, but still read by those who look */
    write_loss_of(l, "worker_1", 30, NAN);
    live_beat(l);
    settle_rules(l, r);
    assert_int_equal(sm_rules_item(r, 0)->status, SM_RULE_ISSUES);
    assert_int_equal(sm_rules_item(r, 0)->first_fired, 30);
    close_rules(l, r);
}

/* After a restart, what was found before stays, once, however late the steps arrive. */
static void test_late_steps_of_a_restarted_job(void **state)
{
    struct live *l = *state;
    char aside[300], events[300];
    write_collections(l, "worker_0", 1);
    for (int s = 0; s < 4; s++)
        write_loss_of(l, "worker_0", s, s == 2 ? NAN : 1);
    live_open(l);
    struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
    struct sm_rule_instance *i = attach(r, "exploding_tensor", "policy=continue", NULL);
    settle_rules(l, r);
    assert_int_equal(i->datapoints, 4);
    write_loss_of(l, "worker_0", 1, 2); /* the job begins again at step 1 */
    live_beat(l);
    settle_rules(l, r);
    assert_int_equal(sm_trial_session_count(l->trial), 2);
    assert_int_equal(i->datapoints, 5);
    write_loss_of(l, "worker_0", 2, 2);
    snprintf(aside, sizeof aside, "%s/aside", l->dir);
    snprintf(events, sizeof events, "%s", in(l, "index/000000000/000000000002_worker_0.json"));
    assert_int_equal(rename(events, aside), 0);
    write_loss_of(l, "worker_0", 3, NAN);
    live_beat(l);
    settle_rules(l, r);
    assert_int_equal(rename(aside, events), 0); /* step 2 arrives after step 3 */
    live_beat(l);
    settle_rules(l, r);
    assert_int_equal(i->datapoints, 4 + 3);
    assert_int_equal(i->triggered, 2);
    assert_int_equal(i->n_findings, 2);
    assert_int_equal(i->findings[0].step, 2);
    assert_int_equal(i->findings[1].step, 3);
    close_rules(l, r);
}

#define T(x) cmocka_unit_test_setup_teardown(x, live_setup, live_teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_any_order_gives_the_same),
        T(test_late_steps_of_a_restarted_job),
        T(test_what_others_write_after_the_end_is_judged),
        T(test_an_incomplete_last_step_counts_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
