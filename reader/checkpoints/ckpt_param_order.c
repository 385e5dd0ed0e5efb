/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/checkpoints/ckpt_param_order.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Members of one module in the order in which the classes of transformers, peft and torch make
 * them. No word is in two lists, so that all names have one order. */
static const char blocks[] =
    "ln_1 attn ln_2 self_attn mlp input_layernorm post_attention_layernorm "
    "pre_feedforward_layernorm post_feedforward_layernorm";
static const char *const orders[] = {
    "weight bias",
    "lora_A lora_B lora_embedding_A lora_embedding_B",
    "embed_tokens layers norm",
    "model transformer bert lm_head cls classifier score",
    blocks,
    "gate_proj up_proj down_proj",
    "wte wpe h ln_f",
    "c_attn c_fc c_proj",
    "embeddings encoder pooler",
    "word_embeddings position_embeddings token_type_embeddings dense LayerNorm",
    "self attention intermediate output",
    "query key value",
    "linear1 linear2",
};
/* Of "model.layers" only: encoders and decoders of others begin with the keys. */
static const char decoder_order[] = "q_proj k_proj v_proj o_proj q_norm k_norm";

void sm_ckpt_family_add(struct sm_ckpt_family *f, const char *name)
{
    const char *layers = strstr(name, "model.layers.");
    f->decoder = f->decoder || (layers && (layers == name || layers[-1] == '.'));
}

/* One part of a name: a number, or a word with its list and its place there. */
struct word {
    const char *p;
    size_t n;
    int list, place; /* list 0: a number, which is the place; UNKNOWN: in no list */
};
enum { NUMBER, DECODER, FIRST_LIST, UNKNOWN = 1000 };

/* The place of a word in a list; -1: it is not there. */
static int place_in(const char *list, const struct word *w)
{
    for (int i = 0; *list; i++) {
        size_t length = strcspn(list, " ");
        if (length == w->n && memcmp(list, w->p, w->n) == 0)
            return i;
        list += length + (list[length] == ' ');
    }
    return -1;
}

static bool is_number(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isdigit((unsigned char)p[i]))
            return false;
    return n > 0 && n < 10;
}

static struct word find_word(const struct sm_ckpt_family *f, const char *p, size_t n)
{
    struct word w = {p, n, UNKNOWN, 0};
    if (is_number(p, n))
        return (struct word){p, n, NUMBER, (int)strtol(p, NULL, 10)};
    if (f->decoder && (w.place = place_in(decoder_order, &w)) >= 0)
        w.list = DECODER;
    for (int i = 0; w.list == UNKNOWN && i < (int)(sizeof orders / sizeof *orders); i++)
        if ((w.place = place_in(orders[i], &w)) >= 0)
            w.list = FIRST_LIST + i;
    return w;
}

static int word_order(const struct word *a, const struct word *b, bool *known)
{
    *known = *known && a->list == b->list && a->list != UNKNOWN;
    if (a->list != b->list)
        return a->list < b->list ? -1 : 1;
    if (a->list != UNKNOWN && a->place != b->place)
        return a->place < b->place ? -1 : 1;
    int order = memcmp(a->p, b->p, a->n < b->n ? a->n : b->n);
    return order ? order : (a->n > b->n) - (a->n < b->n);
}

int sm_ckpt_param_order(const struct sm_ckpt_family *f, const char *a, const char *b, bool *known)
{
    for (;;) {
        size_t n = strcspn(a, "."), m = strcspn(b, ".");
        if (n != m || memcmp(a, b, n) != 0) {
            struct word x = find_word(f, a, n), y = find_word(f, b, m);
            return word_order(&x, &y, known);
        }
        if (!a[n] || !b[m])
            return (a[n] != 0) - (b[m] != 0);
        a += n + 1;
        b += m + 1;
    }
}
