/* SPDX-License-Identifier: Apache-2.0 */
/* Records { 2 history, 3 summary, 4 output, 5 config, 7 stats, 10 alert, 12 metric, 13 output_raw,
 * 17 run, 18 exit, 27 output_logger }; wandb_internal.proto of W&B. */
#include "reader/base/mem.h"
#include "reader/format/wire.h"
#include "reader/logs/log_json.h"
#include "reader/wandb/wandb_log.h"
#include "reader/wandb/wandb_run.h"

enum {
    RECORD_HISTORY = 2,
    RECORD_SUMMARY = 3,
    RECORD_OUTPUT = 4,
    RECORD_CONFIG = 5,
    RECORD_STATS = 7,
    RECORD_ALERT = 10,
    RECORD_METRIC = 12,
    RECORD_OUTPUT_RAW = 13,
    RECORD_RUN = 17,
    RECORD_EXIT = 18,
    RECORD_OUTPUT_LOGGER = 27
};

void sm_wandb_report(struct sm_wandb_run *r, uint64_t offset, const struct sm_err *err)
{
    if (offset >= r->reported_to)
        sm_log_problem(r->sink, r->file, (int64_t)offset, err);
}

/* ---- configuration: { 1 items to set } ---- */

static void set_config(struct sm_wandb_run *r, struct sm_bytes b)
{
    static const char internal[] = "_wandb";
    struct sm_wandb_item item;
    if (!sm_wandb_item_parse(b, &item, &r->scratch))
        return;
    sm_str_truncate(&r->name, 0);
    sm_str_truncate(&r->json, 0);
    sm_wandb_path_join(item.path, &r->name);
    sm_wandb_item_json(&item, &r->json);
    size_t n = sizeof internal - 1;
    const char *name = sm_str_text(&r->name);
    r->failed = r->failed || r->name.failed || r->json.failed;
    if (r->name.len == 0 || r->name.len > SM_LOG_NAME_MAX ||
        (strncmp(name, internal, n) == 0 && (!name[n] || name[n] == '.')))
        return;
    r->has_config = true;
    sm_log_config(r->sink, name, r->name.len, sm_str_text(&r->json), r->json.len);
}

static void take_config(struct sm_wandb_run *r, struct sm_bytes config)
{
    struct sm_wire_field f;
    while (sm_wire_next(&config, &f))
        if (f.number == 1 && f.wire == 2)
            set_config(r, f.bytes);
}

/* ---- run: { 4 config, 5 summary, 8 display_name, 17 start_time } ---- */

/* { 1 seconds, 2 nanoseconds } */
static double get_time(struct sm_bytes b)
{
    struct sm_wire_field f;
    double time = 0;
    while (sm_wire_next(&b, &f))
        if (f.wire == 0 && f.number <= 2)
            time += f.number == 1 ? (double)(int64_t)f.value : (double)(int64_t)f.value / 1e9;
    return time;
}

static void take_run(struct sm_wandb_run *r, struct sm_bytes run)
{
    struct sm_wire_field f;
    while (sm_wire_next(&run, &f)) {
        if (f.wire != 2)
            continue;
        if (f.number == 4)
            take_config(r, f.bytes);
        else if (f.number == 5)
            sm_wandb_take_summary(r, f.bytes);
        else if (f.number == 8 && f.bytes.n)
            sm_log_name(r->sink, (const char *)f.bytes.p, f.bytes.n);
        else if (f.number == 17)
            sm_log_began(r->sink, get_time(f.bytes));
    }
}

/* ---- the name alone ---- */

struct name_search {
    struct sm_str *name;
    bool over; /* a record of the run was there, or a later one */
};

static void find_name(void *ctx, struct sm_bytes record, uint64_t offset)
{
    struct sm_wire_field f, inner;
    struct name_search *s = ctx;
    (void)offset;
    while (!s->over && sm_wire_next(&record, &f)) {
        s->over = f.number == RECORD_RUN || f.number == RECORD_HISTORY;
        while (f.number == RECORD_RUN && f.wire == 2 && sm_wire_next(&f.bytes, &inner))
            if (inner.number == 8 && inner.wire == 2 && !s->name->len)
                sm_str_addn(s->name, inner.bytes.p, inner.bytes.n);
    }
}

