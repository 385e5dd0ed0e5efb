/* SPDX-License-Identifier: Apache-2.0 */
/* Each allocation of reading a run fails once; afterwards everything is read. */
#include "reader/base/mem.h"
#include "reader/logs/log_state.h"
#include "reader/wandb/wandb.h"

#include "tests/reader/wandb_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void write_file(struct sm_str *file)
{
    wandb_begin(file);
    struct sm_str m = {0}, config = pb_items(1, "=lr 0.05; =net {\"depth\": 3}"), time = {0};
    pb_message(&m, 4, &config);
    pb_text(&m, 8, "name");
    wandb_message(file, 17, &m);
    wandb_define(file, "epoch", "", "");
    wandb_define(file, "", "val/*", "epoch");
    wandb_history(file, 0, "loss 4; a>b 1; =c {\"d\": 2}; h>_type \"histogram\"; h>n 1");
    wandb_history(file, 1, "loss 3; val/acc 0.5; epoch 7");
    wandb_define(file, "loss", "", "epoch"); /* read again */
    m = pb_items(1, "loss 3; best 0.1");
    wandb_message(file, 3, &m);
    m = pb_items(3, "=cpu 37.5");
    pb_int(&time, 1, 1700000000);
    pb_message(&m, 2, &time);
    wandb_message(file, 7, &m);
    pb_text(&m, 3, "printed\n");
    wandb_message(file, 13, &m);
}

struct reading {
    struct sm_trial_input in;
    struct sm_log_sink sink;
    void *format;
};

static void poll_until_end(struct reading *r)
{
    for (int i = 0; i < 10 && sm_wandb_format.poll(r->format, &r->sink); i++)
        ;
}

static void assert_all_read(const struct reading *r)
{
    const struct sm_run_info *info = &r->sink.info;
    assert_int_equal(r->sink.batch->n_scalars, 6);
    assert_string_equal(info->name, "name");
    assert_string_equal(sm_run_fields_get(&info->config, "lr"), "0.05");
    assert_string_equal(sm_run_fields_get(&info->config, "net.depth"), "3");
    assert_string_equal(sm_run_fields_get(&info->summary, "best"), "0.1");
    assert_int_equal(info->n_samples, 1);
    assert_string_equal(info->console.data, "printed\n");
}

/* False: no allocation failed. */
static bool read_with_fault(struct sm_source *source, unsigned long at)
{
    struct reading r = {.in = {.source = source, .options.member = "run.wandb"}};
    sm_mem_fail_at(at);
    unsigned long before = sm_mem_count();
    r.format = sm_wandb_format.open(&r.in);
    if (r.format)
        poll_until_end(&r);
    bool failed = sm_mem_count() - before >= at;
    sm_mem_fail_at(0);
    if (r.format && !r.sink.failed) { /* else the kind opens it anew */
        poll_until_end(&r);           /* notices it, and begins anew at the next beat */
        poll_until_end(&r);
        assert_all_read(&r);
    }
    if (r.format)
        sm_wandb_format.close(r.format);
    sm_log_sink_clear(&r.sink);
    return failed;
}

static void test_each_allocation_fails(void **state)
{
    (void)state;
    struct sm_str file = {0};
    struct sm_source *source = sm_source_mem_new(NULL);
    unsigned long at = 1;
    write_file(&file);
    assert_true(sm_source_mem_put(source, "run.wandb", file.data, file.len));
    while (read_with_fault(source, at))
        at++;
    assert_in_range(at, 50, 1000);
    sm_source_unref(source);
    sm_str_clear(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_allocation_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
