#include "commands/place/place_piece.h"

#include "commands/place/describe.h"
#include "reader/tensor/slice.h"

#include <string.h>

bool sm_piece_read(struct sm_call *c, struct sm_piece *v, struct sm_err *err)
{
    struct sm_tensor *whole;
    *v = (struct sm_piece){0};
    if (!sm_args_target(c, &v->target, err) || !sm_args_entry(c, &v->target, &v->entry, err) ||
        !sm_fetch_tensor(c->session->fetch, v->target.trial, v->entry, &whole, err))
        return false;
    if (!v->target.slice) {
        v->tensor = whole;
        return true;
    }
    bool ok = sm_slice_apply(v->target.slice, whole, &v->tensor, err);
    sm_tensor_unref(whole);
    return ok;
}

void sm_piece_heading(struct sm_result *out, const struct sm_piece *v)
{
    struct sm_str head = {0};
    const struct sm_part *p = sm_trial_part(v->target.trial, v->entry->part);
    sm_str_add_escaped(&head, v->target.name, strlen(v->target.name));
    if (v->target.slice)
        sm_slice_text(&head, v->target.slice);
    sm_str_add(&head, "  ");
    sm_describe_step(&head, p->step, p->mode, p->mode_step);
    if (sm_trial_worker_count(v->target.trial) > 1) {
        const char *worker = sm_trial_worker(v->target.trial, p->worker);
        sm_str_add(&head, "  ");
        sm_str_add_escaped(&head, worker, strlen(worker));
    }
    sm_str_printf(&head, "  %s ", sm_dtype_info(v->tensor->dtype)->name);
    sm_shape_text(&head, v->tensor->dims, v->tensor->n_dims);
    sm_result_text(out, "%s", sm_str_text(&head));
    sm_str_clear(&head);
}
