/* TensorBoard log directories: event files (*tfevents*) without an index, which grow at their ends.
 * A run (a folder with event files) is a worker, and its name may be that of a mode; a tag is a
 * tensor, whatever the form of its values (reader/tensor/tensor.h). The path of an event file opens
 * the directory that it is in. */

#include "reader/base/clock.h"
#include "reader/base/vec.h"
#include "reader/format/event.h"
#include "reader/format/tfrecord.h"
#include "reader/kind/trial_kind.h"
#include "reader/tensor/tensor.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 6, FILES_MAX = 20000, CHUNK_BYTES = 4 << 20, RECORD_MAX = 256 << 20 };

struct event_file {
    char *path;
    size_t run_bytes;                  /* length of the path's folder part */
    uint64_t inode, taken, size_bytes; /* bytes merged so far; bytes in the file at the last list */
    bool broken;                       /* no valid record at the read position */
};
struct board {
    const struct sm_trial_input *in;
    struct event_file *files;
    size_t n_files, cap_files;
    size_t *queue; /* files that have grown */
    size_t n_queue, cap_queue;
};

/* ---- finding files ---- */

static bool is_event_file(const char *name)
{
    return strstr(name, "tfevents") && !sm_ends_with(name, ".tmp");
}

struct walk {
    struct board *board; /* NULL: only checks whether there are any */
    struct sm_tail_changes *news;
    struct sm_source *source;
    const char *dir;
    unsigned depth;
    bool found;
};

static bool join_path(struct sm_str *out, const char *dir, const char *name)
{
    sm_str_printf(out, "%s%s%s", dir, *dir ? "/" : "", name);
    return !out->failed;
}

static struct event_file *find_file(struct board *b, const char *path)
{
    for (size_t i = 0; i < b->n_files; i++)
        if (strcmp(b->files[i].path, path) == 0)
            return &b->files[i];
    return NULL;
}

static bool add_file(struct board *b, const char *path, size_t run_bytes)
{
    if (b->n_files == FILES_MAX)
        return true;
    char *copy = sm_strdup(path);
    if (!copy || !SM_VEC_ROOM(b->files, b->n_files, b->cap_files)) {
        sm_free(copy);
        return false;
    }
    b->files[b->n_files++] = (struct event_file){.path = copy, .run_bytes = run_bytes};
    return true;
}

static void scan_folder(struct walk *w);

static bool on_name(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    struct walk *w = ctx;
    struct sm_str path = {0};
    (void)inode;
    bool ok = join_path(&path, w->dir, name);
    if (ok && is_dir && w->depth < DEPTH_MAX) {
        struct walk below = {.board = w->board,
                             .news = w->news,
                             .source = w->source,
                             .dir = sm_str_text(&path),
                             .depth = w->depth + 1};
        scan_folder(&below);
        w->found = w->found || below.found;
    } else if (ok && !is_dir && is_event_file(name)) {
        w->found = true;
        if (w->board && !find_file(w->board, sm_str_text(&path)))
            ok = add_file(w->board, sm_str_text(&path), strlen(w->dir));
    }
    if (!ok && w->news)
        w->news->no_memory = true;
    sm_str_clear(&path);
    return ok && (w->board || !w->found); /* one file is enough to identify the kind of directory */
}

static void scan_folder(struct walk *w)
{
    struct sm_err err = {0};
    if (!sm_source_list(w->source, w->dir, on_name, w, &err) && w->news &&
        err.code != SM_ERR_MISSING)
        sm_problems_add(&w->news->problems, w->dir, -1, &err);
}

/* A folder that belongs to a trial ends the search of the root. */
static bool is_of_a_trial(void *ctx, const char *name, uint64_t inode, bool is_dir)
{
    static const char *const trials[] = {"index", "events", "collections"};
    bool *of_a_trial = ctx;
    (void)inode;
    for (size_t i = 0; i < 3 && is_dir; i++)
        *of_a_trial = *of_a_trial || strcmp(name, trials[i]) == 0;
    return !*of_a_trial;
}

