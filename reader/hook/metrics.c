/* SPDX-License-Identifier: Apache-2.0 */
/* Appends SageMaker's metrics to a file, one JSON line each (doc/formats.md "Metrics"). */
#include "reader/hook/hook_private.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/format/index_json.h"
#include "reader/format/python_json.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct hook_metrics {
    char *path; /* $SAGEMAKER_METRICS_DIRECTORY/<process>.json */
    int fd;     /* -1: nothing written yet */
};

bool hook_in_sagemaker(void)
{
    return getenv("TRAINING_JOB_NAME") != NULL;
}

struct hook_metrics *hook_metrics_new(void)
{
    const char *dir = getenv("SAGEMAKER_METRICS_DIRECTORY");
    struct sm_str path = {0};
    struct hook_metrics *m = dir && hook_in_sagemaker() ? sm_alloc_zero(1, sizeof *m) : NULL;
    if (!m)
        return NULL;
    m->fd = -1;
    sm_str_printf(&path, "%s/%ld.json", dir, (long)getpid());
    m->path = path.failed ? NULL : sm_strdup(sm_str_text(&path));
    sm_str_clear(&path);
    if (m->path)
        return m;
    sm_free(m);
    return NULL;
}

void hook_metrics_free(struct hook_metrics *m)
{
    if (!m)
        return;
    if (m->fd >= 0)
        close(m->fd);
    sm_free(m->path);
    sm_free(m);
}

/* Formats v as Python's repr and json do. */
static void add_python_float(struct sm_str *out, double v)
{
    char text[32];
    if (!isfinite(v)) {
        sm_str_add(out, isnan(v) ? "NaN" : v > 0 ? "Infinity" : "-Infinity");
        return;
    }
    sm_format_shortest(v, false, text);
    sm_str_add(out, text);
    if (!strpbrk(text, ".e"))
        sm_str_add(out, ".0");
}

static void add_metric_line(struct sm_str *out, const struct hook_item *x)
{
    struct sm_str name = {0};
    double v;
    memcpy(&v, x->data, sizeof v);
    sm_str_printf(&name, "%s_%s", x->name, sm_mode_name(x->mode));
    sm_str_add(out, "{\"MetricName\": ");
    sm_python_string(out, (struct sm_text){sm_str_text(&name), name.len});
    sm_str_add(out, ", \"Value\": ");
    add_python_float(out, v);
    sm_str_add(out, ", \"Timestamp\": ");
    add_python_float(out, sm_clock_wall_s());
    sm_str_printf(out, ", \"IterationNumber\": %lld}\n", (long long)x->mode_step);
    out->failed = out->failed || name.failed;
    sm_str_clear(&name);
}

static bool open_metrics_file(struct hook_metrics *m, struct sm_err *err)
{
    if (m->fd >= 0)
        return true;
    if (!sm_writer_make_parents(m->path, err))
        return false;
    m->fd = open(m->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    return m->fd >= 0 || sm_err_errno(err, "%s", m->path);
}

bool hook_metrics_add(struct hook_metrics *m, const struct hook_item *x, struct sm_err *err)
{
    struct sm_str line = {0};
    if (!m)
        return true;
    add_metric_line(&line, x);
    bool ok = !line.failed || sm_err_set(err, SM_ERR_MEMORY, "no memory for a metric");
    ok = ok && open_metrics_file(m, err);
    ssize_t n = ok ? write(m->fd, line.data, line.len) : 0;
    if (ok && n != (ssize_t)line.len) {
        errno = n < 0 ? errno : ENOSPC; /* a short write: the disk is full */
        ok = sm_err_errno(err, "%s", m->path);
    }
    sm_str_clear(&line);
    return ok;
}
