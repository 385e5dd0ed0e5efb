/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/input_line.h"

void sm_input_drop_last(struct sm_str *s)
{
    size_t n = s->len;
    while (n && ((unsigned char)s->data[n - 1] & 0xc0) == 0x80)
        n--;
    sm_str_truncate(s, n ? n - 1 : 0);
}

void sm_input_toggle_regex(struct sm_str *text)
{
    struct sm_str other = {0};
    bool was = text->len && text->data[0] == '/';
    sm_str_add(&other, was ? "" : "/");
    sm_str_add(&other, sm_str_text(text) + was);
    sm_str_clear(text);
    *text = other;
}
