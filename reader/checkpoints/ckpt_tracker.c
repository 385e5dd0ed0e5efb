/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/checkpoints/ckpt_tracker.h"

#include "reader/checkpoints/ckpt_layout.h"

#include <string.h>

enum { TRACKER_MAX = 256 };

/* One line, as the name of a folder or a number is. */
static bool is_one_line(struct sm_source *files, const char *name)
{
    char text[TRACKER_MAX];
    size_t n = 0;
    struct sm_err err;
    if (!sm_source_read(files, name, 0, (uint8_t *)text, sizeof text, &n, &err))
        return false;
    const char *end = memchr(text, '\n', n);
    return n && n < sizeof text && (!end || end == text + n - 1);
}

bool sm_ckpt_is_tracker(struct sm_source *files, const char *name)
{
    bool tracks =
        strcmp(name, "latest_checkpointed_iteration.txt") == 0 || strcmp(name, "latest") == 0;
    if (!sm_ends_with(name, ".index.json") && !(tracks && is_one_line(files, name)))
        return false;
    return sm_ckpt_layout_is_folder(files, "");
}
