/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the rules of $XDG_CONFIG_HOME/smdbg/rules at the start, without attaching them, and uses
 * the patterns for logs in smdbg/log-patterns or smdbg-tui/log-patterns there. */
#include "commands/language/command_line.h"
#include "reader/base/mem.h"
#include "tui/app/startup.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static int is_rule(const struct dirent *d)
{
    return d->d_name[0] != '.' && sm_ends_with(d->d_name, ".rule");
}

static void find_file(struct sm_str *out, const char *name)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0] == '/')
        sm_str_printf(out, "%s/%s", config, name);
    else if (home && *home)
        sm_str_printf(out, "%s/.config/%s", home, name);
}

/* Errors in a file are reported, then ignored. */
static void queue_rule(struct sm_exec *x, const char *folder, const char *name)
{
    struct sm_str path = {0}, line = {0};
    sm_str_printf(&path, "%s/%s", folder, name);
    sm_str_add(&line, "-rule load -define -quiet ");
    sm_line_quote(&line, sm_str_text(&path), path.len);
    sm_exec_line(x, sm_str_text(&line), SM_FROM_OPTION);
    sm_str_clear(&path);
    sm_str_clear(&line);
}

void sm_home_rules(struct sm_exec *x)
{
    struct sm_str folder = {0};
    struct dirent **names = NULL;
    find_file(&folder, "smdbg/rules");
    int n = folder.len ? scandir(sm_str_text(&folder), &names, is_rule, alphasort) : 0;
    for (int i = 0; i < n; i++) {
        queue_rule(x, sm_str_text(&folder), names[i]->d_name);
        free(names[i]);
    }
    free(names);
    sm_str_clear(&folder);
}

void sm_home_log_patterns(struct sm_exec *x)
{
    static const char *const names[] = {"smdbg/log-patterns", "smdbg-tui/log-patterns"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct sm_str path = {0}, line = {0};
        find_file(&path, names[i]);
        bool there = path.len && access(sm_str_text(&path), F_OK) == 0;
        sm_str_add(&line, "-set log-patterns ");
        sm_line_quote(&line, sm_str_text(&path), path.len);
        if (there)
            sm_exec_line(x, sm_str_text(&line), SM_FROM_OPTION);
        sm_str_clear(&path);
        sm_str_clear(&line);
        if (there)
            return;
    }
}
