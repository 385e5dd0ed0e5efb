#include "commands/stops/break_search.h"
#include "commands/stops/stops.h"

#include "commands/place/place.h"
#include "commands/place/step_walk.h"
#include "commands/stops/break_rule.h"
#include "commands/stops/break_test.h"
#include "reader/base/clock.h"
#include "reader/base/grow.h"

#include <string.h>

/* Looked at together: so many steps, unless their records have more bytes. */
enum { AHEAD_STEPS = 16, AHEAD_BYTES = 64 << 20 };

struct remark {
    unsigned number;
    char *text;
};

struct sm_break_search {
    struct sm_session *session;
    struct sm_trial *trial;
    bool back;
    struct sm_step at, queued;               /* the last one decided; the last one looked at */
    struct sm_break_test looks[AHEAD_STEPS]; /* a ring */
    size_t first, n;
    size_t passed;
    uint64_t version; /* of the breakpoints */
    size_t sessions;  /* of the trial */
    struct sm_break_hit *hits;
    size_t n_hits, cap_hits;
    struct sm_arena said; /* of the hits */
    /* what conditions look for and the trial does not have: once a breakpoint */
    struct remark *missing;
    size_t n_missing, cap_missing;
    struct sm_str remarks;
};

/* ---- what was found ---- */

static void remark(struct sm_break_search *h, unsigned number, const struct sm_probe *p)
{
    for (size_t i = 0; i < h->n_missing; i++)
        if (h->missing[i].number == number)
            return;
    SM_GROW(h->missing, h->n_missing, h->cap_missing);
    h->missing[h->n_missing++] = (struct remark){number, sm_xstrdup(p->why)};
    sm_str_printf(
        &h->remarks, "%s %u: %s\n",
        sm_breakpoint_noun(sm_breakpoints_find(&sm_stops(h->session)->breakpoints, number)), number,
        p->why);
}

/* What the trial does not have may come, what cannot be read is no fault of the condition. Anything
 * else is. */
static void take_failure(struct sm_break_search *h, struct sm_breakpoint *b,
                         const struct sm_probe *p)
{
    if (p->code == SM_ERR_MISSING || p->code == SM_ERR_DATA || p->code == SM_ERR_IO) {
        remark(h, b->number, p);
        return;
    }
    b->enabled = false;
    sm_str_printf(&h->remarks, "%s %u is disabled: %s\n", sm_breakpoint_noun(b), b->number, p->why);
}

static bool is_before(const struct sm_probe *a, const struct sm_probe *b)
{
    return a->seq != b->seq ? a->seq < b->seq : a->worker < b->worker;
}

static struct sm_place place_of(const struct sm_break_search *h, struct sm_step step,
                                const struct sm_probe *p)
{
    struct sm_place place = sm_place_of_trial(h->trial);
    place.tensor = p->tensor;
    place.step = step;
    place.worker = p->worker;
    return place;
}

/* The probes of one breakpoint. */
static void decide(struct sm_break_search *h, const struct sm_break_test *l, size_t from, size_t to)
{
    struct sm_breakpoint *b =
        sm_breakpoints_find(&sm_stops(h->session)->breakpoints, l->probes[from].number);
    const struct sm_probe *first = NULL;
    size_t held = 0;
    for (size_t i = from; i < to && b->enabled; i++) {
        const struct sm_probe *p = &l->probes[i];
        if (p->state == SM_PROBE_FAILED)
            take_failure(h, b, p);
        if (p->state != SM_PROBE_YES)
            continue;
        held++;
        first = !first || is_before(p, first) ? p : first;
    }
    if (!first || !b->enabled || !sm_breakpoint_count(b))
        return;
    SM_GROW(h->hits, h->n_hits, h->cap_hits);
    h->hits[h->n_hits++] = (struct sm_break_hit){
        .number = b->number,
        .place = place_of(h, l->step, first),
        .before = first->before,
        .more = held - 1,
        .value = first->value,
        .why = first->why ? sm_arena_xstrndup(&h->said, first->why, strlen(first->why)) : NULL,
    };
}

static void take_first(struct sm_break_search *h)
{
    struct sm_break_test *l = &h->looks[h->first];
    for (size_t from = 0, to; from < l->n; from = to) {
        for (to = from; to < l->n && l->probes[to].number == l->probes[from].number; to++)
            ;
        decide(h, l, from, to);
    }
    h->at = l->step;
    h->passed++;
    sm_fetch_lap(h->session->fetch);
    sm_break_test_clear(l);
    h->first = (h->first + 1) % AHEAD_STEPS;
    h->n--;
}

/* ---- step by step ---- */

/* The index of the step behind the last one looked at. False: none. */
static bool next_step(const struct sm_break_search *h, size_t *i)
{
    size_t n = sm_trial_step_count(h->trial);
    if (h->back) {
        size_t at = sm_trial_step_at(h->trial, h->queued);
        *i = at - 1;
        return at > 0 && at <= n;
    }
    *i = sm_trial_step_at(h->trial, (struct sm_step){h->queued.n + 1});
    return *i < n && sm_step_walk_may_read(h->session, h->trial, *i);
}

