/* SPDX-License-Identifier: Apache-2.0 */
/* The session: the state of the debugger between two command lines. It has the open trials, the
 * current trial, tensor and step, the settings, the variables and the value history, and the state
 * of each feature (commands/session/feature.h). All functions run in the main thread and do not
 * block; reading and computing is done by the worker threads of the pool, and sm_session_pump
 * collects their results.
 *
 * The room commands/session hands out the session (this header), what a room adds to it
 * (feature.h), settings (setting.h, session_settings.h), the list of trials (trial_list.h,
 * trial_news.h), the range of steps that is selected (step_range.h), tags and bookmarks (tags.h,
 * bookmark.h), the log of events (incident.h), work of a call for the worker threads (work.h,
 * render.h), and files that commands write or read (outfile.h, read_file.h). */
#ifndef SM_SESSION_H
#define SM_SESSION_H

#include "commands/answer/print.h"
#include "commands/session/bookmark.h"
#include "commands/session/feature.h"
#include "commands/session/setting.h"
#include "commands/session/step_range.h"
#include "commands/session/tags.h"
#include "reader/analysis/trends.h"
#include "reader/fetch/summary.h"
#include "reader/trial_place.h"
#include "rules/custom.h"
#include "rules/expr/expr.h"
#include "rules/run.h"

#include <stdio.h>

/* Of a run whose directory --shard has dealt out: which of its runs it is, from 1; otherwise zeros.
 */
struct sm_dealt {
    char *directory;
    size_t run, runs;
};
enum { SM_NEVER_CURRENT = -2 };
/* One of the trials of a session. */
struct sm_open_trial {
    struct sm_trial *trial;
    char *alias; /* from "open PATH as NAME", or NULL */
    char *name;  /* unlike that of other trials, if it is a run of several; sm_trials_name */
    /* the directory that it was found in, for opened_path.c; NULL: none that is searched again */
    const struct opened_path *from;
    struct sm_run_ref *ref; /* how to open it once more; NULL: it was opened awake */
    char *run;              /* its path in the directory that was opened; "." is that directory */
    /* The current place of the trial, saved while another trial is current; SM_NEVER_CURRENT as its
     * step if the trial was never current. */
    struct sm_place left;
    struct sm_dealt dealt;
    bool hidden;   /* not drawn when several trials are */
    bool unlisted; /* the user left it out of the table of runs: it is not drawn, either */
    /* Its colour, dash and marker in charts: a number that no other trial that is drawn has
     * (sm_trials_restyle). styled: it is drawn. */
    unsigned style;
    bool styled;
    /* The state at the last call of sm_trial_news; known is false before the first call. */
    bool known, known_gone;
    enum sm_trial_state known_state;
    struct sm_tags tagged, pinned; /* tensors for the pattern +tagged, and for the charts */
    void **states;                 /* state of each feature for this trial */
};
struct sm_variable {
    char *name;
    struct sm_value value;
    struct sm_arena arena;
};

struct sm_variables {
    struct sm_variable *items; /* $name, and the value history as "1", "2", ... */
    size_t n, cap;
    struct sm_names *names; /* an id is the index in items; NULL if there are no variables */
    size_t n_history;       /* number of the newest value in the history */
};
/* The terminal that output is shown on. */
struct sm_terminal {
    int w, h;                  /* in characters; 0 if unknown */
    int cell_w, cell_h;        /* pixels of a character; 0 if unknown */
    bool on_tty;               /* stdout is a terminal */
    bool utf8;                 /* character set of the locale */
    bool full_screen;          /* the dashboard shows output, not the plain terminal */
    enum sm_color_depth depth; /* colours that the terminal supports; set by the front end */
};
struct sm_session {
    const struct sm_feature *const *features; /* NULL-terminated */
    void **states;                            /* of each feature; use sm_session_state */
    struct sm_pool *pool;                     /* the worker threads; borrowed */
    struct sm_fetch *fetch;                   /* reads and caches tensor values */
    struct sm_summaries *summaries;           /* computes and caches statistics */
    struct sm_trends trends, cells;           /* of the tensors that lists and maps show */
    struct sm_opened_paths *opened;           /* directories that may get more runs */
    struct sm_open_trial *trials;
    size_t n_trials, cap_trials, current; /* current < n_trials, or no trial is open */
    const struct sm_trial *baseline; /* other trials are shown as the difference from it; or NULL */
    /* The current tensor, step, mode and worker, without a slice: the defaults of commands. */
    struct sm_place at;
    struct sm_step_range range;           /* selected by the user */
    struct sm_trial_options open_options; /* --steps, --mode, --worker, --follow */
    struct sm_settings settings;
    struct sm_variables variables;
    struct sm_bookmarks bookmarks;
    bool interactive, batch;    /* a prompt or dashboard; -batch */
    bool by_program;            /* --interpreter=json: requests, not a user */
    bool readonly, allow_shell; /* --readonly, --allow-shell: see permission.h */
    bool wait;                  /* --wait: wait for a directory that does not exist yet */
    /* --shard: judge part `part`, from 0, of `parts`; 0 of 0: all. Of a directory of at least so
     * many runs those of the part are opened; otherwise the steps of each run are divided. */
    unsigned part, parts;
    int exit_code;     /* $_exitcode: exit status of the last command */
    unsigned failures; /* $_failures: number of failed commands */
    struct sm_terminal term;
    struct sm_incidents *incidents; /* the event log */
    uint64_t named;                 /* what the names of the trials were made from */
    uint64_t news;                  /* increases when sm_session_pump finds new data */
    int64_t threads, niceness;      /* values applied to the pool; threads 0: its initial ones */
    uint64_t applied;               /* version of the settings at sm_session_apply_settings */
    bool redraw;                    /* request to the front end: redraw the complete screen */
};
/* features: NULL-terminated, borrowed for the life of the session. Returns NULL and sets err when
 * the caches cannot be created. */
