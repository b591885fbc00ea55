/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control socket of a twin: connections, their lines and answers. It has no thread; the loop that advances the
 * run calls it. The size of a request, the number of connections, and the time for an incomplete request or an answer
 * that is not fetched are limited. */
#ifndef WSK_TWIN_DOOR_H
#define WSK_TWIN_DOOR_H
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

/* WSK_DOOR_CONNECTIONS: most connections; if all are in use, a new one replaces the one that has been idle longest.
 * WSK_DOOR_MS: time limit, ms, for completing a request, and for fetching the next bytes of an answer. */
enum { WSK_DOOR_CONNECTIONS = 16, WSK_DOOR_POLLS = WSK_DOOR_CONNECTIONS + 1, WSK_DOOR_MS = 5000 };

typedef struct wsk_door wsk_door;
/* Returns the answer to a line, as text that ends with a newline; the door frees it. The line has no newline and ends
 * with a NUL. */
typedef char *wsk_door_answer(void *to, const char *line, size_t len);

/* Listens at NAME.sock, mode 0600, in a folder of mode 0700. The caller must hold the lock of the twin's name. NULL:
 * failed, and a message has been printed. */
wsk_door *wsk_door_open(const char *name, wsk_door_answer *answer, void *to);
const char *wsk_door_path(const wsk_door *door);
/* Fills the descriptors and events for poll. Returns their number. */
size_t wsk_door_polls(const wsk_door *door, struct pollfd polls[WSK_DOOR_POLLS]);
/* Answers at most one request of each connection, without waiting. True: more requests are waiting. */
bool wsk_door_serve(wsk_door *door);
void wsk_door_close(wsk_door *door); /* removes the socket; NULL is allowed */

#endif
