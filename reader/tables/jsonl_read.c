/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of lines of JSON: an object for each row. */
#include "reader/base/crc32c.h"
#include "reader/base/mem.h"
#include "reader/tables/column_name.h"
#include "reader/tables/json_doc.h"
#include "reader/tables/row_phase.h"
#include "reader/tables/step_count.h"
#include "reader/tables/step_files.h"
#include "reader/tables/table_file.h"
#include "reader/tables/tables.h"

#include <math.h>
#include <string.h>

enum { TRIES_MAX = 16 };

struct jsonl {
    struct sm_table_file table;
    struct sm_step_files *files; /* the run is a file for each step, or NULL */
    struct sm_json_doc *doc;     /* the run is one document, or NULL */
    struct sm_json_row row;
    struct sm_bad_rows bad;
    unsigned rank; /* of the names that count the steps; 0: rows are counted */
    struct sm_step_count count;
    unsigned tries;          /* how often it was read anew for the sake of its steps */
    enum sm_row_phase phase; /* of the row, and the text that says so */
    struct sm_text phase_text;
    bool phased; /* names get the words of their phases */
    bool said;   /* something was handed on */
    bool again;  /* read anew: with another name for the steps */
    bool failed;
    uint64_t torn_offset; /* of the row that was handed on before its line ended */
    uint32_t torn_crc;
};

/* ---- steps ---- */

/* The item of the row that fits best; NULL: none. */
static struct sm_json_item *best_step(const struct jsonl *j)
{
    struct sm_json_item *best = NULL;
    for (size_t i = 0; i < j->row.n; i++) {
        struct sm_json_item *x = &j->row.items[i];
        const struct sm_json_key *k = &j->row.keys[x->key];
        bool word = x->type == SM_LOG_TEXT && k->rank == j->rank; /* where a step should be */
        if (k->rank && !k->not_step && !k->setting && (x->type == SM_LOG_NUMBER || word) &&
            (!best || k->rank < j->row.keys[best->key].rank))
            best = x;
    }
    return best;
}

static double epoch_of_row(const struct jsonl *j)
{
    for (size_t i = 0; i < j->row.n; i++) {
        const struct sm_json_item *x = &j->row.items[i];
        if (j->row.keys[x->key].rank == SM_STEP_EPOCH && x->type == SM_LOG_NUMBER)
            return x->number;
    }
    return NAN;
}

/* Rows so far were read with the wrong steps. A file made for it could have that all the time. */
static void try_anew(struct jsonl *j)
{
    if ((j->count.rows || j->bad.n) && j->tries < TRIES_MAX) {
        j->again = true;
        j->tries++;
    }
}

/* A name that fits better than the one used so far. */
static void use_rank(struct jsonl *j, unsigned rank)
{
    if (j->rank == rank)
        return;
    try_anew(j);
    j->rank = rank;
}

static void is_no_step(struct jsonl *j, const struct sm_json_item *x)
{
    struct sm_json_key *k = &j->row.keys[x->key];
    k->not_step = true;
    if (k->rank == j->rank || j->bad.n) /* rows were left out for its sake */
        try_anew(j);
    j->rank = k->rank == j->rank ? 0 : j->rank;
}

/* Whether the row is left out because of this item, which is no step; else the name is none of
 * steps. A row without an end is looked at again. */
static bool leave_out(struct jsonl *j, const struct sm_log_line *line, const struct sm_json_item *x,
                      bool fraction)
{
    struct sm_json_key *k = &j->row.keys[x->key];
    bool unused = !k->doubt.good && j->rank && k->rank < j->rank;
    if (line->whole && (unused || sm_step_is_bad(&k->doubt, k->rank, fraction))) {
        is_no_step(j, x);
        return false;
    }
    if (line->whole)
        sm_bad_rows_add(&j->bad, line, sm_str_text(&j->row.texts) + x->text, x->text_n,
                        j->table.sink, j->table.log.path);
    return true;
}

/* The item with the row's step; NULL: it has none. False: the row is left out. */
static bool find_step(struct jsonl *j, const struct sm_log_line *line, struct sm_json_item **at,
                      int64_t *counter)
{
    struct sm_json_item *x;
    bool fraction;
    while ((x = best_step(j))) {
        double v = x->type == SM_LOG_NUMBER ? x->number : NAN;
        if (sm_is_step(v, counter, &fraction)) {
            if (line->whole)
                sm_step_is_good(&j->row.keys[x->key].doubt);
            break;
        }
        if (leave_out(j, line, x, fraction))
            return false;
    }
    *at = x;
    return true;
}

