/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The HTTP server of a twin, based on libmicrohttpd (http.c). gate.c decides which requests are answered. Memory and
 * time of a connection, and the number of connections, are limited. */
#include "cli/twin/server.h"

#ifdef WSK_MICROHTTPD
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "cli/kit/cli.h"
#include "cli/twin/client.h"
#include "cli/twin/gate.h"
#include "cli/twin/http.h"
#include "cli/twin/page.h"

/* Limits. CONNECTIONS, STREAMS: open connections, open pages. IDLE_S: time without a byte, s; REQUEST_S: time for a
 * whole request, s. HEAD: memory of a connection, bytes, and so of a request's head; BODY: bytes of a command. EVENT_S:
 * least time between two events (updates of the open pages), s; BEAT_S: longest time without an event, s. */
enum { CONNECTIONS = 32, STREAMS = 8, IDLE_S = 10, REQUEST_S = 20, HEAD = 16384, BODY = 4096 };
static const double EVENT_S = 0.5, BEAT_S = 5;

/* An event for all open pages, shared. holders: number of its users, which are s->newest and the streams that still
 * send it. */
typedef struct {
    int holders;
    size_t len;
    char *text;
} event;

typedef struct stream stream;
struct stream {
    stream *next;
    struct wsk_server *server;
    struct MHD_Connection *connection;
    event *sending;
    size_t sent;
    uint64_t seen; /* number of the last event that was sent or begun */
    bool waits;    /* suspended until there is a new event */
};

typedef struct client client;
struct client {
    client *next;
    struct MHD_Connection *connection;
    double since_s; /* wsk_clock() at the start of the present request */
    bool streams;
};

typedef struct {
    size_t len;
    bool too_long;
    char text[BODY + 1];
} body;

struct wsk_server {
    wsk_http mhd;
    struct MHD_Daemon *daemon;
    wsk_served served;
    wsk_gate gate;
    char *token, *script;
    char url[96], host[64];
    int fd;
    stream *streams;
    client *clients;
    event *newest;
    uint64_t number;
    double shown_s, beat_s, ran_s;
    bool ending;
    bool again; /* a connection has ended: the daemon accepts the next one when it runs again */
};

extern const unsigned char wsk_live_js[];
extern const size_t wsk_live_js_len;

static enum MHD_Result answer(wsk_server *s, struct MHD_Connection *to, unsigned status, const char *type,
                              struct MHD_Response *response)
{
    static const char *const headers[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src "
         "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Referrer-Policy", "no-referrer"},
        {"Cache-Control", "no-store"}};
    if (!response)
        return MHD_NO;
    (void)s->mhd.add_response_header(response, "Content-Type", type);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        (void)s->mhd.add_response_header(response, headers[i][0], headers[i][1]);
    if (status == MHD_HTTP_UNAUTHORIZED)
        (void)s->mhd.add_response_header(response, "WWW-Authenticate", "Basic realm=\"wattsink\"");
    const enum MHD_Result queued = s->mhd.queue_response(to, status, response);
    s->mhd.destroy_response(response);
    return queued;
}

static enum MHD_Result answer_text(wsk_server *s, struct MHD_Connection *to, unsigned status, const char *type,
                                   char *text, size_t len)
{
    return answer(s, to, status, type, s->mhd.create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE));
}

static enum MHD_Result refuse(wsk_server *s, struct MHD_Connection *to, unsigned status)
{
    char *text = wsk_cli_format("%u\n", status);
    return answer_text(s, to, status, "text/plain", text, strlen(text));
}

static void drop(event *e)
{
    if (e && --e->holders == 0) {
        free(e->text);
        free(e);
    }
}

static wsk_metrics_of present(const wsk_server *s, wsk_summary **summary)
{
    *summary = NULL;
    wsk_cli_check_memory(wsk_run_summary(summary, s->served.run, 0) == WSK_OK);
    return (wsk_metrics_of){.moment = s->served.moment, .run = s->served.run, .summary = *summary, .host = s->host};
}

