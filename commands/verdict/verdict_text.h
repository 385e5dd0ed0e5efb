/* SPDX-License-Identifier: Apache-2.0 */
/* A verdict as text for people. */
#ifndef SM_VERDICT_TEXT_H
#define SM_VERDICT_TEXT_H

#include "reader/base/str.h"
#include "rules/verdict/verdict.h"

/* Lines, names escaped: the cause and its onset, the evidence, the effects, what to try; or what
 * was looked at. */
void sm_verdict_describe(const struct sm_verdict *v, struct sm_str *out);
/* The first of them, without the line end: "CAUSE learning rate too high since step 7". */
void sm_verdict_headline(const struct sm_verdict *v, struct sm_str *out);
/* The tensor of the evidence, and its worker if there are several; nothing without. */
void sm_evidence_name(const struct sm_verdict *v, const struct sm_evidence *e, struct sm_str *out);
/* One line of evidence, with its tensor. */
void sm_evidence_describe(const struct sm_verdict *v, const struct sm_evidence *e,
                          struct sm_str *out);
/* "then @1 dead ReLUs, @2 NaN ..."; nothing without effects. */
void sm_verdict_effects(const struct sm_verdict *v, struct sm_str *out);
/* "SPEED input-bound, since step 3: the data loader is waited for ..."; nothing without a profile,
 * and nothing if that is the cause. */
void sm_verdict_speed(const struct sm_verdict *v, struct sm_str *out);
/* The same without the evidence: "SPEED balanced". */
void sm_verdict_speed_headline(const struct sm_verdict *v, struct sm_str *out);
/* What was looked at, and what is missing. */
void sm_verdict_looked_at(const struct sm_verdict *v, struct sm_str *out);
/* "29 tensors, 16 steps, 349 values; not saved: inputs" */
void sm_verdict_scope(const struct sm_verdict *v, struct sm_str *out);
/* The command that shows the evidence; not escaped: it is a command. */
void sm_evidence_command(const struct sm_verdict *v, const struct sm_evidence *e,
                         struct sm_str *out);

#endif
