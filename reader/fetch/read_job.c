/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/read_job.h"

#include "reader/base/mem.h"

#include <string.h>

enum { AHEAD_BYTES = 64 << 10 };

/* Reads small records that follow one another at once. */
static void read_ahead(struct sm_file *file, const struct sm_read *x, const struct sm_read *end)
{
    uint64_t from = x->offset, to = from, used = 0;
    if (sm_file_has(file, x->offset, x->length))
        return;
    for (const char *path = x->path; x < end && x->path == path && !x->tensor; x++) {
        if (x->offset + x->length == to && used)
            continue; /* another value of the record */
        if (x->offset < to || x->offset - from + x->length > AHEAD_BYTES)
            break;
        to = x->offset + x->length;
        used += x->length;
    }
    if (used > to - from - used)
        sm_file_ahead(file, from, (size_t)(to - from));
}

static void run_read_job(struct sm_job *job)
{
    struct sm_read_job *j = (struct sm_read_job *)job;
    struct sm_file file = {0};
    for (size_t i = 0, run; i < j->n && !atomic_load(&job->cancelled); i += run) {
        struct sm_read *x = &j->items[i];
        run = 1;
        if (!x->tensor && file.path != x->path && !sm_file_open(&file, j->source, x->path, &x->err))
            continue;
        if (!x->tensor)
            read_ahead(&file, x, j->items + j->n);
        run = sm_read_values(&file, j->checksum, x, j->n - i, job->scratch);
    }
    sm_file_close(&file);
}

struct sm_read_job *sm_read_job_new(struct sm_trial *t, enum sm_checksum checksum, uint64_t limit,
                                    size_t most)
{
    struct sm_read_job *j = sm_alloc(sizeof *j + most * sizeof *j->items);
    if (!j)
        return NULL;
    *j = (struct sm_read_job){.trial = t, .checksum = checksum, .limit = limit};
    j->job.run = run_read_job;
    j->source = sm_source_ref(sm_trial_source(t));
    return j;
}

bool sm_read_job_add(struct sm_read_job *j, const struct sm_entry *e, uint8_t want)
{
    const char *path = sm_trial_event_path(j->trial, sm_trial_part(j->trial, e->part));
    const char *copy = j->n && path == j->path ? j->items[j->n - 1].path
                                               : sm_arena_strndup(&j->paths, path, strlen(path));
    if (!copy)
        return false;
    j->path = path;
    struct sm_read *x = &j->items[j->n++];
    memset(x, 0, offsetof(struct sm_read, dims));
    x->tensor = NULL;
    x->err = (struct sm_err){0};
    x->path = copy;
    x->entry = *e;
    x->offset = e->offset;
    x->length = e->length;
    x->value = e->value;
    x->want = want;
    x->limit = j->limit;
    return true;
}

void sm_read_job_free(struct sm_read_job *j)
{
    for (size_t i = 0; i < j->n; i++)
        sm_tensor_unref(j->items[i].tensor);
    sm_source_unref(j->source);
    sm_arena_clear(&j->paths);
    sm_free(j);
}

void sm_read_job_unlink(struct sm_read_job **list, const struct sm_read_job *j)
{
    while (*list != j)
        list = &(*list)->next;
    *list = j->next;
}
