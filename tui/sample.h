/* SPDX-License-Identifier: Apache-2.0 */
/* smdbg-tui sample: records what the machine does while a program runs (doc/recording.md). */
#ifndef SM_SAMPLE_H
#define SM_SAMPLE_H

#include "tui/app/options.h"

/* The options, for --help and the man page; ends with names NULL. */
extern const struct sm_option_row sm_sample_option_table[];

struct sm_sample_options {
    const char *out;   /* the profiler's tree */
    const char *root;  /* --sensors; NULL: "/" */
    char *const *argv; /* the program and its arguments; NULL: none */
    int interval_ms;
    int pid;  /* of a process that already runs; 0: none */
    int node; /* from 1 */
    bool help;
};
/* argv[0] is "sample". The texts are pointers into argv. False: SM_ERR_USAGE. */
bool sm_sample_parse(int argc, char **argv, struct sm_sample_options *out, struct sm_err *err);
void sm_sample_help(struct sm_str *out);

/* Records until the program, or the process, or a signal ends it. Returns the exit status: that of
 * the program, 128 + N if signal N has ended it, 127 or 126 if it cannot be started; else 0, or 1
 * if nothing could be recorded, or 2 for a bad command line. Called before signals are changed. */
int sm_sample_main(int argc, char **argv);

#endif
