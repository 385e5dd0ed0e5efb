/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors that match patterns: a name, glob, /re/, +collection, !inverted. Several words give the
 * union. */
#ifndef SM_SELECT_H
#define SM_SELECT_H

#include "commands/language/cmd.h"

struct sm_selection {
    const struct sm_trial_tensor **items; /* natural order, in the arena */
    size_t n;
};
/* Selects tensors of t, one of the session's trials. */
bool sm_select(const struct sm_session *s, struct sm_trial *t, struct sm_arena *arena,
               const struct sm_word *words, size_t n, struct sm_selection *out, struct sm_err *err);
/* Like sm_select, but fails with SM_ERR_MISSING and "Did you mean" if words are given and no tensor
 * matches. */
bool sm_select_some(const struct sm_session *s, struct sm_trial *t, struct sm_arena *arena,
                    const struct sm_word *words, size_t n, struct sm_selection *out,
                    struct sm_err *err);
/* The same for a call and the current trial. */
bool sm_args_select(struct sm_call *c, const struct sm_word *words, size_t n,
                    struct sm_selection *out, struct sm_err *err);
bool sm_args_select_some(struct sm_call *c, const struct sm_word *words, size_t n,
                         struct sm_selection *out, struct sm_err *err);
/* Like sm_args_select_some, limited to the collection that the keyword `collection` names, if it is
 * given. */
bool sm_args_select_in(struct sm_call *c, const struct sm_word *words, size_t n,
                       struct sm_selection *out, struct sm_err *err);

#endif
