/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/location.h"

#include <string.h>

static bool parse_digits(const char **p, int64_t *out)
{
    const char *start = *p;
    int64_t v = 0;
    for (; **p >= '0' && **p <= '9'; (*p)++) {
        if (v > (INT64_MAX - 9) / 10)
            return false;
        v = v * 10 + (**p - '0');
    }
    *out = v;
    return *p > start;
}

/* The length of name without `suffix` or `suffix`.zst; 0 if it has neither. */
static size_t stem_length(const char *name, const char *suffix)
{
    size_t n = strlen(name), s = strlen(suffix);
    if (sm_ends_with(name, ".zst"))
        n -= 4;
    return n > s && memcmp(name + n - s, suffix, s) == 0 ? n - s : 0;
}

/* TensorFlow's device names are stored with '/' as '_' and ':' as '-' (doc/formats.md). */
static void add_worker(struct sm_str *out, const char *p, size_t n)
{
    bool device = n && p[0] == '_';
    for (size_t i = 0; i < n; i++)
        sm_str_addc(out, device && p[i] == '_' ? '/' : device && p[i] == '-' ? ':' : p[i]);
}

bool sm_location_parse(const char *file, const char *suffix, int64_t *step, struct sm_str *worker)
{
    size_t n = stem_length(file, suffix);
    const char *p = file;
    if (!n || !parse_digits(&p, step) || *p != '_')
        return false;
    size_t used = (size_t)(p + 1 - file);
    if (used >= n)
        return false;
    add_worker(worker, p + 1, n - used);
    return true;
}

bool sm_location_parse_collections(const char *file, struct sm_str *worker)
{
    size_t n = stem_length(file, "_collections.json");
    if (!n)
        return false;
    add_worker(worker, file, n);
    return true;
}

bool sm_location_parse_index_dir(const char *dir, int64_t *thousand)
{
    const char *p = dir;
    return parse_digits(&p, thousand) && !*p;
}

static void add_file_worker(struct sm_str *out, const char *worker)
{
    bool device = worker[0] == '/';
    for (; *worker; worker++)
        sm_str_addc(out, device && *worker == '/' ? '_' : device && *worker == ':' ? '-' : *worker);
}

void sm_location_index(struct sm_str *out, int64_t step, const char *worker)
{
    sm_str_printf(out, SM_INDEX_DIR "/%09lld/%012lld_", (long long)(step / 1000), (long long)step);
    add_file_worker(out, worker);
    sm_str_add(out, ".json");
}

void sm_location_events(struct sm_str *out, int64_t step, const char *worker)
{
    sm_str_printf(out, SM_EVENTS_DIR "/%012lld/%012lld_", (long long)step, (long long)step);
    add_file_worker(out, worker);
    sm_str_add(out, ".tfevents");
}

void sm_location_collections(struct sm_str *out, const char *worker)
{
    sm_str_add(out, SM_COLLECTIONS_DIR "/");
    add_file_worker(out, worker);
    sm_str_add(out, "_collections.json");
}

bool sm_location_reduction(struct sm_text name, struct sm_text *op, bool *absolute,
                           struct sm_text *tensor)
{
    static const char mark[] = "smdebug/reductions/";
    const char *at = memmem(name.p, name.n, mark, sizeof mark - 1);
    if (!at)
        return false;
    const char *p = at + sizeof mark - 1, *end = name.p + name.n;
    const char *slash = memchr(p, '/', (size_t)(end - p));
    if (!slash || slash + 1 == end)
        return false;
    *absolute = slash - p > 4 && memcmp(p, "abs_", 4) == 0;
    p += *absolute ? 4 : 0;
    *op = (struct sm_text){p, (size_t)(slash - p)};
    *tensor = (struct sm_text){slash + 1, (size_t)(end - slash - 1)};
    return true;
}
