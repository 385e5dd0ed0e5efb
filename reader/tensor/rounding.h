/* Arithmetic in a tensor's own type, as numpy does it for the edges of histograms and the steps
 * between quantiles. */
#ifndef SM_ROUNDING_H
#define SM_ROUNDING_H

#include "reader/format/dtype.h"

/* The value of the type nearest to v, ties to even; v itself for types that are not float16 or
 * float32. There is no bfloat16 in numpy: it counts as float32. */
double sm_round_to(enum sm_dtype d, double v);

#endif
