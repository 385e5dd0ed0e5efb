/* Breakpoints: where a walk along the steps stops (doc/language.md "Breakpoints"). What they are is here; sm_hunt looks for
 * the steps at which they hit. Numbers are never used again. */
#ifndef SM_BREAKPOINT_H
#define SM_BREAKPOINT_H

#include "commands/args.h"

enum sm_break_kind {
    SM_BREAK_TENSORS,                    /* of a pattern, at each step that has them */
    SM_BREAK_STEP,                       /* every step */
    SM_BREAK_ERROR,                      /* a value that cannot be read */
    SM_BREAK_END,                        /* of the job */
    SM_BREAK_STALL,                      /* nothing comes any more */
};
/* What becomes of it when it has stopped. */
enum sm_break_disposition { SM_BREAK_KEEP, SM_BREAK_DISABLE, SM_BREAK_DELETE };

struct sm_breakpoint {
    unsigned number;
    enum sm_break_kind kind;
    enum sm_break_disposition disposition;
    bool temporary;                      /* made by tbreak */
    bool enabled;
    const char *where;                   /* TENSORS: as a person would type it: "bias weight" */
    struct sm_word *words;               /* TENSORS: the patterns */
    size_t n_words;
    enum sm_mode mode;                   /* only steps of this mode; ANY: all */
    char *condition;                     /* NULL: none */
    struct sm_expr *test;                /* the same, parsed */
    char hit_operator;                   /* of -hitcount: > < = or %, g and l for >= and <=; 0: none */
    uint64_t hit_number;
    uint64_t hits, ignore;
    struct sm_arena arena;               /* of words and where */
    struct sm_arena test_arena;
    uint32_t *tensors;                   /* name ids of the words' tensors, at that version of the trial; without words: all */
    size_t n_tensors;
    const struct sm_trial *selected_of;
    uint64_t selected_at;
};
/* Copies what it is given; the words as patterns. */
struct sm_breakpoint *sm_breakpoints_add(struct sm_breakpoints *b, enum sm_break_kind kind, const struct sm_word *words, size_t n);
struct sm_breakpoint *sm_breakpoints_find(const struct sm_breakpoints *b, unsigned number);        /* NULL: none */
void sm_breakpoints_remove(struct sm_breakpoints *b, unsigned number);
void sm_breakpoints_clear(struct sm_breakpoints *b);

const char *sm_breakpoint_what(const struct sm_breakpoint *x);                 /* as break takes it */
/* Empty: none any more. False: it cannot be parsed, and nothing has changed. */
bool sm_breakpoint_condition(struct sm_breakpoint *x, struct sm_text text, struct sm_err *err);
/* "> 3", "% 10". */
bool sm_breakpoint_hitcount(struct sm_breakpoint *x, struct sm_text text, struct sm_err *err);

/* Takes the tensors from the current trial again where it has changed. */
void sm_breakpoint_select(struct sm_breakpoint *x, const struct sm_session *s);
/* A step at which it holds counts once. True: it stops there. */
bool sm_breakpoint_count(struct sm_breakpoint *x);
/* It has stopped: "enable once" disables it, tbreak and "enable delete" delete it. */
void sm_breakpoint_stopped(struct sm_breakpoints *b, unsigned number);

#endif
