/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/trials/named_tensor.h"
#include "commands/place/place.h"
#include "commands/place/why.h"

const struct sm_column sm_tensor_columns[] = {
    {.key = "name", .header = "name"},
    {.key = "kind", .header = "kind"},
    {.key = "collections", .header = "collections", .format = SM_COL_LIST},
    {.key = "dtype", .header = "dtype"},
    {.key = "shape", .header = "shape", .format = SM_COL_SHAPE},
    {.key = "steps", .header = "steps", .format = SM_COL_NUMBER},
    {.key = "first_step", .header = "first step", .format = SM_COL_NUMBER},
    {.key = "last_step", .header = "last step", .format = SM_COL_NUMBER},
    {.key = "modes", .header = "modes", .format = SM_COL_LIST},
    {.key = "workers", .header = "workers", .format = SM_COL_LIST},
    {.key = "reductions", .header = "reductions", .format = SM_COL_LIST},
};

const size_t sm_n_tensor_columns = sizeof sm_tensor_columns / sizeof *sm_tensor_columns;

const struct sm_arg sm_named_tensor_args[] = {
    {.name = "NAME", .kind = SM_ARG_TENSOR, .whole = true}, {0}};

const struct sm_trial_tensor *sm_named_tensor(struct sm_call *c, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_trial_tensor *x = NULL;
    if (!c->n_words && sm_place_tensor(&c->session->at))
        return sm_place_tensor(&c->session->at);
    if (!c->n_words) {
        sm_err_set(err, SM_ERR_USAGE, "Which tensor?  \"tensors\" lists them.");
        return NULL;
    }
    x = sm_trial_find(t, c->words[0].text.p, c->words[0].text.n);
    if (x) {
        c->session->at.tensor = x->name;
        return x;
    }
    sm_why_no_tensor(t, c->words[0].text, err);
    return NULL;
}
