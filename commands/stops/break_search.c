/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/break_search.h"
#include "commands/stops/stops.h"

#include "commands/place/place.h"
#include "commands/place/step_walk.h"
#include "commands/stops/break_rule.h"
#include "commands/stops/break_test.h"
#include "reader/base/clock.h"
#include "reader/base/grow.h"

#include <string.h>

/* The steps that are tested at the same time: fewer if their records have more bytes. */
enum { AHEAD_STEPS = 16, AHEAD_BYTES = 64 << 20 };

struct remark {
    unsigned number;
    char *text;
};

struct sm_break_search {
    struct sm_session *session;
    struct sm_trial *trial;
    bool back;
    struct sm_step from;
    struct sm_step at, queued; /* the last step decided; the last one whose test started */
    struct sm_break_test tests[AHEAD_STEPS]; /* a ring */
    size_t first, n;
    size_t n_decided;
    uint64_t version; /* of the breakpoints */
    size_t sessions;  /* of the trial */
    struct sm_break_hit *hits;
    size_t n_hits, cap_hits;
    struct sm_arena texts; /* the texts of the hits */
    /* tensors or values that the trial does not have: reported once per breakpoint */
    struct remark *missing;
    size_t n_missing, cap_missing;
    struct sm_str remarks;
};

/* ---- deciding a step ---- */

static void report_missing(struct sm_break_search *search, unsigned number,
                           const struct sm_probe *p)
{
    for (size_t i = 0; i < search->n_missing; i++)
        if (search->missing[i].number == number)
            return;
    SM_GROW(search->missing, search->n_missing, search->cap_missing);
    search->missing[search->n_missing++] = (struct remark){number, sm_xstrdup(p->why)};
    sm_str_printf(
        &search->remarks, "%s %u: %s\n",
        sm_breakpoint_noun(sm_breakpoints_find(&sm_stops(search->session)->breakpoints, number)),
        number, p->why);
}

/* Missing tensors may appear later and unreadable values are not errors of the condition: these are
 * reported. A condition that does not apply to a tensor skips it. Any other error disables the
 * breakpoint. */
static void note_result(struct sm_break_search *search, struct sm_breakpoint *b,
                        const struct sm_probe *p)
{
    bool of_a_rule = b->kind == SM_BREAK_RULE && p->tensor == SM_NAME_NONE;
    bool noted = sm_break_skips_note(&b->skips, search->trial, p);
    if (p->state != SM_PROBE_FAILED)
        return;
    if (p->code == SM_ERR_MISSING || p->code == SM_ERR_DATA || p->code == SM_ERR_IO)
        report_missing(search, b->number, p);
    if (noted && !of_a_rule)
        return;
    b->enabled = false;
    sm_str_printf(&search->remarks, "%s %u is disabled: %s\n", sm_breakpoint_noun(b), b->number,
                  p->why);
}

static bool is_before(const struct sm_probe *a, const struct sm_probe *b)
{
    return a->seq != b->seq ? a->seq < b->seq : a->worker < b->worker;
}

static struct sm_place place_of(const struct sm_break_search *search, struct sm_step step,
                                const struct sm_probe *p)
{
    struct sm_place place = sm_place_of_trial(search->trial);
    place.tensor = p->tensor;
    place.step = step;
    place.worker = p->worker;
    return place;
}

/* Decides one breakpoint: its probes are from..to. */
static void decide_breakpoint(struct sm_break_search *search, const struct sm_break_test *l,
                              size_t from, size_t to)
{
    struct sm_breakpoint *b =
        sm_breakpoints_find(&sm_stops(search->session)->breakpoints, l->probes[from].number);
    const struct sm_probe *first = NULL;
    size_t held = 0;
    for (size_t i = from; i < to && b->enabled; i++) {
        const struct sm_probe *p = &l->probes[i];
        note_result(search, b, p);
        if (p->state != SM_PROBE_YES)
            continue;
        held++;
        first = !first || is_before(p, first) ? p : first;
    }
    if (!first || !b->enabled || !sm_breakpoint_count(b))
        return;
    SM_GROW(search->hits, search->n_hits, search->cap_hits);
    search->hits[search->n_hits++] = (struct sm_break_hit){
        .number = b->number,
        .place = place_of(search, l->step, first),
        .before = first->before,
        .more = held - 1,
        .value = first->value,
        .why =
            first->why ? sm_arena_xstrndup(&search->texts, first->why, strlen(first->why)) : NULL,
    };
}

static void decide_first(struct sm_break_search *search)
{
    struct sm_break_test *l = &search->tests[search->first];
    for (size_t from = 0, to; from < l->n; from = to) {
        for (to = from; to < l->n && l->probes[to].number == l->probes[from].number; to++)
            ;
        decide_breakpoint(search, l, from, to);
    }
    search->at = l->step;
    search->n_decided++;
    sm_fetch_lap(search->session->fetch);
    sm_break_test_clear(l);
    search->first = (search->first + 1) % AHEAD_STEPS;
    search->n--;
}

/* ---- step by step ---- */

/* The index of the step after the last one whose test started. Returns false if there is none. */
static bool next_step(const struct sm_break_search *search, size_t *i)
{
    size_t n = sm_trial_step_count(search->trial);
    if (search->back) {
        size_t at = sm_trial_step_at(search->trial, search->queued);
        *i = at - 1;
        return at > 0 && at <= n;
    }
    *i = sm_trial_step_at(search->trial, (struct sm_step){search->queued.n + 1});
    return *i < n && sm_step_walk_may_read(search->session, search->trial, *i);
}