static void ignore_problem(void *ctx, uint64_t offset, const struct sm_err *err)
{
    (void)ctx;
    (void)offset;
    (void)err;
}

bool sm_wandb_find_name(struct sm_bytes head, struct sm_str *name)
{
    static const struct sm_wandb_log_ops ops = {find_name, ignore_problem};
    struct sm_wandb_log log = {0};
    struct name_search search = {.name = name};
    sm_wandb_log_take(&log, head, false, &ops, &search);
    sm_wandb_log_clear(&log);
    return search.over;
}

/* ---- the end: { 1 exit_code } ---- */

static void take_exit(struct sm_wandb_run *r, struct sm_bytes b)
{
    struct sm_wire_field f;
    int code = 0;
    while (sm_wire_next(&b, &f))
        if (f.number == 1 && f.wire == 0)
            code = (int)(int32_t)(uint32_t)f.value;
    sm_log_ended(r->sink, true, code);
}

/* ---- console: the text is in field 3, without a line end in field 1 of output_logger ---- */

static void take_output(struct sm_wandb_run *r, struct sm_bytes b, uint64_t field, bool line)
{
    struct sm_wire_field f;
    while (sm_wire_next(&b, &f)) {
        if (f.number != field || f.wire != 2)
            continue;
        r->has_console = r->has_console || f.bytes.n;
        sm_log_console(r->sink, (const char *)f.bytes.p, f.bytes.n);
        if (line)
            sm_log_console(r->sink, "\n", 1);
    }
}

/* ---- metrics of the machine: { 2 timestamp, 3 items } ---- */

struct sample {
    struct sm_wandb_run *r;
    double time;
    size_t base;
};

static void on_leaf(void *ctx, const struct sm_log_value *v)
{
    const struct sample *s = ctx;
    struct sm_str *name = &s->r->name;
    if (v->type != SM_LOG_NUMBER && v->type != SM_LOG_BOOL)
        return;
    sm_str_truncate(name, s->base);
    sm_str_addc(name, '.');
    sm_str_addn(name, v->name, v->name_n);
    sm_log_system(s->r->sink, sm_str_text(name), name->len, s->time, v->number);
}

static void take_sample(struct sample *s, struct sm_bytes b)
{
    struct sm_wandb_run *r = s->r;
    struct sm_wandb_item item;
    struct sm_err err;
    if (!sm_wandb_item_parse(b, &item, &r->scratch))
        return;
    sm_str_truncate(&r->name, 0);
    sm_wandb_path_join(item.path, &r->name);
    s->base = r->name.len;
    if (r->name.len == 0 || r->name.len > SM_LOG_NAME_MAX)
        return;
    sm_wandb_item_settle(&item);
    if (item.type == SM_WANDB_NUMBER)
        sm_log_system(r->sink, r->name.data, r->name.len, s->time, item.number);
    else if (item.type == SM_WANDB_JSON && item.value.p[0] == '{' &&
             !sm_log_json_leaves((const char *)item.value.p, item.value.n, '.', on_leaf, s, &err))
        r->failed = r->failed || err.code == SM_ERR_MEMORY;
}

static void take_stats(struct sm_wandb_run *r, struct sm_bytes b)
{
    struct sample s = {.r = r, .time = NAN};
    struct sm_wire_field f;
    for (struct sm_bytes rest = b; sm_wire_next(&rest, &f);)
        if (f.number == 2 && f.wire == 2)
            s.time = get_time(f.bytes);
    while (sm_wire_next(&b, &f))
        if (f.number == 3 && f.wire == 2)
            take_sample(&s, f.bytes);
}

/* ---- an alert: { 1 title, 2 text, 3 level }; it has the step and time of the history before it
 * ---- */

