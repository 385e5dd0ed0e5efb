/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/checkpoints/ckpt_names.h"

#include "reader/base/vec.h"
#include "reader/checkpoints/ckpt_layout.h"
#include "reader/checkpoints/ckpt_optimizer.h"

#include <string.h>

enum role { WEIGHTS, OPTIMIZER, OTHER };

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool begins(const char *p, const char *with)
{
    return strncmp(p, with, strlen(with)) == 0;
}

static enum role role_of(const char *path)
{
    static const char *const others[] = {"rng_state", "random_states", "scheduler", "scaler",
                                         "training_args"};
    const char *name = base_of(path);
    if (begins(name, "optim") || strstr(name, "optim_states") || strstr(name, "_optimizer"))
        return OPTIMIZER;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins(name, others[i]))
            return OTHER;
    return WEIGHTS;
}

bool sm_ckpt_is_weights(const char *path)
{
    return role_of(path) == WEIGHTS;
}

/* Whether a folder of the path says the step, so that the file's name does not. */
static bool has_step_above(const char *path)
{
    struct sm_ckpt_step step;
    const char *slash;
    bool has = false;
    for (; !has && (slash = strchr(path, '/')); path = slash + 1)
        has = sm_ckpt_step_of(path, (size_t)(slash - path), &step);
    return has;
}

/* The name of a file without its ending, and without the step in it. */
static void add_stem(const char *path, struct sm_str *out)
{
    const char *name = base_of(path), *dot = strrchr(name, '.');
    size_t n = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    struct sm_ckpt_step step;
    if (n > 8 && memcmp(name + n - 4, ".pth", 4) == 0)
        n -= 4;
    if (has_step_above(path) || !sm_ckpt_step_of_file(name, n, &step)) {
        sm_str_addn(out, name, n);
        return;
    }
    size_t before = step.from;
    while (before && strchr("-_.=", name[before - 1]))
        before--;
    sm_str_addn(out, name, before);
    sm_str_addn(out, name + step.to, n - step.to);
    if (!out->len)
        sm_str_addn(out, name, n);
}

/* ---- names ---- */

/* Keys around the tensors that a state_dict does not have. */
static const char *skip_wrappers(const char *name)
{
    static const char *const wrappers[] = {"state_dict.", "model_state_dict."};
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
        if (begins(name, wrappers[i]))
            return name + strlen(wrappers[i]);
    return name;
}

/* The rest of a name after one key of an optimizer; NULL: it is no such name. */
static const char *after_key(const char *name)
{
    static const char *const keys[] = {
        "optimizer", "optimizers", "optimizer_states", "optimizer_state_dict",
        "optim",     "opt",        "optimizer_state"};
    size_t n = strcspn(name, ".");
    for (size_t i = 0; i < sizeof keys / sizeof *keys && name[n]; i++)
        if (strlen(keys[i]) == n && memcmp(name, keys[i], n) == 0)
            return name + n + 1;
    return NULL;
}

const char *sm_ckpt_after_optimizer(const char *name)
{
    const char *rest = after_key(name), *next = rest;
    while (next && (next = after_key(rest)))
        rest = next;
    return rest;
}

/* Appends a name without the members of a module that hold others. */
static void add_path(struct sm_str *out, const char *name)
{
    static const char *const members[] = {"_modules.", "_parameters.", "_buffers."};
    for (bool start = true; *name; name++) {
        size_t skip = 0;
        for (size_t i = 0; start && i < sizeof members / sizeof *members; i++)
            skip = begins(name, members[i]) ? strlen(members[i]) : skip;
        if (skip) {
            name += skip - 1;
            continue;
        }
        start = *name == '.';
        sm_str_addc(out, *name);
    }
}

/* The name of a tensor of a file, without regard to other files. */
static void make_name(const struct sm_ckpt_file *f, const char *name, struct sm_str *out)
{
    enum role role = role_of(f->path);
    const char *rest = sm_ckpt_after_optimizer(name);
    if (rest || role == OPTIMIZER) {
        sm_str_add(out, "optimizer.");
        add_path(out, rest ? rest : name);
    } else if (!*name) {
        add_stem(f->path, out);
    } else {
        if (role == OTHER) {
            add_stem(f->path, out);
            sm_str_add(out, ".");
        }
        add_path(out, skip_wrappers(name));
    }
}

