/* SPDX-License-Identifier: Apache-2.0 */
/* bisect: to the step at which a condition changes. */
#include "commands/answer/shape.h"
#include "commands/place/place.h"
#include "commands/stops/arrival.h"
#include "commands/stops/step_condition.h"
#include "commands/stops/stops.h"

/* Valid while the call waits. The search runs again from its start each time and uses the answers
 * it has. */
struct bisection {
    struct sm_steps steps;
    enum sm_step_answer *known; /* parallel to steps */
    size_t n_tested;            /* steps with an answer */
    size_t before, change;      /* indexes of the steps around the change */
    struct sm_step_damage damage;
    struct sm_arrival stop;
};

static bool test_step(struct sm_call *c, struct bisection *b, size_t i, enum sm_step_answer *out,
                      struct sm_err *err)
{
    if (b->known[i] == SM_STEP_UNKNOWN) {
        if (!sm_step_condition(c, b->steps.items[i], &b->known[i], &b->damage, err))
            return false;
        b->n_tested += b->known[i] != SM_STEP_UNAVAILABLE;
    }
    *out = b->known[i];
    return true;
}

/* The index of the first step with an answer from `from` towards `to` (exclusive); `to` if there is
 * none. */
static bool find_answer(struct sm_call *c, struct bisection *b, size_t from, size_t to, size_t *at,
                        struct sm_err *err)
{
    enum sm_step_answer answer;
    for (*at = from; *at != to; *at += to > from ? 1 : SIZE_MAX) {
        if (!test_step(c, b, *at, &answer, err))
            return false;
        if (answer != SM_STEP_UNAVAILABLE)
            return true;
    }
    return true;
}

static bool narrow_range(struct sm_call *c, struct bisection *b, size_t low, size_t high,
                         struct sm_err *err)
{
    enum sm_step_answer first = b->known[low];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2, at;
        if (!find_answer(c, b, middle, high, &at, err))
            return false;
        if (at == high && !find_answer(c, b, middle, low, &at, err))
            return false;
        if (at == low)
            break; /* no step between them has an answer */
        if (b->known[at] == first)
            low = at;
        else
            high = at;
    }
    b->before = low;
    b->change = high;
    return true;
}

static bool find_change(struct sm_call *c, struct bisection *b, struct sm_err *err)
{
    size_t n = b->steps.n, low, high;
    if (!find_answer(c, b, 0, n, &low, err))
        return false;
    if (low == n)
        return sm_err_set(err, SM_ERR_MISSING, "The condition cannot be evaluated at any step.%s%s",
                          b->damage.n ? "  " : "", sm_step_damage_text(&c->arena, &b->damage));
    if (!find_answer(c, b, n - 1, low, &high, err))
        return false;
    if (b->known[low] == b->known[high])
        return sm_err_set(err, SM_ERR_MISSING,
                          "The condition is %s at both step %lld and step %lld.",
                          b->known[low] == SM_STEP_YES ? "true" : "false",
                          (long long)b->steps.items[low].n, (long long)b->steps.items[high].n);
    return narrow_range(c, b, low, high, err);
}

/* Removes steps that are not saved or not of the current mode. */
static void keep_current_mode(const struct sm_session *s, struct sm_steps *steps)
{
    const struct sm_trial *t = sm_session_trial(s);
    size_t n = 0;
    for (size_t i = 0; i < steps->n; i++) {
        size_t at = sm_trial_step_at(t, steps->items[i]);
        bool saved =
            at < sm_trial_step_count(t) && sm_trial_step(t, at)->step.n == steps->items[i].n;
        if (saved && sm_step_of_current_mode(s, sm_trial_step(t, at)))
            steps->items[n++] = steps->items[i];
    }
    steps->n = n;
}

static bool start_bisection(struct sm_call *c, struct sm_err *err)
{
    const struct sm_word *range = sm_call_option(c, "steps");
    struct bisection *b = sm_arena_xalloc(&c->arena, sizeof *b);
    struct sm_expr *parsed;
    if (!sm_expr_parse(c->raw.p, c->raw.n, &c->arena, &parsed, err) ||
        !sm_place_steps(c, sm_place_all(c->session, SM_MODE_ANY),
                        range ? range->text : SM_TEXT("all"), &b->steps, err))
        return false;
    keep_current_mode(c->session, &b->steps);
    b->known = sm_arena_xalloc(&c->arena, (b->steps.n + 1) * sizeof *b->known);
    c->state = b;
    return true;
}

static void report_change(const struct bisection *b, struct sm_result *out)
{
    bool becomes = b->known[b->change] == SM_STEP_YES;
    int64_t before = b->steps.items[b->before].n;
    sm_node_int(out, out->root, "before", before);
    sm_node_bool(out, out->root, "becomes", becomes);
    sm_node_uint(out, out->root, "looked_at", b->n_tested);
    sm_result_text(out, "%s at step %lld, %s here; tested %zu of %zu steps",
                   becomes ? "false" : "true", (long long)before, becomes ? "true" : "false",
                   b->n_tested, b->steps.n);
    if (b->damage.n)
        sm_result_dim(out, "%s", sm_step_damage_text(&out->arena, &b->damage));
}

static bool run_bisect(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    if (!c->state && !start_bisection(c, err))
        return false;
    struct bisection *b = c->state;
    if (!b->stop.moved) {
        if (!find_change(c, b, err))
            return false;
        sm_arrival_move(c, &b->stop, b->steps.items[b->change], false);
    }
    if (!sm_arrival_show(c, &b->stop, out, err))
        return false;
    report_change(b, out);
    return true;
}

static const struct sm_arg bisect_args[] = {{.name = "EXPR", .kind = SM_ARG_EXPR, .required = true},
                                            {0}};
static const struct sm_option bisect_options[] = {
    {.name = "steps", .kind = SM_ARG_STEP, .value = "A:B", .help = "search only these steps"},
    {0},
};
const struct sm_cmd sm_cmd_bisect = {
    .name = "bisect",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Go to the step at which a condition changes, by binary search",
    .help = "The condition is tested at the first and the last step, and then in the middle of the "
            "remaining range: ten tests\n"
            "for a thousand steps. If it changes more than once, one of the changes is found.",
    .example = "bisect mean(CNN_fc1.weight) > 0.0036 -steps 0:60",
    .see_also = "until, goto, find",
    .args = bisect_args,
    .options = bisect_options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING | SM_CMD_RAW,
    .answer = "{" SM_SHAPE_STOP ",before:int,becomes:bool,looked_at:int}",
    .run = run_bisect,
};
