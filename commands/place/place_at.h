/* What may follow an "@": [MODE:]STEP[/WORKER], or a mode alone. */
#ifndef SM_PLACE_AT_H
#define SM_PLACE_AT_H

#include "reader/base/str.h"

/* Parts of the text itself; n == 0: not given. A step that is a time keeps its "@", as step specs
 * want it. */
struct sm_at {
    struct sm_text mode, step, worker;
};
/* text begins with the "@". False: nothing follows it. */
bool sm_at_read(struct sm_text text, struct sm_at *out);

#endif
