/* SPDX-License-Identifier: Apache-2.0 */
/* The input is a JSON request: parses it, converts it to a command line and parses that. Runs no
 * command. */
#include "commands/features.h"
#include "commands/language/cmd_set.h"
#include "commands/language/command_line.h"
#include "commands/language/request.h"

#include <stdlib.h>
#include <string.h>

/* The built-in commands; kept until the program ends. */
static struct sm_cmd_set *command_set(void)
{
    static struct sm_cmd_set *set;
    if (!set)
        set = sm_cmd_set_new(sm_command_features);
    return set;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sm_request r;
    struct sm_arena arena = {0};
    struct sm_str text = {0};
    struct sm_line line;
    struct sm_err err = {0};
    bool ok = sm_request_parse((const char *)data, size, &r, &err);
    if (!r.id || (!ok && !err.msg[0]))
        abort();
    if (ok && r.cmd && sm_request_line(command_set(), &r, &text, &err))
        sm_line_parse(command_set(), sm_str_text(&text), text.len, &arena, &line, &err);
    sm_str_clear(&text);
    sm_arena_clear(&arena);
    sm_request_clear(&r);
    return 0;
}
