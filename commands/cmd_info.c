/* info: what the trial holds. One record and one function a subcommand. */
#include "commands/args.h"
#include "commands/cmd_list.h"
#include "commands/describe.h"
#include "reader/format/location.h"
#include "reader/base/clock.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- info trial ---- */

static const struct sm_column trial_columns[] = {
    {.key = "name", .header = "name"},
    {.key = "path", .header = "path", .hidden = true},
    {.key = "kind", .header = "kind"},
    {.key = "state", .header = "state"},
    {.key = "workers", .header = "workers", .format = SM_COL_LIST},
    {.key = "num_workers", .header = "workers expected", .format = SM_COL_NUMBER},
    {.key = "steps", .header = "steps", .format = SM_COL_NUMBER},
    {.key = "first_step", .header = "first step", .format = SM_COL_NUMBER},
    {.key = "last_step", .header = "last step", .format = SM_COL_NUMBER},
    {.key = "tensors", .header = "tensors", .format = SM_COL_NUMBER},
    {.key = "collections", .header = "collections", .format = SM_COL_NUMBER},
    {.key = "bytes", .header = "payload", .format = SM_COL_BYTES},
    {.key = "errors", .header = "errors", .format = SM_COL_NUMBER},
};

static void add_modes(struct sm_result *out, struct sm_node *map, const struct sm_trial *t)
{
    struct sm_node *modes = sm_node_map(out, map, "modes");
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++) {
        struct sm_mode_span span = sm_mode_span(t, (enum sm_mode)m);
        if (!span.steps)
            continue;
        struct sm_node *mode = sm_node_map(out, modes, sm_mode_name(m));
        sm_node_uint(out, mode, "steps", span.steps);
        sm_node_int(out, mode, "first", span.first.n);
        sm_node_int(out, mode, "last", span.last.n);
        sm_result_text(out, "%-17s %s: %llu steps, %lld to %lld", "mode", sm_mode_name(m), (unsigned long long)span.steps,
                       (long long)span.first.n, (long long)span.last.n);
    }
}

static void int_or_null(struct sm_result *out, struct sm_node *map, const char *key, bool known, int64_t v)
{
    if (known)
        sm_node_int(out, map, key, v);
    else
        sm_node_null(out, map, key);
}

static bool run_info_trial(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    const struct sm_trial *t = sm_session_trial(c->session);
    size_t n = sm_trial_step_count(t);
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_text(out, map, "name", sm_trial_name(t));
    sm_node_text(out, map, "path", sm_trial_path(t));
    sm_node_text(out, map, "kind", sm_trial_is_tensorboard(t) ? "tensorboard" : "smdebug");
    sm_node_text(out, map, "state", sm_trial_state_name(sm_trial_state(t)));
    struct sm_node *workers = sm_node_list(out, map, "workers");
    for (size_t w = 0; w < sm_trial_worker_count(t); w++)
        sm_node_text(out, workers, NULL, sm_trial_worker(t, (uint16_t)w));
    int_or_null(out, map, "num_workers", sm_trial_num_workers(t) >= 0, sm_trial_num_workers(t));
    sm_result_fields(out, map, trial_columns, COUNT(trial_columns));
    add_modes(out, map, t);
    sm_node_uint(out, map, "steps", n);
    int_or_null(out, map, "first_step", n > 0, n ? sm_trial_step(t, 0)->step.n : 0);
    int_or_null(out, map, "last_step", n > 0, n ? sm_trial_step(t, n - 1)->step.n : 0);
    sm_node_uint(out, map, "tensors", sm_trial_tensor_count(t));
    sm_node_uint(out, map, "collections", sm_trial_collection_count(t));
    sm_node_uint(out, map, "bytes", sm_trial_bytes(t));
    sm_node_uint(out, map, "errors", sm_trial_problems(t)->total);
    out->root = map;
    out->columns = trial_columns;
    out->n_columns = COUNT(trial_columns);
    return true;
}

