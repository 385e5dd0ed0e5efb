/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/sampler/sensor_text.h"

#include <string.h>

static void take(struct sm_text *rest, size_t n)
{
    rest->p += n;
    rest->n -= n;
}

bool sm_sensor_line(struct sm_text *rest, struct sm_text *line)
{
    if (!rest->n)
        return false;
    const char *end = memchr(rest->p, '\n', rest->n);
    size_t n = end ? (size_t)(end - rest->p) : rest->n;
    *line = (struct sm_text){rest->p, n};
    take(rest, end ? n + 1 : n);
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\0';
}

bool sm_sensor_word(struct sm_text *line, struct sm_text *word)
{
    while (line->n && is_blank(*line->p))
        take(line, 1);
    size_t n = 0;
    while (n < line->n && !is_blank(line->p[n]))
        n++;
    *word = (struct sm_text){line->p, n};
    take(line, n);
    return n > 0;
}

bool sm_sensor_number(struct sm_text word, uint64_t *out)
{
    uint64_t v = 0;
    for (size_t i = 0; i < word.n; i++) {
        unsigned digit = (unsigned char)(word.p[i] - '0');
        if (digit > 9 || v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *out = v;
    return word.n > 0;
}

bool sm_sensor_u64(struct sm_text *line, uint64_t *out)
{
    struct sm_text word;
    return sm_sensor_word(line, &word) && sm_sensor_number(word, out);
}

bool sm_sensor_value(struct sm_text text, const char *key, uint64_t *out)
{
    struct sm_text line, word;
    while (sm_sensor_line(&text, &line))
        if (sm_sensor_word(&line, &word) && sm_text_is(word, key))
            return sm_sensor_u64(&line, out);
    return false;
}

bool sm_sensor_prefix(struct sm_text *text, const char *prefix)
{
    size_t n = strlen(prefix);
    if (text->n < n || memcmp(text->p, prefix, n) != 0)
        return false;
    take(text, n);
    return true;
}
