/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/blame.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "rules/trace/trace_comms.h"

#include <stdlib.h>
#include <string.h>

/* A rank's part in an operation; times of all ranks are since 1970, or since the same time. */
struct part {
    int64_t start_ns, end_ns, seq, step;
    int64_t own_ns; /* start_ns on the clock of the rank */
    uint32_t op;    /* number of the operation */
    uint32_t group; /* id of its group */
    uint32_t rank;  /* index */
    const char *name, *ranks, *collective;
};
struct work {
    struct sm_blame *out;
    struct sm_names *groups, *ops, *counters;
    uint64_t *counts; /* of operations without a sequence number, by counter */
    size_t cap_counts;
    struct part *parts;
    size_t n, cap;
};

/* ---- parts ---- */

static uint32_t key_of(struct sm_names *names, const char *a, const char *b, int64_t x, int64_t y)
{
    struct sm_str key = {0};
    sm_str_printf(&key, "%lld %lld ", (long long)x, (long long)y);
    sm_str_addn(&key, a, strlen(a) + 1);
    sm_str_add(&key, b);
    uint32_t id = key.failed ? SM_NAME_NONE : sm_names_add(names, key.data, key.len);
    sm_str_clear(&key);
    return id;
}

/* The number of the operation among those of its kind on this rank, from 1. */
static int64_t count_of(struct work *w, const struct part *p)
{
    size_t before = w->cap_counts;
    uint32_t id = key_of(w->counters, p->collective, "", p->group, p->rank);
    if (id == SM_NAME_NONE ||
        !sm_vec_reserve((void **)&w->counts, &w->cap_counts, (size_t)id + 1, sizeof *w->counts))
        return 0;
    memset(w->counts + before, 0, (w->cap_counts - before) * sizeof *w->counts);
    return (int64_t)++w->counts[id];
}

static bool is_collective(const char *name)
{
    return !strstr(name, "send") && !strstr(name, "recv");
}

static void add_part(struct work *w, const struct sm_trace_view *v, const struct sm_gpu_work *g,
                     const struct sm_trace_comm *c, uint32_t rank)
{
    const struct sm_trace_data *t = v->trace;
    const struct sm_trace_event *e = &t->events[g->call == SM_NAME_NONE ? g->event : g->call];
    const struct sm_trace_step *step = sm_trace_step_at(v, e->start_ns);
    struct part p = {.start_ns = g->start_ns + t->base_ns,
                     .end_ns = g->end_ns + t->base_ns,
                     .own_ns = g->start_ns + t->base_ns,
                     .seq = c->seq,
                     .step = step ? step->number : -1,
                     .rank = rank,
                     .name = sm_trace_name(t, c->group),
                     .ranks = sm_trace_name(t, c->ranks),
                     .collective = sm_trace_name(t, c->collective)};
    if (!is_collective(p.collective))
        return;
    p.group = key_of(w->groups, p.name, p.ranks, 0, 0);
    bool counted = p.seq < 0;
    if (counted)
        p.seq = count_of(w, &p);
    p.op = key_of(w->ops, counted ? p.collective : "", counted ? "n" : "", p.group, p.seq);
    if (p.group != SM_NAME_NONE && p.op != SM_NAME_NONE && SM_VEC_ROOM(w->parts, w->n, w->cap))
        w->parts[w->n++] = p;
}

static void add_trace(struct work *w, const struct sm_trace_view *v, uint32_t rank)
{
    struct sm_map args;
    sm_comm_args(v->trace, &args);
    for (size_t i = 0; i < v->n_gpu; i++) {
        const struct sm_trace_comm *c = sm_comm_of(v, &v->gpu[i], &args);
        if (c && c->group != SM_NAME_NONE)
            add_part(w, v, &v->gpu[i], c, rank);
    }
    sm_map_clear(&args);
}

static int by_op(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* The first that a rank has of an operation counts; those that one rank alone has do not. */
static void keep_shared(struct work *w)
{
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < w->n; i++)
        if (!n || w->parts[n - 1].op != w->parts[i].op || w->parts[n - 1].rank != w->parts[i].rank)
            w->parts[n++] = w->parts[i];
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && w->parts[to].op == w->parts[from].op;)
            to++;
        for (size_t i = from; to - from > 1 && i < to; i++)
            w->parts[kept++] = w->parts[i];
    }
    w->n = kept;
}