struct sm_session *sm_session_new(struct sm_pool *pool, const struct sm_feature *const *features,
                                  struct sm_err *err);
void sm_session_free(struct sm_session *s);
enum { SM_RUNS_SHOWN = 8 };
/* Opens the runs at `path`: a directory that may have several, or a file. Without add they replace
 * the current trial, and the first becomes current; with add the current trial stays current. alias
 * may be NULL; several runs keep their own names, and those after the first SM_RUNS_SHOWN are
 * hidden.
 */
bool sm_session_open(struct sm_session *s, const char *path, const char *alias, bool add,
                     struct sm_err *err);
/* The same for a call: an address of a bucket is looked at in a worker, and the result is false
 * with SM_ERR_WAIT ("asking BUCKET") until its server has answered; dropping the works ends that.
 * ADD: as above. EXISTING: a path that does not exist is an error, instead of a trial that waits
 * for it. */
enum sm_open_how { SM_OPEN_ADD = 1, SM_OPEN_EXISTING = 2 };
struct sm_works;
bool sm_session_open_later(struct sm_session *s, struct sm_works *works, const char *path,
                           const char *alias, unsigned how, struct sm_err *err);
/* Opens the run of trial i, which was opened asleep, once more: awake, not followed, and read when
 * nothing else is. The caller closes *out. */
bool sm_session_open_again(const struct sm_session *s, size_t i, struct sm_trial **out,
                           struct sm_err *err);
/* Closes trial i. If it was current, the next trial becomes current, or the new last one. */
void sm_session_close(struct sm_session *s, size_t i);
struct sm_trial *sm_session_trial(const struct sm_session *s); /* the current trial, or NULL */
/* Sets the error "No trial is open." and returns false. */
bool sm_session_no_trial(struct sm_err *err);
/* Collects the finished jobs of the pool, then processes new data of trials, fetched values and
 * features. Returns true if there was any: redraw, and run waiting commands again. */
bool sm_session_pump(struct sm_session *s);
size_t sm_session_reading(const struct sm_session *s); /* number of values being read */
/* The time (monotonic) at which to call sm_session_pump at the latest; INT64_MAX if never. */
int64_t sm_session_deadline_us(const struct sm_session *s);
/* Sets the print options from the settings and the terminal. */
void sm_session_print_options(const struct sm_session *s, struct sm_print_options *out);
/* The current step; the newest step while the session follows a live trial. */
struct sm_step sm_session_step(const struct sm_session *s);
/* Sets $name to a copy of v, and returns the copy. */
struct sm_value *sm_session_set_variable(struct sm_session *s, const char *name,
                                         const struct sm_value *v);
/* The value of a variable, name without its $: "lr", "1"; "" is the newest value of the history,
 * "$" the one before it, "$3" the third before it. Returns NULL if it is void. */
const struct sm_value *sm_session_variable(const struct sm_session *s, const char *name, size_t n);
/* Returns false and sets err if the name refers to a value that the history does not have. */
bool sm_session_check_history(const struct sm_session *s, const char *name, size_t n,
                              struct sm_err *err);
void sm_session_clear_variables(struct sm_session *s); /* only before the session is freed */
/* Sets $_trial $_tensor $_step $_mode $_worker for a place. */
void sm_session_set_place_variables(struct sm_session *s, const struct sm_place *p);
/* Sets them for the current place, and also $_exitcode and $_failures. */
void sm_session_sync_variables(struct sm_session *s);
/* Applies memory-limit, checksum, s3-follow-rate, threads and niceness; does nothing if no setting
 * has changed. */
void sm_session_apply_settings(struct sm_session *s);

#endif
