/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensorboard/tensorboard_session.h"

#include "reader/base/crc32c.h"
#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/format/tfrecord.h"
#include "reader/format/wire.h"
#include "reader/tensorboard/tensorboard.h"

enum { SESSION_MAX = 64 << 10 }; /* longer files are of other runs */
enum { BYTES = 2 };

struct look {
    struct sm_source *source;
    const char *dir;
    struct sm_names *metrics; /* tags of the experiment's metrics */
    bool experiment, started; /* were seen */
    bool other, failed;
    uint32_t config;
};

/* ---- the plugin's messages ---- */

/* MetricInfo { MetricName name = 1 { string tag = 2 } } */
static void add_metric(struct look *l, struct sm_bytes info)
{
    struct sm_wire_field f, g;
    while (sm_wire_next(&info, &f)) {
        if (f.number != 1 || f.wire != BYTES)
            continue;
        while (sm_wire_next(&f.bytes, &g))
            if (g.number == 2 && g.wire == BYTES &&
                sm_names_add(l->metrics, (const char *)g.bytes.p, g.bytes.n) == SM_NAME_NONE)
                l->failed = true;
    }
}

static void enter_experiment(struct look *l, struct sm_bytes experiment)
{
    enum { METRIC_INFOS = 5 };
    struct sm_wire_field f;
    l->experiment = true;
    while (sm_wire_next(&experiment, &f))
        if (f.number == METRIC_INFOS && f.wire == BYTES)
            add_metric(l, f.bytes);
}

/* The last session counts. */
static void enter_start(struct look *l, struct sm_bytes start)
{
    struct sm_wire_field f;
    l->started = true;
    l->config = 0;
    while (sm_wire_next(&start, &f))
        if (f.number == 1 && f.wire == BYTES)
            l->config += sm_crc32c(f.bytes.p, f.bytes.n);
}

static void enter_plugin(struct look *l, struct sm_bytes content)
{
    enum { EXPERIMENT = 2, START = 3 };
    struct sm_wire_field f;
    while (sm_wire_next(&content, &f)) {
        if (f.wire == BYTES && f.number == EXPERIMENT)
            enter_experiment(l, f.bytes);
        else if (f.wire == BYTES && f.number == START)
            enter_start(l, f.bytes);
    }
}

/* ---- files ---- */

static void enter_value(struct look *l, const struct sm_walk_value *v)
{
    if (sm_text_is(v->plugin, "hparams"))
        enter_plugin(l, v->plugin_content);
    else if (v->kind != SM_WALK_NUMBER ||
             sm_names_find(l->metrics, v->tag.p ? v->tag.p : "", v->tag.n) == SM_NAME_NONE)
        l->other = true;
}

static void enter_event(struct look *l, struct sm_bytes payload)
{
    struct sm_event_outline e;
    struct sm_walk_value v;
    bool bad = false;
    l->other = l->other || !sm_event_outline(payload, &e) || e.has_graph;
    while (!l->other && sm_event_next_value(&e.summary, &v, &bad))
        enter_value(l, &v);
    l->other = l->other || bad;
}

/* What is torn at the end may still come. */
static void enter_records(struct look *l, struct sm_bytes p)
{
    struct sm_bytes payload;
    enum sm_crc crc;
    struct sm_err err;
    while (!l->other && p.n && sm_frame_parse(p, true, &payload, &crc, &err)) {
        l->other = crc == SM_CRC_BAD;
        if (!l->other)
            enter_event(l, payload);
        size_t n = payload.n + SM_FRAME_OVERHEAD;
        p = (struct sm_bytes){p.p + n, p.n - n};
    }
}

static void look_at_file(struct look *l, const char *path)
{
    struct sm_err err;
    struct sm_str bytes = {0};
    l->other = !sm_source_slurp(l->source, path, SESSION_MAX, &bytes, &err);
    if (!l->other)
        enter_records(l, (struct sm_bytes){(const uint8_t *)bytes.data, bytes.len});
    sm_str_clear(&bytes);
}

/* ---- folders ---- */

/* A compressed file is read by the name it had (reader/source/source_packed.c). */
static bool path_of(const char *dir, const char *name, struct sm_str *path)
{
    sm_str_printf(path, "%s%s%s", dir, *dir ? "/" : "", name);
    if (!path->failed)
        sm_str_truncate(path, sm_source_plain_name(sm_str_text(path)));
    return !path->failed;
}

static bool on_name(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct look *l = ctx;
    struct sm_str path = {0};
    (void)inode;
    if (is_dir || !sm_board_is_event_file(name))
        return true;
    l->failed = l->failed || !path_of(l->dir, name, &path);
    if (!l->failed)
        look_at_file(l, sm_str_text(&path));
    sm_str_clear(&path);
    return !l->other && !l->failed;
}

enum sm_board_content sm_board_look_at(struct sm_source *source, const char *dir, uint32_t *config)
{
    struct look l = {.source = source, .dir = dir, .metrics = sm_names_new()};
    struct sm_err err;
    bool ok = l.metrics && sm_source_list(source, dir, on_name, &l, &err) && !l.failed;
    sm_names_free(l.metrics);
    *config = l.config;
    if (!ok || l.other)
        return SM_BOARD_OTHER;
    return l.experiment && l.started ? SM_BOARD_SESSION : SM_BOARD_UNDECIDED;
}

/* ---- runs without events ---- */

struct events {
    struct sm_source *source;
    const char *dir;
    bool any;
};

static bool on_file(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct events *x = ctx;
    struct sm_str path = {0};
    struct sm_stat st;
    struct sm_err err;
    (void)inode;
    if (is_dir || !sm_board_is_event_file(name))
        return true;
    x->any = !path_of(x->dir, name, &path) ||
             !sm_source_stat(x->source, sm_str_text(&path), &st, &err) ||
             st.size_bytes > SM_BOARD_BARE_BYTES || st.compressed;
    sm_str_clear(&path);
    return !x->any;
}

bool sm_board_has_events(struct sm_source *source, const char *dir)
{
    struct events x = {source, dir, false};
    struct sm_err err;
    return !sm_source_list(source, dir, on_file, &x, &err) || x.any;
}
