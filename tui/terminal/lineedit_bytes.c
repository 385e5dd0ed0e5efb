/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes that readline gets. Its searches read until a character is complete, and a paste until
 * its end, so it is given complete ones: it never waits, and the loop goes on. */
#include "tui/terminal/lineedit.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <readline/readline.h>

enum { PASTE_MAX = 16 << 20, MORE_MS = 20 };
static const char paste_begin[] = "\033[200~", paste_end[] = "\033[201~";

static struct {
    struct sm_str queue; /* for readline, from `taken` */
    size_t taken;
    size_t begins; /* bytes of paste_begin that came last */
    bool pasting;  /* the queue has a paste without its end */
} input;

static int get_byte(FILE *f)
{
    (void)f;
    return input.taken < input.queue.len ? (unsigned char)input.queue.data[input.taken++] : EOF;
}

static int is_byte_queued(void)
{
    return input.taken < input.queue.len;
}

/* Esc alone is a key of vi mode; the rest of a sequence comes within some milliseconds. */
static int is_byte_near(void)
{
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    bool after_esc = input.taken && input.queue.data[input.taken - 1] == '\033';
    return is_byte_queued() || (after_esc && poll(&p, 1, MORE_MS) > 0);
}

void sm_lineedit_take_bytes(bool terminal)
{
    rl_getc_function = get_byte;
    rl_input_available_hook = terminal ? is_byte_near : is_byte_queued;
}

void sm_lineedit_drop_bytes(void)
{
    sm_str_clear(&input.queue);
    input.taken = input.begins = 0;
    input.pasting = false;
}

/* The length of the character that starts with this byte; 1 for an invalid byte. */
static size_t length_of(unsigned char first)
{
    return first >= 0xf0 && first < 0xf8 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;
}

/* Whether the queue is complete with this byte, which is its last one. */
static bool is_complete(unsigned char byte)
{
    const struct sm_str *q = &input.queue;
    size_t end = sizeof paste_end - 1;
    if (input.pasting)
        return q->len > PASTE_MAX ||
               (q->len > end && memcmp(q->data + q->len - end, paste_end, end) == 0);
    bool broken = q->len > 1 && (byte & 0xc0) != 0x80;
    return broken || q->len >= length_of((unsigned char)q->data[0]);
}

/* Whether this byte is the last of the sequence that begins a paste. */
static bool begins_paste(unsigned char byte)
{
    if (byte != (unsigned char)paste_begin[input.begins])
        input.begins = 0;
    input.begins += byte == (unsigned char)paste_begin[input.begins];
    bool begins = input.begins == sizeof paste_begin - 1;
    input.begins = begins ? 0 : input.begins;
    return begins;
}

/* Version 8.2 crashes on a key such as C-x, which begins a sequence, during a search. */
static void end_search_before(unsigned char byte)
{
    if (byte != '\033' && rl_get_keymap()[byte].type == ISKMAP)
        sm_lineedit_end_search();
}

void sm_lineedit_byte(unsigned char byte)
{
    sm_str_addc(&input.queue, (char)byte);
    if (!input.pasting && begins_paste(byte)) {
        input.pasting = true;
        return;
    }
    if (!is_complete(byte))
        return;
    input.pasting = false;
    end_search_before((unsigned char)input.queue.data[0]);
    while (is_byte_queued())
        rl_callback_read_char();
    sm_lineedit_drop_bytes();
}

void sm_lineedit_end_search(void)
{
    if (!RL_ISSTATE(RL_STATE_ISEARCH))
        return;
    rl_stuff_char('\n'); /* one of isearch-terminators */
    rl_callback_read_char();
}