static bool add_test(struct sm_break_search *search)
{
    size_t i;
    if (search->n == AHEAD_STEPS || !next_step(search, &i))
        return false;
    const struct sm_trial_step *step = sm_trial_step(search->trial, i);
    sm_break_test_begin(&search->tests[(search->first + search->n) % AHEAD_STEPS], search->session,
                        step);
    search->queued = step->step;
    search->n++;
    return true;
}

static void drop_tests(struct sm_break_search *search)
{
    for (; search->n; search->n--, search->first = (search->first + 1) % AHEAD_STEPS)
        sm_break_test_clear(&search->tests[search->first]);
    search->queued = search->at;
}

/* Advances the tests in their order. A test that has started is continued only if all tests before
 * it are complete. */
static void advance_tests(struct sm_break_search *search)
{
    bool complete = true;
    uint64_t bytes = 0;
    for (size_t k = 0; k < search->n || (bytes < AHEAD_BYTES && add_test(search)); k++) {
        struct sm_break_test *l = &search->tests[(search->first + k) % AHEAD_STEPS];
        if (complete || !l->started)
            complete = sm_break_test_advance(l) && complete;
        bytes += l->bytes;
    }
}

enum sm_break_search_result sm_break_search_run(struct sm_break_search *search, int64_t budget_us)
{
    int64_t end = sm_clock_mono_us() + budget_us;
    if (!search->back && sm_step_walk_restarted(search->trial, &search->sessions, &search->at)) {
        sm_stops(search->session)->breakpoints.walked_to = -1;
        drop_tests(search);
    }
    if (search->version != sm_stops(search->session)->breakpoints.version)
        drop_tests(search);
    search->version = sm_stops(search->session)->breakpoints.version;
    search->n_hits = 0;
    sm_arena_reset(&search->texts);
    sm_fetch_set_background(search->session->fetch, true);
    bool judging = sm_break_rules_pump(search->session, budget_us / 2);
    advance_tests(search);
    while (search->n && !search->n_hits && sm_break_test_decided(&search->tests[search->first])) {
        decide_first(search);
        advance_tests(search);
        if (sm_clock_mono_us() >= end)
            break;
    }
    sm_fetch_set_background(search->session->fetch, false);
    if (search->n_hits)
        return SM_BREAK_SEARCH_HIT;
    if (!search->n)
        return SM_BREAK_SEARCH_END;
    return judging || sm_break_test_decided(&search->tests[search->first]) ? SM_BREAK_SEARCH_BUSY
                                                                           : SM_BREAK_SEARCH_WAITS;
}

/* ---- the search ---- */

struct sm_break_search *sm_break_search_new(struct sm_session *s, struct sm_step from, bool back)
{
    struct sm_break_search *search = sm_xalloc_zero(1, sizeof *search);
    search->session = s;
    search->trial = sm_session_trial(s);
    search->back = back;
    search->from = search->at = search->queued = from;
    search->version = sm_stops(s)->breakpoints.version;
    search->sessions = sm_trial_session_count(search->trial);
    return search;
}

void sm_break_search_skip(struct sm_break_search *search, struct sm_step to)
{
    if (to.n <= search->at.n)
        return;
    search->at = to;
    drop_tests(search);
}

const struct sm_trial *sm_break_search_trial(const struct sm_break_search *search)
{
    return search->trial;
}

void sm_break_search_free(struct sm_break_search *search)
{
    if (!search)
        return;
    drop_tests(search);
    for (size_t i = 0; i < search->n_missing; i++)
        sm_free(search->missing[i].text);
    sm_free(search->missing);
    sm_free(search->hits);
    sm_arena_clear(&search->texts);
    sm_str_clear(&search->remarks);
    sm_free(search);
}

const struct sm_break_hit *sm_break_search_hits(const struct sm_break_search *search, size_t *n)
{
    *n = search->n_hits;
    return search->hits;
}

bool sm_break_search_whole(const struct sm_break_search *search)
{
    const struct sm_trial *t = search->trial;
    size_t n = sm_trial_step_count(t);
    if (!n)
        return false;
    return search->back ? search->from.n > sm_trial_step(t, n - 1)->step.n
                        : search->from.n < sm_trial_step(t, 0)->step.n;
}

struct sm_step sm_break_search_at(const struct sm_break_search *search)
{
    return search->at;
}

size_t sm_break_search_decided(const struct sm_break_search *search)
{
    return search->n_decided;
}

const char *sm_break_search_warnings(const struct sm_break_search *search)
{
    return sm_str_text(&search->remarks);
}

/* ---- text ---- */

void sm_break_search_describe(const struct sm_breakpoint *b, const struct sm_break_hit *hit,
                              struct sm_str *out)
{
    if (b->kind == SM_BREAK_END)
        sm_str_add(out, "end of the job at ");
    if (b->kind == SM_BREAK_STALL)
        sm_str_add(out, "no new data since ");
    if (b->changing) {
        sm_str_add_escaped(out, b->where, strlen(b->where));
        sm_str_add(out, " at ");
    }
    sm_place_describe(out, &hit->place);
    if (hit->more)
        sm_str_printf(out, " (and %zu more)", hit->more);
}
