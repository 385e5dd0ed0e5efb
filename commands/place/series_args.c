/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/series_args.h"

#include "reader/trial_place.h"

/* Percentiles are not reductions: they need the elements. */
static bool is_reduction(const struct sm_statistic *x)
{
    return x->kind != SM_STATISTIC_QUANTILE || x->reduction != SM_REDUCE_NONE;
}

bool sm_args_series(struct sm_call *c, struct sm_trial *t, const struct sm_trial_tensor *x,
                    struct sm_series_spec *spec, struct sm_err *err)
{
    const struct sm_word *reduce = sm_call_keyword(c, "reduce");
    const struct sm_word *mode = sm_call_keyword(c, "mode"), *worker = sm_call_keyword(c, "worker");
    *spec = (struct sm_series_spec){.tensor = x->name, .worker = SM_WORKER_ANY};
    if (reduce) {
        spec->reduction = sm_statistic_find(reduce->text);
        if (!spec->reduction || !is_reduction(spec->reduction))
            return sm_err_set(
                err, SM_ERR_USAGE,
                "Undefined reduction: \"%.*s\". Try min, max, mean, std, l2 or abs_mean.",
                (int)reduce->text.n, reduce->text.p);
        spec->saved = !x->has_value;
    } else if (!sm_series_default(c->session->fetch, t, x, spec, err)) {
        return false;
    }
    spec->mode = SM_MODE_ANY;
    spec->worker = SM_WORKER_ANY;
    return (!mode || sm_place_find_mode(mode->text, &spec->mode, err)) &&
           (!worker || sm_args_all_workers(c) ||
            sm_place_find_worker(t, worker->text, &spec->worker, err));
}

bool sm_args_all_workers(const struct sm_call *c)
{
    const struct sm_word *worker = sm_call_keyword(c, "worker");
    return worker && sm_text_is(worker->text, "*");
}

void sm_args_saved_node(struct sm_result *out, struct sm_node *map, const struct sm_series_spec *s)
{
    if (s->saved && s->reduction)
        sm_node_bool(out, map, "saved", true);
}

const char *sm_args_reduction_text(const struct sm_series_spec *s)
{
    return s->reduction ? s->reduction->key : NULL;
}
