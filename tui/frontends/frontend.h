/* The ways to talk to a person or a program, over the same session, exec and loop. Each returns the
 * exit status. */
#ifndef SM_FRONTEND_H
#define SM_FRONTEND_H

#include "tui/app/loop.h"
#include "tui/app/options.h"

/* -batch, stdin scripts, --inspect */
int sm_batch_run(struct sm_loop *l, const struct sm_options *o);
/* readline on the plain terminal, pager */
int sm_repl_run(struct sm_loop *l, const struct sm_options *o);
/* one of these, and the other on "tui enable" */
int sm_front_switch_run(struct sm_loop *l, const struct sm_options *o, bool dashboard);
/* --interpreter=json: for other programs */
int sm_machine_run(struct sm_loop *l, const struct sm_options *o);

/* The lines a person sees on opening a trial: name, state, counts ("cnn_run: smdebug trial, 1
 * worker, live ..."). */
void sm_greeting(const struct sm_session *s, struct sm_str *out);
/* A summary of the run as text, for `make demo` without a terminal and for --inspect. */
void sm_summary(struct sm_session *s, struct sm_str *out);
/* The machine hears of trials that are opened and closed. */
extern const struct sm_feature sm_machine_feature;

#endif
