/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/csv_line.h"
#include "reader/tables/step_count.h"
#include "reader/tables/tables.h"

#include "tests/reader/gzip_file.h"
#include "tests/reader/log_run.h"

#include <math.h>

/* ---- lines ---- */

static const char *cells(const char *line, char separator)
{
    static struct sm_str out;
    struct sm_csv_cells c = {0};
    sm_str_truncate(&out, 0);
    sm_str_add(&out, "");
    assert_true(sm_csv_split(line, strlen(line), separator, &c));
    for (size_t i = 0; i < c.n; i++) {
        sm_str_add(&out, i ? "|" : "");
        sm_str_addn(&out, c.items[i].p, c.items[i].n);
    }
    sm_csv_cells_clear(&c);
    return sm_str_text(&out);
}

static void test_cells(void **state)
{
    (void)state;
    assert_string_equal(cells("a,b,,c", ','), "a|b||c");
    assert_string_equal(cells("  a , b\t,", ','), "a|b|");
    assert_string_equal(cells("", ','), "");
    assert_string_equal(cells("\"a;b\";\"he said \"\"no\"\"\" ;c", ';'), "a;b|he said \"no\"|c");
    assert_string_equal(cells("a\t\tb\t c", '\t'), "a||b|c");
    assert_string_equal(cells("  1   2.5 x ", ' '), "1|2.5|x");
    assert_string_equal(cells("a\"b,\"open", ','), "a\"b|open");
    assert_string_equal(cells("\"\",\"\"\"\"", ','), "|\"");
    assert_false(sm_csv_quote_open("a,\"b\",c", 7, ',', false));
    assert_true(sm_csv_quote_open("a,\"b", 4, ',', false));
    assert_true(sm_csv_quote_open("a,\"b\"\"", 6, ',', false));
    assert_true(sm_csv_quote_open("text", 4, ',', true));
    assert_false(sm_csv_quote_open("text\",c", 7, ',', true));
    assert_true(sm_csv_quote_open("text\",\"c", 8, ',', true));
    assert_false(sm_csv_quote_open("5\" pipe,6\" pipe", 15, ',', false));
}

static double number(const char *cell, char separator)
{
    double v = NAN;
    return sm_csv_number((struct sm_text){cell, strlen(cell)}, separator, &v) ? v : -1;
}

static void test_numbers(void **state)
{
    (void)state;
    assert_float_equal(number("0,5", ';'), 0.5, 0);
    assert_float_equal(number("1,234", ';'), 1.234, 0);
    assert_float_equal(number("1,234", ','), 1234, 0); /* it was quoted */
    assert_float_equal(number("-1,234,567.5", ','), -1234567.5, 0);
    assert_float_equal(number("1,234.5e3", '\t'), 1234500, 0);
    assert_float_equal(number("12,345,678", ';'), 12345678, 0);
    assert_float_equal(number("45%", ','), 45, 0);
    assert_float_equal(number("0,5 %", ';'), 0.5, 0);
    assert_float_equal(number("1,23", ','), -1, 0);
    assert_float_equal(number("1234,567", ','), -1, 0);
    assert_float_equal(number(",123", ','), -1, 0);
    assert_float_equal(number("1,2345", ','), -1, 0);
    assert_float_equal(number("%", ','), -1, 0);
}

static void test_separators(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        char separator;
    } rows[] = {
        {"step,loss", ','},       {"step;loss", ';'},   {"step\tloss", '\t'}, {"step|loss", '|'},
        {"step  loss", ' '},      {"loss", ','},        {" loss ", ','},      {"\"a,b\";c", ';'},
        {"train loss,step", ','}, {"a;\"b,c,d\"", ';'}, {"a;b;c,Step", ','},  {"a,b,c; step", ';'},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(sm_csv_separator(rows[i].line, strlen(rows[i].line)), rows[i].separator);
}

/* ---- steps ---- */

