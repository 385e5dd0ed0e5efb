#ifndef SM_CHECK_H
#define SM_CHECK_H

#include "tui/app/loop.h"
#include "tui/app/options.h"

/* --check: reads everything, reports to stdout */
int sm_check_run(struct sm_loop *l, const struct sm_options *o);

#endif
