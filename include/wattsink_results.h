/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of results: one row for each number, text and flag of a summary. wattsink.h includes this file. The library
 * writes and reads summary.json by it, keys in this order. Code that names a removed result does not compile. */
#ifndef WATTSINK_RESULTS_H
#define WATTSINK_RESULTS_H
#include "wattsink_compared.h"
/* X(NAME, scope, type, key, label, unit, digits, better, over, band, shown, line)
 * NAME    gives the enumerator WSK_R_NAME.
 * scope   the object that has the result: the rig, or each member of a list. COMPARED: a case of `compare`, in the
 *         same object as the results of its rig; COMPARISON: the head of compare.json.
 * type    NUMBER, TEXT, FLAG, TEXTS (a list), MESSAGES (a list of codes with values), OF_<scope>: the scope's members.
 * key     path inside the object of the scope, levels separated by dots.
 * unit    unit of the number in the file. "1": a share; "purchase currency": the text of PURCHASE_CURRENCY, and so on.
 * digits  decimals shown to people; better: direction in which the value is better.
 * over    how the values of a scope's members become one for the rig; band: BAND: has an uncertainty, else EXACT.
 * shown   where a result does not apply: ALWAYS: the value is null; IF_SO: there is no key; OBJECT: the object around
 *         the key is null. LATE: there is no key until the event has happened that the result is about.
 * line    number of blanks before the key if the key begins a line of the file; 0: the key continues a line. */

