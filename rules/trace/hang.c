/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/trace/hang.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <stdlib.h>
#include <string.h>

const char *sm_hang_fault_name(enum sm_hang_fault f)
{
    static const char *const names[] = {NULL, "never entered", "type mismatch", "size mismatch",
                                        "not completed"};
    return names[f];
}

/* An operation of a rank. */
struct part {
    uint32_t group; /* id among all groups */
    int64_t seq, rank;
    const struct sm_trace_item *item;
    const struct sm_flight_op *op;
};
struct work {
    struct sm_names *groups;
    struct part *parts; /* by group, sequence number and rank */
    size_t n, cap;
    int64_t began_ns; /* of the fault that was found */
};

static int by_place(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->seq != y->seq)
        return x->seq < y->seq ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static const char *name_of(const struct sm_trace_item *x, uint32_t id)
{
    return id == SM_NAME_NONE ? "" : sm_names_text(x->flight.names, id);
}

/* Of several dumps of a rank, the one with stacks: the pickle. */
static bool is_best(const struct sm_trace_set *set, size_t i)
{
    const struct sm_trace_item *x = sm_trace_set_item(set, i);
    if (i && sm_trace_set_item(set, i - 1)->rank == x->rank)
        return false; /* rank_1 comes before rank_1.json */
    return x->flight.n > 0;
}

static void collect(const struct sm_trace_set *set, struct work *w)
{
    for (size_t i = 0; i < sm_trace_set_count(set); i++) {
        const struct sm_trace_item *x = sm_trace_set_item(set, i);
        for (size_t k = 0; is_best(set, i) && k < x->flight.n; k++) {
            const struct sm_flight_op *o = &x->flight.ops[k];
            const char *group = name_of(x, o->group);
            uint32_t id = sm_names_add(w->groups, group, strlen(group));
            if (o->p2p || id == SM_NAME_NONE || !SM_VEC_ROOM(w->parts, w->n, w->cap))
                continue;
            w->parts[w->n++] = (struct part){id, o->seq, x->rank, x, o};
        }
    }
    if (w->n)
        qsort(w->parts, w->n, sizeof *w->parts, by_place);
}

/* ---- ranks ---- */

static int by_rank(const void *a, const void *b)
{
    const struct sm_hang_rank *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static const struct sm_flight_op *last_of(const struct sm_trace_item *x)
{
    const struct sm_flight_op *last = NULL;
    for (size_t i = 0; i < x->flight.n; i++)
        if (!x->flight.ops[i].p2p && (!last || x->flight.ops[i].created_ns >= last->created_ns))
            last = &x->flight.ops[i];
    return last;
}

/* Ranks that a text names: "[0, 1]". */
static void add_listed(const char *text, struct sm_hang_rank **ranks, size_t *n, size_t *cap)
{
    for (const char *p = text; *p;) {
        char *end;
        long rank = strtol(p, &end, 10);
        if (end == p) {
            p++;
            continue;
        }
        p = end;
        if (rank >= 0 && SM_VEC_ROOM(*ranks, *n, *cap))
            (*ranks)[(*n)++] = (struct sm_hang_rank){.rank = rank, .role = SM_HANG_NO_DUMP};
    }
}

/* The members of a group: who has an operation in it, and who is listed. Sorted, once each. */
static size_t members_of(const struct work *w, size_t from, size_t to, struct sm_hang_rank **out)
{
    struct sm_hang_rank *ranks = NULL;
    size_t n = 0, cap = 0, kept = 0;
    const struct part *p = w->parts;
    const char *group = sm_names_text(w->groups, p[from].group);
    for (size_t i = from; i < to; i++)
        if (SM_VEC_ROOM(ranks, n, cap))
            ranks[n++] = (struct sm_hang_rank){.rank = p[i].rank, .item = p[i].item};
    const struct sm_flight *f = &p[from].item->flight;
    for (size_t i = 0; i < f->n_groups; i++)
        if (strcmp(name_of(p[from].item, f->groups[i].name), group) == 0)
            add_listed(name_of(p[from].item, f->groups[i].ranks), &ranks, &n, &cap);
    if (n)
        qsort(ranks, n, sizeof *ranks, by_rank);
    for (size_t i = 0; i < n; i++) {
        if (kept && ranks[kept - 1].rank == ranks[i].rank) {
            if (ranks[i].item)
                ranks[kept - 1] = ranks[i];
            continue;
        }
        ranks[kept++] = ranks[i];
    }
    *out = ranks;
    return kept;
}

/* Those that are listed may have a dump without an operation in the group. */
static void find_dumps(const struct sm_trace_set *set, struct sm_hang_rank *ranks, size_t n)
{
    for (size_t i = 0, k = 0; i < sm_trace_set_count(set); i++) {
        const struct sm_trace_item *x = sm_trace_set_item(set, i);
        while (k < n && ranks[k].rank < x->rank)
            k++;
        if (k < n && ranks[k].rank == x->rank && is_best(set, i)) {
            ranks[k].item = x;
            ranks[k].role = SM_HANG_WAITS;
            ranks[k].last = last_of(x);
        }
    }
}

/* ---- faults ---- */

static bool needs_same_shape(const char *op)
{
    return strstr(op, "all_reduce") || strstr(op, "allreduce") || strstr(op, "broadcast") ||
           strstr(op, "_all_gather_base") || strstr(op, "_reduce_scatter_base");
}

struct vote {
    const char *name;
    size_t at;
};

static int by_name(const void *a, const void *b)
{
    const struct vote *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    return names ? names : (x->at > y->at) - (x->at < y->at);
}

static const char *vote_of(const struct part *p, bool shape)
{
    return name_of(p->item, shape ? p->op->shape : p->op->op);
}

/* The first part that has the name that most of the parts have, and whether all have it. Of names
 * that are as common, the one that comes first. shape: of the sizes. */
static const struct part *most_common(const struct part *p, size_t n, bool shape, bool *all)
{
    size_t same = 1, best = 0, most = 0;
    while (same < n && strcmp(vote_of(&p[same], shape), vote_of(p, shape)) == 0)
        same++;
    *all = same == n;
    if (*all)
        return p;
    struct vote *votes = sm_xalloc(n * sizeof *votes);
    for (size_t i = 0; i < n; i++)
        votes[i] = (struct vote){vote_of(&p[i], shape), i};
    qsort(votes, n, sizeof *votes, by_name);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && strcmp(votes[end].name, votes[i].name) == 0;)
            end++;
        if (end - i > most || (end - i == most && votes[i].at < best)) {
            most = end - i;
            best = votes[i].at;
        }
    }
    sm_free(votes);
    return &p[best];
}

