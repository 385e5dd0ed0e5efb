/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/hook/writer_private.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/format/location.h"
#include "reader/format/tfrecord.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Steps that hold only numbers share event files of at most this size, because a file takes 4 KiB
 * of the disk and much more time than the bytes in it. Readers load a file of this size at once. */
enum { SHARED_MAX = 16 << 10 };

/* The name becomes part of file names. Only TensorFlow's devices may have slashes; they are encoded
 * (sm_location_events). */
static bool is_worker_name(const char *worker)
{
    return *worker && (*worker == '/' || !strchr(worker, '/'));
}

bool sm_writer_open(const char *dir, const char *worker, struct sm_writer **out, struct sm_err *err)
{
    if (!is_worker_name(worker))
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" is not a valid worker name", worker);
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return sm_err_errno(err, "%s", dir);
    struct sm_writer *w = sm_alloc_zero(1, sizeof *w);
    if (!w)
        return hook_writer_no_memory(err);
    w->events.fd = w->shared_fd = -1;
    w->dir = sm_strdup(dir);
    w->worker = sm_strdup(worker);
    if (!w->dir || !w->worker) {
        sm_writer_close(w);
        return hook_writer_no_memory(err);
    }
    *out = w;
    return true;
}

/* ---- a step ---- */

static void discard_step(struct sm_writer *w)
{
    struct sm_str events = {0};
    sm_location_events(&events, w->step, w->worker);
    hook_file_discard(w, &events, &w->events);
    sm_str_clear(&events);
    w->in_step = false;
}

static void close_shared(struct sm_writer *w)
{
    if (w->shared_fd >= 0)
        close(w->shared_fd);
    w->shared_fd = -1;
}

void sm_writer_close(struct sm_writer *w)
{
    if (!w)
        return;
    if (w->in_step)
        discard_step(w);
    close_shared(w);
    sm_str_clear(&w->shared_name);
    sm_str_clear(&w->held);
    sm_index_clear(&w->index);
    sm_str_clear(&w->path);
    sm_str_clear(&w->record);
    sm_free(w->dir);
    sm_free(w->worker);
    sm_free(w);
}

/* Makes s empty; also clears a failed allocation. */
static void reset_text(struct sm_str *s)
{
    if (s->failed)
        sm_str_clear(s);
    sm_str_truncate(s, 0);
}

bool sm_writer_begin_step(struct sm_writer *w, int64_t step, int mode, int64_t mode_step,
                          struct sm_err *err)
{
    if (step < 0)
        return sm_err_set(err, SM_ERR_USAGE, "step %lld is negative", (long long)step);
    if (w->in_step)
        return sm_err_set(err, SM_ERR_USAGE, "step %lld has not ended", (long long)w->step);
    w->step = step;
    w->offset = 0;
    w->in_step = true;
    w->index.mode = mode;
    w->index.mode_step = mode_step;
    w->index.n_payloads = w->index.n_shapes = 0;
    reset_text(&w->index.strings);
    reset_text(&w->held);
    return true;
}

/* The file of the step itself. */
static bool open_events(struct sm_writer *w, struct sm_err *err)
{
    struct sm_str events = {0};
    if (w->events.fd >= 0)
        return true;
    sm_location_events(&events, w->step, w->worker);
    bool ok = hook_file_open(w, &events, &w->events, err);
    sm_str_clear(&events);
    return ok;
}

/* The error names the file, so that the user knows which disk is full. */
static bool write_events(struct sm_writer *w, struct iovec *parts, int n, struct sm_err *err)
{
    struct sm_str events = {0};
    if (hook_write_parts(w->events.fd, parts, n))
        return true;
    int saved_errno = errno;
    sm_location_events(&events, w->step, w->worker);
    const char *path = hook_file_path(w, &events, true);
    errno = saved_errno;
    sm_err_errno(err, "%s", path ? path : w->dir);
    sm_str_clear(&events);
    return false;
}

/* The pointer of the result is an offset, because the buffer moves when it grows. */
static struct sm_text add_name_offset(struct sm_writer *w, struct sm_text t)
{
    size_t at = w->index.strings.len;
    sm_str_addn(&w->index.strings, t.p, t.n);
    return (struct sm_text){(const char *)at, t.n};
}

/* Writes the records that were held back to the file of the step. */
static bool write_held(struct sm_writer *w, struct sm_err *err)
{
    struct iovec all = hook_iovec(w->held.data, w->held.len);
    bool ok = !w->held.len || write_events(w, &all, 1, err);
    sm_str_truncate(&w->held, 0);
    return ok;
}

