/* Arguments that many commands share: which tensor, step, mode and worker, steps and patterns. */
#ifndef SM_ARGS_H
#define SM_ARGS_H

#include "commands/language/cmd.h"

/* A tensor at a place, as `NAME[SLICE] [step S | @S | S] [mode M] [worker W]` says; defaults from
 * the current point. Moves the current point. No such tensor: SM_ERR_MISSING with "Did you mean";
 * not saved there: SM_ERR_MISSING with the reason and the nearest saved steps
 * (commands/place/why.h). */
struct sm_target {
    struct sm_trial *trial;
    const struct sm_trial_tensor *tensor;
    const char *name;
    struct sm_slice *slice; /* NULL: the whole */
    struct sm_step step;
    bool has_step; /* a step was given or is current */
    enum sm_mode mode;
    uint16_t worker; /* ANY: the first that has it */
};
extern const struct sm_arg sm_place_args[]; /* of a command that takes one */
/* The rows that most tables of arguments share. */
#define SM_PLACE_ROWS                                                                              \
    {.name = "STEP", .kind = SM_ARG_STEP, .keyword = "step"},                                      \
        {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},                                  \
    {                                                                                              \
        .name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"                               \
    }
bool sm_args_target(struct sm_call *c, struct sm_target *out, struct sm_err *err);
/* The same at each of several steps, those that have it; the current point becomes the last. */
struct sm_targets {
    struct sm_target *items; /* in the call's arena, ascending steps, at least one */
    size_t n;
};
bool sm_args_targets(struct sm_call *c, struct sm_targets *out, struct sm_err *err);
/* The value entry of the target, or a reduction's; SM_ERR_MISSING with the reason. */
bool sm_args_entry(struct sm_call *c, const struct sm_target *t, const struct sm_entry **out,
                   struct sm_err *err);

/* Step specs of doc/language.md: 100, 100:200:10, 100..200, first, last, ., +5, ~137, all,
 * @12:30:05, lists. */
struct sm_steps {
    /* in the call's arena, ascending, only steps on disk (an exact number is kept as asked) */
    struct sm_step *items;
    size_t n;
};
/* Numbers are mode's steps; ANY: global ones. of: among the steps that have this tensor; NULL: any.
 */
bool sm_args_steps(struct sm_call *c, enum sm_mode mode, struct sm_text spec,
                   const struct sm_trial_tensor *of, struct sm_steps *out, struct sm_err *err);
/* what its bookmarks are kept under; in the call's arena */
const char *sm_args_bookmark_trial(struct sm_call *c);
/* of the current trial; false: there is none */
bool sm_args_bookmark(struct sm_call *c, char letter, struct sm_step *out);
bool sm_args_several(struct sm_text spec); /* a range, a list or all */
bool sm_args_step(struct sm_call *c, enum sm_mode mode, struct sm_text spec,
                  const struct sm_trial_tensor *of, struct sm_step *out, struct sm_err *err);
/* by its keyword; else ANY */
bool sm_args_mode_given(const struct sm_call *c, enum sm_mode *out, struct sm_err *err);
bool sm_args_mode(const struct sm_word *w, enum sm_mode *out, struct sm_err *err);
bool sm_args_worker(const struct sm_trial *t, const struct sm_word *w, uint16_t *out,
                    struct sm_err *err);

/* Tensors that match: a name, glob, /re/, +collection, !inverted; several words unite.
 * NULL-terminated indices. */
struct sm_selection {
    const struct sm_trial_tensor **items; /* natural order, in the arena */
    size_t n;
};
bool sm_select(const struct sm_session *s, struct sm_arena *arena, const struct sm_word *words,
               size_t n, struct sm_selection *out, struct sm_err *err);
/* Of those the ones in the collection of the keyword `collection`, if it is given. */
bool sm_args_select_in(struct sm_call *c, const struct sm_word *words, size_t n,
                       struct sm_selection *out, struct sm_err *err);
bool sm_args_select(struct sm_call *c, const struct sm_word *words, size_t n,
                    struct sm_selection *out, struct sm_err *err);
/* The same, and no tensor at all where there are words is SM_ERR_MISSING with "Did you mean". */
bool sm_args_select_some(struct sm_call *c, const struct sm_word *words, size_t n,
                         struct sm_selection *out, struct sm_err *err);

#endif