static bool add_look(struct sm_break_search *h)
{
    size_t i;
    if (h->n == AHEAD_STEPS || !next_step(h, &i))
        return false;
    const struct sm_trial_step *step = sm_trial_step(h->trial, i);
    sm_break_test_begin(&h->looks[(h->first + h->n) % AHEAD_STEPS], h->session, step);
    h->queued = step->step;
    h->n++;
    return true;
}

static void drop_looks(struct sm_break_search *h)
{
    for (; h->n; h->n--, h->first = (h->first + 1) % AHEAD_STEPS)
        sm_break_test_clear(&h->looks[h->first]);
    h->queued = h->at;
}

/* What is asked of a step is looked at again only when all before it are there. */
static void ask_all(struct sm_break_search *h)
{
    bool there = true;
    uint64_t bytes = 0;
    for (size_t k = 0; k < h->n || (bytes < AHEAD_BYTES && add_look(h)); k++) {
        struct sm_break_test *l = &h->looks[(h->first + k) % AHEAD_STEPS];
        if (there || !l->asked)
            there = sm_break_test_ask(l) && there;
        bytes += l->bytes;
    }
}

enum sm_break_search_result sm_break_search_run(struct sm_break_search *h, int64_t budget_us)
{
    int64_t end = sm_clock_mono_us() + budget_us;
    if (!h->back && sm_step_walk_restarted(h->trial, &h->sessions, &h->at)) {
        sm_stops(h->session)->breakpoints.passed = -1;
        drop_looks(h);
    }
    if (h->version != sm_stops(h->session)->breakpoints.version)
        drop_looks(h);
    h->version = sm_stops(h->session)->breakpoints.version;
    h->n_hits = 0;
    sm_arena_reset(&h->said);
    sm_fetch_aside(h->session->fetch, true);
    bool judges = sm_break_rules_pump(h->session, budget_us / 2);
    ask_all(h);
    while (h->n && !h->n_hits && sm_break_test_decided(&h->looks[h->first])) {
        take_first(h);
        ask_all(h);
        if (sm_clock_mono_us() >= end)
            break;
    }
    sm_fetch_aside(h->session->fetch, false);
    if (h->n_hits)
        return SM_BREAK_SEARCH_HIT;
    if (!h->n)
        return SM_BREAK_SEARCH_END;
    return judges || sm_break_test_decided(&h->looks[h->first]) ? SM_BREAK_SEARCH_BUSY
                                                                : SM_BREAK_SEARCH_WAITS;
}

/* ---- the whole ---- */

struct sm_break_search *sm_break_search_new(struct sm_session *s, struct sm_step from, bool back)
{
    struct sm_break_search *h = sm_xalloc_zero(1, sizeof *h);
    h->session = s;
    h->trial = sm_session_trial(s);
    h->back = back;
    h->at = h->queued = from;
    h->version = sm_stops(s)->breakpoints.version;
    h->sessions = sm_trial_session_count(h->trial);
    return h;
}

void sm_break_search_skip(struct sm_break_search *h, struct sm_step to)
{
    if (to.n <= h->at.n)
        return;
    h->at = to;
    drop_looks(h);
}

const struct sm_trial *sm_break_search_trial(const struct sm_break_search *h)
{
    return h->trial;
}

void sm_break_search_free(struct sm_break_search *h)
{
    if (!h)
        return;
    drop_looks(h);
    for (size_t i = 0; i < h->n_missing; i++)
        sm_free(h->missing[i].text);
    sm_free(h->missing);
    sm_free(h->hits);
    sm_arena_clear(&h->said);
    sm_str_clear(&h->remarks);
    sm_free(h);
}

const struct sm_break_hit *sm_break_search_hits(const struct sm_break_search *h, size_t *n)
{
    *n = h->n_hits;
    return h->hits;
}

struct sm_step sm_break_search_at(const struct sm_break_search *h)
{
    return h->at;
}

size_t sm_break_search_passed(const struct sm_break_search *h)
{
    return h->passed;
}

const char *sm_break_search_remarks(const struct sm_break_search *h)
{
    return sm_str_text(&h->remarks);
}

/* ---- words ---- */

void sm_break_search_describe(const struct sm_breakpoint *b, const struct sm_break_hit *hit,
                              struct sm_str *out)
{
    if (b->kind == SM_BREAK_END)
        sm_str_add(out, "end of the job at ");
    if (b->kind == SM_BREAK_STALL)
        sm_str_add(out, "nothing new since ");
    if (b->changing) {
        sm_str_add_escaped(out, b->where, strlen(b->where));
        sm_str_add(out, " at ");
    }
    sm_place_describe(out, &hit->place);
    if (hit->more)
        sm_str_printf(out, " (and %zu more)", hit->more);
}
