/* Breakpoints: where a walk along the steps stops (doc/language.md "Breakpoints"). What they are is
 * here; sm_break_search looks for the steps at which they hit. Numbers are never used again. */
#ifndef SM_BREAKPOINT_H
#define SM_BREAKPOINT_H

#include "commands/language/body.h"
#include "commands/language/cmd.h"
#include "commands/stops/breakpoint_list.h"

enum sm_break_kind {
    SM_BREAK_TENSORS, /* of a pattern, at each step that has them */
    SM_BREAK_STEP,    /* every step */
    SM_BREAK_ERROR,   /* a value that cannot be read */
    SM_BREAK_END,     /* of the job */
    SM_BREAK_STALL,   /* nothing comes any more */
    SM_BREAK_RULE,    /* it fires */
};
/* What it was made by. */
enum sm_break_type {
    SM_BREAK_POINT,
    SM_BREAK_WATCH, /* stops where something changes, or does not */
    SM_BREAK_PRINT, /* dprintf: prints and goes on */
};
/* What becomes of it when it has stopped. */
enum sm_break_disposition { SM_BREAK_KEEP, SM_BREAK_DISABLE, SM_BREAK_DELETE };

struct sm_breakpoint {
    unsigned number;
    enum sm_break_type type;
    enum sm_break_kind kind;
    enum sm_break_disposition disposition;
    bool temporary; /* made by tbreak */
    bool enabled;
    /* the expression that is watched; TENSORS, RULE: as a person would type it: "bias weight" */
    const char *where;
    struct sm_word *words; /* TENSORS: the patterns */
    size_t n_words;
    struct sm_break_rule *rule; /* RULE; else NULL */
    enum sm_mode mode;          /* only steps of this mode; ANY: all */
    char *watched;              /* WATCH: as watch takes it: "-dead relu"; else NULL */
    char *trigger;              /* WATCH: the condition that it stands for; NULL: */
    /* it stops where this is worth something else than at the step before */
    struct sm_expr *changing;
    double tolerance;         /* below 0: bit by bit */
    char *print;              /* PRINT: what printf takes */
    struct sm_body *commands; /* NULL: none */
    char *condition;          /* NULL: none */
    struct sm_expr *test;     /* trigger and condition, parsed; NULL: always */
    char hit_operator;        /* of -hitcount: > < = or %, g and l for >= and <=; 0: none */
    uint64_t hit_number;
    uint64_t hits, ignore;
    struct sm_arena arena; /* of words and where */
    struct sm_arena test_arena;
    /* name ids of the words' tensors, at that version of the trial; without words: all */
    uint32_t *tensors;
    size_t n_tensors;
    const struct sm_trial *selected_of;
    uint64_t selected_at;
};
/* Copies what it is given; the words as patterns. */
struct sm_breakpoint *sm_breakpoints_add(struct sm_breakpoints *b, enum sm_break_kind kind,
                                         const struct sm_word *words, size_t n);
/* NULL: none */
struct sm_breakpoint *sm_breakpoints_find(const struct sm_breakpoints *b, unsigned number);
/* of it alone, without more */
struct sm_breakpoint *sm_breakpoints_of_tensor(const struct sm_breakpoints *b, const char *name);
void sm_breakpoints_remove(struct sm_breakpoints *b, unsigned number);
void sm_breakpoints_clear(struct sm_breakpoints *b);

const char *sm_breakpoint_what(const struct sm_breakpoint *x); /* as break takes it */
/* Empty: none any more. False: it cannot be parsed, and nothing has changed. */
bool sm_breakpoint_condition(struct sm_breakpoint *x, struct sm_text text, struct sm_err *err);
/* "Temporary breakpoint", "Watchpoint" */
const char *sm_breakpoint_noun(const struct sm_breakpoint *x);
/* "breakpoint", "watchpoint", "dprintf" */
const char *sm_breakpoint_type(const struct sm_breakpoint *x);
/* the sign of -hitcount; NULL: none */
const char *sm_breakpoint_compared(const struct sm_breakpoint *x);
/* Lines that make it again; $bpnum is its number then. */
void sm_breakpoint_save(const struct sm_breakpoint *x, struct sm_str *out);
/* "> 3", "% 10". */
bool sm_breakpoint_hitcount(struct sm_breakpoint *x, struct sm_text text, struct sm_err *err);

/* NULL: there is none, err says so. */
struct sm_breakpoint *sm_breakpoint_numbered(const struct sm_session *s, int64_t number,
                                             struct sm_err *err);
/* "3", "2-5", or "$bpnum": the newest. False: it is none of these, or there is no breakpoint in it.
 */
bool sm_breakpoint_range(const struct sm_session *s, const struct sm_word *w, int64_t *from,
                         int64_t *to, struct sm_err *err);

/* All of them, into a file that `source` reads. */
bool sm_breakpoints_save(const struct sm_session *s, const char *path, struct sm_result *out,
                         struct sm_err *err);

/* Takes the tensors from the current trial again where it has changed. */
void sm_breakpoint_select(struct sm_breakpoint *x, const struct sm_session *s);
/* A step at which it holds counts once. True: it stops there. */
bool sm_breakpoint_count(struct sm_breakpoint *x);
/* Notes where it stops, each step once; what was noted so long ago that there is no room is
 * forgotten. */
void sm_breakpoints_note_stop(struct sm_breakpoints *b, unsigned number, const struct sm_trial *t,
                              struct sm_step step);
/* Of a trial that is closed, or (t NULL) of a breakpoint that a person deletes. */
void sm_breakpoints_clear_stops(struct sm_breakpoints *b, unsigned number,
                                const struct sm_trial *t);
/* It has stopped: "enable once" disables it, tbreak and "enable delete" delete it. */
void sm_breakpoint_stopped(struct sm_breakpoints *b, unsigned number);

#endif
