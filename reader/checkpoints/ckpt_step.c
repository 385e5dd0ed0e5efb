/* SPDX-License-Identifier: Apache-2.0 */
/* What names say: steps, workers, kinds of file. */
#include "reader/checkpoints/ckpt_layout.h"
#include "reader/torch/dcp_names.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { DIGITS_MAX = 15 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The digits from `at` on, as a number; false: none, or too many. *end: after them. */
static bool number_at(const char *p, size_t n, size_t at, int64_t *out, size_t *end)
{
    size_t i = at;
    *out = 0;
    for (; i < n && is_digit(p[i]) && i - at <= DIGITS_MAX; i++)
        *out = *out * 10 + (p[i] - '0');
    *end = i;
    return i > at && i - at <= DIGITS_MAX && (i == n || !is_digit(p[i]));
}

/* The last place of a word that is not the end of another one, with a number after it. */
static bool find_word(const char *p, size_t n, const char *word, struct sm_ckpt_step *out)
{
    size_t length = strlen(word), end;
    bool found = false;
    for (size_t at = 0; at + length < n; at++) {
        size_t digits = at + length;
        if (strncasecmp(p + at, word, length) != 0 || (at && isalpha((unsigned char)p[at - 1])))
            continue;
        while (digits < n && strchr("-_=.", p[digits]))
            digits++;
        struct sm_ckpt_step x = {.from = at};
        if (number_at(p, n, digits, &x.n, &end)) {
            x.to = end;
            *out = x;
            found = true;
        }
    }
    return found;
}

/* "rl_model_10000_steps": a number before such a word, at the end. */
static bool find_before(const char *p, size_t n, const char *word, struct sm_ckpt_step *out)
{
    size_t length = strlen(word), to = n > length ? n - length : 0, end;
    if (!to || strncasecmp(p + to, word, length) != 0)
        return false;
    to -= strchr("-_", p[to - 1]) != NULL;
    size_t from = to;
    while (from && is_digit(p[from - 1]))
        from--;
    *out = (struct sm_ckpt_step){.from = from, .to = n};
    return (!from || !isalnum((unsigned char)p[from - 1])) && from < to &&
           number_at(p, to, from, &out->n, &end);
}

/* "model_1000", "weights-20": a number behind such a word, but not "model-00001-of-00002". */
static bool find_suffix(const char *p, size_t n, struct sm_ckpt_step *out)
{
    static const char *const words[] = {"model", "weights", "state", "params", "snapshot", "net"};
    struct sm_ckpt_step x;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (find_word(p, n, words[i], &x) && x.to == n) {
            *out = x;
            return true;
        }
    return false;
}

/* "checkpoint_EPOCH_UPDATES", as fairseq writes it. */
static void take_updates(const char *p, size_t n, const char *word, struct sm_ckpt_step *out)
{
    int64_t updates;
    size_t end;
    if (strcmp(word, "checkpoint") == 0 && out->to < n && p[out->to] == '_' &&
        number_at(p, n, out->to + 1, &updates, &end) && end == n) {
        out->n = updates;
        out->to = end;
    }
}

/* Whether what stands before a number says that it counts parts of one thing. */
static bool is_part(const char *p, size_t n)
{
    static const char *const words[] = {"of",     "rank", "shard", "part",    "layer", "worker",
                                        "expert", "fold", "seed",  "version", "chunk"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (n >= length && strncasecmp(p + n - length, words[i], length) == 0 &&
            (n == length || !isalpha((unsigned char)p[n - length - 1])))
            return true;
    }
    return false;
}

bool sm_ckpt_step_of_file(const char *name, size_t n, struct sm_ckpt_step *out)
{
    enum { DIGITS_MIN = 3 };
    size_t at = n, end;
    if (sm_ckpt_step_of(name, n, out))
        return true;
    while (at && is_digit(name[at - 1]))
        at--;
    if (n - at < DIGITS_MIN || at < 2 || !strchr("-_.", name[at - 1]) || is_part(name, at - 1) ||
        (name[at - 1] == '.' && is_digit(name[at - 2])))
        return false;
    *out = (struct sm_ckpt_step){.from = at, .to = n};
    return number_at(name, n, at, &out->n, &end);
}

bool sm_ckpt_step_of(const char *name, size_t n, struct sm_ckpt_step *out)
{
    /* "ba": batches, as Composer counts them */
    static const char *const words[] = {"step",  "steps", "globalstep", "iter", "iteration",
                                        "it",    "ba",    "update",     "ckpt", "checkpoint",
                                        "round", "epoch", "ep"};
    size_t end;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (find_word(name, n, words[i], out)) {
            take_updates(name, n, words[i], out);
            return true;
        }
    if (find_before(name, n, "steps", out))
        return true;
    *out = (struct sm_ckpt_step){.to = n};
    return (number_at(name, n, 0, &out->n, &end) && end == n) || find_suffix(name, n, out);
}

bool sm_ckpt_worker_of(const char *folder, struct sm_str *out)
{
    size_t n = strlen(folder), end = 0;
    struct sm_ckpt_step rank;
    int64_t number, second;
    if (strncmp(folder, "proc", 4) == 0 && number_at(folder, n, 4, &number, &end) && end == n) {
        sm_str_addn(out, folder, n);
        return true;
    }
    if (!find_word(folder, n, "rank", &rank) && !find_word(folder, n, "consolidated", &rank))
        return false;
    size_t first = rank.from;
    number = rank.n;
    while (first < rank.to && !is_digit(folder[first]))
        first++;
    number_at(folder, n, first, &number, &end);
    sm_str_printf(out, "rank_%lld", (long long)number);
    if (end < n && folder[end] == '_' && number_at(folder, n, end + 1, &second, &end))
        sm_str_printf(out, "_%lld", (long long)second);
    return true;
}

/* The number behind a word; -1: the word is not there. */
static int64_t number_behind(const char *name, const char *word)
{
    const char *at = strstr(name, word);
    int64_t number;
    size_t end, from = at ? (size_t)(at - name) + strlen(word) : 0;
    return at && number_at(name, strlen(name), from, &number, &end) ? number : -1;
}

bool sm_ckpt_worker_of_file(const char *name, struct sm_str *out)
{
    int64_t model = number_behind(name, "mp_rank_"), data = number_behind(name, "zero_pp_rank_");
    if (strncmp(name, "consolidated.", 13) == 0)
        return sm_ckpt_worker_of(name, out);
    if (model < 0 || !strstr(name, "_states."))
        return false;
    sm_str_printf(out, "rank_%lld", data < 0 ? 0 : (long long)data);
    if (model)
        sm_str_printf(out, "_%lld", (long long)model);
    return true;
}

static bool has_ending(const char *name, const char *const *endings, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (sm_ends_with(name, endings[i]))
            return true;
    return false;
}

bool sm_ckpt_is_temporary(const char *name)
{
    static const char *const endings[] = {".tmp", "_tmp", "-tmp", ".partial", ".incomplete"};
    return strncmp(name, "tmp-", 4) == 0 || strncmp(name, "tmp_", 4) == 0 ||
           has_ending(name, endings, sizeof endings / sizeof *endings);
}

bool sm_ckpt_is_name(const char *name)
{
    static const char *const endings[] = {".safetensors", ".pt",  ".pth",     ".ckpt",      ".bin",
                                          ".npy",         ".npz", ".pth.tar", ".index.json"};
    return sm_ckpt_is_metadata(name) || strcmp(name, "dump.json") == 0 ||
           (name[0] != '.' && has_ending(name, endings, sizeof endings / sizeof *endings));
}