static bool has_event_files(struct sm_source *source)
{
    struct walk w = {.source = source, .dir = ""};
    struct sm_err err = {0};
    bool of_a_trial = false;
    if (!sm_source_list(source, "", is_of_a_trial, &of_a_trial, &err) || of_a_trial)
        return false;
    scan_folder(&w);
    return w.found;
}

/* ---- listing ---- */

static void *board_new(const struct sm_trial_input *in)
{
    struct board *b = sm_alloc_zero(1, sizeof *b);
    if (b)
        b->in = in;
    return b;
}

static void board_free(void *state)
{
    struct board *b = state;
    for (size_t i = 0; i < b->n_files; i++)
        sm_free(b->files[i].path);
    sm_free(b->files);
    sm_free(b->queue);
    sm_free(b);
}

static void list_grown(struct board *b, struct sm_tail_changes *n)
{
    struct walk w = {.board = b, .news = n, .source = b->in->source, .dir = ""};
    struct sm_stat st;
    scan_folder(&w);
    b->n_queue = 0;
    for (size_t i = 0; i < b->n_files; i++) {
        struct event_file *f = &b->files[i];
        if (!sm_source_stat(b->in->source, f->path, &st, NULL))
            continue;
        if (f->inode && f->inode != st.inode)
            f->taken = f->broken = 0; /* another file with the same name */
        bool grown = f->inode != st.inode || st.size_bytes > f->size_bytes;
        f->inode = st.inode;
        f->size_bytes = st.size_bytes;
        if (f->broken || !grown)
            continue;
        if (!SM_VEC_ROOM(b->queue, b->n_queue, b->cap_queue)) {
            n->no_memory = true;
            return;
        }
        b->queue[b->n_queue++] = i;
    }
    n->n_files = b->n_queue;
}

static void board_list(void *state, struct sm_tail_changes *n)
{
    struct board *b = state;
    struct sm_stat st;
    struct sm_err err = {0};
    if (sm_news_check_root(n, b->in->source, &st, &err))
        list_grown(b, n);
}

/* ---- reading ---- */

struct board_reader {
    const struct board *board;
    const struct event_file *file;
    struct sm_batch *batch;
    struct sm_arena arena; /* memory of one event */
    struct sm_str buffer;
    uint64_t at; /* offset of the next record in the file */
    bool no_memory;
};

static void report_problem(struct board_reader *r, const struct sm_err *err)
{
    sm_problems_add(&r->batch->problems, r->file->path, (int64_t)r->at, err);
}

static uint32_t worker_name(struct board_reader *r)
{
    return r->file->run_bytes ? sm_names_add(r->batch->names, r->file->path, r->file->run_bytes)
                              : sm_names_add(r->batch->names, ".", 1);
}

/* The mode, if the run has one of the names that frameworks (and smdebug) use for it; otherwise
 * GLOBAL. */
static int mode_of_run(const struct event_file *f)
{
    static const struct {
        const char *name;
        int mode;
    } rows[] = {{"train", SM_MODE_TRAIN}, {"eval", SM_MODE_EVAL}, {"validation", SM_MODE_EVAL},
                {"val", SM_MODE_EVAL},    {"test", SM_MODE_EVAL}, {"predict", SM_MODE_PREDICT}};
    size_t n = f->run_bytes, from = n;
    while (from && f->path[from - 1] != '/')
        from--;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == n - from &&
            strncasecmp(rows[i].name, f->path + from, n - from) == 0)
            return rows[i].mode;
    return SM_MODE_GLOBAL;
}

/* The part for records of this step: the last one if it is of this step, else a new one. */
static struct sm_batch_part *part_for(struct board_reader *r, const struct sm_event *e)
{
    struct sm_batch *b = r->batch;
    uint32_t events = sm_names_add(b->names, r->file->path, strlen(r->file->path)),
             worker = worker_name(r);
    struct sm_batch_part *last = b->n_parts ? &b->parts[b->n_parts - 1] : NULL;
    if (events == SM_NAME_NONE || worker == SM_NAME_NONE)
        return NULL;
    if (last && last->step == e->step && last->event_file == events)
        return last;
    if (!SM_VEC_ROOM(b->parts, b->n_parts, b->cap_parts))
        return NULL;
    b->parts[b->n_parts] = (struct sm_batch_part){
        .step = e->step,
        .mode_step = e->step,
        .mode = mode_of_run(r->file),
        .time_us = sm_clock_us_of(e->wall_time),
        .worker = worker,
        .event_file = events,
        .adds = true,
        .first_value = b->n_values,
        .first_shape = b->n_shapes,
    };
    return &b->parts[b->n_parts++];
}

