/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Further rows of the table of results: results of a change that advice lists, the uncertainty of a rig's results, and
 * results that only `compare` has, of a case and of the head of compare.json. wattsink_results.h includes this file and
 * explains the columns. */
#ifndef WATTSINK_COMPARED_H
#define WATTSINK_COMPARED_H

/* clang-format off */
#define WSK_RESULT_CHANGE_LIST(X, P) \
    X(P##_WHAT, P, TEXT, "change", "the change", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(P##_TEXT, P, TEXT, "text", "the change and its effects in words", "", 0, NEITHER, NONE, EXACT, ALWAYS, 8) \
    X(P##_PARTS, P, MESSAGES, "parts", "the change, then its effects, as codes and values", "", 0, NEITHER, NONE, EXACT, ALWAYS, 8) \
    X(P##_SET, P, TEXTS, "set", "assignments that make the change, for --set", "", 0, NEITHER, NONE, EXACT, ALWAYS, 8) \
    X(P##_WORK, P, NUMBER, "work_rel", "change of the throughput", "1", 3, MORE, MAX, BAND, ALWAYS, 8) \
    X(P##_WALL, P, NUMBER, "wall_w", "change of the power at the wall", "W", 0, LESS, MIN, BAND, ALWAYS, 0) \
    X(P##_DIE_MAX, P, NUMBER, "die_max_k", "change of the highest GPU temperature", "K", 0, LESS, MIN, BAND, ALWAYS, 0) \
    X(P##_ROOM, P, NUMBER, "room_k", "change of the room temperature", "K", 0, LESS, MIN, BAND, ALWAYS, 0) \
    X(P##_NOISE, P, NUMBER, "noise_db", "change of the sound level", "dBA", 0, LESS, MIN, BAND, ALWAYS, 0) \
    X(P##_ANNUAL, P, NUMBER, "annual", "change of the electricity cost a year", "currency", 0, LESS, MIN, BAND, ALWAYS, 0) \
    X(P##_PURCHASE, P, NUMBER, "purchase", "purchase price of the change", "purchase currency", 0, LESS, MIN, BAND, ALWAYS, 0) \
    X(P##_CURRENCY, P, TEXT, "purchase_currency", "currency of the purchase", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(P##_TRIP, P, NUMBER, "trip_probability", "probability of a trip afterwards", "1", 3, LESS, MIN, BAND, ALWAYS, 8) \
    X(P##_OVER_CIRCUIT, P, NUMBER, "over_circuit_va", "load above the circuit's limit afterwards", "VA", 0, LESS, MIN, BAND, ALWAYS, 0) \
    X(P##_OVER_FEED, P, NUMBER, "over_feed", "load above the rating of the UPS or power strip afterwards, as a share of it", "1", 3, LESS, MIN, BAND, ALWAYS, 0) \
    X(P##_OVER_PSU, P, NUMBER, "over_supply_w", "load above the PSU's rating afterwards", "W", 0, LESS, MIN, BAND, ALWAYS, 0) \
    X(P##_LOST, P, NUMBER, "lost_fraction", "share of the work lost to heat afterwards", "1", 4, LESS, MIN, BAND, ALWAYS, 0) \
    X(P##_THROTTLES, P, FLAG, "throttles", "a card throttles from heat afterwards", "", 0, LESS, MIN, EXACT, ALWAYS, 0) \
    X(P##_SHUTS_DOWN, P, FLAG, "shuts_down", "a card or processor shuts down afterwards", "", 0, LESS, MIN, EXACT, ALWAYS, 0) \
    X(P##_TOO_HOT, P, FLAG, "too_hot", "a part or the room gets too hot afterwards", "", 0, LESS, MIN, EXACT, ALWAYS, 0) \
    X(P##_TOO_LOUD, P, FLAG, "too_loud", "too loud for its place afterwards", "", 0, LESS, MIN, EXACT, ALWAYS, 0)

#define WSK_RESULT_UNCERTAINTY_LIST(X) \
    X(DIE_SPREAD, RIG, NUMBER, "uncertainty.die_k", "uncertainty of the hottest GPU", "K", 1, LESS, NONE, BAND, IF_SO, 2) \
    X(DIE_LOW, RIG, NUMBER, "uncertainty.die_low_c", "hottest GPU, low end of its range", "degC", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(DIE_HIGH, RIG, NUMBER, "uncertainty.die_high_c", "hottest GPU, high end of its range", "degC", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(MEMORY_SPREAD, RIG, NUMBER, "uncertainty.memory_k", "uncertainty of the hottest memory", "K", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(MEMORY_LOW, RIG, NUMBER, "uncertainty.memory_low_c", "hottest memory, low end of its range", "degC", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(MEMORY_HIGH, RIG, NUMBER, "uncertainty.memory_high_c", "hottest memory, high end of its range", "degC", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(NOISE_SPREAD, RIG, NUMBER, "uncertainty.noise_db", "uncertainty of the mean sound level", "dBA", 0, LESS, NONE, BAND, IF_SO, 0) \
    X(NOISE_LOW, RIG, NUMBER, "uncertainty.noise_low_dba", "mean sound level, low end of its range", "dBA", 0, LESS, NONE, BAND, IF_SO, 0) \
    X(NOISE_HIGH, RIG, NUMBER, "uncertainty.noise_high_dba", "mean sound level, high end of its range", "dBA", 0, LESS, NONE, BAND, IF_SO, 0) \
    X(WALL_SPREAD, RIG, NUMBER, "uncertainty.wall_w", "uncertainty of the mean power at the wall, without cooling of the room", "W", 0, LESS, NONE, BAND, IF_SO, 0) \
    X(WALL_LOW, RIG, NUMBER, "uncertainty.wall_low_w", "mean power at the wall, low end of its range", "W", 0, LESS, NONE, BAND, IF_SO, 0) \
    X(WALL_HIGH, RIG, NUMBER, "uncertainty.wall_high_w", "mean power at the wall, high end of its range", "W", 0, LESS, NONE, BAND, IF_SO, 0) \
    X(ANNUAL_SPREAD, RIG, NUMBER, "uncertainty.annual", "uncertainty of the electricity cost of a year, with cooling of the room", "currency", 0, LESS, NONE, BAND, IF_SO, 0) \
    X(ANNUAL_LOW, RIG, NUMBER, "uncertainty.annual_low", "electricity cost of a year, low end of its range", "currency", 0, LESS, NONE, BAND, IF_SO, 0) \
    X(ANNUAL_HIGH, RIG, NUMBER, "uncertainty.annual_high", "electricity cost of a year, high end of its range", "currency", 0, LESS, NONE, BAND, IF_SO, 0) \
    X(THROTTLE_CHANCE, RIG, NUMBER, "uncertainty.throttle_probability", "chance that heat lowers the clock of a card", "1", 3, LESS, NONE, BAND, IF_SO, 0) \
    X(BAND_PARTS, RIG, MESSAGES, "uncertainty.parts", "largest source of uncertainty of the lost work, as codes and values", "", 0, NEITHER, NONE, EXACT, IF_SO, 0)

#define WSK_COMPARED_LIST(X) \
    X(LABEL, COMPARED, TEXT, "label", "name of the case", "", 0, NEITHER, NONE, EXACT, IF_SO, 2) \
    X(POWER_LIMIT, COMPARED, NUMBER, "power_limit_w", "power limit of a card, mean", "W", 0, NEITHER, NONE, EXACT, IF_SO, 0) \
    X(PAYBACK, COMPARED, NUMBER, "payback_years", "years until the case has paid for itself", "years", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(NPV, COMPARED, NUMBER, "npv", "net present value against the first case", "currency", 0, MORE, NONE, BAND, IF_SO, 0) \
    X(RATE, COMPARED, NUMBER, "rate", "interest rate", "1", 3, NEITHER, NONE, EXACT, IF_SO, 2) \
    X(YEARS, COMPARED, NUMBER, "years", "years of use", "years", 0, NEITHER, NONE, EXACT, IF_SO, 0) \
    X(UNPRICED, COMPARED, TEXT, "unpriced", "parts without a price", "", 0, NEITHER, NONE, EXACT, IF_SO, 0) \
    X(PURCHASE_PRICED, COMPARED, NUMBER, "purchase_priced", "purchase price of the parts that have one", "purchase currency", 0, LESS, NONE, BAND, IF_SO, 2) \
    X(ALL_IN, COMPARED, NUMBER, "all_in", "cost of work with electricity and purchase", "currency/GPU-h", 4, LESS, NONE, BAND, IF_SO, 0) \
    X(TRIP, COMPARED, NUMBER, "trip_probability", "probability that a PSU or the breaker trips", "1", 2, LESS, NONE, BAND, IF_SO, 0) \
    X(PSU_PEAK, COMPARED, NUMBER, "supply_peak", "highest load of a PSU", "1", 2, LESS, NONE, BAND, IF_SO, 0) \
    X(FEED_PEAK, COMPARED, NUMBER, "feed_peak", "highest load of a UPS or power strip", "1", 2, LESS, NONE, BAND, IF_SO, 0) \
    X(CIRCUIT_PEAK, COMPARED, NUMBER, "circuit_peak", "highest load of the circuit", "1", 2, LESS, NONE, BAND, IF_SO, 0) \
    X(WHERE_CARDS, COMPARED, NUMBER, "where.cards_kwh", "energy of the cards", "kWh", 1, LESS, NONE, BAND, IF_SO, 2) \
    X(WHERE_REST, COMPARED, NUMBER, "where.rest_kwh", "energy of the rest of the machine", "kWh", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(WHERE_FANS, COMPARED, NUMBER, "where.fans_kwh", "energy of fans and pumps", "kWh", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(WHERE_PSU, COMPARED, NUMBER, "where.psu_loss_kwh", "energy lost in the PSUs", "kWh", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(WHERE_LOADS, COMPARED, NUMBER, "where.loads_kwh", "energy of other loads on the circuit", "kWh", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(WHERE_FEED, COMPARED, NUMBER, "where.feed_loss_kwh", "energy lost in UPS and power strip", "kWh", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(WHERE_COOLING, COMPARED, NUMBER, "where.room_cooling_kwh", "energy of the air conditioner", "kWh", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(WHERE_PSU_COOLING, COMPARED, NUMBER, "where.psu_cooling_kwh", "energy of the air conditioner for the losses of the PSUs", "kWh", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(SPREAD_COST, COMPARED, NUMBER, "spread.cost_spread", "uncertainty of the electricity cost", "currency", 2, LESS, NONE, EXACT, OBJECT, 2) \
    X(SPREAD_ANNUAL, COMPARED, NUMBER, "spread.annual_spread", "uncertainty of the yearly electricity cost", "currency", 0, LESS, NONE, EXACT, OBJECT, 0) \
    X(SPREAD_WORK, COMPARED, NUMBER, "spread.work_spread", "uncertainty of the work", "GPU-h", 1, LESS, NONE, EXACT, OBJECT, 0) \
    X(SPREAD_PER_WORK, COMPARED, NUMBER, "spread.cost_per_work_spread", "uncertainty of the cost of work", "currency/GPU-h", 4, LESS, NONE, EXACT, OBJECT, 0) \
    X(SPREAD_ALL_IN, COMPARED, NUMBER, "spread.all_in_spread", "uncertainty of the cost of work with purchase", "currency/GPU-h", 4, LESS, NONE, EXACT, OBJECT, 0) \
    X(SPREAD_ENERGY, COMPARED, NUMBER, "spread.energy_spread", "uncertainty of the energy", "kWh", 2, LESS, NONE, EXACT, OBJECT, 0) \
    X(SPREAD_DIE_MAX, COMPARED, NUMBER, "spread.die_max_spread", "uncertainty of the GPU temperature", "K", 1, LESS, NONE, EXACT, OBJECT, 0) \
    X(SPREAD_NOISE, COMPARED, NUMBER, "spread.noise_spread", "uncertainty of the sound level", "dBA", 0, LESS, NONE, EXACT, OBJECT, 0) \
    X(SPREAD_PURCHASE, COMPARED, NUMBER, "spread.purchase_spread", "uncertainty of the purchase price", "purchase currency", 0, LESS, NONE, EXACT, OBJECT, 0) \
    X(SPREAD_COUNT, COMPARED, NUMBER, "spread.count_spread", "uncertainty of the work in the workload's own unit", "", 0, LESS, NONE, EXACT, IF_SO, 0) \
    X(SPREAD_PER_COUNT, COMPARED, NUMBER, "spread.cost_per_count_spread", "uncertainty of the electricity cost of one such unit", "currency", 7, LESS, NONE, EXACT, IF_SO, 0) \
    X(ABOVE_COST, COMPARED, NUMBER, "spread.cost_above", "upper side of the uncertainty of the electricity cost", "currency", 2, LESS, NONE, EXACT, IF_SO, 0) \
    X(ABOVE_WORK, COMPARED, NUMBER, "spread.work_above", "upper side of the uncertainty of the work", "GPU-h", 1, LESS, NONE, EXACT, IF_SO, 0) \
    X(ABOVE_PER_WORK, COMPARED, NUMBER, "spread.cost_per_work_above", "upper side of the uncertainty of the cost of work", "currency/GPU-h", 4, LESS, NONE, EXACT, IF_SO, 0) \
    X(ABOVE_ENERGY, COMPARED, NUMBER, "spread.energy_above", "upper side of the uncertainty of the energy", "kWh", 2, LESS, NONE, EXACT, IF_SO, 0) \
    X(ABOVE_DIE_MAX, COMPARED, NUMBER, "spread.die_max_above", "upper side of the uncertainty of the GPU temperature", "K", 1, LESS, NONE, EXACT, IF_SO, 0) \
    X(ABOVE_NOISE, COMPARED, NUMBER, "spread.noise_above", "upper side of the uncertainty of the sound level", "dBA", 0, LESS, NONE, EXACT, IF_SO, 0) \
    X(ABOVE_COUNT, COMPARED, NUMBER, "spread.count_above", "upper side of the uncertainty of the work in the workload's own unit", "", 0, LESS, NONE, EXACT, IF_SO, 0) \
    X(ABOVE_PER_COUNT, COMPARED, NUMBER, "spread.cost_per_count_above", "upper side of the uncertainty of the electricity cost of one such unit", "currency", 7, LESS, NONE, EXACT, IF_SO, 0) \
    X(SPREAD_PER_KWH, COMPARED, NUMBER, "spread.work_per_kwh_spread", "uncertainty of the work per energy", "GPU-h/kWh", 4, LESS, NONE, EXACT, IF_SO, 0) \
    X(ABOVE_PER_KWH, COMPARED, NUMBER, "spread.work_per_kwh_above", "upper side of the uncertainty of the work per energy", "GPU-h/kWh", 4, LESS, NONE, EXACT, IF_SO, 0) \
    X(MORE_ANNUAL, COMPARED, NUMBER, "spread.against_first.annual_difference", "yearly electricity cost, above the first case", "currency", 0, LESS, NONE, BAND, IF_SO, 4) \
    X(MORE_ANNUAL_SPREAD, COMPARED, NUMBER, "spread.against_first.annual_spread", "uncertainty of that difference", "currency", 0, LESS, NONE, EXACT, IF_SO, 0) \
    X(MORE_WORK, COMPARED, NUMBER, "spread.against_first.work_difference", "work, above the first case", "GPU-h", 1, MORE, NONE, BAND, IF_SO, 0) \
    X(MORE_WORK_SPREAD, COMPARED, NUMBER, "spread.against_first.work_spread", "uncertainty of that difference", "GPU-h", 1, LESS, NONE, EXACT, IF_SO, 0) \
    X(MORE_PER_WORK, COMPARED, NUMBER, "spread.against_first.cost_per_work_difference", "cost of work, above the first case", "currency/GPU-h", 4, LESS, NONE, BAND, IF_SO, 0) \
    X(MORE_PER_WORK_SPREAD, COMPARED, NUMBER, "spread.against_first.cost_per_work_spread", "uncertainty of that difference", "currency/GPU-h", 4, LESS, NONE, EXACT, IF_SO, 0) \
    X(MORE_ALL_IN, COMPARED, NUMBER, "spread.against_first.all_in_difference", "cost of work with purchase, above the first case", "currency/GPU-h", 4, LESS, NONE, BAND, IF_SO, 0) \
    X(MORE_ALL_IN_SPREAD, COMPARED, NUMBER, "spread.against_first.all_in_spread", "uncertainty of that difference", "currency/GPU-h", 4, LESS, NONE, EXACT, IF_SO, 0) \
    X(CLOUD_PRICE, COMPARED, NUMBER, "cloud.price", "price of a rented GPU-hour", "cloud currency", 4, LESS, NONE, EXACT, IF_SO, 2) \
    X(CLOUD_CURRENCY, COMPARED, TEXT, "cloud.currency", "currency of the rented GPU-hour", "", 0, NEITHER, NONE, EXACT, IF_SO, 0) \
    X(CLOUD_OWN, COMPARED, NUMBER, "cloud.own_per_gpu_h", "cost of an own GPU-hour", "cloud currency", 4, LESS, NONE, BAND, IF_SO, 0) \
    X(CLOUD_NEVER, COMPARED, FLAG, "cloud.never", "the own machine never becomes cheaper", "", 0, LESS, NONE, EXACT, IF_SO, 0) \
    X(CLOUD_GPU_HOURS, COMPARED, NUMBER, "cloud.breakeven_gpu_h", "GPU-hours until the own machine is cheaper", "h", 0, LESS, NONE, BAND, IF_SO, 0) \
    X(CLOUD_HOURS, COMPARED, NUMBER, "cloud.breakeven_h", "hours until the own machine is cheaper", "h", 0, LESS, NONE, BAND, IF_SO, 0) \
    X(CLOUD_HOURS_PER_YEAR, COMPARED, NUMBER, "cloud.breakeven_h_per_year", "hours a year from which the own machine is cheaper", "h", 0, LESS, NONE, BAND, IF_SO, 0) \
    X(CLOUD_YEARS, COMPARED, NUMBER, "cloud.breakeven_years", "years at this use until the own machine is cheaper", "years", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(COMPARE_ANNUAL, COMPARISON, FLAG, "annual", "costs are compared by the year", "", 0, NEITHER, NONE, EXACT, IF_SO, 0) \
    X(COMPARE_WORK_BY, COMPARISON, TEXT, "work_by", "unit by which work is compared", "", 0, NEITHER, NONE, EXACT, IF_SO, 0) \
    X(COMPARE_DIGESTS, COMPARISON, TEXT, "rig_digests", "digests of the rig files without options", "", 0, NEITHER, NONE, EXACT, IF_SO, 0) \
    X(COMPARE_VERDICT, COMPARISON, TEXT, "verdict", "the overloaded cases, and the winner or why there is none", "", 0, NEITHER, NONE, EXACT, IF_SO, 0) \
    X(COMPARE_VERDICT_PARTS, COMPARISON, MESSAGES, "verdict_parts", "the verdict of the comparison as codes and values", "", 0, NEITHER, NONE, EXACT, IF_SO, 0)
/* clang-format on */
#endif
