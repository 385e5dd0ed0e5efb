/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a command: a tree for other programs and blocks for text output, built from the
 * same values.
 *
 * The options -json, -jsonl, -csv, -tsv and -field print the tree (its keys: doc/language.md); text
 * output prints the blocks. A command never prints directly. Everything is allocated in the arena
 * of the result and is freed after the line.
 *
 * The room commands/answer turns results into bytes: the result (this header), the printers and
 * their options (print.h, print_cell.h), digits as numpy prints them (digits.h, float_format.h),
 * elements and values as a format asks (format.h, element_format.h, value_line.h), JSON as a tree
 * (json_tree.h), and what a listing could not read (read_errors.h). */
#ifndef SM_RESULT_H
#define SM_RESULT_H

#include "commands/answer/format.h"
#include "plot/grid/cell.h"
#include "reader/base/mem.h"
#include "reader/tensor/tensor.h"

enum sm_node_type {
    SM_NODE_NULL,
    SM_NODE_BOOL,
    SM_NODE_INT,
    SM_NODE_UINT,
    SM_NODE_DOUBLE,
    SM_NODE_FLOAT /* printed with at most 9 digits */,
    SM_NODE_TEXT,
    SM_NODE_LIST,
    SM_NODE_MAP,
    SM_NODE_TENSOR /* nested arrays */
};
struct sm_node {
    enum sm_node_type type;
    const char *key; /* within a map */
    union {
        bool b;
        int64_t i;
        uint64_t u;
        double d;
        struct sm_text text;      /* raw bytes; the printers escape them */
        struct sm_tensor *tensor; /* the result has a reference */
    };
    bool whole;                          /* TENSOR: do not elide (-a) */
    bool bytes;                          /* DOUBLE: text shows it as bytes, 1.5M */
    struct sm_node *first, *last, *next; /* children of LIST and MAP */
};

/* A column of a listing: its key, header and format. Text, CSV and -field use the same columns. */
enum sm_column_format {
    SM_COL_PLAIN,
    SM_COL_NUMBER /* %.5g */,
    SM_COL_BYTES,
    SM_COL_TIME,
    SM_COL_DURATION, /* of nanoseconds */
    SM_COL_SHAPE,
    SM_COL_LIST /* a,b,c */,
    SM_COL_SPARK, /* a list of numbers, drawn as a sparkline; not in CSV */
    SM_COL_MARK,  /* a bool: true prints the header, or "*" if that is " " */
};
struct sm_column {
    const char *key, *header;
    enum sm_column_format format;
    bool hidden;    /* in text only if -field names it */
    bool spare;     /* omitted where lines would be too long for names */
    bool text_only; /* not in CSV */
    bool wraps;     /* sentences: wrapped if the line is too narrow */
    bool below;     /* sentences: on separate lines below the row */
};

enum sm_block_kind {
    SM_BLOCK_TEXT,    /* a line or paragraph, not wrapped */
    SM_BLOCK_PIECE,   /* part of a line; the next output continues the line */
    SM_BLOCK_PROSE,   /* paragraphs, wrapped if the width is known */
    SM_BLOCK_DIM,     /* a hint, printed dim */
    SM_BLOCK_TABLE,   /* rows (a LIST of MAPs) under columns */
    SM_BLOCK_FIELDS,  /* a MAP as "header  value" lines under columns */
    SM_BLOCK_ARRAY,   /* a tensor in the format of numpy */
    SM_BLOCK_GRID,    /* a plot */
    SM_BLOCK_GRAPHIC, /* escape sequences for a terminal that can show images */
};
struct sm_block {
    enum sm_block_kind kind;
    const char *text; /* untrusted parts are already escaped */
    const struct sm_node *node;
    const struct sm_column *columns;
    size_t n_columns;
    bool whole;              /* ARRAY: do not elide */
    struct sm_format format; /* ARRAY: of its elements */
    size_t hang;             /* PROSE: indent of the lines after the first */
    struct sm_grid *grid;
    struct sm_block *next;
};

struct sm_result {
    struct sm_arena arena;
    struct sm_node *root;            /* NULL if the command has only text output */
    const struct sm_node *rows;      /* the part that tables and -field print; NULL: the root */
    const struct sm_column *columns; /* of the rows, a list of maps or one map */
    size_t n_columns;
    struct sm_block *first, *last;
    struct sm_tensor **tensors; /* to unref */
    size_t n_tensors, cap_tensors;
    struct sm_grid **grids; /* to clear */
    size_t n_grids, cap_grids;
    bool stopped;    /* it reports a stop: run hook-stop before printing */
    bool passes;     /* print nothing, not even null: the lines that run next print the result */
    bool verdict;    /* success, but the exit status is that of a failed claim */
    bool missing;    /* success, but exit status 4: nothing of what was asked for is there */
    bool asks;       /* it asks a question: the same line runs again, confirmed, if "y" follows */
    bool quit;       /* end the session with quit_status */
    int quit_status; /* -1: use the status of the first failure */
};
void sm_result_init(struct sm_result *r);
void sm_result_reset(struct sm_result *r); /* empties it: a command that waited runs again */
void sm_result_clear(struct sm_result *r);
/* r->rows, or the root; NULL if there is no tree. */
const struct sm_node *sm_result_rows(const struct sm_result *r);

