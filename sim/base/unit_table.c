/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of units, with factors that are exact by definition: inch 25.4 mm, pound 0.45359237 kg (international
 * yard and pound agreement, 1959); standard gravity 9.80665 m/s2 (CGPM 1901); Btu (IT) 1055.05585262 J (ISO 80000-5);
 * a ton of refrigeration is 12,000 Btu/h. Millimetres of water are for a density of 1000 kg/m3. A year has 365
 * days. */
#include "sim/base/units.h"

#define TEN(text, dim, exp10) \
    { \
        text, WSK_DIM_##dim, exp10, 1, 1, 0, 0 \
    }
#define RATIO(text, dim, exp10, mul, div) \
    { \
        text, WSK_DIM_##dim, exp10, mul, div, 0, 0 \
    }

const wsk_unit wsk_units[] = {
    TEN("%", FRACTION, -2),

    TEN("W", POWER, 0),
    TEN("kW", POWER, 3),
    TEN("MW", POWER, 6),
    TEN("GW", POWER, 9),
    TEN("mW", POWER, -3),
    TEN("uW", POWER, -6),
    RATIO("BTU/h", POWER, 0, 105505585262.0, 3.6e11),
    RATIO("Btu/h", POWER, 0, 105505585262.0, 3.6e11),
    RATIO("ton", POWER, 0, 105505585262.0, 3e7),
    RATIO("tons", POWER, 0, 105505585262.0, 3e7),

    TEN("K", TEMPERATURE, 0),
    {"degC", WSK_DIM_TEMPERATURE, 0, 1, 1, 0, WSK_KELVIN},
    {"C", WSK_DIM_TEMPERATURE, 0, 1, 1, 0, WSK_KELVIN},
    {"degF", WSK_DIM_TEMPERATURE, 0, 5, 9, -32, WSK_KELVIN},
    {"F", WSK_DIM_TEMPERATURE, 0, 5, 9, -32, WSK_KELVIN},
    TEN("K", TEMP_DIFF, 0),
    TEN("mK", TEMP_DIFF, -3),
    TEN("degC", TEMP_DIFF, 0),
    TEN("C", TEMP_DIFF, 0),
    RATIO("degF", TEMP_DIFF, 0, 5, 9),
    RATIO("F", TEMP_DIFF, 0, 5, 9),

    TEN("s", TIME, 0),
    TEN("ms", TIME, -3),
    TEN("us", TIME, -6),
    TEN("ns", TIME, -9),
    RATIO("min", TIME, 0, 60, 1),
    RATIO("h", TIME, 0, 3600, 1),
    RATIO("d", TIME, 0, 86400, 1),
    RATIO("day", TIME, 0, 86400, 1),
    RATIO("days", TIME, 0, 86400, 1),
    RATIO("week", TIME, 0, 604800, 1),
    RATIO("weeks", TIME, 0, 604800, 1),
    RATIO("year", TIME, 0, 31536000, 1),
    RATIO("years", TIME, 0, 31536000, 1),

    TEN("m", LENGTH, 0),
    TEN("km", LENGTH, 3),
    TEN("cm", LENGTH, -2),
    TEN("mm", LENGTH, -3),
    TEN("um", LENGTH, -6),
    RATIO("in", LENGTH, 0, 254, 1e4),
    RATIO("ft", LENGTH, 0, 3048, 1e4),

    TEN("m2", AREA, 0),
    TEN("dm2", AREA, -2),
    TEN("cm2", AREA, -4),
    TEN("mm2", AREA, -6),
    RATIO("in2", AREA, 0, 64516, 1e8),
    RATIO("ft2", AREA, 0, 9290304, 1e8),

    TEN("m3", VOLUME, 0),
    TEN("l", VOLUME, -3),
    TEN("L", VOLUME, -3),
    TEN("ml", VOLUME, -6),
    TEN("mL", VOLUME, -6),
    TEN("cm3", VOLUME, -6),
    RATIO("ft3", VOLUME, 0, 28316846592.0, 1e12),

    TEN("m3/s", FLOW, 0),
    RATIO("m3/min", FLOW, 0, 1, 60),
    RATIO("m3/h", FLOW, 0, 1, 3600),
    TEN("l/s", FLOW, -3),
    TEN("L/s", FLOW, -3),
    RATIO("l/min", FLOW, 0, 1, 60000),
    RATIO("L/min", FLOW, 0, 1, 60000),
    RATIO("l/h", FLOW, 0, 1, 3.6e6),
    RATIO("L/h", FLOW, 0, 1, 3.6e6),
    RATIO("CFM", FLOW, 0, 28316846592.0, 6e13),
    RATIO("cfm", FLOW, 0, 28316846592.0, 6e13),
    RATIO("ft3/min", FLOW, 0, 28316846592.0, 6e13),

    TEN("Pa", PRESSURE, 0),
    TEN("hPa", PRESSURE, 2),
    TEN("kPa", PRESSURE, 3),
    TEN("mbar", PRESSURE, 2),
    TEN("bar", PRESSURE, 5),
    RATIO("mmH2O", PRESSURE, 0, 980665, 1e5),
    RATIO("inH2O", PRESSURE, 0, 24908891, 1e5),

    TEN("Hz", FREQUENCY, 0),
    TEN("kHz", FREQUENCY, 3),
    TEN("MHz", FREQUENCY, 6),
    TEN("GHz", FREQUENCY, 9),

    TEN("rpm", SPEED, 0),
    TEN("RPM", SPEED, 0),
    TEN("1/min", SPEED, 0),
    RATIO("1/s", SPEED, 0, 60, 1),
    RATIO("Hz", SPEED, 0, 60, 1),

    TEN("dBA", SOUND, 0),
    TEN("dB(A)", SOUND, 0),
    TEN("dB", SOUND, 0),

    TEN("W/K", CONDUCTANCE, 0),
    TEN("kW/K", CONDUCTANCE, 3),
    TEN("mW/K", CONDUCTANCE, -3),
    TEN("W/degC", CONDUCTANCE, 0),
    TEN("W/C", CONDUCTANCE, 0),

    TEN("K/W", RESISTANCE, 0),
    TEN("mK/W", RESISTANCE, -3),
    TEN("K/kW", RESISTANCE, -3),
    TEN("degC/W", RESISTANCE, 0),
    TEN("C/W", RESISTANCE, 0),

    TEN("J/K", CAPACITY, 0),
    TEN("kJ/K", CAPACITY, 3),
    TEN("MJ/K", CAPACITY, 6),
    TEN("J/degC", CAPACITY, 0),
    RATIO("Wh/K", CAPACITY, 0, 3600, 1),
    RATIO("kWh/K", CAPACITY, 0, 3600000, 1),

    TEN("V", VOLTAGE, 0),
    TEN("kV", VOLTAGE, 3),
    TEN("mV", VOLTAGE, -3),

    TEN("A", CURRENT, 0),
    TEN("kA", CURRENT, 3),
    TEN("mA", CURRENT, -3),

    TEN("1/K", PER_KELVIN, 0),
    TEN("1/degC", PER_KELVIN, 0),
    TEN("%/K", PER_KELVIN, -2),
    TEN("%/degC", PER_KELVIN, -2),
    TEN("/K", PER_KELVIN, 0),
    TEN("/degC", PER_KELVIN, 0),

    TEN("1/Hz", PER_FREQ, 0),
    TEN("1/kHz", PER_FREQ, -3),
    TEN("1/MHz", PER_FREQ, -6),
    TEN("1/GHz", PER_FREQ, -9),
    TEN("%/MHz", PER_FREQ, -8),
    TEN("%/GHz", PER_FREQ, -11),
    TEN("/Hz", PER_FREQ, 0),
    TEN("/MHz", PER_FREQ, -6),
    TEN("/GHz", PER_FREQ, -9),

    TEN("W/Hz", POWER_PER_FREQ, 0),
    TEN("W/kHz", POWER_PER_FREQ, -3),
    TEN("W/MHz", POWER_PER_FREQ, -6),
    TEN("W/GHz", POWER_PER_FREQ, -9),
    TEN("mW/MHz", POWER_PER_FREQ, -9),

    TEN("Hz/K", FREQ_PER_K, 0),
    TEN("kHz/K", FREQ_PER_K, 3),
    TEN("MHz/K", FREQ_PER_K, 6),
    TEN("GHz/K", FREQ_PER_K, 9),
    TEN("MHz/degC", FREQ_PER_K, 6),

    TEN("kg", MASS, 0),
    TEN("g", MASS, -3),
    TEN("mg", MASS, -6),
    TEN("t", MASS, 3),
    RATIO("lb", MASS, 0, 45359237, 1e8),

    TEN("B", DATA, 0),
    TEN("kB", DATA, 3),
    TEN("MB", DATA, 6),
    TEN("GB", DATA, 9),
    TEN("TB", DATA, 12),
    TEN("PB", DATA, 15),
    RATIO("KiB", DATA, 0, 1024.0, 1),
    RATIO("MiB", DATA, 0, 1048576.0, 1),
    RATIO("GiB", DATA, 0, 1073741824.0, 1),
    RATIO("TiB", DATA, 0, 1099511627776.0, 1),

    TEN("B/s", DATA_RATE, 0),
    TEN("MB/s", DATA_RATE, 6),
    TEN("GB/s", DATA_RATE, 9),
    TEN("TB/s", DATA_RATE, 12),

    TEN("/J", ENERGY_PRICE, 0),
    RATIO("/Wh", ENERGY_PRICE, 0, 1, 3600),
    RATIO("/kWh", ENERGY_PRICE, 0, 1, 3.6e6),
    RATIO("/MWh", ENERGY_PRICE, 0, 1, 3.6e9),
    TEN("/MJ", ENERGY_PRICE, -6),
    TEN("/GJ", ENERGY_PRICE, -9),

    TEN("J", ENERGY, 0),
    TEN("kJ", ENERGY, 3),
    TEN("MJ", ENERGY, 6),
    TEN("GJ", ENERGY, 9),
    RATIO("Wh", ENERGY, 0, 3600, 1),
    RATIO("kWh", ENERGY, 0, 3600000, 1),
    RATIO("MWh", ENERGY, 0, 3.6e9, 1),

    TEN("/W", POWER_PRICE, 0),
    TEN("/kW", POWER_PRICE, -3),
    TEN("/MW", POWER_PRICE, -6),
    TEN("/kW/month", POWER_PRICE, -3),
    TEN("/kW-month", POWER_PRICE, -3),

    TEN("kg/J", CARBON, 0),
    RATIO("kg/kWh", CARBON, 0, 1, 3.6e6),
    RATIO("kg/MWh", CARBON, 0, 1, 3.6e9),
    RATIO("g/kWh", CARBON, 0, 1, 3.6e9),
    RATIO("t/MWh", CARBON, 0, 1, 3.6e6),
    RATIO("lb/MWh", CARBON, 0, 45359237, 3.6e17),
    RATIO("kgCO2/kWh", CARBON, 0, 1, 3.6e6),
    RATIO("gCO2/kWh", CARBON, 0, 1, 3.6e9),
    RATIO("kgCO2e/kWh", CARBON, 0, 1, 3.6e6),
    RATIO("gCO2e/kWh", CARBON, 0, 1, 3.6e9),
    RATIO("kgCO2eq/kWh", CARBON, 0, 1, 3.6e6),
    RATIO("gCO2eq/kWh", CARBON, 0, 1, 3.6e9),
};
const size_t wsk_unit_count = sizeof wsk_units / sizeof *wsk_units;
