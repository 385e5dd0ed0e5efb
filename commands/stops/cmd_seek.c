/* until, bisect: to the step where a condition holds or begins to hold. */
#include "commands/place/describe.h"
#include "commands/place/evaluate.h"
#include "commands/place/place.h"
#include "commands/place/step_walk.h"
#include "commands/stops/arrival.h"
#include "commands/stops/stops.h"
#include "reader/base/clock.h"

#include <string.h>

enum answer { UNKNOWN, NO, YES, UNAVAILABLE };

/* Steps with a value that cannot be read: they are passed by, and told. */
struct damage {
    size_t n;
    struct sm_step first;
    const char *why;
};

static bool is_damage(const struct sm_err *err)
{
    return err->code == SM_ERR_DATA || err->code == SM_ERR_IO;
}

static void note_damage(struct sm_call *c, struct damage *d, struct sm_step at,
                        const struct sm_err *err)
{
    if (d->n++)
        return;
    d->first = at;
    d->why = sm_arena_xstrndup(&c->arena, err->msg, strlen(err->msg));
}

static const char *tell_damage(struct sm_arena *arena, const struct damage *d)
{
    if (!d->n)
        return "";
    if (d->n < 2)
        return sm_arena_xprintf(arena, "Step %lld was passed by: %s", (long long)d->first.n,
                                d->why);
    return sm_arena_xprintf(arena, "Step %lld and %zu more were passed by: %s",
                            (long long)d->first.n, d->n - 1, d->why);
}

/* At one step; what is not saved there, or cannot be read, is UNAVAILABLE. False with SM_ERR_WAIT:
 * not known yet. */
static bool look(struct sm_call *c, struct sm_step at, enum answer *out, struct damage *damage,
                 struct sm_err *err)
{
    struct sm_expr_env env;
    struct sm_value v;
    sm_evaluate_env(c, &env);
    env.step = at;
    env.step_by_step = true;
    if (!sm_evaluate_in(c, &env, c->raw, &v, err)) {
        if (!is_damage(err))
            return false;
        *out = UNAVAILABLE;
        note_damage(c, damage, at, err);
        return true;
    }
    *out = v.type == SM_UNAVAILABLE ? UNAVAILABLE : sm_expr_is_true(&v) ? YES : NO;
    sm_value_clear(&v);
    sm_fetch_end(c->session->fetch); /* what was read for this step may go */
    sm_fetch_begin(c->session->fetch);
    return true;
}

/* ---- until ---- */

/* Kept while the call waits. */
struct search {
    bool begun;
    struct sm_step last; /* the last one at which it does not hold */
    size_t sessions;     /* of the trial */
    struct damage damage;
    struct sm_arrival stop;
};

/* Is it of the current mode? */
static bool counts(const struct sm_session *s, const struct sm_trial_step *step)
{
    return s->at.mode == SM_MODE_ANY || s->at.mode == SM_MODE_GLOBAL ||
           (enum sm_mode)step->mode == s->at.mode;
}

/* True: *to is the first step behind s->last where it holds. False with SM_ERR_END: none so far. */
static bool find_first(struct sm_call *c, struct search *s, struct sm_step *to, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    size_t n = sm_trial_step_count(t);
    sm_step_walk_restarted(t, &s->sessions, &s->last);
    for (size_t i = sm_trial_step_at(t, (struct sm_step){s->last.n + 1});
         i < n && sm_step_walk_may_read(c->session, t, i); i++) {
        const struct sm_trial_step *at = sm_trial_step(t, i);
        enum answer answer = NO;
        *to = at->step;
        if (counts(c->session, at) && !look(c, *to, &answer, &s->damage, err))
            return false;
        if (answer == YES)
            return true;
        s->last = *to;
    }
    return sm_err_set(err, SM_ERR_END, "There is no later step at which it holds.%s%s",
                      s->damage.n ? "  " : "", tell_damage(&c->arena, &s->damage));
}

