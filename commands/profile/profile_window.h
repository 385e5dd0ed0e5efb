/* SPDX-License-Identifier: Apache-2.0 */
/* The options of commands that show a part of a profile. */
#ifndef SM_PROFILE_WINDOW_H
#define SM_PROFILE_WINDOW_H

#include "commands/profile/profile_ask.h"

/* For the table of a command's options. */
#define SM_PROFILE_WINDOW_OPTIONS                                                                  \
    {.name = "node", .kind = SM_ARG_TEXT, .value = "NODE", .help = "of this node only"},           \
        {.name = "last",                                                                           \
         .kind = SM_ARG_DURATION,                                                                  \
         .value = "TIME",                                                                          \
         .help = "only the last part of the time, as 10m"},                                        \
    {                                                                                              \
        .name = "steps", .kind = SM_ARG_TEXT, .value = "FIRST:LAST",                               \
        .help = "only the time of these steps of the profile (of training, if it has them)"        \
    }

struct sm_profile_window {
    int64_t from_ns, to_ns; /* [from, to) */
    int64_t held_ns;  /* from_ns; where no sample is in it: that of the last ones, which hold */
    const char *node; /* NULL: all */
};
/* Without options it is the time of all data. False: a bad option, or there is no data. */
bool sm_profile_window(struct sm_call *c, const struct sm_profile *p, struct sm_profile_window *out,
                       struct sm_err *err);
/* Whether a node of metrics or of events is in it: "algo-1" has "algo-1-41", too. */
bool sm_profile_window_has(const struct sm_profile_window *w, const char *node);

#endif
