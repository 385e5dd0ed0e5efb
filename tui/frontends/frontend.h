/* SPDX-License-Identifier: Apache-2.0 */
/* The front ends for the user or a program, with a session and a loop. Each returns the exit
 * status.
 *
 * The room tui/frontends has batch (batch.c), the prompt (repl.c), JSON for programs (machine.c)
 * and the change between prompt and dashboard (frontend_switch.c). */
#ifndef SM_FRONTEND_H
#define SM_FRONTEND_H

#include "tui/app/loop.h"
#include "tui/app/options.h"

/* -batch, stdin scripts, --inspect */
int sm_batch_run(struct sm_loop *l, const struct sm_options *o);
/* readline on the plain terminal, pager */
int sm_repl_run(struct sm_loop *l, const struct sm_options *o);
/* dashboard or prompt; switches on "tui enable" and "tui disable" */
int sm_frontend_run(struct sm_loop *l, const struct sm_options *o, bool dashboard);
/* --interpreter=json: for other programs */
int sm_machine_run(struct sm_loop *l, const struct sm_options *o);

/* Appends the lines shown when a trial is opened: name, state, counts ("cnn_run: smdebug trial, 1
 * worker, live ..."). */
void sm_greeting(const struct sm_session *s, struct sm_str *out);
/* Appends a summary of the trial, for --inspect and for --demo without a terminal. */
void sm_summary(struct sm_session *s, struct sm_str *out);
/* Informs --interpreter=json of opened and closed trials. */
extern const struct sm_feature sm_machine_feature;

#endif
