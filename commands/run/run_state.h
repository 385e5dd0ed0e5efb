/* SPDX-License-Identifier: Apache-2.0 */
/* Running lines: scripts, commands that wait, and the output of answers as text or JSON.
 *
 * Provides the exec, which runs one line after another without blocking (exec.h), answers that the
 * dashboard shows (answer_live.h), and logging of answers (logging.h). */
#ifndef SM_RUN_STATE_H
#define SM_RUN_STATE_H

#include "commands/session/session.h"

/* The listing that an empty line or `list` continues. */
struct sm_listing {
    struct sm_str lines; /* text of the last long answer */
    size_t next;         /* byte where the next page starts */
};
struct sm_answer_live;
/* The room's state of a session. */
struct sm_run {
    struct sm_listing listing;
    struct sm_str picture; /* the last answer with a plot, as SVG: for `save FILE.svg` */
    char **lines;          /* command lines of this session, for `history` */
    size_t n_lines, cap_lines;
    struct sm_answer_live *answers; /* shown by the dashboard */
    uint64_t n_answers;             /* that were made */
    FILE *log;                      /* of "set logging"; NULL if none is open */
    char *log_name;                 /* as given by the user */
    bool log_started; /* the next message reports that logging started; it is not logged */
};
/* The settings of the room, in the order of their names. */
struct sm_run_settings {
    bool history_save;
    int64_t history_size;
    bool logging_enabled;
    char *logging_file;
    bool logging_overwrite;
    bool logging_redirect;
    bool stop_on_error;
    bool strict;
    bool trace_commands;
};
extern const struct sm_setting sm_run_setting_rows[]; /* ends with name NULL */
const struct sm_run_settings *sm_run_settings(const struct sm_session *s);
extern const struct sm_state_kind sm_run_state_kind;
extern const struct sm_feature sm_run_feature;
struct sm_run *sm_run(const struct sm_session *s);

#endif
