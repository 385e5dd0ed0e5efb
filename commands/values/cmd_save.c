/* SPDX-License-Identifier: Apache-2.0 */
/* save: write a tensor to a file for other programs, or the last plot as SVG. */
#include "commands/answer/shape.h"
#include "commands/place/describe.h"
#include "commands/place/place.h"
#include "commands/run/run_state.h"
#include "commands/session/outfile.h"
#include "commands/stops/breakpoint.h"
#include "commands/values/export.h"
#include "commands/values/values.h"

#include <string.h>

static bool export_npy(struct sm_call *c, const struct sm_place_value *v, struct sm_str *out,
                       struct sm_err *err)
{
    (void)c;
    return sm_export_npy(v->tensor, out, err);
}

static bool export_csv(struct sm_call *c, const struct sm_place_value *v, struct sm_str *out,
                       struct sm_err *err)
{
    (void)c, (void)err;
    sm_export_csv(v->tensor, out);
    return true;
}

static bool export_json(struct sm_call *c, const struct sm_place_value *v, struct sm_str *out,
                        struct sm_err *err)
{
    struct sm_result r;
    struct sm_print_options o;
    (void)err;
    sm_result_init(&r);
    sm_session_print_options(c->session, &o);
    o.output = SM_OUTPUT_JSON;
    struct sm_node *map = sm_node_map(&r, NULL, NULL);
    sm_place_node(&r, map, &v->place, &v->entry);
    sm_node_text(&r, map, "dtype", sm_dtype_info(v->tensor->dtype)->name);
    sm_node_dims(&r, map, "shape", v->tensor->dims, v->tensor->n_dims);
    sm_node_tensor(&r, map, "values", v->tensor, true);
    r.root = map;
    sm_print_json(&r, &o, out);
    sm_result_clear(&r);
    return true;
}

static bool export_bin(struct sm_call *c, const struct sm_place_value *v, struct sm_str *out,
                       struct sm_err *err)
{
    (void)c, (void)err;
    sm_export_bin(v->tensor, out);
    return true;
}

/* The formats of tensor files, by suffix. */
static const struct file_format {
    const char *suffix;
    bool (*export)(struct sm_call *c, const struct sm_place_value *v, struct sm_str *out,
                   struct sm_err *err);
} file_formats[] = {
    {".npy", export_npy}, {".csv", export_csv}, {".json", export_json}, {".bin", export_bin}};

static const struct file_format *find_format(const char *path)
{
    for (size_t i = 0; i < sizeof file_formats / sizeof *file_formats; i++)
        if (sm_ends_with(path, file_formats[i].suffix))
            return &file_formats[i];
    return NULL;
}

/* Checks that path may be written: with -f also if it exists. */
static bool check_file(struct sm_call *c, const char *path, struct sm_err *err)
{
    return sm_outfile_check(c->session, path, sm_call_flag(c, "f"), err);
}

static void report_saved(struct sm_result *out, const char *path, size_t n)
{
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_text(out, map, "file", path);
    sm_node_uint(out, map, "bytes", n);
    sm_result_text(out, "Saved to %s (%zu bytes).", sm_result_escape(out, path, strlen(path)), n);
}

static bool save_plot(struct sm_call *c, const char *path, struct sm_result *out,
                      struct sm_err *err)
{
    const struct sm_str *svg = &sm_run(c->session)->picture;
    if (c->n_words > 1)
        return sm_err_set(err, SM_ERR_USAGE,
                          "\"%s\": .svg is for the last plot only. Use \"heatmap NAME > FILE.svg\" "
                          "to draw a tensor.",
                          path);
    if (!svg->len)
        return sm_err_set(
            err, SM_ERR_MISSING,
            "There is no plot to save.  Try \"plot\", \"hist\", \"heatmap\" or \"health\" first.");
    if (!check_file(c, path, err) ||
        !sm_outfile_write(c->session, path, false, sm_str_text(svg), svg->len, err))
        return false;
    report_saved(out, path, svg->len);
    return true;
}

static bool save_tensor(struct sm_call *c, const struct file_format *format, const char *path,
                        struct sm_result *out, struct sm_err *err)
{
    struct sm_place_value v;
    struct sm_str bytes = {0};
    struct sm_call rest = *c; /* NAME is the second word */
    rest.words++;
    rest.n_words--;
    bool ok = sm_place_read_value(&rest, &v, err);
    c->arena = rest.arena;
    if (!ok)
        return false;
    ok = format->export(c, &v, &bytes, err) &&
         sm_outfile_write(c->session, path, false, sm_str_text(&bytes), bytes.len, err);
    if (ok) {
        sm_place_value_heading(out, &v);
        report_saved(out, path, bytes.len);
    }
    sm_str_clear(&bytes);
    sm_tensor_unref(v.tensor);
    return ok;
}

static bool run_save(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const char *path = c->words[0].text.p;
    const struct file_format *format = find_format(path);
    if (!c->words[0].quoted && c->n_words > 1 && sm_text_is(c->words[0].text, "breakpoints"))
        return check_file(c, c->words[1].text.p, err) &&
               sm_breakpoints_save(c->session, c->words[1].text.p, out, err);
    if (sm_is_svg_file(path))
        return save_plot(c, path, out, err);
    if (!format)
        return sm_err_set(
            err, SM_ERR_USAGE,
            "\"%s\": unknown suffix. Use .npy, .csv, .json or .bin, or .svg for a plot.", path);
    return check_file(c, path, err) && save_tensor(c, format, path, out, err);
}

static const struct sm_arg save_args[] = {
    {.name = "FILE", .kind = SM_ARG_FILE, .required = true},
    {.name = "NAME", .kind = SM_ARG_TENSOR},
    {.name = "STEP", .kind = SM_ARG_STEP},
    SM_PLACE_ROWS,
    {0},
};
static const struct sm_option save_options[] = {
    {.name = "f", .kind = SM_ARG_FLAG, .help = "overwrite FILE if it exists"},
    {0},
};
const struct sm_cmd sm_cmd_save = {
    .name = "save",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Save a tensor as .npy, .csv, .json or .bin, a plot as .svg",
    .help = "NAME and STEP default to the current tensor and step. \"save FILE.svg\" writes the "
            "last plot. \"save breakpoints FILE\"\n"
            "writes commands that set the breakpoints again when the file is run with \"source "
            "FILE\".\n"
            "An existing file is overwritten only with -f.",
    .example = "save /tmp/w.npy CNN_conv0.weight step 10",
    .see_also = "tensor",
    .args = save_args,
    .options = save_options,
    .flags = SM_CMD_NEEDS_TRIAL | SM_CMD_NO_REPEAT,
    .answer = "{file:name,bytes:int}|{file:name,breakpoints:int}",
    .run = run_save,
};