/* None so far: what a living trial goes on to write is waited for. */
static bool wait_on(struct sm_call *c, struct sm_err *err)
{
    const struct sm_word *timeout = sm_call_option(c, "timeout");
    int64_t limit = 0;
    if (timeout && !sm_call_duration(timeout, &limit, err))
        return false;
    if (!sm_step_walk_is_live(c->session)) {
        err->code = SM_ERR_MISSING;
        return false;
    }
    if (limit && sm_clock_mono_us() - c->started_us >= limit)
        return sm_err_set(err, SM_ERR_TIMEOUT, "It did not hold within %.*s.", (int)timeout->text.n,
                          timeout->text.p);
    c->wake_us = limit ? c->started_us + limit : 0;
    return sm_err_set(err, SM_ERR_WAIT, "waiting for steps");
}

static bool run_until(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct search *s = c->state = c->state ? c->state : sm_arena_xalloc(&c->arena, sizeof *s);
    const struct sm_word *timeout = sm_call_option(c, "timeout");
    struct sm_step to;
    struct sm_expr *parsed;
    int64_t limit;
    if ((timeout && !sm_call_duration(timeout, &limit, err)) ||
        (!s->begun && !sm_expr_parse(c->raw.p, c->raw.n, &c->arena, &parsed, err)))
        return false;
    if (!s->begun)
        s->last = sm_step_walk_start(c->session);
    s->begun = true;
    if (!s->stop.there) {
        if (!find_first(c, s, &to, err))
            return err->code == SM_ERR_END && wait_on(c, err);
        sm_arrival_move(c, &s->stop, to, false);
    }
    if (!sm_arrival_show(c, &s->stop, out, err))
        return false;
    if (s->damage.n)
        sm_result_dim(out, "%s", tell_damage(&out->arena, &s->damage));
    return true;
}

static const struct sm_arg until_args[] = {{.name = "EXPR", .kind = SM_ARG_EXPR, .required = true},
                                           {0}};
static const struct sm_option until_options[] = {
    {.name = "timeout",
     .kind = SM_ARG_TEXT,
     .value = "TIME",
     .help = "on a live run: give up after this long, status 6"},
    {0},
};
const struct sm_cmd sm_cmd_until = {
    .name = "until",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Go on to the next step at which a condition holds",
    .help = "The steps behind the current one, of a recorded run at first all, are looked at in "
            "turn, of the current mode where\n"
            "there is one; $s is the step, and one without the tensors, or with some that cannot "
            "be read, is passed by. While the job writes, new steps are waited\n"
            "for. Where none is found the point stays.",
    .example = "until mean(CNN_fc1.weight) > 0.003",
    .see_also = "step bisect wait display",
    .args = until_args,
    .options = until_options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING | SM_CMD_RAW,
    .run = run_until,
};

/* ---- bisect ---- */

/* Kept while the call waits: the search runs again from its beginning and finds what it knows. */
struct bisection {
    struct sm_steps steps;
    enum answer *known;  /* parallel */
    size_t looked_at;    /* steps with an answer */
    size_t before, flip; /* once it was found */
    struct damage damage;
    struct sm_arrival stop;
};

static bool ask(struct sm_call *c, struct bisection *b, size_t i, enum answer *out,
                struct sm_err *err)
{
    if (b->known[i] == UNKNOWN) {
        if (!look(c, b->steps.items[i], &b->known[i], &b->damage, err))
            return false;
        b->looked_at += b->known[i] != UNAVAILABLE;
    }
    *out = b->known[i];
    return true;
}

/* The first step with an answer from `from` on towards `to`, which is not looked at. *at = to:
 * none. */
static bool ask_along(struct sm_call *c, struct bisection *b, size_t from, size_t to, size_t *at,
                      struct sm_err *err)
{
    enum answer answer;
    for (*at = from; *at != to; *at += to > from ? 1 : SIZE_MAX) {
        if (!ask(c, b, *at, &answer, err))
            return false;
        if (answer != UNAVAILABLE)
            return true;
    }
    return true;
}

static bool narrow(struct sm_call *c, struct bisection *b, size_t low, size_t high,
                   struct sm_err *err)
{
    enum answer first = b->known[low];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2, at;
        if (!ask_along(c, b, middle, high, &at, err))
            return false;
        if (at == high && !ask_along(c, b, middle, low, &at, err))
            return false;
        if (at == low)
            break; /* nothing between them has an answer */
        if (b->known[at] == first)
            low = at;
        else
            high = at;
    }
    b->before = low;
    b->flip = high;
    return true;
}

