/* SPDX-License-Identifier: Apache-2.0 */
/* pane: shows, hides or sets one pane of the dashboard. */
#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/dashboard_feature.h"

#include <string.h>

static bool run_pane(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_dashboard *d = sm_dashboard_shown(c->session);
    const char *at = sm_arena_xstrndup(&c->arena, c->raw.p, c->raw.n),
               *name = sm_call_next_word(c, &at), *verb = sm_call_next_word(c, &at);
    (void)out;
    bool hides = strcmp(verb, "hide") == 0, shows = !*verb || hides || strcmp(verb, "show") == 0;
    const char *attribute = sm_call_next_word(c, &at);
    if (shows ? *attribute : strcmp(verb, "set") != 0 || !*attribute)
        return sm_err_set(
            err, SM_ERR_USAGE,
            "Expected pane NAME show, pane NAME hide, or pane NAME set ATTRIBUTE VALUE.");
    if (!shows)
        return !d || sm_dashboard_set(d, name, attribute, at, err);
    d = sm_dashboard_needed(c, err);
    if (!d)
        return false;
    return hides ? sm_dashboard_hide(d, name, true, err) : sm_dashboard_focus(d, name, err);
}

static const char *const verbs[] = {"show", "hide", "set", NULL};
static const char *const attributes[] = {"view",   "slice", "over-time", "statistic", "sort",
                                         "window", "group", "best",      "columns",   "order",
                                         "from",   "x",     "y",         NULL};
static const char *const values[] = {
    "statistics", "values",   "histogram", "time", "image", "heat",  "ridge",    "bands", "mean",
    "std",        "abs_mean", "abs_max",   "l2",   "nan",   "first", "previous", NULL};
static const struct sm_arg pane_args[] = {
    {.name = "PANE", .kind = SM_ARG_WORD, .required = true, .words = sm_pane_words},
    {.name = "show-hide-or-set", .kind = SM_ARG_WORD, .words = verbs},
    {.name = "ATTRIBUTE", .kind = SM_ARG_WORD, .words = attributes},
    {.name = "VALUE", .kind = SM_ARG_TEXT, .words = values},
    {0},
};

const struct sm_cmd sm_cmd_pane = {
    .name = "pane",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Show or hide a pane, or set its contents",
    .help = "\"pane value set view values\" shows the elements of the current tensor, \"pane value "
            "set slice [0, :, 3:8]\" a part of it,\n"
            "and \"pane value set slice\" the complete tensor. Other panes use the space of a "
            "hidden pane, also in the next session.\n"
            "Without a dashboard \"set\" does nothing, so an init file can use it.",
    .example = "pane value set slice [0, :, 3:8]",
    .see_also = "focus, winheight, act",
    .args = pane_args,
    .flags = SM_CMD_RAW,
    .run = run_pane,
};
