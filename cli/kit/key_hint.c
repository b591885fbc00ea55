/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "cli/kit/cli.h"
#include "cli/kit/expr.h"

/* Writes into `hint`, as many as fit, the names that an incomplete key may stand for: those that begin with it
 * ("cost.run" for "cost") and those that end with it ("cost.annual" for "annual"). False: there are none. */
static bool name_members(char *hint, size_t size, const char *key, const char *const *names)
{
    size_t len = strlen(key), used = 0, found = 0;
    const char *only = NULL;
    for (; len && *names; names++) {
        const char *name = *names, *last = strrchr(name, '.');
        bool within =
            !strncmp(name, key, len) && (name[len] == '.' || name[len] == '_') && !strpbrk(name + len + 1, ".[");
        if (!within && !(last && !strcmp(last + 1, key) && !strchr(name, '[')))
            continue;
        if (used + strlen(name) + 8 > size - 20) {
            snprintf(hint + used, size - used, ", ...");
            break;
        }
        used += (size_t)snprintf(hint + used, size - used, used ? ", '%s'" : T_("; there is '%s'"), name);
        only = name;
        found++;
    }
    if (found == 1)
        snprintf(hint, size, T_("; did you mean '%s%s'?"), "", only);
    return found > 0;
}

void wsk_hint_key(char *hint, size_t size, const char *key, const char *const *names)
{
    hint[0] = '\0';
    if (!name_members(hint, size, key, names))
        wsk_cli_hint(hint, size, key, names, "");
}
