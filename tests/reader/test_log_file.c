/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/logs/log_file.h"
#include "reader/logs/log_kind.h"

#include "tests/reader/fake_log_sink.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct folder {
    char dir[64], file[96];
    struct sm_source *source;
    struct sm_log_file log;
    struct sm_str seen; /* the lines: text, '|' if whole or '?' */
    size_t longest;
    uint64_t last_offset;
    struct sm_err err;
};

static int setup(void **state)
{
    struct folder *t = calloc(1, sizeof *t);
    if (!make_scratch(t->dir, sizeof t->dir))
        return -1;
    snprintf(t->file, sizeof t->file, "%s/log", t->dir);
    t->source = sm_source_tree_new(t->dir, &t->err);
    t->log = (struct sm_log_file){.source = t->source, .path = "log"};
    *state = t;
    return t->source ? 0 : -1;
}

static int teardown(void **state)
{
    struct folder *t = *state;
    sm_log_file_clear(&t->log);
    sm_source_unref(t->source);
    sm_str_clear(&t->seen);
    remove_tree(t->dir);
    free(t);
    return 0;
}

static void put_bytes(struct folder *t, const char *mode, const char *p, size_t n)
{
    FILE *f = fopen(t->file, mode);
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    fclose(f);
}

static void append(struct folder *t, const char *text)
{
    put_bytes(t, "ab", text, strlen(text));
}

/* Another time than before, whatever the resolution of the file system's clock is. */
static void set_time(struct folder *t, int seconds)
{
    struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    assert_int_equal(utimensat(AT_FDCWD, t->file, times, 0), 0);
}

static void see_line(void *ctx, const struct sm_log_line *line)
{
    struct folder *t = ctx;
    if (line->n < 100)
        sm_str_addn(&t->seen, line->p, line->n);
    sm_str_addc(&t->seen, line->whole ? '|' : '?');
    if (line->n > t->longest)
        t->longest = line->n;
    t->last_offset = line->offset;
}

/* What a look and the lines after it give: "=" "+" "!" "-", then the lines. */
static const char *look(struct folder *t, bool partial)
{
    enum sm_log_change change = sm_log_file_look(&t->log, &t->err);
    sm_str_truncate(&t->seen, 0);
    sm_str_addc(&t->seen, "=+!-"[change]);
    if (change == SM_LOG_GROWN || change == SM_LOG_ANEW)
        while (sm_log_file_lines(&t->log, partial, see_line, t, &t->err))
            ;
    return sm_str_text(&t->seen);
}

static void test_grows(void **state)
{
    struct folder *t = *state;
    assert_string_equal(look(t, false), "-");
    assert_int_equal(t->err.code, SM_ERR_MISSING);
    append(t, "");
    assert_string_equal(look(t, false), "=");
    append(t, "one\ntwo\r\n\nthr");
    assert_string_equal(look(t, false), "+one|two||");
    assert_int_equal(t->last_offset, 9);
    assert_string_equal(look(t, false), "=");
    assert_int_equal(t->log.offset, 10);
    append(t, "ee");
    assert_string_equal(look(t, true), "+three?");
    assert_int_equal(t->last_offset, 10);
    assert_string_equal(look(t, true), "=");
    append(t, "\nfour");
    assert_string_equal(look(t, true), "+three|four?");
    set_time(t, 5); /* touched only: what is not taken comes again */
    assert_string_equal(look(t, true), "+four?");
    append(t, "\n");
    assert_string_equal(look(t, true), "+four|");
    set_time(t, 6);
    assert_string_equal(look(t, true), "=");
}

static void test_rewritten(void **state)
{
    struct folder *t = *state;
    append(t, "a,b\n1,2\n");
    assert_string_equal(look(t, false), "+a,b|1,2|");
    put_bytes(t, "wb", "a,c\n1,2\n3,4\n", 12); /* longer, another head */
    assert_string_equal(look(t, false), "!a,c|1,2|3,4|");
    put_bytes(t, "wb", "a,c\n1,2\n3,5\n3,6\n", 16); /* the same head, another tail */
    assert_string_equal(look(t, false), "!a,c|1,2|3,5|3,6|");
    put_bytes(t, "wb", "a,c\n", 4);
    assert_string_equal(look(t, false), "!a,c|");
    put_bytes(t, "wb", "a,d\n", 4); /* the same size: only its time has changed */
    set_time(t, 7);
    assert_string_equal(look(t, false), "!a,d|");
    put_bytes(t, "wb", "", 0);
    assert_string_equal(look(t, false), "!");
    assert_string_equal(look(t, false), "=");
}

