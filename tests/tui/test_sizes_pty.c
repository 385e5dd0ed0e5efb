/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard on a terminal that changes its size: every size of 2..120 x 1..50 and some up to
 * 500x200, in random order, with keys in between; storms of sizes that nobody waits for; a size
 * that comes while it starts or that the person set. SIZES=N goes through N sizes, SEED=N goes
 * through them in that order. */
#include "tests/tui/dashboard_child.h"

enum {
    LEAST_W = 2,
    ALL_W = 120,
    ALL_H = 50,
    LARGE = 40,
    LARGE_W = 500,
    LARGE_H = 200,
    STORM = 400,
    STARTS = 60,
    POISON = 0x2fff
};
#if defined __SANITIZE_ADDRESS__
enum { SIZES = 1200 };
#elif defined __has_feature
enum { SIZES = __has_feature(address_sanitizer) ? 1200 : (ALL_W - LEAST_W + 1) * ALL_H + LARGE };
#else
enum { SIZES = (ALL_W - LEAST_W + 1) * ALL_H + LARGE };
#endif

struct size {
    int w, h;
};

static uint32_t seed;

static uint32_t chance(uint32_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

/* ---- every size once, shuffled ---- */

static struct size all_sizes[(ALL_W - LEAST_W + 1) * ALL_H + LARGE];

static void shuffle_sizes(void)
{
    size_t n = 0;
    /* in one column every character wraps, and the last one may scroll the screen */
    for (int w = LEAST_W; w <= ALL_W; w++)
        for (int h = 1; h <= ALL_H; h++)
            all_sizes[n++] = (struct size){w, h};
    for (int i = 0; i < LARGE; i++)
        all_sizes[n++] =
            (struct size){LEAST_W + (int)chance(LARGE_W - 1), 1 + (int)chance(LARGE_H)};
    for (size_t i = n - 1; i; i--) {
        size_t k = chance((uint32_t)i + 1);
        struct size other = all_sizes[k];
        all_sizes[k] = all_sizes[i];
        all_sizes[i] = other;
    }
}

/* ---- keys in between, and the mode that they leave ---- */

struct keys {
    const char *text, *mode;
};

/* What changes more than the place of the cursor is undone by the same keys; y and o go round three
 * things in charts, two in values. */
static const struct keys groups[] = {
    {"\t", "NORMAL"},
    {"\033[Z", "NORMAL"},
    {"z", "NORMAL"},
    {"O", "NORMAL"},
    {"j", "NORMAL"},
    {"G", "NORMAL"},
    {"k", "NORMAL"},
    {"g", "NORMAL"},
    {"\004", "NORMAL"},
    {"\025", "NORMAL"},
    {"\006", "NORMAL"},
    {"[[[", "NORMAL"},
    {"{", "NORMAL"},
    {"]}", "NORMAL"},
    {"f", "NORMAL"},
    {"?", "NORMAL"},
    {"L", "NORMAL"},
    {"LLLL", "NORMAL"},
    {"5", "NORMAL"},
    {"3", "NORMAL"},
    {"tt", "NORMAL"},
    {"><II", "NORMAL"},
    {"yyyyyyxxxooo", "NORMAL"},
    {"\014", "NORMAL"},
    {"e", "NORMAL"},
    {"aaa", "NORMAL"},
    {"n", "NORMAL"},
    {":print 6*7", "COMMAND"},
    {":tensor \t", "COMMAND"},
    {"cP", "NORMAL"},
    {"S", "NORMAL"},
    {":winheight value +5\r", "NORMAL"},
    {":winwidth tensors 200\r", "NORMAL"},
    {":pane scalars hide\r", "NORMAL"},
    {":pane value show\r", "NORMAL"},
    {":winheight scalars -50\r", "NORMAL"},
    {":tui reset-layout\r", "NORMAL"},
    {":heatmap CNN_fc0.weight\r", "NORMAL"},
    {":plot CNN_fc0.bias\r", "NORMAL"},
    {"/bias", "SEARCH"},
    {"\\conv", "FILTER"},
    {":tensors\r", "NORMAL"},
    {":layout next\r", "NORMAL"},
    {":focus events\r", "NORMAL"},
};

/* Ctrl-C leaves every mode, and means nothing where none was entered. */
static const char *type_some(const char *mode)
{
    const struct keys *k = &groups[chance(sizeof groups / sizeof *groups)];
    if (strcmp(mode, "NORMAL") != 0)
        type("\003");
    type(k->text);
    return k->mode;
}

/* ---- the screen ---- */

static void poison(int w, int h)
{
    vt_resize(&screen, w, h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            screen.cells[y][x].rune = POISON;
}

static bool is_poisoned(void)
{
    for (int y = 0; y < screen.h; y++)
        for (int x = 0; x < screen.w; x++)
            if (screen.cells[y][x].rune == POISON)
                return true;
    return false;
}

/* Every frame that is begun is ended; the axes of charts have corners at the left, too. */
static bool has_frames(void)
{
    static const uint32_t corners[] = {0x250c, 0x2510, 0x2518};
    size_t n[3] = {0};
    for (int y = 0; y < screen.h; y++)
        for (int x = 0; x < screen.w; x++)
            for (size_t k = 0; k < 3; k++)
                n[k] += screen.cells[y][x].rune == corners[k];
    return n[0] == n[1] && n[0] == n[2];
}

static bool row_begins(int y, const char *text)
{
    return strncmp(vt_row(&screen, y), text, strlen(text)) == 0;
}

/* Adds what is not blank. */
static void add_marks(char *to, const char *text)
{
    size_t n = strlen(to);
    for (; *text; text++)
        if (*text != ' ')
            to[n++] = *text;
    to[n] = 0;
}

/* The reason stands in as many lines as it needs and there are, but for the last one. */
static bool is_too_small(int w, int h)
{
    char text[64], all[64] = "", seen[512] = "";
    snprintf(text, sizeof text, "terminal too small (%dx%d), need 40x10", w, h);
    add_marks(all, text);
    int last = h > 1 ? h - 2 : 0;
    for (int y = 0; y <= last && strlen(seen) < 64; y++)
        add_marks(seen, vt_row(&screen, y));
    bool whole = strcmp(seen, all) == 0;
    return whole || (*seen && *vt_row(&screen, last) && strncmp(all, seen, strlen(seen)) == 0);
}

/* NULL: it is what a screen of its size has to be; else what is not. */
static const char *complaint(const char *mode)
{
    int w = screen.w, h = screen.h;
    if (is_poisoned())
        return "not every cell was drawn";
    if (w < 40 || h < 10)
        return is_too_small(w, h) ? NULL : "it does not say that it is too small";
    if (!strstr(vt_row(&screen, 0), "ended  cnn_healthy"))
        return "no status line";
    /* "/" filters a pane that has no search */
    bool filters = strcmp(mode, "SEARCH") == 0 && row_begins(h - 1, "FILTER");
    if (h >= 14 && !row_begins(h - 1, mode) && !filters)
        return "not the mode that was entered";
    return has_frames() || strcmp(mode, "COMMAND") == 0 ? NULL : "a frame is broken";
}

/* What was seen need not be kept. */
static void take(void)
{
    vt_take(&screen, &term);
    if (screen.taken == term.seen.len) {
        sm_str_truncate(&term.seen, 0);
        screen.taken = 0;
    }
}

static void expect_screen(uint32_t first_seed, const char *mode)
{
    for (take(); complaint(mode); take())
        if (!pty_hear(&term)) {
            print_error("SEED=%u, %dx%d, %s\n", first_seed, screen.w, screen.h, mode);
            vt_fail(&screen, complaint(mode));
        }
    assert_string_equal(screen.unknown, "");
}

/* ---- the same as another screen ---- */

static struct vt fresh;

/* A blank has no colour to be seen. */
static uint32_t look_of(const struct vt_cell *c)
{
    return c->rune == ' ' && !(c->style & (VT_REVERSE | VT_UNDERLINE))
               ? c->style / VT_BACK % VT_BACK
               : c->style;
}

/* A row that is not that of the fresh one; -1: all are. The status line has ages and sizes. */
static int row_that_differs(void)
{
    for (int y = 1; y < fresh.h; y++)
        for (int x = 0; x < fresh.w; x++)
            if (screen.cells[y][x].rune != fresh.cells[y][x].rune ||
                look_of(&screen.cells[y][x]) != look_of(&fresh.cells[y][x]))
                return y;
    return strstr(vt_row(&screen, 0), "ended  cnn_healthy   at step 101 (eval 11), newest 101") ? -1
                                                                                                : 0;
}

static void expect_fresh(uint32_t first_seed)
{
    for (take(); row_that_differs() >= 0; take())
        if (!pty_hear(&term)) {
            int y = row_that_differs();
            print_error("SEED=%u: row %d should be\n%s\n", first_seed, y, vt_row(&fresh, y));
            vt_fail(&screen, "it is not the screen of a program that has just begun");
        }
}

/* As it was at the start, whatever stood above it. */
static void type_back(const char *answer)
{
    type("\003:layout main\r:tui reset-layout\r:pane value set view statistics\r:pane "
         "scalars set order kind\r:range off\r:focus tensors\r:print 6*7\r");
    expect(answer);
    type("\033");
    type("2g1gjk$");
}

/* A terminal that is not the one that was: every cell has to come again. */
static void return_to_80x24(uint32_t first_seed)
{
    poison(GOLDEN_W, GOLDEN_H);
    resize(GOLDEN_W, GOLDEN_H);
    type_back("$2 = 42");
    expect_fresh(first_seed);
}

static uint32_t begin(void)
{
    const char *given = getenv("SEED");
    seed = given ? (uint32_t)strtoul(given, NULL, 10) : (uint32_t)time(NULL);
    uint32_t first_seed = seed;
    print_message("SEED=%u\n", first_seed);
    start_on_the_trial("");
    type_back("$1 = 42");
    vt_expect_gone(&screen, &term, "$1 = 42");
    expect("NORMAL");
    fresh = screen;
    return first_seed;
}

/* ---- tests ---- */

static void test_every_size(void **state)
{
    (void)state;
    const char *given = getenv("SIZES"), *mode = "NORMAL";
    uint32_t first_seed = begin();
    size_t n = given ? strtoul(given, NULL, 10) : SIZES, all = sizeof all_sizes / sizeof *all_sizes;
    for (size_t i = 0; i < n; i++) {
        if (i % all == 0)
            shuffle_sizes();
        poison(all_sizes[i % all].w, all_sizes[i % all].h);
        resize(all_sizes[i % all].w, all_sizes[i % all].h);
        if (i % 3 == 0)
            mode = type_some(mode);
        expect_screen(first_seed, mode);
    }
    return_to_80x24(first_seed);
    type("Q");
    assert_int_equal(finish(), 0);
}

/* Nobody waits for a frame, and what comes is read or not. */
static void test_a_storm_of_sizes(void **state)
{
    (void)state;
    const char *mode = "NORMAL";
    uint32_t first_seed = begin();
    for (int i = 0; i < STORM; i++) {
        struct pollfd f = {.fd = term.fd, .events = POLLIN};
        resize(1 + (int)chance(LARGE_W), 1 + (int)chance(LARGE_H));
        if (i % 7 == 0)
            mode = type_some(mode);
        while (i % 5 && poll(&f, 1, 0) > 0)
            assert_true(pty_hear(&term));
    }
    for (int w = 1; w <= 3; w++)
        for (int h = 1; h <= 3; h++)
            resize(w, h);
    return_to_80x24(first_seed);
    type("Q");
    assert_int_equal(finish(), 0);
}

static void test_another_size_and_back(void **state)
{
    (void)state;
    static const int sizes[][2] = {{160, 50}, {40, 10}, {1, 1},   {300, 100},
                                   {80, 1},   {1, 24},  {81, 24}, {80, 25}};
    start_on_the_trial("");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        resize(sizes[i][0], sizes[i][1]);
        resize(GOLDEN_W, GOLDEN_H);
        type("?");
        expect("q closes");
        type("q");
        expect_golden();
    }
    type("Q");
    assert_int_equal(finish(), 0);
}

static void expect_keys_in_row(int y)
{
    for (vt_take(&screen, &term); strncmp(vt_row(&screen, y), "NORMAL", 6) != 0;
         vt_take(&screen, &term))
        if (!pty_hear(&term))
            vt_fail(&screen, "the key line is elsewhere");
}

static void test_another_size_while_it_starts(void **state)
{
    (void)state;
    for (int i = 0; i < STARTS; i++) {
        char first = 0;
        start("-n tests/trials/cnn_healthy");
        while (i % 2 && !first)
            assert_int_equal(read(term.fd, &first, 1), 1);
        for (volatile int moment = 0; moment < i * 20000; moment++)
            ;
        resize(100, 30);
        vt_resize(&screen, 100, 30);
        expect_keys_in_row(29);
        type("Q");
        while (pty_hear(&term))
            ;
        assert_int_equal(pty_finish(&term), 0);
    }
}

static void test_a_size_that_the_person_set(void **state)
{
    (void)state;
    start("COLUMNS=60 LINES=20 -n tests/trials/cnn_healthy");
    vt_resize(&screen, 60, 20);
    expect_keys_in_row(19);
    resize(100, 30);
    type("?");
    expect("q closes");
    type("q");
    vt_expect_gone(&screen, &term, "q closes");
    expect_keys_in_row(19);
    type("Q");
    assert_int_equal(finish(), 0);
}

/* In a shell with job control, as a person has it. */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_size, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_storm_of_sizes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_another_size_and_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_another_size_while_it_starts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_size_that_the_person_set, set_up, tear_down),
    };
    if (!prepare())
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