/* Holds a number back, unless the step has a file of its own or too many of them. *held: done. */
static bool hold_record(struct sm_writer *w, const struct iovec *parts, int n, uint64_t length,
                        bool *held, struct sm_err *err)
{
    *held = w->events.fd < 0 && w->held.len + length <= SHARED_MAX;
    for (int i = 0; *held && i < n; i++)
        sm_str_addn(&w->held, parts[i].iov_base, parts[i].iov_len);
    return !w->held.failed || hook_writer_no_memory(err);
}

static bool add_record(struct sm_writer *w, struct sm_text tag, struct iovec *parts, int n,
                       bool number, struct sm_err *err)
{
    bool held = false;
    struct sm_index *x = &w->index;
    uint64_t length = 0;
    for (int i = 0; i < n; i++)
        length += parts[i].iov_len;
    if (!w->in_step)
        return sm_err_set(err, SM_ERR_USAGE, "no step is open");
    if (!SM_VEC_ROOM(x->payloads, x->n_payloads, x->cap_payloads))
        return hook_writer_no_memory(err);
    if (number && !hold_record(w, parts, n, length, &held, err))
        return false;
    if (!held && (!open_events(w, err) || !write_held(w, err) || !write_events(w, parts, n, err)))
        return false;
    x->payloads[x->n_payloads++] =
        (struct sm_index_payload){add_name_offset(w, tag), w->offset, length};
    w->offset += length;
    return true;
}

bool sm_writer_record(struct sm_writer *w, struct sm_text tag, struct sm_bytes record,
                      struct sm_err *err)
{
    struct iovec all = hook_iovec(record.p, record.n);
    return add_record(w, tag, &all, 1, false, err);
}

/* Writes the frame around the content, which is not copied. */
static bool write_numeric_tensor(struct sm_writer *w, const struct sm_event *e, bool number,
                                 struct sm_err *err)
{
    const struct sm_event_value *v = e->values;
    uint8_t header[SM_FRAME_HEADER], footer[SM_FRAME_FOOTER];
    struct sm_str head = {0}, tail = {0};
    bool ok = sm_event_write_around(&head, &tail, e, err);
    sm_frame_head(header, head.len + v->content.n + tail.len);
    sm_put_u32(footer, SM_FOOTER_UNWRITTEN);
    struct iovec parts[] = {hook_iovec(header, sizeof header), hook_iovec(head.data, head.len),
                            hook_iovec(v->content.p, v->content.n), hook_iovec(tail.data, tail.len),
                            hook_iovec(footer, sizeof footer)};
    ok = ok && add_record(w, v->tag, parts, (int)(sizeof parts / sizeof *parts), number, err);
    sm_str_clear(&head);
    sm_str_clear(&tail);
    return ok;
}

static bool write_value(struct sm_writer *w, const struct sm_event_value *v, double wall_time,
                        bool number, struct sm_err *err)
{
    struct sm_event_value value = *v;
    if (!value.has_mode) {
        value.has_mode = true;
        value.mode = w->index.mode;
        value.mode_step = w->index.mode_step;
    }
    if (!value.proto_dtype)
        value.proto_dtype = sm_dtype_info(value.dtype)->proto_code;
    struct sm_event e = {.wall_time = wall_time, .step = w->step, .values = &value, .n_values = 1};
    if (value.dtype != SM_DTYPE_STRING)
        return write_numeric_tensor(w, &e, number, err);
    struct sm_str payload = {0};
    reset_text(&w->record);
    bool ok = sm_event_write(&payload, &e, err);
    if (ok)
        sm_frame_write(&w->record,
                       (struct sm_bytes){(const uint8_t *)sm_str_text(&payload), payload.len},
                       false);
    sm_str_clear(&payload);
    if (w->record.failed)
        ok = hook_writer_no_memory(err);
    return ok &&
           sm_writer_record(
               w, v->tag,
               (struct sm_bytes){(const uint8_t *)sm_str_text(&w->record), w->record.len}, err);
}

bool sm_writer_tensor(struct sm_writer *w, const struct sm_event_value *v, double wall_time,
                      struct sm_err *err)
{
    return write_value(w, v, wall_time, false, err);
}

bool sm_writer_number(struct sm_writer *w, const struct sm_event_value *v, double wall_time,
                      struct sm_err *err)
{
    return write_value(w, v, wall_time, true, err);
}

bool sm_writer_shape(struct sm_writer *w, struct sm_text tag, struct sm_text original,
                     const uint64_t *dims, unsigned n_dims, struct sm_err *err)
{
    struct sm_index *x = &w->index;
    if (n_dims > SM_DIMS_MAX)
        return sm_err_set(err, SM_ERR_USAGE, "%u dimensions, at most %d", n_dims, SM_DIMS_MAX);
    if (!SM_VEC_ROOM(x->shapes, x->n_shapes, x->cap_shapes))
        return hook_writer_no_memory(err);
    struct sm_index_shape *s = &x->shapes[x->n_shapes++];
    *s = (struct sm_index_shape){.name = add_name_offset(w, tag),
                                 .original = add_name_offset(w, original),
                                 .n_dims = n_dims};
    memcpy(s->dims, dims, n_dims * sizeof *dims);
    return true;
}