static void replace(struct folder *t, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s.new", t->file);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    assert_int_equal(rename(path, t->file), 0);
}

static void test_replaced_and_removed(void **state)
{
    struct folder *t = *state;
    append(t, "a\nb\n");
    assert_string_equal(look(t, false), "+a|b|");
    replace(t, "a\nb\nc\n"); /* as rsync does */
    assert_string_equal(look(t, false), "+c|");
    replace(t, "x\nb\nc\nd\n");
    assert_string_equal(look(t, false), "!x|b|c|d|");
    assert_int_equal(unlink(t->file), 0);
    assert_string_equal(look(t, false), "-");
    assert_int_equal(t->log.offset, 0);
    assert_string_equal(look(t, false), "-");
    append(t, "x\n");
    assert_string_equal(look(t, false), "!x|");
    assert_int_equal(unlink(t->file), 0);
    assert_int_equal(mkdir(t->file, 0777), 0);
    assert_string_equal(look(t, false), "-");
    assert_int_equal(t->err.code, SM_ERR_DATA);
}

/* More than one turn, lines across the borders of reads, and one that is too long. */
static void test_large(void **state)
{
    struct folder *t = *state;
    size_t n = 3 * (size_t)SM_LOG_TURN_BYTES / 2, turns = 1;
    char *text = malloc(n);
    for (size_t i = 0; i < n; i++)
        text[i] = i % 16 == 15 ? '\n' : (char)('a' + i % 16);
    put_bytes(t, "ab", text, n);
    assert_int_equal(sm_log_file_look(&t->log, &t->err), SM_LOG_GROWN);
    while (sm_log_file_lines(&t->log, false, see_line, t, &t->err))
        turns++;
    assert_int_equal(turns, 2);
    assert_int_equal(t->seen.len, n);
    assert_int_equal(t->log.offset, n);
    free(text);

    size_t huge = SM_LOG_LINE_MAX + 1000;
    text = malloc(huge);
    memset(text, 'x', huge);
    put_bytes(t, "ab", text, huge);
    append(t, "\nend\n");
    assert_string_equal(look(t, false), "+|end|");
    assert_int_equal(t->longest, SM_LOG_LINE_MAX);
    assert_int_equal(t->last_offset, n + huge + 1);
    free(text);
}

static void test_take(void **state)
{
    struct folder *t = *state;
    char buf[16] = {0};
    append(t, "0123456789");
    assert_int_equal(sm_log_file_look(&t->log, &t->err), SM_LOG_GROWN);
    assert_int_equal(sm_log_file_take(&t->log, buf, 4, &t->err), 4);
    assert_int_equal(sm_log_file_look(&t->log, &t->err), SM_LOG_GROWN);
    assert_int_equal(sm_log_file_take(&t->log, buf, 16, &t->err), 6);
    assert_int_equal(sm_log_file_take(&t->log, buf, 16, &t->err), 0);
    assert_int_equal(t->err.code, SM_OK);
    sm_log_file_untake(&t->log, 3);
    assert_int_equal(sm_log_file_look(&t->log, &t->err), SM_LOG_SAME);
    append(t, "ab");
    assert_int_equal(sm_log_file_look(&t->log, &t->err), SM_LOG_GROWN);
    assert_int_equal(sm_log_file_take(&t->log, buf, 16, &t->err), 5);
    assert_memory_equal(buf, "789ab", 5);
    put_bytes(t, "wb", "0123456X89ab!", 13);
    assert_int_equal(sm_log_file_look(&t->log, &t->err), SM_LOG_ANEW);
    assert_int_equal(sm_log_file_take(&t->log, buf, 16, &t->err), 13);
}

