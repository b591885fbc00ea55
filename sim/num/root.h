/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WSK_ROOT_H
#define WSK_ROOT_H

/* Returns where f is zero between low and high, with an error of at most 1e-12 times the largest of |low|, |high| and
 * high - low: Brent's method of GSL. f may be called with any value between them. If f has the same sign at both ends:
 * the end at which it is closer to zero. If f is not finite: one of the ends, or a value between them. */
double wsk_root(double (*f)(double x, void *of), void *of, double low, double high);

/* Returns the value below which a normally distributed quantity with mean 0 and sd 1 lies with probability p: GSL's
 * inverse of the distribution. p 0: -infinity; 1: infinity. */
double wsk_normal_quantile(double p);

#endif
