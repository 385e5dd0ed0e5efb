/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/terminal/key_action.h"

#include "tui/terminal/screen.h"

#include <string.h>

static const struct sm_action_row rows[SM_ACT_COUNT] = {
#define SM_ACTION_ROW(id, name, context, keys, help)                                               \
    [SM_ACT_##id] = {SM_ACT_##id, name, keys, help, SM_CTX_##context},
    SM_ACTIONS(SM_ACTION_ROW)
#undef SM_ACTION_ROW
};

const struct sm_action_row *sm_action_row(enum sm_key_action a)
{
    return &rows[a];
}

enum sm_key_action sm_action_of_name(const char *name)
{
    for (int a = SM_ACT_NONE + 1; a < SM_ACT_COUNT; a++)
        if (strcmp(rows[a].name, name) == 0)
            return (enum sm_key_action)a;
    return SM_ACT_NONE;
}

enum sm_context sm_context_of_name(const char *name)
{
    int c = SM_CTX_ALL;
    while (c < SM_CONTEXTS && strcmp(sm_context_name((enum sm_context)c), name) != 0)
        c++;
    return (enum sm_context)c;
}

const char *sm_context_name(enum sm_context c)
{
    static const char *const names[] = {"everywhere", "list", "plot", "value", "help"};
    return names[c];
}

static const struct {
    const char *name;
    int key;
} names[] = {
    {"Tab", SM_KEY_TAB},
    {"S-Tab", SM_KEY_BACKTAB},
    {"Enter", SM_KEY_ENTER},
    {"Esc", SM_KEY_ESC},
    {"Space", ' '},
    {"Up", SM_KEY_UP},
    {"Down", SM_KEY_DOWN},
    {"Left", SM_KEY_LEFT},
    {"Right", SM_KEY_RIGHT},
    {"Home", SM_KEY_HOME},
    {"End", SM_KEY_END},
    {"PgUp", SM_KEY_PGUP},
    {"PgDn", SM_KEY_PGDN},
    {"Backspace", SM_KEY_BACKSPACE},
    {"PasteBegin", SM_KEY_PASTE_BEGIN},
    {"PasteEnd", SM_KEY_PASTE_END},
    {"Delete", SM_KEY_DELETE},
    {"Insert", SM_KEY_INSERT},
};

int sm_key_of_name(const char *name, size_t n)
{
    struct sm_text t = {name, n};
    uint32_t rune;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sm_text_is(t, names[i].name))
            return names[i].key;
    if (n == 3 && name[0] == 'C' && name[1] == '-')
        return name[2] & 31;
    if (n >= 2 && name[0] == 'F' && name[1] >= '1' && name[1] <= '9') {
        int number = name[1] - '0';
        if (n == 3)
            number = number * 10 + name[2] - '0';
        return number <= 12 ? SM_KEY_F1 + number - 1 : SM_KEY_NONE;
    }
    return sm_utf8_decode(name, n, &rune) == n ? (int)rune : SM_KEY_NONE;
}

void sm_key_name(int key, struct sm_str *out)
{
    char bytes[4];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].key == key) {
            sm_str_add(out, names[i].name);
            return;
        }
    if (key >= SM_KEY_F1 && key <= SM_KEY_F12)
        sm_str_printf(out, "F%d", key - SM_KEY_F1 + 1);
    else if (key < ' ')
        sm_str_printf(out, "C-%c", key < 27 ? key + 'a' - 1 : key + '@');
    else
        sm_str_addn(out, bytes, sm_utf8_encode((uint32_t)key, bytes));
}

static bool has_key(const char *keys, int key)
{
    while (*keys) {
        size_t n = strcspn(keys, " ");
        if (sm_key_of_name(keys, n) == key)
            return true;
        keys += n + (keys[n] == ' ');
    }
    return false;
}

enum sm_key_action sm_keymap_find(int key, enum sm_context context)
{
    enum sm_key_action found = SM_ACT_NONE;
    for (int a = SM_ACT_NONE + 1; a < SM_ACT_COUNT; a++) {
        if (!has_key(rows[a].keys, key))
            continue;
        if (rows[a].context == context)
            return (enum sm_key_action)a;
        if (rows[a].context == SM_CTX_ALL)
            found = (enum sm_key_action)a;
    }
    return found;
}