static const struct sm_cmd info_trial = {
    .name = "trial",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "State, modes, workers and counts of the current trial",
    .example = "info trial",
    .see_also = "doctor",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_trial,
};

/* ---- info collections, info collection NAME ---- */

static const struct sm_column collections_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "count", .header = "TENSORS", .format = SM_COL_NUMBER},
    {.key = "saves", .header = "SAVES"},
    {.key = "include_regex", .header = "REGEX", .format = SM_COL_LIST},
    {.key = "reductions", .header = "REDUCTIONS", .format = SM_COL_LIST},
    {.key = "tensors", .header = "NAMES", .format = SM_COL_LIST, .hidden = true},
};

static void add_save_config(struct sm_result *out, struct sm_node *row, const struct sm_collection_def *def)
{
    if (!def->has_save) {
        sm_node_null(out, row, "save_config");
        return;
    }
    struct sm_node *config = sm_node_map(out, row, "save_config");
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++) {
        const struct sm_save_rule *rule = &def->save[m];
        if (!rule->given) {
            sm_node_null(out, config, sm_mode_name(m));
            continue;
        }
        struct sm_node *map = sm_node_map(out, config, sm_mode_name(m));
        sm_node_int(out, map, "save_interval", rule->interval);
        struct sm_node *steps = sm_node_list(out, map, "save_steps");
        for (size_t i = 0; i < rule->n_steps; i++)
            sm_node_int(out, steps, NULL, rule->steps[i]);
        sm_node_int(out, map, "start_step", rule->start);
        int_or_null(out, map, "end_step", rule->end >= 0, rule->end);
    }
}

/* "every 10" where all modes agree, else "TRAIN every 10, EVAL every 2". */
static const char *saves_text(struct sm_result *out, const struct sm_collection_def *def)
{
    if (!def->has_save)
        return NULL;
    struct sm_str text = {0};
    bool same = true;
    for (int m = SM_MODE_EVAL; m < SM_MODES; m++)
        same = same && def->save[m].given == def->save[1].given && def->save[m].interval == def->save[1].interval;
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++)
        if (def->save[m].given && (!same || m == SM_MODE_TRAIN))
            sm_str_printf(&text, "%s%s%severy %lld", text.len ? ", " : "", same ? "" : sm_mode_name(m), same ? "" : " ",
                          (long long)def->save[m].interval);
    const char *copy = sm_arena_xstrndup(&out->arena, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return copy;
}

static void add_reduction_list(struct sm_result *out, struct sm_node *row, const char *words)
{
    struct sm_node *list = sm_node_list(out, row, "reductions");
    while (words && *words) {
        size_t n = strcspn(words, ", ");
        if (n)
            sm_node_textn(out, list, NULL, words, n);
        words += n + (words[n] != 0);
    }
}

static struct sm_node *add_collection(struct sm_result *out, struct sm_node *parent, const struct sm_trial *t, size_t i)
{
    const struct sm_collection_def *def = sm_trial_collection(t, i);
    struct sm_node *row = sm_node_map(out, parent, NULL);
    sm_node_text(out, row, "name", def->name);
    struct sm_node *tensors = sm_node_list(out, row, "tensors");
    size_t n;
    const uint32_t *ids = sm_trial_collection_tensors(t, i, &n);
    for (size_t k = 0; k < n; k++)
        sm_node_textn(out, tensors, NULL, sm_names_text(sm_trial_names(t), ids[k]),
                      sm_names_length(sm_trial_names(t), ids[k]));
    struct sm_node *regexes = sm_node_list(out, row, "include_regex");
    for (size_t k = 0; k < def->n_regexes; k++)
        sm_node_text(out, regexes, NULL, def->regexes[k]);
    add_save_config(out, row, def);
    add_reduction_list(out, row, def->has_reductions ? def->reductions : "");
    sm_node_uint(out, row, "count", n);
    sm_node_text(out, row, "saves", saves_text(out, def));
    return row;
}

