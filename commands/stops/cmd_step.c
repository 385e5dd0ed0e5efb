/* step, next, reverse-step, reverse-next: along the recorded steps. */
#include "commands/place/place.h"
#include "commands/place/step_walk.h"
#include "commands/stops/arrival.h"
#include "commands/stops/stops.h"

/* The steps of the current mode; of: those at which the current worker saved it. */
static bool find_way(struct sm_call *c, const struct sm_trial_tensor *of, struct sm_steps *out,
                     struct sm_err *err)
{
    const struct sm_place *at = &c->session->at;
    size_t n = 0;
    struct sm_place way = sm_place_all(c->session, at->mode);
    way.tensor = of ? of->name : SM_NAME_NONE;
    way.worker = at->worker;
    if (!sm_place_steps(c, way, SM_TEXT("all"), out, err))
        return false;
    for (size_t i = 0; i < out->n; i++) {
        way.step = out->items[i];
        if (!of || sm_place_is_saved(&way))
            out->items[n++] = out->items[i];
    }
    out->n = n;
    return n || sm_err_set(err, SM_ERR_MISSING, "There are no steps yet.");
}

/* by > 0: the by-th step behind the current one; < 0: before it; the outermost where there are
 * fewer. False: none. */
static bool find_next(const struct sm_steps *way, struct sm_step from, int64_t by,
                      struct sm_step *to, bool *outermost)
{
    size_t before = 0, behind = way->n; /* steps before `from`; the first one after it */
    while (before < way->n && way->items[before].n < from.n)
        before++;
    for (behind = before; behind < way->n && way->items[behind].n == from.n; behind++)
        ;
    size_t room = by > 0 ? way->n - behind : before, n = by > 0 ? (size_t)by : (size_t)-by;
    if (!room)
        return false;
    *outermost = n > room;
    n = n > room ? room : n;
    *to = way->items[by > 0 ? behind + n - 1 : before - n];
    return true;
}

static bool current_tensor(struct sm_call *c, const struct sm_trial_tensor **out,
                           struct sm_err *err)
{
    if (c->session->at.tensor == SM_NAME_NONE)
        return sm_err_set(
            err, SM_ERR_USAGE,
            "There is no current tensor.  Use \"tensor NAME\", or \"step\" for any step.");
    *out = sm_place_tensor(&c->session->at);
    return *out || sm_err_set(err, SM_ERR_MISSING, "There is no such tensor any more.");
}

struct walk {
    struct sm_arrival stop;
    bool outermost; /* there were not as many steps */
};

static bool no_step(struct sm_call *c, int64_t by, bool of_tensor, struct sm_err *err)
{
    bool comes = by > 0 && sm_step_walk_is_live(c->session);
    return sm_err_set(err, SM_ERR_MISSING, "There is no %s step%s%s.%s",
                      by > 0 ? "later" : "earlier", of_tensor ? " of this tensor" : "",
                      comes ? " yet" : "",
                      comes && !of_tensor ? "  \"until 1\" waits for the next one." : "");
}

static bool move(struct sm_call *c, struct walk *w, bool of_tensor, int64_t by, struct sm_err *err)
{
    const struct sm_trial_tensor *of = NULL;
    struct sm_steps way;
    struct sm_step to;
    if ((of_tensor && !current_tensor(c, &of, err)) || !find_way(c, of, &way, err))
        return false;
    if (!find_next(&way, sm_session_step(c->session), by, &to, &w->outermost))
        return no_step(c, by, of != NULL, err);
    sm_arrival_move(c, &w->stop, to, false);
    return true;
}

static bool walk(struct sm_call *c, bool of_tensor, int direction, struct sm_result *out,
                 struct sm_err *err)
{
    struct walk *w = c->state = c->state ? c->state : sm_arena_xalloc(&c->arena, sizeof *w);
    int64_t n = 1;
    if (c->n_words && !sm_call_int(&c->words[0], 1, INT64_MAX, &n, err))
        return false;
    if (!w->stop.there && !move(c, w, of_tensor, direction * n, err))
        return false;
    if (!sm_arrival_show(c, &w->stop, out, err))
        return false;
    if (w->outermost)
        sm_result_dim(out, direction < 0                      ? "No earlier step."
                           : sm_step_walk_is_live(c->session) ? "No later step yet."
                                                              : "No later step.");
    return true;
}

static bool run_step(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return walk(c, false, 1, out, err);
}

static bool run_next(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return walk(c, true, 1, out, err);
}

static bool run_reverse_step(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return walk(c, false, -1, out, err);
}

static bool run_reverse_next(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    return walk(c, true, -1, out, err);
}

enum { WALKS = SM_CMD_NEEDS_TRIAL | SM_CMD_LISTING | SM_CMD_CONTINUES };
static const struct sm_arg walk_args[] = {{.name = "N", .kind = SM_ARG_NUMBER}, {0}};

const struct sm_cmd sm_cmd_step = {
    .name = "step",
    .aliases = "s",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Go to the next saved step, or N steps on",
    .help = "Once a mode is current, by \"goto @eval:12\" or \"tensor NAME mode M\", only its "
            "steps count, until you go to a step of\n"
            "another one. Expressions given to display are shown. An empty line goes on.",
    .example = "step 5",
    .see_also = "next reverse-step goto display",
    .args = walk_args,
    .flags = WALKS,
    .run = run_step,
};

const struct sm_cmd sm_cmd_next = {
    .name = "next",
    .aliases = "n",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Go to the next step that has the current tensor, or N of them on",
    .example = "next",
    .see_also = "step reverse-next tensor display",
    .args = walk_args,
    .flags = WALKS,
    .run = run_next,
};

const struct sm_cmd sm_cmd_reverse_step = {
    .name = "reverse-step",
    .aliases = "rs",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Go back to the saved step before, or N steps back",
    .example = "reverse-step",
    .see_also = "step reverse-next goto",
    .args = walk_args,
    .flags = WALKS,
    .run = run_reverse_step,
};

const struct sm_cmd sm_cmd_reverse_next = {
    .name = "reverse-next",
    .aliases = "rn",
    .cmd_class = SM_CLASS_RUNNING,
    .summary = "Go back to the step before that has the current tensor",
    .example = "reverse-next 2",
    .see_also = "next reverse-step",
    .args = walk_args,
    .flags = WALKS,
    .run = run_reverse_next,
};
