/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of a kind of trial that is a log. The list reads what is new; the read hands it
 * over as one batch. When a batch is lost for lack of memory, the log is read anew. */
#include "reader/logs/log_state.h"

#include "reader/kind/scalar_names.h"

struct log_state {
    const struct sm_trial_input *in;
    void *format;
    struct sm_log_sink sink;
    bool named; /* the trial has the collections */
    bool lost;  /* something was not merged: read anew */
};

void *sm_log_state_new(const struct sm_trial_input *in)
{
    struct log_state *s = sm_alloc_zero(1, sizeof *s);
    if (!s)
        return NULL;
    s->in = in;
    s->format = in->kind->log->open(in);
    if (s->format)
        return s;
    sm_free(s);
    return NULL;
}

void sm_log_state_free(void *state)
{
    struct log_state *s = state;
    s->in->kind->log->close(s->format);
    sm_log_sink_clear(&s->sink);
    sm_free(s);
}

/* False if there is no memory: the old state stays. */
static bool open_again(struct log_state *s)
{
    void *format = s->in->kind->log->open(s->in);
    if (!format)
        return false;
    s->in->kind->log->close(s->format);
    s->format = format;
    sm_log_sink_clear(&s->sink);
    s->sink.restarted = s->sink.informed = true;
    s->lost = false;
    return true;
}

/* What was said since the last time. */
static bool hand_info(struct log_state *s, struct sm_tail_changes *n)
{
    if (!s->sink.informed)
        return true;
    n->info = sm_alloc(sizeof *n->info);
    if (!n->info)
        return false;
    *n->info = s->sink.info;
    n->whole_info = s->sink.restarted;
    s->sink.info = (struct sm_run_info){0};
    s->sink.informed = false;
    return true;
}

static void hand_problems(struct log_state *s, struct sm_tail_changes *n)
{
    sm_problems_clear(&n->problems);
    n->problems = s->sink.problems;
    s->sink.problems = (struct sm_problems){0};
}

void sm_log_list(void *state, struct sm_tail_changes *n)
{
    struct log_state *s = state;
    struct sm_stat st;
    struct sm_err err = {0};
    n->exists = sm_source_stat(s->in->source, "", &st, &err);
    if (!n->exists) {
        sm_news_report(n, ".", &err);
        return;
    }
    if (s->lost && !open_again(s)) {
        n->no_memory = true;
        return;
    }
    n->one_worker = n->by_lines = true;
    n->more = s->in->kind->log->poll(s->format, &s->sink);
    s->lost = s->sink.failed || !hand_info(s, n);
    hand_problems(s, n);
    n->recreated = s->sink.restarted;
    s->sink.restarted = false;
    n->ended = s->sink.ended;
    n->n_files = s->sink.batch && !s->lost;
    s->named = s->named && !n->recreated;
    if (n->n_files && !s->named)
        s->named = sm_scalar_collections(n);
    s->lost = s->lost || (n->n_files && !s->named);
    n->no_memory = s->lost;
}

struct sm_batch *sm_log_read(const void *state, size_t from, size_t to)
{
    struct log_state *s = (struct log_state *)(uintptr_t)state; /* one file: only one read */
    struct sm_batch *b = s->sink.batch;
    (void)from;
    (void)to;
    s->sink.batch = NULL;
    sm_log_sink_next(&s->sink);
    if (b)
        sm_batch_sort(b);
    return b;
}

void sm_log_settle(void *state, const struct sm_batch *b, size_t n_merged)
{
    struct log_state *s = state;
    s->lost = s->lost || n_merged < b->n_parts;
}

void sm_log_unread(void *state)
{
    ((struct log_state *)state)->lost = true;
}
