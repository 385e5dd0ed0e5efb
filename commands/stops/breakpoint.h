/* SPDX-License-Identifier: Apache-2.0 */
/* Breakpoints: where a walk along the steps stops (doc/language.md "Breakpoints"). sm_break_search
 * finds the steps at which they hit. A number is never used again. */
#ifndef SM_BREAKPOINT_H
#define SM_BREAKPOINT_H

#include "commands/language/body.h"
#include "commands/language/cmd.h"
#include "commands/stops/break_skip.h"
#include "commands/stops/breakpoint_list.h"

enum sm_break_kind {
    SM_BREAK_TENSORS, /* the tensors of patterns, at each step that has them */
    SM_BREAK_STEP,    /* every step */
    SM_BREAK_ERROR,   /* a value that cannot be read */
    SM_BREAK_END,     /* the end of the job */
    SM_BREAK_STALL,   /* no new data arrives */
    SM_BREAK_RULE,    /* a rule fires */
};
/* The command that created it. */
enum sm_break_type {
    SM_BREAK_POINT,
    SM_BREAK_WATCH, /* stops at a change, or if nothing changes */
    SM_BREAK_PRINT, /* dprintf: prints and continues */
};
/* What happens to it after a stop. */
enum sm_break_disposition { SM_BREAK_KEEP, SM_BREAK_DISABLE, SM_BREAK_DELETE };

struct sm_breakpoint {
    unsigned number;
    enum sm_break_type type;
    enum sm_break_kind kind;
    enum sm_break_disposition disposition;
    bool temporary; /* created by tbreak */
    bool enabled;
    /* the watched expression; TENSORS, RULE: as the user would type it: "bias weight" */
    const char *where;
    struct sm_word *words; /* TENSORS: the patterns */
    size_t n_words;
    struct sm_break_rule *rule; /* RULE; else NULL */
    enum sm_mode mode;          /* only steps of this mode; ANY: all */
    char *watched;              /* WATCH: the arguments of watch: "-dead relu"; else NULL */
    char *trigger;              /* WATCH of tensors: its condition; else NULL */
    /* the watched expression: stops if its value differs from the step before; NULL if none */
    struct sm_expr *changing;
    double tolerance;         /* below 0: any bit */
    char *print;              /* PRINT: the arguments of printf */
    struct sm_body *commands; /* NULL if none */
    char *condition;          /* NULL if none */
    struct sm_expr *test;     /* trigger and condition, parsed; NULL: always true */
    char hit_operator;        /* of -hitcount: > < = or %, g and l for >= and <=; 0: none */
    uint64_t hit_number;
    uint64_t hits, ignore;
    struct sm_break_skips skips; /* what the condition could not be applied to */
    struct sm_arena arena;       /* of words and where */
    struct sm_arena test_arena;
    /* name ids of the tensors that match the words, at that version of the trial; no words: all
     * tensors */
    uint32_t *tensors;
    size_t n_tensors;
    const struct sm_trial *selected_of;
    uint64_t selected_at;
};
/* Adds an enabled breakpoint; copies the words. Never NULL. */
struct sm_breakpoint *sm_breakpoints_add(struct sm_breakpoints *b, enum sm_break_kind kind,
                                         const struct sm_word *words, size_t n);
/* NULL if none */
struct sm_breakpoint *sm_breakpoints_find(const struct sm_breakpoints *b, unsigned number);
/* the breakpoint (not a watchpoint) for exactly this tensor name, or NULL */
struct sm_breakpoint *sm_breakpoints_of_tensor(const struct sm_breakpoints *b, const char *name);
void sm_breakpoints_remove(struct sm_breakpoints *b, unsigned number);
void sm_breakpoints_clear(struct sm_breakpoints *b);

/* the arguments of break or watch */
const char *sm_breakpoint_what(const struct sm_breakpoint *x);
/* An empty text removes the condition. Returns false if it cannot be parsed; nothing has changed
 * then. */
bool sm_breakpoint_condition(struct sm_breakpoint *x, struct sm_text text, struct sm_err *err);
/* "Temporary breakpoint", "Watchpoint" */
const char *sm_breakpoint_noun(const struct sm_breakpoint *x);
/* "breakpoint", "watchpoint", "dprintf" */
const char *sm_breakpoint_type(const struct sm_breakpoint *x);
/* the operator of -hitcount, or NULL if none */
const char *sm_breakpoint_compared(const struct sm_breakpoint *x);
/* Appends the commands that create it again; they use $bpnum as its number. */
void sm_breakpoint_save(const struct sm_breakpoint *x, struct sm_str *out);
/* Sets the comparison of the hit count: "> 3", "% 10". */
bool sm_breakpoint_hitcount(struct sm_breakpoint *x, struct sm_text text, struct sm_err *err);

/* Returns NULL with err if there is none. */
struct sm_breakpoint *sm_breakpoint_numbered(const struct sm_session *s, int64_t number,
                                             struct sm_err *err);
/* "3", "2-5", or "$bpnum" (the newest). Returns false if it is not one of these, or if no
 * breakpoint is in the range. */
bool sm_breakpoint_range(const struct sm_session *s, const struct sm_word *w, int64_t *from,
                         int64_t *to, struct sm_err *err);

/* Writes all of them to a file for `source`. */
bool sm_breakpoints_save(const struct sm_session *s, const char *path, struct sm_result *out,
                         struct sm_err *err);

/* Selects the tensors again if the current trial has changed. */
void sm_breakpoint_select(struct sm_breakpoint *x, const struct sm_session *s);
/* Counts a hit, once per step. Returns true if it stops there. */
bool sm_breakpoint_count(struct sm_breakpoint *x);
/* Records a stop, each step once. The oldest record is dropped if there are SM_BREAK_STOPS_MAX. */
void sm_breakpoints_note_stop(struct sm_breakpoints *b, unsigned number, const struct sm_trial *t,
                              struct sm_step step);
/* Removes the records of a trial that is closed, or, if t is NULL, of a breakpoint that the user
 * deletes. */
void sm_breakpoints_clear_stops(struct sm_breakpoints *b, unsigned number,
                                const struct sm_trial *t);
/* After a stop: disables it if "enable once", deletes it if tbreak or "enable delete". */
void sm_breakpoint_stopped(struct sm_breakpoints *b, unsigned number);

#endif