/* Sets the roles of those that do not have the name that most have. */
static void mark_others(struct sm_hang *h, const struct part *p, size_t n, const struct part *most,
                        bool shape)
{
    const char *name = name_of(most->item, shape ? most->op->shape : most->op->op);
    for (size_t i = 0, k = 0; i < n; i++) {
        const char *own = name_of(p[i].item, shape ? p[i].op->shape : p[i].op->op);
        while (h->ranks[k].rank != p[i].rank)
            k++;
        if (strcmp(own, name) != 0) {
            h->ranks[k].role = SM_HANG_AT_FAULT;
            h->other = name_of(p[i].item, p[i].op->op);
        }
    }
}

/* The operation p[0 .. n) of a group whose ranks are h->ranks. */
static enum sm_hang_fault judge(struct sm_hang *h, const struct part *p, size_t n)
{
    bool over = true, same_op, same_shape, missing = false;
    for (size_t i = 0, k = 0; i < n; i++) {
        while (h->ranks[k].rank != p[i].rank)
            k++;
        h->ranks[k].op = p[i].op;
        over = over && sm_flight_is_over(p[i].op);
    }
    for (size_t k = 0; k < h->n; k++)
        missing = missing || (h->ranks[k].item && !h->ranks[k].op);
    const struct part *most = most_common(p, n, false, &same_op);
    h->op = name_of(most->item, most->op->op);
    h->stack = name_of(most->item, most->op->stack);
    h->seq = most->seq;
    if (!same_op) {
        mark_others(h, p, n, most, false);
        return SM_HANG_TYPE;
    }
    if (missing && !over) {
        for (size_t k = 0; k < h->n; k++)
            if (h->ranks[k].item && !h->ranks[k].op)
                h->ranks[k].role = SM_HANG_AT_FAULT;
        return SM_HANG_NEVER_ENTERED;
    }
    most = most_common(p, n, true, &same_shape);
    if (!over && !same_shape && needs_same_shape(h->op)) {
        mark_others(h, p, n, most, true);
        return SM_HANG_SHAPE;
    }
    return over ? SM_HANG_NONE : SM_HANG_UNFINISHED;
}

static int64_t begin_of(const struct part *p, size_t n)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < n; i++)
        first = p[i].op->created_ns < first ? p[i].op->created_ns : first;
    return first;
}

/* Buffers are rings: numbers before the first of some rank are not compared. */
static int64_t first_shared(const struct part *p, size_t n, const struct sm_hang *h)
{
    int64_t first = INT64_MIN;
    bool *seen = sm_xalloc_zero(h->n + 1, sizeof *seen);
    for (size_t i = 0, left = h->n; i < n && left; i++) {
        const struct sm_hang_rank key = {.rank = p[i].rank};
        const struct sm_hang_rank *r = bsearch(&key, h->ranks, h->n, sizeof *h->ranks, by_rank);
        size_t k = r ? (size_t)(r - h->ranks) : h->n;
        if (seen[k])
            continue;
        seen[k] = true;
        left--;
        first = p[i].seq > first ? p[i].seq : first;
    }
    sm_free(seen);
    return first;
}

