/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/fetch_part.h"

#include "reader/base/mem.h"
#include "reader/fetch/read_part.h"

#include <string.h>

enum { PARTS_KEPT = 8, SHARE_KEPT = 4 }; /* at most a part of the limit */

struct sm_part_node {
    struct sm_trial *trial;
    struct sm_entry entry;
    struct sm_slice slice;
    uint64_t limit, command;
    bool given;              /* handed out */
    struct sm_part_job *job; /* NULL: answered */
    struct sm_tensor *tensor;
    struct sm_err err;
    struct sm_part_node *next;
};
struct sm_part_job {
    struct sm_job job;
    struct sm_fetch_parts *owner; /* NULL if it was freed */
    struct sm_part_node *node;    /* NULL if it is no longer wanted */
    struct sm_source *source;
    char *path;
    struct sm_slice slice;
    struct sm_read read;
    struct sm_part_job *next;
};

/* ---- jobs ---- */

static void run_part_job(struct sm_job *job)
{
    struct sm_part_job *j = (struct sm_part_job *)job;
    struct sm_file file = {0};
    if (sm_file_open(&file, j->source, j->path, &j->read.err))
        sm_read_part(&file, &j->slice, &job->cancelled, &j->read, job->scratch);
    sm_file_close(&file);
}

static void free_part_job(struct sm_part_job *j)
{
    sm_tensor_unref(j->read.tensor);
    sm_source_unref(j->source);
    sm_free(j->path);
    sm_free(j);
}

static void end_part_job(struct sm_job *job)
{
    struct sm_part_job *j = (struct sm_part_job *)job;
    struct sm_fetch_parts *p = j->owner;
    if (p) {
        struct sm_part_job **link = &p->jobs;
        while (*link != j)
            link = &(*link)->next;
        *link = j->next;
        p->n_running--;
    }
    if (p && j->node) {
        j->node->job = NULL;
        j->node->err = j->read.err;
        j->node->tensor = j->read.ok ? j->read.tensor : NULL;
        j->read.tensor = j->read.ok ? NULL : j->read.tensor;
        p->answers = true;
    }
    free_part_job(j);
}

static bool start_part_job(struct sm_fetch_parts *p, struct sm_pool *pool, struct sm_part_node *x,
                           struct sm_err *err)
{
    const char *path = sm_trial_event_path(x->trial, sm_trial_part(x->trial, x->entry.part));
    if (!path)
        return sm_err_set(err, SM_ERR_DATA, "the index has no valid event file");
    struct sm_part_job *j = sm_alloc_zero(1, sizeof *j);
    if (j)
        j->path = sm_strdup(path);
    if (!j || !j->path) {
        sm_free(j);
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a request");
    }
    j->job.run = run_part_job;
    j->job.done = end_part_job;
    j->job.urgency = SM_URGENCY_ASKED;
    j->owner = p;
    j->node = x;
    j->source = sm_source_ref(sm_trial_source(x->trial));
    j->slice = x->slice;
    j->read = (struct sm_read){.path = j->path,
                               .offset = x->entry.offset,
                               .length = x->entry.length,
                               .value = x->entry.value,
                               .want = SM_WANT_TENSOR,
                               .limit = x->limit};
    j->next = p->jobs;
    p->jobs = j;
    p->n_running++;
    x->job = j;
    sm_pool_submit(pool, &j->job);
    return true;
}

/* ---- nodes ---- */

static void free_part_node(struct sm_fetch_parts *p, struct sm_part_node *x)
{
    if (x->job) {
        x->job->node = NULL;
        atomic_store(&x->job->job.cancelled, true);
    }
    sm_tensor_unref(x->tensor);
    sm_free(x);
    p->n_nodes--;
}

/* Frees the nodes after the first few, except those of the command and those that somebody still
 * waits for. */
