/* SPDX-License-Identifier: Apache-2.0 */
/* Prints results as text, JSON, CSV and so on. No other code converts a result to bytes. */
#ifndef SM_PRINT_H
#define SM_PRINT_H

#include "commands/answer/result.h"
#include "plot/grid/grid_print.h"
#include "plot/grid/style.h"
#include "plot/table.h"

/* The output formats that have an option, as X(ID, option, help, function). A new format needs its
 * function and a line here; parsing, help and completion use this list. */
#define SM_PRINTERS(X)                                                                             \
    X(JSON, "json", "the result as one line of JSON", sm_print_json)                               \
    X(JSONL, "jsonl", "one JSON object per row", sm_print_json)                                    \
    X(CSV, "csv", "comma-separated values", sm_print_table)                                        \
    X(TSV, "tsv", "tab-separated values", sm_print_table)                                          \
    X(NUL, "0", "values, each terminated by a zero byte", sm_print_table)

#define SM_PRINTER_ENUM(id, option, help, function) SM_OUTPUT_##id,
enum sm_output { SM_OUTPUT_TEXT, SM_PRINTERS(SM_PRINTER_ENUM) SM_OUTPUT_SVG };
/* " -json -jsonl ..." */
#define SM_PRINTER_OPTION(id, option, help, function) " -" option
#define SM_PRINTER_OPTIONS                            SM_PRINTERS(SM_PRINTER_OPTION)
/* The option of a format: " -json"; "" for text and SVG. */
const char *sm_print_option(enum sm_output output);
struct sm_print_options {
    enum sm_output output;
    const char *fields; /* value of -field ("a,b,c"), or NULL */
    int width;          /* columns; 0: unlimited */
    const struct sm_glyphs *glyphs;
    enum sm_color_depth depth;
    bool light;
    unsigned threshold, edgeitems, precision, linewidth; /* numpy's print options: 1000, 3, 8, 75 */
    bool numpy_style;                                    /* false: print all digits ("full") */
    bool local_time;                                     /* false: UTC */
    struct sm_styles styles;        /* unused with SM_COLOR_ROLES: the dashboard applies its own */
    const struct sm_format *format; /* of array elements; NULL: as numpy */
};
void sm_print_text(const struct sm_result *r, const struct sm_print_options *o, struct sm_str *out);
/* Prints JSON and JSONL. */
void sm_print_json(const struct sm_result *r, const struct sm_print_options *o, struct sm_str *out);
/* Prints CSV, TSV and NUL. */
void sm_print_table(const struct sm_result *r, const struct sm_print_options *o,
                    struct sm_str *out);
/* Prints the text output as an SVG picture. */
void sm_print_picture(const struct sm_result *r, const struct sm_print_options *o,
                      struct sm_str *out);
/* Prints in the format o->output. */
void sm_print_result(const struct sm_result *r, const struct sm_print_options *o,
                     struct sm_str *out);
/* Returns false if `fields` (may be NULL) names a field that the result does not have; err lists
 * the available fields. */
bool sm_print_check_fields(const struct sm_result *r, const char *fields, struct sm_err *err);
/* Prints an array exactly as numpy.array2string does with these options, without a newline at the
 * end. whole: never elide (also with a threshold of UINT_MAX). */
void sm_print_array(const struct sm_tensor *t, const struct sm_print_options *o, bool whole,
                    struct sm_str *out);

#endif
