/* SPDX-License-Identifier: Apache-2.0 */
/* Values that loggers save for people, printed as what they are: curves and texts. */
#ifndef SM_SPECIAL_VALUES_H
#define SM_SPECIAL_VALUES_H

#include "commands/answer/result.h"
#include "commands/session/session.h"
#include "plot/grid/glyphs.h"
#include "reader/tensor/tensor.h"

/* A curve of precision and recall (sm_tensor.pr_curve), whole: a table by threshold, and precision
 * over recall as a chart. */
void sm_pr_curve_print(struct sm_result *out, const struct sm_tensor *t, int w,
                       const struct sm_glyphs *glyphs);
/* Its chart alone, without a legend. False: no point of it is defined, and nothing is drawn. */
bool sm_pr_curve_draw(const struct sm_tensor *t, struct sm_grid *g, struct sm_rect r,
                      const struct sm_glyphs *glyphs);
/* Whether the tensor's newest value is such a curve: *out is that, to be unreferenced, at *step;
 * else NULL. False: being read. */
bool sm_pr_curve_newest(struct sm_session *s, struct sm_trial *t, const struct sm_trial_tensor *x,
                        struct sm_tensor **out, struct sm_step *step, struct sm_err *err);
/* Whether it is of strings, one with several lines. */
bool sm_texts_have_lines(const struct sm_tensor *t);
void sm_texts_print(struct sm_result *out, const struct sm_tensor *t); /* by lines, in order */

/* What stands for strings that are no text: of an image that could not be decoded its size and
 * format, of a table its lines. Appends; escaped. False: neither. */
bool sm_special_text(const struct sm_tensor *t, struct sm_str *out);

#endif
