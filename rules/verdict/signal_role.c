/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/signal_role.h"

#include <ctype.h>
#include <string.h>

const char *sm_signal_role_name(enum sm_signal_role r)
{
    static const char *const names[SM_SIGNAL_ROLES] = {
        "other",  "input",   "activation input", "relu", "tanh",     "sigmoid", "output",
        "scores", "classes", "labels",           "loss", "gradient", "weight",  "embedding",
        "scale",  "bias",    "learning rate"};
    return names[r];
}

bool sm_signal_role_is_parameter(enum sm_signal_role r)
{
    return r == SM_WEIGHT || r == SM_EMBEDDING || r == SM_SCALE || r == SM_BIAS;
}

bool sm_signal_role_is_activation(enum sm_signal_role r)
{
    return r >= SM_PRE && r <= SM_OUTPUT;
}

const char *sm_gradient_of(const char *name)
{
    static const char *const prefixes[] = {"gradient/", "gradients/", "grad/"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return name + strlen(prefixes[i]);
    return NULL;
}

/* The first place of the lower-case word in the name, ignoring case; NULL if there is none. */
static const char *find_word(const char *name, const char *word)
{
    size_t n = strlen(word), k;
    for (; *name; name++) {
        for (k = 0; k < n && tolower((unsigned char)name[k]) == word[k];)
            k++;
        if (k == n)
            return name;
    }
    return NULL;
}

static bool has_one_of(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (find_word(name, *words))
            return true;
    return false;
}

bool sm_is_gradient_norm(const char *name)
{
    return find_word(name, "grad") && find_word(name, "norm");
}

/* The part after the last '/', '.' or ' '. */
static const char *last_part(const char *name)
{
    const char *found = name;
    for (; *name; name++)
        if (strchr("/. ", *name) && name[1])
            found = name + 1;
    return found;
}

static bool is_named(const char *name, const char *const *names)
{
    const char *last = last_part(name);
    for (; *names; names++) {
        size_t n = strlen(*names);
        if (find_word(last, *names) == last && (!last[n] || last[n] == '_' || last[n] == ':'))
            return true;
    }
    return false;
}

/* "eval_labels": the last word of the name. */
static bool ends_in(const char *name, const char *const *words)
{
    const char *last = strrchr(name, '_');
    return is_named(name, words) || (last && is_named(last + 1, words));
}

/* The number of axes of its newest value, 0 if it is not known. */
static unsigned axes_of(const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    unsigned n = 0;
    for (size_t i = x->n_entries; i-- > 0 && !n;) {
        struct sm_entry e = sm_tensor_entry(t, x, i);
        if (e.kind == SM_ENTRY_SHAPE)
            sm_trial_shape(t, &e, &n);
    }
    return n;
}

/* "_input_0" and the like: what a module got or gave. '\0': neither. */
static char side_of(const char *name)
{
    const char *in = find_word(name, "_input"), *out = find_word(name, "_output");
    return out ? 'o' : in ? 'i' : '\0';
}

static enum sm_signal_role role_of_side(const char *name, char side)
{
    static const char *const losses[] = {"loss", "criterion", NULL};
    static const struct {
        const char *word;
        enum sm_signal_role role;
    } kinds[] = {{"relu", SM_RELU},       {"hardtanh", SM_OUTPUT}, {"tanh", SM_TANH},
                 {"sigmoid", SM_SIGMOID}, {"gelu", SM_OUTPUT},     {"silu", SM_OUTPUT},
                 {"elu", SM_OUTPUT},      {"softmax", SM_OUTPUT}};
    if (has_one_of(name, losses))
        return side == 'o' ? SM_LOSS : strstr(name, "_input_1") ? SM_LABELS : SM_SCORES;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (find_word(name, kinds[i].word))
            return side == 'i' ? SM_PRE : kinds[i].role;
    return side == 'o' ? SM_OUTPUT : SM_PRE;
}

/* "CNN_input_0", "hybridsequential0_input_0": a class of one word; those of parts have the name of
 * the part, too, or begin with a small letter. */
static bool is_of_class(const char *name, size_t n)
{
    static const char *const parts[] = {"relu", "tanh",    "sigmoid", "gelu",      "silu",
                                        "elu",  "softmax", "loss",    "criterion", NULL};
    const char *sequential = find_word(name, "sequential");
    return !memchr(name, '_', n) && !memchr(name, '/', n) && !has_one_of(name, parts) &&
           (isupper((unsigned char)*name) || (sequential && sequential < name + n));
}

/* "Net_input_0" of "Net_conv.weight": a module of which parts have a name. */
static bool is_of_model(const struct sm_trial *t, const char *name)
{
    const char *end = find_word(name, "_input");
    size_t n = end ? (size_t)(end - name) : 0;
    if (n && is_of_class(name, n))
        return true;
    for (size_t i = 0; n && i < sm_trial_tensor_count(t); i++) {
        const char *other = sm_trial_tensor_name(t, sm_trial_tensor(t, i));
        if (strncmp(other, name, n) == 0 && other[n] == '_' && strchr(other + n, '.'))
            return true;
    }
    return false;
}

static enum sm_signal_role role_of_parameter(const char *name, unsigned axes, bool bias)
{
    static const char *const norms[] = {"norm", "bn", "ln_", "gamma", NULL},
                             *const embeddings[] = {"embed", "wte", "wpe", NULL},
                             *const biases[] = {"bias", "beta", NULL};
    if (bias || has_one_of(last_part(name), biases))
        return SM_BIAS;
    if (axes == 1 || (!axes && has_one_of(name, norms)))
        return SM_SCALE;
    return has_one_of(name, embeddings) ? SM_EMBEDDING : SM_WEIGHT;
}

enum sm_signal_role sm_signal_role(const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    static const char *const labels[] = {"label", "labels", "target", "targets", "y_true", NULL},
                             *const classes[] = {"prediction", "predictions", "y_pred", NULL},
                             *const rates[] = {"lr", "learning_rate", NULL},
                             *const inputs[] = {"input", "inputs", "image", "images", NULL},
                             *const losses[] = {"loss", NULL};
    const char *name = sm_trial_tensor_name(t, x);
    char side = side_of(name);
    if (sm_gradient_of(name) || sm_trial_in_named(t, "gradients", x->name))
        return SM_GRADIENT;
    if (sm_trial_in_named(t, "losses", x->name))
        return SM_LOSS;
    if (sm_trial_in_named(t, "weights", x->name) || sm_trial_in_named(t, "biases", x->name))
        return role_of_parameter(name, axes_of(t, x), sm_trial_in_named(t, "biases", x->name));
    if ((!side && ends_in(name, labels)) || sm_trial_in_named(t, "labels", x->name))
        return SM_LABELS;
    if ((!side && ends_in(name, classes)) || sm_trial_in_named(t, "predictions", x->name))
        return SM_CLASSES;
    if (is_named(name, rates))
        return SM_RATE;
    if (sm_trial_in_named(t, "model_input", x->name) || sm_trial_in_named(t, "inputs", x->name) ||
        is_named(name, inputs) || (side == 'i' && is_of_model(t, name)))
        return SM_INPUT;
    if (side)
        return role_of_side(name, side);
    return has_one_of(last_part(name), losses) ? SM_LOSS : SM_OTHER;
}