/* Gives a tensor a name that no other has. */
static bool set_name(struct sm_ckpt_file *f, struct sm_ckpt_tensor *t, struct sm_names *taken,
                     struct sm_str *name)
{
    size_t n = name->len;
    for (int again = 2;
         !name->failed && sm_names_find(taken, sm_str_text(name), name->len) != SM_NAME_NONE;
         again++) {
        sm_str_truncate(name, n);
        sm_str_printf(name, "#%d", again);
    }
    if (name->failed || sm_names_add(taken, sm_str_text(name), name->len) == SM_NAME_NONE)
        return false;
    if (t->name_n == name->len && memcmp(t->name, sm_str_text(name), name->len) == 0)
        return true;
    t->name = sm_arena_strndup(&f->arena, sm_str_text(name), name->len);
    t->name_n = (uint32_t)name->len;
    return t->name;
}

/* What TransformerEngine saves of one tensor is a dictionary with this key. */
bool sm_ckpt_is_dump(const struct sm_ckpt_file *f)
{
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->tensors[i].name, "high_precision") == 0)
            return true;
    return false;
}

static bool has_taken(const struct sm_ckpt_file *f, const struct sm_names *taken,
                      struct sm_str *name)
{
    for (size_t i = 0; i < f->n; i++) {
        sm_str_truncate(name, 0);
        make_name(f, f->tensors[i].name, name);
        if (sm_names_find(taken, sm_str_text(name), name->len) != SM_NAME_NONE)
            return true;
    }
    return false;
}

static bool name_file(struct sm_ckpt_file *f, struct sm_names *taken, struct sm_str *name)
{
    bool dump = sm_ckpt_is_dump(f), prefix = !dump && has_taken(f, taken, name);
    for (size_t i = 0; i < f->n; i++) {
        sm_str_truncate(name, 0);
        if (dump || prefix) {
            add_stem(f->path, name);
            sm_str_add(name, dump ? "." : "/");
        }
        make_name(f, f->tensors[i].name, name);
        if (!set_name(f, &f->tensors[i], taken, name))
            return false;
    }
    return true;
}

bool sm_ckpt_name_tensors(struct sm_ckpt_file *const *files, size_t n)
{
    struct sm_names *taken = sm_names_new();
    struct sm_str name = {0};
    bool ok = taken;
    for (int role = WEIGHTS; role <= OTHER; role++)
        for (size_t i = 0; i < n && ok; i++)
            if (role_of(files[i]->path) == (enum role)role)
                ok = name_file(files[i], taken, &name);
    sm_names_free(taken);
    sm_str_clear(&name);
    return ok && sm_ckpt_name_states(files, n);
}

void sm_ckpt_leaf_name(const char *path, struct sm_text leaf, struct sm_str *out)
{
    enum role role = role_of(path);
    if (role == OTHER)
        add_stem(path, out);
    else if (role == OPTIMIZER)
        sm_str_add(out, "optimizer");
    if (out->len && leaf.n)
        sm_str_addc(out, '.');
    sm_str_addn(out, leaf.p, leaf.n);
}

/* ---- collections ---- */

#define NO_WEIGHT  "^(?!optimizer\\.|(?:[^/]*/)?optimizer\\.|.*grad)"
#define LAST_PART  "(?:.*[./])?[^./]*"
#define ANY_NUMBER "(?:\\.[0-9]+)?(?:\\.high_precision)?$"

bool sm_ckpt_collections(struct sm_tail_changes *n)
{
    static const struct {
        const char *name, *regex;
    } rows[] = {
        {"weights",
         NO_WEIGHT LAST_PART "(?i:weight|kernel|embedding|lora_)[^./]*(?:\\.weight)?" ANY_NUMBER},
        {"biases", NO_WEIGHT LAST_PART "(?i:bias)[^./]*" ANY_NUMBER},
        {"gradients", "^(?!optimizer\\.).*(?i:grad)"},
        {"optimizer", "^(?:[^/]*/)?optimizer\\."},
        /* numbers of the step (ckpt_read.c) that a training makes smaller */
        {"losses", "^(?!best|.*scale)(?:[a-z]+_state\\.|metrics\\.|stats\\.|logs\\.)?"
                   "[^./]*(?i:loss)[^./]*$"},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    struct sm_collection_def *items = sm_arena_alloc(&n->arena, ROWS * sizeof *items);
    const char **regexes = sm_arena_alloc(&n->arena, ROWS * sizeof *regexes);
    if (!items || !regexes || !SM_VEC_ROOM(n->collections, n->n_collections, n->cap_collections))
        return false;
    for (int i = 0; i < ROWS; i++) {
        regexes[i] = rows[i].regex;
        items[i] = (struct sm_collection_def){
            .name = rows[i].name, .regexes = &regexes[i], .n_regexes = 1, .reductions = ""};
    }
    n->collections[n->n_collections++] =
        (struct sm_tail_changed_collections){.def = {.items = items, .n = ROWS, .num_workers = 1}};
    return true;
}