static void take_alert(struct sm_wandb_run *r, struct sm_bytes b)
{
    struct sm_bytes parts[4] = {{0}};
    struct sm_wire_field f;
    while (sm_wire_next(&b, &f))
        if (f.wire == 2 && f.number <= 3)
            parts[f.number] = f.bytes;
    sm_str_truncate(&r->scratch, 0);
    sm_str_addn(&r->scratch, parts[3].p, parts[3].n);
    sm_str_add(&r->scratch, parts[3].n ? ": " : "");
    sm_str_addn(&r->scratch, parts[1].p, parts[1].n);
    sm_str_add(&r->scratch, parts[1].n && parts[2].n ? ": " : "");
    sm_str_addn(&r->scratch, parts[2].p, parts[2].n);
    sm_log_alert(r->sink, sm_str_text(&r->scratch), r->scratch.len, r->records ? r->step : -1,
                 r->records ? r->time : 0);
}

/* ---- a record ---- */

static void define(struct sm_wandb_run *r, struct sm_bytes b, uint64_t offset)
{
    if (offset < r->defined_to)
        return;
    r->defined_to = offset + 1;
    if (!sm_wandb_metrics_define(&r->metrics, &r->keys, b))
        r->failed = true;
}

static void take_field(struct sm_wandb_run *r, const struct sm_wire_field *f, uint64_t offset)
{
    switch (f->number) {
    case RECORD_HISTORY:
        r->offset = offset;
        sm_wandb_take_history(r, f->bytes);
        break;
    case RECORD_SUMMARY:
        sm_wandb_take_summary(r, f->bytes);
        break;
    case RECORD_OUTPUT:
    case RECORD_OUTPUT_RAW:
        take_output(r, f->bytes, 3, false);
        break;
    case RECORD_OUTPUT_LOGGER:
        take_output(r, f->bytes, 1, true);
        break;
    case RECORD_CONFIG:
        take_config(r, f->bytes);
        break;
    case RECORD_STATS:
        take_stats(r, f->bytes);
        break;
    case RECORD_ALERT:
        take_alert(r, f->bytes);
        break;
    case RECORD_METRIC:
        define(r, f->bytes, offset);
        break;
    case RECORD_RUN:
        take_run(r, f->bytes);
        break;
    case RECORD_EXIT:
        take_exit(r, f->bytes);
        break;
    }
}

void sm_wandb_take_record(struct sm_wandb_run *r, struct sm_bytes record, uint64_t offset)
{
    struct sm_wire_field f;
    struct sm_err err = {0};
    while (sm_wire_next(&record, &f))
        if (f.wire == 2)
            take_field(r, &f, offset);
    r->failed = r->failed || r->scratch.failed || r->name.failed || r->json.failed;
    if (record.n) {
        sm_err_set(&err, SM_ERR_DATA, "a record is no protobuf message");
        sm_wandb_report(r, offset, &err);
    }
}

/* ---- the run ---- */

static void forget_summary(struct sm_wandb_run *r)
{
    r->has_config = r->has_summary = r->has_console = false;
    r->n_changed = 0;
    r->records = r->summed_to = 0;
    r->next_step = 0;
}

void sm_wandb_run_rewind(struct sm_wandb_run *r)
{
    for (uint32_t i = 0; r->keys.names && i < sm_names_count(r->keys.names); i++) {
        struct sm_wandb_key *key = &r->keys.items[i];
        key->seen = key->typed = key->gathered = 0;
        key->changed = false;
        key->axis = sm_wandb_metrics_axis(&r->metrics, &r->keys, i);
        key->defined = r->metrics.version;
    }
    forget_summary(r);
    r->checked = r->metrics.version;
    r->again = r->failed = false;
}

void sm_wandb_run_clear(struct sm_wandb_run *r)
{
    sm_wandb_keys_clear(&r->keys);
    sm_wandb_metrics_clear(&r->metrics);
    sm_free(r->changed);
    sm_free(r->values);
    sm_free(r->gathered);
    sm_arena_clear(&r->arena);
    sm_str_clear(&r->scratch);
    sm_str_clear(&r->name);
    sm_str_clear(&r->json);
    *r = (struct sm_wandb_run){.file = r->file, .source = r->source};
}
