/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coolants: the properties of each as functions of temperature. Each coolant is a file under models/coolant. */
#ifndef WSK_COOLANT_H
#define WSK_COOLANT_H
#include <stdbool.h>

typedef struct {
    double density_kg_m3, heat_j_m3k, viscosity_pa_s, conductivity_w_mk, expansion_per_k;
} wsk_fluid;
typedef struct {
    const char *name, *help;
    bool dielectric;
    double freezes_k; /* freezing point; 0: it does not freeze in use */
    void (*at)(double temp_k, wsk_fluid *fluid);
} wsk_coolant;
/* The Makefile writes both tables from the files under models/coolant, water first. Both end with NULL. */
extern const wsk_coolant *const wsk_coolants[];
extern const char *const wsk_coolant_names[];

#endif
