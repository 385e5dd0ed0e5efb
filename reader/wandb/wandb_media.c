/* SPDX-License-Identifier: Apache-2.0 */
/* Fields to values: histograms, images; of others a line that says what they are. */
#include "reader/wandb/wandb_media.h"

#include "reader/logs/log_json.h"
#include "reader/tensor/tensor.h"

#include <math.h>
#include <string.h>

enum { FILES_MAX = 1024 };
#define BINS_MAX       ((size_t)1 << 20)
#define FILE_BYTES_MAX ((uint64_t)64 << 20)

/* ---- fields ---- */

enum sm_wandb_field sm_wandb_field_of(struct sm_text name, size_t *owner)
{
    static const struct {
        const char *ending;
        enum sm_wandb_field field;
    } rows[] = {
        {"._type", SM_WANDB_FIELD_TYPE},
        {".values", SM_WANDB_FIELD_VALUES},
        {".bins", SM_WANDB_FIELD_BINS},
        {".packedBins.min", SM_WANDB_FIELD_PACKED_MIN},
        {".packedBins.size", SM_WANDB_FIELD_PACKED_SIZE},
        {".path", SM_WANDB_FIELD_PATH},
        {".filenames", SM_WANDB_FIELD_NAMES},
        {".width", SM_WANDB_FIELD_WIDTH},
        {".height", SM_WANDB_FIELD_HEIGHT},
        {".nrows", SM_WANDB_FIELD_ROWS},
        {".ncols", SM_WANDB_FIELD_COLUMNS},
        {".size", SM_WANDB_FIELD_SIZE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = strlen(rows[i].ending);
        if (name.n > n && memcmp(name.p + name.n - n, rows[i].ending, n) == 0) {
            *owner = name.n - n;
            return rows[i].field;
        }
    }
    *owner = 0;
    return SM_WANDB_FIELD_NONE;
}

struct sm_text sm_wandb_field_text(const struct sm_wandb_item *item, struct sm_arena *arena)
{
    struct sm_text t = {(const char *)item->value.p, item->value.n};
    char digits[32];
    if (item->type == SM_WANDB_NUMBER && !t.n) {
        sm_format_shortest(item->number, false, digits);
        t = (struct sm_text){sm_arena_strndup(arena, digits, strlen(digits)), strlen(digits)};
        return t.p ? t : (struct sm_text){0};
    }
    if (item->type == SM_WANDB_JSON && t.n > 1 && t.p[0] == '"')
        t = (struct sm_text){t.p + 1, t.n - 2};
    return t.n ? t : (struct sm_text){0};
}

static bool has(const struct sm_wandb_media *m, enum sm_wandb_field f)
{
    return m->fields[f].p;
}

static bool number_of(const struct sm_wandb_media *m, enum sm_wandb_field f, double *out)
{
    return has(m, f) && sm_log_number(m->fields[f].p, m->fields[f].n, out);
}

static bool nothing(struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_USAGE, "no value that can be shown");
}

/* ---- arrays ---- */

/* The next element of an array: a number or a text, without quotes. */
static bool next_element(struct sm_text *rest, struct sm_text *out)
{
    while (rest->n && strchr("[, \t\r\n", *rest->p))
        rest->p++, rest->n--;
    if (!rest->n || *rest->p == ']')
        return false;
    bool quoted = *rest->p == '"';
    const char *from = rest->p + quoted, *end = from, *last = rest->p + rest->n;
    while (end < last && !(quoted ? *end == '"' : strchr(",] \t\r\n", *end) != NULL))
        end++;
    *out = (struct sm_text){from, (size_t)(end - from)};
    rest->n = (size_t)(last - end);
    rest->p = end;
    if (quoted && rest->n)
        rest->p++, rest->n--;
    return true;
}

