/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/runs/config_columns.h"

#include "commands/runs/config_key.h"
#include "commands/session/session.h"
#include "reader/base/grow.h"
#include "reader/base/map.h"

/* What the runs have of one setting. */
struct setting {
    const char *key, *value;
    size_t runs, last; /* runs that have it; number of the last one of them, from 1 */
    bool differs;
};
struct settings {
    struct sm_names *names; /* folded; an id is the index */
    struct setting *items;
    size_t n, cap;
    size_t runs; /* that have a configuration */
    struct sm_str folded;
};

static void add_field(struct settings *a, size_t run, const struct sm_run_field *x)
{
    sm_str_truncate(&a->folded, 0);
    sm_config_key_fold(x->key, &a->folded);
    uint32_t id = sm_names_add(a->names, sm_str_text(&a->folded), a->folded.len);
    if (id == SM_NAME_NONE)
        return;
    if (id == a->n) {
        SM_GROW(a->items, a->n, a->cap);
        a->items[a->n++] = (struct setting){.key = x->key, .value = x->json};
    }
    struct setting *s = &a->items[id];
    if (s->last == run) /* the same by another name */
        return;
    s->last = run;
    s->runs++;
    s->differs = s->differs || !sm_config_same(s->value, x->json);
}

/* Plain names come first, so that "lr" is not what an optimizer has made of it. */
static void add_run(struct settings *a, size_t run, const struct sm_run_fields *config)
{
    a->runs += config->n > 0;
    for (int plain = 1; plain >= 0; plain--)
        for (size_t i = 0; i < config->n; i++) {
            const struct sm_run_field *x = &config->items[i];
            if ((sm_config_key_plain(x->key) == x->key) == plain &&
                !sm_config_key_is_internal(x->key))
                add_field(a, run, x);
        }
}

static bool is_often_there(const struct settings *a, const struct setting *s, size_t runs)
{
    return s->runs < runs && 2 * s->runs >= a->runs;
}

size_t sm_run_table_differs(const struct sm_session *s, const struct sm_run_table *t,
                            const char **keys, size_t most, size_t *all)
{
    struct settings a = {.names = sm_names_new()};
    size_t n = 0;
    for (size_t i = 0; a.names && t->n > 1 && i < t->n; i++)
        add_run(&a, i + 1, &sm_trial_info(s->trials[t->rows[i].trial].trial)->config);
    *all = 0;
    for (int differs = 1; differs >= 0; differs--)
        for (size_t i = 0; i < a.n; i++) {
            const struct setting *x = &a.items[i];
            if (x->differs != differs || (!differs && !is_often_there(&a, x, t->n)))
                continue;
            if (n < most)
                keys[n++] = sm_config_key_plain(x->key);
            ++*all;
        }
    sm_names_free(a.names);
    sm_free(a.items);
    sm_str_clear(&a.folded);
    return n;
}
