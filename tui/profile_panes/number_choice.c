/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/profile_panes/number_choice.h"

#include <string.h>

bool sm_number_set_has(const struct sm_number_set *s, int number)
{
    return number >= 0 && number < SM_NUMBERS_MOST &&
           (s->bits[number / 64] >> (number % 64) & 1) != 0;
}

void sm_number_set_flip(struct sm_number_set *s, int number)
{
    if (number >= 0 && number < SM_NUMBERS_MOST)
        s->bits[number / 64] ^= UINT64_C(1) << (number % 64);
}

int sm_number_of_name(const char *name)
{
    size_t n = strlen(name), from = n;
    int number = 0;
    while (from && name[from - 1] >= '0' && name[from - 1] <= '9')
        from--;
    for (size_t i = from; i < n && number < SM_NUMBERS_MOST; i++)
        number = 10 * number + (name[i] - '0');
    return from < n && number < SM_NUMBERS_MOST ? number : -1;
}

static int greatest(const struct sm_number_set *s)
{
    int i = SM_NUMBERS_MOST - 1;
    while (i >= 0 && !sm_number_set_has(s, i))
        i--;
    return i;
}

/* Whether a number is there that begins with these digits and has more of them; leading zeros fill
 * it up to the digits of the greatest. */
static bool goes_on(const struct sm_number_set *there, int typed, int digits)
{
    int most = greatest(there), length = 1;
    for (int rest = most; rest >= 10; rest /= 10)
        length++;
    return digits < length && typed * 10 <= most;
}

bool sm_number_choice_end(struct sm_number_choice *c, const struct sm_number_set *there)
{
    int number = c->typed;
    bool is_there = c->digits && sm_number_set_has(there, number);
    c->typed = c->digits = 0;
    if (is_there) {
        c->n += sm_number_set_has(&c->chosen, number) ? -1 : 1;
        sm_number_set_flip(&c->chosen, number);
    }
    return is_there;
}

bool sm_number_choice_type(struct sm_number_choice *c, const struct sm_number_set *there, int digit)
{
    c->typed = 10 * c->typed + digit;
    c->digits++;
    return goes_on(there, c->typed, c->digits) || sm_number_choice_end(c, there);
}
