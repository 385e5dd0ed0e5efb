/* SPDX-License-Identifier: Apache-2.0 */
/* Copies to the clipboard, prints to the normal screen, writes settings to the init file. */
#include "tui/app/user_files.h"
#include "tui/dashboard/dashboard.h"

#include "plot/grid/grid_print.h"
#include "reader/base/mem.h"

#include <stdio.h>
#include <string.h>

/* ---- the clipboard ---- */

void sm_dashboard_copy(struct sm_dashboard *d)
{
    const struct sm_session *s = d->session;
    struct sm_str text = {0};
    if (d->overlay.shown)
        sm_str_addn(&text, sm_str_text(&d->overlay.text), d->overlay.text.len);
    else if (sm_place_tensor(&s->at))
        sm_str_add(&text, sm_place_name(&s->at));
    if (!text.len)
        sm_dashboard_say(d, "Nothing to copy: no answer is shown, and there is no current tensor.");
    else if (!sm_screen_copy(d->screen, sm_str_text(&text), text.len))
        sm_dashboard_say(d, "The terminal has no clipboard, or the text is too long.");
    else
        sm_dashboard_say(d, d->overlay.shown ? "copied the answer" : "copied the tensor's name");
    sm_str_clear(&text);
}

/* ---- the normal screen ---- */

static void cut_pane(struct sm_dashboard *d, struct sm_str *out)
{
    const struct sm_rect r = sm_panes_focused(&d->panes)->frame;
    struct sm_grid pane;
    sm_grid_init(&pane, r.w > 2 ? r.w - 2 : 0, r.h > 2 ? r.h - 2 : 0);
    for (int y = 0; y < pane.h; y++)
        for (int x = 0; x < pane.w; x++) {
            /* the last frame may be smaller */
            const struct sm_cell *c = sm_grid_at(&d->grid, r.x + 1 + x, r.y + 1 + y);
            if (c)
                pane.cells[y * pane.w + x] = *c;
        }
    sm_print_plain(&pane, out);
    sm_grid_clear(&pane);
}

/* As plain lines, which can be selected and scrolled back to. */
void sm_dashboard_print_pane(struct sm_dashboard *d)
{
    struct sm_str text = {0};
    if (d->overlay.shown) {
        sm_str_addn(&text, sm_str_text(&d->overlay.text), d->overlay.text.len);
    } else {
        sm_str_printf(&text, "%s\n", sm_panes_focused(&d->panes)->ops->title);
        cut_pane(d, &text);
    }
    sm_screen_suspend(d->screen);
    fputs(sm_str_text(&text), stdout);
    fflush(stdout);
    sm_screen_resume(d->screen);
    sm_str_clear(&text);
    sm_dashboard_say(d, "printed above the dashboard: visible after the dashboard ends");
}

/* ---- settings ---- */

static const char block_begin[] = "# written by the dashboard's key w\n",
                  block_end[] = "# end of what it wrote\n";

/* Removes the lines written before. */
static void drop_block(struct sm_str *text)
{
    char *from = text->data ? strstr(text->data, block_begin) : NULL,
         *to = from ? strstr(from, block_end) : NULL;
    if (!to)
        return;
    to += strlen(block_end);
    size_t left = (size_t)(text->data + text->len - to), kept = (size_t)(from - text->data);
    memmove(from, to, left);
    sm_str_truncate(text, kept + left);
}

static size_t add_block(const struct sm_settings *s, struct sm_str *out)
{
    size_t n = 0;
    sm_str_add(out, block_begin);
    for (size_t i = 0; i < s->n; i++) {
        const struct sm_setting *row = sm_setting_row(s, i);
        struct sm_str now = {0};
        sm_setting_text(s, row, &now);
        if (now.len && !sm_setting_is_initial(s, row)) {
            sm_str_printf(out, "set %s %s\n", row->name, sm_str_text(&now));
            n++;
        }
        sm_str_clear(&now);
    }
    sm_str_add(out, block_end);
    return n;
}

void sm_dashboard_write_settings(struct sm_dashboard *d)
{
    struct sm_str text = {0}, message = {0};
    char *path = sm_user_file_config("init");
    if (d->session->readonly) {
        sm_dashboard_say(d, "--readonly does not allow writing the settings.");
    } else if (!path) {
        sm_dashboard_say(d, "Settings not written: HOME is not set.");
    } else {
        sm_user_file_read(path, &text);
        drop_block(&text);
        sm_str_add(&text, text.len && text.data[text.len - 1] != '\n' ? "\n" : "");
        size_t n = add_block(&d->session->settings, &text);
        if (sm_user_file_write(d->session, path, &text))
            sm_str_printf(&message, "%zu setting%s written to %s", n, n == 1 ? "" : "s", path);
        else
            sm_str_printf(&message, "%s cannot be written.", path);
        sm_dashboard_say(d, sm_str_text(&message));
    }
    sm_str_clear(&text);
    sm_str_clear(&message);
    sm_free(path);
}

/* Keys while the settings are shown. Of the dashboard's actions only writing, redrawing and leaving
 * work; a command line, filter or search closes the settings. */
void sm_dashboard_settings_key(struct sm_dashboard *d, int key)
{
    enum sm_key_action a = sm_keymap_find(key, SM_CTX_HELP);
    sm_str_truncate(&d->notice, 0);
    if (sm_settings_form_key(&d->settings_form, &d->session->settings, key))
        return;
    if (a == SM_ACT_COMMAND || a == SM_ACT_SEARCH || a == SM_ACT_FILTER)
        d->settings_form.shown = false;
    if (!d->settings_form.shown || a == SM_ACT_QUIT || a == SM_ACT_WRITE_SETTINGS ||
        a == SM_ACT_REDRAW || a == SM_ACT_SUSPEND || a == SM_ACT_SAVE_SCREEN)
        sm_dashboard_act(d, a);
}