/* The numbers of an array; NULL: it has something else, or none. */
static double *numbers_of(struct sm_text array, struct sm_arena *arena, size_t *n)
{
    struct sm_text rest = array, x;
    size_t most = array.n / 2 + 1 < BINS_MAX ? array.n / 2 + 1 : BINS_MAX;
    double *v = array.n ? sm_arena_alloc(arena, most * sizeof *v) : NULL;
    for (*n = 0; v && next_element(&rest, &x); ++*n)
        if (*n == most || !sm_log_number(x.p, x.n, &v[*n]))
            return NULL;
    return *n ? v : NULL;
}

/* ---- histograms ---- */

static double *edges_of(const struct sm_wandb_media *m, size_t n_bins, struct sm_arena *arena)
{
    double first, width, *edges;
    size_t n;
    edges = numbers_of(m->fields[SM_WANDB_FIELD_BINS], arena, &n);
    if (edges)
        return n == n_bins + 1 ? edges : NULL;
    if (!number_of(m, SM_WANDB_FIELD_PACKED_MIN, &first) ||
        !number_of(m, SM_WANDB_FIELD_PACKED_SIZE, &width))
        return NULL;
    edges = sm_arena_alloc(arena, (n_bins + 1) * sizeof *edges);
    for (size_t i = 0; edges && i <= n_bins; i++)
        edges[i] = first + (double)i * width;
    return edges;
}

static bool make_histogram(const struct sm_wandb_media *m, struct sm_arena *arena,
                           struct sm_event_value *out, struct sm_err *err)
{
    size_t n;
    double *counts = numbers_of(m->fields[SM_WANDB_FIELD_VALUES], arena, &n);
    double *edges = counts ? edges_of(m, n, arena) : NULL;
    if (!edges)
        return nothing(err);
    out->kind = SM_VALUE_HISTOGRAM;
    out->histo.min = edges[0];
    out->histo.max = edges[n];
    out->histo.limits = edges + 1;
    out->histo.counts = counts;
    out->histo.n = n;
    for (size_t i = 0; i < n; i++) {
        double middle = (edges[i] + edges[i + 1]) / 2;
        out->histo.num += counts[i];
        out->histo.sum += counts[i] * middle;
        out->histo.sum_squares += counts[i] * middle * middle;
    }
    return true;
}

/* ---- texts and files ---- */

static void set_strings(struct sm_event_value *out, const struct sm_text *strings, size_t n)
{
    out->kind = SM_VALUE_TENSOR;
    out->dtype = SM_DTYPE_STRING;
    out->proto_dtype = sm_dtype_info(SM_DTYPE_STRING)->proto_code;
    out->n_dims = 1;
    out->dims[0] = out->n_elements = n;
    out->strings = strings;
}

static bool load_file(struct sm_source *files, const char *path, bool size_only,
                      struct sm_arena *arena, struct sm_text *out, struct sm_err *err)
{
    struct sm_stat st;
    size_t got = 0;
    if (!sm_source_stat(files, path, &st, err))
        return false;
    if (st.is_dir || st.compressed || st.size_bytes > FILE_BYTES_MAX)
        return nothing(err);
    char *bytes = sm_arena_alloc(arena, st.size_bytes + 1);
    if (!bytes)
        return sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", path);
    *out = (struct sm_text){bytes, st.size_bytes};
    if (size_only)
        memset(bytes, 0, st.size_bytes);
    else if (!sm_source_read(files, path, 0, bytes, st.size_bytes, &got, err))
        return false;
    return size_only || got == st.size_bytes ||
           sm_err_set(err, SM_ERR_DATA, "%s: shorter than before", path);
}

struct load {
    struct sm_source *files;
    const char *base;
    bool sizes_only;
    struct sm_arena *arena;
};

static bool load_media(const struct load *l, struct sm_text name, struct sm_text *out,
                       struct sm_err *err)
{
    struct sm_str path = {0};
    sm_str_printf(&path, "%sfiles/%.*s", l->base, (int)name.n, name.p);
    bool ok = path.failed
                  ? sm_err_set(err, SM_ERR_MEMORY, "no memory for an image")
                  : load_file(l->files, sm_str_text(&path), l->sizes_only, l->arena, out, err);
    sm_str_clear(&path);
    return ok;
}