static bool run_info_collections(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    bool found = false;
    for (size_t i = 0; i < sm_trial_collection_count(t); i++) {
        if (c->n_words && !sm_text_is(c->words[0].text, sm_trial_collection(t, i)->name))
            continue;
        add_collection(out, list, t, i);
        found = true;
    }
    if (c->n_words && !found)
        return sm_err_set(err, SM_ERR_MISSING, "No collection \"%.*s\". Try \"info collections\".", (int)c->words[0].text.n,
                          c->words[0].text.p);
    sm_result_listing(out, list, collections_columns, COUNT(collections_columns));
    if (c->n_words)
        sm_result_fields(out, list->first, &(const struct sm_column){.key = "tensors", .header = "names", .format = SM_COL_LIST},
                         1);
    return true;
}

static const struct sm_arg collection_args[] = {{.name = "NAME", .kind = SM_ARG_COLLECTION}, {0}};
static const struct sm_arg one_collection_args[] = {{.name = "NAME", .kind = SM_ARG_COLLECTION, .required = true}, {0}};
static const struct sm_cmd info_collections = {
    .name = "collections",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Collections: tensors, patterns, save configuration, reductions",
    .example = "info collections",
    .see_also = "tensors why",
    .args = collection_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_collections,
};
static const struct sm_cmd info_collection = {
    .name = "collection",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "One collection with the names of its tensors",
    .example = "info collection weights",
    .args = one_collection_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_collections,
};

/* ---- info steps, modes, workers, sessions ---- */

static const struct sm_column steps_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "mode", .header = "MODE"},
    {.key = "mode_step", .header = "MODE-STEP", .format = SM_COL_NUMBER},
    {.key = "workers", .header = "WORKERS", .format = SM_COL_LIST},
    {.key = "complete", .header = "COMPLETE"},
    {.key = "tensors", .header = "TENSORS", .format = SM_COL_NUMBER},
    {.key = "time", .header = "TIME", .format = SM_COL_TIME},
};

static void add_step(struct sm_result *out, struct sm_node *list, const struct sm_trial *t, size_t i)
{
    const struct sm_trial_step *s = sm_trial_step(t, i);
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_int(out, row, "step", s->step.n);
    sm_node_text(out, row, "mode", sm_mode_name(s->mode));
    sm_node_int(out, row, "mode_step", s->mode_step.n);
    struct sm_node *workers = sm_node_list(out, row, "workers");
    const struct sm_part *p;
    for (size_t k = 0; (p = sm_trial_step_part(t, i, k)); k++)
        sm_node_text(out, workers, NULL, sm_trial_worker(t, p->worker));
    sm_node_bool(out, row, "complete", s->complete);
    sm_node_uint(out, row, "tensors", s->tensors);
    sm_node_double(out, row, "time", (double)s->time_us / 1e6, false);
}

static bool run_info_steps(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_text spec = c->n_words ? c->words[0].text : SM_TEXT("all");
    enum sm_mode mode;
    struct sm_steps steps;
    if (!sm_args_mode_given(c, &mode, err) || !sm_args_steps(c, mode, spec, NULL, &steps, err))
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < steps.n; i++) {
        size_t at = sm_trial_step_at(t, steps.items[i]);
        if (at < sm_trial_step_count(t) && sm_trial_step(t, at)->step.n == steps.items[i].n)
            add_step(out, list, t, at);
    }
    sm_result_listing(out, list, steps_columns, COUNT(steps_columns));
    if (!list->first && c->n_words)
        sm_result_dim(out, "No such steps.");
    return true;
}