static void test_steps(void **state)
{
    (void)state;
    struct sm_step_count c = {0};
    /* a counter of each epoch: 0 10 20, 0 10 20 */
    assert_int_equal(sm_step_of(&c, 0, 1), 0);
    assert_int_equal(sm_step_of(&c, 10, 1), 10);
    assert_int_equal(sm_step_of(&c, 20, 1), 20);
    assert_int_equal(sm_step_of(&c, 0, 2), 30);
    assert_int_equal(sm_step_of(&c, 10, 2), 40);
    assert_int_equal(sm_step_of(&c, 20, 2), 50);
    /* restarted: as it is written */
    c = (struct sm_step_count){0};
    assert_int_equal(sm_step_of(&c, 700, 3), 700);
    assert_int_equal(sm_step_of(&c, 800, 3), 800);
    assert_int_equal(sm_step_of(&c, 500, 3), 500);
    assert_int_equal(sm_step_of(&c, 400, NAN), 400);
    assert_int_equal(sm_step_of(&c, 300, 2), 300);
}

/* ---- tables ---- */

static void test_samples(void **state)
{
    struct log_run *r = *state;
    log_run_open(r, &sm_csv_format, "tests/samples/csv_semicolon_bom", "metrics.csv");
    log_run_poll(r);
    assert_non_null(strstr(log_run_points(r, "train loss"), "10=8.43371171 20=7.00936356"));
    assert_non_null(strstr(log_run_points(r, "val;loss"), "10=3.59651058 60=1.63655425"));
    assert_string_equal(log_run_points(r, "note"), "");
    assert_int_equal(r->sink->problems, 0);
}

static void test_lightning(void **state)
{
    struct log_run *r = *state;
    log_run_open(r, &sm_csv_format, "tests/samples/lightning", "version_0/metrics.csv");
    const char *said = log_run_poll(r);
    assert_non_null(strstr(said, "config late 17\nconfig lr 0.05\nconfig width 6\n"));
    assert_string_equal(log_run_points(r, "grad_scale"), "19=9.5 23=11.5 27=13.5");
    assert_string_equal(log_run_points(r, "test_loss"), "30=0.36650264263153076");
}

static void read_text(struct log_run *r, const char *text)
{
    log_run_put(r, "t.csv", "w", text);
    log_run_open(r, &sm_csv_format, NULL, "t.csv");
    log_run_poll(r);
}

/* Rows of validation have the metric of those of training. */
static void test_rows_of_two_phases(void **state)
{
    struct log_run *r = *state;
    read_text(r, "step,phase,loss,lr\n1,train,9,1\n1,val,8,1\n2,Train,7,1\n2,val,6,1\n");
    assert_string_equal(log_run_points(r, "train/loss"), "1=9");
    assert_string_equal(log_run_points(r, "Train/loss"), "2=7");
    assert_string_equal(log_run_points(r, "val/loss"), "1=8 2=6");
    assert_string_equal(log_run_points(r, "lr"), "1=1 1=1 2=1 2=1");
}

static void test_restart(void **state)
{
    struct log_run *r = *state;
    log_run_open(r, &sm_csv_format, "tests/samples/tsv_restart", "log.tsv");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "grad norm"),
                        "0=3.0546 100=2.8459 200=2.6557 300=2.482 400=nan 500=2.178 600=2.0448 "
                        "700=1.9227 800=1.8104 500=2.178 600=2.0448 700=1.9227 800=1.8104 "
                        "900=1.7071 1000=1.6119");
    assert_non_null(strstr(log_run_points(r, "loss"), "700=inf 800=-inf 500=10.3967"));
}

static void test_no_step(void **state)
{
    struct log_run *r = *state;
    read_text(r, "loss,acc\n1,2\n\n3,4\n,text\n5,6");
    assert_string_equal(log_run_points(r, "loss"), "0=1 1=3 3=5");
    assert_string_equal(log_run_points(r, "acc"), "0=2 1=4 3=6");
}

/* A column that is called like a step and has other values is none. */
static void test_false_steps(void **state)
{
    struct log_run *r = *state;
    read_text(r, "step,epoch,sim\n-1,0,0.5\n-1,1,0.6\n");
    assert_string_equal(log_run_points(r, "sim"), "0=0.5 1=0.6");
    assert_string_equal(log_run_points(r, "step"), "0=-1 1=-1");
}

static void test_fractions(void **state)
{
    struct log_run *r = *state;
    read_text(r, "epoch,loss\n1,5\n2,4\n2.5,3\n");
    assert_string_equal(log_run_points(r, "loss"), "0=5 1=4 2=3");
    assert_int_equal(r->sink->restarts, 1);
}

