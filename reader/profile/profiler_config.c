/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/profile/profiler_config.h"

#include "reader/format/json_scan.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static const char *const part_names[] = {"detailed", "data loader", "Python", "SMDataParallel"};

const char *sm_profiler_part_name(int part)
{
    return part_names[part];
}

static bool is_key(struct sm_text key, const char *name)
{
    return key.n == strlen(name) && strncasecmp(key.p, name, key.n) == 0;
}

/* Booleans and numbers may be strings. */
static bool is_true(const struct sm_scan_value *v)
{
    return is_key(v->text, "true") || sm_text_is(v->text, "1");
}

static int64_t integer(const struct sm_scan_value *v)
{
    int64_t n;
    return sm_scan_decimal(v, 0, &n) && n >= 0 ? n : -1;
}

static void take_range(struct sm_text key, const struct sm_scan_value *v,
                       struct sm_profiler_part *part)
{
    static const char *const names[] = {"startstep", "numsteps", "starttimeinsecsinceepoch",
                                        "durationinseconds"};
    int64_t *const fields[] = {&part->start_step, &part->n_steps, &part->start_s,
                               &part->duration_s};
    for (int i = 0; i < 4; i++)
        if (is_key(key, names[i])) {
            *fields[i] = integer(v);
            part->invalid = part->invalid || *fields[i] < 0;
        }
}

/* A map, or a string that holds one as JSON or as Python writes it: with single quotes. */
static void read_part(const struct sm_scan_value *v, struct sm_profiler_part *part)
{
    struct sm_str text = {0};
    struct sm_scan_value item;
    struct sm_text key;
    *part = (struct sm_profiler_part){true, false, -1, -1, -1, -1};
    sm_scan_text(v, &text);
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] == '\'')
            text.data[i] = '"';
    struct sm_scan s = {sm_str_text(&text), sm_str_text(&text) + text.len};
    enum sm_scan_result r = sm_scan_enter(&s, '{');
    while (r == SM_SCAN_ITEM && (r = sm_scan_key(&s, &key, &item)) == SM_SCAN_ITEM)
        take_range(key, &item, part);
    bool steps = part->start_step >= 0 || part->n_steps >= 0,
         time = part->start_s >= 0 || part->duration_s >= 0;
    part->invalid = part->invalid || r != SM_SCAN_DONE || (steps && time);
    sm_str_clear(&text);
}

static void take_parameter(struct sm_text key, const struct sm_scan_value *v,
                           struct sm_profiler_config *c)
{
    static const char *const parts[] = {"detailedprofilingconfig", "dataloaderprofilingconfig",
                                        "pythonprofilingconfig", "smdataparallelprofilingconfig"};
    if (is_key(key, "profilerenabled"))
        c->enabled = is_true(v);
    else if (is_key(key, "localpath"))
        sm_scan_text(v, &c->path);
    else if (is_key(key, "rotatemaxfilesizeinbytes"))
        c->rotate_bytes = integer(v);
    else if (is_key(key, "rotatefilecloseintervalinseconds"))
        c->rotate_s = integer(v);
    else if (is_key(key, "fileopenfailthreshold"))
        c->open_failures = integer(v);
    for (int i = 0; i < SM_PROFILER_PARTS; i++)
        if (is_key(key, parts[i]))
            read_part(v, &c->parts[i]);
}

static void take_parameters(const struct sm_scan_value *v, struct sm_profiler_config *c)
{
    struct sm_scan s = {v->text.p, v->text.p + v->text.n};
    struct sm_scan_value item;
    struct sm_text key;
    if (v->type != SM_SCAN_MAP || sm_scan_enter(&s, '{') != SM_SCAN_ITEM)
        return;
    while (sm_scan_key(&s, &key, &item) == SM_SCAN_ITEM)
        take_parameter(key, &item, c);
}

bool sm_profiler_config_read(const char *p, size_t n, struct sm_profiler_config *out,
                             struct sm_err *err)
{
    struct sm_scan s = {p, p + n};
    struct sm_scan_value v;
    struct sm_text key;
    enum sm_scan_result r = sm_scan_enter(&s, '{');
    out->rotate_bytes = out->rotate_s = out->open_failures = -1;
    while (r == SM_SCAN_ITEM && (r = sm_scan_key(&s, &key, &v)) == SM_SCAN_ITEM)
        if (is_key(key, "disableprofiler"))
            out->disabled = is_true(&v);
        else if (is_key(key, "profilingparameters"))
            take_parameters(&v, out);
    return r == SM_SCAN_DONE || sm_err_set(err, SM_ERR_DATA, "not a JSON object");
}

void sm_profiler_config_clear(struct sm_profiler_config *c)
{
    sm_str_clear(&c->path);
}

bool sm_profiler_config_find(const char *run, const char *root, struct sm_str *path)
{
    static const char *const places[] = {"", "/.."};
    const char *const dirs[] = {run, root};
    struct stat st;
    for (size_t i = 0; i < 4; i++) {
        if (!dirs[i / 2])
            continue;
        sm_str_truncate(path, 0);
        sm_str_printf(path, "%s%s/profilerconfig.json", dirs[i / 2], places[i % 2]);
        if (!path->failed && stat(sm_str_text(path), &st) == 0 && S_ISREG(st.st_mode))
            return true;
    }
    sm_str_truncate(path, 0);
    return false;
}
