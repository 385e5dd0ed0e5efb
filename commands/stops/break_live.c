/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/break_live.h"
#include "commands/stops/stops.h"

#include "commands/session/incident.h"
#include "commands/stops/break_action.h"
#include "commands/stops/break_hit_text.h"
#include "reader/base/grow.h"

#include <string.h>

enum { BUDGET_US = 5000 };

struct sm_break_live {
    struct sm_break_search *search;
    struct sm_break_hit *hits; /* of the last step that had any */
    size_t n, reported, cap;
    bool acted;                /* the stop action has run: once per step */
    struct sm_arena arena;     /* of the hits */
    enum sm_trial_state state; /* when last checked */
};

static bool any_enabled(const struct sm_session *s)
{
    for (size_t i = 0; i < sm_stops(s)->breakpoints.n; i++)
        if (sm_stops(s)->breakpoints.items[i]->enabled)
            return true;
    return false;
}

static struct sm_step newest(const struct sm_trial *t)
{
    size_t n = sm_trial_step_count(t);
    return n ? sm_trial_step(t, n - 1)->step : (struct sm_step){-1};
}

/* ---- noting hits ---- */

static void join_lines(struct sm_str *text)
{
    for (size_t i = 0; i < text->len; i++)
        if (text->data[i] == '\n')
            text->data[i] = ' ';
}

static void note_hit(struct sm_session *s, const struct sm_break_hit *hit, bool rings,
                     struct sm_str *text)
{
    const struct sm_breakpoint *b = sm_breakpoints_find(&sm_stops(s)->breakpoints, hit->number);
    struct sm_str name = {0};
    sm_str_printf(&name, "%s %u", sm_breakpoint_noun(b), b->number);
    join_lines(text);
    sm_incidents_add(s->incidents, sm_str_text(&name), hit->place.step.n, rings, sm_str_text(text));
    sm_str_clear(&name);
}

static bool note_print(struct sm_session *s, const struct sm_break_hit *hit)
{
    struct sm_str text = {0};
    bool ok = sm_break_hit_print(s, &sm_stops(s)->live_search->arena, hit, &text, NULL);
    if (ok)
        note_hit(s, hit, false, &text);
    sm_str_clear(&text);
    return ok;
}

static bool note_stop(struct sm_session *s, const struct sm_break_hit *hit)
{
    const struct sm_breakpoint *b = sm_breakpoints_find(&sm_stops(s)->breakpoints, hit->number);
    struct sm_str text = {0};
    struct sm_value value;
    sm_str_printf(&text, "%s %u, ", sm_breakpoint_noun(b), b->number);
    sm_break_search_describe(b, hit, &text);
    bool ok = sm_break_hit_why(s, &sm_stops(s)->live_search->arena, hit, &value, &text, NULL);
    if (ok) {
        note_hit(s, hit, true, &text);
        sm_breakpoints_note_stop(&sm_stops(s)->breakpoints, hit->number, sm_session_trial(s),
                                 hit->place.step);
        if (!sm_stops(s)->live_search->acted)
            sm_break_act(s, hit, &value, sm_str_text(&text));
        sm_stops(s)->live_search->acted = true;
        sm_value_clear(&value);
    }
    sm_str_clear(&text);
    return ok;
}

/* Returns false while a value in a report is being read. */
static bool note_hits(struct sm_session *s)
{
    struct sm_break_live *live = sm_stops(s)->live_search;
    for (; live->reported < live->n; live->reported++) {
        const struct sm_break_hit *hit = &live->hits[live->reported];
        const struct sm_breakpoint *b = sm_breakpoints_find(&sm_stops(s)->breakpoints, hit->number);
        if (b && !(b->type == SM_BREAK_PRINT ? note_print(s, hit) : note_stop(s, hit)))
            return false;
        sm_breakpoint_stopped(&sm_stops(s)->breakpoints, hit->number);
    }
    return true;
}

static struct sm_break_hit *add_hit(struct sm_break_live *live, struct sm_break_hit hit)
{
    SM_GROW(live->hits, live->n, live->cap);
    hit.why = hit.why ? sm_arena_xstrndup(&live->arena, hit.why, strlen(hit.why)) : NULL;
    live->hits[live->n] = hit;
    return &live->hits[live->n++];
}

static void reset_hits(struct sm_break_live *live)
{
    live->n = live->reported = 0;
    live->acted = false;
    sm_arena_reset(&live->arena);
}

