/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latin hypercubes (McKay, Beckman and Conover 1979) and Sobol sequences (Bratley and Fox 1988, as in GSL). GSL's
 * generators run in memory of our own, because GSL's allocators end the program when out of memory. */
#include "sim/num/design.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_qrng.h>
#include <gsl/gsl_rng.h>

static void fill_latin(gsl_rng *random, size_t count, size_t dimensions, size_t *stratum, double *u)
{
    for (size_t d = 0; d < dimensions; d++) {
        for (size_t i = 0; i < count; i++)
            stratum[i] = i;
        for (size_t i = count; i > 1; i--) {
            size_t k = (size_t)(gsl_rng_uniform(random) * (double)i), last = stratum[i - 1];
            stratum[i - 1] = stratum[k];
            stratum[k] = last;
        }
        for (size_t i = 0; i < count; i++) {
            double x = ((double)stratum[i] + gsl_rng_uniform(random)) / (double)count;
            /* Rounding must not move a point beyond the upper end of its stratum. */
            double end = (double)(stratum[i] + 1) / (double)count;
            u[i * dimensions + d] = x < end ? x : nextafter(end, 0);
        }
    }
}

static void fill_sobol(const gsl_qrng *sequence, size_t count, size_t dimensions, const double *shift, double *u)
{
    for (size_t i = 0; i < count; i++) {
        double *point = &u[i * dimensions];
        gsl_qrng_get(sequence, point);
        for (size_t d = 0; d < dimensions; d++) {
            double x = point[d] + shift[d];
            point[d] = x < 1 ? x : x - 1;
        }
    }
}

wsk_status wsk_design_fill(wsk_design design, uint64_t seed, size_t count, size_t dimensions, double *u)
{
    if (dimensions < 1 || dimensions > WSK_DESIGN_DIMENSIONS)
        return WSK_EUSAGE;
    unsigned int n = (unsigned int)dimensions;
    gsl_rng random = {.type = gsl_rng_mt19937, .state = malloc(gsl_rng_mt19937->size)};
    wsk_status status = random.state ? WSK_OK : WSK_ENOMEM;
    if (random.state)
        gsl_rng_set(&random, (unsigned long)(seed ^ (seed >> 32)) & 0xffffffffUL);
    if (status == WSK_OK && design == WSK_DESIGN_LHS) {
        size_t *stratum = malloc((count ? count : 1) * sizeof *stratum);
        if (stratum)
            fill_latin(&random, count, dimensions, stratum, u);
        else
            status = WSK_ENOMEM;
        free(stratum);
    } else if (status == WSK_OK) {
        double shift[WSK_DESIGN_DIMENSIONS] = {0};
        for (size_t d = 0; seed && d < dimensions; d++)
            shift[d] = gsl_rng_uniform(&random);
        gsl_qrng sequence = {.type = gsl_qrng_sobol, .dimension = n, .state_size = gsl_qrng_sobol->state_size(n)};
        sequence.state = malloc(sequence.state_size);
        if (sequence.state) {
            gsl_qrng_init(&sequence);
            fill_sobol(&sequence, count, dimensions, shift, u);
        } else {
            status = WSK_ENOMEM;
        }
        free(sequence.state);
    }
    free(random.state);
    return status;
}
