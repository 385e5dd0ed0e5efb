#include "commands/place/args.h"

#include "commands/session/bookmark.h"

#include <stdlib.h>
#include <string.h>

/* The same from wherever the trial is opened; in the call's arena. */
const char *sm_args_bookmark_trial(struct sm_call *c)
{
    const char *path = sm_trial_path(sm_session_trial(c->session));
    char *whole = realpath(path, NULL),
         *kept = sm_arena_xstrndup(&c->arena, whole ? whole : path, strlen(whole ? whole : path));
    free(whole);
    return kept;
}

bool sm_args_bookmark(struct sm_call *c, char letter, struct sm_step *out)
{
    return sm_bookmarks_find(&c->session->bookmarks, sm_args_bookmark_trial(c), letter, &out->n);
}
