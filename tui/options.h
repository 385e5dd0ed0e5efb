/* The command line: one table from which parsing, --help and the man page are made (INTERFACE.md 1). */
#ifndef SM_OPTIONS_H
#define SM_OPTIONS_H

#include "reader/base/err.h"
#include "reader/trial.h"

enum sm_start { SM_START_COMMAND, SM_START_FILE };          /* -ex CMD, -x FILE, in the order given */
struct sm_start_item {
    enum sm_start kind;
    const char *text;
    bool early;                          /* -iex, -ix: before the trial is opened */
};
enum sm_ternary { SM_AUTO, SM_YES, SM_NO };
struct sm_options {
    const char **trials;
    size_t n_trials;
    struct sm_start_item *items;
    size_t n_items;
    bool no_init, no_home_init, batch, batch_silent, keep_going, stop_on_error, quiet, readonly, allow_shell, check, inspect, wait;
    bool help, version;
    enum sm_ternary tui, follow, color, mouse, no_tui;
    const char *symbols;                 /* auto braille block ascii */
    const char *interpreter;
    const char *steps, *mode, *worker;
    int delay_tenths;                    /* 0: not given */
    int threads;                         /* -1: default 2 */
    const char *replay_src, *replay_dst;
    double speed;
    int interval_ms;                     /* -1: not given */
    const char *keys;                    /* --keys FILE: a script of keys for the dashboard (screen tests) */
    int columns, lines;                  /* --size WxH for such scripts; 0: the terminal's */
};
struct sm_option_row {
    const char *names;                   /* "-x --command" */
    const char *value;                   /* "FILE" or NULL */
    const char *help;
};
extern const struct sm_option_row sm_option_table[];       /* ends with names NULL */
/* Pointers into argv. False: SM_ERR_USAGE (exit status 2). Single-dash long forms equal -- forms. */
bool sm_options_parse(int argc, char **argv, struct sm_options *out, struct sm_err *err);
void sm_options_clear(struct sm_options *o);
void sm_options_help(struct sm_str *out);

#endif
