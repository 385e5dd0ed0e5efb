/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: parsing, --help and the man page use one table (doc/language.md). */
#ifndef SM_OPTIONS_H
#define SM_OPTIONS_H

#include "reader/base/err.h"
#include "reader/base/str.h"
#include "reader/trial.h"

enum sm_start { SM_START_COMMAND, SM_START_FILE }; /* -ex CMD, -x FILE, in the order given */
struct sm_start_item {
    enum sm_start kind;
    const char *text;
    bool early; /* -iex, -ix: before the trial is opened */
};
enum sm_ternary { SM_AUTO, SM_YES, SM_NO };
struct sm_options {
    const char **trials;
    size_t n_trials;
    struct sm_start_item *items;
    size_t n_items;
    const char *const *args; /* --args, for the files */
    size_t n_args;
    bool no_init, no_home_init, batch, batch_silent, keep_going, stop_on_error, quiet, readonly,
        allow_shell, check, inspect, wait;
    bool help, version;
    bool resumed; /* not an option: another front end has already applied the options */
    enum sm_ternary tui, follow, color, mouse; /* color: SM_YES always, SM_NO never */
    const char *symbols;                       /* auto braille block ascii; NULL if not given */
    const char *interpreter;                   /* console tui json; NULL if not given */
    const char *steps, *mode, *worker;         /* unparsed; see sm_options_restrict */
    const char *rules;                         /* "auto" or a file; NULL if not given */
    bool no_rules, json;
    unsigned shard, shards; /* part `shard`, from 0, of `shards`; both 0: the complete trial */
    int delay_tenths;       /* 1..100; 0 if not given */
    int threads;            /* -1 if not given */
    const char *replay_src, *replay_dst;
    const char *demo;   /* a name of reader/demo/faults.h, "list", or "" for no fault */
    const char *out;    /* NULL if not given */
    int seed;           /* -1 if not given */
    double speed;       /* 1 if not given */
    int interval_ms;    /* -1 if not given */
    const char *layout; /* --layout NAME; NULL: the last one, or as the run needs */
    const char *keys;   /* --keys FILE: a script of keys for the dashboard (screen tests) */
    int columns, lines; /* --size WxH for key scripts; 0 if not given */
};
struct sm_option_row {
    const char *names; /* "-x --command" */
    const char *value; /* "FILE" or NULL */
    const char *help;
};
extern const struct sm_option_row sm_option_table[]; /* ends with names NULL */
/* Texts are pointers into argv. Returns false with SM_ERR_USAGE (exit status 2); clear `out` also
 * then. Long names can have one dash or two, and can be shortened to an unambiguous prefix. A value
 * is the next argument, or follows '='. */
bool sm_options_parse(int argc, char **argv, struct sm_options *out, struct sm_err *err);
void sm_options_clear(struct sm_options *o);
/* Converts --steps, --mode, --worker and --follow for the reader; the worker's name is borrowed. */
bool sm_options_restrict(const struct sm_options *o, struct sm_trial_options *out,
                         struct sm_err *err);
/* Returns true if there is a -x or -ex (files_only: a -x). */
bool sm_options_have_commands(const struct sm_options *o, bool files_only);
void sm_options_help(struct sm_str *out);
/* The lines of one row, as --help has them. */
void sm_option_row_help(struct sm_str *out, const struct sm_option_row *row);

#endif