static bool add_event_value(struct board_reader *r, const struct sm_event_value *v,
                            struct sm_batch_value x)
{
    struct sm_batch *b = r->batch;
    x.name = sm_names_add(b->names, v->tag.p, v->tag.n);
    if (x.name == SM_NAME_NONE || !SM_VEC_ROOM(b->values, b->n_values, b->cap_values))
        return false;
    b->values[b->n_values++] = x;
    return true;
}

static void add_event(struct board_reader *r, const struct sm_event *e, uint64_t length)
{
    struct sm_batch_part *p = NULL;
    if (e->step < 0 || !sm_trial_includes_step(&r->board->in->options, e->step))
        return;
    for (size_t i = 0; i < e->n_values && i <= UINT16_MAX && !r->no_memory; i++) {
        if (!sm_tensor_can_be(e->values[i].kind))
            continue;
        p = p ? p : part_for(r, e);
        r->no_memory =
            !p || !add_event_value(r, &e->values[i],
                                   (struct sm_batch_value){
                                       .offset = r->at, .length = length, .value = (uint16_t)i});
        if (p)
            p->n_values += !r->no_memory;
    }
}

/* Handles one record at p; returns its length, 0 if it is incomplete. */
static size_t parse_record(struct board_reader *r, struct sm_bytes p, struct sm_err *err)
{
    struct sm_bytes payload;
    enum sm_crc crc;
    struct sm_event e;
    struct sm_err bad = {0};
    if (!sm_frame_parse(p, true, &payload, &crc, err))
        return 0;
    if (crc == SM_CRC_BAD)
        sm_err_set(&bad, SM_ERR_DATA, "the payload's checksum is wrong");
    else if (sm_event_parse(payload, &r->arena, &e, &bad))
        add_event(r, &e, payload.n + SM_FRAME_OVERHEAD);
    if (bad.code == SM_ERR_MEMORY)
        r->no_memory = true;
    else if (bad.code)
        report_problem(r, &bad);
    sm_arena_reset(&r->arena);
    return payload.n + SM_FRAME_OVERHEAD;
}

/* Buffers up to `want` bytes from r->at on. */
static bool fill_buffer(struct board_reader *r, size_t want, struct sm_err *err)
{
    size_t got = 0;
    sm_str_truncate(&r->buffer, 0);
    sm_str_fill(&r->buffer, 0, want);
    if (r->buffer.failed)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to read events");
    if (!sm_source_read(r->board->in->source, r->file->path, r->at, r->buffer.data, want, &got,
                        err))
        return false;
    sm_str_truncate(&r->buffer, got);
    return true;
}

/* The length of the record at p according to its header; 0 if the header is incomplete. */
static uint64_t length_at(const uint8_t *p, size_t n)
{
    uint64_t payload;
    if (!sm_frame_header((struct sm_bytes){p, n}, &payload, NULL))
        return 0;
    return payload < INT64_MAX - SM_FRAME_OVERHEAD ? payload + SM_FRAME_OVERHEAD : INT64_MAX;
}

/* Skips a record that exceeds the size limit. */
static void skip_record(struct board_reader *r, uint64_t length)
{
    struct sm_err err;
    sm_err_set(&err, SM_ERR_LIMIT, "skipped a record of %llu bytes (limit %d)",
               (unsigned long long)length, RECORD_MAX);
    report_problem(r, &err);
    r->at += length;
}

/* Reads every complete record from the last position on. False: a record is broken, and with it the
 * rest of the file. */