/* False: the row has no step of its own. *at: its item, NULL if the rows are counted. */
static bool step_of_row(struct jsonl *j, struct sm_json_item *x, int64_t counter, int64_t *step,
                        const struct sm_json_item **at)
{
    *at = x;
    if (x && (!j->rank || j->row.keys[x->key].rank < j->rank))
        use_rank(j, j->row.keys[x->key].rank);
    if (!j->rank) {
        *step = j->count.rows++;
        return true;
    }
    if (x && j->row.keys[x->key].rank == j->rank) {
        double epoch = j->rank == SM_STEP_EPOCH ? NAN : epoch_of_row(j);
        *step = j->phased && j->phase > SM_PHASE_TRAINING
                    ? sm_step_of_validation(&j->count, counter, epoch)
                    : sm_step_of(&j->count, counter, epoch);
        return true;
    }
    *at = NULL;
    *step = j->count.step; /* of the row before; 0 if there was none */
    return j->count.counted || x;
}

/* ---- rows ---- */

static double time_of_row(const struct jsonl *j)
{
    double seconds;
    for (size_t i = 0; i < j->row.n; i++) {
        const struct sm_json_item *x = &j->row.items[i];
        if (j->row.keys[x->key].time && x->type == SM_LOG_NUMBER &&
            sm_is_time(sm_names_text(j->row.names, x->key), sm_names_length(j->row.names, x->key),
                       x->number, &seconds))
            return seconds;
    }
    return NAN;
}

/* What comes before the first step are settings. */
static void put_settings(struct jsonl *j, bool all)
{
    for (size_t i = 0; i < j->row.n; i++) {
        const struct sm_json_item *x = &j->row.items[i];
        const struct sm_json_key *k = &j->row.keys[x->key];
        if (all || (k->setting && !k->told))
            j->said |= sm_json_row_setting(&j->row, x, j->table.sink);
    }
}

/* Of training, of validation, or not said. */
static void find_phase(struct jsonl *j)
{
    j->phase = SM_PHASE_NONE;
    for (size_t i = 0; i < j->row.n && !j->phase; i++) {
        const struct sm_json_item *x = &j->row.items[i];
        j->phase_text = (struct sm_text){sm_str_text(&j->row.texts) + x->text, x->text_n};
        if (x->type == SM_LOG_TEXT && j->row.keys[x->key].phase)
            j->phase = sm_row_phase_of(j->phase_text.p, j->phase_text.n);
    }
}

/* Rows of two phases have the same metric: all is read anew, with other names. */
static void divide(struct jsonl *j)
{
    for (size_t i = 0; i < j->row.n && !j->phased; i++) {
        const struct sm_json_item *x = &j->row.items[i];
        if (x->type == SM_LOG_NUMBER &&
            sm_phase_divides(j->phase, sm_names_text(j->row.names, x->key),
                             sm_names_length(j->row.names, x->key), &j->row.keys[x->key].phases))
            j->phased = j->again = true;
    }
}

/* The item under the name that it has in the row's phase. */
static struct sm_json_item in_phase(struct jsonl *j, const struct sm_json_item *x)
{
    struct sm_json_item renamed = *x;
    struct sm_str name = {0};
    sm_phase_add_name(&name, j->phase, j->phase_text, sm_names_text(j->row.names, x->key),
                      sm_names_length(j->row.names, x->key));
    uint32_t key =
        name.failed ? SM_NAME_NONE : sm_json_row_key(&j->row, sm_str_text(&name), name.len);
    sm_str_clear(&name);
    j->failed = j->failed || key == SM_NAME_NONE;
    renamed.key = key == SM_NAME_NONE ? x->key : key;
    return renamed;
}

static void put_points(struct jsonl *j, int64_t step, const struct sm_json_item *at)
{
    double time = time_of_row(j);
    for (size_t i = 0; i < j->row.n; i++) {
        const struct sm_json_item *x = &j->row.items[i];
        struct sm_json_item renamed;
        if (x == at || j->row.keys[x->key].setting)
            continue;
        if (j->phased && j->phase) {
            renamed = in_phase(j, x);
            x = &renamed;
        }
        j->said |= sm_json_row_point(&j->row, x, j->table.sink, step, time);
    }
}

static void take_row(struct jsonl *j, const struct sm_log_line *line, bool known)
{
    int64_t step, counter = 0;
    const struct sm_json_item *at;
    struct sm_json_item *x;
    find_phase(j);
    if (line->whole)
        divide(j);
    if (!find_step(j, line, &x, &counter))
        return;
    bool counted = step_of_row(j, x, counter, &step, &at);
    if (j->again || known)
        return;
    put_settings(j, !counted);
    if (counted)
        put_points(j, step, at);
}