/* A row whose step is none is left out and named; the others stay as they are. */
static void test_bad_rows(void **state)
{
    static const char *const bad[] = {
        "1e30", "-9223372036854775809", "99999999999999999999", "nan", "NaN", "x7", "2.5", "-4",
        "inf"};
    struct log_run *r = *state;
    for (size_t where = 0; where < 4; where++)
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            struct sm_str s = {0};
            sm_str_add(&s, "step,loss\n");
            for (size_t k = 0; k < 4; k++)
                sm_str_printf(&s, k == where ? "%s,77\n" : "%s1,5\n", k == where ? bad[i] : "");
            log_run_put(r, "t.csv", "w", s.data);
            log_run_open(r, &sm_csv_format, NULL, "t.csv");
            const char *said = log_run_poll(r);
            char problem[99];
            snprintf(problem, sizeof problem, "line %zu: \"%.23s\" is no step", where + 2, bad[i]);
            assert_non_null(strstr(said, problem));
            assert_string_equal(log_run_points(r, "loss"), "1=5 1=5 1=5");
            assert_int_equal(r->sink->restarts, 0);
            sm_log_restart(r->sink);
            r->sink->restarts = 0;
            r->format->close(r->state);
            sm_source_unref(r->in.source);
            r->state = NULL;
            r->in.source = NULL;
            sm_str_clear(&s);
        }
}

/* Its end was not written yet: 2 of 2.5, and n of nan. */
static void test_a_bad_row_comes(void **state)
{
    struct log_run *r = *state;
    read_text(r, "step,loss\n1,5\n2,6\n");
    log_run_put(r, "t.csv", "a", "n,7");
    assert_string_equal(log_run_poll(r), "");
    log_run_put(r, "t.csv", "a", "\n3,8\n");
    const char *said = log_run_poll(r);
    assert_non_null(strstr(said, "problem t.csv 18 line 4: \"n\" is no step: the row is left out"));
    assert_string_equal(log_run_points(r, "loss"), "1=5 2=6 3=8");
    assert_int_equal(r->sink->restarts, 0);
}

/* A column of words, or of fractions, is no counter; nothing is left out then. */
static void test_a_column_that_has_no_step(void **state)
{
    struct log_run *r = *state;
    read_text(r, "step,loss\nwarm,5\ncold,6\n");
    assert_string_equal(log_run_points(r, "loss"), "0=5 1=6");
    assert_null(strstr(fake_sink_take(r->sink), "left out"));
    log_run_put(r, "t.csv", "w", "step,loss\n0,1\n0.1,2\n0.2,3\n0.3,4\n0.4,5\n0.5,6\n");
    const char *said = log_run_poll(r);
    assert_null(strstr(said, "left out"));
    assert_string_equal(log_run_points(r, "loss"), "0=1 1=2 2=3 3=4 4=5 5=6");
}

static void test_batches(void **state)
{
    struct log_run *r = *state;
    read_text(r, "epoch,batch,loss\n0,0,9\n0,1,8\n1,0,7\n1,1,6\n");
    assert_string_equal(log_run_points(r, "loss"), "0=9 1=8 2=7 3=6");
}

static void test_batch_size(void **state)
{
    struct log_run *r = *state;
    read_text(r, "epoch,batch,loss\n0,64,9\n1,64,8\n2,64,7\n");
    assert_string_equal(log_run_points(r, "loss"), "0=9 1=8 2=7");
}

static void test_names(void **state)
{
    struct log_run *r = *state;
    read_text(r, ",Step ,loss,loss, loss ,,\"q\"\"x\"\n0,7,1,2,3,4,5\n");
    assert_string_equal(log_run_points(r, "loss"), "7=1");
    assert_string_equal(log_run_points(r, "loss.1"), "7=2");
    assert_string_equal(log_run_points(r, "loss.2"), "7=3");
    assert_string_equal(log_run_points(r, "q\"x"), "7=5");
}

/* The line of names comes again, with other names; a comment; decimal commas; times. */
static void test_odd_tables(void **state)
{
    struct log_run *r = *state;
    read_text(r, "#{\"t_start\": 5.5, \"env_id\": \"x\"}\n# title\nsep=;\nstep;time;l\n"
                 "1;1700000000;0,5\nstep;time;l\n2;1700000001;1.5\nstep;l;new\n3;1;8\n4;2\n"
                 "5;3;9;77\n");
    assert_string_equal(log_run_points(r, "l"), "1=0.5 2=1.5 3=1 4=2 5=3");
    assert_string_equal(log_run_points(r, "new"), "3=8 5=9");
    assert_int_equal(r->sink->problems, 1); /* a cell without a name */
    assert_non_null(strstr(sm_str_text(&r->sink->taken), "3=8 5=9"));
}