static bool read_records(struct board_reader *r, struct sm_err *err)
{
    size_t want = CHUNK_BYTES;
    while (!r->no_memory) {
        if (!fill_buffer(r, want, err))
            return err->code == SM_ERR_MISSING;
        const uint8_t *p = (const uint8_t *)r->buffer.data;
        size_t left = r->buffer.len, taken = 0;
        while (left - taken && !r->no_memory) {
            size_t n = parse_record(r, (struct sm_bytes){p + taken, left - taken}, err);
            if (!n)
                break;
            taken += n;
            r->at += n;
        }
        uint64_t whole = taken < left ? length_at(p + taken, left - taken) : 0;
        if (taken < left && err->code != SM_ERR_WAIT)
            return false;
        if (whole > RECORD_MAX)
            skip_record(r, whole);
        else if (left < want || (!taken && whole <= want))
            return true; /* the end of what is written so far */
        want = whole > CHUNK_BYTES && whole <= RECORD_MAX ? (size_t)whole : CHUNK_BYTES;
    }
    return true;
}

static bool is_of_run(const struct board *b, const struct event_file *f)
{
    const char *run = b->in->options.worker;
    return !run || (strlen(run) == f->run_bytes && memcmp(run, f->path, f->run_bytes) == 0) ||
           (!f->run_bytes && strcmp(run, ".") == 0);
}

static struct sm_batch *board_read(const void *state, size_t from, size_t to)
{
    const struct board *b = state;
    struct board_reader r = {.board = b, .batch = sm_batch_new(from, to)};
    if (!r.batch)
        return NULL;
    for (size_t i = from; i < to && !r.no_memory; i++) {
        struct sm_err err = {0};
        struct sm_batch_file *f = &r.batch->files[r.batch->n_files++];
        r.file = &b->files[b->queue[i]];
        r.at = r.file->taken;
        f->fate = !is_of_run(b, r.file) ? SM_FATE_UNWANTED : SM_FATE_TAKEN;
        if (f->fate == SM_FATE_TAKEN && !read_records(&r, &err)) {
            report_problem(&r, &err);
            f->fate = SM_FATE_BAD;
        }
        f->size_bytes = r.at;
    }
    sm_arena_clear(&r.arena);
    sm_str_clear(&r.buffer);
    if (!r.no_memory)
        return r.batch;
    sm_batch_free(r.batch);
    return NULL;
}

static void board_settle(void *state, const struct sm_batch *batch, size_t n_merged)
{
    struct board *b = state;
    for (size_t i = 0; i < batch->n_files; i++) {
        struct event_file *f = &b->files[b->queue[batch->first + i]];
        bool merged = n_merged == batch->n_parts;
        f->broken = batch->files[i].fate == SM_FATE_BAD;
        if (merged)
            f->taken = batch->files[i].size_bytes;
        else
            f->size_bytes = 0; /* makes the next list read it again */
    }
}

/* ---- the kind ---- */

static bool owns_path(const char *path, const struct stat *st)
{
    const char *slash = strrchr(path, '/');
    return st && S_ISREG(st->st_mode) && strstr(slash ? slash + 1 : path, "tfevents");
}

static struct sm_source *open_folder(const char *path, struct sm_err *err)
{
    const char *slash = strrchr(path, '/');
    char *folder =
        slash ? sm_strndup(path, slash == path ? 1 : (size_t)(slash - path)) : sm_strdup(".");
    struct sm_source *source = folder ? sm_source_tree_new(folder, err) : NULL;
    if (!folder)
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
    sm_free(folder);
    return source;
}

static const struct sm_trial_traits traits = {
    .name = "tensorboard",
    .label = "TensorBoard",
    .title = "TensorBoard directory",
    .files = "TensorBoard event files",
    .runs = true,
};

const struct sm_trial_kind sm_trial_kind_tensorboard = {
    .traits = &traits,
    .owns_path = owns_path,
    .open_path = open_folder,
    .detect = has_event_files,
    .new_state = board_new,
    .free_state = board_free,
    .list = board_list,
    .read = board_read,
    .settle = board_settle,
};