static bool find_flip(struct sm_call *c, struct bisection *b, struct sm_err *err)
{
    size_t n = b->steps.n, low, high;
    if (!ask_along(c, b, 0, n, &low, err))
        return false;
    if (low == n)
        return sm_err_set(err, SM_ERR_MISSING, "There is no step at which it can be told.%s%s",
                          b->damage.n ? "  " : "", tell_damage(&c->arena, &b->damage));
    if (!ask_along(c, b, n - 1, low, &high, err))
        return false;
    if (b->known[low] == b->known[high])
        return sm_err_set(err, SM_ERR_MISSING,
                          "It is %s at step %lld and at step %lld: nothing to find between them.",
                          b->known[low] == YES ? "true" : "false", (long long)b->steps.items[low].n,
                          (long long)b->steps.items[high].n);
    return narrow(c, b, low, high, err);
}

/* Those on disk that count. */
static void keep_counting(const struct sm_session *s, struct sm_steps *steps)
{
    const struct sm_trial *t = sm_session_trial(s);
    size_t n = 0;
    for (size_t i = 0; i < steps->n; i++) {
        size_t at = sm_trial_step_at(t, steps->items[i]);
        bool saved =
            at < sm_trial_step_count(t) && sm_trial_step(t, at)->step.n == steps->items[i].n;
        if (saved && counts(s, sm_trial_step(t, at)))
            steps->items[n++] = steps->items[i];
    }
    steps->n = n;
}

static bool begin_bisection(struct sm_call *c, struct sm_err *err)
{
    const struct sm_word *range = sm_call_option(c, "steps");
    struct bisection *b = sm_arena_xalloc(&c->arena, sizeof *b);
    struct sm_expr *parsed;
    if (!sm_expr_parse(c->raw.p, c->raw.n, &c->arena, &parsed, err) ||
        !sm_place_steps(c, sm_place_all(c->session, SM_MODE_ANY),
                        range ? range->text : SM_TEXT("all"), &b->steps, err))
        return false;
    keep_counting(c->session, &b->steps);
    b->known = sm_arena_xalloc(&c->arena, (b->steps.n + 1) * sizeof *b->known);
    c->state = b;
    return true;
}

static void report(const struct bisection *b, struct sm_result *out)
{
    bool becomes = b->known[b->flip] == YES;
    int64_t before = b->steps.items[b->before].n;
    sm_node_int(out, out->root, "before", before);
    sm_node_bool(out, out->root, "becomes", becomes);
    sm_node_uint(out, out->root, "looked_at", b->looked_at);
    sm_result_text(out, "%s at step %lld, %s here; %zu of %zu steps looked at",
                   becomes ? "false" : "true", (long long)before, becomes ? "true" : "false",
                   b->looked_at, b->steps.n);
    if (b->damage.n)
        sm_result_dim(out, "%s", tell_damage(&out->arena, &b->damage));
}

static bool run_bisect(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    if (!c->state && !begin_bisection(c, err))
        return false;
    struct bisection *b = c->state;
    if (!b->stop.there) {
        if (!find_flip(c, b, err))
            return false;
        sm_arrival_move(c, &b->stop, b->steps.items[b->flip], false);
    }
    if (!sm_arrival_show(c, &b->stop, out, err))
        return false;
    report(b, out);
    return true;
}

static const struct sm_option bisect_options[] = {
    {.name = "steps", .kind = SM_ARG_STEP, .value = "A:B", .help = "search these only"},
    {0},
};
const struct sm_cmd sm_cmd_bisect = {
    .name = "bisect",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Go to the step at which a condition changes, by halves",
    .help =
        "The condition is looked at where the steps begin, where they end, and then in the middle "
        "of what is left: ten\n"
        "looks for a thousand steps. Where it changes more than once, one of the changes is found.",
    .example = "bisect mean(CNN_fc1.weight) > 0.0036 -steps 0:60",
    .see_also = "until goto find",
    .args = until_args,
    .options = bisect_options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING | SM_CMD_RAW,
    .run = run_bisect,
};
