/* SPDX-License-Identifier: Apache-2.0 */
/* The shape of an answer's tree, as text in the record of a command (struct sm_cmd, answer), and
 * its conversion to JSON Schema (doc/protocol.schema.json). What is not in the shape is an error in
 * the tests: a new key of an answer goes into the shape of its command, too.
 *
 *   shape  := one { "|" one } [ "?" ]           "?": or null
 *   one    := "int" | "num" | "bool" | "text" | "name" | "mode" | "element" | "values"
 *           | 'word' | "[" shape "]" | "{" fields "}"
 *   fields := field { "," field } | "*:" shape   "*": any keys
 *   field  := key [ "?" ] ":" shape              "?": may be absent
 *
 * num: a number, or "nan", "inf", "-inf". name: text from a file; if it is not UTF-8, the key
 * "raw_KEY" ("raw" for "name") has its bytes in base64. mode: TRAIN, EVAL, PREDICT, GLOBAL.
 * element: of a tensor: a number, bool or text, [re,im] if complex, null for other types. values:
 * nested arrays of elements, where "..." stands for what is left out. */
#ifndef SM_SHAPE_H
#define SM_SHAPE_H

#include "reader/base/str.h"

/* Fields, or whole maps, that several answers have. */
#define SM_SHAPE_PLACE  "step:int,mode:mode,mode_step:int,worker:name"
#define SM_SHAPE_VALUE  "name:name," SM_SHAPE_PLACE
#define SM_SHAPE_DTYPED SM_SHAPE_VALUE ",dtype:text,shape:[int]"
#define SM_SHAPE_RECORD                                                                            \
    ",dtype:text?,shape:[int]?,bytes:int?,file:name?,offset:int?,length:int?,crc:text?,time:num?"
#define SM_SHAPE_BAD     "nan:int,pos_inf:int,neg_inf:int"
#define SM_SHAPE_RANGE   "lo:num?,hi:num?," SM_SHAPE_BAD
#define SM_SHAPE_HIST    "edges:[num],counts:[int]," SM_SHAPE_BAD
#define SM_SHAPE_DISPLAY "{number:int,expr:text,value:num|bool|text?,problem?:text}"
#define SM_SHAPE_STOP                                                                              \
    "step:int,mode:mode?,mode_step:int?,tensor:name?,displays?:[" SM_SHAPE_DISPLAY "]"
#define SM_SHAPE_WALK                                                                              \
    SM_SHAPE_STOP ",reason?:text,bkpt?:int,value?:num?,skipped?:[{number:int,tensors:int,steps:"   \
                  "int,reason:text}]"
#define SM_SHAPE_BREAKPOINT "{number:int,tensors:int}"
#define SM_SHAPE_BREAK_ROW                                                                         \
    "{number:int,type:text,disposition:'keep'|'del'|'dis',enabled:bool,hits:int,what:text,mode:"   \
    "mode?,condition:text?,hit_condition:text?,ignore:int,commands:[text],pending:bool,skipped:"   \
    "int}"
#define SM_SHAPE_FRAME                                                                             \
    "frame:int,step:int,mode:mode,mode_step:int,worker:name,tensor:name,problem:text,value:num,"   \
    "last_good_step:int?,last_good_value:num?,z:num?,bad:int,size:int"
#define SM_SHAPE_FINDING                                                                           \
    "step:int?,mode:mode?,mode_step:int?,worker:name?,tensor:name?,value:num,threshold:num,"       \
    "message:"                                                                                     \
    "text,fired:bool,text:text?,node?:text?,from_ns?:int,to_ns?:int"
#define SM_SHAPE_RULE_STATUS                                                                       \
    "rule:text,instance:text,status:'InProgress'|'NoIssuesFound'|'IssuesFound'|'Error'|'Stopping'" \
    "|'Stopped',reason:text?,parameters:{*:num|bool|text?},datapoints:int,violations:int,first_"   \
    "step:int?,last_step:int?,details:[{" SM_SHAPE_FINDING                                         \
    "}],triggered:int,tensor:name?,what:text?,skipped?:{*:int},shard?:{part:int,of:int,judged:"    \
    "text,begun:bool,continues:bool,path:name,steps:int,last_step:int},from?:text,trial?:name,"    \
    "worker?:name?,not_judged?:int,not_judged_why?:text?,remarks?:[{step:int,tensor:name?,worker:" \
    "name?,tensors:int,text:text}],first_ns?:int?,dealt?:{part:int,of:int,run:int,runs:int,"       \
    "directory:name}"
