/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SM_CHECK_H
#define SM_CHECK_H

#include "tui/app/loop.h"
#include "tui/app/options.h"

/* --check: reads all records, prints a report to stdout, returns the exit status */
int sm_check_run(struct sm_loop *l, const struct sm_options *o);

#endif
