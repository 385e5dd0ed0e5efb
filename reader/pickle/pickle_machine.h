/* SPDX-License-Identifier: Apache-2.0 */
/* The machine that reads a pickle: a stack of values, marks in it, and a memo. For the files of
 * reader/pickle only. */
#ifndef SM_PICKLE_MACHINE_H
#define SM_PICKLE_MACHINE_H

#include "reader/base/map.h"
#include "reader/pickle/pickle.h"

struct sm_pickle_machine {
    struct sm_pickle *tree;
    struct sm_pickle_input *in;
    struct sm_err *err;
    uint32_t *stack; /* numbers of nodes */
    size_t n_stack, cap_stack;
    size_t *marks; /* heights of the stack */
    size_t n_marks, cap_marks;
    uint32_t *memo; /* of the numbers from 0 on */
    size_t n_memo, cap_memo;
    struct sm_map far_memo; /* of others */
    uint64_t memoized;      /* entries made: the next number of MEMOIZE */
    bool stopped;
};

/* What is wrong is said with the byte of the opcode in front. Return false. */
bool sm_pickle_bad(struct sm_pickle_machine *m, const char *what);

/* ---- stack ---- */

bool sm_pickle_push(struct sm_pickle_machine *m, uint32_t node);
/* The topmost value above the last mark; false: there is none. */
bool sm_pickle_top(struct sm_pickle_machine *m, uint32_t *node);
bool sm_pickle_pop(struct sm_pickle_machine *m, uint32_t *node);
bool sm_pickle_mark(struct sm_pickle_machine *m);
/* Takes off the last mark and what is above it: *items, valid until the next push. */
bool sm_pickle_pop_mark(struct sm_pickle_machine *m, const uint32_t **items, size_t *n);
bool sm_pickle_memo_put(struct sm_pickle_machine *m, uint64_t number);
bool sm_pickle_memo_get(struct sm_pickle_machine *m, uint64_t number, uint32_t *node);
void sm_pickle_machine_clear(struct sm_pickle_machine *m);
/* Makes a tree of what was read of a damaged pickle: what lies on the stack is put into the
 * containers it was meant for, and the root is set; 0 if there is nothing. False: no memory. */
bool sm_pickle_put_together(struct sm_pickle_machine *m);

/* ---- new nodes, pushed ---- */

bool sm_pickle_push_plain(struct sm_pickle_machine *m, struct sm_pickle_node node);
bool sm_pickle_push_text(struct sm_pickle_machine *m, enum sm_pickle_kind kind, const void *p,
                         size_t n);
/* Text of the input that follows, of n bytes. */
bool sm_pickle_push_string(struct sm_pickle_machine *m, enum sm_pickle_kind kind, uint64_t n);
bool sm_pickle_push_items(struct sm_pickle_machine *m, enum sm_pickle_kind kind,
                          const uint32_t *items, size_t n);
bool sm_pickle_push_object(struct sm_pickle_machine *m, uint32_t callable, uint32_t args,
                           uint32_t keywords);
bool sm_pickle_push_global(struct sm_pickle_machine *m, struct sm_text module, struct sm_text name);
/* Integers of two's complement, little endian. */
bool sm_pickle_push_long(struct sm_pickle_machine *m, const uint8_t *p, size_t n);
bool sm_pickle_push_decimal(struct sm_pickle_machine *m, struct sm_text digits);

/* Adds items to a list, set, dict or object; n is even for a dict. */
bool sm_pickle_extend(struct sm_pickle_machine *m, uint32_t to, bool pairs, const uint32_t *items,
                      size_t n);

/* ---- opcodes ---- */

/* One opcode of protocol 0, which writes its operands as lines. False with err OK: it is none. */
bool sm_pickle_line_op(struct sm_pickle_machine *m, uint8_t op, bool *known);
bool sm_pickle_op(struct sm_pickle_machine *m, uint8_t op);

#endif
