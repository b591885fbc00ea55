/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/kit/cli.h"
#include "tests/fuzz/fuzz.h"

static void replay(void **state)
{
    size_t len = 0;
    char *bytes = wsk_cli_read(*state, &len);
    assert_non_null(bytes);
    assert_int_equal(LLVMFuzzerTestOneInput((const uint8_t *)bytes, len), 0);
    free(bytes);
}

static int seed(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
    enum { MOST = 1000 };
    static struct CMUnitTest tests[MOST];
    const char *slash = strrchr(argv[0], '/');
    char *dir = wsk_cli_format("tests/fuzz/%s.seeds", slash ? slash + 1 : argv[0]);
    struct dirent **found = NULL;
    int n = argc > 1 ? argc - 1 : scandir(dir, &found, seed, alphasort);
    if (n > MOST)
        return 1;
    for (int i = 0; i < n; i++) {
        char *path = argc > 1 ? wsk_cli_format("%s", argv[1 + i]) : wsk_cli_format("%s/%s", dir, found[i]->d_name);
        tests[i] = (struct CMUnitTest){path, replay, NULL, NULL, path};
    }
    int failed = n > 0 ? _cmocka_run_group_tests(dir, tests, (size_t)n, NULL, NULL) : 1;
    for (int i = 0; i < n; i++) {
        free(tests[i].initial_state);
        if (found)
            free(found[i]);
    }
    free(found);
    free(dir);
    return failed;
}