static void trim_nodes(struct sm_fetch_parts *p, uint64_t command)
{
    struct sm_part_node **link = &p->nodes;
    uint64_t bytes = 0;
    for (size_t i = 0; *link; i++) {
        struct sm_part_node *x = *link;
        bytes += x->tensor ? sm_tensor_bytes(x->tensor) : 0;
        bool fits = i < PARTS_KEPT && bytes <= x->limit / SHARE_KEPT;
        if (fits || !x->given || (command && x->command == command)) {
            link = &x->next;
        } else {
            *link = x->next;
            free_part_node(p, x);
        }
    }
}

static bool is_node_of(const struct sm_part_node *x, const struct sm_trial *t,
                       const struct sm_entry *e, const struct sm_slice *slice)
{
    return x->trial == t && x->entry.part == e->part && x->entry.offset == e->offset &&
           x->entry.value == e->value && sm_slice_same(&x->slice, slice);
}

/* The node, moved to the front; NULL if it is not known. */
static struct sm_part_node *find_node(struct sm_fetch_parts *p, const struct sm_trial *t,
                                      const struct sm_entry *e, const struct sm_slice *slice)
{
    for (struct sm_part_node **link = &p->nodes; *link; link = &(*link)->next) {
        struct sm_part_node *x = *link;
        if (!is_node_of(x, t, e, slice))
            continue;
        *link = x->next;
        x->next = p->nodes;
        return p->nodes = x;
    }
    return NULL;
}

static struct sm_part_node *new_part_node(struct sm_fetch_parts *p, struct sm_trial *t,
                                          const struct sm_entry *e, const struct sm_slice *slice,
                                          uint64_t limit)
{
    struct sm_part_node *x = sm_alloc_zero(1, sizeof *x);
    if (!x)
        return NULL;
    *x = (struct sm_part_node){
        .trial = t, .entry = *e, .slice = *slice, .limit = limit, .next = p->nodes};
    p->nodes = x;
    p->n_nodes++;
    return x;
}

static void drop_first_node(struct sm_fetch_parts *p)
{
    struct sm_part_node *x = p->nodes;
    p->nodes = x->next;
    free_part_node(p, x);
}

bool sm_fetch_parts_get(struct sm_fetch_parts *p, struct sm_pool *pool, struct sm_trial *t,
                        const struct sm_entry *e, const struct sm_slice *slice, uint64_t limit,
                        uint64_t command, struct sm_tensor **out, struct sm_err *err)
{
    struct sm_part_node *x = find_node(p, t, e, slice);
    /* a failure is kept for the command that saw it */
    if (x && !x->job && !x->tensor && x->command != command) {
        drop_first_node(p);
        x = NULL;
    }
    if (!x) {
        x = new_part_node(p, t, e, slice, limit);
        if (!x)
            return sm_err_set(err, SM_ERR_MEMORY, "no memory for a request");
        if (!start_part_job(p, pool, x, err)) {
            drop_first_node(p);
            return false;
        }
    }
    x->command = command;
    x->given = x->given || !x->job;
    if (x->job)
        return sm_err_set(err, SM_ERR_WAIT, "being read");
    bool ok = x->tensor != NULL;
    if (ok)
        *out = sm_tensor_ref(x->tensor);
    else if (err)
        *err = x->err;
    trim_nodes(p, command);
    return ok;
}

void sm_fetch_parts_forget(struct sm_fetch_parts *p, const struct sm_trial *t)
{
    for (struct sm_part_node **link = &p->nodes, *x; (x = *link);) {
        if (t && x->trial != t) {
            link = &x->next;
        } else {
            *link = x->next;
            free_part_node(p, x);
        }
    }
}

void sm_fetch_parts_clear(struct sm_fetch_parts *p)
{
    sm_fetch_parts_forget(p, NULL);
    for (struct sm_part_job *j = p->jobs; j; j = j->next)
        j->owner = NULL;
    *p = (struct sm_fetch_parts){0};
}
