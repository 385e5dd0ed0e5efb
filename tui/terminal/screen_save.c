#include "tui/terminal/screen.h"

#include <stdio.h>

bool sm_screen_save(const struct sm_grid *g, const char *path, struct sm_err *err)
{
    struct sm_str text = {0};
    if (sm_ends_with(path, ".svg"))
        sm_print_svg(g, false, &text);
    else if (sm_ends_with(path, ".ansi"))
        sm_print_ansi(g, SM_COLOR_256, false, &text);
    else
        sm_print_plain(g, &text);
    FILE *f = fopen(path, "w");
    bool ok = f && fwrite(sm_str_text(&text), 1, text.len, f) == text.len;
    if (f)
        ok = fclose(f) == 0 && ok;
    if (!ok)
        sm_err_errno(err, "%s", path);
    sm_str_clear(&text);
    return ok;
}
