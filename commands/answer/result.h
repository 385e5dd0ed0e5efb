/* What a command answers: a tree for machines and blocks for people, made from the same values.
 *
 * The tree is printed by -json -jsonl -csv -tsv -field (shapes: doc/language.md), the blocks as
 * text. A command never prints. All of it lives in the result's arena and is forgotten with the
 * line. */
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
    SM_NODE_FLOAT /* 9 digits */,
    SM_NODE_TEXT,
    SM_NODE_LIST,
    SM_NODE_MAP,
    SM_NODE_TENSOR /* nested arrays; elided as `elide` says */
};
struct sm_node {
    enum sm_node_type type;
    const char *key; /* within a map */
    union {
        bool b;
        int64_t i;
        uint64_t u;
        double d;
        struct sm_text text;      /* raw bytes; printers escape */
        struct sm_tensor *tensor; /* counted by the result */
    };
    bool whole;                          /* TENSOR: never elided (-a) */
    struct sm_node *first, *last, *next; /* children of LIST and MAP */
};

/* A column of a listing: which key, how it is headed and written. One table serves text, CSV and
 * -field. */
enum sm_column_format {
    SM_COL_PLAIN,
    SM_COL_NUMBER /* %.5g */,
    SM_COL_BYTES,
    SM_COL_TIME,
    SM_COL_SHAPE,
    SM_COL_LIST /* a,b,c */,
    SM_COL_SPARK, /* a list of numbers drawn; left out of CSV */
    SM_COL_MARK,  /* true shows the header's glyph */
};
struct sm_column {
    const char *key, *header;
    enum sm_column_format format;
    bool hidden;    /* not in text unless asked with -field */
    bool text_only; /* not in CSV */
    bool wraps;     /* sentences: on several lines where one is too narrow */
    bool below;     /* the same on lines of their own */
};

enum sm_block_kind {
    SM_BLOCK_TEXT,    /* a line or paragraph, as it is */
    SM_BLOCK_PIECE,   /* of a line: what is printed next goes on behind it */
    SM_BLOCK_PROSE,   /* paragraphs, broken into lines where the width is known */
    SM_BLOCK_DIM,     /* a hint or "how to see the rest" line */
    SM_BLOCK_TABLE,   /* rows (a LIST of MAPs) under columns */
    SM_BLOCK_FIELDS,  /* a MAP as "header  value" lines under columns */
    SM_BLOCK_ARRAY,   /* a tensor as numpy prints it */
    SM_BLOCK_GRID,    /* a plot */
    SM_BLOCK_GRAPHIC, /* bytes for a terminal that shows pixels */
};
struct sm_block {
    enum sm_block_kind kind;
    const char *text; /* untrusted parts already escaped by whoever made the line */
    const struct sm_node *node;
    const struct sm_column *columns;
    size_t n_columns;
    bool whole;              /* ARRAY: no elision */
    struct sm_format format; /* ARRAY: of its elements */
    size_t hang;             /* PROSE: how far lines behind the first are moved in */
    struct sm_grid *grid;
    struct sm_block *next;
};

struct sm_result {
    struct sm_arena arena;
    struct sm_node *root;            /* NULL: the command has nothing for machines */
    const struct sm_node *rows;      /* NULL: the root; else what tables and -field show of it */
    const struct sm_column *columns; /* of the rows, a list of maps or one map */
    size_t n_columns;
    struct sm_block *first, *last;
    struct sm_tensor **tensors; /* to unref */
    size_t n_tensors, cap_tensors;
    struct sm_grid **grids; /* to clear */
    size_t n_grids, cap_grids;
    bool stopped;    /* it tells of a stop: hook-stop runs first */
    bool passes;     /* the lines that run next are the answer: none of its own, not even null */
    bool verdict;    /* nothing failed, yet the exit status is that of a failed claim */
    bool quit;       /* the session ends with quit_status */
    int quit_status; /* -1: none given, what failed first decides */
};
void sm_result_init(struct sm_result *r);
void sm_result_reset(struct sm_result *r); /* empty again: a command that waited starts anew */
void sm_result_clear(struct sm_result *r);
const struct sm_node *sm_result_rows(const struct sm_result *r);

/* Building. Keys and column tables are borrowed for the result's life (literals); texts are copied.
 * parent NULL: the first such node becomes the root; set r->root to choose another. */
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
/* NULL: null */
void sm_node_text(struct sm_result *r, struct sm_node *parent, const char *key, const char *z);
void sm_node_textn(struct sm_result *r, struct sm_node *parent, const char *key, const char *p,
                   size_t n);
/* refs */
void sm_node_tensor(struct sm_result *r, struct sm_node *parent, const char *key,
                    struct sm_tensor *t, bool whole);
/* exact */
void sm_node_element(struct sm_result *r, struct sm_node *parent, const char *key, enum sm_dtype d,
                     const uint8_t *p);
void sm_node_dims(struct sm_result *r, struct sm_node *parent, const char *key,
                  const uint64_t *dims, unsigned n_dims);
const struct sm_node *sm_node_get(const struct sm_node *map, const char *key); /* NULL: not there */

void sm_result_text(struct sm_result *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* without a line end of its own */
void sm_result_piece(struct sm_result *r, const char *text, size_t n);
/* A line break inside a paragraph counts as a blank. An empty line, one that begins with a blank
 * and one with two blanks side by side (columns) stay apart. */
void sm_result_prose(struct sm_result *r, size_t hang, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void sm_result_dim(struct sm_result *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sm_result_table(struct sm_result *r, const struct sm_node *list,
                     const struct sm_column *columns, size_t n);
void sm_result_fields(struct sm_result *r, const struct sm_node *map,
                      const struct sm_column *columns, size_t n);
/* f NULL: as numpy */
void sm_result_array(struct sm_result *r, struct sm_tensor *t, bool whole,
                     const struct sm_format *f);
void sm_result_graphic(struct sm_result *r, const char *bytes);
struct sm_grid *sm_result_grid(struct sm_result *r, int w, int h);
/* The usual listing: root = list, columns for text and CSV, one table block. */
void sm_result_listing(struct sm_result *r, struct sm_node *list, const struct sm_column *columns,
                       size_t n);
/* for texts with untrusted parts */
const char *sm_result_escape(struct sm_result *r, const char *p, size_t n);

#endif
