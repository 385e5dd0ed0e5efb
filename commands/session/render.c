/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/render.h"

enum { QUICK_ELEMENTS = 50000 };

struct sm_render {
    struct sm_job job;
    struct sm_result result;
    struct sm_print_options options;
    char *fields;
    struct sm_str text;
    bool done, dropped; /* main thread only */
};

bool sm_render_takes_long(const struct sm_result *r)
{
    uint64_t n = 0;
    for (size_t i = 0; i < r->n_tensors; i++)
        n += r->tensors[i]->n;
    return n > QUICK_ELEMENTS;
}

static void job_run(struct sm_job *job)
{
    struct sm_render *x = (struct sm_render *)job;
    sm_print_result(&x->result, &x->options, &x->text);
}

static void free_render(struct sm_render *x)
{
    sm_result_clear(&x->result);
    sm_str_clear(&x->text);
    sm_free(x->fields);
    sm_free(x);
}

static void job_done(struct sm_job *job)
{
    struct sm_render *x = (struct sm_render *)job;
    x->done = true;
    if (x->dropped)
        free_render(x);
}

struct sm_render *sm_render_start(struct sm_pool *pool, struct sm_result *r,
                                  const struct sm_print_options *o)
{
    struct sm_render *x = sm_xalloc_zero(1, sizeof *x);
    x->job.run = job_run;
    x->job.done = job_done;
    x->job.urgency = SM_URGENCY_ASKED;
    x->result = *r;
    x->options = *o;
    x->fields = o->fields ? sm_xstrdup(o->fields) : NULL;
    x->options.fields = x->fields;
    sm_result_init(r);
    sm_pool_submit(pool, &x->job);
    return x;
}

bool sm_render_done(const struct sm_render *x)
{
    return x->done;
}

void sm_render_take(struct sm_render *x, struct sm_result *r, struct sm_str *text)
{
    sm_result_clear(r);
    *r = x->result;
    *text = x->text;
    sm_result_init(&x->result);
    x->text = (struct sm_str){0};
    free_render(x);
}

void sm_render_drop(struct sm_render *x)
{
    x->dropped = true;
    atomic_store(&x->job.cancelled, true);
    if (x->done)
        free_render(x);
}
