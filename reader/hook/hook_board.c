/* SPDX-License-Identifier: Apache-2.0 */
/* TensorBoard files (doc/formats.md "TensorBoard's log directories"): the scalars and histograms of
 * a step are appended at its end. The runs are WORKER, and WORKER/EVAL and WORKER/PREDICT for those
 * modes, each with one file: TensorBoard keeps every file open that it reads. */
#include "reader/hook/hook_private.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/format/index_json.h"
#include "reader/format/tfrecord.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* TensorFlow's default limits: 0 and, on both sides, 1e-12 times powers of 1.1 up to 1e20. */
enum { LIMITS_PER_SIDE = 774, LIMITS = 2 * LIMITS_PER_SIDE + 1, BUCKETS = LIMITS - 1 };

struct hook_board {
    char *dir;  /* of the worker */
    int fds[5]; /* the files by mode; -1: not open */
    int mode;
    int64_t step;
    struct sm_str bytes;                        /* records of the step */
    double limits[LIMITS], counts[BUCKETS + 1]; /* the last count stays 0 */
};

/* TensorFlow's devices are workers whose names have slashes. NULL: no memory. */
static char *worker_dir(const char *dir, const char *worker)
{
    struct sm_str path = {0};
    sm_str_printf(&path, "%s/", dir);
    for (const char *p = worker; *p; p++)
        sm_str_addc(&path, *p == '/' ? '_' : *worker == '/' && *p == ':' ? '-' : *p);
    char *copy = path.failed ? NULL : sm_strdup(sm_str_text(&path));
    sm_str_clear(&path);
    return copy;
}

struct hook_board *hook_board_new(const char *dir, const char *worker)
{
    struct hook_board *b = sm_alloc_zero(1, sizeof *b);
    double v = 1e-12;
    if (!b)
        return NULL;
    b->dir = worker_dir(dir, worker);
    for (size_t i = 0; i < sizeof b->fds / sizeof *b->fds; i++)
        b->fds[i] = -1;
    for (size_t i = 0; i < LIMITS_PER_SIDE; i++, v *= 1.1) {
        b->limits[LIMITS_PER_SIDE + 1 + i] = v;
        b->limits[LIMITS_PER_SIDE - 1 - i] = -v;
    }
    if (b->dir)
        return b;
    sm_free(b);
    return NULL;
}

void hook_board_free(struct hook_board *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < sizeof b->fds / sizeof *b->fds; i++)
        if (b->fds[i] >= 0)
            close(b->fds[i]);
    sm_str_clear(&b->bytes);
    sm_free(b->dir);
    sm_free(b);
}

void hook_board_begin_step(struct hook_board *b, int64_t step, int mode)
{
    b->step = step;
    b->mode = mode;
    sm_str_clear(&b->bytes);
}

/* ---- records ---- */

/* Tags may have letters, digits and _ - / . but no leading slash. All non-ASCII bytes are kept. */
static void clean_tag(struct sm_str *out, const char *name)
{
    for (const char *p = name + strspn(name, "/"); *p; p++) {
        bool fine = isalnum((unsigned char)*p) || strchr("_-/.", *p) || *p & 0x80;
        sm_str_addc(out, fine ? *p : '_');
    }
}

static bool add_value(struct hook_board *b, const char *name, struct sm_event_value *v,
                      double wall_time, struct sm_err *err)
{
    struct sm_str tag = {0}, payload = {0};
    struct sm_event e = {.wall_time = wall_time, .step = b->step, .values = v, .n_values = 1};
    clean_tag(&tag, name);
    v->tag = (struct sm_text){sm_str_text(&tag), tag.len};
    bool ok = !tag.failed && sm_event_write(&payload, &e, err);
    if (ok)
        sm_frame_write(&b->bytes,
                       (struct sm_bytes){(const uint8_t *)sm_str_text(&payload), payload.len},
                       true);
    sm_str_clear(&tag);
    sm_str_clear(&payload);
    return (ok && !b->bytes.failed) ||
           sm_err_set(err, SM_ERR_MEMORY, "no memory for TensorBoard's file");
}

/* ---- histograms ---- */

/* The bucket of v. A bucket includes its lower limit; the last one also includes its upper limit.
 * Returns BUCKETS if v is in none. */
static size_t bucket_of(const struct hook_board *b, double v)
{
    size_t low = 0, high = BUCKETS;
    if (!(v >= b->limits[0] && v <= b->limits[BUCKETS]))
        return BUCKETS;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(v >= b->limits[middle] ? &low : &high) = middle;
    }
    return low;
}

/* Sets min, max, sum and sum of squares, which are NaN or infinite if an element is. */
static bool add_totals(const struct sm_tensor *t, struct sm_event_value *v, struct sm_err *err)
{
    struct sm_stats s;
    if (!sm_stats_of(t, &s, err) || !hook_reduce(t, &s, SM_REDUCE_MIN, &v->histo.min, err) ||
        !hook_reduce(t, &s, SM_REDUCE_MAX, &v->histo.max, err) ||
        !hook_reduce(t, &s, SM_REDUCE_SUM, &v->histo.sum, err))
        return false;
    v->histo.num = (double)s.n;
    v->histo.sum_squares = s.nan                    ? (double)NAN
                           : s.pos_inf || s.neg_inf ? (double)INFINITY
                                                    : s.sum_squares;
    return true;
}

static void count_buckets(struct hook_board *b, const struct hook_item *x)
{
    size_t size = sm_dtype_info(x->dtype)->size_bytes;
    memset(b->counts, 0, sizeof b->counts);
    for (uint64_t i = 0; i < x->n; i++)
        b->counts[bucket_of(b, sm_dtype_load(x->dtype, x->data + i * size))]++;
    b->counts[BUCKETS] = 0; /* elements in no bucket */
}