/* As TensorBoard has them: width, height, and the files. */
static bool make_images(const struct sm_wandb_media *m, const struct load *l,
                        struct sm_event_value *out, struct sm_err *err)
{
    struct sm_text rest = m->fields[SM_WANDB_FIELD_NAMES], name;
    struct sm_text *strings = sm_arena_alloc(l->arena, (2 + FILES_MAX) * sizeof *strings);
    size_t n = 2;
    if (!strings)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for an image");
    for (size_t i = 0; i < 2; i++)
        strings[i] =
            has(m, SM_WANDB_FIELD_WIDTH + i) ? m->fields[SM_WANDB_FIELD_WIDTH + i] : sm_text("0");
    if (has(m, SM_WANDB_FIELD_PATH) &&
        !load_media(l, m->fields[SM_WANDB_FIELD_PATH], &strings[n++], err))
        return false;
    while (next_element(&rest, &name) && n < 2 + FILES_MAX)
        if (!load_media(l, name, &strings[n++], err))
            return false;
    if (n == 2)
        return nothing(err);
    set_strings(out, strings, n);
    out->plugin = sm_text("images");
    return true;
}

/* Whether the file of a table is there, as the string after its line; names are those of W&B. */
static bool load_table(const struct sm_wandb_media *m, const struct load *l, struct sm_text *out)
{
    static const char ending[] = "table-file";
    struct sm_text type = m->fields[SM_WANDB_FIELD_TYPE];
    size_t n = sizeof ending - 1;
    struct sm_err err;
    return type.n >= n && memcmp(type.p + type.n - n, ending, n) == 0 &&
           has(m, SM_WANDB_FIELD_PATH) && load_media(l, m->fields[SM_WANDB_FIELD_PATH], out, &err);
}

/* "table-file, 2 rows, 3 columns, 123 bytes: media/table/t_0.table.json" */
static bool make_line(const struct sm_wandb_media *m, const struct load *l,
                      struct sm_event_value *out, struct sm_err *err)
{
    struct sm_arena *arena = l->arena;
    static const struct {
        enum sm_wandb_field field;
        const char *unit;
    } sizes[] = {{SM_WANDB_FIELD_ROWS, "rows"},
                 {SM_WANDB_FIELD_COLUMNS, "columns"},
                 {SM_WANDB_FIELD_SIZE, "bytes"}};
    struct sm_text type = m->fields[SM_WANDB_FIELD_TYPE], path = m->fields[SM_WANDB_FIELD_PATH];
    struct sm_text *line = sm_arena_alloc(arena, 2 * sizeof *line);
    struct sm_str text = {0};
    sm_str_addn(&text, type.p, type.n);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct sm_text x = m->fields[sizes[i].field];
        if (x.p)
            sm_str_printf(&text, ", %.*s %s", (int)x.n, x.p, sizes[i].unit);
    }
    if (path.p)
        sm_str_printf(&text, ": %.*s", (int)path.n, path.p);
    char *copy = text.failed ? NULL : sm_arena_strndup(arena, sm_str_text(&text), text.len);
    if (line && copy)
        *line = (struct sm_text){copy, text.len};
    sm_str_clear(&text);
    if (!line || !copy)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a value");
    bool table = load_table(m, l, line + 1);
    set_strings(out, line, table ? 2 : 1);
    if (table)
        out->plugin = sm_text(SM_PLUGIN_TABLE);
    return true;
}

bool sm_wandb_media_value(const struct sm_wandb_media *m, struct sm_source *files, const char *base,
                          bool sizes_only, struct sm_arena *arena, struct sm_event_value *out,
                          struct sm_err *err)
{
    const struct load l = {files, base, sizes_only, arena};
    struct sm_text type = m->fields[SM_WANDB_FIELD_TYPE];
    *out = (struct sm_event_value){0};
    if (sm_text_is(type, "histogram"))
        return make_histogram(m, arena, out, err);
    if (sm_text_is(type, "image-file") || sm_text_is(type, "images/separated") ||
        sm_text_is(type, "images"))
        return make_images(m, &l, out, err);
    return make_line(m, &l, out, err);
}
