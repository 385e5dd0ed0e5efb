/* SPDX-License-Identifier: Apache-2.0 */
/* A pickle of Python (protocols 0 to 5) as a tree of values. Nothing is executed: what would import
 * a module, call a function or make an object becomes a node that says so.
 *
 * Values are numbered nodes in one array. A value may stand in several places, and may hold itself,
 * as in Python: whoever walks the tree counts what it visits. Reading is a loop without recursion.
 * Its time grows with the bytes read, and its memory has a limit. */
#ifndef SM_PICKLE_H
#define SM_PICKLE_H

#include "reader/base/mem.h"
#include "reader/pickle/byte_stream.h"

enum sm_pickle_kind {
    SM_PICKLE_NONE,
    SM_PICKLE_BOOL,
    SM_PICKLE_INTEGER,
    SM_PICKLE_LONG, /* an integer of more than 64 bits, as text: decimal, or 0x... if it is long */
    SM_PICKLE_REAL,
    SM_PICKLE_TEXT, /* UTF-8, not checked; lone surrogates as three bytes */
    SM_PICKLE_BYTES,
    SM_PICKLE_TUPLE,
    SM_PICKLE_LIST,
    SM_PICKLE_SET,
    SM_PICKLE_DICT,       /* items are key, value, key, value, ... */
    SM_PICKLE_GLOBAL,     /* a name that would be imported: "module.name" */
    SM_PICKLE_OBJECT,     /* what a call would make */
    SM_PICKLE_PERSISTENT, /* an object kept outside of the pickle, by its identifier */
};

/* Text and bytes that were too long to keep: where they are in the stream. */
struct sm_pickle_far {
    uint64_t offset, size_bytes;
};

/* What callable(*args, **keywords) or callable.__new__ would make, with what is added to it then.
 * Numbers of nodes; 0 (None) if there is no such part. */
struct sm_pickle_object {
    uint32_t callable, args, keywords;
    uint32_t state; /* of BUILD */
    uint32_t list;  /* a list: what APPEND adds */
    uint32_t dict;  /* a dict: what SETITEM adds */
};

struct sm_pickle_node {
    uint8_t kind; /* enum sm_pickle_kind */
    bool is_far;  /* TEXT and BYTES: `far` instead of `text` */
    uint32_t n;   /* bytes of the text; items of a container: twice the pairs of a dict */
    union {
        bool truth;
        int64_t integer;
        double real;
        const char *text;
        const struct sm_pickle_far *far;
        uint32_t *items; /* numbers of nodes */
        struct sm_pickle_object *object;
        uint32_t inner; /* of PERSISTENT: the identifier */
    };
};

/* Zero-initialised is empty. Node 0 is None. */
struct sm_pickle {
    struct sm_pickle_node *nodes;
    size_t n_nodes, cap_nodes;
    uint32_t root;
    unsigned protocol;
    size_t limit_bytes;    /* of memory */
    struct sm_arena arena; /* texts, items and objects */
};

/* Reads one pickle from where the stream stands, and leaves the stream after it. At most
 * `limit_bytes` of memory are used; more is SM_ERR_LIMIT. The message of an error says at which
 * byte of the stream. After an error the tree has what was read before it: what was complete, in
 * the containers that it was read for; root 0 if that is nothing. */
struct sm_pickle_input;
bool sm_pickle_read(struct sm_pickle *tree, struct sm_pickle_input *in, size_t limit_bytes,
                    struct sm_err *err);
void sm_pickle_clear(struct sm_pickle *tree);

/* A stream, read through a buffer, from which several pickles may be read after one another. */
enum { SM_PICKLE_PIECE = 64 * 1024, SM_PICKLE_BYTES_NEAR = 256 }; /* longer texts, bytes are far */
struct sm_pickle_input {
    struct sm_byte_stream *stream;
    uint8_t *buffer; /* of SM_PICKLE_PIECE bytes, made when it is first needed */
    size_t at, n;    /* what is next in it, what is in it */
};
void sm_pickle_input_clear(struct sm_pickle_input *in);
/* Where in the stream the next byte is. */
uint64_t sm_pickle_input_offset(const struct sm_pickle_input *in);
/* The next n bytes, at most SM_PICKLE_PIECE; NULL: there are fewer. Taken off the input. */
const uint8_t *sm_pickle_input_take(struct sm_pickle_input *in, size_t n, struct sm_err *err);
/* The bytes up to the next line end, without it, which is taken off too. */
bool sm_pickle_input_line(struct sm_pickle_input *in, struct sm_text *out, struct sm_err *err);
bool sm_pickle_input_skip(struct sm_pickle_input *in, uint64_t n, struct sm_err *err);

/* ---- looking at a tree ---- */

static inline const struct sm_pickle_node *sm_pickle_node(const struct sm_pickle *t, uint32_t i)
{
    return &t->nodes[i];
}
static inline enum sm_pickle_kind sm_pickle_kind(const struct sm_pickle *t, uint32_t i)
{
    return (enum sm_pickle_kind)t->nodes[i].kind;
}
/* The text of TEXT and GLOBAL; empty for others, and for what is far. */
struct sm_text sm_pickle_text(const struct sm_pickle *t, uint32_t i);
/* Whether a node is the name `module.name`; those of Python 2 are known as those of Python 3. */
bool sm_pickle_is_global(const struct sm_pickle *t, uint32_t i, const char *name);
/* The object of a node, or NULL. */
const struct sm_pickle_object *sm_pickle_object(const struct sm_pickle *t, uint32_t i);
/* The object of a node if it is made by this name, or NULL. */
const struct sm_pickle_object *sm_pickle_made_by(const struct sm_pickle *t, uint32_t i,
                                                 const char *name);
/* Item number k of a tuple or list; 0 if there is none. */
uint32_t sm_pickle_item(const struct sm_pickle *t, uint32_t i, size_t k);
/* The value of a key that is a text, in a dict; the last one. False: there is none. */
bool sm_pickle_get(const struct sm_pickle *t, uint32_t dict, const char *key, uint32_t *value);
/* False: it is no integer (bool is), or has more than 64 bits. */
bool sm_pickle_integer(const struct sm_pickle *t, uint32_t i, int64_t *out);

#endif
