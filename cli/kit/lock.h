/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks on results, so that a process does not write where another one works. */
#ifndef WSK_CLI_LOCK_H
#define WSK_CLI_LOCK_H
#include <stdbool.h>

typedef struct wsk_cli_lock wsk_cli_lock;
/* READS: other readers may hold the lock at the same time, a writer may not. Where a reader finds no lock file and can
 * make none, as on a read-only disk, it needs no lock. RESUMES: locks as a writer. In a folder that the process cannot
 * write to, it locks as a reader, because it then only reads finished results. */
typedef enum { WSK_CLI_READS, WSK_CLI_WRITES, WSK_CLI_RESUMES } wsk_cli_lock_use;
/* Locks results by a lock file until wsk_cli_lock_drop or the end of the process. what: the folder or file that the
 * message names. NULL, after printing a message: another process holds the lock, or the system gives none. */
wsk_cli_lock *wsk_cli_lock_take(const char *file, const char *what, const char *command, wsk_cli_lock_use use);
wsk_cli_lock *wsk_cli_lock_folder(const char *dir, const char *command, wsk_cli_lock_use use);
/* Makes the folder and locks it for a writer. NULL: after printing a message. */
wsk_cli_lock *wsk_cli_lock_results(const char *dir, const char *command);
/* Locks the file of -o FILE for a writer, unless it is a stream or NULL, and adds the lock to *held. False, after
 * printing a message: there is no lock, or another process writes to the folder of the file. */
bool wsk_cli_lock_output(wsk_cli_lock **held, const char *path, const char *command);
/* Releases this lock and all that are linked to it. lock NULL: does nothing. */
void wsk_cli_lock_drop(wsk_cli_lock *lock);

#endif
