/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz targets: each fuzz_NAME.c passes any bytes to the code as one kind of input, and aborts if the result is wrong
 * for any input, such as an error without a message. */
#ifndef WSK_TESTS_FUZZ_H
#define WSK_TESTS_FUZZ_H
#include "wattsink.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The caller frees the text. */
char *wsk_fuzz_text(const uint8_t *data, size_t size);
/* Changes *len bytes as the lines of `edits` say. "i WORD VALUE" and "d WORD VALUE" overwrite 8 bytes with an integer
 * or a double, "b BYTE VALUE" overwrites one byte, "l LENGTH" truncates. WORD and BYTE count from 0, modulo the
 * number of words or bytes. */
void wsk_fuzz_edit(char *bytes, size_t *len, const char *edits);
/* Aborts if a value of the run or of its summary is infinite, or if an energy, temperature, power or cost is unknown
 * although it was known in `before` (NULL: nothing was known). */
void wsk_fuzz_finite(const wsk_run *run, const wsk_summary *before);
/* Aborts if loading or running fails. The caller frees the run, then the rig. */
wsk_run *wsk_fuzz_run(const char *path, const wsk_run_options *options, double seconds, wsk_rig **rig);
/* The temporary folder of the file is empty at first and is deleted at the end of the process. The caller frees the
 * path. */
char *wsk_fuzz_path(const char *name);

#endif
