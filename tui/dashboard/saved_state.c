/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/saved_state.h"

#include "reader/base/mem.h"
#include "tui/app/user_files.h"
#include "tui/dashboard/layout.h"

#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

/* Whether the layout was chosen for what was opened; another session opens something else. */
static bool is_of_what_was_opened(const char *name)
{
    return strcmp(name, "runs") == 0 || strcmp(name, "system") == 0;
}

/* "layout plots", then "bookmark a 1200 /runs/cnn". */
static void write_session(const struct sm_layouts *l, const struct sm_bookmarks *b,
                          struct sm_str *out)
{
    if (!is_of_what_was_opened(l->items[l->current].name))
        sm_str_printf(out, "layout %s\n", l->items[l->current].name);
    for (size_t i = 0; i < b->n; i++)
        if (!strchr(b->items[i].trial, '\n'))
            sm_str_printf(out, "bookmark %c %lld %s\n", b->items[i].letter,
                          (long long)b->items[i].step, b->items[i].trial);
}

static void write_layouts(const struct sm_layouts *l, struct sm_str *out)
{
    for (size_t i = 0; i < l->n; i++)
        if (!sm_layouts_is_builtin(i) || sm_layouts_is_changed(l, i))
            sm_str_printf(out, "%s%s\n", l->items[i].name, l->items[i].spec);
}

static void read_bookmark(char *text, struct sm_bookmarks *b)
{
    char *end;
    if (!sm_bookmark_letter((unsigned char)text[0]) || text[1] != ' ')
        return;
    long long step = strtoll(text + 2, &end, 10);
    if (end > text + 2 && *end == ' ' && end[1] == '/' && step >= 0)
        sm_bookmarks_set(b, end + 1, text[0], step);
}

static void read_session_line(char *line, struct sm_layouts *l, struct sm_bookmarks *b)
{
    size_t i;
    if (strncmp(line, "layout ", 7) == 0) {
        for (i = 0; i < l->n; i++)
            if (strcmp(l->items[i].name, line + 7) == 0)
                l->current = i;
    } else if (strncmp(line, "bookmark ", 9) == 0) {
        read_bookmark(line + 9, b);
    }
}

static void read_layout_line(char *line, struct sm_layouts *l,
                             const struct sm_pane_ops *const *table)
{
    struct sm_layout layout;
    char *spec = strchr(line, ' ');
    if (!spec || !sm_layout_parse(spec, table, &layout, NULL))
        return;
    char *name = sm_xstrndup(line, (size_t)(spec - line));
    size_t i = 0;
    while (i < l->n && strcmp(l->items[i].name, name) != 0)
        i++;
    if (i < l->n)
        sm_layouts_change(l, i, spec);
    else
        sm_layouts_define(l, name, spec, NULL);
    sm_free(name);
}

/* ---- files ---- */

void sm_saved_state_load(struct sm_layouts *l, struct sm_bookmarks *b,
                         const struct sm_pane_ops *const *table)
{
    char *paths[] = {sm_user_file_config("layouts"), sm_user_file_state("session")},
         *save_file = NULL;
    for (size_t i = 0; i < 2; i++) {
        struct sm_str text = {0};
        if (paths[i] && sm_user_file_read(paths[i], &text) && text.data)
            for (char *line = strtok_r(text.data, "\n", &save_file); line;
                 line = strtok_r(NULL, "\n", &save_file)) {
                if (i)
                    read_session_line(line, l, b);
                else
                    read_layout_line(line, l, table);
            }
        sm_str_clear(&text);
        sm_free(paths[i]);
    }
}

/* Writes the file if it has changed. nothing: does not create a file with default contents. */
static void save_file(const struct sm_session *s, char *path, struct sm_str *text, bool nothing)
{
    struct sm_str before = {0};
    bool exists = path && sm_user_file_read(path, &before);
    if (path && (exists ? strcmp(sm_str_text(&before), sm_str_text(text)) != 0 : !nothing))
        sm_user_file_write(s, path, text);
    sm_str_clear(&before);
    sm_str_clear(text);
    sm_free(path);
}

void sm_saved_state_save(const struct sm_session *s, const struct sm_layouts *l,
                         const struct sm_bookmarks *b)
{
    struct sm_str session = {0}, layouts = {0};
    write_session(l, b, &session);
    write_layouts(l, &layouts);
    save_file(s, sm_user_file_state("session"), &session, !l->current && !b->n);
    save_file(s, sm_user_file_config("layouts"), &layouts, !layouts.len);
}
