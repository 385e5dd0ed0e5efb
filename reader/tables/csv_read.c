/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of tables in text: a line of names, then a row for each step. */
#include "reader/base/crc32c.h"
#include "reader/base/mem.h"
#include "reader/logs/log_fresh.h"
#include "reader/logs/log_json.h"
#include "reader/tables/bad_steps.h"
#include "reader/tables/column_name.h"
#include "reader/tables/csv_columns.h"
#include "reader/tables/row_phase.h"
#include "reader/tables/series_files.h"
#include "reader/tables/step_count.h"
#include "reader/tables/table_file.h"
#include "reader/tables/tables.h"

#include <math.h>
#include <string.h>

enum { ROW_BYTES_MAX = 1024 * 1024 };

struct csv {
    struct sm_table_file table;
    struct sm_series_files *files; /* the run is a table for each series, or NULL */

    char separator; /* 0: not known yet */
    struct sm_csv_columns columns;
    bool headed, said; /* a line of names was read; something was handed on */
    bool again;        /* read anew: with another column of steps */
    bool late;         /* the last row is left out for now */
    bool failed;       /* no memory */
    bool wide;         /* a row with too many cells was reported */
    bool phased;       /* names get the words of the phases of their rows */

    struct sm_step_count count;
    struct sm_step_doubt doubt; /* of the column of steps */
    struct sm_bad_rows bad;
    struct sm_csv_cells cells, head;
    struct sm_str comment; /* the last line that began with '#' */
    struct sm_str words;   /* the line of names, if blanks separate them */
    struct sm_str row;     /* lines so far of a row with an open quote */
    uint64_t row_offset, row_number;
    uint64_t torn_offset; /* of the row that was handed on before its line ended */
    uint32_t torn_crc;
    size_t torn_n;
};

static void set_names(struct csv *c, const struct sm_csv_cells *cells)
{
    c->failed = c->failed || !sm_csv_columns_set(&c->columns, cells);
    c->headed = true;
}

/* ---- rows ---- */

static bool cell_number(const struct csv *c, const struct sm_csv_cells *row, size_t i, double *v)
{
    return i < row->n && row->items[i].n && sm_csv_number(row->items[i], c->separator, v);
}

static size_t count_numbers(const struct csv *c, const struct sm_csv_cells *row)
{
    size_t n = 0;
    double v;
    for (size_t i = 0; i < row->n; i++)
        n += cell_number(c, row, i, &v);
    return n;
}

/* Whether a row is the line of names again: a program that goes on may write it once more, and may
 * write another one. */
static bool is_names(const struct csv *c, const struct sm_csv_cells *row)
{
    size_t same = 0;
    if (count_numbers(c, row))
        return false;
    for (size_t i = 0; i < row->n; i++) {
        struct sm_text x = row->items[i];
        same += x.n && sm_names_find(c->columns.names, x.p, x.n) != SM_NAME_NONE;
    }
    return same && 2 * same >= row->n;
}

/* The table is read anew, with another column of steps. False. */
static bool reject_step(struct csv *c)
{
    c->again = true;
    sm_csv_columns_reject_step(&c->columns);
    return false;
}

/* Whether the column `batch` is that of the batch's size: it stays while the epochs pass. */
static bool is_size(const struct csv *c, int64_t counter, double epoch)
{
    const struct sm_csv_column *x = &c->columns.items[c->columns.step];
    return c->count.aged && epoch > c->count.epoch && counter == c->count.last &&
           sm_step_rank(x->name, x->name_n) == SM_STEP_BATCH;
}

/* The cell of the step is none. A row without an end is looked at again. False. */
static bool leave_out(struct csv *c, const struct sm_log_line *line, struct sm_text cell,
                      bool fraction)
{
    const struct sm_csv_column *x = &c->columns.items[c->columns.step];
    if (!line->whole)
        return false;
    if (sm_step_is_bad(&c->doubt, sm_step_rank(x->name, x->name_n), fraction))
        return reject_step(c);
    sm_bad_rows_add(&c->bad, line, cell.p, cell.n, c->table.sink, c->table.log.path);
    return false;
}

/* Of training, of validation, or not said. */
static enum sm_row_phase phase_of_row(const struct csv *c, const struct sm_csv_cells *row)
{
    size_t i = c->columns.phase;
    return i < c->columns.n && i < row->n ? sm_row_phase_of(row->items[i].p, row->items[i].n)
                                          : SM_PHASE_NONE;
}

