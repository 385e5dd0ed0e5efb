/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/databases/db_run.h"

#include "reader/base/crc32c.h"
#include "reader/base/mem.h"

#include <string.h>

enum { TURN_ROWS = 20000, TURN_ROWS_MIN = 64, ATTEMPTS = 12 };

static const char *const endings[] = {".db", ".sqlite", ".sqlite3", ".db3"};

/* Whether the first n bytes of the name are that of a database. */
static bool is_name(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t m = strlen(endings[i]);
        if (n > m && memcmp(name + n - m, endings[i], m) == 0)
            return true;
    }
    return false;
}

/* Where the file ends: at the '#' after one of the endings, as the name may have others. */
static const char *end_of_file(const char *member)
{
    const char *p = strchr(member, '#'), *first = p;
    while (p && !is_name(member, (size_t)(p - member)))
        p = strchr(p + 1, '#');
    return p ? p : first;
}

bool sm_db_run_init(struct sm_db_run *r, const struct sm_db_run_ops *ops, struct sm_source *source,
                    const char *member)
{
    const char *end = end_of_file(member);
    *r = (struct sm_db_run){
        .ops = ops, .source = source, .points.per_second = ops->per_second, .most_rows = TURN_ROWS};
    if (!end)
        return false;
    r->file = sm_strndup(member, (size_t)(end - member));
    r->id = sm_strdup(end + 1);
    return r->file && r->id;
}

void sm_db_run_clear(struct sm_db_run *r)
{
    for (size_t i = 0; i < SM_DB_RUN_TABLES; i++)
        sm_db_place_clear(&r->places[i]);
    sm_points_clear(&r->points);
    sm_latest_clear(&r->latest);
    sm_notes_clear(&r->info);
    sm_notes_clear(&r->notes);
    sm_database_release(r->db);
    sm_free(r->file);
    sm_free(r->id);
    *r = (struct sm_db_run){0};
}

/* ---- a turn ---- */

static bool take_row(void *ctx, sqlite3_stmt *row)
{
    struct sm_db_run *r = ((struct sm_db_run **)ctx)[0];
    const struct sm_db_table *table = ((struct sm_db_table **)ctx)[1];
    table->row(r, row);
    return r->bytes < SM_LOG_TURN_BYTES;
}

static bool read_table(struct sm_db_run *r, unsigned i, bool *more, struct sm_err *err)
{
    struct sm_db_table table;
    bool some = false;
    size_t n = 0;
    if (!r->ops->table(r, i, &table))
        return true;
    struct sm_db_rows *rows = sm_database_rows(r->db, table.table, table.key, err);
    if (!rows || !sm_db_rows_look(rows, r->db, &some, err))
        return false;
    void *ctx[2] = {r, &table};
    bool ok = sm_db_rows_read(rows, r->db, r->id, &r->places[i], table.columns, r->most_rows,
                              take_row, ctx, &n, err);
    *more = *more || some || (ok && sm_db_rows_left(rows, r->id, &r->places[i]));
    return ok;
}

static bool read_all(struct sm_db_run *r, bool *more, struct sm_err *err)
{
    r->bytes = 0;
    sm_err_clear(&r->trouble);
    if (r->version != sm_database_version(r->db) && !r->ops->info(r, err))
        return false;
    for (unsigned i = 0; i < SM_DB_RUN_TABLES; i++)
        if (!read_table(r, i, more, err))
            return false;
    return true;
}

static void drop_turn(struct sm_db_run *r)
{
    r->points.n = 0;
    r->info.n = r->notes.n = 0;
    sm_str_truncate(&r->info.bytes, 0);
    sm_str_truncate(&r->notes.bytes, 0);
    r->most_rows = r->most_rows / 8 > TURN_ROWS_MIN ? r->most_rows / 8 : TURN_ROWS_MIN;
}

static void begin_anew(struct sm_db_run *r, struct sm_log_sink *sink)
{
    for (size_t i = 0; i < SM_DB_RUN_TABLES; i++)
        sm_db_place_clear(&r->places[i]);
    r->version = 0;
    r->info_sum = 0;
    sm_log_restart(sink);
}

static void hand_info_on(struct sm_db_run *r, struct sm_log_sink *sink)
{
    uint32_t sum = sm_notes_sum(&r->info);
    if (!r->info.n)
        return;
    if (sum != r->info_sum)
        sm_notes_hand_on(&r->info, sink);
    r->info_sum = sum;
    r->info.n = 0;
    sm_str_truncate(&r->info.bytes, 0);
}

/* The rows hold. True: more can be read at once. */
static bool hand_on(struct sm_db_run *r, bool more, struct sm_log_sink *sink)
{
    hand_info_on(r, sink);
    sm_notes_hand_on(&r->notes, sink);
    if (!sm_points_hand_on(&r->points, &r->latest, sink)) {
        sm_latest_keep_all(&r->latest);
        begin_anew(r, sink);
        return true;
    }
    r->most_rows = r->most_rows * 2 < TURN_ROWS ? r->most_rows * 2 : TURN_ROWS;
    return more;
}

/* The same again and again would hide the others. */
static void report(struct sm_db_run *r, struct sm_err *err, struct sm_log_sink *sink)
{
    sm_err_strip(err, r->file);
    uint32_t sum = sm_crc32c(err->msg, strlen(err->msg)) | 1;
    if (sum != r->said)
        sm_log_problem(sink, r->file, -1, err);
    r->said = sum;
}

static bool no_memory(const struct sm_db_run *r, struct sm_err *err)
{
    return !(r->points.no_memory || r->info.no_memory || r->notes.no_memory) ||
           sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", r->file);
}

enum turn { DONE, MORE, AGAIN };