static void test_read_fails(void **state)
{
    struct folder *t = *state;
    append(t, "a\nb\n");
    assert_int_equal(sm_log_file_look(&t->log, &t->err), SM_LOG_GROWN);
    sm_source_fail_read_at(1);
    assert_false(sm_log_file_lines(&t->log, true, see_line, t, &t->err));
    assert_int_equal(t->err.code, SM_ERR_IO);
    assert_string_equal(look(t, false), "+a|b|");
}

static void see_json(void *ctx, const struct sm_log_line *line)
{
    sm_log_point(ctx, sm_log_series(ctx, "loss", 4), (int64_t)line->offset, NAN, 0.5);
}

static const char *lines_of(struct folder *t, const char *bytes, size_t n)
{
    put_bytes(t, "wb", bytes, n);
    return look(t, true);
}

#define LINES(bytes) lines_of(t, bytes, sizeof(bytes) - 1)

/* As shells of Windows write it: lines come as UTF-8. */
static void test_utf16(void **state)
{
    struct folder *t = *state;
    assert_string_equal(LINES("\xff\xfe"
                              "a\0\xfc\0\r\0\n\0b\0"),
                        "+\xef\xbb\xbf"
                        "a\xc3\xbc|b?");
    assert_int_equal(t->last_offset, 10);
    assert_string_equal(LINES("\xfe\xff\0a\0\n\x0a\x0a\0\n"), "!\xef\xbb\xbf"
                                                              "a|\xe0\xa8\x8a|");
    assert_string_equal(LINES("o\0n\0e\0\n\0"), "!one|");
    assert_string_equal(LINES("one\n"), "!one|");
}

/* A unit, a pair and a line end may be torn at any byte. */
static void test_utf16_grows(void **state)
{
    static const char text[] = "\xff\xfe"
                               "1\0\x3d\xd8\0\xde\r\0\n\0"
                               "2\0\n\0";
    struct folder *t = *state;
    struct sm_str all = {0};
    for (size_t i = 0; i < sizeof text - 1; i++) {
        put_bytes(t, "ab", text + i, 1);
        set_time(t, (int)i);
        sm_str_add(&all, look(t, false) + 1);
    }
    assert_string_equal(sm_str_text(&all), "\xef\xbb\xbf"
                                           "1\xf0\x9f\x98\x80|2|");
    sm_str_clear(&all);
}

static void test_text(void **state)
{
    struct folder *t = *state;
    char buf[4];
    size_t n;
    put_bytes(t, "wb", "a\0b\0\x3d\xd8\0\xde", 8);
    assert_int_equal(sm_log_file_look(&t->log, &t->err), SM_LOG_GROWN);
    assert_memory_equal(sm_log_file_take_text(&t->log, buf, 4, &n, &t->err), "ab", 2);
    assert_int_equal(n, 2);
    assert_memory_equal(sm_log_file_take_text(&t->log, buf, 4, &n, &t->err), "\xf0\x9f\x98\x80", 4);
    assert_int_equal(n, 4);
    sm_log_file_take_text(&t->log, buf, 4, &n, &t->err);
    assert_int_equal(n, 0);
}

/* The sink that tests of formats use. */
static void test_fake_sink(void **state)
{
    struct folder *t = *state;
    struct sm_log_sink *s = fake_sink_new();
    append(t, "a\nb\n");
    assert_false(sm_log_file_lines(&t->log, true, see_json, s, &t->err));
    assert_string_equal(fake_sink_points(s, "loss"), "0=0.5 2=0.5");
    sm_log_config(s, "lr", 2, "0.1", 3);
    assert_string_equal(fake_sink_take(s), "point loss 0 0.5\npoint loss 2 0.5\nconfig lr 0.1\n");
    sm_log_restart(s);
    assert_string_equal(fake_sink_points(s, "loss"), "");
    fake_sink_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_grows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rewritten, setup, teardown),
        cmocka_unit_test_setup_teardown(test_replaced_and_removed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_large, setup, teardown),
        cmocka_unit_test_setup_teardown(test_take, setup, teardown),
        cmocka_unit_test_setup_teardown(test_read_fails, setup, teardown),
        cmocka_unit_test_setup_teardown(test_utf16, setup, teardown),
        cmocka_unit_test_setup_teardown(test_utf16_grows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_text, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fake_sink, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
