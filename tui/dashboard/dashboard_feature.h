/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard as a feature of the session: its commands, and switching between the prompt and the
 * dashboard. */
#ifndef SM_DASHBOARD_FEATURE_H
#define SM_DASHBOARD_FEATURE_H

#include "commands/language/cmd.h"
#include "commands/session/feature.h"

#define SM_DASHBOARD_COMMANDS(X)                                                                   \
    X(layout)                                                                                      \
    X(focus)                                                                                       \
    X(act)                                                                                         \
    X(screen)                                                                                      \
    X(screen_save)                                                                                 \
    X(tui)                                                                                         \
    X(tui_enable)                                                                                  \
    X(tui_disable)                                                                                 \
    X(tui_new_layout)                                                                              \
    X(tui_reset_layout) X(key) X(pane) X(winheight) X(winwidth) X(info_win) X(info_keys)
SM_DASHBOARD_COMMANDS(SM_CMD_DECLARE)

struct sm_dashboard;
struct sm_key_help;
enum sm_frontend_choice { SM_FRONTEND_SAME, SM_FRONTEND_DASHBOARD, SM_FRONTEND_PROMPT };
struct sm_dashboard_state {
    struct sm_dashboard *shown; /* NULL in the prompt and in a batch */
    bool may_switch;            /* the user may switch between prompt and dashboard */
    enum sm_frontend_choice next_frontend;
    const struct sm_key_help *keys; /* for `info keys`, or NULL */
    size_t n_keys;
};
extern const struct sm_state_kind sm_dashboard_state_kind;
extern const struct sm_feature sm_dashboard_feature;
struct sm_dashboard_state *sm_dashboard_state(const struct sm_session *s);
struct sm_dashboard *sm_dashboard_shown(const struct sm_session *s);
/* For commands that need a dashboard. Without one, returns NULL and sets err. */
struct sm_dashboard *sm_dashboard_needed(const struct sm_call *c, struct sm_err *err);
const char *sm_dashboard_word(struct sm_call *c, size_t i); /* the i-th word, NUL-terminated */

struct sm_loop;
struct sm_options;
/* Runs the dashboard and returns the exit status; -1 with a message on stderr if the terminal
 * cannot show it. */
int sm_dashboard_run(struct sm_loop *l, const struct sm_options *o);

#endif
