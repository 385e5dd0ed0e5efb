/* SPDX-License-Identifier: Apache-2.0 */
/* verdict signals: the numbers that the verdict is made from. */
#include "commands/answer/shape.h"
#include "commands/verdict/session_verdict.h"
#include "commands/verdict/verdict_command.h"

static void add_points(struct sm_result *out, struct sm_node *map, const struct sm_track *t)
{
    struct sm_node *points = sm_node_list(out, map, "points");
    for (size_t k = 0; k < t->n; k++) {
        const struct sm_track_point *p = &t->points[k];
        const struct {
            const char *key;
            float v;
        } numbers[] = {{"nan", p->nan},  {"inf", p->infinite},    {"mean", p->mean},
                       {"std", p->std},  {"abs_max", p->abs_max}, {"l2", p->l2},
                       {"zero", p->zero}};
        struct sm_node *row = sm_node_map(out, points, NULL), *own;
        sm_node_int(out, row, "step", p->step);
        sm_node_int(out, row, "mode_step", p->number);
        sm_node_int(out, row, "written", p->seq);
        for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++)
            sm_node_double(out, row, numbers[j].key, (double)numbers[j].v, true);
        own = sm_node_list(out, row, "own");
        for (size_t j = 0; j < SM_OWN_NUMBERS; j++)
            sm_node_double(out, own, NULL, (double)p->own[j], true);
    }
}

static const struct sm_column columns[] = {
    {.key = "name", .header = "NAME"},        {.key = "role", .header = "ROLE"},
    {.key = "mode", .header = "MODE"},        {.key = "worker", .header = "WORKER"},
    {.key = "first_step", .header = "FIRST"}, {.key = "last_step", .header = "LAST"},
    {.key = "values", .header = "VALUES"},
};

static bool run_signals(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_verdict *v = sm_verdict_ask(c, err);
    if (!v)
        return false;
    const struct sm_signals *g = v->of.signals;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < g->n; i++) {
        const struct sm_track *t = &g->tracks[i];
        struct sm_node *map = sm_node_map(out, list, NULL);
        sm_node_text(out, map, "name", sm_track_name(g, t));
        sm_node_text(out, map, "role", sm_signal_role_name((enum sm_signal_role)t->role));
        sm_node_text(out, map, "mode", sm_mode_name(t->mode));
        sm_node_text(out, map, "worker", sm_track_worker(g, t));
        sm_node_int(out, map, "first_step", t->points[0].step);
        sm_node_int(out, map, "last_step", t->points[t->n - 1].step);
        sm_node_uint(out, map, "values", t->values);
        add_points(out, map, t);
    }
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    return true;
}

const struct sm_cmd sm_cmd_verdict_signals = {
    .parent = "verdict",
    .name = "signals",
    .cmd_class = SM_CLASS_RULES,
    .summary = "List what the verdict has looked at: tensors, their roles, numbers",
    .help = "The roles decide which causes look at a tensor. -json has the numbers of every value; "
            "`own` depends on the role (doc/verdict.md).",
    .example = "verdict signals",
    .see_also = "verdict",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer =
        "[{name:name,role:text,mode:mode,worker:name,first_step:int,last_step:int,values:int,"
        "points:[{step:int,mode_step:int,written:int,nan:num,inf:num,mean:num,std:num,abs_max:"
        "num,l2:num,zero:num,own:[num]}]}]",
    .run = run_signals,
};