#define SM_SHAPE_SPEED_EVIDENCE                                                                    \
    "evidence:[{text:text,step:int?,value:num,command:text,node:name?,last_step:int?,from_ns:int," \
    "to_ns:int}]"
#define SM_SHAPE_SPEED_REST                                                                        \
    "title:text,since_ns:int?,try:[text],missing:[text],looked_at:{steps:int,from_ns:int?,to_ns:"  \
    "int?}"
#define SM_SHAPE_VERDICT                                                                           \
    "cause:text,title:text,since:int?,mode:mode?,worker:name?,tensor:name?,evidence:[{text:text,"  \
    "step:int?,tensor:name?,value:num,command:text}],effects:[{id:text,since:int?,text:text}],"    \
    "try:[text],looked_at:{steps:int,tensors:int,rules:int,values:int,unread:int},missing:[text]," \
    "before:int?,performance?:{cause:text,since:int?," SM_SHAPE_SPEED_EVIDENCE                     \
    "," SM_SHAPE_SPEED_REST "}"
#define SM_SHAPE_COLLECTION                                                                        \
    "{name:name,tensors:[text],include_regex:[text],save_config:{*:{save_interval:int,save_steps:" \
    "[int],start_step:int,end_step:int?}?}?,reductions:[text],count:int,saves:text?}"
#define SM_SHAPE_TENSOR                                                                            \
    "name:name,kind:'tensor'|'reductions'|'shape'|'scalar'|'histogram'|'image'|'text',"            \
    "collections:[text],dtype:text?,shape:[int]?,steps:int,first_step:int,last_step:int,modes:["   \
    "mode],workers:[text],reductions:[text]"
#define SM_SHAPE_TRIAL_FIELDS                                                                      \
    "current:bool,number:int,name:name,state:text,steps:int,tensors:int?,path:name,baseline:bool," \
    "shown:bool,last_step:int?,newest:num?,note:text?"
#define SM_SHAPE_TRIAL    "{" SM_SHAPE_TRIAL_FIELDS ",loss:num?}"
#define SM_SHAPE_ATTACHED "{rule:text,instance:text}"
#define SM_SHAPE_RULE                                                                              \
    "{name:text,class:text,group:text,summary:text,parameters:[{name:text,type:text,default:text?" \
    ",unit:text?,help:text}],collections:[text]}"
#define SM_SHAPE_SETTING "{name:text,value:text,default:text?,help:text}"
#define SM_SHAPE_PRINT                                                                             \
    "{expr:text,type:text,value:values|[{step:int,value:num}],unread?:int,reduction?:text,saved?:" \
    "bool,rounded?:bool}"
#define SM_SHAPE_XGB_SERIES "{name:name,points:[{step:int,value:num}]}"
#define SM_SHAPE_HELP                                                                              \
    "{name:text,aliases:[text],class:text,summary:text,usage:text,help:text?,options:[{name:text," \
    "value:text?,help:text}],example:text?,see_also:[text],subcommands:[text],arguments:[{name:"   \
    "text,kind:text,form:text,required:bool,repeats:bool,values:[text]?,default:text?,unit:text?," \
    "help:text}]}"
#define SM_SHAPE_STAT                                                                              \
    "{" SM_SHAPE_VALUE                                                                             \
    ",dtype:text?,shape:[int]?,size:int?,nan:int?,pos_inf:int?,neg_inf:int?,zero:int?,neg:int?,"   \
    "pos:int?,min:num?,max:num?,mean:num?,std:num?,variance:num?,sum:num?,prod:num?,l1:num?,l2:"   \
    "num?,abs_min:num?,abs_max:num?,abs_mean:num?,abs_std:num?,abs_variance:num?,abs_sum:num?,"    \
    "median:num?,abs_median:num?,p1:num?,p5:num?,p25:num?,p75:num?,p95:num?,p99:num?,saved:{*:"    \
    "element},inexact?:bool}"

/* Appends the schema. Returns false if the text is not a shape. */
bool sm_shape_schema(const char *shape, struct sm_str *out);
/* Appends the members of "$defs" that schemas refer to. */
void sm_shape_definitions(struct sm_str *out);

#endif
