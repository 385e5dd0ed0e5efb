/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/trace/memory_snapshot.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/pickle/pickle.h"

#include <string.h>

void sm_memory_snapshot_clear(struct sm_memory_snapshot *s)
{
    sm_names_free(s->names);
    sm_free(s->events);
    *s = (struct sm_memory_snapshot){0};
}

bool sm_memory_snapshot_looks_like(const char *p, size_t n)
{
    static const char *const keys[] = {"segments", "device_traces"};
    n = n < 128 ? n : 128;
    for (size_t i = 0; n > 2 && *p == '\x80' && i < sizeof keys / sizeof *keys; i++)
        if (memmem(p, n, keys[i], strlen(keys[i])))
            return true;
    return false;
}

static int64_t number(const struct sm_pickle *t, uint32_t dict, const char *key)
{
    uint32_t at;
    int64_t v;
    return sm_pickle_get(t, dict, key, &at) && sm_pickle_integer(t, at, &v) ? v : 0;
}

static struct sm_text text(const struct sm_pickle *t, uint32_t dict, const char *key)
{
    uint32_t at;
    return sm_pickle_get(t, dict, key, &at) ? sm_pickle_text(t, at) : (struct sm_text){"", 0};
}

static size_t length(const struct sm_pickle *t, uint32_t list)
{
    enum sm_pickle_kind kind = sm_pickle_kind(t, list);
    return kind == SM_PICKLE_LIST || kind == SM_PICKLE_TUPLE ? sm_pickle_node(t, list)->n : 0;
}

/* Sums do not overflow, whatever the file says. */
static void add(int64_t *sum, int64_t v)
{
    if (v > 0 && __builtin_add_overflow(*sum, v, sum))
        *sum = INT64_MAX;
}

/* ---- what it held in the end ---- */

static void add_blocks(const struct sm_pickle *t, uint32_t segment, struct sm_memory_end *e)
{
    uint32_t blocks;
    if (!sm_pickle_get(t, segment, "blocks", &blocks))
        return;
    for (size_t i = 0; i < length(t, blocks); i++) {
        uint32_t b = sm_pickle_item(t, blocks, i);
        int64_t size = number(t, b, "size");
        e->blocks++;
        if (sm_text_is(text(t, b, "state"), "inactive") && size > e->largest_free)
            e->largest_free = size;
    }
}

static void add_segments(const struct sm_pickle *t, struct sm_memory_snapshot *out)
{
    uint32_t segments;
    if (!sm_pickle_get(t, t->root, "segments", &segments))
        return;
    for (size_t i = 0; i < length(t, segments); i++) {
        uint32_t s = sm_pickle_item(t, segments, i);
        int64_t device = number(t, s, "device");
        if (device < 0 || device >= SM_MEMORY_DEVICES)
            continue;
        struct sm_memory_end *e = &out->ends[device];
        e->segments++;
        add(&e->reserved, number(t, s, "total_size"));
        add(&e->allocated, number(t, s, "allocated_size"));
        add(&e->active, number(t, s, "active_size"));
        add(&e->requested, number(t, s, "requested_size"));
        add_blocks(t, s, e);
    }
}

/* ---- events ---- */

static bool ends_with(struct sm_text t, const char *ending)
{
    size_t n = strlen(ending);
    return t.n >= n && memcmp(t.p + t.n - n, ending, n) == 0;
}

static bool is_foreign(struct sm_text file)
{
    static const char *const endings[] = {".cpp", ".cc", ".c", ".h", ".cu", "??"};
    if (!file.n || memmem(file.p, file.n, "site-packages", 13))
        return true;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(file, endings[i]))
            return true;
    return false;
}

/* "train.py:63:step"; NONE: there is no frame of the user's. */
static uint32_t stack_of(const struct sm_pickle *t, uint32_t event, struct sm_names *names)
{
    uint32_t frames, id = SM_NAME_NONE;
    if (!sm_pickle_get(t, event, "frames", &frames))
        return id;
    for (size_t i = 0; i < length(t, frames) && id == SM_NAME_NONE; i++) {
        uint32_t f = sm_pickle_item(t, frames, i);
        struct sm_text file = text(t, f, "filename"), name = text(t, f, "name");
        struct sm_str s = {0};
        if (is_foreign(file))
            continue;
        sm_str_addn(&s, file.p, file.n);
        sm_str_printf(&s, ":%lld:", (long long)number(t, f, "line"));
        sm_str_addn(&s, name.p, name.n);
        id = s.failed ? SM_NAME_NONE : sm_names_add(names, s.data, s.len);
        sm_str_clear(&s);
    }
    return id;
}

