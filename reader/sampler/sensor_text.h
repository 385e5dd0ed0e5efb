/* SPDX-License-Identifier: Apache-2.0 */
/* Words and numbers in the text of /proc and /sys. Each function takes what it reads off the front
 * of `rest`; time is linear in the bytes that are read. Text is untrusted. */
#ifndef SM_SENSOR_TEXT_H
#define SM_SENSOR_TEXT_H

#include "reader/base/str.h"

bool sm_sensor_line(struct sm_text *rest, struct sm_text *line); /* without its end; false: none */
bool sm_sensor_word(struct sm_text *line, struct sm_text *word); /* between blanks; false: none */
/* The next word, if it is a number that fits; false: it is not, and was taken all the same. */
bool sm_sensor_u64(struct sm_text *line, uint64_t *out);
/* A whole word as a number. */
bool sm_sensor_number(struct sm_text word, uint64_t *out);
/* The number after the word `key` at the start of a line ("MemTotal:", "oom_kill"). */
bool sm_sensor_value(struct sm_text text, const char *key, uint64_t *out);
/* Whether the text begins with this, which is then taken off. */
bool sm_sensor_prefix(struct sm_text *text, const char *prefix);

#endif