/* Rows of two phases have the same metric: all is read anew, with other names. */
static void divide(struct csv *c, const struct sm_csv_cells *row)
{
    enum sm_row_phase phase = phase_of_row(c, row);
    double v;
    for (size_t i = 0; phase && i < c->columns.n && !c->phased; i++) {
        struct sm_csv_column *x = &c->columns.items[i];
        if (cell_number(c, row, i, &v) && sm_phase_divides(phase, x->name, x->name_n, &x->phases))
            c->phased = c->again = true;
    }
}

/* False: the row cannot be taken. */
static bool step_of_row(struct csv *c, const struct sm_log_line *line, int64_t *step)
{
    const struct sm_csv_cells *row = &c->cells;
    double v = NAN, epoch = NAN;
    bool fraction;
    int64_t counter;
    if (c->columns.step == c->columns.n) {
        *step = c->count.rows++;
        return true;
    }
    struct sm_text cell =
        c->columns.step < row->n ? row->items[c->columns.step] : (struct sm_text){0};
    if (!cell.n) {
        *step = c->count.step;
        return c->count.counted;
    }
    if (!cell_number(c, row, c->columns.step, &v))
        v = NAN;
    if (!sm_is_step(v, &counter, &fraction))
        return leave_out(c, line, cell, fraction);
    if (c->columns.epoch == c->columns.n || !cell_number(c, row, c->columns.epoch, &epoch))
        epoch = NAN;
    if (is_size(c, counter, epoch)) {
        return reject_step(c);
    }
    if (line->whole)
        sm_step_is_good(&c->doubt);
    *step = c->phased && phase_of_row(c, row) > SM_PHASE_TRAINING
                ? sm_step_of_validation(&c->count, counter, epoch)
                : sm_step_of(&c->count, counter, epoch);
    return true;
}

static double time_of_row(const struct csv *c, const struct sm_csv_cells *row)
{
    double v, seconds;
    const struct sm_csv_column *x = &c->columns.items[c->columns.time];
    return c->columns.time < c->columns.n && cell_number(c, row, c->columns.time, &v) &&
                   sm_is_time(x->name, x->name_n, v, &seconds)
               ? seconds
               : NAN;
}

static uint32_t series_in_phase(struct csv *c, const struct sm_csv_cells *row,
                                const struct sm_csv_column *x)
{
    struct sm_str name = {0};
    sm_phase_add_name(&name, phase_of_row(c, row), row->items[c->columns.phase], x->name,
                      x->name_n);
    c->failed = c->failed || name.failed;
    uint32_t id = sm_log_series(c->table.sink, sm_str_text(&name), name.len);
    sm_str_clear(&name);
    return id;
}

static void put_points(struct csv *c, const struct sm_csv_cells *row, int64_t step)
{
    bool phased = c->phased && phase_of_row(c, row);
    double time = time_of_row(c, row), v;
    for (size_t i = 0; i < c->columns.n && i < row->n; i++) {
        struct sm_csv_column *x = &c->columns.items[i];
        if (i == c->columns.step || !x->name_n || !cell_number(c, row, i, &v))
            continue;
        if (!x->listed && !phased)
            x->series = sm_log_series(c->table.sink, x->name, x->name_n);
        x->listed = x->listed || !phased;
        sm_log_point(c->table.sink, phased ? series_in_phase(c, row, x) : x->series, step, time, v);
        c->said = true;
    }
}

static void report(struct csv *c, uint64_t offset, const char *what)
{
    struct sm_err err;
    sm_err_set(&err, SM_ERR_DATA, "%s", what);
    sm_log_problem(c->table.sink, c->table.log.path, (int64_t)offset, &err);
}

static void take_row(struct csv *c, const struct sm_log_line *line, uint32_t crc)
{
    int64_t step;
    bool known = line->offset == c->torn_offset && line->n == c->torn_n && crc == c->torn_crc;
    if (c->cells.n > c->columns.n && !c->wide) {
        report(c, line->offset, "a row has more cells than there are names");
        c->wide = true;
    }
    if (line->whole)
        divide(c, &c->cells);
    if (!c->again && step_of_row(c, line, &step) && !known)
        put_points(c, &c->cells, step);
}

/* A row whose line has no end yet counts if it is complete, and comes again. */
static void take_torn_row(struct csv *c, const struct sm_log_line *line, uint32_t crc)
{
    struct sm_step_count before = c->count;
    size_t n = c->columns.n_not_steps;
    if (c->cells.n < c->columns.n || is_names(c, &c->cells))
        return;
    /* a step at the end may be torn, 1 of 13: its values would be points of another step */
    c->late = c->columns.step + 1 == c->cells.n && c->table.in->options.follow &&
              sm_is_fresh(c->table.log.mtime_us);
    if (c->late)
        return;
    take_row(c, line, crc);
    c->count = before;
    c->columns.n_not_steps = n;
    c->again = false;
    c->torn_offset = line->offset;
    c->torn_n = line->n;
    c->torn_crc = crc;
}

