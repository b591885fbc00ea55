/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads libmicrohttpd. In a build without it, wsk_server_start prints that --listen needs it. */
#ifdef WSK_MICROHTTPD
#include "cli/twin/http.h"

#include <dlfcn.h>
#include <string.h>

// clang-format off
#define NAME(type, name, args) "MHD_" #name,
#define AS_DECLARED(type, name, args) _Static_assert(_Generic(&MHD_##name, type(*) args: 1, default: 0), "as in microhttpd.h");
static const char *const names[] = {WSK_HTTP_FUNCTIONS(NAME)};
WSK_HTTP_FUNCTIONS(AS_DECLARED)
// clang-format on
_Static_assert(sizeof(wsk_http) == sizeof names / sizeof *names * sizeof(void *),
               "a function's address is one of data, as POSIX has it");

bool wsk_http_load(wsk_http *http)
{
    void *opened = dlopen(WSK_MICROHTTPD, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *at = opened ? dlsym(opened, names[i]) : NULL;
        if (!at)
            return false;
        memcpy((char *)http + i * sizeof at, &at, sizeof at);
    }
    return true;
}
#else
#include "cli/kit/cli.h"
#include "cli/twin/server.h"

/* replacements for a build without libmicrohttpd */
int wsk_server_start(wsk_server **out, const wsk_gate_address *on, const char *token_file, const wsk_served *served)
{
    (void)on, (void)token_file, (void)served;
    *out = NULL;
    wsk_cli_error(T_("--listen needs a build with libmicrohttpd (Debian: libmicrohttpd-dev)"));
    return WSK_ERUN;
}
const char *wsk_server_url(const wsk_server *server)
{
    (void)server;
    return "";
}
int wsk_server_fd(const wsk_server *server)
{
    (void)server;
    return -1;
}
int wsk_server_wait(const wsk_server *server)
{
    (void)server;
    return 0;
}
bool wsk_server_watched(const wsk_server *server)
{
    (void)server;
    return false;
}
void wsk_server_run(wsk_server *server)
{
    (void)server;
}
void wsk_server_show(wsk_server *server)
{
    (void)server;
}
void wsk_server_stop(wsk_server *server)
{
    (void)server;
}
#endif
