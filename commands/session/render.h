/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a result in a worker thread, for arrays that take too long for the main loop. */
#ifndef SM_RENDER_H
#define SM_RENDER_H

#include "commands/answer/print.h"
#include "reader/base/pool.h"

struct sm_render;
/* True if printing the result takes long, because of its elements: a worker should do it. */
bool sm_render_takes_long(const struct sm_result *r);
/* Takes ownership of the result and leaves *r empty; copies o. */
struct sm_render *sm_render_start(struct sm_pool *pool, struct sm_result *r,
                                  const struct sm_print_options *o);
bool sm_render_done(const struct sm_render *x); /* changes in sm_pool_collect */
/* Returns the result and its text, and frees x. Only when it is done. */
void sm_render_take(struct sm_render *x, struct sm_result *r, struct sm_str *text);
void sm_render_drop(struct sm_render *x); /* cancels and frees it, done or not */

#endif
