/* SPDX-License-Identifier: Apache-2.0 */
/* Places in commands: parsing the words of a line that name a place, and printing places.
 *
 * struct sm_place (reader/trial_place.h) is a trial, tensor, step, mode, worker and slice. Each
 * parser here gets a place to start from, which has the trial: parts that the text does not name
 * are copied from it. So a text can be parsed for any open trial. Only sm_place_read and
 * sm_places_read change the current place.
 *
 * The room commands/place also hands out patterns of tensors (select.h), expressions evaluated at a
 * place (evaluate.h), elements that match a condition (elements.h), why a tensor is missing
 * (why.h), series by name (curves.h, series_args.h), descriptions (describe.h) and printf formats
 * (printf_format.h). */
#ifndef SM_PLACE_H
#define SM_PLACE_H

#include "commands/language/cmd.h"
#include "reader/trial_place.h"

/* ---- words of a command ---- */

extern const struct sm_arg sm_place_args[]; /* for a command with one place */
/* Rows that most tables of arguments share. */
#define SM_PLACE_ROWS                                                                              \
    {.name = "STEP", .kind = SM_ARG_STEP, .keyword = "step"},                                      \
        {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},                                  \
    {                                                                                              \
        .name = "WORKER", .kind = SM_ARG_WORKER, .keyword = "worker"                               \
    }
/* The value of the keyword mode; ANY if it is not given. */
bool sm_place_mode_given(const struct sm_call *c, enum sm_mode *out, struct sm_err *err);

struct sm_places {
    struct sm_place *items; /* in the call's arena, ascending steps, at least one */
    size_t n;
};
/* The place in from->trial that a call names: `NAME[SLICE] [step S | @S | S] [mode M] [worker W]`.
 * Without a chosen step, it is the newest step that has the tensor, and follow is set. If a mode is
 * given, step numbers are steps of that mode. The slice is in the call's arena.
 * SM_ERR_MISSING: unknown tensor, with "Did you mean"; or the tensor is not saved there, with the
 * reason and the nearest saved steps (commands/place/why.h). SM_ERR_WAIT while times of steps are
 * read. */
bool sm_place_parse(struct sm_call *c, const struct sm_place *from, struct sm_place *out,
                    struct sm_err *err);
/* Like sm_place_parse, but accepts several steps; those without the tensor are omitted. Without a
 * step, those of the range that is selected (step_range.h), if there is one. */
bool sm_places_parse(struct sm_call *c, const struct sm_place *from, struct sm_places *out,
                     struct sm_err *err);
/* Like the two above, starting from the current place. The place that is named, or the last one,
 * becomes the current place. */
bool sm_place_read(struct sm_call *c, struct sm_place *out, struct sm_err *err);
bool sm_places_read(struct sm_call *c, struct sm_places *out, struct sm_err *err);

/* ---- a single text ---- */

/* A step of from->trial, with the tensor of `from`: "100", "first", "-5", "@eval:12/worker_1".
 * mode: step numbers are steps of this mode, unless the text names a mode; if not ANY, it becomes
 * the mode of *out. The step must be on disk. */
bool sm_place_parse_step(struct sm_call *c, const struct sm_place *from, enum sm_mode mode,
                         struct sm_text text, struct sm_place *out, struct sm_err *err);
/* An operand of a comparison, without a tensor; the step is optional: "2", "run1", "@100",
 * "2@eval:12", "worker_1", "eval". Defaults: the trial of `from`, any mode and any worker. */
bool sm_place_parse_operand(struct sm_call *c, const struct sm_place *from, struct sm_text text,
                            struct sm_place *out, struct sm_err *err);

/* ---- step specs (doc/language.md): 100, 100:200:10, 100..200, first, last, ., +5, ~137, all,
 * @12:30:05, lists ---- */

