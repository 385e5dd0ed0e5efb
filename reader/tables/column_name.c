/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/column_name.h"

#include "reader/base/str.h"

#include <math.h>
#include <string.h>

enum { LETTERS_MAX = 40 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool is_letter(char c)
{
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9');
}

/* The letters and digits of a name, in lower case; "" if it has others than separators, or is
 * long. */
static const char *letters_of(const char *p, size_t n, char out[LETTERS_MAX])
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_letter(p[i]) && k + 1 < LETTERS_MAX)
            out[k++] = lower(p[i]);
        else if (!strchr(" _-.\t", p[i]) || !p[i])
            k = LETTERS_MAX;
        if (k >= LETTERS_MAX)
            return out[0] = 0, out;
    }
    out[k] = 0;
    return out;
}

/* ---- steps ---- */

/* " a b " of each class, best first. */
static const char *const step_words[] = {
    " globalstep trainerglobalstep globalsteps ",
    " step steps trainstep trainingstep trainsteps trainingsteps currentstep currentsteps stepnum "
    "stepnumber nstep nsteps optimizerstep optimstep gradientstep gradstep stepidx stepid ",
    " iteration iterations iter iters itr trainingiteration trainiteration trainiter globaliter "
    "globaliteration iternum niter niters iterationnumber curiter currentiteration currentiter "
    "it its ",
    " update updates numupdates trainnumupdates nupdates ",
    " batch batches batchidx batchnum batchid nbatch minibatch globalbatch ",
    " epoch epochs currentepoch epochnum epochnumber nepoch trainepoch epochidx round generation "
    "episode episodes ep ",
    " timestep timesteps totaltimesteps timestepstotal numtimesteps envstep envsteps totalenvsteps "
    "numenvsteps totalenvinteracts frames totalsteps numsteps ",
    " tokens numtokens totaltokens tokensseen consumedtokens samples numsamples consumedsamples "
    "samplesseen examples examplesseen numexamples numinputtokensseen ",
    " index idx unnamed0 row ",
};

/* Whether the letters are one of the words, which stand between blanks. */
static bool has_word(const char *words, const char *letters)
{
    char word[LETTERS_MAX + 3] = " ";
    size_t n = strlen(letters);
    memcpy(word + 1, letters, n + 1);
    word[n + 1] = ' ';
    word[n + 2] = 0;
    return n && strstr(words, word);
}

static unsigned class_of(const char *p, size_t n)
{
    char letters[LETTERS_MAX];
    letters_of(p, n, letters);
    for (unsigned i = 0; i < sizeof step_words / sizeof *step_words; i++)
        if (has_word(step_words[i], letters))
            return i + 1;
    return 0;
}

unsigned sm_step_rank(const char *name, size_t n)
{
    const char *slash = memrchr(name, '/', n);
    unsigned whole = class_of(name, n);
    if (whole || !slash)
        /* wandb's own counter is before everybody else's */
        return n == 5 && memcmp(name, "_step", 5) == 0 ? 1 : whole ? 2 * whole : 0;
    size_t first = (size_t)(slash + 1 - name);
    unsigned last = class_of(name + first, n - first);
    return last ? 2 * last + 1 : 0;
}

bool sm_step_value(double v, int64_t *step)
{
    if (!(fabs(v) < 9e15) || v != floor(v))
        return false;
    *step = (int64_t)v;
    return true;
}

/* ---- metrics ---- */

/* Parts of names, and whole words of them. */
static const char *const metric_words[] = {
    "loss",   "accuracy", "perplexity", "learningrate", "gradnorm",   "reward",     "precision",
    "recall", "rmse",     "logloss",    "crossentropy", "likelihood", "throughput", "objective",
    "meanap", "psnr",     "ssim",       "entropy",      "metric",     "error",
};
static const char whole_words[] =
    " acc lr ppl auc f1 map ap ap50 iou miou bleu rouge mae mse nll kl kld fid wer cer dice r2 mrr "
    "ndcg map50 top1 top5 score grad val valid validation train eval test err fps tps mfu tflops "
    "mape bpb bpc elbo auroc return returns ret cost likelihood temp sps norm ";

static bool has_whole_word(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char letters[LETTERS_MAX];
        size_t first = i;
        while (i < n && is_letter(p[i]))
            i++;
        if (has_word(whole_words, letters_of(p + first, i - first, letters)))
            return true;
    }
    return false;
}

/* The first letters and digits of a name, in lower case. */
static const char *letters_in(const char *name, size_t n, char out[256])
{
    size_t k = 0;
    for (size_t i = 0; i < n && k < 255; i++)
        if (is_letter(name[i]))
            out[k++] = lower(name[i]);
    out[k] = 0;
    return out;
}

static bool has_part(const char *letters, const char *const *parts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strstr(letters, parts[i]))
            return true;
    return false;
}

bool sm_is_metric_name(const char *name, size_t n)
{
    char letters[256];
    return has_part(letters_in(name, n, letters), metric_words,
                    sizeof metric_words / sizeof *metric_words) ||
           has_whole_word(name, n);
}

bool sm_is_metrics_file(const char *name, size_t n)
{
    static const char *const words[] = {
        "metric", "result",  "log",     "history", "train", "eval",  "progress", "scalar",
        "stats",  "summary", "monitor", "losses",  "loss",  "valid", "error",    "curve",
    };
    char letters[256];
    return has_part(letters_in(name, n, letters), words, sizeof words / sizeof *words);
}

/* ---- times ---- */

bool sm_is_time(const char *name, size_t n, double v, double *seconds)
{
    static const char words[] = " time timestamp walltime ts created createdat date datetime "
                                "logtime unixtime epochtime timeunix ";
    char letters[LETTERS_MAX];
    const char *slash = memrchr(name, '/', n);
    size_t first = slash ? (size_t)(slash + 1 - name) : 0;
    double scale = v > 1e14 ? 1e-6 : v > 1e11 ? 1e-3 : 1;
    letters_of(name + first, n - first, letters);
    *seconds = v * scale;
    return has_word(words, letters) && *seconds > 631152000 && *seconds < 4102444800; /* 1990, 2100
                                                                                       */
}