static enum turn take_turn(struct sm_db_run *r, struct sm_log_sink *sink)
{
    struct sm_err err = {0};
    bool more = false;
    if (!sm_database_begin(r->db, &err)) {
        if (err.code != SM_ERR_MISSING && err.code != SM_ERR_WAIT)
            report(r, &err, sink);
        return err.code == SM_ERR_WAIT ? AGAIN : DONE;
    }
    uint64_t version = sm_database_version(r->db), epoch = sm_database_epoch(r->db);
    bool news = version != r->version || r->unfinished, ok = !news || read_all(r, &more, &err);
    bool holds = sm_database_end(r->db);
    for (size_t i = 0; news && i < SM_DB_RUN_TABLES; i++)
        sm_db_place_settle(&r->places[i], holds);
    if (!holds) {
        drop_turn(r);
        return AGAIN;
    }
    if (!news)
        return DONE;
    if (r->epoch && r->epoch != epoch) {
        r->epoch = epoch;
        drop_turn(r);
        sm_latest_clear(&r->latest);
        begin_anew(r, sink);
        return MORE;
    }
    r->epoch = epoch;
    r->version = version;
    more = hand_on(r, more, sink);
    if ((!ok || !no_memory(r, &err)) && err.code != SM_ERR_WAIT)
        report(r, &err, sink); /* what was read before counts */
    else if (r->trouble.code)
        report(r, &r->trouble, sink);
    r->unfinished = more && ok;
    return r->unfinished ? MORE : DONE;
}

bool sm_db_run_poll(struct sm_db_run *r, struct sm_log_sink *sink)
{
    struct sm_err err;
    if (!r->db && !(r->db = sm_database_get(r->source, r->file, &err)))
        return false;
    for (int i = 0; i < ATTEMPTS; i++) {
        enum turn t = take_turn(r, sink);
        if (t != AGAIN)
            return t == MORE;
    }
    return false;
}

/* ---- finding them ---- */

void sm_db_found_add(struct sm_db_found *found, struct sm_text id, struct sm_text name)
{
    if (!id.n || memchr(id.p, 0, id.n))
        return;
    sm_str_addn(&found->bytes, id.p, id.n);
    sm_str_addc(&found->bytes, 0);
    sm_str_addn(&found->bytes, name.p, name.n ? strnlen(name.p, name.n) : 0);
    sm_str_addc(&found->bytes, 0);
    found->n++;
}

static void add_runs(struct sm_run_folder *folder, const char *file,
                     const struct sm_db_found *found)
{
    struct sm_str member = {0};
    const char *p = sm_str_text(&found->bytes);
    for (size_t i = 0; !found->bytes.failed && i < found->n; i++) {
        const char *name = p + strlen(p) + 1;
        sm_str_truncate(&member, 0);
        sm_str_printf(&member, "%s#%s", file, p);
        if (!member.failed)
            sm_run_folder_add(folder, member.data, *name ? name : p);
        p = name + strlen(name) + 1;
    }
    sm_str_clear(&member);
}

static void claim_files(struct sm_run_folder *folder, const char *file)
{
    static const char *const beside[] = {"", "-wal", "-shm", "-journal"};
    struct sm_str name = {0};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        sm_str_truncate(&name, 0);
        sm_str_add(&name, file);
        sm_str_add(&name, beside[i]);
        if (!name.failed && sm_run_folder_has_file(folder, name.data))
            sm_run_folder_claim(folder, name.data);
    }
    sm_str_clear(&name);
}

bool sm_db_is_name(const char *name)
{
    size_t n = strlen(name);
    return is_name(name, n) || (sm_ends_with(name, "-wal") && is_name(name, n - 4)) ||
           (sm_ends_with(name, "-journal") && is_name(name, n - 8));
}

/* False: it is no database, or has been claimed. One that was given may have any name. */
static bool may_be_database(struct sm_run_folder *folder, const struct sm_run_item *item)
{
    char head[16];
    bool named = sm_run_folder_is_given(folder) || is_name(item->name, strlen(item->name));
    return named && !item->is_dir && !item->claimed &&
           sm_run_folder_head(folder, item->name, head, sizeof head) == sizeof head &&
           memcmp(head, "SQLite format 3", sizeof head) == 0;
}

/* False: a writer came in between, or it cannot be read. */
static bool look_for_runs(struct sm_database *db, struct sm_db_found *found, bool *is,
                          bool (*each)(struct sm_database *db, struct sm_db_found *found))
{
    struct sm_err err;
    sm_str_truncate(&found->bytes, 0);
    found->n = 0;
    if (!sm_database_begin(db, &err))
        return false;
    *is = each(db, found);
    return sm_database_end(db);
}

static void find_in(struct sm_run_folder *folder, const struct sm_run_item *item,
                    bool (*each)(struct sm_database *db, struct sm_db_found *found))
{
    struct sm_db_found found = {0};
    struct sm_str path = {0};
    struct sm_err err;
    bool is = false, holds = false;
    struct sm_database *db = NULL;
    if (may_be_database(folder, item))
        db = sm_database_get(sm_run_folder_source(folder),
                             sm_run_folder_join(folder, item->name, &path), &err);
    for (int i = 0; db && !holds && i < ATTEMPTS; i++)
        holds = look_for_runs(db, &found, &is, each);
    sm_database_release(db);
    if (is && holds) {
        add_runs(folder, item->name, &found);
        sm_run_folder_claim(folder, item->name);
        claim_files(folder, item->name);
    }
    sm_str_clear(&found.bytes);
    sm_str_clear(&path);
}

void sm_db_runs_find(struct sm_run_folder *folder,
                     bool (*each)(struct sm_database *db, struct sm_db_found *found))
{
    for (size_t i = 0; i < sm_run_folder_count(folder); i++)
        find_in(folder, sm_run_folder_item(folder, i), each);
}
