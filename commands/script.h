/* A list of lines that are being run: a file, or a text that stands for one line. Scripts that source others stack. */
#ifndef SM_SCRIPT_H
#define SM_SCRIPT_H

#include "reader/base/err.h"
#include "reader/base/str.h"

enum { SM_SCRIPT_DEPTH_MAX = 64, SM_SCRIPT_BYTES_MAX = 16 << 20 };

struct sm_setting;
struct sm_script {
    char *name;                          /* as in messages; NULL: no file */
    struct sm_str text;
    size_t at;
    unsigned line, next_line;            /* number of the line last taken; of the one behind it */
    bool trace;                          /* source -v */
    char **args;                         /* $arg0 ... */
    size_t n_args;
    const struct sm_setting *restores;   /* when it ends, this gets the value `before`; NULL: none */
    char *before;
    struct sm_script *below;             /* who runs it */
};
/* Reads a whole file; "-" is stdin. SM_ERR_USAGE when it cannot be read. */
struct sm_script *sm_script_read(const char *path, struct sm_err *err);
struct sm_script *sm_script_of_text(const char *text);
void sm_script_free(struct sm_script *s);                  /* not those below */

/* Appends the next line without its end; lines ended by '\' are joined. False: no more. */
bool sm_script_next(struct sm_script *s, struct sm_str *line);
/* Replaces $argc and $arg0... in a line by the nearest script's arguments, quoted where they need it. Only when it has any. */
bool sm_script_expand(const struct sm_script *s, struct sm_str *line, struct sm_err *err);
void sm_script_place(const struct sm_script *s, struct sm_str *out);       /* "file:12: "; nothing without a file */
void sm_script_chain(const struct sm_script *s, struct sm_str *out);       /* " (sourced from a:3)", for each file below */
unsigned sm_script_depth(const struct sm_script *s);

#endif