static const struct sm_arg steps_args[] = {
    {.name = "STEPS", .kind = SM_ARG_STEP},
    {.name = "MODE", .kind = SM_ARG_MODE, .keyword = "mode"},
    {0},
};
static const struct sm_cmd info_steps = {
    .name = "steps",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Every step on disk: mode, workers, completeness, time",
    .help = "STEPS restricts the list: 100:200, 100:200:10, 100..200, last, -5 or a list with commas.",
    .example = "info steps 0:40 mode eval",
    .args = steps_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_steps,
};

static const struct sm_column modes_columns[] = {
    {.key = "mode", .header = "MODE"},
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "first", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "last", .header = "LAST", .format = SM_COL_NUMBER},
};

static bool run_info_modes(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++) {
        struct sm_mode_span span = sm_mode_span(t, (enum sm_mode)m);
        if (!span.steps)
            continue;
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "mode", sm_mode_name(m));
        sm_node_uint(out, row, "steps", span.steps);
        sm_node_int(out, row, "first", span.first.n);
        sm_node_int(out, row, "last", span.last.n);
    }
    sm_result_listing(out, list, modes_columns, COUNT(modes_columns));
    return true;
}

static const struct sm_cmd info_modes = {
    .name = "modes",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "The modes with a step, and their own step numbers",
    .example = "info modes",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_modes,
};

static const struct sm_column workers_columns[] = {
    {.key = "worker", .header = "WORKER"},
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "first_step", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "last_step", .header = "LAST", .format = SM_COL_NUMBER},
    {.key = "ended", .header = "ENDED"},
};

static bool run_info_workers(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    const struct sm_trial *t = sm_session_trial(c->session);
    size_t n = sm_trial_worker_count(t), n_steps = sm_trial_step_count(t);
    struct span {
        uint64_t steps;
        int64_t first, last;
    } *spans = sm_arena_xalloc(&out->arena, (n + 1) * sizeof *spans);
    for (size_t i = 0; i < n_steps; i++) {
        const struct sm_part *p;
        for (size_t k = 0; (p = sm_trial_step_part(t, i, k)); k++) {
            struct span *s = &spans[p->worker];
            if (!s->steps++)
                s->first = p->step.n;
            s->last = p->step.n;
        }
    }
    /* One marker speaks for all workers: one that was lost before the newest step has not ended. */
    bool ended = sm_trial_state(t) == SM_TRIAL_ENDED;
    int64_t newest = n_steps ? sm_trial_step(t, n_steps - 1)->step.n : 0;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t w = 0; w < n; w++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "worker", sm_trial_worker(t, (uint16_t)w));
        sm_node_uint(out, row, "steps", spans[w].steps);
        int_or_null(out, row, "first_step", spans[w].steps > 0, spans[w].first);
        int_or_null(out, row, "last_step", spans[w].steps > 0, spans[w].last);
        sm_node_bool(out, row, "ended", ended && spans[w].steps && spans[w].last == newest);
    }
    sm_result_listing(out, list, workers_columns, COUNT(workers_columns));
    return true;
}

static const struct sm_cmd info_workers = {
    .name = "workers",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "The workers and how far each has written",
    .example = "info workers",
    .see_also = "doctor",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_workers,
};

static const struct sm_column sessions_columns[] = {
    {.key = "session", .header = "SESSION", .format = SM_COL_NUMBER},
    {.key = "first_step", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "last_step", .header = "LAST", .format = SM_COL_NUMBER},
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "begin", .header = "BEGIN", .format = SM_COL_TIME},
    {.key = "end", .header = "END", .format = SM_COL_TIME},
};

static bool run_info_sessions(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < sm_trial_session_count(t); i++) {
        const struct sm_trial_session *s = sm_trial_session(t, i);
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_uint(out, row, "session", s->id);
        sm_node_int(out, row, "first_step", s->first.n);
        sm_node_int(out, row, "last_step", s->last.n);
        sm_node_uint(out, row, "steps", s->steps);
        sm_node_double(out, row, "begin", (double)s->begin_us / 1e6, false);
        sm_node_double(out, row, "end", (double)s->end_us / 1e6, false);
    }
    sm_result_listing(out, list, sessions_columns, COUNT(sessions_columns));
    return true;
}

