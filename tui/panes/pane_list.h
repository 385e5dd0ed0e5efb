/* SPDX-License-Identifier: Apache-2.0 */
/* All panes, one line each: X(record, "name") for the record sm_pane_RECORD. */
#ifndef SM_PANE_LIST_H
#define SM_PANE_LIST_H

#include "tui/panes/pane.h"

#define SM_PANES(X)                                                                                \
    X(tensors, "tensors")                                                                          \
    X(scalars, "scalars")                                                                          \
    X(value, "value")                                                                              \
    X(rules, "rules")                                                                              \
    X(events, "events")                                                                            \
    X(health, "health")                                                                            \
    X(steps, "steps")                                                                              \
    X(workers, "workers")                                                                          \
    X(sources, "sources")                                                                          \
    X(console, "cmd")                                                                              \
    X(runs, "runs")                                                                                \
    X(config, "config")                                                                            \
    X(scatter, "scatter")                                                                          \
    X(log, "log")                                                                                  \
    X(system, "system")                                                                            \
    X(diff, "diff")                                                                                \
    X(updates, "updates")                                                                          \
    X(size, "size")                                                                                \
    X(verdict, "verdict")                                                                          \
    X(usage, "usage")                                                                              \
    X(heat, "heat")                                                                                \
    X(summary, "summary")                                                                          \
    X(phases, "phases")                                                                            \
    X(ops, "ops")                                                                                  \
    X(profile_rules, "profile-rules")                                                              \
    X(durations, "durations")                                                                      \
    X(loader, "loader")                                                                            \
    X(balance, "balance")                                                                          \
    X(gpumem, "gpumem")                                                                            \
    X(kernels, "kernels")                                                                          \
    X(trace_ops, "trace-ops")                                                                      \
    X(trace_steps, "trace-steps")                                                                  \
    X(idle, "idle")                                                                                \
    X(blame, "blame")                                                                              \
    X(memory, "memory")                                                                            \
    X(hang, "hang")

#define SM_PANE_DECLARE(record, name) extern const struct sm_pane_ops sm_pane_##record;
SM_PANES(SM_PANE_DECLARE)

#endif