static void resolve_names(struct sm_index *x)
{
    const char *base = sm_str_text(&x->strings);
    for (size_t i = 0; i < x->n_payloads; i++)
        x->payloads[i].name.p = base + (size_t)x->payloads[i].name.p;
    for (size_t i = 0; i < x->n_shapes; i++) {
        x->shapes[i].name.p = base + (size_t)x->shapes[i].name.p;
        x->shapes[i].original.p = base + (size_t)x->shapes[i].original.p;
    }
}

/* A file that no step has as its own, so that a step written again cannot replace it, for the
 * numbers of the present step and of those behind it. -1: an error. */
static int create_shared(struct sm_writer *w, struct sm_str *name, struct sm_err *err)
{
    struct sm_str events = {0};
    int spare = hook_spares_take(w->spares), fd = -1;
    sm_location_events(&events, w->step, w->worker);
    bool ok = !events.failed || hook_writer_no_memory(err);
    for (unsigned i = 0; ok && fd < 0; i++) {
        sm_str_truncate(name, 0);
        sm_str_printf(name, "%.*s-numbers-%u.tfevents", (int)(events.len - strlen(".tfevents")),
                      sm_str_text(&events), i);
        ok = hook_make_folders(w, name, err);
        const char *path = ok ? hook_file_path(w, name, false) : NULL;
        if (!ok)
            break;
        if (spare < 0)
            fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
        else if (hook_spare_name(spare, path))
            fd = spare;
        ok = fd >= 0 || errno == EEXIST || sm_err_errno(err, "%s", path);
    }
    if (spare >= 0 && fd < 0)
        close(spare);
    sm_str_clear(&events);
    return fd;
}

static bool shared_has_room(const struct sm_writer *w)
{
    struct stat st;
    return w->shared_fd >= 0 && w->shared_len + w->held.len <= SHARED_MAX &&
           fstat(w->shared_fd, &st) == 0 && st.st_nlink > 0;
}

static bool open_shared(struct sm_writer *w, struct sm_err *err)
{
    if (shared_has_room(w))
        return true;
    close_shared(w);
    w->shared_len = 0;
    w->shared_fd = create_shared(w, &w->shared_name, err);
    return w->shared_fd >= 0;
}

/* Appends the numbers of a step to the shared file. *name: that file. */
static bool append_shared(struct sm_writer *w, struct sm_text *name, struct sm_err *err)
{
    if (!open_shared(w, err))
        return false;
    struct iovec all = hook_iovec(w->held.data, w->held.len);
    if (!hook_write_parts(w->shared_fd, &all, 1)) {
        const char *path = hook_file_path(w, &w->shared_name, false);
        sm_err_errno(err, "%s", path ? path : w->dir);
        close_shared(w); /* it may end in the middle of a record */
        return false;
    }
    for (size_t i = 0; i < w->index.n_payloads; i++)
        w->index.payloads[i].offset += w->shared_len;
    w->shared_len += w->held.len;
    *name = (struct sm_text){sm_str_text(&w->shared_name), w->shared_name.len};
    return true;
}

/* Completes the event file of the step. *name: that file, in events or shared; n is 0 without one.
 */
static bool finish_values(struct sm_writer *w, const struct sm_str *events, struct sm_text *name,
                          struct sm_err *err)
{
    *name = (struct sm_text){0};
    if (events->failed || w->index.strings.failed)
        return hook_writer_no_memory(err);
    if (w->events.fd < 0 && w->held.len)
        return append_shared(w, name, err);
    if (w->index.n_payloads)
        *name = (struct sm_text){sm_str_text(events), events->len};
    return w->events.fd < 0 || hook_file_finish(w, events, &w->events, err);
}

bool sm_writer_end_step(struct sm_writer *w, struct sm_err *err)
{
    struct sm_str events = {0}, index = {0}, bytes = {0};
    if (!w->in_step)
        return sm_err_set(err, SM_ERR_USAGE, "no step is open");
    sm_location_events(&events, w->step, w->worker);
    sm_location_index(&index, w->step, w->worker);
    bool ok = finish_values(w, &events, &w->index.event_file, err);
    if (ok) {
        resolve_names(&w->index);
        sm_index_write(&bytes, &w->index);
        ok = hook_write_file(w, &index, &bytes, err);
        w->index.event_file = (struct sm_text){0};
    }
    if (!ok)
        discard_step(w);
    w->in_step = false;
    sm_str_clear(&events);
    sm_str_clear(&index);
    sm_str_clear(&bytes);
    return ok;
}