/* Writes the buckets from the first to the last in use, and an empty one below them. */
static bool add_histogram(struct hook_board *b, const struct hook_item *x, struct sm_err *err)
{
    struct sm_tensor t = {
        .dtype = x->dtype, .n_dims = x->n_dims, .n = x->n, .data = x->data, .size_bytes = x->bytes};
    struct sm_event_value v = {.kind = SM_VALUE_HISTOGRAM};
    size_t first = 0, last = BUCKETS;
    memcpy(t.dims, x->dims, sizeof t.dims);
    count_buckets(b, x);
    while (first < BUCKETS && b->counts[first] == 0)
        first++;
    while (last > first && b->counts[last] == 0)
        last--;
    if (first == BUCKETS)
        return true;
    double counts[LIMITS] = {0};
    memcpy(counts + 1, b->counts + first, (last - first + 1) * sizeof *counts);
    v.histo.limits = b->limits + first;
    v.histo.counts = counts;
    v.histo.n = last - first + 2;
    return add_totals(&t, &v, err) && add_value(b, x->histogram, &v, x->wall_time, err);
}

bool hook_board_add(struct hook_board *b, const struct hook_item *x, struct sm_err *err)
{
    enum sm_dtype_kind kind = sm_dtype_info(x->dtype)->kind;
    bool number = kind == SM_KIND_FLOAT || kind == SM_KIND_INT || kind == SM_KIND_UINT;
    struct sm_event_value v = {.kind = SM_VALUE_SCALAR};
    if (x->scalar && (number || kind == SM_KIND_BOOL)) {
        v.simple = (float)sm_dtype_load(x->dtype, x->data);
        if (!add_value(b, x->name, &v, x->wall_time, err))
            return false;
    }
    return !x->histogram || !number || add_histogram(b, x, err);
}

/* ---- files ---- */

static void add_version(struct sm_str *out)
{
    static const char text[] = "brain.Event:2";
    uint8_t payload[9 + 2 + sizeof text - 1] = {0x09}; /* wall_time, then file_version */
    double now = sm_clock_wall_s();
    uint64_t bits;
    memcpy(&bits, &now, sizeof bits);
    for (size_t i = 0; i < sizeof bits; i++)
        payload[1 + i] = (uint8_t)(bits >> 8 * i);
    payload[9] = 0x1a;
    payload[10] = sizeof text - 1;
    memcpy(payload + 11, text, sizeof text - 1);
    sm_frame_write(out, (struct sm_bytes){payload, sizeof payload}, true);
}

/* Writes all of it, or nothing. */
static bool append_bytes(int fd, const struct sm_str *bytes)
{
    off_t before = lseek(fd, 0, SEEK_END);
    size_t done = 0;
    while (done < bytes->len) {
        ssize_t n = write(fd, bytes->data + done, bytes->len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            int why = n < 0 ? errno : ENOSPC;
            if (before >= 0 && ftruncate(fd, before) != 0)
                why = errno;
            errno = why;
            return false;
        }
        done += (size_t)n;
    }
    return true;
}

/* "DIR/EVAL/events.out.tfevents.1700000000.host.123", with a number behind it if that exists. */
static void add_path(struct sm_str *out, const struct hook_board *b, unsigned number)
{
    char host[256] = "localhost";
    bool own = b->mode == SMDBG_EVAL || b->mode == SMDBG_PREDICT;
    gethostname(host, sizeof host - 1);
    sm_str_printf(out, "%s/%s%sevents.out.tfevents.%lld.%s.%ld", b->dir,
                  own ? sm_mode_name(b->mode) : "", own ? "/" : "", (long long)sm_clock_wall_s(),
                  host, (long)getpid());
    if (number)
        sm_str_printf(out, ".%u", number);
}

static bool create_file(struct hook_board *b, int *fd, struct sm_err *err)
{
    struct sm_str path = {0}, version = {0};
    bool ok = true;
    for (unsigned i = 0; ok && *fd < 0; i++) {
        sm_str_truncate(&path, 0);
        add_path(&path, b, i);
        ok = !path.failed || sm_err_set(err, SM_ERR_MEMORY, "no memory for TensorBoard's file");
        ok = ok && sm_writer_make_parents(sm_str_text(&path), err);
        if (!ok)
            break;
        *fd = open(sm_str_text(&path), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        ok = *fd >= 0 || errno == EEXIST || sm_err_errno(err, "%s", sm_str_text(&path));
    }
    add_version(&version);
    if (ok && version.failed)
        ok = sm_err_set(err, SM_ERR_MEMORY, "no memory for TensorBoard's file");
    ok = ok && (append_bytes(*fd, &version) || sm_err_errno(err, "%s", sm_str_text(&path)));
    sm_str_clear(&path);
    sm_str_clear(&version);
    return ok;
}

bool hook_board_end_step(struct hook_board *b, struct sm_err *err)
{
    struct stat st;
    bool own = b->mode == SMDBG_EVAL || b->mode == SMDBG_PREDICT;
    int *fd = &b->fds[own ? b->mode : SMDBG_TRAIN];
    if (!b->bytes.len)
        return true;
    if (*fd >= 0 && (fstat(*fd, &st) != 0 || st.st_nlink == 0)) { /* it was removed */
        close(*fd);
        *fd = -1;
    }
    if (*fd < 0 && !create_file(b, fd, err))
        return false;
    return append_bytes(*fd, &b->bytes) || sm_err_errno(err, "%s: TensorBoard's file", b->dir);
}
