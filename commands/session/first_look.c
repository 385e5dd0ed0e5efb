/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/session/first_look.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/s3/source_s3.h"

#include <string.h>

enum { LONG = 1 << 20 /* elements: never immediate */, PATIENCE_US = 1000000 };

struct first_look {
    struct sm_work work;
    char *path;
    bool patient, ok;
    struct sm_run_list runs;
    struct sm_err err;
};

static const char look_key; /* a call opens one path after the other */

static void run_look(struct sm_work *w)
{
    struct first_look *l = (struct first_look *)w;
    int64_t until_us = l->patient ? 0 : sm_clock_mono_us() + PATIENCE_US;
    sm_s3_cancel_by(&w->job.cancelled);
    l->ok = sm_run_search(l->path, until_us, &w->job.cancelled, &l->runs, &l->err);
    sm_s3_cancel_by(NULL);
}

static void free_look(struct sm_work *w)
{
    struct first_look *l = (struct first_look *)w;
    sm_run_list_clear(&l->runs);
    sm_free(l->path);
    sm_free(l);
}

static struct first_look *start_look(struct sm_works *works, const char *path, bool patient)
{
    struct first_look *l = sm_xalloc_zero(1, sizeof *l);
    struct sm_err err;
    *l = (struct first_look){
        .work = {.run = run_look, .free = free_look, .what = &look_key, .elements = LONG},
        .path = sm_xstrdup(path),
        .patient = patient};
    sm_s3_expire(path);
    sm_work_start(works, &l->work, &err);
    return l;
}

/* "asking s3://BUCKET" */
static bool fail_asking(const char *path, struct sm_err *err)
{
    const char *slash = strstr(path, "://"), *end = slash ? strchr(slash + 3, '/') : NULL;
    return sm_err_set(err, SM_ERR_WAIT, "asking %.*s", end ? (int)(end - path) : (int)strlen(path),
                      path);
}

bool sm_first_look(struct sm_works *works, const char *path, bool patient, struct sm_run_list *out,
                   struct sm_err *err)
{
    struct first_look *l = (struct first_look *)sm_work_find(works, &look_key, NULL);
    if (!l)
        l = start_look(works, path, patient);
    if (!l->work.done)
        return fail_asking(path, err);
    bool ok = l->ok;
    *out = l->runs;
    l->runs = (struct sm_run_list){0};
    *err = l->err;
    sm_work_drop(works, &l->work);
    return ok;
}
