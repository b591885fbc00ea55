/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/num/root.h"

#include <math.h>
#include <stddef.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_roots.h>

typedef struct {
    double (*f)(double x, void *of);
    void *of;
} function;

/* GSL ends the program at a value that is not a number, so such a place counts as the root. */
static double value_at(double x, void *of)
{
    const function *g = of;
    const double y = g->f(x, g->of);
    return isfinite(y) ? y : 0;
}

double wsk_root(double (*f)(double x, void *of), void *of, double low, double high)
{
    enum { ROUNDS = 200, BYTES = 256 };
    const double within = 1e-12 * fmax(high - low, fmax(fabs(low), fabs(high))), at_low = f(low, of),
                 at_high = f(high, of);
    if (!isfinite(at_low) || !isfinite(at_high) || (at_low > 0) == (at_high > 0))
        return fabs(at_high) < fabs(at_low) ? high : low;
    /* GSL's allocator ends the program when out of memory, so the solver's state lies on the stack. */
    union {
        max_align_t aligned;
        char bytes[BYTES];
    } memory;
    gsl_function of_x = {.function = value_at, .params = &(function){f, of}};
    gsl_root_fsolver solver = {.type = gsl_root_fsolver_brent, .state = &memory};
    if (solver.type->size > sizeof memory || gsl_root_fsolver_set(&solver, &of_x, low, high))
        return 0.5 * (low + high);
    for (int i = 0; i < ROUNDS && solver.x_upper - solver.x_lower > within; i++)
        if (gsl_root_fsolver_iterate(&solver))
            break;
    return solver.root;
}

double wsk_normal_quantile(double p)
{
    return gsl_cdf_ugaussian_Pinv(p);
}
