/* Turning an answer into text in a worker, for arrays that take longer than a key may wait. */
#ifndef SM_RENDER_H
#define SM_RENDER_H

#include "commands/answer/print.h"
#include "reader/base/pool.h"

struct sm_render;
bool sm_render_takes_long(const struct sm_result *r);
/* Takes the result over and leaves *r empty; o is copied. */
struct sm_render *sm_render_start(struct sm_pool *pool, struct sm_result *r,
                                  const struct sm_print_options *o);
bool sm_render_done(const struct sm_render *x); /* after sm_pool_collect */
/* Gives the result and its text back, once done; frees x. */
void sm_render_take(struct sm_render *x, struct sm_result *r, struct sm_str *text);
void sm_render_drop(struct sm_render *x); /* nobody wants it any more, done or not */

#endif
