/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/screen.h"

#include "commands/session/outfile.h"

bool sm_screen_save(const struct sm_session *s, const struct sm_grid *g, const char *path,
                    struct sm_err *err)
{
    struct sm_str text = {0};
    if (sm_is_svg_file(path))
        sm_print_svg(g, false, &text);
    else if (sm_ends_with(path, ".ansi"))
        sm_print_ansi(g, SM_COLOR_256, false, &text);
    else
        sm_print_plain(g, &text);
    bool ok = sm_outfile_write(s, path, false, sm_str_text(&text), text.len, err);
    sm_str_clear(&text);
    return ok;
}