static const struct sm_cmd info_sessions = {
    .name = "sessions",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Runs of the job within this trial (a restart begins one)",
    .example = "info sessions",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_sessions,
};

/* ---- info errors, files, memory ---- */

static const struct sm_column errors_columns[] = {
    {.key = "file", .header = "FILE"},
    {.key = "offset", .header = "OFFSET", .format = SM_COL_NUMBER},
    {.key = "times", .header = "TIMES", .format = SM_COL_NUMBER},
    {.key = "message", .header = "MESSAGE"},
};

static bool run_info_errors(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    const struct sm_problems *p = sm_trial_problems(sm_session_trial(c->session));
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < p->n; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "file", p->items[i].file);
        int_or_null(out, row, "offset", p->items[i].offset >= 0, p->items[i].offset);
        sm_node_uint(out, row, "times", p->items[i].times);
        sm_node_text(out, row, "message", p->items[i].message);
    }
    sm_result_listing(out, list, errors_columns, COUNT(errors_columns));
    if (!p->total)
        sm_result_dim(out, "No error met.");
    return true;
}

static const struct sm_cmd info_errors = {
    .name = "errors",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Damaged files and records met so far, with their places",
    .example = "info errors",
    .see_also = "doctor",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_errors,
};

static const struct sm_column files_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "worker", .header = "WORKER"},
    {.key = "entries", .header = "ENTRIES", .format = SM_COL_NUMBER},
    {.key = "index", .header = "INDEX FILE"},
    {.key = "events", .header = "EVENT FILE"},
};

static bool run_info_files(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_step only = {-1};
    if (sm_call_keyword(c, "step") && !sm_args_step(c, SM_MODE_ANY, sm_call_keyword(c, "step")->text, NULL, &only, err))
        return false;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    struct sm_str path = {0};
    for (size_t i = 0; i < sm_trial_step_count(t); i++) {
        const struct sm_part *p;
        for (size_t k = 0; (p = sm_trial_step_part(t, i, k)); k++) {
            if (only.n >= 0 && p->step.n != only.n)
                continue;
            struct sm_node *row = sm_node_map(out, list, NULL);
            sm_node_int(out, row, "step", p->step.n);
            sm_node_text(out, row, "worker", sm_trial_worker(t, p->worker));
            sm_node_uint(out, row, "entries", p->entries);
            sm_str_truncate(&path, 0);
            sm_location_index(&path, p->step.n, sm_trial_worker(t, p->worker));
            sm_node_text(out, row, "index", sm_str_text(&path));
            sm_node_text(out, row, "events", sm_trial_event_path(t, p));
        }
    }
    sm_str_clear(&path);
    sm_result_listing(out, list, files_columns, COUNT(files_columns));
    return true;
}

static const struct sm_arg step_args[] = {{.name = "STEP", .kind = SM_ARG_STEP, .keyword = "step"}, {0}};
static const struct sm_cmd info_files = {
    .name = "files",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Index and event files, by step and worker",
    .example = "info files step 10",
    .args = step_args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .run = run_info_files,
};

static const struct sm_column memory_columns[] = {
    {.key = "index_bytes", .header = "index", .format = SM_COL_BYTES},
    {.key = "values_bytes", .header = "values and statistics", .format = SM_COL_BYTES},
    {.key = "limit_bytes", .header = "limit for values", .format = SM_COL_BYTES},
};

static bool run_info_memory(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    struct sm_session *s = c->session;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    size_t index = 0;
    for (size_t i = 0; i < s->n_trials; i++)
        index += sm_trial_memory(s->trials[i].trial);
    sm_node_uint(out, map, "index_bytes", index);
    sm_node_uint(out, map, "values_bytes", sm_fetch_memory(s->fetch));
    sm_node_int(out, map, "limit_bytes", s->settings.values[SM_SET_MEMORY_LIMIT].i);
    out->root = map;
    out->columns = memory_columns;
    out->n_columns = COUNT(memory_columns);
    sm_result_fields(out, map, memory_columns, COUNT(memory_columns));
    return true;
}

