/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/checkpoints/ckpt_formats.h"

#define SM_CKPT_FORMAT_ROW(name) &sm_ckpt_format_##name,
static const struct sm_ckpt_format *const formats[] = {SM_CKPT_FORMATS(SM_CKPT_FORMAT_ROW)};

const struct sm_ckpt_format *sm_ckpt_format_of_content(const uint8_t *head, size_t n)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i]->begins && formats[i]->begins(head, n))
            return formats[i];
    return NULL;
}

/* Of those that say, or do not say, by their content what they are. */
static const struct sm_ckpt_format *format_of_name(bool by_content, const char *name,
                                                   const uint8_t *head, size_t n)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if ((formats[i]->begins != NULL) == by_content && formats[i]->owns(name, head, n))
            return formats[i];
    return NULL;
}

const struct sm_ckpt_format *sm_ckpt_format_of(const char *name, const uint8_t *head, size_t n)
{
    const struct sm_ckpt_format *known = format_of_name(false, name, head, n);
    known = known ? known : sm_ckpt_format_of_content(head, n);
    return known ? known : format_of_name(true, name, head, n);
}
