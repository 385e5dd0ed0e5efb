/* SPDX-License-Identifier: Apache-2.0 */
/* Which files are taken for tables of metrics, and which are not. */
#include "reader/runs/run_search.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
    char dir[64], path[256];
    struct sm_str found;
};

static int setup(void **state)
{
    struct place *t = calloc(1, sizeof *t);
    *state = t;
    return make_scratch(t->dir, sizeof t->dir) ? 0 : -1;
}

static int teardown(void **state)
{
    struct place *t = *state;
    sm_str_clear(&t->found);
    remove_tree(t->dir);
    free(t);
    return 0;
}

static const char *in(struct place *t, const char *name)
{
    snprintf(t->path, sizeof t->path, "%s%s%s", t->dir, *name ? "/" : "", name);
    return t->path;
}

static void put(struct place *t, const char *name, const char *text)
{
    FILE *f = fopen(in(t, name), "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* The runs below a path: "csv metrics.csv; jsonl a/log.jsonl". */
static const char *find(struct place *t, const char *name)
{
    struct sm_run_list list = {0};
    struct sm_err err;
    sm_str_truncate(&t->found, 0);
    sm_str_add(&t->found, "");
    assert_true(sm_run_search(in(t, name), 0, NULL, &list, &err));
    for (size_t i = 0; i < list.n; i++)
        sm_str_printf(&t->found, "%s%s %s", i ? "; " : "", list.items[i].kind->traits->name,
                      list.items[i].path);
    sm_run_list_clear(&list);
    return sm_str_text(&t->found);
}

static const struct {
    const char *name, *text;
} metrics[] = {
    {"metrics.csv", "step,loss\n1,0.5\n"},
    {"begun/metrics.csv", "epoch,step,train_loss\n"},
    {"results.csv", "  epoch,  train/box_loss\n  1,  3.5\n"},
    {"training.log", "epoch,loss,val_loss\n0,7.4,8.2\n1,7.3,8.1\n"},
    {"begun/results.csv", "epoch,loss\n0.1,0.5\n0.2,0.25\n"},
    {"history.csv", "loss,accuracy\n1,0.5\n0.9,0.6\n"},
    {"progress.csv", "time/iterations,rollout/ep_rew_mean\n1,20\n2,30\n"},
    {"learn_error.tsv", "iter\tLogloss\n0\t0.6\n1\t0.5\n"},
    {"0.monitor.csv", "#{\"t_start\": 5.5, \"env_id\": \"x\"}\nr,l,t\n1.5,10,0.1\n"},
    {"sweep.csv", "global_step;train loss;note\n10;1.5;text\n20;1.25;text\n"},
    {"anything.csv", "step,loss\n1,0.5\n2,0.25\n"},
    {"results.txt", "epoch loss acc\n1 0.5 0.1\n2 0.25 0.2\n"},
    {"log.jsonl", "{\"step\": 1, \"loss\": 2}\n{\"step\": 2, \"loss\": 1}\n"},
    {"metrics.json", "{\"iteration\": 19, \"lr\": 0.1}\n"},
    {"20260101_000000.log.json",
     "{\"env_info\": \"x\", \"seed\": 0}\n"
     "{\"mode\": \"train\", \"epoch\": 1, \"iter\": 50, \"loss\": 2}\n"},
    {"result.json",
     "{\"training_iteration\": 1, \"config\": {\"lr\": 0.1}, \"episode_reward_mean\": "
     "2}\n"},
    {"log.txt", "{\"train_lr\": 0.1, \"test_acc\": 5, \"epoch\": 0}\n"},
    {"history.json", "{\n \"loss\": [3, 2],\n \"val_loss\": [4, 3]\n}\n"},
    {"train_log.json", "[\n {\"epoch\": 1, \"loss\": 3},\n {\"epoch\": 2, \"loss\": 2}\n]\n"},
    {"x.ndjson", "{\"meta\":{\"step\":1},\"train\":{\"loss\":3}}\n"},
};

static void test_metrics(void **state)
{
    struct place *t = *state;
    assert_int_equal(mkdir(in(t, "begun"), 0777), 0);
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        char want[128];
        const char *ending = strrchr(metrics[i].name, '.');
        bool json = strstr(ending, "json") || metrics[i].text[0] == '{';
        put(t, metrics[i].name, metrics[i].text);
        snprintf(want, sizeof want, "%s %s", json ? "jsonl" : "csv", metrics[i].name);
        assert_string_equal(find(t, ""), want);
        assert_int_equal(unlink(in(t, metrics[i].name)), 0);
    }
}

static const struct {
    const char *name, *text;
} rubbish[] = {
    {"empty.csv", ""},
    {"empty.jsonl", ""},
    {"labels.csv", "file,label\na.png,cat\nb.png,dog\n"},
    {"train.csv", "id,text,label\n1,some text,0\n2,other text,1\n"},
    {"housing.csv", "longitude,latitude,price\n-122.2,37.8,452600\n-122.2,37.8,358500\n"},
    {"iris.csv", "5.1,3.5,1.4,0.2,setosa\n4.9,3.0,1.4,0.2,setosa\n"},
    {"fraud.csv", "step,type,amount,nameOrig\n1,PAYMENT,9.5,C12\n1,CASH,1.5,C13\n"},
    {"index.csv", "index,question,score\n0,why?,1\n1,how?,0\n"},
    {"trials.csv", "lr,batch_size,optimizer,accuracy\n0.1,32,sgd,0.5\n0.2,64,adam,0.6\n"},
    {"results.csv", "model,params,top1\nresnet,25,76.1\nvit,86,81.8\n"},
    {"words.txt", "step by step guide\n1 2 3 4\n"},
    {"README.md", "| epoch | loss |\n|---|---|\n| 1 | 0.5 |\n"},
    {"train.py", "step, loss = 1, 2\n"},
    {"requirements.txt", "torch\nnumpy\n"},
    {"run.log", "INFO step, loss\nINFO 1, 2\n"},
    {"package.json", "{\n \"name\": \"x\",\n \"version\": \"1\"\n}\n"},
    {"config.json", "{\"steps\": 10, \"lr\": 0.1}"},
    {"tokenizer.json",
     "{\"version\":\"1.0\",\"model\":{\"vocab\":{\"a\":0,\"loss\":1,\"step\":2}}}"},
    {"vocab.json", "{\"a\":0,\"loss\":1,\"step\":2,\"epoch\":3}"},
    {"all_results.json", "{\n    \"epoch\": 3.0,\n    \"eval_loss\": 0.5\n}\n"},
    {"state.json", "{\"step\": 100, \"loss\": 0.5}"},
    {"train.jsonl",
     "{\"prompt\": \"p\", \"completion\": \"c\"}\n{\"prompt\": \"q\", \"completion\": "
     "\"d\"}\n"},
    {"eval.jsonl",
     "{\"id\": 1, \"text\": \"some\", \"label\": 0}\n{\"id\": 2, \"text\": \"other\", "
     "\"label\": 1}\n"},
    {"chosen.jsonl", "{\"chosen\": \"a\", \"rejected\": \"b\", \"score\": 0.5}\n"},
    {"messages.jsonl", "{\"messages\": [{\"role\": \"user\", \"content\": \"x\"}]}\n"},
    {"data.json", "[{\"step\": 1}]\n"},
    {"train.json", "[{\"question\": \"q\", \"id\": 1}, {\"question\": \"r\", \"id\": 2}]\n"},
    {"results.json", "{\"labels\": [\"a\", \"b\"], \"counts\": [1, 2]}\n"},
    {"notebook.json", "{\"cells\": [], \"nbformat\": 4}\n"},
    {"binary.csv", "step,loss\n1,\x01\x02\n"},
};

static void test_rubbish(void **state)
{
    struct place *t = *state;
    for (size_t i = 0; i < sizeof rubbish / sizeof *rubbish; i++) {
        put(t, rubbish[i].name, rubbish[i].text);
        if (strncmp(find(t, ""), "log ", 4) != 0) /* plain logs have other rules */
            assert_string_equal(find(t, ""), "");
        assert_int_equal(unlink(in(t, rubbish[i].name)), 0);
    }
}

/* A file that was named needs less. */
static void test_given(void **state)
{
    struct place *t = *state;
    put(t, "numbers.csv", "a,b\n1,2\n");
    assert_string_equal(find(t, ""), "");
    assert_string_equal(find(t, "numbers.csv"), "csv .");
    put(t, "begun.csv", "step,loss\n"); /* its rows will come */
    assert_null(strstr(find(t, ""), "begun"));
    assert_string_equal(find(t, "begun.csv"), "csv .");
    put(t, "values.dat", "{\"x\": 1}\n{\"x\": 2}\n");
    assert_string_equal(find(t, "values.dat"), "jsonl .");
    put(t, "metrics_step7.json", "{\n\"loss\": 2\n}\n");
    assert_string_equal(find(t, "metrics_step7.json"), "jsonl .");
    put(t, "notes.txt", "talked about loss, accuracy; nothing 1 2\n");
    assert_null(strstr(find(t, "notes.txt"), "csv"));
}

/* Data sets are called .bin, too. */
static void test_data_sets(void **state)
{
    struct place *t = *state;
    assert_int_equal(mkdir(in(t, "data"), 0777), 0);
    put(t, "data/train.bin", "0123456789 these are tokens");
    assert_string_equal(find(t, "data"), "");
    put(t, "data/model.bin", "\x80\x02}q.");
    assert_string_equal(find(t, "data"), "checkpoints .");
}

static void test_folders(void **state)
{
    struct place *t = *state;
    put(t, "metrics_step10.json", "{\"loss\": 2}");
    put(t, "metrics_step9.json", "{\"loss\": 3}");
    put(t, "metrics.json", "{\"loss\": 3}");
    put(t, "loss.csv", "step,loss\n1,2\n");
    assert_string_equal(find(t, ""), "csv loss.csv; jsonl metrics_step*.json");
    assert_int_equal(mkdir(in(t, "out"), 0777), 0);
    assert_int_equal(mkdir(in(t, "out/checkpoint-5"), 0777), 0);
    assert_int_equal(mkdir(in(t, "out/checkpoint-7"), 0777), 0);
    put(t, "out/checkpoint-5/trainer_state.json",
        "{\"best_metric\": null, \"global_step\": 5, \"log_history\": []}");
    put(t, "out/trainer_log.jsonl", "{\"current_steps\": 1, \"loss\": 2}\n");
    assert_string_equal(find(t, "out"), "trainer_state .");
    assert_string_equal(find(t, "out/checkpoint-5"), "trainer_state .");
    assert_string_equal(find(t, "out/checkpoint-5/trainer_state.json"), "trainer_state .");
    assert_int_equal(mkdir(in(t, "out/runs"), 0777), 0);
    assert_int_equal(mkdir(in(t, "out/runs/host"), 0777), 0);
    put(t, "out/runs/host/events.out.tfevents.1.host", "");
    put(t, "out/events.out.tfevents.1.host", "");
    assert_string_equal(find(t, "out"), "trainer_state .");
    assert_string_equal(find(t, "out/runs"), "tensorboard host");
    put(t, "out/checkpoint-7/other.json", "{}");
    assert_string_equal(find(t, "out/checkpoint-7"), "");
}

/* What loggers write twice is one run. */
static void test_twice(void **state)
{
    struct place *t = *state;
    put(t, "progress.csv", "step,loss\n1,2\n");
    put(t, "progress.json", "{\"step\": 1, \"loss\": 2}\n");
    put(t, "result.json", "{\"step\": 1, \"loss\": 2}\n");
    assert_string_equal(find(t, ""), "csv progress.csv");
    struct sm_str rows = {0};
    for (int i = 0; i < 10; i++)
        sm_str_printf(&rows, "{\"loss\": 0.%d12345, \"iter\": %d, \"step\": %d}\n", i, i, i);
    put(t, "20260101_000000.json", rows.data);
    put(t, "scalars.json", rows.data);
    sm_str_clear(&rows);
    assert_string_equal(find(t, ""), "jsonl 20260101_000000.json; csv progress.csv");
    put(t, "metrics.csv", "step,loss\n1,2\n");
    put(t, "events.out.tfevents.1", "");
    assert_null(strstr(find(t, ""), "metrics.csv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_metrics, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rubbish, setup, teardown),
        cmocka_unit_test_setup_teardown(test_given, setup, teardown),
        cmocka_unit_test_setup_teardown(test_data_sets, setup, teardown),
        cmocka_unit_test_setup_teardown(test_folders, setup, teardown),
        cmocka_unit_test_setup_teardown(test_twice, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
