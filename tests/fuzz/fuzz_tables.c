/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/logs/log_json.h"
#include "reader/logs/yaml.h"
#include "reader/tables/csv_columns.h"
#include "reader/tables/json_doc.h"
#include "reader/tables/trainer_history.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Whatever is read as YAML is JSON. */
static void fuzz_yaml(const char *p, size_t n)
{
    static const struct sm_json_ops none = {0};
    struct sm_str out = {0};
    struct sm_err err;
    if (sm_yaml_to_json(p, n, &out, &err) &&
        !sm_log_json_parse(sm_str_text(&out), out.len, &none, NULL, &err) &&
        !strstr(err.msg, "nested deeper"))
        abort();
    sm_str_clear(&out);
}

/* No cell is outside of the line, and the names of columns differ. */
static void fuzz_csv(const char *p, size_t n)
{
    struct sm_csv_cells cells = {0};
    struct sm_csv_columns columns = {0};
    const char *lf = n ? memchr(p, '\n', n) : NULL;
    size_t first = lf ? (size_t)(lf - p) : n;
    char separator = sm_csv_separator(p, first);
    double v;
    if (sm_csv_split(p, first, separator, &cells) && sm_csv_columns_set(&columns, &cells) && lf &&
        sm_csv_split(lf + 1, n - first - 1, separator, &cells))
        for (size_t i = 0; i < cells.n; i++)
            sm_csv_number(cells.items[i], separator, &v);
    sm_csv_quote_open(p, n, separator, first & 1);
    sm_csv_columns_clear(&columns);
    sm_csv_cells_clear(&cells);
}

static void fuzz_json(const char *p, size_t n)
{
    struct sm_json_row row = {0};
    struct sm_trainer_history h = {0};
    struct sm_point_list points = {0};
    struct sm_str text = {0};
    struct sm_err err;
    double v;
    if (sm_json_row_read(&row, p, n, &err))
        for (size_t i = 0; i < row.n; i++)
            sm_json_row_number(&row, &row.items[i], &v);
    sm_str_addn(&text, p, n);
    sm_trainer_history_read(&h, &text, &row, &err);
    sm_json_doc_points(p, n, &row, &points, &err);
    sm_point_list_clear(&points);
    sm_trainer_history_clear(&h);
    sm_json_row_clear(&row);
    sm_str_clear(&text);
}

/* The first byte says what the rest is: YAML, lines of a table, or JSON. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const char *p = (const char *)data + 1;
    if (n == 0)
        return 0;
    if (data[0] == 'y')
        fuzz_yaml(p, n - 1);
    else if (data[0] == 'c')
        fuzz_csv(p, n - 1);
    else
        fuzz_json(p, n - 1);
    return 0;
}
