/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the smaller of the two symmetric matrices X X' and X' X, which have the same eigenvalues,
 * and finds the largest two by iterating a block of vectors (Rayleigh-Ritz): more vectors than
 * needed, so that close eigenvalues converge. */
#include "plot/pca.h"

#include "reader/base/mem.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 8, ROUNDS_MAX = 2000 };
static const double precise = 1e-11, equally_far = 1e-6;

struct problem {
    const double *rows; /* centred, finite: n of d */
    size_t n, d, m, k;  /* m: of the matrix, k: vectors of the block */
    bool by_rows;       /* the matrix is X X' */
    double *matrix;     /* m x m */
    double *v, *w;      /* k vectors of m, each contiguous */
    double values[BLOCK];
};

static double dot_product(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void fill_matrix(struct problem *p)
{
    for (size_t i = 0; i < p->m; i++)
        for (size_t k = 0; k <= i; k++) {
            double sum = 0;
            if (p->by_rows)
                sum = dot_product(p->rows + i * p->d, p->rows + k * p->d, p->d);
            else
                for (size_t r = 0; r < p->n; r++)
                    sum += p->rows[r * p->d + i] * p->rows[r * p->d + k];
            p->matrix[i * p->m + k] = p->matrix[k * p->m + i] = sum;
        }
}

/* Arbitrary vectors that are not parallel. */
static void fill_start(struct problem *p)
{
    uint64_t state = 1;
    for (size_t i = 0; i < p->k * p->m; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        p->v[i] = (double)(state >> 33) / (double)(1u << 31) - 0.5;
    }
}

/* Gram-Schmidt, twice: once is not enough for nearly parallel vectors. A linearly dependent vector
 * becomes 0. */
static void orthonormalise(double *v, size_t k, size_t m)
{
    for (size_t i = 0; i < k; i++) {
        double *a = v + i * m, before = sqrt(dot_product(a, a, m));
        for (int twice = 0; twice < 2; twice++)
            for (size_t j = 0; j < i; j++) {
                double along = dot_product(a, v + j * m, m);
                for (size_t x = 0; x < m; x++)
                    a[x] -= along * v[j * m + x];
            }
        double norm = sqrt(dot_product(a, a, m));
        bool lost = !(norm > 1e-14 * before);
        for (size_t x = 0; x < m; x++)
            a[x] = lost ? 0 : a[x] / norm;
    }
}

static void multiply_by_matrix(const struct problem *p)
{
    for (size_t i = 0; i < p->k; i++)
        for (size_t r = 0; r < p->m; r++)
            p->w[i * p->m + r] = dot_product(p->matrix + r * p->m, p->v + i * p->m, p->m);
}

/* Jacobi rotations of a small matrix t until it is diagonal; u accumulates them, one eigenvector
 * per column. */
static void diagonalise(double t[BLOCK][BLOCK], double u[BLOCK][BLOCK], size_t k)
{
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            u[i][j] = i == j;
    for (int sweep = 0; sweep < 30; sweep++)
        for (size_t i = 0; i < k; i++)
            for (size_t j = i + 1; j < k; j++) {
                if (t[i][j] == 0)
                    continue;
                double tau = (t[j][j] - t[i][i]) / (2 * t[i][j]);
                double tangent = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
                double c = 1 / sqrt(1 + tangent * tangent), s = tangent * c;
                for (size_t x = 0; x < k; x++) {
                    double a = t[x][i], b = t[x][j], e = u[x][i], f = u[x][j];
                    t[x][i] = c * a - s * b;
                    t[x][j] = s * a + c * b;
                    u[x][i] = c * e - s * f;
                    u[x][j] = s * e + c * f;
                }
                for (size_t x = 0; x < k; x++) {
                    double a = t[i][x], b = t[j][x];
                    t[i][x] = c * a - s * b;
                    t[j][x] = s * a + c * b;
                }
            }
}

/* v becomes the best eigenvectors within its span, largest first; w is the matrix times v before
 * and after. */
static void rotate_to_eigenvectors(struct problem *p)
{
    double t[BLOCK][BLOCK] = {{0}}, u[BLOCK][BLOCK] = {{0}}, new_v[BLOCK], new_w[BLOCK];
    size_t order[BLOCK];
    for (size_t i = 0; i < p->k; i++)
        for (size_t j = 0; j < p->k; j++)
            t[i][j] = dot_product(p->v + i * p->m, p->w + j * p->m, p->m);
    diagonalise(t, u, p->k);
    for (size_t i = 0; i < p->k; i++) {
        size_t at = i;
        for (; at && t[order[at - 1]][order[at - 1]] < t[i][i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (size_t i = 0; i < p->k; i++)
        p->values[i] = t[order[i]][order[i]];
    for (size_t x = 0; x < p->m; x++) {
        for (size_t i = 0; i < p->k; i++) {
            new_v[i] = new_w[i] = 0;
            for (size_t j = 0; j < p->k; j++) {
                new_v[i] += p->v[j * p->m + x] * u[j][order[i]];
                new_w[i] += p->w[j * p->m + x] * u[j][order[i]];
            }
        }
        for (size_t i = 0; i < p->k; i++) {
            p->v[i * p->m + x] = new_v[i];
            p->w[i * p->m + x] = new_w[i];
        }
    }
}

static bool is_precise(const struct problem *p)
{
    for (size_t i = 0; i < 2 && i < p->k; i++) {
        double rest = 0;
        for (size_t x = 0; x < p->m; x++) {
            double e = p->w[i * p->m + x] - p->values[i] * p->v[i * p->m + x];
            rest += e * e;
        }
        if (sqrt(rest) > precise * p->values[0])
            return false;
    }
    return true;
}

static void iterate_block(struct problem *p)
{
    fill_start(p);
    for (int i = 0; i < ROUNDS_MAX; i++) {
        orthonormalise(p->v, p->k, p->m);
        multiply_by_matrix(p);
        rotate_to_eigenvectors(p);
        if (is_precise(p))
            return;
        memcpy(p->v, p->w, p->k * p->m * sizeof *p->v);
    }
    orthonormalise(p->v, p->k, p->m);
}

/* Whether the row farthest out is on the negative side. Of rows that are equally far out but for
 * rounding the first one decides. */
static bool points_backwards(const double *out, size_t n)
{
    double most = 0;
    for (size_t r = 0; r < n; r++)
        most = fmax(most, fabs(out[r]));
    for (size_t r = 0; r < n; r++)
        if (fabs(out[r]) >= (1 - equally_far) * most)
            return out[r] < 0;
    return false;
}

/* Coordinates of all rows along vector i; the farthest one is positive. */
static void project_rows(const struct problem *p, size_t i, double *out)
{
    const double *v = p->v + i * p->m;
    for (size_t r = 0; r < p->n; r++)
        out[r] = i >= p->k    ? 0
                 : p->by_rows ? v[r] * sqrt(fmax(0, p->values[i]))
                              : dot_product(p->rows + r * p->d, v, p->d);
    bool backwards = points_backwards(out, p->n);
    for (size_t r = 0; r < p->n; r++)
        out[r] = backwards ? 0 - out[r] : out[r];
}

/* Relative to the first row at first: what is the same in all rows becomes exactly 0. */
static void centre_rows(double *rows, size_t n, size_t d)
{
    for (size_t k = 0; k < d; k++) {
        double first = rows[k], mean = 0;
        for (size_t i = 0; i < n; i++)
            mean += (rows[i * d + k] - first) / (double)n;
        for (size_t i = 0; i < n; i++)
            rows[i * d + k] = rows[i * d + k] - first - mean;
    }
}

/* Divides by a power of 2, so that the largest magnitude is below 1 and no difference or square
 * over- or underflows. Returns its exponent. */
static int scale_numbers(double *x, size_t n)
{
    double most = 0;
    int exponent;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    frexp(most, &exponent);
    for (size_t i = 0; i < n; i++)
        x[i] = ldexp(x[i], -exponent);
    return exponent;
}

/* The coordinates of the components, in units of the rows. */
static void set_coordinates(const struct problem *p, int exponent, double *x, double *y)
{
    project_rows(p, 0, x);
    project_rows(p, 1, y);
    for (size_t r = 0; r < p->n; r++) {
        x[r] = ldexp(x[r], exponent);
        y[r] = ldexp(y[r], exponent);
    }
}

static bool row_is_finite(const double *row, size_t d)
{
    for (size_t i = 0; i < d; i++)
        if (!isfinite(row[i]))
            return false;
    return true;
}

static bool solve_pca(double *rows, size_t n, size_t d, double *x, double *y, double share[2])
{
    struct problem p = {.rows = rows, .n = n, .d = d, .by_rows = n <= d, .m = n <= d ? n : d};
    double all = 0;
    int exponent = scale_numbers(rows, n * d);
    centre_rows(rows, n, d);
    exponent += scale_numbers(rows, n * d);
    p.k = p.m < BLOCK ? p.m : BLOCK;
    p.matrix = sm_xalloc(p.m * p.m * sizeof *p.matrix);
    p.v = sm_xalloc(2 * p.k * p.m * sizeof *p.v);
    p.w = p.v + p.k * p.m;
    fill_matrix(&p);
    for (size_t i = 0; i < p.m; i++)
        all += p.matrix[i * p.m + i];
    if (all > 0) {
        iterate_block(&p);
        set_coordinates(&p, exponent, x, y);
        share[0] = p.values[0] / all;
        share[1] = p.k > 1 ? fmax(0, p.values[1] / all) : 0;
    }
    sm_free(p.matrix);
    sm_free(p.v);
    return all > 0;
}

bool sm_pca(const double *rows, size_t n, size_t d, double *x, double *y, double share[2])
{
    double *kept = sm_xalloc(n * d * sizeof *kept);
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++)
        if (row_is_finite(rows + i * d, d))
            memcpy(kept + n_kept++ * d, rows + i * d, d * sizeof *kept);
    bool ok = n_kept >= 2 && d && solve_pca(kept, n_kept, d, x, y, share);
    for (size_t i = n; ok && i-- > 0;) { /* backwards: indices only grow */
        bool whole = row_is_finite(rows + i * d, d);
        n_kept -= whole;
        x[i] = whole ? x[n_kept] : (double)NAN;
        y[i] = whole ? y[n_kept] : (double)NAN;
    }
    sm_free(kept);
    return ok;
}