/* Of one event, so that sums of all of them fit: 512 GiB. */
#define SIZE_MOST ((int64_t)1 << 39)

static int action_of(struct sm_text name)
{
    static const struct {
        const char *name;
        enum sm_memory_action action;
    } actions[] = {{"alloc", SM_MEMORY_ALLOC},
                   {"free_requested", SM_MEMORY_FREE_REQUESTED},
                   {"free_completed", SM_MEMORY_FREE_COMPLETED},
                   {"segment_alloc", SM_MEMORY_RESERVED},
                   {"segment_map", SM_MEMORY_RESERVED},
                   {"segment_free", SM_MEMORY_RELEASED},
                   {"segment_unmap", SM_MEMORY_RELEASED},
                   {"oom", SM_MEMORY_OOM}};
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (sm_text_is(name, actions[i].name))
            return actions[i].action;
    return -1;
}

static bool add_event(const struct sm_pickle *t, uint32_t e, size_t device,
                      struct sm_memory_snapshot *out)
{
    int action = action_of(text(t, e, "action"));
    int64_t size = number(t, e, "size");
    if (action < 0 || size < 0 || (action != SM_MEMORY_OOM && size > SIZE_MOST)) {
        out->others[device]++;
        return true;
    }
    if (!SM_VEC_ROOM(out->events, out->n, out->cap))
        return false;
    out->events[out->n++] = (struct sm_memory_event){.time_us = number(t, e, "time_us"),
                                                     .address = number(t, e, "addr"),
                                                     .size = size,
                                                     .device_free = number(t, e, "device_free"),
                                                     .stack = stack_of(t, e, out->names),
                                                     .action = (uint8_t)action,
                                                     .device = (uint8_t)device};
    return true;
}

static bool add_events(const struct sm_pickle *t, struct sm_memory_snapshot *out)
{
    uint32_t devices;
    if (!sm_pickle_get(t, t->root, "device_traces", &devices))
        return true;
    for (size_t d = 0; d < length(t, devices) && d < SM_MEMORY_DEVICES; d++) {
        uint32_t list = sm_pickle_item(t, devices, d);
        for (size_t i = 0; i < length(t, list); i++)
            if (!add_event(t, sm_pickle_item(t, list, i), d, out))
                return false;
    }
    return true;
}

/* ---- the file ---- */

static bool take(const struct sm_pickle *t, struct sm_memory_snapshot *out, struct sm_err *err)
{
    uint32_t at;
    out->names = sm_names_new();
    if (!out->names)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a snapshot");
    if (!sm_pickle_get(t, t->root, "segments", &at) &&
        !sm_pickle_get(t, t->root, "device_traces", &at))
        return sm_err_set(err, SM_ERR_DATA,
                          "expected a snapshot of memory: \"segments\" and \"device_traces\"");
    add_segments(t, out);
    return add_events(t, out) ||
           sm_err_set(err, SM_ERR_MEMORY, "no memory for all events of a snapshot");
}

bool sm_memory_snapshot_read(struct sm_source *source, const char *path,
                             struct sm_memory_snapshot *out, struct sm_err *err)
{
    struct sm_file file = {0};
    struct sm_file_span span;
    struct sm_byte_stream stream = {0};
    struct sm_pickle_input in = {.stream = &stream};
    struct sm_pickle tree = {0};
    struct sm_err later = {0};
    bool ok = sm_file_open(&file, source, path, err) && sm_span_of_file(&span, &file, err) &&
              sm_byte_stream_open(&stream, span, SM_PACKING_NONE, span.size_bytes, err);
    if (ok) {
        ok = sm_pickle_read(&tree, &in, SM_SNAPSHOT_TREE_MAX, err);
        bool taken = tree.n_nodes && take(&tree, out, ok ? err : &later);
        ok = ok && taken;
    }
    sm_pickle_clear(&tree);
    sm_pickle_input_clear(&in);
    sm_byte_stream_close(&stream);
    sm_file_close(&file);
    return ok;
}
