/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of a report of HTML share. */
#ifndef SM_SHEET_HTML_H
#define SM_SHEET_HTML_H

#include "commands/profile/sheet.h"

enum { SM_HTML_COLOURS = 6 }; /* classes c0, c1 ... of the style */
/* Adds a text that may hold any bytes, or an element with it. */
void sm_html_text(struct sm_str *s, const char *text);
void sm_html_element(struct sm_str *s, const char *name, const char *text);

#endif