static void make_event(wsk_server *s)
{
    wsk_summary *summary;
    event *e = wsk_cli_alloc(sizeof *e);
    const wsk_metrics_of of = present(s, &summary);
    FILE *out = wsk_cli_text(&e->text, &e->len);
    fputs("data: ", out);
    wsk_page_event(out, &of, s->served.rig, summary);
    fputs("\n\n", out);
    fclose(out);
    wsk_summary_free(summary);
    drop(s->newest);
    e->holders = 1;
    s->newest = e;
    s->number++;
    s->shown_s = wsk_clock();
}

static ssize_t read_stream(void *from, uint64_t pos, char *out, size_t most)
{
    stream *t = from;
    wsk_server *s = t->server;
    (void)pos;
    if (s->ending)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (!t->sending && t->seen != s->number) {
        t->sending = s->newest;
        t->sending->holders++;
        t->sent = 0;
        t->seen = s->number;
    }
    if (!t->sending) {
        t->waits = true;
        s->mhd.suspend_connection(t->connection);
        return 0;
    }
    const size_t left = t->sending->len - t->sent, len = left < most ? left : most;
    memcpy(out, t->sending->text + t->sent, len);
    t->sent += len;
    if (t->sent == t->sending->len) {
        drop(t->sending);
        t->sending = NULL;
    }
    return (ssize_t)len;
}

static void end_stream(void *from)
{
    stream *t = from;
    for (stream **at = &t->server->streams; *at; at = &(*at)->next)
        if (*at == t) {
            *at = t->next;
            break;
        }
    drop(t->sending);
    free(t);
}

static void wake_streams(wsk_server *s)
{
    for (stream *t = s->streams; t; t = t->next)
        if (t->waits) {
            t->waits = false;
            s->mhd.resume_connection(t->connection);
        }
}