/* ---- lines ---- */

static void take_comment(struct csv *c, const struct sm_log_line *line)
{
    struct sm_err err;
    if (line->n > 1 && line->p[1] == '{' && /* gymnasium's and stable-baselines' monitor.csv */
        sm_settings_from_json(line->p + 1, line->n - 1, c->table.sink, &err)) {
        c->said = true;
        return;
    }
    sm_str_truncate(&c->comment, 0);
    sm_str_addn(&c->comment, line->p + 1, line->n - 1);
}

/* A table that begins with numbers: its names may stand in a comment. */
static void name_numbers(struct csv *c, size_t n)
{
    char separator = c->separator;
    bool named =
        c->comment.len && sm_csv_split(c->comment.data, c->comment.len,
                                       sm_csv_separator(c->comment.data, c->comment.len), &c->head);
    if (named && c->head.n == n)
        set_names(c, &c->head);
    else
        c->failed = !sm_csv_columns_set_numbers(&c->columns, n);
    c->headed = true;
    c->separator = separator;
}

/* Excel's line "sep=;". */
static bool take_separator(struct csv *c, const struct sm_log_line *line)
{
    if (line->n != 5 || memcmp(line->p, "sep=", 4) != 0)
        return false;
    c->separator = line->p[4];
    return true;
}

/* The line of names. True: the line is a row, too. */
static bool take_names(struct csv *c, const struct sm_log_line *line)
{
    if (!line->whole || take_separator(c, line))
        return false;
    if (!c->separator)
        c->separator = sm_csv_separator(line->p, line->n);
    if (!sm_csv_split(line->p, line->n, c->separator, &c->cells)) {
        c->failed = true;
        return false;
    }
    sm_str_truncate(&c->words, 0);
    if (c->separator == ' ')
        sm_str_addn(&c->words, line->p, line->n);
    bool numbers = count_numbers(c, &c->cells) == c->cells.n;
    if (numbers)
        name_numbers(c, c->cells.n);
    else
        set_names(c, &c->cells);
    return numbers;
}

/* Lines before the table, like a title, are taken for names until a row of other ones comes. */
static bool is_title(struct csv *c, const struct sm_log_line *line)
{
    return !c->said && line->whole && !count_numbers(c, &c->cells) &&
           sm_csv_split(line->p, line->n, sm_csv_separator(line->p, line->n), &c->head) &&
           c->head.n >= 2 && !count_numbers(c, &c->head) &&
           (c->head.n > c->columns.n || sm_csv_separator(line->p, line->n) != c->separator);
}

/* A table of one column, whose name has blanks. */
static bool is_one_column(const struct csv *c)
{
    return !c->said && c->words.len && c->cells.n == 1 && c->columns.n > 1;
}

static void use_one_column(struct csv *c)
{
    c->separator = ',';
    if (sm_csv_split(c->words.data, c->words.len, c->separator, &c->head))
        set_names(c, &c->head);
    else
        c->failed = true;
    sm_str_truncate(&c->words, 0);
}

static void take_line(struct csv *c, const struct sm_log_line *line)
{
    uint32_t crc = sm_crc32c(line->p, line->n);
    if (!c->headed && line->p[0] == '#') {
        take_comment(c, line);
        return;
    }
    if (!c->headed && !take_names(c, line))
        return;
    if (!sm_csv_split(line->p, line->n, c->separator, &c->cells)) {
        c->failed = true;
        return;
    }
    if (is_one_column(c))
        use_one_column(c);
    if (is_title(c, line)) {
        c->separator = sm_csv_separator(line->p, line->n);
        set_names(c, &c->head);
    } else if (!line->whole) {
        take_torn_row(c, line, crc);
    } else if (is_names(c, &c->cells)) {
        set_names(c, &c->cells);
    } else {
        take_row(c, line, crc);
    }
}

/* The lines so far of a row are a row, if its last cell is closed. */
static void take_lines(struct csv *c, const struct sm_log_line *last, bool open)
{
    size_t before = c->row.len;
    sm_str_addn(&c->row, last->p, last->n);
    c->failed = c->failed || c->row.failed;
    if (open && last->whole && c->row.len >= ROW_BYTES_MAX)
        report(c, c->row_offset, "a quote that is not closed");
    else if (open && last->whole)
        return;
    else if (!open && !c->failed)
        take_line(c, &(struct sm_log_line){.p = c->row.data,
                                           .n = c->row.len,
                                           .offset = c->row_offset,
                                           .number = c->row_number,
                                           .whole = last->whole});
    sm_str_truncate(&c->row, last->whole ? 0 : before);
}