/* clang-format off */
#define WSK_RESULT_LIST(X) \
    X(VERSION, RIG, TEXT, "wattsink", "version of the program", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(RIG, RIG, TEXT, "rig", "name of the rig", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(DIGEST, RIG, TEXT, "digest", "digest of all values of the rig", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(SIMULATED, RIG, NUMBER, "simulated_s", "simulated time", "s", 0, NEITHER, NONE, EXACT, ALWAYS, 2) \
    X(WALL_CLOCK, RIG, NUMBER, "wall_clock_s", "real time taken", "s", 1, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(STEPS, RIG, NUMBER, "steps", "time steps", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(STEADY, RIG, FLAG, "steady", "a steady operating point", "", 0, NEITHER, NONE, EXACT, IF_SO, 0) \
    X(SETTLED, RIG, FLAG, "settled", "temperatures settled", "", 0, MORE, NONE, EXACT, IF_SO, 0) \
    X(CYCLING, RIG, FLAG, "cycling", "clocks cycle around the operating point", "", 0, LESS, NONE, EXACT, IF_SO, 0) \
    X(STRIDE_CYCLE, RIG, NUMBER, "strides.cycle_s", "time after which the inputs repeat", "s", 0, NEITHER, NONE, EXACT, IF_SO, 2) \
    X(STRIDE_SIMULATED, RIG, NUMBER, "strides.simulated", "cycles simulated", "", 0, NEITHER, NONE, EXACT, IF_SO, 0) \
    X(STRIDE_SKIPPED, RIG, NUMBER, "strides.skipped", "cycles skipped because they would be alike", "", 0, NEITHER, NONE, EXACT, IF_SO, 0) \
    X(STRIDE_ENERGY, RIG, NUMBER, "strides.energy_error_rel", "estimated error of energy from skipped cycles", "1", 6, LESS, NONE, EXACT, IF_SO, 13) \
    X(STRIDE_COST, RIG, NUMBER, "strides.cost_error_rel", "estimated error of the electricity cost from skipped cycles", "1", 6, LESS, NONE, EXACT, IF_SO, 0) \
    X(STRIDE_CARBON, RIG, NUMBER, "strides.carbon_error_rel", "estimated error of the carbon from skipped cycles", "1", 6, LESS, NONE, EXACT, IF_SO, 0) \
    X(STRIDE_WORK, RIG, NUMBER, "strides.work_error_rel", "estimated error of the work from skipped cycles", "1", 6, LESS, NONE, EXACT, IF_SO, 0) \
    X(STRIDE_HEAT, RIG, NUMBER, "strides.heat_error_s", "estimated error of the time limited by heat, of all cards, from skipped cycles", "s", 0, LESS, NONE, EXACT, IF_SO, 0) \
    X(STRIDE_PEAK, RIG, NUMBER, "strides.peak_error_rel", "estimated error of the highest power from skipped cycles", "1", 6, LESS, NONE, EXACT, IF_SO, 0) \
    X(STRIDE_HOT, RIG, NUMBER, "strides.temperature_error_k", "estimated error of the highest temperatures from skipped cycles", "K", 2, LESS, NONE, EXACT, IF_SO, 0) \
    X(STRIDE_BALANCE, RIG, NUMBER, "strides.imbalance_rel", "energy by which skipped cycles do not balance", "1", 6, LESS, NONE, EXACT, IF_SO, 0) \
    X(STRIDE_NONE, RIG, TEXT, "strides.none", "why no cycle can be skipped: short, weather, trace or beat", "", 0, NEITHER, NONE, EXACT, IF_SO, 0) \
    X(DC_KWH, RIG, NUMBER, "energy.dc_kwh", "DC energy, after the PSUs", "kWh", 2, LESS, NONE, BAND, ALWAYS, 2) \
    X(WALL_KWH, RIG, NUMBER, "energy.wall_kwh", "energy at the wall", "kWh", 2, LESS, NONE, BAND, ALWAYS, 0) \
    X(PSU_LOSS_KWH, RIG, NUMBER, "energy.psu_loss_kwh", "energy lost in the PSUs", "kWh", 2, LESS, NONE, BAND, ALWAYS, 0) \
    X(FEED_LOSS_KWH, RIG, NUMBER, "energy.feed_loss_kwh", "energy lost in UPS and power strip", "kWh", 2, LESS, NONE, BAND, ALWAYS, 0) \
    X(ROOM_COOLING_KWH, RIG, NUMBER, "energy.room_cooling_kwh", "energy of the air conditioner", "kWh", 2, LESS, NONE, BAND, ALWAYS, 0) \
    X(ROOM_COOLING_HEAT_KWH, RIG, NUMBER, "energy.room_cooling_heat_kwh", "heat removed by the air conditioner", "kWh", 2, NEITHER, NONE, BAND, ALWAYS, 0) \
    X(FANS_KWH, RIG, NUMBER, "energy.fans_kwh", "energy of fans and pumps, without the cards' own", "kWh", 2, LESS, NONE, BAND, ALWAYS, 0) \
    X(HEAT_OUT_KWH, RIG, NUMBER, "energy.heat_out_kwh", "heat that left the room", "kWh", 2, NEITHER, NONE, BAND, ALWAYS, 14) \
    X(STORED_KWH, RIG, NUMBER, "energy.stored_kwh", "heat stored at the end", "kWh", 3, NEITHER, NONE, BAND, ALWAYS, 0) \
    X(RESIDUAL, RIG, NUMBER, "energy.residual_rel", "residual of the energy balance", "1", 3, LESS, NONE, EXACT, ALWAYS, 0) \
    X(SPLITTING, RIG, NUMBER, "energy.splitting_rel", "error of the heat balance of air and coolant", "1", 3, LESS, NONE, EXACT, ALWAYS, 0) \
    X(SOLAR_KWH, RIG, NUMBER, "energy.solar_kwh", "solar energy used", "kWh", 2, MORE, NONE, BAND, IF_SO, 0) \
    X(CURRENCY, RIG, TEXT, "cost.currency", "currency of the electricity", "", 0, NEITHER, NONE, EXACT, ALWAYS, 2) \
    X(COST, RIG, NUMBER, "cost.run", "electricity cost of the run", "currency", 2, LESS, NONE, BAND, ALWAYS, 0) \
    X(ANNUAL, RIG, NUMBER, "cost.annual", "electricity cost a year", "currency", 0, LESS, NONE, BAND, ALWAYS, 0) \
    X(ANNUAL_BASIS, RIG, TEXT, "cost.annual_basis", "basis of the yearly cost: simulated or repeated", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(ANNUAL_PARTIAL, RIG, FLAG, "cost.annual_partial", "the run lacks hours or days of the week that have other prices", "", 0, NEITHER, NONE, EXACT, IF_SO, 0) \
    X(COST_ENERGY, RIG, NUMBER, "cost.energy", "energy charges", "currency", 2, LESS, NONE, BAND, IF_SO, 12) \
    X(COST_DEMAND, RIG, NUMBER, "cost.demand", "demand charges", "currency", 2, LESS, NONE, BAND, IF_SO, 0) \
    X(COST_STANDING, RIG, NUMBER, "cost.standing", "standing charges", "currency", 2, LESS, NONE, EXACT, IF_SO, 0) \
    X(COST_MINIMUM, RIG, NUMBER, "cost.minimum", "top-up to the minimum bill", "currency", 2, LESS, NONE, BAND, IF_SO, 0) \
    X(COST_SOLAR, RIG, NUMBER, "cost.solar", "feed-in payment lost for solar power used", "currency", 2, LESS, NONE, BAND, IF_SO, 0) \
    X(COST_MARGINAL, RIG, NUMBER, "cost.marginal", "rise of the cost per relative rise of all power", "currency", 2, LESS, NONE, BAND, IF_SO, 0) \
    X(HEATING_KWH, RIG, NUMBER, "cost.heating_kwh", "heat a year that replaces heating", "kWh", 0, MORE, NONE, BAND, IF_SO, 0) \
    X(HEATING, RIG, NUMBER, "cost.heating_saved", "heating saved a year", "currency", 0, MORE, NONE, BAND, IF_SO, 0) \
    X(PERIODS, RIG, OF_PERIOD, "cost.periods", "periods of the tariff", "", 0, NEITHER, NONE, EXACT, IF_SO, 12) \
    X(PERIOD_NAME, PERIOD, TEXT, "name", "period of the tariff", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(PERIOD_KWH, PERIOD, NUMBER, "kwh", "energy in the period", "kWh", 2, LESS, SUM, BAND, ALWAYS, 0) \
    X(PERIOD_COST, PERIOD, NUMBER, "cost", "energy charges in the period", "currency", 2, LESS, SUM, BAND, ALWAYS, 0) \
    X(MONTHS, RIG, OF_MONTH, "cost.months", "calendar months of the run", "", 0, NEITHER, NONE, EXACT, IF_SO, 12) \
    X(MONTH_FROM, MONTH, TEXT, "from", "first day of the month", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(MONTH_SHARE, MONTH, NUMBER, "share", "share of the month that was simulated", "1", 2, NEITHER, SUM, EXACT, ALWAYS, 0) \
    X(MONTH_KWH, MONTH, NUMBER, "kwh", "energy in the month", "kWh", 1, LESS, SUM, BAND, ALWAYS, 0) \
    X(MONTH_COST, MONTH, NUMBER, "cost", "bill of the month", "currency", 2, LESS, SUM, BAND, ALWAYS, 0) \
    X(MONTH_PEAK, MONTH, NUMBER, "peak_kw", "peak demand in the month", "kW", 2, LESS, MAX, BAND, ALWAYS, 0) \
    X(CARBON, RIG, NUMBER, "carbon_kg", "CO2 equivalent of the electricity", "kg", 1, LESS, NONE, BAND, ALWAYS, 2) \
    X(CARBON_MARGINAL, RIG, NUMBER, "carbon_marginal_kg", "rise of the CO2 equivalent per relative rise of all power", "kg", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(PURCHASE, RIG, NUMBER, "purchase", "purchase price of the parts", "purchase currency", 0, LESS, NONE, BAND, ALWAYS, 0) \
    X(PURCHASE_CURRENCY, RIG, TEXT, "purchase_currency", "currency of the purchase", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(COST_PER_WORK, RIG, NUMBER, "cost_per_work", "electricity cost per GPU-hour of work", "currency/GPU-h", 4, LESS, NONE, BAND, ALWAYS, 0) \
    X(WORK_UNIT, RIG, TEXT, "work.unit", "unit of the work", "", 0, NEITHER, NONE, EXACT, ALWAYS, 2) \
    X(WORK, RIG, NUMBER, "work.done", "work done", "GPU-h", 1, MORE, NONE, BAND, ALWAYS, 0) \
    X(WORK_UNTHROTTLED, RIG, NUMBER, "work.unthrottled", "work without limits by heat", "GPU-h", 1, MORE, NONE, BAND, ALWAYS, 0) \
    X(LOST, RIG, NUMBER, "work.lost_fraction", "share of the work lost to heat", "1", 4, LESS, NONE, BAND, ALWAYS, 0) \
    X(LOST_LOW, RIG, NUMBER, "work.lost_fraction_low", "share of the work lost to heat, low end of its range", "1", 4, LESS, NONE, BAND, IF_SO, 0) \
    X(LOST_HIGH, RIG, NUMBER, "work.lost_fraction_high", "share of the work lost to heat, high end of its range", "1", 4, LESS, NONE, BAND, IF_SO, 0) \
    X(LOST_TO_FAILURE, RIG, NUMBER, "work.lost_to_failure_fraction", "share of the work lost with lost cards", "1", 4, LESS, NONE, BAND, IF_SO, 0) \
    X(LOST_TO_OUTAGE, RIG, NUMBER, "work.lost_to_outage_fraction", "share of the work lost without mains", "1", 4, LESS, NONE, BAND, IF_SO, 0) \
    X(LOST_TO_LIMIT, RIG, NUMBER, "work.lost_to_limit_fraction", "share of the work lost to power limits and locked clocks", "1", 4, LESS, NONE, BAND, ALWAYS, 0) \
    X(LOST_TO, RIG, TEXT, "work.lost_to", "settings that limit the work", "", 0, NEITHER, NONE, EXACT, LATE, 0) \
    X(COUNTED, RIG, TEXT, "work.counted", "the workload's own unit", "", 0, NEITHER, NONE, EXACT, IF_SO, 12) \
    X(COUNT, RIG, NUMBER, "work.count", "work done, in the workload's own unit", "", 0, MORE, NONE, BAND, IF_SO, 0) \
    X(FAILURES, RIG, NUMBER, "work.failures", "failures of the work", "", 0, LESS, NONE, EXACT, LATE, 12) \
    X(REDONE, RIG, NUMBER, "work.redone", "work done again after failures", "GPU-h", 1, LESS, NONE, EXACT, LATE, 0) \
    X(TOKENS_FIT, RIG, FLAG, "tokens.fits", "the model fits into the cards' memory", "", 0, MORE, NONE, EXACT, IF_SO, 2) \
    X(TOKENS_MEMORY, RIG, NUMBER, "tokens.memory_gib", "memory that the model takes", "GiB", 1, LESS, NONE, BAND, IF_SO, 0) \
    X(TOKENS_MEMORY_SPREAD, RIG, NUMBER, "tokens.memory_spread_rel", "uncertainty of that memory", "1", 3, LESS, NONE, EXACT, IF_SO, 0) \
    X(TOKENS_CARDS_MEMORY, RIG, NUMBER, "tokens.cards_gib", "memory of the cards that share the model", "GiB", 1, MORE, NONE, EXACT, IF_SO, 0) \
    X(TOKENS_PROMPT, RIG, NUMBER, "tokens.prompt_per_s", "prompt tokens a second", "1/s", 1, MORE, NONE, BAND, IF_SO, 12) \
    X(TOKENS_PROMPT_SPREAD, RIG, NUMBER, "tokens.prompt_spread_rel", "uncertainty of the prompt tokens", "1", 3, LESS, NONE, EXACT, IF_SO, 0) \
    X(TOKENS_PROMPT_LOW, RIG, NUMBER, "tokens.prompt_low_per_s", "prompt tokens a second, low end of their range", "1/s", 1, MORE, NONE, BAND, IF_SO, 0) \
    X(TOKENS_PROMPT_HIGH, RIG, NUMBER, "tokens.prompt_high_per_s", "prompt tokens a second, high end of their range", "1/s", 1, MORE, NONE, BAND, IF_SO, 0) \
    X(TOKENS_GENERATION, RIG, NUMBER, "tokens.generation_per_s", "generated tokens a second", "1/s", 2, MORE, NONE, BAND, IF_SO, 0) \
    X(TOKENS_GENERATION_SPREAD, RIG, NUMBER, "tokens.generation_spread_rel", "uncertainty of the generated tokens", "1", 3, LESS, NONE, EXACT, IF_SO, 0) \
    X(TOKENS_GENERATION_LOW, RIG, NUMBER, "tokens.generation_low_per_s", "generated tokens a second, low end of their range", "1/s", 2, MORE, NONE, BAND, IF_SO, 0) \
    X(TOKENS_GENERATION_HIGH, RIG, NUMBER, "tokens.generation_high_per_s", "generated tokens a second, high end of their range", "1/s", 2, MORE, NONE, BAND, IF_SO, 0) \
    X(TOKENS_COPIES, RIG, NUMBER, "tokens.copies", "copies of the model that the cards hold", "", 0, MORE, NONE, EXACT, IF_SO, 12) \
    X(TOKENS_REQUESTS, RIG, NUMBER, "tokens.requests", "requests that are answered together", "", 0, MORE, NONE, EXACT, IF_SO, 0) \
    X(TOKENS_EACH_REQUEST, RIG, NUMBER, "tokens.each_request_per_s", "generated tokens a second of one request", "1/s", 2, MORE, NONE, BAND, IF_SO, 0) \
    X(TOKENS_ENERGY, RIG, NUMBER, "tokens.j_per_token", "energy at the wall for a generated token", "J", 2, LESS, NONE, BAND, IF_SO, 12) \
    X(TOKENS_ENERGY_SPREAD, RIG, NUMBER, "tokens.j_per_token_spread_rel", "uncertainty of that energy", "1", 3, LESS, NONE, EXACT, IF_SO, 0) \
    X(TOKENS_COST, RIG, NUMBER, "tokens.cost_per_million", "electricity cost of a million generated tokens", "currency", 2, LESS, NONE, BAND, IF_SO, 0) \
    X(TOKENS_COST_SPREAD, RIG, NUMBER, "tokens.cost_spread_rel", "uncertainty of that cost", "1", 3, LESS, NONE, EXACT, IF_SO, 0) \
    X(TOKENS_PRICE, RIG, NUMBER, "tokens.price_elsewhere", "price of a million generated tokens elsewhere", "currency", 2, NEITHER, NONE, EXACT, IF_SO, 0) \
    X(GPUS, RIG, OF_GPU, "gpus", "cards", "", 0, NEITHER, NONE, EXACT, ALWAYS, 2) \
    X(GPU_ID, GPU, TEXT, "id", "name of the card", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(GPU_PART, GPU, TEXT, "part", "part of the card", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(GPU_SLOT, GPU, NUMBER, "slot", "slot of the card", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(GPU_DIE_MEAN, GPU, NUMBER, "die_mean_c", "GPU temperature, mean", "degC", 1, LESS, MAX, BAND, ALWAYS, 0) \
    X(GPU_DIE_MAX, GPU, NUMBER, "die_max_c", "GPU temperature, max", "degC", 1, LESS, MAX, BAND, ALWAYS, 0) \
    X(GPU_HOTSPOT_MAX, GPU, NUMBER, "hotspot_max_c", "hot spot temperature, max", "degC", 1, LESS, MAX, BAND, ALWAYS, 0) \
    X(GPU_MEMORY_MAX, GPU, NUMBER, "memory_max_c", "memory temperature, max", "degC", 1, LESS, MAX, BAND, ALWAYS, 0) \
    X(GPU_VRM_MAX, GPU, NUMBER, "vrm_max_c", "VRM temperature, max", "degC", 1, LESS, MAX, BAND, ALWAYS, 0) \
    X(GPU_INLET_MEAN, GPU, NUMBER, "inlet_mean_c", "temperature of intake air or coolant, mean", "degC", 1, LESS, MAX, BAND, ALWAYS, 0) \
    X(GPU_POWER_MEAN, GPU, NUMBER, "power_mean_w", "board power, mean", "W", 1, LESS, SUM, BAND, ALWAYS, 6) \
    X(GPU_CLOCK_MEAN, GPU, NUMBER, "clock_mean_mhz", "GPU clock, mean", "MHz", 0, MORE, MEAN, BAND, ALWAYS, 0) \
    X(GPU_FAN_MEAN, GPU, NUMBER, "fan_mean_rpm", "speed of the card's fan, mean", "rpm", 0, LESS, MAX, BAND, ALWAYS, 0) \
    X(GPU_WORK, GPU, NUMBER, "work_rel", "GPU-hours of work an hour", "1", 3, MORE, MEAN, BAND, ALWAYS, 0) \
    X(GPU_WORK_SPREAD, GPU, NUMBER, "work_spread_rel", "uncertainty of the throughput", "1", 3, LESS, MAX, EXACT, ALWAYS, 0) \
    X(GPU_POWER_SPREAD, GPU, NUMBER, "power_spread_rel", "uncertainty of the board power", "1", 3, LESS, MAX, EXACT, ALWAYS, 0) \
    X(GPU_DIE_BAND, GPU, NUMBER, "die_band_c", "swing of the GPU temperature about the operating point", "K", 1, LESS, MAX, EXACT, IF_SO, 0) \
    X(GPU_LIMITED_BY_POWER, GPU, NUMBER, "throttle_s.power", "time limited by power", "s", 0, LESS, MAX, BAND, ALWAYS, 6) \
    X(GPU_LIMITED_BY_HEAT, GPU, NUMBER, "throttle_s.thermal", "time limited by GPU temperature", "s", 0, LESS, MAX, BAND, ALWAYS, 0) \
    X(GPU_LIMITED_BY_MEMORY, GPU, NUMBER, "throttle_s.memory", "time limited by memory temperature", "s", 0, LESS, MAX, BAND, ALWAYS, 0) \
    X(GPU_SLOWDOWN, GPU, NUMBER, "throttle_s.hw_slowdown", "time in hardware slowdown", "s", 0, LESS, MAX, BAND, ALWAYS, 0) \
    X(GPU_BRAKED, GPU, NUMBER, "throttle_s.power_brake", "time under the power brake", "s", 0, LESS, MAX, BAND, ALWAYS, 0) \
    X(GPU_RUNAWAY, GPU, FLAG, "thermal_runaway", "thermal runaway", "", 0, LESS, MAX, EXACT, ALWAYS, 0) \
    X(GPU_FROM_ROOM, GPU, NUMBER, "intake.room", "intake air from the room", "1", 2, MORE, MEAN, BAND, OBJECT, 6) \
    X(GPU_FROM_CASE, GPU, NUMBER, "intake.case", "intake air from the case", "1", 2, LESS, MEAN, BAND, OBJECT, 0) \
    X(GPU_FROM_OWN, GPU, NUMBER, "intake.own_exhaust", "intake air from the card's own exhaust", "1", 2, LESS, MEAN, BAND, OBJECT, 0) \
    X(GPU_FROM_NEIGHBOUR, GPU, NUMBER, "intake.neighbour_exhaust", "intake air from other cards' exhaust", "1", 2, LESS, MEAN, BAND, OBJECT, 0) \
    X(PSUS, RIG, OF_PSU, "psus", "power supplies", "", 0, NEITHER, NONE, EXACT, ALWAYS, 2) \
    X(PSU_ID, PSU, TEXT, "id", "name of the PSU", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(PSU_PART, PSU, TEXT, "part", "part of the PSU", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(PSU_RATED, PSU, NUMBER, "rated_w", "rating of the PSU", "W", 0, NEITHER, SUM, EXACT, ALWAYS, 0) \
    X(PSU_LINE_LIMIT, PSU, NUMBER, "line_limit_w", "rating of the PSU at this mains voltage", "W", 0, NEITHER, SUM, EXACT, ALWAYS, 0) \
    X(PSU_LOAD_MEAN, PSU, NUMBER, "load_mean", "load of the PSU, mean", "1", 3, LESS, MAX, BAND, ALWAYS, 0) \
    X(PSU_LOAD_PEAK, PSU, NUMBER, "load_peak", "load of the PSU, peak", "1", 3, LESS, MAX, BAND, ALWAYS, 0) \
    X(PSU_OVER_LIMIT, PSU, NUMBER, "over_limit_s", "time above the PSU's rating", "s", 0, LESS, MAX, BAND, ALWAYS, 0) \
    X(PSU_EFFICIENCY, PSU, NUMBER, "efficiency_mean", "efficiency of the PSU, mean", "1", 3, MORE, MEAN, BAND, ALWAYS, 0) \
    X(PSU_TRIP, PSU, NUMBER, "trip_probability", "probability that the PSU trips", "1", 3, LESS, MAX, BAND, ALWAYS, 0) \
    X(PSU_FAILED, PSU, FLAG, "failed", "the PSU failed", "", 0, LESS, MAX, EXACT, ALWAYS, 0) \
    X(CIRCUIT_LIMIT, RIG, NUMBER, "circuit.continuous_limit_w", "continuous limit of the circuit", "W", 0, NEITHER, NONE, EXACT, ALWAYS, 2) \
    X(WALL_PEAK_W, RIG, NUMBER, "circuit.wall_peak_w", "peak power at the wall", "W", 0, LESS, NONE, BAND, ALWAYS, 0) \
    X(WALL_PEAK_VA, RIG, NUMBER, "circuit.wall_peak_va", "peak apparent power at the wall", "VA", 0, LESS, NONE, BAND, ALWAYS, 0) \
    X(CIRCUIT_OVER_LIMIT, RIG, NUMBER, "circuit.over_limit_s", "time above the circuit's continuous limit", "s", 0, LESS, NONE, BAND, ALWAYS, 0) \
    X(CIRCUIT_TRIP, RIG, NUMBER, "circuit.trip_probability", "probability that the breaker trips", "1", 3, LESS, NONE, BAND, ALWAYS, 0) \
    X(WALL_METER, RIG, NUMBER, "circuit.wall_meter_peak_w", "highest reading of a meter at the wall", "W", 0, LESS, NONE, BAND, ALWAYS, 0) \
    X(CIRCUITS, RIG, OF_CIRCUIT, "circuits", "circuits", "", 0, NEITHER, NONE, EXACT, ALWAYS, 2) \
    X(BRANCH_ID, CIRCUIT, TEXT, "id", "name of the circuit", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(BRANCH_SUPPLY, CIRCUIT, NUMBER, "supply_v", "mains voltage of the circuit", "V", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(BRANCH_LIMIT, CIRCUIT, NUMBER, "continuous_limit_w", "continuous limit of the circuit", "W", 0, NEITHER, SUM, EXACT, ALWAYS, 0) \
    X(BRANCH_MEAN, CIRCUIT, NUMBER, "wall_mean_w", "power from the circuit, mean", "W", 0, LESS, SUM, BAND, ALWAYS, 0) \
    X(BRANCH_PEAK, CIRCUIT, NUMBER, "wall_peak_w", "power from the circuit, peak", "W", 0, LESS, MAX, BAND, ALWAYS, 0) \
    X(BRANCH_PEAK_VA, CIRCUIT, NUMBER, "wall_peak_va", "apparent power from the circuit, peak", "VA", 0, LESS, MAX, BAND, ALWAYS, 0) \
    X(BRANCH_LOAD, CIRCUIT, NUMBER, "load_peak", "load of the circuit over its continuous limit, peak", "1", 3, LESS, MAX, BAND, ALWAYS, 0) \
    X(BRANCH_FEED, CIRCUIT, NUMBER, "feed_load_peak", "load of the UPS or power strip on the circuit over its rating, peak", "1", 3, LESS, MAX, BAND, ALWAYS, 0) \
    X(BRANCH_SHARE, CIRCUIT, NUMBER, "share", "share of the site's energy, without air conditioner", "1", 3, NEITHER, MAX, BAND, ALWAYS, 0) \
    X(BRANCH_OVER, CIRCUIT, NUMBER, "over_limit_s", "time above the continuous limit of the circuit", "s", 0, LESS, MAX, BAND, ALWAYS, 0) \
    X(BRANCH_TRIP, CIRCUIT, NUMBER, "trip_probability", "probability that the breaker of the circuit trips", "1", 3, LESS, MAX, BAND, ALWAYS, 0) \
    X(BRANCH_TRIPPED, CIRCUIT, FLAG, "tripped", "the breaker of the circuit tripped", "", 0, LESS, MAX, EXACT, ALWAYS, 0) \
    X(BRANCH_FAILED, CIRCUIT, FLAG, "failed", "the circuit failed", "", 0, LESS, MAX, EXACT, ALWAYS, 0) \
    X(BRANCH_ON_BATTERY, CIRCUIT, FLAG, "on_battery", "at the end of the run the circuit is off and its UPS carries its load", "", 0, LESS, MAX, EXACT, IF_SO, 0) \
    X(BRANCH_OFF_AT, CIRCUIT, NUMBER, "off_at_s", "time at which the circuit went off", "s", 0, MORE, MIN, BAND, ALWAYS, 0) \
    X(BRANCH_UPS, CIRCUIT, NUMBER, "ups_minutes", "time for which the UPS on the circuit carries the mean load", "min", 0, MORE, MIN, BAND, ALWAYS, 0) \
    X(BRANCH_UPS_SPREAD, CIRCUIT, NUMBER, "ups_minutes_spread", "uncertainty of that time", "min", 0, LESS, MAX, EXACT, ALWAYS, 0) \
    X(UPS_MINUTES, RIG, NUMBER, "ups.minutes", "time for which the UPS carries the mean load", "min", 0, MORE, NONE, BAND, LATE, 2) \
    X(UPS_SPREAD, RIG, NUMBER, "ups.minutes_spread", "uncertainty of that time", "min", 0, LESS, NONE, EXACT, LATE, 0) \
    X(MACHINES_STOPPED, RIG, NUMBER, "machines_stopped", "machines that stopped with their circuit or PSU", "", 0, LESS, NONE, EXACT, LATE, 2) \
    X(CASES, RIG, OF_CASE, "cases", "chassis", "", 0, NEITHER, NONE, EXACT, ALWAYS, 2) \
    X(CASE_ID, CASE, TEXT, "id", "name of the chassis", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(CASE_PART, CASE, TEXT, "part", "part of the chassis", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(CASE_AIR, CASE, NUMBER, "air_mean_c", "air temperature in the case, mean", "degC", 1, LESS, MAX, BAND, ALWAYS, 0) \
    X(CASE_PRESSURE, CASE, NUMBER, "pressure_pa", "pressure in the case", "Pa", 2, NEITHER, MEAN, BAND, ALWAYS, 0) \
    X(CASE_AIR_CHANGES, CASE, NUMBER, "air_changes_per_min", "air changes in the case", "1/min", 1, MORE, MEAN, BAND, ALWAYS, 0) \
    X(CASE_FRESH_AIR, CASE, NUMBER, "fresh_air_m3h", "fresh air into the case", "m3/h", 0, MORE, SUM, BAND, ALWAYS, 0) \
    X(CASE_DOOR, CASE, NUMBER, "door_heat_w", "heat that the rear door takes, mean", "W", 0, MORE, SUM, BAND, IF_SO, 0) \
    X(CASE_STOPPED_BY, CASE, TEXT, "stopped_by", "circuit whose loss stopped the machine", "", 0, NEITHER, NONE, EXACT, LATE, 0) \
    X(CASE_STOPPED_PSU, CASE, TEXT, "stopped_by_psu", "PSU whose failure stopped the machine", "", 0, NEITHER, NONE, EXACT, LATE, 0) \
    X(CASE_STOPPED_AT, CASE, NUMBER, "stopped_at_s", "time at which that stopped the machine", "s", 0, MORE, MIN, BAND, LATE, 0) \
    X(LOOPS, RIG, OF_LOOP, "loops", "coolant loops", "", 0, NEITHER, NONE, EXACT, ALWAYS, 2) \
    X(LOOP_ID, LOOP, TEXT, "id", "name of the loop", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(LOOP_COOLANT_MEAN, LOOP, NUMBER, "coolant_mean_c", "coolant temperature, mean", "degC", 1, LESS, MAX, BAND, ALWAYS, 0) \
    X(LOOP_COOLANT_MAX, LOOP, NUMBER, "coolant_max_c", "coolant temperature, max", "degC", 1, LESS, MAX, BAND, ALWAYS, 0) \
    X(LOOP_RETURN_MAX, LOOP, NUMBER, "return_max_c", "temperature of the returning coolant, max", "degC", 1, LESS, MAX, BAND, ALWAYS, 0) \
    X(LOOP_FLOW, LOOP, NUMBER, "flow_lpm", "coolant flow", "l/min", 1, MORE, MEAN, BAND, ALWAYS, 0) \
    X(FANS, RIG, OF_FAN, "fans", "fans and pumps", "", 0, NEITHER, NONE, EXACT, ALWAYS, 2) \
    X(FAN_ID, FAN, TEXT, "id", "name of the fan or pump", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(FAN_COUNT, FAN, NUMBER, "count", "number of equal fans or pumps", "", 0, NEITHER, SUM, EXACT, ALWAYS, 0) \
    X(FAN_RPM, FAN, NUMBER, "rpm_mean", "speed of the fan or pump, mean", "rpm", 0, LESS, MAX, BAND, ALWAYS, 0) \
    X(PUMP_FLOW, FAN, NUMBER, "flow_lpm", "coolant through the pump", "l/min", 1, MORE, MEAN, BAND, IF_SO, 0) \
    X(FAN_FLOW, FAN, NUMBER, "flow_m3h", "air through the fan", "m3/h", 0, MORE, SUM, BAND, IF_SO, 0) \
    X(FAN_POWER, FAN, NUMBER, "power_mean_w", "power of the fan or pump, mean", "W", 1, LESS, SUM, BAND, ALWAYS, 0) \
    X(FAN_NOISE, FAN, NUMBER, "noise_dba", "sound level of the fan or pump, mean", "dBA", 1, LESS, MAX, BAND, ALWAYS, 0) \
    X(FAN_FAILED, FAN, FLAG, "failed", "the fan or pump failed", "", 0, LESS, MAX, EXACT, ALWAYS, 0) \
    X(FAILED_AT, RIG, NUMBER, "failure.at_s", "time of the first failure", "s", 0, NEITHER, NONE, EXACT, LATE, 2) \
    X(FAILED_TO_THROTTLE, RIG, NUMBER, "failure.to_throttle_s", "time from the failure to the first throttling by heat", "s", 0, MORE, NONE, BAND, LATE, 0) \
    X(FAILED_TO_SHUTDOWN, RIG, NUMBER, "failure.to_shutdown_s", "time from the failure to the first shutdown", "s", 0, MORE, NONE, BAND, LATE, 0) \
    X(FAILED_SHUTS_LATER, RIG, FLAG, "failure.shuts_down_later", "the failure leads to a shutdown after the end of the run", "", 0, LESS, NONE, EXACT, IF_SO, 0) \
    X(ROOM_MEAN, RIG, NUMBER, "room.mean_c", "room temperature, mean", "degC", 1, LESS, NONE, BAND, ALWAYS, 2) \
    X(ROOM_MAX, RIG, NUMBER, "room.max_c", "room temperature, max", "degC", 1, LESS, NONE, BAND, ALWAYS, 0) \
    X(AC_FAILED, RIG, FLAG, "room.cooling_failed", "the air conditioner failed", "", 0, LESS, NONE, EXACT, IF_SO, 0) \
    X(DEW_POINT, RIG, NUMBER, "room.dew_point_c", "dew point of the room air", "degC", 1, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(CASE_AIR_MEAN, RIG, NUMBER, "case_air_mean_c", "air temperature in all cases, mean", "degC", 1, LESS, NONE, BAND, ALWAYS, 0) \
    X(CPU_MAX, RIG, NUMBER, "cpu_max_c", "CPU temperature, max", "degC", 1, LESS, NONE, BAND, ALWAYS, 0) \
    X(NOISE, RIG, NUMBER, "noise_dba", "sound level, mean", "dBA", 0, LESS, NONE, BAND, ALWAYS, 2) \
    X(NOISE_MAX, RIG, NUMBER, "noise_max_dba", "sound level, max", "dBA", 0, LESS, NONE, BAND, ALWAYS, 0) \
    X(NOISE_DISTANCE, RIG, NUMBER, "noise_distance_m", "distance at which the sound levels hold", "m", 1, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(NOISE_PLACE, RIG, TEXT, "noise_place", "where the machine stands: desk, room or server-room", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(NOISE_LIMIT, RIG, NUMBER, "noise_limit_dba", "sound level from which on it is too loud there", "dBA", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(ASSUMED, RIG, NUMBER, "assumed_values", "assumed inputs", "", 0, LESS, NONE, EXACT, ALWAYS, 0) \
    WSK_RESULT_UNCERTAINTY_LIST(X) \
    X(VERDICT, RIG, TEXT, "verdict.text", "the verdict in words", "", 0, NEITHER, NONE, EXACT, ALWAYS, 2) \
    X(THROTTLES, RIG, FLAG, "verdict.throttles", "a card throttles from heat", "", 0, LESS, NONE, EXACT, ALWAYS, 4) \
    X(SHUTS_DOWN, RIG, FLAG, "verdict.shuts_down", "a card or processor shuts down from heat", "", 0, LESS, NONE, EXACT, ALWAYS, 0) \
    X(CARDS_OFF, RIG, NUMBER, "verdict.cards_shut_down", "cards that shut down from heat", "", 0, LESS, NONE, EXACT, ALWAYS, 0) \
    X(CPUS_OFF, RIG, NUMBER, "verdict.processors_shut_down", "processors that shut down from heat", "", 0, LESS, NONE, EXACT, ALWAYS, 0) \
    X(TRIPS, RIG, FLAG, "verdict.trips", "a PSU or the breaker may trip", "", 0, LESS, NONE, EXACT, ALWAYS, 0) \
    X(OVERLOADS, RIG, FLAG, "verdict.overloads", "a PSU, the circuit, its UPS or its power strip is overloaded", "", 0, LESS, NONE, EXACT, ALWAYS, 0) \
    X(TOO_HOT, RIG, FLAG, "verdict.too_hot", "a part or the room gets too hot", "", 0, LESS, NONE, EXACT, ALWAYS, 0) \
    X(PARTS_HOT, RIG, FLAG, "verdict.parts_too_hot", "a part gets hotter than its limit", "", 0, LESS, NONE, EXACT, ALWAYS, 0) \
    X(TOO_LOUD, RIG, FLAG, "verdict.too_loud", "too loud for its place", "", 0, LESS, NONE, EXACT, ALWAYS, 0) \
    X(COST_WEEK, RIG, NUMBER, "verdict.cost_week", "electricity cost of a week", "currency", 2, LESS, NONE, BAND, ALWAYS, 4) \
    X(COST_YEAR, RIG, NUMBER, "verdict.cost_year", "electricity cost of a year", "currency", 0, LESS, NONE, BAND, ALWAYS, 0) \
    X(VERDICT_PARTS, RIG, MESSAGES, "verdict.parts", "the verdict as codes and values", "", 0, NEITHER, NONE, EXACT, ALWAYS, 4) \
    X(ADVICE, RIG, TEXT, "verdict.advice", "introduction of the changes, or why there are none", "", 0, NEITHER, NONE, EXACT, ALWAYS, 4) \
    X(ADVICE_BASIS, RIG, TEXT, "verdict.basis", "weather and load for which the changes were solved", "", 0, NEITHER, NONE, EXACT, ALWAYS, 0) \
    X(ADVICE_PARTS, RIG, MESSAGES, "verdict.advice_parts", "advice and its basis as codes and values", "", 0, NEITHER, NONE, EXACT, ALWAYS, 4) \
    X(COOLING, RIG, NUMBER, "verdict.cooling_w", "cooling power that keeps the room below its limit", "W", 0, LESS, NONE, BAND, ALWAYS, 0) \
    X(CHANGES, RIG, OF_CHANGE, "verdict.changes", "changes that help most", "", 0, NEITHER, NONE, EXACT, ALWAYS, 4) \
    WSK_RESULT_CHANGE_LIST(X, CHANGE) \
    X(VAIN, RIG, OF_VAIN, "verdict.tried_in_vain", "best changes that are not worth it", "", 0, NEITHER, NONE, EXACT, ALWAYS, 4) \
    WSK_RESULT_CHANGE_LIST(X, VAIN) \
    X(WARNINGS, RIG, TEXTS, "warnings", "warnings", "", 0, LESS, NONE, EXACT, ALWAYS, 2) \
    X(NOTICES, RIG, MESSAGES, "notices", "warnings as codes and values", "", 0, LESS, NONE, EXACT, ALWAYS, 2) \
    WSK_COMPARED_LIST(X)
/* clang-format on */
#endif
