/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Access to libmicrohttpd. Only --listen loads that library, with dlopen(), because it loads further libraries, which
 * takes longer than most commands run. */
#ifndef WSK_CLI_TWIN_HTTP_H
#define WSK_CLI_TWIN_HTTP_H
#include <microhttpd.h>
#include <stdbool.h>

/* The functions of libmicrohttpd that are used, as X(return type, name without MHD_, arguments). */
/* clang-format off */
#define WSK_HTTP_FUNCTIONS(X) \
    X(struct MHD_Daemon *, start_daemon, (unsigned, uint16_t, MHD_AcceptPolicyCallback, void *, MHD_AccessHandlerCallback, void *, ...)) \
    X(void, stop_daemon, (struct MHD_Daemon *)) \
    X(enum MHD_Result, run, (struct MHD_Daemon *)) \
    X(enum MHD_Result, get_timeout, (struct MHD_Daemon *, MHD_UNSIGNED_LONG_LONG *)) \
    X(const union MHD_DaemonInfo *, get_daemon_info, (struct MHD_Daemon *, enum MHD_DaemonInfoType, ...)) \
    X(const union MHD_ConnectionInfo *, get_connection_info, (struct MHD_Connection *, enum MHD_ConnectionInfoType, ...)) \
    X(const char *, lookup_connection_value, (struct MHD_Connection *, enum MHD_ValueKind, const char *)) \
    X(struct MHD_Response *, create_response_from_buffer, (size_t, void *, enum MHD_ResponseMemoryMode)) \
    X(struct MHD_Response *, create_response_from_callback, (uint64_t, size_t, MHD_ContentReaderCallback, void *, MHD_ContentReaderFreeCallback)) \
    X(enum MHD_Result, add_response_header, (struct MHD_Response *, const char *, const char *)) \
    X(enum MHD_Result, queue_response, (struct MHD_Connection *, unsigned, struct MHD_Response *)) \
    X(void, destroy_response, (struct MHD_Response *)) \
    X(void, suspend_connection, (struct MHD_Connection *)) \
    X(void, resume_connection, (struct MHD_Connection *))
#define WSK_HTTP_MEMBER(type, name, args) type(*name) args;
typedef struct {
    WSK_HTTP_FUNCTIONS(WSK_HTTP_MEMBER)
} wsk_http;
/* clang-format on */

/* False: the library, or one of these functions, is missing. */
bool wsk_http_load(wsk_http *http);

#endif