/* A row with an open quote goes on in the next line. */
static void add_line(struct csv *c, const struct sm_log_line *line)
{
    char separator = c->separator ? c->separator : sm_csv_separator(line->p, line->n);
    bool open = sm_csv_quote_open(line->p, line->n, separator, c->row.len);
    if (!c->row.len && (!open || !line->whole)) {
        take_line(c, line);
        return;
    }
    if (!c->row.len) {
        c->row_offset = line->offset;
        c->row_number = line->number;
    }
    take_lines(c, line, open);
    if (c->row.len && line->whole)
        sm_str_addc(&c->row, '\n');
}

static bool is_empty(const struct sm_log_line *line)
{
    for (size_t i = 0; i < line->n; i++)
        if (!strchr(" \t\r", line->p[i]) || !line->p[i])
            return false;
    return true;
}

static void on_line(void *ctx, const struct sm_log_line *line)
{
    struct csv *c = ctx;
    struct sm_log_line x = *line;
    if (c->again || c->failed)
        return;
    if (x.offset == 0 && x.n >= 3 && memcmp(x.p, "\xef\xbb\xbf", 3) == 0) {
        x.p += 3;
        x.n -= 3;
    }
    if (c->row.len || !is_empty(&x))
        add_line(c, &x);
}

/* ---- the format ---- */

static void forget_rows(struct csv *c)
{
    sm_csv_columns_clear(&c->columns);
    c->separator = 0;
    c->headed = c->again = c->failed = c->wide = false;
    c->count = (struct sm_step_count){0};
    c->doubt = (struct sm_step_doubt){0};
    c->bad.n = 0;
    c->torn_n = 0;
    c->torn_offset = UINT64_MAX;
    sm_str_truncate(&c->row, 0);
    sm_str_truncate(&c->comment, 0);
    sm_str_truncate(&c->words, 0);
    c->table.settings = (struct sm_table_settings){0};
}

static void read_anew(struct csv *c)
{
    if (c->said)
        sm_log_restart(c->table.sink);
    c->said = false;
    forget_rows(c);
}

static void csv_close(void *state)
{
    struct csv *c = state;
    sm_series_files_free(c->files);
    sm_table_file_clear(&c->table);
    sm_csv_columns_clear(&c->columns);
    sm_csv_cells_clear(&c->cells);
    sm_csv_cells_clear(&c->head);
    sm_str_clear(&c->comment);
    sm_str_clear(&c->words);
    sm_str_clear(&c->row);
    sm_free(c);
}

static void *csv_open(const struct sm_trial_input *in)
{
    struct csv *c = sm_alloc_zero(1, sizeof *c);
    if (!c)
        return NULL;
    sm_table_file_open(&c->table, in);
    c->torn_offset = UINT64_MAX;
    bool several = strcmp(c->table.log.path, SM_SERIES_FILES_MEMBER) == 0;
    c->files = several ? sm_series_files_new(in->source) : NULL;
    if (c->files || !several)
        return c;
    csv_close(c);
    return NULL;
}

/* Looks at the file. False: there is nothing to read. */
static bool is_news(struct csv *c)
{
    switch (sm_table_file_look(&c->table)) {
    case SM_LOG_ANEW:
        c->columns.n_not_steps = 0;
        c->phased = false;
        read_anew(c);
        return true;
    case SM_LOG_GROWN:
        return true;
    case SM_LOG_SAME:
        return c->late && !sm_is_fresh(c->table.log.mtime_us);
    case SM_LOG_GONE:
        break;
    }
    return false;
}

static bool csv_poll(void *state, struct sm_log_sink *sink)
{
    struct csv *c = state;
    if (c->files)
        return sm_series_files_poll(c->files, sink);
    c->table.sink = sink;
    if (!is_news(c))
        return false;
    c->said |= sm_table_file_settings(&c->table);
    c->late = false;
    bool more = sm_table_file_lines(&c->table, on_line, c, &c->failed);
    if (!more && !c->again && sm_step_never_good(&c->doubt))
        reject_step(c);
    if (!c->again && !c->failed) {
        sm_bad_rows_tell(&c->bad, sink, c->table.log.path);
        return more;
    }
    bool again = c->again;
    sm_log_file_clear(&c->table.log);
    read_anew(c);
    return again;
}

const struct sm_log_format sm_csv_format = {.open = csv_open, .close = csv_close, .poll = csv_poll};
