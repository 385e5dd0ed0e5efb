/* SPDX-License-Identifier: Apache-2.0 */
/* The traces of the current trial, waited for, and the options of all commands that show them. */
#ifndef SM_TRACE_ASK_H
#define SM_TRACE_ASK_H

#include "commands/language/cmd.h"
#include "rules/trace/spread.h"
#include "rules/trace/trace_view.h"

/* For the table of a command's options. */
#define SM_TRACE_OPTIONS                                                                           \
    {.name = "rank", .kind = SM_ARG_NUMBER, .value = "N", .help = "of traces: of this rank only"}, \
    {                                                                                              \
        .name = "hta", .kind = SM_ARG_FLAG, .help = "of traces: count as HolisticTraceAnalysis"    \
    }
/* For the help of a command. */
#define SM_TRACE_HELP "Definitions, and how -hta differs: doc/profiler.md. JSON has nanoseconds."

struct sm_traces {
    const struct sm_trace_set *set;
    const struct sm_trace_item **items;
    struct sm_trace_view *views; /* of the same */
    size_t n;
    bool many; /* a rank has several traces: rows name them */
};
/* The set of the trial, of this format, and the rank that the option asks for (-1: all). NULL: as
 * sm_traces_ask. */
const struct sm_trace_set *sm_trace_set_ask(struct sm_call *c, enum sm_trace_format format,
                                            int64_t *rank, struct sm_err *err);
/* Sets the error of a set that has nothing of a rank, or nothing at all. False. */
bool sm_trace_none(const struct sm_trace_set *set, int64_t rank, struct sm_err *err);
/* Whether the trial has files of this format. */
bool sm_trace_has_format(const struct sm_call *c, enum sm_trace_format format);
/* Those that the options of the call choose; valid until the next call of this function. NULL: the
 * trial has no traces, or none of this rank, or they are not read yet (SM_ERR_WAIT). */
const struct sm_traces *sm_traces_ask(struct sm_call *c, struct sm_err *err);
/* Frees what is kept of a trial. */
void sm_traces_closing(struct sm_session *s, size_t trial);
extern const struct sm_state_kind sm_traces_state_kind;

/* Adds "trace", the file, where a rank has several. */
void sm_trace_node_file(struct sm_result *out, struct sm_node *row, const struct sm_traces *t,
                        size_t i);
/* Adds text of a trace, null if it is not given. */
void sm_trace_node_name(struct sm_result *out, struct sm_node *row, const char *key,
                        const struct sm_trace_data *t, uint32_t name);
/* Rounded to so many digits after the point, null if it is not finite. */
void sm_trace_node_rounded(struct sm_result *out, struct sm_node *row, const char *key, double v,
                           int digits);
/* A map as pandas describes values: count, mean, std, min, 25%, 50%, 75%, max. */
void sm_trace_node_spread(struct sm_result *out, struct sm_node *row, const char *key,
                          const struct sm_spread *s);
/* The first lines of a table of several ranks say so if ranks are missing or cut off. */
void sm_trace_remarks(struct sm_result *out, const struct sm_traces *t);

#endif