static void test_comment_names(void **state)
{
    struct log_run *r = *state;
    read_text(r, "# step loss\n10 0.5\n20 0.4\n");
    assert_string_equal(log_run_points(r, "loss"), "10=0.5 20=0.4");
}

static void test_numbers_only(void **state)
{
    struct log_run *r = *state;
    read_text(r, "1,2\n3,4\n");
    assert_string_equal(log_run_points(r, "column 2"), "0=2 1=4");
}

static void test_one_column(void **state)
{
    struct log_run *r = *state;
    read_text(r, "train loss\n0.5\n0.25\n");
    assert_string_equal(log_run_points(r, "train loss"), "0=0.5 1=0.25");
}

static void test_title(void **state)
{
    struct log_run *r = *state;
    read_text(r, "My run\nstep,loss\n1,2\n");
    assert_string_equal(log_run_points(r, "loss"), "1=2");
}

static void test_quoted_lines(void **state)
{
    struct log_run *r = *state;
    read_text(r, "step,note,loss\n1,\"a\nb,\"\"c\"\"\n\",5\n2,x,6\n3,\"y\n\nz\",7");
    assert_string_equal(log_run_points(r, "loss"), "1=5 2=6 3=7");
    log_run_put(r, "t.csv", "a", "5\n4,\"");
    log_run_poll(r);
    log_run_put(r, "t.csv", "a", "\n\",8\n");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "1=5 2=6 3=7 3=75 4=8");
}

/* ---- followed ---- */

static void test_grows(void **state)
{
    struct log_run *r = *state;
    log_run_open(r, &sm_csv_format, NULL, "t.csv");
    assert_string_equal(log_run_poll(r), "");
    log_run_put(r, "t.csv", "w", "step,lo");
    assert_string_equal(log_run_poll(r), "");
    log_run_put(r, "t.csv", "a", "ss,acc\n1,0.5");
    assert_string_equal(log_run_poll(r), "");
    log_run_put(r, "t.csv", "a", ",7\n2,0.25,0.1");
    assert_string_equal(log_run_poll(r), "point loss 1 0.5\npoint acc 1 7\n"
                                         "point loss 2 0.25\npoint acc 2 0.1\n");
    log_run_put(r, "t.csv", "a", "25\n"); /* the cell was torn */
    assert_string_equal(log_run_poll(r), "point loss 2 0.25\npoint acc 2 0.125\n");
    log_run_put(r, "t.csv", "a", "3,1,1");
    assert_string_equal(log_run_poll(r), "point loss 3 1\npoint acc 3 1\n");
    log_run_put(r, "t.csv", "a", "\n"); /* it was whole */
    assert_string_equal(log_run_poll(r), "");
    assert_string_equal(log_run_poll(r), "");
}

/* A step in the last column may be torn. */
static void test_step_at_end(void **state)
{
    struct log_run *r = *state;
    read_text(r, "loss,step\n5,1\n4,1");
    assert_string_equal(log_run_points(r, "loss"), "1=5");
    log_run_put(r, "t.csv", "a", "3\n3,14");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "1=5 13=4");
    log_run_age(r, "t.csv"); /* nobody writes it any more */
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "1=5 13=4 14=3");
}

/* Lightning writes the file anew when a name comes. */
static void test_rewritten(void **state)
{
    struct log_run *r = *state;
    log_run_put(r, "hparams.yaml", "w", "lr: 0.1\n");
    read_text(r, "step,loss\n1,0.5\n");
    log_run_put(r, "t.csv", "w", "acc,step,loss\n,1,0.5\n9,2,0.25\n");
    assert_string_equal(log_run_poll(r), "restart\nconfig lr 0.1\npoint loss 1 0.5\n"
                                         "point acc 2 9\npoint loss 2 0.25\n");
    assert_string_equal(log_run_poll(r), "");
    assert_int_equal(unlink(log_run_path(r, "t.csv")), 0);
    assert_string_equal(log_run_poll(r), "");
    log_run_put(r, "t.csv", "w", "step,loss\n");
    assert_string_equal(log_run_poll(r), "restart\nconfig lr 0.1\n");
}

