/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the printer of an output format. */
#include "commands/answer/print.h"

#define ENTRY(id, option, help, function) [SM_OUTPUT_##id] = {" -" option, function},
static const struct {
    const char *option;
    void (*print)(const struct sm_result *r, const struct sm_print_options *o, struct sm_str *out);
} printers[] = {[SM_OUTPUT_TEXT] = {"", sm_print_text},
                SM_PRINTERS(ENTRY)[SM_OUTPUT_SVG] = {"", sm_print_picture}};

const char *sm_print_option(enum sm_output output)
{
    return printers[output].option;
}

void sm_print_result(const struct sm_result *r, const struct sm_print_options *o,
                     struct sm_str *out)
{
    printers[o->output].print(r, o, out);
}