struct sm_steps {
    /* in the call's arena, ascending, only steps on disk (except a number that is given exactly) */
    struct sm_step *items;
    size_t n;
};
/* All steps of the current trial, for numbers of the mode; ANY and GLOBAL: global steps. */
struct sm_place sm_place_all(const struct sm_session *s, enum sm_mode mode);
/* The steps of among.trial, which must not be NULL, with among.tensor (NONE for all) in among.mode.
 * "." and "+5" are relative to among.step. SM_ERR_USAGE for a bad spec, SM_ERR_MISSING if the step
 * does not exist, SM_ERR_WAIT while times are read. */
bool sm_place_steps(struct sm_call *c, struct sm_place among, struct sm_text spec,
                    struct sm_steps *out, struct sm_err *err);
/* Like sm_place_steps, for a spec of one step. */
bool sm_place_step(struct sm_call *c, struct sm_place among, struct sm_text spec,
                   struct sm_step *out, struct sm_err *err);
bool sm_place_several(struct sm_text spec); /* a range, a list or all */
/* The key under which the bookmarks of a trial are stored; in the call's arena. */
const char *sm_place_bookmark_key(struct sm_call *c, const struct sm_trial *t);
/* Returns false if the trial has no such bookmark. */
bool sm_place_bookmark(struct sm_call *c, const struct sm_trial *t, char letter,
                       struct sm_step *out);

/* ---- values ---- */

/* The entry of the value. If there is none: SM_ERR_MISSING with the reason. */
bool sm_place_entry(const struct sm_place *p, struct sm_entry *out, struct sm_err *err);
struct sm_place_value {
    struct sm_place place;
    struct sm_entry entry;
    struct sm_tensor *tensor; /* the slice, if one is given; the caller unrefs it */
};
/* The value at the place that the call names (sm_place_read). SM_ERR_WAIT while it is read. */
bool sm_place_read_value(struct sm_call *c, struct sm_place_value *out, struct sm_err *err);

/* A value that is larger than memory-limit can be looked at by a sample: gives such a place,
 * without a slice, one that selects it (in the call's arena). SM_ERR_WAIT while the shape is read.
 */
bool sm_place_sample(struct sm_call *c, struct sm_place *p, const struct sm_entry *e,
                     struct sm_err *err);
/* Says that the numbers are of a sample; in JSON, as the slice. */
void sm_place_note_sample(struct sm_result *out, const struct sm_entry *e);
void sm_place_sample_node(struct sm_result *out, struct sm_node *map, const struct sm_place *p);

/* ---- as text and as JSON ---- */

/* "step 100 (train 100)"; only "step 101" if the trial does not have the step. */
void sm_place_add_step(struct sm_str *out, const struct sm_trial *t, struct sm_step step);
/* "conv0_weight at step 100 (train 100), worker_1", for use in a sentence. The tensor and the
 * worker are omitted if the place has none. */
void sm_place_describe(struct sm_str *out, const struct sm_place *p);
/* "step 29 (train 29)  worker_3": the step and worker of a part. `gap` and the worker are omitted
 * if the trial has one worker. brief: "step 29  worker_3". */
void sm_place_add_part(struct sm_str *out, const struct sm_trial *t, const struct sm_part *p,
                       const char *gap, bool brief);
/* "conv0_weight[0,0]", escaped. */
void sm_place_add_name(struct sm_str *out, const struct sm_place *p);
/* "conv0_weight[0,0]  step 100 (train 100)  worker_1"; the worker is omitted if the trial has one.
 * e: the entry that was read. */
void sm_place_add_heading(struct sm_str *out, const struct sm_place *p, const struct sm_entry *e);
/* A line with the heading, then type and shape: "...  float32 (3, 3)". */
void sm_place_heading(struct sm_result *out, const struct sm_place *p, const struct sm_entry *e,
                      enum sm_dtype dtype, const uint64_t *dims, unsigned n_dims);
void sm_place_value_heading(struct sm_result *out, const struct sm_place_value *v);
/* Adds name, step, mode, mode_step and worker to a map. */
void sm_place_node(struct sm_result *out, struct sm_node *map, const struct sm_place *p,
                   const struct sm_entry *e);

#endif
