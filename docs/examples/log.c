/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what a telemetry log has: cards, quantities, samples and means.
 *
 *     cc log.c $(pkg-config --cflags --libs wattsink) -o log
 *     ./log smi.csv */
#include <stdio.h>
#include <stdlib.h>

#include <wattsink.h>

static void print_series(const char *card, const char *text, const char *unit, wsk_log_series s)
{
    double sum = 0;
    for (size_t i = 0; i < s.count; i++)
        sum += s.value[i];
    if (s.count)
        printf("%-6s %7zu samples in %9.1f s, mean %12.6g %-4s %s\n", card, s.count, s.t_s[s.count - 1],
               sum / (double)s.count, unit, text);
}

static void print_log(const wsk_log *log)
{
    printf("%s, %zu rows left out, from %.0f s of 1970 (UTC %.0f)\n", wsk_log_format(log), wsk_log_left_out(log),
           wsk_log_start_civil_s(log), wsk_log_start_utc_s(log)); /* nan: the log does not state this time */
    for (size_t card = 0; card < wsk_log_cards(log); card++) {
#define ROW(name, unit, text) \
    print_series(wsk_log_card(log, card), text, unit, wsk_log_of(log, card, WSK_LOG_##name));
        WSK_LOG_LIST(ROW)
#undef ROW
    }
    print_series("wall", "power at the wall", "W", wsk_log_wall(log));
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    char *text = malloc(1 << 24);
    if (!file || !text) {
        fputs("usage: log FILE\n", stderr);
        if (file)
            fclose(file);
        free(text);
        return 2;
    }
    const size_t len = fread(text, 1, 1 << 24, file);
    fclose(file);
    wsk_log *log = NULL;
    wsk_status status = wsk_log_read(&log, argv[1], text, len);
    free(text);
    for (size_t i = 0; log && i < wsk_log_messages(log); i++) {
        int severity, line, column;
        const wsk_said *said = wsk_log_message(log, i, &severity, &line, &column);
        fprintf(stderr, "%s:%d:%d: %s\n", argv[1], line, column, wsk_said_code(said));
    }
    if (status == WSK_OK)
        print_log(log);
    wsk_log_free(log);
    return (int)status;
}