/* A row whose line has no end yet counts if it is whole, and comes again. */
static void take_torn_row(struct jsonl *j, const struct sm_log_line *line)
{
    struct sm_step_count before = j->count;
    unsigned rank = j->rank, tries = j->tries;
    take_row(j, line, false);
    j->count = before;
    j->tries = tries;
    j->rank = rank;
    j->again = false;
    j->torn_offset = line->offset;
    j->torn_crc = sm_crc32c(line->p, line->n);
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
    struct jsonl *j = ctx;
    struct sm_err err;
    struct sm_log_line x = *line;
    if (j->again || j->failed)
        return;
    if (x.offset == 0 && x.n >= 3 && memcmp(x.p, "\xef\xbb\xbf", 3) == 0) {
        x.p += 3;
        x.n -= 3;
    }
    if (is_empty(&x))
        return;
    if (!sm_json_row_read(&j->row, x.p, x.n, &err)) {
        j->failed = err.code == SM_ERR_MEMORY;
        if (x.whole && !j->failed)
            sm_log_problem(j->table.sink, j->table.log.path, (int64_t)x.offset, &err);
        return;
    }
    if (!x.whole)
        take_torn_row(j, &x);
    else
        take_row(j, &x, x.offset == j->torn_offset && sm_crc32c(x.p, x.n) == j->torn_crc);
}

/* ---- the format ---- */

static void read_anew(struct jsonl *j, bool steps)
{
    if (j->said)
        sm_log_restart(j->table.sink);
    j->said = j->again = j->failed = false;
    j->count = (struct sm_step_count){0};
    j->torn_offset = UINT64_MAX;
    j->bad.n = 0;
    j->table.settings = (struct sm_table_settings){0};
    for (size_t i = 0; j->row.names && i < sm_names_count(j->row.names); i++) {
        j->row.keys[i].told = false;
        j->row.keys[i].doubt = (struct sm_step_doubt){0};
        j->row.keys[i].not_step = j->row.keys[i].not_step && !steps;
        j->row.keys[i].phases = 0;
    }
    j->rank = steps ? 0 : j->rank;
}

static void jsonl_close(void *state)
{
    struct jsonl *j = state;
    sm_step_files_free(j->files);
    sm_json_doc_free(j->doc);
    sm_table_file_clear(&j->table);
    sm_json_row_clear(&j->row);
    sm_free(j);
}

static void *jsonl_open(const struct sm_trial_input *in)
{
    struct jsonl *j = sm_alloc_zero(1, sizeof *j);
    if (!j)
        return NULL;
    sm_table_file_open(&j->table, in);
    j->torn_offset = UINT64_MAX;
    const char *member = j->table.log.path;
    if (sm_step_files_is(member) && !(j->files = sm_step_files_new(in->source, member))) {
        jsonl_close(j);
        return NULL;
    }
    return j;
}

/* Looks at the file. False: there is nothing to read. */
static bool is_news(struct jsonl *j)
{
    enum sm_log_change change = sm_table_file_look(&j->table);
    if (change == SM_LOG_ANEW) {
        j->phased = false;
        read_anew(j, true);
        j->tries = 0;
    }
    return change == SM_LOG_ANEW || change == SM_LOG_GROWN;
}

/* Until something was read, the file may turn out to be a document, or lines. True: it is a
 * document, and was polled. */
static bool poll_doc(struct jsonl *j)
{
    char head[4096];
    size_t n = 0;
    struct sm_err err;
    if (j->said)
        return j->doc && (sm_json_doc_poll(j->doc, j->table.sink), true);
    bool is =
        sm_source_read(j->table.in->source, j->table.log.path, 0, head, sizeof head, &n, &err) &&
        sm_json_is_doc(head, n);
    if (is && !j->doc)
        j->doc = sm_json_doc_new(j->table.in->source, j->table.log.path);
    if (!is) {
        sm_json_doc_free(j->doc);
        j->doc = NULL;
    }
    j->said = j->doc && sm_json_doc_poll(j->doc, j->table.sink);
    return j->doc;
}

/* Names whose values were no steps, all of them. */
static void drop_false_steps(struct jsonl *j)
{
    for (size_t i = 0; j->row.names && i < sm_names_count(j->row.names); i++) {
        struct sm_json_key *k = &j->row.keys[i];
        if (k->not_step || !sm_step_never_good(&k->doubt) || j->tries == TRIES_MAX)
            continue;
        k->not_step = j->again = true;
        j->tries++;
    }
}

static bool jsonl_poll(void *state, struct sm_log_sink *sink)
{
    struct jsonl *j = state;
    j->table.sink = sink;
    if (j->files)
        return sm_step_files_poll(j->files, sink);
    if (poll_doc(j))
        return false;
    if (!is_news(j))
        return false;
    j->said |= sm_table_file_settings(&j->table);
    bool more = sm_table_file_lines(&j->table, on_line, j, &j->failed);
    if (!more && !j->again)
        drop_false_steps(j);
    if (!j->again && !j->failed) {
        sm_bad_rows_tell(&j->bad, sink, j->table.log.path);
        return more;
    }
    bool again = j->again;
    sm_log_file_clear(&j->table.log);
    read_anew(j, false);
    return again;
}

const struct sm_log_format sm_jsonl_format = {
    .open = jsonl_open, .close = jsonl_close, .poll = jsonl_poll};