/* The first fault of a group, if it began before the one that was found. */
static void look_at_group(const struct sm_trace_set *set, struct work *w, size_t from, size_t to,
                          struct sm_hang *out)
{
    struct sm_hang h = {0};
    h.n = members_of(w, from, to, &h.ranks);
    find_dumps(set, h.ranks, h.n);
    int64_t first = first_shared(w->parts + from, to - from, &h);
    for (size_t i = from, end; i < to && !h.fault; i = end) {
        for (end = i; end < to && w->parts[end].seq == w->parts[i].seq;)
            end++;
        for (size_t k = 0; k < h.n; k++)
            h.ranks[k].op = NULL;
        if (w->parts[i].seq >= first)
            h.fault = judge(&h, w->parts + i, end - i);
        if (h.fault && begin_of(w->parts + i, end - i) >= w->began_ns)
            break;
        if (h.fault) {
            w->began_ns = begin_of(w->parts + i, end - i);
            sm_hang_clear(out);
            *out = h;
            return;
        }
    }
    sm_hang_clear(&h);
}

/* Without a fault: all dumps, with their last operations. */
static void list_all(const struct sm_trace_set *set, struct sm_hang *out)
{
    *out = (struct sm_hang){0};
    out->ranks = sm_xalloc((sm_trace_set_count(set) + 1) * sizeof *out->ranks);
    for (size_t i = 0; i < sm_trace_set_count(set); i++) {
        const struct sm_trace_item *x = sm_trace_set_item(set, i);
        if (is_best(set, i))
            out->ranks[out->n++] = (struct sm_hang_rank){
                .rank = x->rank, .role = SM_HANG_WAITS, .item = x, .last = last_of(x)};
    }
}

void sm_hang_find(const struct sm_trace_set *set, struct sm_hang *out)
{
    struct work w = {.groups = sm_names_new(), .began_ns = INT64_MAX};
    *out = (struct sm_hang){0};
    if (w.groups)
        collect(set, &w);
    for (size_t from = 0, to; from < w.n; from = to) {
        for (to = from; to < w.n && w.parts[to].group == w.parts[from].group;)
            to++;
        look_at_group(set, &w, from, to, out);
    }
    for (size_t i = 0; out->fault && i < out->n; i++)
        if (out->ranks[i].op)
            out->group = name_of(out->ranks[i].item, out->ranks[i].op->group);
    if (!out->fault)
        list_all(set, out);
    sm_names_free(w.groups);
    sm_free(w.parts);
}

void sm_hang_clear(struct sm_hang *h)
{
    sm_free(h->ranks);
    *h = (struct sm_hang){0};
}

static size_t add_ranks(const struct sm_hang *h, enum sm_hang_role role, struct sm_str *out)
{
    enum { NAMED = 8 };
    size_t n = 0, named = 0;
    for (size_t i = 0; i < h->n; i++)
        n += h->ranks[i].role == role;
    sm_str_add(out, n == 1 ? "rank" : "ranks");
    for (size_t i = 0; i < h->n && named < NAMED; i++)
        if (h->ranks[i].role == role)
            sm_str_printf(out, "%s %lld", named++ ? "," : "", (long long)h->ranks[i].rank);
    if (n > NAMED)
        sm_str_printf(out, " and %zu more", n - NAMED);
    return n;
}

void sm_hang_describe(const struct sm_hang *h, struct sm_str *out)
{
    size_t waiting = 0, n;
    for (size_t i = 0; i < h->n; i++)
        waiting += h->ranks[i].role == SM_HANG_WAITS && h->ranks[i].op;
    if (h->fault == SM_HANG_NONE) {
        sm_str_add(out, "no collective operation hangs");
    } else if (h->fault == SM_HANG_NEVER_ENTERED) {
        add_ranks(h, SM_HANG_AT_FAULT, out);
        sm_str_printf(out, " never entered %s #%lld of group %s, in which %zu wait", h->op,
                      (long long)h->seq, h->group, waiting);
    } else if (h->fault == SM_HANG_TYPE) {
        n = add_ranks(h, SM_HANG_AT_FAULT, out);
        sm_str_printf(out, " %s in %s, where the others are in %s, #%lld of group %s",
                      n == 1 ? "is" : "are", h->other, h->op, (long long)h->seq, h->group);
    } else if (h->fault == SM_HANG_SHAPE) {
        n = add_ranks(h, SM_HANG_AT_FAULT, out);
        sm_str_printf(out, " %s other sizes or types in %s #%lld of group %s",
                      n == 1 ? "has" : "have", h->op, (long long)h->seq, h->group);
    } else {
        sm_str_printf(out, "all %zu ranks entered %s #%lld of group %s, which is not over", waiting,
                      h->op, (long long)h->seq, h->group);
    }
}
