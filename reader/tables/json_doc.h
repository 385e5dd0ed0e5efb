/* SPDX-License-Identifier: Apache-2.0 */
/* A run in one JSON document that a program writes anew each time: a list of objects
 * ([{"epoch": 0, "loss": 2}, ...]), or an object of lists ({"loss": [2, 1], "val_loss": [3, 2]}) as
 * that of a Keras history. Sacred's metrics have lists of their own steps:
 * {"loss": {"steps": [0, 10], "values": [2, 1], "timestamps": [...]}}. */
#ifndef SM_JSON_DOC_H
#define SM_JSON_DOC_H

#include "reader/source/source.h"
#include "reader/tables/point_list.h"

enum { SM_JSON_DOC_BYTES = 64 * 1024 * 1024 };
/* Takes the points of a document. rows: shared by all documents of a run. False: it is no such
 * document, or memory is short. Numbers of texts and lists in lists are left out. */
bool sm_json_doc_points(const char *p, size_t n, struct sm_json_row *row, struct sm_point_list *out,
                        struct sm_err *err);

/* Whether a file that begins with these bytes is such a document, and not lines of JSON: it begins
 * with '[', or with '{' and a line end, or is one line whose first value is a list,
 * without numbers that are in none. */
bool sm_json_is_doc(const char *head, size_t n);

struct sm_json_doc;
struct sm_json_doc *sm_json_doc_new(struct sm_source *source, const char *path);
void sm_json_doc_free(struct sm_json_doc *d); /* NULL is all right */
/* Hands on what is new. True: it has handed on something, now or before. */
bool sm_json_doc_poll(struct sm_json_doc *d, struct sm_log_sink *sink);

/* Calls object for each object of a list that was parsed before, from '[' to ']'; objects in lists
 * in it are given, too. False: object has returned false. */
bool sm_json_each_object(const char *p, const char *end,
                         bool (*object)(void *ctx, const char *p, size_t n), void *ctx);

#endif
