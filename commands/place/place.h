/* Places in commands: the words of a line that name one, and how a place is printed.
 *
 * struct sm_place (reader/trial_place.h) says where something is. Each parser here takes the place
 * to start from, with the trial: what the text does not name is as it is there. So a text can be
 * read for any open trial; only sm_place_read and sm_places_read change the current place. */
#ifndef SM_PLACE_H
#define SM_PLACE_H

#include "commands/language/cmd.h"
#include "reader/trial_place.h"

/* ---- words of a command ---- */

extern const struct sm_arg sm_place_args[]; /* of a command that takes one place */
/* The rows that most tables of arguments share. */
#define SM_PLACE_ROWS                                                                              \
    {.name = "STEP", .kind = SM_ARG_STEP, .keyword = "step"},                                      \
        {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},                                  \
    {                                                                                              \
        .name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"                               \
    }
/* The keyword mode; ANY if it is not given. */
bool sm_place_mode_given(const struct sm_call *c, enum sm_mode *out, struct sm_err *err);

struct sm_places {
    struct sm_place *items; /* in the call's arena, ascending steps, at least one */
    size_t n;
};
/* The place in from->trial that a call names: `NAME[SLICE] [step S | @S | S] [mode M] [worker W]`.
 * Without a chosen step, the newest that has the tensor (follow is set then). Steps of a mode that
 * is given are counted in it. The slice is in the call's arena.
 * SM_ERR_MISSING: no such tensor, with "Did you mean"; or it is not saved there, with the reason
 * and the nearest saved steps (commands/place/why.h). SM_ERR_WAIT while times of steps are read. */
bool sm_place_parse(struct sm_call *c, const struct sm_place *from, struct sm_place *out,
                    struct sm_err *err);
/* The same with several steps, those that have the tensor. */
bool sm_places_parse(struct sm_call *c, const struct sm_place *from, struct sm_places *out,
                     struct sm_err *err);
/* The same from the current place, which becomes the place that is named, or the last of them. */
bool sm_place_read(struct sm_call *c, struct sm_place *out, struct sm_err *err);
bool sm_places_read(struct sm_call *c, struct sm_places *out, struct sm_err *err);

/* ---- a single text ---- */

/* A step of from->trial, with the tensor of `from`: "100", "first", "-5", "@eval:12/worker_1".
 * mode: the one that numbers are counted in, unless the text names one; if not ANY, it becomes the
 * mode. The step must be on disk. */
bool sm_place_parse_step(struct sm_call *c, const struct sm_place *from, enum sm_mode mode,
                         struct sm_text text, struct sm_place *out, struct sm_err *err);
/* An operand of a comparison, which need not have a step, and has no tensor: "2", "run1", "@100",
 * "2@eval:12", "worker_1", "eval". What it does not name: the trial of `from`, any mode and
 * worker. */
bool sm_place_parse_operand(struct sm_call *c, const struct sm_place *from, struct sm_text text,
                            struct sm_place *out, struct sm_err *err);

/* ---- step specs (doc/language.md): 100, 100:200:10, 100..200, first, last, ., +5, ~137, all,
 * @12:30:05, lists ---- */

struct sm_steps {
    /* in the call's arena, ascending, only steps on disk (an exact number is kept as asked) */
    struct sm_step *items;
    size_t n;
};
/* All steps of the current trial, counted in the mode; ANY and GLOBAL: global steps. */
struct sm_place sm_place_all(const struct sm_session *s, enum sm_mode mode);
/* The steps of among.trial, which must not be NULL, with among.tensor (NONE for all) in among.mode;
 * "." and "+5" start at its step. SM_ERR_USAGE for a bad spec, SM_ERR_MISSING without such a step,
 * SM_ERR_WAIT while times are read. */
bool sm_place_steps(struct sm_call *c, struct sm_place among, struct sm_text spec,
                    struct sm_steps *out, struct sm_err *err);
/* The same for a spec of one step. */
bool sm_place_step(struct sm_call *c, struct sm_place among, struct sm_text spec,
                   struct sm_step *out, struct sm_err *err);
bool sm_place_several(struct sm_text spec); /* a range, a list or all */
/* What the bookmarks of a trial are kept under; in the call's arena. */
const char *sm_place_bookmark_key(struct sm_call *c, const struct sm_trial *t);
/* False if the trial has no such bookmark. */
bool sm_place_bookmark(struct sm_call *c, const struct sm_trial *t, char letter,
                       struct sm_step *out);

/* ---- what is there ---- */

/* The entry of the value; SM_ERR_MISSING with the reason. */
bool sm_place_entry(const struct sm_place *p, const struct sm_entry **out, struct sm_err *err);
struct sm_place_value {
    struct sm_place place;
    const struct sm_entry *entry;
    struct sm_tensor *tensor; /* of the slice, counted: the caller unrefs it */
};
/* The value at the place that the call names (sm_place_read). SM_ERR_WAIT while it is read. */
bool sm_place_read_value(struct sm_call *c, struct sm_place_value *out, struct sm_err *err);

/* ---- for people and machines ---- */

/* "step 100 (train 100)"; "step 101" if the trial has no such step. */
void sm_place_add_step(struct sm_str *out, const struct sm_trial *t, struct sm_step step);
/* "conv0_weight at step 100 (train 100), worker_1": a place in a sentence, without the tensor or
 * the worker if it has none. */
void sm_place_describe(struct sm_str *out, const struct sm_place *p);
/* "step 29 (train 29)  worker_3": when and by whom something was saved; the worker after `gap`, and
 * only if the trial has several. brief: "step 29  worker_3". */
void sm_place_add_part(struct sm_str *out, const struct sm_trial *t, const struct sm_part *p,
                       const char *gap, bool brief);
/* "conv0_weight[0,0]", escaped. */
void sm_place_add_name(struct sm_str *out, const struct sm_place *p);
/* "conv0_weight[0,0]  step 100 (train 100)  worker_1"; the worker only if the trial has several.
 * e: what was read there. */
void sm_place_add_heading(struct sm_str *out, const struct sm_place *p, const struct sm_entry *e);
/* The line with type and shape after it: "...  float32 (3, 3)". */
void sm_place_heading(struct sm_result *out, const struct sm_place *p, const struct sm_entry *e,
                      enum sm_dtype dtype, const uint64_t *dims, unsigned n_dims);
void sm_place_value_heading(struct sm_result *out, const struct sm_place_value *v);
/* Adds name, step, mode, mode_step and worker to a map. */
void sm_place_node(struct sm_result *out, struct sm_node *map, const struct sm_place *p,
                   const struct sm_entry *e);

#endif
