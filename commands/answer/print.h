/* A result as text, JSON, CSV: the only place where answers become bytes. */
#ifndef SM_PRINT_H
#define SM_PRINT_H

#include "commands/answer/result.h"
#include "plot/grid/grid_print.h"
#include "plot/grid/style.h"
#include "plot/table.h"

/* The formats that an option of a listing asks for: X(ID, option, help, function). A new one is its
 * function and a line here; parsing, help and completion follow. */
#define SM_PRINTERS(X)                                                                             \
    X(JSON, "json", "the answer as one line of JSON", sm_print_json)                               \
    X(JSONL, "jsonl", "one JSON object a row", sm_print_json)                                      \
    X(CSV, "csv", "comma-separated values", sm_print_table)                                        \
    X(TSV, "tsv", "tab-separated values", sm_print_table)                                          \
    X(NUL, "0", "each value ended by a zero byte", sm_print_table)

#define SM_PRINTER_ENUM(id, option, help, function) SM_OUTPUT_##id,
enum sm_output { SM_OUTPUT_TEXT, SM_PRINTERS(SM_PRINTER_ENUM) SM_OUTPUT_SVG };
/* " -json -jsonl ..." */
#define SM_PRINTER_OPTION(id, option, help, function) " -" option
#define SM_PRINTER_OPTIONS                            SM_PRINTERS(SM_PRINTER_OPTION)
/* " -json"; "" for text and pictures */
const char *sm_print_option(enum sm_output output);
struct sm_print_options {
    enum sm_output output;
    const char *fields; /* -field a,b,c or NULL */
    int width;          /* columns; 0: unlimited */
    const struct sm_glyphs *glyphs;
    enum sm_color_depth depth;
    bool light;
    unsigned threshold, edgeitems, precision, linewidth; /* numpy's print options: 1000, 3, 8, 75 */
    bool numpy_style;                                    /* false: every digit ("full") */
    bool local_time;                                     /* else UTC */
    struct sm_styles styles;                             /* a screen of our own has them itself */
    const struct sm_format *format; /* of the elements of arrays; NULL: as numpy */
};
void sm_print_text(const struct sm_result *r, const struct sm_print_options *o, struct sm_str *out);
/* JSON and JSONL */
void sm_print_json(const struct sm_result *r, const struct sm_print_options *o, struct sm_str *out);
/* CSV, TSV, NUL */
void sm_print_table(const struct sm_result *r, const struct sm_print_options *o,
                    struct sm_str *out);
/* the text as SVG */
void sm_print_picture(const struct sm_result *r, const struct sm_print_options *o,
                      struct sm_str *out);
/* as o->output says */
void sm_print_result(const struct sm_result *r, const struct sm_print_options *o,
                     struct sm_str *out);
/* False with the fields there are when `fields` (may be NULL) names one that the answer has not. */
bool sm_print_check_fields(const struct sm_result *r, const char *fields, struct sm_err *err);
/* An array exactly as numpy.array2string would with these options (threshold UINT_MAX: whole); no
 * newline at the end. */
void sm_print_array(const struct sm_tensor *t, const struct sm_print_options *o, bool whole,
                    struct sm_str *out);

#endif