static void copy_hits(struct sm_break_live *live)
{
    size_t n;
    const struct sm_break_hit *hits = sm_break_search_hits(live->search, &n);
    reset_hits(live);
    for (size_t i = 0; i < n; i++)
        add_hit(live, hits[i]);
}

/* ---- the end and a stall of the job ---- */

/* Checks whether the job has ended or stalled since the last call. Returns true if a breakpoint
 * hits. */
static bool check_state(struct sm_session *s)
{
    struct sm_break_live *live = sm_stops(s)->live_search;
    enum sm_trial_state state = sm_trial_state(sm_session_trial(s));
    bool changed = state != live->state;
    enum sm_break_kind kind = state == SM_TRIAL_ENDED ? SM_BREAK_END : SM_BREAK_STALL;
    live->state = state;
    if (!changed || (state != SM_TRIAL_ENDED && state != SM_TRIAL_STALLED))
        return false;
    reset_hits(live);
    struct sm_place end = sm_place_of_trial(sm_session_trial(s));
    end.step = sm_break_search_at(live->search);
    for (size_t i = 0; i < sm_stops(s)->breakpoints.n; i++) {
        struct sm_breakpoint *b = sm_stops(s)->breakpoints.items[i];
        if (b->kind == kind && b->enabled && sm_breakpoint_count(b))
            add_hit(live, (struct sm_break_hit){.number = b->number, .place = end});
    }
    return live->n > 0;
}

/* ---- the search ---- */

static void start_search(struct sm_session *s)
{
    const struct sm_trial *t = sm_session_trial(s);
    sm_stops(s)->live_search = sm_xalloc_zero(1, sizeof *sm_stops(s)->live_search);
    sm_stops(s)->live_search->search = sm_break_search_new(s, newest(t), false);
    sm_stops(s)->live_search->state = sm_trial_state(t);
    sm_stops(s)->breakpoints.walked_to = -1;
}

/* A job that started again writes lower steps. */
static bool is_stale(const struct sm_session *s)
{
    const struct sm_break_search *search = sm_stops(s)->live_search->search;
    return sm_break_search_trial(search) != sm_session_trial(s) ||
           newest(sm_session_trial(s)).n < sm_break_search_at(search).n;
}

/* Returns false if there is nothing to do now. *noted: set if a hit was noted. */
static bool search_further(struct sm_session *s, bool *noted)
{
    struct sm_break_live *live = sm_stops(s)->live_search;
    size_t reported = live->reported;
    sm_fetch_set_background(s->fetch, true);
    bool all = note_hits(s);
    sm_fetch_set_background(s->fetch, false);
    *noted = *noted || live->reported > reported;
    if (!all)
        return false;
    enum sm_break_search_result r = sm_break_search_run(live->search, BUDGET_US);
    sm_stops(s)->live_busy = r == SM_BREAK_SEARCH_BUSY;
    if (r == SM_BREAK_SEARCH_HIT)
        copy_hits(live);
    return r == SM_BREAK_SEARCH_HIT || (r == SM_BREAK_SEARCH_END && check_state(s));
}

bool sm_break_live_pump(struct sm_session *s)
{
    const struct sm_trial *t = sm_session_trial(s);
    bool noted = false;
    sm_stops(s)->live_busy = false;
    if (!sm_stops(s)->live || !t || !any_enabled(s)) {
        sm_break_live_drop(s);
        return false;
    }
    if (sm_stops(s)->live_search && sm_stops(s)->breakpoints.walking)
        sm_stops(s)->live_search->state = sm_trial_state(t);
    /* not while the index is refreshed */
    if (!sm_trial_scanned(t) || sm_stops(s)->breakpoints.walking)
        return false;
    if (sm_stops(s)->live_search && is_stale(s))
        sm_break_live_drop(s);
    if (!sm_stops(s)->live_search)
        start_search(s);
    sm_break_search_skip(sm_stops(s)->live_search->search,
                         (struct sm_step){sm_stops(s)->breakpoints.walked_to});
    while (search_further(s, &noted))
        ;
    return noted;
}

bool sm_break_live_busy(const struct sm_session *s)
{
    return sm_stops(s)->live_busy;
}

void sm_break_live_drop(struct sm_session *s)
{
    struct sm_break_live *live = sm_stops(s)->live_search;
    sm_stops(s)->live_busy = false;
    sm_stops(s)->live_search = NULL;
    if (!live)
        return;
    sm_break_search_free(live->search);
    sm_free(live->hits);
    sm_arena_clear(&live->arena);
    sm_free(live);
}
