/* What the debugger knows between two lines: trials, the current point, settings, history,
 * variables. */
#ifndef SM_SESSION_H
#define SM_SESSION_H

#include "commands/answer/print.h"
#include "commands/session/bookmark.h"
#include "commands/session/feature.h"
#include "commands/session/setting.h"
#include "commands/session/tags.h"
#include "reader/summary.h"
#include "reader/trial_place.h"
#include "rules/custom.h"
#include "rules/expr/expr.h"
#include "rules/run.h"

#include <stdio.h>

struct sm_open_trial {
    struct sm_trial *trial;
    char *alias; /* "open PATH as NAME" or the trial's own name */
    /* the current place when another trial became current; step -2 if it never was current */
    struct sm_place left;
    bool hidden; /* not drawn among the others */
    /* known: it was looked at before; this and what follows: how it was (trial_news.h) */
    bool known, known_gone;
    enum sm_trial_state known_state;
    struct sm_tags tagged, pinned; /* tensors: for the pattern +tagged; for the charts */
    void **states;                 /* of the features, for this trial */
};
struct sm_variable {
    char *name;
    struct sm_value value;
    struct sm_arena arena;
};

struct sm_variables {
    struct sm_variable *items; /* $name, and value history under "1", "2", ... */
    size_t n, cap;
    struct sm_names *names; /* the id is the place among the items; NULL: there are none */
    size_t n_history;       /* newest $N */
};
/* What answers are shown on. */
struct sm_terminal {
    int w, h;                  /* characters, 0: not known */
    int cell_w, cell_h;        /* pixels of a character, 0: not known */
    bool on_tty;               /* stdout is a terminal */
    bool utf8;                 /* the locale's charset */
    bool full_screen;          /* the dashboard shows answers, not a plain terminal */
    enum sm_color_depth depth; /* what the terminal can show; set by the front end */
};
struct sm_session {
    /* what the program is made of (commands/session/feature.h), and the state of each */
    const struct sm_feature *const *features;
    void **states;
    struct sm_pool *pool;
    struct sm_fetch *fetch;
    struct sm_summaries *summaries;
    struct sm_open_trial *trials;
    size_t n_trials, cap_trials, current; /* current < n_trials, or no trial is open */
    /* the others are shown as they differ from it; NULL: none is (commands/session/trial_list.h) */
    const struct sm_trial *baseline;
    struct sm_place at; /* the current place, without a slice: what later commands default to */
    struct sm_trial_options open_options; /* --steps, --mode, --worker, --follow */
    struct sm_settings settings;
    struct sm_variables variables;
    struct sm_bookmarks bookmarks;
    bool interactive, batch, readonly, allow_shell;
    bool wait;         /* --wait: a directory that is not there yet is waited for */
    int exit_code;     /* $_exitcode: status of the last command */
    unsigned failures; /* $_failures */
    struct sm_terminal term;
    struct sm_incidents *incidents; /* what rules and actions did */
    uint64_t news;                  /* grows whenever sm_session_pump brought something */
    int64_t threads, niceness;      /* as the pool has them; 0 threads: as it was made */
    uint64_t applied;               /* version of the settings that reader and cache work with */
    bool redraw;                    /* a command asks the front end to draw its screen again */
};
/* features: NULL-terminated; they stay where they are. */
struct sm_session *sm_session_new(struct sm_pool *pool, const struct sm_feature *const *features,
                                  struct sm_err *err);
void sm_session_free(struct sm_session *s);
bool sm_session_open(struct sm_session *s, const char *path, const char *alias, bool add,
                     struct sm_err *err);
void sm_session_close(struct sm_session *s, size_t i);
struct sm_trial *sm_session_trial(const struct sm_session *s); /* the current one or NULL */
bool sm_session_no_trial(struct sm_err *err); /* "No trial is open." as an error; returns false */
/* Collects the pool's finished jobs, then takes what is new of trials and fetched values. True:
 * something to draw or to ask again. */
bool sm_session_pump(struct sm_session *s);
size_t sm_session_reading(const struct sm_session *s); /* values on their way */
int64_t sm_session_deadline_us(const struct sm_session *s);
/* from settings and terminal */
void sm_session_print_options(const struct sm_session *s, struct sm_print_options *out);
/* the current step, resolved (newest when following) */
struct sm_step sm_session_step(const struct sm_session *s);
struct sm_value *sm_session_set_variable(struct sm_session *s, const char *name,
                                         const struct sm_value *v);
/* name without its $: "lr", "1"; "" is the newest of the history, "$" the one before, "$3" the
 * third before. */
/* NULL: void */
const struct sm_value *sm_session_variable(const struct sm_session *s, const char *name, size_t n);
/* False: err; the name is of the value history, and that has not got so far. */
bool sm_session_check_history(const struct sm_session *s, const char *name, size_t n,
                              struct sm_err *err);
void sm_session_clear_variables(struct sm_session *s); /* for good */
/* $_trial $_tensor $_step $_mode $_worker, of any place. */
void sm_session_set_place_variables(struct sm_session *s, const struct sm_place *p);
/* The same of the current place, and $_exitcode $_failures. */
void sm_session_sync_variables(struct sm_session *s);
void sm_session_apply_settings(struct sm_session *s); /* memory-limit, checksum: after a change */

#endif