static void test_rows_are_counted_once(void **state)
{
    struct log_run *r = *state;
    read_text(r, "loss,acc\n1,2\n3,4");
    log_run_put(r, "t.csv", "a", "\n5,6");
    log_run_poll(r);
    log_run_put(r, "t.csv", "a", "\n");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "0=1 1=3 2=5");
}

/* ---- hostile ---- */

static void test_open_quote(void **state)
{
    struct log_run *r = *state;
    struct sm_str s = {0};
    sm_str_add(&s, "step,loss\n1,\"");
    for (int i = 0; i < 200000; i++)
        sm_str_add(&s, "1234567\n");
    sm_str_add(&s, "2,3\n");
    read_text(r, s.data);
    assert_int_equal(r->sink->problems, 1);
    assert_non_null(strstr(log_run_points(r, "loss"), "2=3"));
    sm_str_clear(&s);
}

static void test_same_names(void **state)
{
    struct log_run *r = *state;
    struct sm_str s = {0};
    for (int i = 0; i < 20000; i++)
        sm_str_add(&s, i ? ",a" : "a");
    sm_str_add(&s, "\n");
    for (int i = 0; i < 20000; i++)
        sm_str_add(&s, i ? ",1" : "1");
    read_text(r, s.data);
    assert_string_equal(log_run_points(r, "a.16383"), "0=1");
    sm_str_clear(&s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, log_run_setup, log_run_teardown)

/* ---- compressed ---- */

static void put_table(struct log_run *r, const struct sm_str *packed, size_t n)
{
    FILE *f = fopen(log_run_path(r, "metrics.csv.gz"), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(packed->data, 1, n, f), n);
    fclose(f);
    log_run_age(r, "metrics.csv.gz");
}

static void test_a_table_of_gzip(void **state)
{
    static const char text[] = "step,loss\n1,0.5\n2,0.25\n3,0.125\n";
    struct log_run *r = *state;
    struct sm_str packed = {0};
    add_member(&packed, text, sizeof text - 1, 6);
    put_table(r, &packed, packed.len);
    log_run_open(r, &sm_csv_format, NULL, "metrics.csv");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "1=0.5 2=0.25 3=0.125");
    assert_string_equal(log_run_poll(r), "");
    sm_str_clear(&packed);
}

static void test_a_table_of_gzip_that_is_cut(void **state)
{
    static const char text[] = "step,loss\n1,0.5\n2,0.25\n3,0.125\n";
    struct log_run *r = *state;
    struct sm_str packed = {0};
    add_member(&packed, text, sizeof text - 1, 0);
    put_table(r, &packed, packed.len - 12); /* the checksum and size, and four bytes */
    log_run_open(r, &sm_csv_format, NULL, "metrics.csv");
    const char *said = log_run_poll(r);
    assert_non_null(strstr(said, "metrics.csv.gz: ends inside gzip data at offset"));
    assert_non_null(strstr(log_run_points(r, "loss"), "1=0.5 2=0.25"));
    assert_string_equal(log_run_poll(r), ""); /* not again until it changes */
    put_table(r, &packed, packed.len);
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "1=0.5 2=0.25 3=0.125");
    sm_str_clear(&packed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        TEST(test_rows_of_two_phases),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_separators),
        cmocka_unit_test(test_steps),
        TEST(test_samples),
        TEST(test_lightning),
        TEST(test_restart),
        TEST(test_no_step),
        TEST(test_false_steps),
        TEST(test_fractions),
        TEST(test_bad_rows),
        TEST(test_a_bad_row_comes),
        TEST(test_a_column_that_has_no_step),
        TEST(test_batches),
        TEST(test_batch_size),
        TEST(test_names),
        TEST(test_odd_tables),
        TEST(test_comment_names),
        TEST(test_numbers_only),
        TEST(test_one_column),
        TEST(test_step_at_end),
        TEST(test_title),
        TEST(test_quoted_lines),
        TEST(test_grows),
        TEST(test_rewritten),
        TEST(test_rows_are_counted_once),
        TEST(test_open_quote),
        TEST(test_same_names),
        TEST(test_a_table_of_gzip),
        TEST(test_a_table_of_gzip_that_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