static enum MHD_Result open_stream(wsk_server *s, struct MHD_Connection *to)
{
    int open = 0;
    for (const stream *t = s->streams; t; t = t->next)
        open++;
    if (open == STREAMS)
        return refuse(s, to, MHD_HTTP_SERVICE_UNAVAILABLE);
    if (!s->streams)
        make_event(s);
    stream *t = wsk_cli_alloc(sizeof *t);
    *t = (stream){.next = s->streams, .server = s, .connection = to, .seen = s->number - 1};
    struct MHD_Response *response =
        s->mhd.create_response_from_callback(MHD_SIZE_UNKNOWN, 8192, read_stream, t, end_stream);
    if (!response) {
        free(t);
        return MHD_NO;
    }
    s->streams = t;
    const union MHD_ConnectionInfo *info = s->mhd.get_connection_info(to, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (info && info->socket_context)
        ((client *)info->socket_context)->streams = true;
    return answer(s, to, MHD_HTTP_OK, "text/event-stream", response);
}

static const char *header(const wsk_server *s, struct MHD_Connection *from, const char *name)
{
    return s->mhd.lookup_connection_value(from, MHD_HEADER_KIND, name);
}

static enum MHD_Result answer_get(wsk_server *s, struct MHD_Connection *to, wsk_gate_what what)
{
    char *text = NULL;
    size_t len = 0;
    wsk_summary *summary = NULL;
    const char *type = "text/html; charset=utf-8";
    if (what == WSK_GATE_LIVE)
        return open_stream(s, to);
    FILE *out = wsk_cli_text(&text, &len);
    if (what == WSK_GATE_METRICS) {
        const wsk_metrics_form form = wsk_gate_form(header(s, to, "Accept"));
        const wsk_metrics_of of = present(s, &summary);
        type = wsk_metrics_type(form);
        wsk_metrics_write(out, &of, form);
    } else if (what == WSK_GATE_PAGE) {
        const wsk_metrics_of of = present(s, &summary);
        wsk_page_html(out, &of);
    } else if (what == WSK_GATE_STYLE) {
        type = "text/css; charset=utf-8";
        wsk_page_style(out);
    } else {
        type = "text/javascript; charset=utf-8";
        fwrite(wsk_live_js, 1, wsk_live_js_len, out);
    }
    fclose(out);
    wsk_summary_free(summary);
    return answer_text(s, to, MHD_HTTP_OK, type, text, len);
}

static enum MHD_Result answer_do(wsk_server *s, struct MHD_Connection *to, const body *asked)
{
    if (asked->too_long)
        return refuse(s, to, MHD_HTTP_CONTENT_TOO_LARGE);
    if (!wsk_gate_line(asked->text, asked->len))
        return refuse(s, to, MHD_HTTP_BAD_REQUEST);
    char *told = s->served.answer ? s->served.answer(s->served.to, asked->text, asked->len) : NULL;
    if (!told)
        return refuse(s, to, MHD_HTTP_BAD_REQUEST);
    if (wsk_client_accepted(told))
        return answer_text(s, to, MHD_HTTP_OK, "application/json", told, strlen(told));
    /* The page's script contains no texts, so the answer includes the refusal in the language of the twin. */
    char *said = wsk_client_refusal(told);
    wsk_buf answer = {0};
    wsk_buf_put(&answer, told, strcspn(told, "\n") - 1);
    wsk_buf_printf(&answer, ", \"said\": ");
    wsk_buf_json(&answer, said);
    wsk_buf_printf(&answer, "}\n");
    free(told);
    free(said);
    wsk_cli_check_memory(!answer.failed);
    return answer_text(s, to, MHD_HTTP_CONFLICT, "application/json", answer.data, answer.len);
}

static enum MHD_Result handle(void *to, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **kept)
{
    wsk_server *s = to;
    wsk_gate_what what = WSK_GATE_PAGE;
    body *asked = *kept;
    (void)version;
    if (asked && *size) {
        const size_t len = *size < BODY - asked->len ? *size : BODY - asked->len;
        memcpy(asked->text + asked->len, data, len);
        asked->len += len;
        asked->too_long = asked->too_long || len < *size;
        *size = 0;
        return MHD_YES;
    }
    if (asked)
        return answer_do(s, connection, asked);
    const wsk_gate_request request = {.method = method,
                                      .path = url,
                                      .host = header(s, connection, "Host"),
                                      .origin = header(s, connection, "Origin"),
                                      .site = header(s, connection, "Sec-Fetch-Site"),
                                      .authorization = header(s, connection, "Authorization"),
                                      .type = header(s, connection, "Content-Type")};
    const int status = wsk_gate_judge(&s->gate, &request, &what);
    if (status != 200)
        return refuse(s, connection, (unsigned)status);
    if (what != WSK_GATE_DO)
        return answer_get(s, connection, what);
    *kept = wsk_cli_alloc(sizeof(body));
    return MHD_YES;
}

static void completed(void *to, struct MHD_Connection *connection, void **kept, enum MHD_RequestTerminationCode why)
{
    wsk_server *s = to;
    (void)why;
    free(*kept);
    *kept = NULL;
    const union MHD_ConnectionInfo *info = s->mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (info && info->socket_context) {
        client *c = info->socket_context;
        c->since_s = wsk_clock();
        c->streams = false;
    }
}

static void came_or_went(void *to, struct MHD_Connection *connection, void **kept,
                         enum MHD_ConnectionNotificationCode which)
{
    wsk_server *s = to;
    if (which == MHD_CONNECTION_NOTIFY_STARTED) {
        client *c = wsk_cli_alloc(sizeof *c);
        *c = (client){.next = s->clients, .connection = connection, .since_s = wsk_clock()};
        s->clients = c;
        *kept = c;
        return;
    }
    for (client **at = &s->clients; *at; at = &(*at)->next)
        if (*at == *kept) {
            client *gone = *at;
            *at = gone->next;
            free(gone);
            break;
        }
    s->again = true;
    *kept = NULL;
}

/* Ends connections, except open pages, whose request takes too long as a whole, even if bytes keep arriving. */
static void end_slow(wsk_server *s)
{
    const double now_s = wsk_clock();
    for (client *c = s->clients; c; c = c->next)
        if (!c->streams && now_s - c->since_s > REQUEST_S) {
            const union MHD_ConnectionInfo *info =
                s->mhd.get_connection_info(c->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
            if (info)
                (void)shutdown(info->connect_fd, SHUT_RDWR);
        }
}

static bool read_token(wsk_server *s, const char *path)
{
    size_t len;
    s->token = wsk_cli_read(path, &len);
    if (!s->token) {
        wsk_cli_error("%s: %s", path, T_(strerror(errno)));
        return false;
    }
    len = strcspn(s->token, "\r\n");
    s->token[len] = 0;
    const bool plain = wsk_gate_token(s->token);
    if (!plain)
        wsk_cli_error(T_("%s: a token is 16 to 256 letters, digits and signs without blanks in the first line"),
                      path);
    s->gate.token = s->token;
    return plain;
}

static bool start_daemon(wsk_server *s, const wsk_gate_address *on)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)on->port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)on->port)};
    memcpy(&v4.sin_addr, on->address, sizeof v4.sin_addr);
    memcpy(&v6.sin6_addr, on->address, sizeof v6.sin6_addr);
    const struct sockaddr *at = on->family == AF_INET6 ? (const void *)&v6 : (const void *)&v4;
    s->daemon = s->mhd.start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (on->family == AF_INET6 ? MHD_USE_IPv6 : 0u), (uint16_t)on->port,
        NULL, NULL, handle, s, MHD_OPTION_SOCK_ADDR, at, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD,
        MHD_OPTION_NOTIFY_COMPLETED, completed, s, MHD_OPTION_NOTIFY_CONNECTION, came_or_went, s, MHD_OPTION_END);
    if (!s->daemon)
        return false;
    const union MHD_DaemonInfo *info = s->mhd.get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
    char name[INET6_ADDRSTRLEN];
    s->gate.port = info ? info->port : on->port;
    inet_ntop(on->family, on->address, name, sizeof name);
    snprintf(s->url, sizeof s->url, on->family == AF_INET6 ? "http://[%s]:%d/" : "http://%s:%d/", name, s->gate.port);
    info = s->mhd.get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    s->fd = info ? info->epoll_fd : -1;
    return true;
}

