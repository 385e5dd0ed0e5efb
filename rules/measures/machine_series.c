/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/measures/machine_series.h"

#include <strings.h>

static bool is_word(const struct sm_metric_store *m, uint32_t id, const char *word)
{
    return !word || strcasecmp(sm_metric_name(m, id), word) == 0;
}

bool sm_series_is(const struct sm_metric_store *m, const struct sm_metric_series *s,
                  const char *type, const char *name, const char *dimension)
{
    return is_word(m, s->key.dimension, dimension) && is_word(m, s->key.name, name) &&
           is_word(m, s->key.type, type);
}

bool sm_series_is_device(const struct sm_metric_store *m, const struct sm_metric_series *s,
                         const char *dimension)
{
    return s->key.name != SM_NAME_NONE && s->n && sm_series_is(m, s, NULL, NULL, dimension);
}

const struct sm_metric_series *sm_series_mean(const struct sm_metric_store *m, uint32_t node,
                                              const char *dimension)
{
    for (size_t i = 0; i < m->n_series; i++) {
        const struct sm_metric_series *s = &m->series[i];
        if (s->key.node == node && s->total == SM_NAME_NONE && s->n &&
            sm_series_is(m, s, NULL, NULL, dimension))
            return s;
    }
    return NULL;
}

const struct sm_metric_series *sm_series_beside(const struct sm_metric_store *m,
                                                const struct sm_metric_series *s,
                                                const char *dimension)
{
    for (size_t i = 0; i < m->n_series; i++) {
        const struct sm_metric_series *k = &m->series[i];
        if (k->key.node == s->key.node && k->key.name == s->key.name &&
            sm_series_is(m, k, NULL, NULL, dimension))
            return k;
    }
    return NULL;
}

bool sm_series_has_devices(const struct sm_profile *p, const char *dimension)
{
    const struct sm_metric_store *m = sm_profile_metrics(p);
    for (size_t i = 0; i < m->n_series; i++)
        if (sm_series_is_device(m, &m->series[i], dimension))
            return true;
    return false;
}

size_t sm_series_count_names(const struct sm_metric_store *m, const char *dimension,
                             int64_t from_ns, int64_t to_ns)
{
    struct sm_map names = {0};
    for (size_t i = 0; i < m->n_series; i++) {
        const struct sm_metric_series *s = &m->series[i];
        size_t at = sm_metric_at(m, s, from_ns);
        if (sm_series_is_device(m, s, dimension) && at < s->n && sm_metric_time(m, s, at) < to_ns)
            sm_map_put(&names, s->key.name, 1);
    }
    size_t n = names.count;
    sm_map_clear(&names);
    return n;
}