/* Functions that add a node to a LIST (key NULL) or MAP `parent`. Keys are borrowed and must
 * outlive the result (string literals); texts are copied. The first node with parent NULL becomes
 * the root; set r->root to select another. */
struct sm_node *sm_node_map(struct sm_result *r, struct sm_node *parent, const char *key);
struct sm_node *sm_node_list(struct sm_result *r, struct sm_node *parent, const char *key);
void sm_node_null(struct sm_result *r, struct sm_node *parent, const char *key);
void sm_node_bool(struct sm_result *r, struct sm_node *parent, const char *key, bool v);
void sm_node_int(struct sm_result *r, struct sm_node *parent, const char *key, int64_t v);
void sm_node_int_or_null(struct sm_result *r, struct sm_node *parent, const char *key, bool known,
                         int64_t v);
void sm_node_uint(struct sm_result *r, struct sm_node *parent, const char *key, uint64_t v);
void sm_node_double(struct sm_result *r, struct sm_node *parent, const char *key, double v,
                    bool single);
/* bytes: v is a number of bytes, or of bytes a second; text says 1.5M. */
void sm_node_measure(struct sm_result *r, struct sm_node *parent, const char *key, double v,
                     bool bytes);
/* z NULL adds null. */
void sm_node_text(struct sm_result *r, struct sm_node *parent, const char *key, const char *z);
void sm_node_textn(struct sm_result *r, struct sm_node *parent, const char *key, const char *p,
                   size_t n);
/* Takes a reference to t. */
void sm_node_tensor(struct sm_result *r, struct sm_node *parent, const char *key,
                    struct sm_tensor *t, bool whole);
/* Adds the element at p with its exact value: a number, a bool, or for complex types a list of two.
 */
void sm_node_element(struct sm_result *r, struct sm_node *parent, const char *key, enum sm_dtype d,
                     const uint8_t *p);
/* Seconds since 1970; NaN, which is not known, becomes null. */
void sm_node_time(struct sm_result *r, struct sm_node *parent, const char *key, double seconds);
/* An integer exactly, else as sm_node_double. */
void sm_node_exact(struct sm_result *r, struct sm_node *parent, const char *key,
                   const struct sm_exact *x, bool single);
void sm_node_dims(struct sm_result *r, struct sm_node *parent, const char *key,
                  const uint64_t *dims, unsigned n_dims);
const struct sm_node *sm_node_get(const struct sm_node *map, const char *key); /* or NULL */
/* Adds a copy of a node of another result, with its children; returns it. */
struct sm_node *sm_node_copy(struct sm_result *r, struct sm_node *parent,
                             const struct sm_node *from);

/* Functions that add a block. Column tables are copied, their strings borrowed. */
void sm_result_text(struct sm_result *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds no newline. */
void sm_result_piece(struct sm_result *r, const char *text, size_t n);
/* Adds paragraphs. A line break in a paragraph becomes a blank, except before and after an empty
 * line, a line that starts with a blank, and a line with two adjacent blanks (columns). */
void sm_result_prose(struct sm_result *r, size_t hang, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void sm_result_dim(struct sm_result *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sm_result_table(struct sm_result *r, const struct sm_node *list,
                     const struct sm_column *columns, size_t n);
void sm_result_fields(struct sm_result *r, const struct sm_node *map,
                      const struct sm_column *columns, size_t n);
/* Takes a reference to t. f NULL: as numpy. */
void sm_result_array(struct sm_result *r, struct sm_tensor *t, bool whole,
                     const struct sm_format *f);
/* Copies the bytes. */
void sm_result_graphic(struct sm_result *r, const char *bytes);
/* Adds an empty grid to draw on; the result owns it. */
struct sm_grid *sm_result_grid(struct sm_result *r, int w, int h);
/* The usual listing: sets root to the list and the columns for all formats, and adds a table. */
void sm_result_listing(struct sm_result *r, struct sm_node *list, const struct sm_column *columns,
                       size_t n);
/* An escaped copy of untrusted text, in the arena of the result. */
const char *sm_result_escape(struct sm_result *r, const char *p, size_t n);

#endif