static const struct sm_cmd info_memory = {
    .name = "memory",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "What index, values and statistics hold in memory",
    .example = "info memory",
    .flags = SM_CMD_LISTING,
    .run = run_info_memory,
};

/* ---- info settings, keys ---- */

static const struct sm_column settings_columns[] = {
    {.key = "name", .header = "SETTING"},
    {.key = "value", .header = "VALUE"},
    {.key = "initial", .header = "DEFAULT"},
    {.key = "help", .header = "MEANING"},
};

static bool run_info_settings(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < SM_SETTING_COUNT; i++) {
        const struct sm_setting *row = sm_setting_row(i);
        struct sm_str value = {0};
        sm_setting_text(&c->session->settings, row, &value);
        struct sm_node *map = sm_node_map(out, list, NULL);
        sm_node_text(out, map, "name", row->name);
        sm_node_text(out, map, "value", sm_str_text(&value));
        sm_node_text(out, map, "initial", row->initial);
        sm_node_text(out, map, "help", row->help);
        sm_str_clear(&value);
    }
    sm_result_listing(out, list, settings_columns, COUNT(settings_columns));
    return true;
}

static const struct sm_cmd info_settings = {
    .name = "settings",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Every setting with its value and default",
    .example = "info settings",
    .see_also = "set show",
    .flags = SM_CMD_LISTING,
    .run = run_info_settings,
};

/* "info set": the same settings as lines that `source` takes. */
static bool run_info_set(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    for (size_t i = 0; i < SM_SETTING_COUNT; i++) {
        struct sm_str value = {0};
        sm_setting_text(&c->session->settings, sm_setting_row(i), &value);
        if (value.len)
            sm_result_text(out, "set %s %s", sm_setting_row(i)->name, sm_str_text(&value));
        sm_str_clear(&value);
    }
    return true;
}

static const struct sm_cmd info_set = {
    .name = "set",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Every setting as a line that \"source\" takes",
    .example = "info set",
    .see_also = "source",
    .run = run_info_set,
};

static const struct sm_column keys_columns[] = {
    {.key = "keys", .header = "KEYS"},
    {.key = "action", .header = "ACTION"},
    {.key = "context", .header = "WHERE"},
    {.key = "help", .header = "WHAT IT DOES"},
};

static bool run_info_keys(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < c->session->n_keys; i++) {
        const struct sm_key_help *k = &c->session->keys[i];
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "keys", k->keys);
        sm_node_text(out, row, "action", k->action);
        sm_node_text(out, row, "context", k->context);
        sm_node_text(out, row, "help", k->help);
    }
    sm_result_listing(out, list, keys_columns, COUNT(keys_columns));
    return true;
}

static const struct sm_cmd info_keys = {
    .name = "keys",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "The dashboard's keys",
    .example = "info keys",
    .flags = SM_CMD_LISTING,
    .run = run_info_keys,
};

static const struct sm_cmd *const info_subs[] = {
    &info_trial,  &sm_cmd_info_tensors, &sm_cmd_info_tensor, &info_collections, &info_collection,        &info_steps,
    &info_modes,  &info_workers,        &info_sessions,      &info_errors,      &info_files,             &sm_cmd_info_location,
    &info_memory, &info_settings,       &info_set,           &info_keys,        &sm_cmd_info_rules,
    &sm_cmd_info_events, &sm_cmd_info_display, NULL,
};
const struct sm_cmd sm_cmd_info = {
    .name = "info",
    .aliases = "i",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "What the trial and the session hold",
    .example = "info trial",
    .see_also = "show tensors",
    .subs = info_subs,
};
