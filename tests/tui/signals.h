/* SPDX-License-Identifier: Apache-2.0 */
/* Signals as a terminal emulator starts a program. Tests may run under nohup or in the background
 * of a script, where SIGHUP or SIGINT is ignored, and the program leaves ignored signals ignored.
 */
#ifndef SM_TEST_SIGNALS_H
#define SM_TEST_SIGNALS_H

#include <signal.h>
#include <stddef.h>

static inline void signals_default(void)
{
    static const int all[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP, SIGCONT};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        signal(all[i], SIG_DFL);
}

#endif