int wsk_server_start(wsk_server **out, const wsk_gate_address *on, const char *token_file, const wsk_served *served)
{
    *out = NULL;
    wsk_server *s = wsk_cli_alloc(sizeof *s);
    s->served = *served;
    if (gethostname(s->host, sizeof s->host - 1) != 0)
        s->host[0] = 0;
    if (!wsk_http_load(&s->mhd)) {
        wsk_cli_error(T_("--listen needs the library %s (Debian: libmicrohttpd12)"), WSK_MICROHTTPD);
    } else if (!token_file || read_token(s, token_file)) {
        if (start_daemon(s, on)) {
            *out = s;
            return WSK_OK;
        }
        wsk_cli_error(T_("cannot listen on %1$s: %2$s"), on->text, T_(strerror(errno)));
    }
    free(s->token);
    free(s);
    return WSK_ERUN;
}

const char *wsk_server_url(const wsk_server *server)
{
    return server->url;
}

int wsk_server_fd(const wsk_server *server)
{
    return server->fd;
}

int wsk_server_wait(const wsk_server *s)
{
    /* The server runs at least once a second, so that the time limits of requests and BEAT_S are kept to within a
     * second. */
    const double left_s = wsk_max(s->ran_s + 1 - wsk_clock(), 0);
    MHD_UNSIGNED_LONG_LONG ms;
    if (s->again)
        return 0;
    if (s->clients && s->mhd.get_timeout(s->daemon, &ms) == MHD_YES && (double)ms < 1e3 * left_s)
        return (int)ms;
    return (int)ceil(1e3 * left_s);
}

bool wsk_server_watched(const wsk_server *s)
{
    return s->streams;
}

void wsk_server_run(wsk_server *s)
{
    const double now_s = wsk_clock();
    s->ran_s = now_s;
    s->again = false;
    if (s->streams && now_s - s->shown_s > BEAT_S && now_s - s->beat_s > BEAT_S) {
        s->beat_s = now_s;
        make_event(s);
        wake_streams(s);
    }
    (void)s->mhd.run(s->daemon);
    end_slow(s);
}

void wsk_server_show(wsk_server *s)
{
    if (!s->streams || wsk_clock() - s->shown_s < EVENT_S)
        return;
    make_event(s);
    wake_streams(s);
    (void)s->mhd.run(s->daemon);
}

void wsk_server_stop(wsk_server *s)
{
    if (!s)
        return;
    s->ending = true;
    wake_streams(s);
    (void)s->mhd.run(s->daemon);
    s->mhd.stop_daemon(s->daemon);
    drop(s->newest);
    free(s->token);
    free(s);
}

#endif
