/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/arrival.h"

#include "commands/place/place.h"
#include "commands/place/step_walk.h"

void sm_arrival_move(struct sm_call *c, struct sm_arrival *stop, struct sm_step to, bool follow)
{
    if (stop->moved)
        return;
    c->session->at.step = to;
    c->session->at.follow = follow;
    sm_place_leave_mode(&c->session->at);
    sm_session_sync_variables(c->session);
    stop->moved = true;
}

static void describe_step(const struct sm_trial *t, struct sm_step at, struct sm_node *map,
                          struct sm_result *out, struct sm_str *line)
{
    const struct sm_trial_step *s = sm_place_trial_step(t, at);
    sm_node_int(out, map, "step", at.n);
    sm_node_text(out, map, "mode", s ? sm_mode_name(s->mode) : NULL);
    if (s)
        sm_node_int(out, map, "mode_step", s->mode_step.n);
    else
        sm_node_null(out, map, "mode_step");
    sm_place_add_step(line, t, at);
}

static void describe_tensor(const struct sm_place *at, struct sm_node *map, struct sm_result *out,
                            struct sm_str *line)
{
    const struct sm_names *names = sm_trial_names(at->trial);
    struct sm_place by_anyone = *at;
    if (at->tensor == SM_NAME_NONE) {
        sm_node_null(out, map, "tensor");
        return;
    }
    by_anyone.worker = SM_WORKER_ANY;
    sm_node_textn(out, map, "tensor", sm_place_name(at), sm_names_length(names, at->tensor));
    sm_str_add(line, "  ");
    sm_place_add_name(line, at);
    if (!sm_place_is_saved(&by_anyone))
        sm_str_add(line, " (not saved here)");
}

bool sm_arrival_show(struct sm_call *c, struct sm_arrival *stop, struct sm_result *out,
                     struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    struct sm_str line = {0};
    out->stopped = true;
    describe_step(t, sm_session_step(c->session), map, out, &line);
    describe_tensor(&c->session->at, map, out, &line);
    if (!stop->silent)
        sm_result_text(out, "%s", stop->headline ? stop->headline : sm_str_text(&line));
    sm_str_clear(&line);
    out->root = map;
    return stop->silent ||
           sm_displays_show(c, &stop->displayed, 0, out, sm_node_list(out, map, "displays"), err);
}
