/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/format/python_json.h"

#include <string.h>

static void add_json_rune(struct sm_str *out, uint32_t r)
{
    static const char plain[] = "\"\\\n\r\t\b\f", letters[] = "\"\\nrtbf";
    const char *at = r && r < 128 ? strchr(plain, (int)r) : NULL;
    if (at)
        sm_str_printf(out, "\\%c", letters[at - plain]);
    else if (r >= 32 && r < 127)
        sm_str_addc(out, (char)r);
    else if (r == 127)
        sm_str_addc(out, (char)r); /* json.dumps does not escape DEL */
    else if (r < 0x10000)
        sm_str_printf(out, "\\u%04x", (unsigned)r);
    else
        sm_str_printf(out, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((r - 0x10000) >> 10)),
                      (unsigned)(0xdc00 + (r & 0x3ff)));
}

void sm_python_string(struct sm_str *out, struct sm_text t)
{
    sm_str_addc(out, '"');
    while (t.n) {
        uint32_t r = 0xfffd;
        size_t used = sm_utf8_decode(t.p, t.n, &r);
        add_json_rune(out, used ? r : 0xfffd);
        used += !used;
        t.p += used;
        t.n -= used;
    }
    sm_str_addc(out, '"');
}
