/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/wandb/wandb_metrics.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/wire.h"

#include <string.h>

enum { FIELD_NAME = 1, FIELD_GLOB = 2, FIELD_STEP_METRIC = 4, FIELD_CONTROL = 9, OVERWRITE = 1 };

struct definition {
    struct sm_text name, glob, step_metric;
    bool overwrite;
};

static bool get_flag(struct sm_bytes b, uint64_t number)
{
    struct sm_wire_field f;
    bool set = false;
    while (sm_wire_next(&b, &f))
        set = f.number == number && f.wire == 0 ? f.value != 0 : set;
    return set;
}

static struct definition parse_definition(struct sm_bytes b)
{
    struct definition d = {0};
    struct sm_wire_field f;
    while (sm_wire_next(&b, &f)) {
        struct sm_text text = {(const char *)f.bytes.p, f.bytes.n};
        if (f.wire != 2)
            continue;
        if (f.number == FIELD_NAME)
            d.name = text;
        else if (f.number == FIELD_GLOB)
            d.glob = text;
        else if (f.number == FIELD_STEP_METRIC)
            d.step_metric = text;
        else if (f.number == FIELD_CONTROL)
            d.overwrite = get_flag(f.bytes, OVERWRITE);
    }
    return d;
}

static void set_axis(struct sm_wandb_metrics *m, uint32_t *axis, const struct definition *d,
                     uint32_t key)
{
    if ((d->step_metric.n || d->overwrite) && *axis != key) {
        *axis = key;
        m->version++;
    }
}

static bool define_name(struct sm_wandb_metrics *m, const struct definition *d, uint32_t key)
{
    if (!m->names)
        m->names = sm_names_new();
    size_t before = m->names ? sm_names_count(m->names) : 0;
    if (!m->names || !sm_vec_reserve((void **)&m->axes, &m->cap, before + 1, sizeof *m->axes))
        return false;
    uint32_t id = sm_names_add(m->names, d->name.p, d->name.n);
    if (id == SM_NAME_NONE)
        return false;
    if (id == before) {
        m->axes[id] = SM_NAME_NONE;
        m->version++;
    }
    set_axis(m, &m->axes[id], d, key);
    return true;
}

static struct sm_wandb_glob *find_glob(struct sm_wandb_metrics *m, struct sm_text prefix)
{
    for (size_t i = 0; i < m->n_globs; i++)
        if (sm_text_same((struct sm_text){m->globs[i].prefix, m->globs[i].n}, prefix))
            return &m->globs[i];
    return NULL;
}

/* W&B allows '*' at the end only, and takes a glob without it as a prefix, too. */
static bool define_glob(struct sm_wandb_metrics *m, const struct definition *d, uint32_t key)
{
    struct sm_text prefix = {d->glob.p, d->glob.n - (d->glob.p[d->glob.n - 1] == '*')};
    struct sm_wandb_glob *g = find_glob(m, prefix);
    if (!g && m->n_globs == SM_WANDB_GLOBS_MAX)
        return true;
    if (!g) {
        if (!SM_VEC_ROOM(m->globs, m->n_globs, m->cap_globs))
            return false;
        char *copy = sm_strndup(prefix.p, prefix.n);
        if (!copy)
            return false;
        g = &m->globs[m->n_globs++];
        *g = (struct sm_wandb_glob){copy, prefix.n, SM_NAME_NONE};
        m->version++;
    }
    set_axis(m, &g->axis, d, key);
    return true;
}

bool sm_wandb_metrics_define(struct sm_wandb_metrics *m, struct sm_wandb_keys *keys,
                             struct sm_bytes record)
{
    struct definition d = parse_definition(record);
    uint32_t axis = SM_NAME_NONE;
    if (d.step_metric.n) {
        axis = sm_wandb_key_of(keys, d.step_metric.p, d.step_metric.n);
        if (axis == SM_NAME_NONE)
            return false;
    }
    if (d.name.n)
        return define_name(m, &d, axis);
    return d.glob.n == 0 || define_glob(m, &d, axis);
}

static uint32_t match_globs(const struct sm_wandb_metrics *m, const char *name, size_t n)
{
    const struct sm_wandb_glob *best = NULL;
    for (size_t i = 0; i < m->n_globs; i++) {
        const struct sm_wandb_glob *g = &m->globs[i];
        if (g->n <= n && (!best || g->n > best->n) && memcmp(g->prefix, name, g->n) == 0)
            best = g;
    }
    return best ? best->axis : SM_NAME_NONE;
}

uint32_t sm_wandb_metrics_axis(const struct sm_wandb_metrics *m, const struct sm_wandb_keys *keys,
                               uint32_t key)
{
    const char *name = sm_names_text(keys->names, key);
    size_t n = sm_names_length(keys->names, key);
    uint32_t id = m->names ? sm_names_find(m->names, name, n) : SM_NAME_NONE;
    uint32_t axis = id != SM_NAME_NONE ? m->axes[id] : match_globs(m, name, n);
    if (axis == SM_NAME_NONE || axis == key || keys->items[axis].no_axis ||
        keys->items[axis].role != SM_WANDB_ROLE_VALUE)
        return SM_NAME_NONE;
    return axis;
}

void sm_wandb_metrics_clear(struct sm_wandb_metrics *m)
{
    for (size_t i = 0; i < m->n_globs; i++)
        sm_free(m->globs[i].prefix);
    sm_names_free(m->names);
    sm_free(m->axes);
    sm_free(m->globs);
    *m = (struct sm_wandb_metrics){0};
}
