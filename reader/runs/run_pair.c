/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/runs/run_pair.h"

#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/kind/loss_names.h"
#include "reader/tensorboard/tensorboard_session.h"
#include "reader/trial_kinds.h"

#include <string.h>

enum role { NO_ROLE, TRAINING, VALIDATION };

/* Runs by their paths without what says that they are of training or validation. */
struct pairing {
    struct sm_run_list *list;
    struct sm_names *keys;
    size_t *training; /* by key: 1 + the run; 0: none */
    bool failed;
};

/* A path, and the last of its parts that says what the run is of. */
struct labelled {
    enum role role;
    const char *path;
    size_t from, n; /* the part */
};

static enum role role_of(const char *name)
{
    return sm_name_is_of_validation(name) ? VALIDATION
           : sm_name_is_of_training(name) ? TRAINING
                                          : NO_ROLE;
}

static struct labelled label_of(const char *path)
{
    struct labelled found = {.path = path};
    for (size_t from = 0, n; path[from]; from += n + (path[from + n] == '/')) {
        n = strcspn(path + from, "/");
        char *part = sm_strndup(path + from, n);
        enum role role = part ? role_of(part) : NO_ROLE;
        if (role != NO_ROLE)
            found = (struct labelled){role, path, from, n};
        sm_free(part);
    }
    return found;
}

/* "logs/x_train/1" is "logs/ x/1", like "logs/x_valid/1"; "logs" is "logs/", like "logs/eval". */
static void write_key(const struct labelled *x, struct sm_str *key)
{
    bool root = strcmp(x->path, ".") == 0;
    if (x->role == NO_ROLE) {
        sm_str_printf(key, "%s%s", root ? "" : x->path, root ? "" : "/");
        return;
    }
    sm_str_addn(key, x->path, x->from);
    sm_name_add_own_words(x->path + x->from, x->n, key);
    sm_str_add(key, x->path + x->from + x->n);
}

static uint32_t key_of(struct pairing *p, const struct labelled *x)
{
    struct sm_str key = {0};
    write_key(x, &key);
    uint32_t id = key.failed ? SM_NAME_NONE : sm_names_add(p->keys, sm_str_text(&key), key.len);
    p->failed = p->failed || id == SM_NAME_NONE;
    sm_str_clear(&key);
    return id;
}

/* A run that is called after training goes before the folder that both are in. */
static void put_training(struct pairing *p, size_t run, const struct labelled *x)
{
    uint32_t key = key_of(p, x);
    if (!p->failed && (x->role == TRAINING || !p->training[key]))
        p->training[key] = run + 1;
}

/* "test" may also be what somebody calls a trial: it is of validation beside "train" only. */
static bool is_test(const char *name)
{
    return strcasestr(name, "test") != NULL;
}

static void put_validation(struct pairing *p, const struct sm_run_ref *run,
                           const struct labelled *x)
{
    struct sm_str word = {0};
    uint32_t key = key_of(p, x);
    if (p->failed || !p->training[key])
        return;
    struct sm_run_ref *of = &p->list->items[p->training[key] - 1];
    sm_name_add_validation_word(x->path + x->from, x->n, &word);
    bool test = is_test(sm_str_text(&word));
    bool before = of->validation ? is_test(of->validation_name) && !test
                                 : !test || label_of(of->path).role == TRAINING;
    if (before) {
        sm_free(of->validation);
        sm_free(of->validation_name);
        of->validation = sm_strdup(run->folder);
        of->validation_name = word.failed ? NULL : sm_strdup(sm_str_text(&word));
        p->failed = !of->validation || !of->validation_name;
    }
    sm_str_clear(&word);
}

static void put_all(struct pairing *p, bool validation)
{
    for (size_t i = 0; i < p->list->n && !p->failed; i++) {
        const struct sm_run_ref *run = &p->list->items[i];
        struct labelled x = label_of(run->path);
        if (run->kind != &sm_trial_kind_tensorboard || (x.role == VALIDATION) != validation)
            continue;
        if (validation)
            put_validation(p, run, &x);
        else
            put_training(p, i, &x);
    }
}

bool sm_run_pair(struct sm_run_list *list)
{
    struct pairing p = {.list = list,
                        .keys = sm_names_new(),
                        .training = sm_alloc_zero(list->n + 1, sizeof *p.training)};
    p.failed = !p.keys || !p.training;
    if (!p.failed)
        put_all(&p, false);
    if (!p.failed)
        put_all(&p, true);
    if (p.keys)
        sm_names_free(p.keys);
    sm_free(p.training);
    return !p.failed;
}

/* The runs in the folder of a run follow it. */
static bool has_runs_below(const struct sm_run_list *list, size_t i)
{
    const char *path = list->items[i].path;
    size_t n = strlen(path);
    bool root = strcmp(path, ".") == 0;
    return i + 1 < list->n && (root || (strncmp(list->items[i + 1].path, path, n) == 0 &&
                                        list->items[i + 1].path[n] == '/'));
}

void sm_run_mark_bare(struct sm_run_list *list, struct sm_source *source)
{
    for (size_t i = 0; i < list->n; i++) {
        struct sm_run_ref *run = &list->items[i];
        bool may_be =
            run->kind == &sm_trial_kind_tensorboard && !run->member && has_runs_below(list, i);
        run->bare =
            may_be && !sm_board_has_events(source, strcmp(run->path, ".") == 0 ? "" : run->path);
    }
}