/* ---- clocks ---- */

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Orders them. */
static int64_t median(int64_t *x, size_t n)
{
    qsort(x, n, sizeof *x, by_number);
    if (n % 2)
        return x[n / 2];
    int64_t low = x[n / 2 - 1], apart = x[n / 2] - low;
    return low + apart / 2;
}

struct clock {
    uint32_t group, rank;
    int64_t late_ns; /* of one operation's end */
    uint32_t part;
};

static int by_clock(const void *a, const void *b)
{
    const struct clock *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static void note_ends(const struct part *p, size_t from, size_t to, int64_t *room, struct clock *c)
{
    for (size_t i = from; i < to; i++)
        room[i - from] = p[i].end_ns;
    int64_t middle = median(room, to - from);
    for (size_t i = from; i < to; i++)
        c[i] = (struct clock){p[i].group, p[i].rank, p[i].end_ns - middle, (uint32_t)i};
}

/* Takes the offsets of clocks off the starts and ends. */
static void align(struct work *w)
{
    struct clock *c = sm_xalloc((w->n + 1) * sizeof *c);
    int64_t *room = sm_xalloc((w->n + 1) * sizeof *room);
    for (size_t from = 0, to; from < w->n; from = to) {
        for (to = from; to < w->n && w->parts[to].op == w->parts[from].op;)
            to++;
        note_ends(w->parts, from, to, room, c);
    }
    if (w->n)
        qsort(c, w->n, sizeof *c, by_clock);
    for (size_t from = 0, to; from < w->n; from = to) {
        for (to = from; to < w->n && by_clock(&c[to], &c[from]) == 0; to++)
            room[to - from] = c[to].late_ns;
        int64_t offset = median(room, to - from);
        for (size_t i = from; i < to; i++) {
            w->parts[c[i].part].start_ns -= offset;
            w->parts[c[i].part].end_ns -= offset;
        }
    }
    sm_free(c);
    sm_free(room);
}

/* ---- rows ---- */

/* Clocks may be anything. */
static void add_wait(int64_t *sum, int64_t ns)
{
    if (__builtin_add_overflow(*sum, ns, sum))
        *sum = INT64_MAX;
}

static void add_row(struct work *w, size_t from, size_t to)
{
    struct sm_blame *b = w->out;
    const struct part *p = w->parts, *last = &p[from], *shortest = &p[from];
    struct sm_blame_row row = {.first = b->n_waits, .n = to - from};
    for (size_t i = from; i < to; i++) {
        last = p[i].start_ns > last->start_ns ? &p[i] : last;
        if (p[i].end_ns - p[i].start_ns < shortest->end_ns - shortest->start_ns)
            shortest = &p[i];
    }
    for (size_t i = from; i < to; i++) {
        int64_t wait = last->start_ns - p[i].start_ns;
        b->waits[b->n_waits++] = (struct sm_blame_wait){p[i].rank, wait};
        add_wait(&b->matrix[p[i].rank * b->n_ranks + last->rank], wait);
        add_wait(&b->suffered[p[i].rank], wait);
        add_wait(&row.waited_ns, wait);
    }
    row.group = last->name;
    row.ranks = last->ranks;
    row.collective = last->collective;
    row.seq = last->seq;
    row.step = last->step;
    row.last = row.root = last->rank;
    row.shortest = shortest->rank;
    add_wait(&b->blame[row.last], row.waited_ns);
    b->rows[b->n_rows++] = row;
}

static int by_step(const void *a, const void *b)
{
    const struct sm_blame_row *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* What a rank waited for last: how long, for whom, in which group. */
struct debt {
    int64_t ns;
    uint32_t root, group;
};

static void pass_on(struct sm_blame *b, struct sm_blame_row *r, uint32_t group, struct debt *debts)
{
    const struct debt *d = &debts[r->last];
    int64_t late = 0;
    for (size_t i = r->first; i < r->first + r->n; i++)
        late = b->waits[i].ns > late ? b->waits[i].ns : late;
    if (d->ns && d->group != group && d->ns >= late / 2)
        r->root = d->root;
    for (size_t i = r->first; i < r->first + r->n; i++)
        debts[b->waits[i].rank] = (struct debt){b->waits[i].ns, r->root, group};
    add_wait(&b->root_blame[r->root], r->waited_ns);
}

/* The operations of each rank, in the order of its own clock: no two clocks are compared. */
struct lists {
    struct turn {
        int64_t own_ns;
        uint32_t rank, row;
    } * turns;
    size_t *next, *end; /* by rank: of its turns */
    uint32_t *ready;    /* by row: ranks for which it is the next */
    bool *done;
};

static int by_turn(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->own_ns != y->own_ns)
        return x->own_ns < y->own_ns ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static void make_lists(const struct work *w, struct lists *l)
{
    const struct sm_blame *b = w->out;
    l->turns = sm_xalloc((w->n + 1) * sizeof *l->turns);
    l->next = sm_xalloc_zero(2 * b->n_ranks + 1, sizeof *l->next);
    l->end = l->next + b->n_ranks;
    l->ready = sm_xalloc_zero(b->n_rows + 1, sizeof *l->ready);
    l->done = sm_xalloc_zero(b->n_rows + 1, sizeof *l->done);
    for (uint32_t r = 0; r < b->n_rows; r++)
        for (size_t i = b->rows[r].first; i < b->rows[r].first + b->rows[r].n; i++)
            l->turns[i] = (struct turn){w->parts[i].own_ns, w->parts[i].rank, r};
    if (w->n)
        qsort(l->turns, w->n, sizeof *l->turns, by_turn);
    for (size_t i = 0, rank = 0; rank < b->n_ranks; rank++) {
        l->next[rank] = i;
        while (i < w->n && l->turns[i].rank == rank)
            i++;
        l->end[rank] = i;
    }
}

/* The next row of a rank, without those that are done; NONE: no more. */
static uint32_t head_of(struct lists *l, size_t rank)
{
    while (l->next[rank] < l->end[rank] && l->done[l->turns[l->next[rank]].row])
        l->next[rank]++;
    return l->next[rank] < l->end[rank] ? l->turns[l->next[rank]].row : SM_NAME_NONE;
}

/* Counts a rank whose next row changed; true: the row is the next of all its ranks. */
static bool arrives(const struct sm_blame *b, struct lists *l, size_t rank, uint32_t *row)
{
    *row = head_of(l, rank);
    return *row != SM_NAME_NONE && ++l->ready[*row] == b->rows[*row].n;
}

/* Takes one row, and those that it makes the next of all their ranks. */
static void take_row(const struct work *w, struct lists *l, uint32_t row, uint32_t *stack,
                     struct debt *debts)
{
    struct sm_blame *b = w->out;
    size_t n = 0;
    stack[n++] = row;
    while (n) {
        struct sm_blame_row *r = &b->rows[stack[--n]];
        if (l->done[r - b->rows])
            continue;
        l->done[r - b->rows] = true;
        pass_on(b, r, w->parts[r->first].group, debts);
        for (size_t i = r->first; i < r->first + r->n; i++)
            if (arrives(b, l, b->waits[i].rank, &row))
                stack[n++] = row;
    }
}

/* Waiting passes on from one group to the next: each rank remembers whom it has waited for. Rows
 * come in an order that is that of every rank; where there is none, the next of some rank comes. */
static void find_roots(const struct work *w)
{
    struct sm_blame *b = w->out;
    struct lists l;
    struct debt *debts = sm_xalloc_zero(b->n_ranks + 1, sizeof *debts);
    uint32_t *stack = sm_xalloc((w->n + b->n_ranks + 1) * sizeof *stack), row;
    make_lists(w, &l);
    for (size_t rank = 0; rank < b->n_ranks; rank++)
        if (arrives(b, &l, rank, &row))
            take_row(w, &l, row, stack, debts);
    for (size_t rank = 0; rank < b->n_ranks; rank++)
        while ((row = head_of(&l, rank)) != SM_NAME_NONE)
            take_row(w, &l, row, stack, debts);
    if (b->n_rows)
        qsort(b->rows, b->n_rows, sizeof *b->rows, by_step);
    sm_free(l.turns);
    sm_free(l.next);
    sm_free(l.ready);
    sm_free(l.done);
    sm_free(debts);
    sm_free(stack);
}

static void find_rows(struct work *w)
{
    struct sm_blame *b = w->out;
    b->rows = sm_xalloc((w->n + 1) * sizeof *b->rows);
    b->waits = sm_xalloc((w->n + 1) * sizeof *b->waits);
    for (size_t from = 0, to; from < w->n; from = to) {
        for (to = from; to < w->n && w->parts[to].op == w->parts[from].op;)
            to++;
        add_row(w, from, to);
    }
    find_roots(w);
}

static int by_step_and_last(const void *a, const void *b)
{
    const struct sm_blame_step *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return (x->last > y->last) - (x->last < y->last);
}

static void find_steps(struct sm_blame *b)
{
    size_t n = 0;
    b->steps = sm_xalloc((b->n_rows + 1) * sizeof *b->steps);
    for (size_t i = 0; i < b->n_rows; i++)
        b->steps[i] =
            (struct sm_blame_step){b->rows[i].step, b->rows[i].last, b->rows[i].waited_ns, 1};
    if (b->n_rows)
        qsort(b->steps, b->n_rows, sizeof *b->steps, by_step_and_last);
    for (size_t i = 0; i < b->n_rows; i++) {
        if (n && by_step_and_last(&b->steps[n - 1], &b->steps[i]) == 0) {
            b->steps[n - 1].waited_ns += b->steps[i].waited_ns;
            b->steps[n - 1].collectives++;
        } else {
            b->steps[n++] = b->steps[i];
        }
    }
    b->n_steps = n;
}

/* ---- all ---- */

static void list_ranks(struct sm_blame *b, const struct sm_trace_item *const *items, size_t n)
{
    b->ranks = sm_xalloc((n + 1) * sizeof *b->ranks);
    b->workers = sm_xalloc((n + 1) * sizeof *b->workers);
    for (size_t i = 0; i < n; i++)
        if (!b->n_ranks || b->ranks[b->n_ranks - 1] != items[i]->rank) {
            b->workers[b->n_ranks] = items[i]->worker;
            b->ranks[b->n_ranks++] = items[i]->rank;
        }
}

void sm_blame_find(const struct sm_trace_view *views, const struct sm_trace_item *const *items,
                   size_t n, struct sm_blame *out)
{
    *out = (struct sm_blame){0};
    list_ranks(out, items, n);
    size_t ranks = out->n_ranks;
    struct work w = {
        .out = out, .groups = sm_names_new(), .ops = sm_names_new(), .counters = sm_names_new()};
    out->matrix = sm_xalloc_zero(ranks * ranks + 1, sizeof *out->matrix);
    out->blame = sm_xalloc_zero(3 * ranks + 1, sizeof *out->blame);
    out->suffered = out->blame + ranks;
    out->root_blame = out->suffered + ranks;
    for (size_t i = 0, rank = 0; w.groups && w.ops && w.counters && i < n; i++) {
        while (out->ranks[rank] != items[i]->rank)
            rank++;
        add_trace(&w, &views[i], (uint32_t)rank);
    }
    if (w.n)
        qsort(w.parts, w.n, sizeof *w.parts, by_op);
    keep_shared(&w);
    align(&w);
    find_rows(&w);
    find_steps(out);
    sm_names_free(w.groups);
    sm_names_free(w.ops);
    sm_names_free(w.counters);
    sm_free(w.counts);
    sm_free(w.parts);
}

void sm_blame_clear(struct sm_blame *b)
{
    sm_free(b->ranks);
    sm_free(b->workers);
    sm_free(b->rows);
    sm_free(b->waits);
    sm_free(b->matrix);
    sm_free(b->blame);
    sm_free(b->steps);
    *b = (struct sm_blame){0};
}
